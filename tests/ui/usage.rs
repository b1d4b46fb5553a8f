//! The page of what agents used.

use parlour::domain::event::Outcome;
use parlour::domain::work::{Read, ReadDone, ShownContent, ShownRead};
use parlour::domain::{Effect, Work};
use parlour::model::Timestamp;
use parlour::model::usage::UsageDetail;
use serde_json::json;

use super::pictured;
use super::reader::hears;
use crate::support::events::works;
use crate::support::usage::{asked, told_from, used, used_by_sub_agent};
use crate::support::world::{World, id, noon};

/// Also on a wide screen.
fn told() -> Vec<parlour::model::Entry> {
    let hour_ago = Timestamp(noon().0 - 3_600_000);
    let told = vec![
        asked("Users cannot log in when their token has expired. Find out why."),
        used("claude-sonnet-4-5", [400, 900, 12_000, 6_000]),
        used_by_sub_agent("claude-haiku-4-5", [2_000, 300, 0, 9_000], "a1"),
        used("claude-sonnet-4-5", [300, 1_200, 30_000, 2_000]),
        asked("Now add a test for it"),
        used("stub-model", [800, 40, 0, 0]),
        used("claude-sonnet-4-5", [500, 2_500, 61_000, 3_000]),
    ];
    told_from(1, hour_ago, told)
}

fn morning(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    world.sets(|settings| {
        settings.limits.budget.day = Some(2.0);
        settings.prices = serde_json::from_value(json!({"house-": {"input": 1, "output": 2}})).unwrap();
    });
    world.writes("auth", told());
    world.begins("redis", noon(), vec![used("gpt-5", [90_000, 4_000, 0, 0])]);
    let days_ago = Timestamp(noon().0 - 2 * 86_400_000);
    world.begins("dates", days_ago, vec![used("house-model", [700_000, 90_000, 0, 0])]);
    world.later(60_000);
    world
}

/// Opens the page, and the transcript is read for it.
fn opened(cols: u16, rows: u16) -> World {
    let mut world = morning(cols, rows);
    world.press("U");
    answer(&mut world);
    world
}

fn answer(world: &mut World) {
    let mut detail = UsageDetail::default();
    told().iter().for_each(|entry| detail.take(entry));
    detail.sub_agents.get_mut("a1").unwrap().name = "Explore".into();
    // The page asks at its first event.
    let asked = world
        .state
        .domain
        .live
        .waiting
        .iter()
        .max_by_key(|(work, _)| work.0)
        .map(|(work, _)| *work);
    let done = ReadDone::Shown(ShownContent::Usage(id("auth"), detail));
    world.done(asked.unwrap(), Outcome::Read(done));
}

#[test]
fn a_chat_in_full() {
    let what =
        "What one chat used: in all, its context, its cache, by model, in the chats below, by sub-agent, by prompt.";
    pictured("usage.chat", what, opened);
}

#[test]
fn all_chats_by_day_and_by_chat() {
    let what = "What all chats used, the newest day first, with a sum and what has no price.";
    pictured("usage.days", what, |cols, rows| {
        let mut world = opened(cols, rows);
        world.press("tab");
        world
    });
    let what = "The chats, the dearest first.";
    pictured("usage.chats", what, |cols, rows| {
        let mut world = opened(cols, rows);
        world.press("left");
        world
    });
}

#[test]
fn the_view_and_the_line_that_the_arrows_move_over_are_heard() {
    let mut world = hears(opened(80, 24));
    world.press("tab");
    let row = |world: &World, at: usize| {
        world
            .picture()
            .lines()
            .nth(at)
            .unwrap_or_default()
            .trim_end()
            .to_string()
    };
    assert_eq!(row(&world, 0), "Usage, Days, 2 of 6");
    assert_eq!(row(&world, 3), "Table by day");
    world.press("down");
    assert!(row(&world, 3).contains(" tokens, "), "{}", world.picture());
    world.press("tab tab");
    assert_eq!(row(&world, 0), "Usage, Models, 4 of 6");
}

#[test]
fn nothing_was_used_yet() {
    let what = "It says so, and nothing stands in a table.";
    pictured("usage.nothing", what, |cols, rows| {
        let mut world = World::morning(cols, rows);
        world.press("U tab");
        world
    });
}

#[test]
fn the_header_shows_it_and_a_click_opens_it() {
    let mut world = morning(120, 40);
    let picture = world.picture();
    let (y, line) = picture
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains(" tok · "))
        .unwrap();
    let byte = line.find(" tok · ").unwrap();
    let x = line[..byte].chars().count() - 1;
    let effects: Vec<Effect> = world.click(u16::try_from(x).unwrap(), u16::try_from(y).unwrap());
    assert!(world.picture().contains("This chat"), "{}", world.picture());
    let asks =
        |(_, job): &(_, Work)| matches!(job, Work::Read(Read::Shown(ShownRead::Usage(chat))) if *chat == id("auth"));
    assert!(works(&effects).iter().any(asks), "{effects:?}");
    world.press("U");
    assert!(
        !world.picture().contains("This chat"),
        "the key that opens it closes it"
    );
}
