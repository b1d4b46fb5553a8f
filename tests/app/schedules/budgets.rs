//! Runs that a budget keeps from beginning.

use parlour::model::request::ScheduleAsk;
use serde_json::json;

use super::play::{DAY, HOUR, Play, rule};
use crate::support::usage::used;
use crate::support::world::noon;

#[test]
fn a_run_is_skipped_while_todays_budget_is_used_up() {
    let mut play = Play::new();
    play.world.sets(|settings| {
        settings.prices = serde_json::from_value(json!({"m": {"input": 10, "output": 100}})).unwrap();
        settings.limits.budget.day = Some(1.0);
        settings.limits.budget.stop = true;
    });
    play.world.chat("auth", "auth", 1);
    let deps = play.add(rule("0 13 * * *"));
    play.world.begins("auth", noon(), vec![used("m", [200_000, 0, 0, 0])]);
    play.pass(HOUR);
    assert_eq!((play.launched.len(), play.runs(&deps)), (0, vec!["skipped x1".into()]));
    let why = play.disk[&deps].runs[0].why.clone();
    assert_eq!(why, "today's budget is used up (limits.budget.day)");
    let by_hand = play
        .ask(ScheduleAsk::Run {
            schedule: deps.to_string(),
        })
        .unwrap_err();
    assert_eq!(by_hand.limit.unwrap().name, "budget.day");
    play.pass(DAY);
    assert_eq!(play.launched.len(), 1, "the next day has its own");
}
