//! How runs end, and what decides it.

use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::{ChatDone, ChatWork, ProjectWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::request::ScheduleAsk;
use parlour::model::schedule::{Checked, Wanted};
use parlour::model::{Declared, Problem, ScheduleId, Status, Timestamp};

use super::play::{DAY, HOUR, MINUTE, Play, rule};
use crate::support::events::works;

/// A run that goes on, of a schedule with a check.
fn running() -> (Play, ScheduleId) {
    let mut play = Play::new();
    let deps = play.add(Wanted {
        check: Some("cargo test".into()),
        timeout_s: Some(600),
        ..rule("0 13 * * *")
    });
    play.pass(HOUR);
    play.becomes(Status::Running(None));
    (play, deps)
}

#[test]
fn the_end_of_the_turn_and_the_check_decide() {
    let table = [
        (Checked::Passed, "success on-time"),
        (Checked::Failed("its check exited with 1".into()), "failed on-time"),
        (Checked::TimedOut, "timed-out on-time"),
    ];
    for (checked, result) in table {
        let (mut play, deps) = running();
        play.becomes(Status::Idle(None));
        assert_eq!(play.checks.last().unwrap().2.as_deref(), Some("cargo test"));
        assert_eq!(play.runs(&deps), ["running on-time"]);
        play.checks_out(checked);
        assert_eq!(play.runs(&deps), [result]);
    }
}

#[test]
fn how_the_agent_ends_decides() {
    let table = [
        (Status::Error("rate limit".into()), "failed on-time", "rate limit"),
        (
            Status::Exited("ended with exit code 1".into()),
            "failed on-time",
            "its agent ended with exit code 1",
        ),
        (Status::Exited("stopped".into()), "failed on-time", "its agent stopped"),
    ];
    for (status, result, why) in table {
        let (mut play, deps) = running();
        play.becomes(status);
        assert_eq!((play.runs(&deps), play.why(&deps)), (vec![result.to_string()], why));
    }
    let (mut play, deps) = running();
    play.becomes(Status::Exited("ended".into()));
    play.checks_out(Checked::Passed);
    assert_eq!(play.runs(&deps), ["success on-time"]);
}

#[test]
fn what_the_agent_declares_is_heard() {
    for (word, result) in [
        ("blocked", "needs-you on-time"),
        ("failed", "failed on-time"),
        ("done", "success on-time"),
    ] {
        let (mut play, deps) = running();
        let chat = play.launched[0].0.clone();
        let declared = Declared {
            status: word.into(),
            note: "no network".into(),
        };
        let chats = &mut play.world.state.domain.disk.chats;
        chats.change(&chat, |chat| chat.declared = Some(declared));
        play.becomes(Status::Idle(None));
        play.checks_out(Checked::Not);
        assert_eq!(play.runs(&deps), [result]);
    }
}

#[test]
fn at_its_time_limit_it_timed_out_or_needs_you() {
    let (mut play, deps) = running();
    play.pass(9 * MINUTE);
    assert_eq!(play.runs(&deps), ["running on-time"]);
    play.pass(MINUTE);
    assert_eq!(play.runs(&deps), ["timed-out on-time"]);
    let stops = |effect: &Effect| matches!(effect, Effect::Pane(_, parlour::domain::PaneOrder::Stop { .. }));
    assert!(play.rest.iter().any(stops));

    let (mut play, deps) = running();
    play.becomes(Status::NeedsYou("allow Bash: git push".into()));
    let said = play
        .ask(ScheduleAsk::Show {
            schedule: deps.to_string(),
        })
        .unwrap();
    assert_eq!(said["runs"][0]["result"], "needs-you");
    play.rest.clear();
    play.pass(10 * MINUTE);
    assert_eq!(
        (play.runs(&deps), play.why(&deps)),
        (vec!["needs-you on-time".into()], "allow Bash: git push")
    );
    assert!(!play.rest.iter().any(stops), "a question stays open for a person");
}

#[test]
fn a_run_has_no_day_more_where_the_clock_is_set_back() {
    let (mut play, deps) = running();
    play.pass(5 * MINUTE);
    let now = play.world.state.domain.now;
    play.clock(Timestamp(now.0 - i64::try_from(DAY).unwrap()));
    play.pass(4 * MINUTE);
    assert_eq!(play.runs(&deps), ["running on-time"]);
    play.pass(MINUTE);
    assert_eq!(play.runs(&deps), ["timed-out on-time"]);
}

#[test]
fn a_question_that_is_answered_before_the_limit_is_none() {
    let (mut play, deps) = running();
    play.becomes(Status::NeedsYou("allow Bash: git push".into()));
    play.pass(5 * MINUTE);
    play.becomes(Status::Running(None));
    play.becomes(Status::Idle(None));
    play.checks_out(Checked::Passed);
    assert_eq!(play.runs(&deps), ["success on-time"]);
}

#[test]
fn an_agent_that_rests_before_it_works_is_not_done() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    play.pass(HOUR);
    play.becomes(Status::Idle(None));
    assert!(play.checks.is_empty());
    play.pass(2_000);
    assert!(play.checks.is_empty());
    play.pass(1_000);
    play.checks_out(Checked::Not);
    assert_eq!(play.runs(&deps), ["success on-time"]);
}

#[test]
fn a_run_whose_project_cannot_be_opened_failed() {
    let mut play = Play::new();
    let deps = play.add(Wanted {
        project: Some(parlour::model::open_dir::OpenDir {
            path_or_url: "/gone".into(),
            ..Default::default()
        }),
        ..rule("0 13 * * *")
    });
    play.pass(HOUR);
    let open = works(&play.rest)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Project(ProjectWork::Open { .. })));
    let problem = Problem::new("opening /gone", "there is no such directory", "");
    play.happens(Event::Done(open.unwrap().0, Outcome::Failed(problem)));
    let mut rest = works(&play.rest).into_iter();
    let discard = rest.find_map(|(work, job)| match job {
        Work::Chat(ChatWork::Discard(chat)) => Some((work, chat)),
        _ => None,
    });
    let (work, chat) = discard.unwrap();
    play.happens(Event::Done(work, Outcome::Chat(ChatDone::Removed(chat, Vec::new()))));
    assert_eq!(play.runs(&deps), ["failed on-time"]);
    assert!(play.why(&deps).contains("there is no such directory"));
}

#[test]
fn a_run_whose_chat_is_deleted_failed() {
    let (mut play, deps) = running();
    let chat = play.launched[0].0.clone();
    play.happens(Event::Disk(DiskEvent::ChatGone(chat)));
    assert_eq!(
        (play.runs(&deps), play.why(&deps)),
        (vec!["failed on-time".into()], "its chat was deleted")
    );
}

#[test]
fn the_agent_of_a_run_that_is_over_makes_room() {
    let (mut play, _) = running();
    play.becomes(Status::Idle(None));
    play.rest.clear();
    play.checks_out(Checked::Passed);
    let chat = play.launched[0].0.clone();
    assert!(play.world.state.domain.live.agents[&chat].sleeps());
}
