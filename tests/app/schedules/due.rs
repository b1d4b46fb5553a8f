//! What is claimed, launched, skipped and made up for, by a clock that goes as it likes.

use parlour::domain::event::DiskEvent;
use parlour::domain::schedule::state::Stage;
use parlour::domain::{Effect, Event, agent, schedule};
use parlour::model::request::ScheduleAsk;
use parlour::model::schedule::{Checked, Missed, Overlap, Wanted};
use parlour::model::{ScheduleId, Status, Timestamp, WorkId};
use serde_json::{Value, json};

use super::play::{DAY, HOUR, MINUTE, Play, at, rule};
use crate::support::world::noon;

#[test]
fn it_comes_due_and_a_fresh_chat_is_launched_once() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    assert_eq!(play.alarms, [Some(at("2026-02-15T13:00:00.000Z"))]);
    play.pass(HOUR - 1);
    assert!(play.launched.is_empty());
    play.pass(1);
    assert_eq!(play.launched.len(), 1);
    assert_eq!(play.launched[0].1, "Update what is outdated");
    let chat = play.launched[0].0.clone();
    let record = &play.world.state.domain.disk.chats[&chat].record;
    assert_eq!(
        (record.name.as_str(), record.schedule.as_deref()),
        ("deps", Some(deps.as_str()))
    );
    play.finish();
    assert_eq!(play.runs(&deps), ["success on-time"]);
    play.pass(23 * HOUR);
    assert_eq!(play.launched.len(), 1);
    play.pass(HOUR);
    assert_eq!(play.launched.len(), 2);
}

#[test]
fn nothing_is_launched_before_its_claim_is_on_disk() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    play.stalls = true;
    play.pass(2 * HOUR);
    assert_eq!((play.launched.len(), play.stalled.len()), (0, 1));
    let done = play.reach_the_disk();
    assert_eq!(play.runs(&deps), ["running on-time"]);
    assert!(play.launched.is_empty());
    play.stalls = false;
    for (work, outcome) in done {
        play.happens(Event::Done(work, outcome));
    }
    assert_eq!(play.launched.len(), 1);
}

#[test]
fn a_kill_between_claim_and_launch_leaves_exactly_one_run() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    play.stalls = true;
    play.pass(HOUR);
    play.reach_the_disk();
    let mut next = play.killed(noon().plus_ms(HOUR + MINUTE));
    assert_eq!(next.launched.len(), 1);
    next.finish();
    assert_eq!(next.runs(&deps), ["success on-time"]);
    let after = next.killed(noon().plus_ms(2 * HOUR));
    assert!(after.launched.is_empty());
    assert_eq!(after.runs(&deps), ["success on-time"]);
}

#[test]
fn a_kill_before_the_claim_is_on_disk_leaves_it_due() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    play.stalls = true;
    play.pass(HOUR);
    let mut next = play.killed(noon().plus_ms(HOUR + 10 * MINUTE));
    assert_eq!(next.launched.len(), 1);
    next.finish();
    assert_eq!(next.runs(&deps), ["success late"]);
}

#[test]
fn a_run_that_went_on_when_the_engine_ended_failed_and_is_not_run_again() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    play.pass(HOUR);
    assert_eq!(play.launched.len(), 1);
    play.world.sets(|settings| settings.notify.command = Some("say".into()));
    let next = play.killed(noon().plus_ms(2 * HOUR));
    assert!(next.launched.is_empty());
    assert_eq!(next.runs(&deps), ["failed on-time"]);
    assert_eq!(next.why(&deps), "the engine ended while it went on");
    let calls = next.rest.iter().filter_map(|effect| match effect {
        Effect::Notify { alert, .. } => Some(alert.words()),
        _ => None,
    });
    let calls: Vec<String> = calls.collect();
    assert_eq!(
        calls,
        ["deps failed: its scheduled run: the engine ended while it went on"]
    );
}

#[test]
fn a_claim_that_nobody_took_up_for_a_day_was_missed() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 15 2 *"));
    play.stalls = true;
    play.pass(HOUR);
    play.reach_the_disk();
    let next = play.killed(noon().plus_ms(3 * DAY));
    assert!(next.launched.is_empty());
    assert_eq!(next.runs(&deps), ["missed on-time"]);
}

#[test]
fn of_what_was_missed_while_down_the_latest_is_made_up_for_once() {
    let mut play = Play::new();
    let deps = play.add(rule("0 * * * *"));
    let mut next = play.killed(noon().plus_ms(5 * HOUR + 30 * MINUTE));
    play = {
        next.finish();
        next
    };
    assert_eq!(play.launched.len(), 1);
    assert_eq!(play.runs(&deps), ["missed x4", "success late"]);
    assert_eq!(play.disk[&deps].runs[0].due, Some(noon().plus_ms(HOUR)));
    assert_eq!(play.disk[&deps].runs[1].due, Some(noon().plus_ms(5 * HOUR)));
}

#[test]
fn what_was_missed_over_a_day_ago_is_an_entry_and_no_run() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * SUN"));
    let next = play.killed(noon().plus_ms(3 * DAY));
    assert!(next.launched.is_empty());
    assert_eq!(next.runs(&deps), ["missed x1"]);
    assert!(next.why(&deps).contains("the engine was down"));
}

#[test]
fn one_that_skips_what_it_missed_makes_up_for_nothing() {
    let mut play = Play::new();
    let deps = play.add(Wanted {
        missed: Some(Missed::Skip),
        ..rule("0 * * * *")
    });
    let mut next = play.killed(noon().plus_ms(2 * HOUR + 30 * MINUTE));
    assert_eq!(
        (next.launched.len(), next.runs(&deps)),
        (0, vec!["missed x2".to_string()])
    );
    next.pass(30 * MINUTE);
    assert_eq!(next.launched.len(), 1);
}

#[test]
fn one_that_skips_does_so_also_where_it_would_have_had_to_wait() {
    for limit in [0, 20] {
        let mut play = Play::new();
        let others: Vec<ScheduleId> = (0..3).map(|_| play.add(rule("0 * * * *"))).collect();
        let skips = play.add(Wanted {
            missed: Some(Missed::Skip),
            ..rule("1 * * * *")
        });
        play.world.state.domain.disk.settings.limits.live_agents = limit;
        let mut next = play.killed(noon().plus_ms(2 * HOUR + 30 * MINUTE));
        assert_eq!(next.runs(&skips), ["missed x3"], "{limit} agents");
        assert!(next.why(&skips).contains("the engine was down"));
        next.world.state.domain.disk.settings.limits.live_agents = 20;
        next.pass(MINUTE);
        next.finish();
        assert_eq!(next.runs(&skips), ["missed x3"], "{limit} agents");
        for other in &others {
            let missed = &next.disk[other].runs[0];
            assert!(missed.why.contains("the engine was down"), "{missed:?}");
        }
    }
}

#[test]
fn two_at_most_are_made_up_for_at_once_and_none_is_lost() {
    let mut play = Play::new();
    let all: Vec<ScheduleId> = (0..5).map(|_| play.add(rule("0 13 * * *"))).collect();
    let mut next = play.killed(noon().plus_ms(2 * HOUR));
    for launched in [2, 3, 4, 5, 5] {
        assert_eq!(next.launched.len(), launched);
        let open = next.world.state.domain.live.agenda.runs.keys().next().cloned();
        let Some(chat) = open else { break };
        let place = next.launched.iter().position(|(known, _)| *known == chat).unwrap();
        let last = next.launched.remove(place);
        next.launched.push(last);
        next.finish();
    }
    assert_eq!(next.launched.len(), 5);
    for deps in all {
        assert_eq!(next.runs(&deps).len(), 1, "{:?}", next.runs(&deps));
    }
}

#[test]
fn it_is_never_run_over_itself_and_each_time_left_out_is_entered() {
    let mut play = Play::new();
    let deps = play.add(rule("*/10 * * * *"));
    play.pass(10 * MINUTE);
    play.becomes(Status::Running(None));
    play.pass(30 * MINUTE);
    assert_eq!(play.launched.len(), 1);
    assert_eq!(play.runs(&deps), ["running on-time", "skipped x3"]);
    play.finish();
    play.pass(10 * MINUTE);
    assert_eq!(play.runs(&deps), ["success on-time", "skipped x3", "running on-time"]);
}

#[test]
fn one_that_waits_begins_when_the_last_has_ended() {
    let mut play = Play::new();
    let deps = play.add(Wanted {
        overlap: Some(Overlap::Wait),
        ..rule("*/10 * * * *")
    });
    play.pass(10 * MINUTE);
    play.becomes(Status::Running(None));
    play.pass(15 * MINUTE);
    assert_eq!(play.launched.len(), 1);
    play.finish();
    assert_eq!(play.launched.len(), 2);
    assert_eq!(play.runs(&deps), ["success on-time", "running late"]);
}

#[test]
fn runs_that_may_overlap_do() {
    let mut play = Play::new();
    play.add(Wanted {
        overlap: Some(Overlap::Allow),
        ..rule("*/10 * * * *")
    });
    play.pass(20 * MINUTE);
    assert_eq!(play.launched.len(), 2);
}

#[test]
fn what_a_limit_holds_up_runs_when_there_is_room() {
    let mut play = Play::new();
    play.world.state.domain.disk.settings.limits.live_agents = 1;
    let (first, second) = (play.add(rule("0 13 * * *")), play.add(rule("0 13 * * *")));
    play.pass(HOUR);
    assert_eq!(play.launched.len(), 1);
    let (ran, held) = match play.runs(&first).len() {
        1 => (&first, &second),
        _ => (&second, &first),
    };
    assert_eq!((play.runs(ran).len(), play.runs(held).len()), (1, 0));
    let said = play
        .ask(ScheduleAsk::Show {
            schedule: held.to_string(),
        })
        .unwrap();
    assert_eq!(
        (said["state"].as_str(), said["held_by"].as_str().unwrap()),
        (Some("held"), "as many agents run as limits.liveAgents allows")
    );
    play.pass(HOUR);
    play.becomes(Status::Exited("ended".into()));
    play.checks_out(Checked::Not);
    assert_eq!(play.launched.len(), 2);
    assert_eq!(play.runs(held), ["running late"]);
}

#[test]
fn a_run_by_hand_takes_no_occurrences_place() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    let said = play
        .ask(ScheduleAsk::Run {
            schedule: "deps".into(),
        })
        .unwrap();
    assert_eq!(said["chatId"].as_str().unwrap(), play.launched[0].0.as_str());
    play.finish();
    play.pass(HOUR);
    assert_eq!(play.launched.len(), 2);
    assert_eq!(play.runs(&deps), ["success by-hand", "running on-time"]);
    let refused = play.ask(ScheduleAsk::Run {
        schedule: "deps".into(),
    });
    assert_eq!(refused.unwrap_err().cause, "its last run still goes on");
}

#[test]
fn a_clock_that_goes_back_holds_it_and_repeats_nothing() {
    let mut play = Play::new();
    let deps = play.add(rule("*/10 * * * *"));
    play.pass(10 * MINUTE);
    play.finish();
    play.clock(Timestamp(0));
    play.clock(noon());
    play.clock(noon().plus_ms(10 * MINUTE));
    assert_eq!(play.launched.len(), 1);
    play.clock(Timestamp(0));
    let said = play
        .ask(ScheduleAsk::Show {
            schedule: deps.to_string(),
        })
        .unwrap();
    let why = "settled up to 2026-02-15T12:10:00+00:00, which is in the future; `parlour schedule resume` mends it";
    assert_eq!((&said["state"], said["held_by"].as_str()), (&"held".into(), Some(why)));
    play.clock(noon().plus_ms(20 * MINUTE));
    assert_eq!(play.launched.len(), 2);
}

#[test]
fn a_clock_that_jumps_ahead_makes_up_for_one() {
    let mut play = Play::new();
    let deps = play.add(rule("0 * * * *"));
    play.clock(noon().plus_ms(10 * HOUR + 30 * MINUTE));
    assert_eq!(play.launched.len(), 1);
    assert_eq!(play.runs(&deps), ["missed x9", "running late"]);
}

#[test]
fn a_decision_that_cannot_be_written_launches_nothing_and_is_made_again() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    play.full = true;
    play.pass(HOUR);
    play.pass(10 * MINUTE);
    assert!(play.launched.is_empty() && play.runs(&deps).is_empty());
    play.full = false;
    play.pass(MINUTE);
    assert_eq!(play.launched.len(), 1);
    assert_eq!(play.runs(&deps), ["running late"]);
}

#[test]
fn five_hundred_schedules_are_one_alarm() {
    let mut play = Play::new();
    for minute in 0..500 {
        play.add(rule(&format!("{} {} * * MON", minute % 60, 1 + minute / 60)));
    }
    let first = at("2026-02-16T01:00:00.000Z");
    assert_eq!(play.alarms, [Some(first)]);
    play.rest.clear();
    play.clock(noon().plus_ms(MINUTE));
    play.clock(noon().plus_ms(HOUR));
    assert_eq!(play.alarms, [Some(first)]);
    assert!(play.rest.is_empty(), "{:?}", play.rest);
}

#[test]
fn a_paused_one_lets_its_times_pass_by() {
    let mut play = Play::new();
    let deps = play.add(rule("0 * * * *"));
    play.ask(ScheduleAsk::Pause {
        schedule: "deps".into(),
    })
    .unwrap();
    assert_eq!(play.alarms.last(), Some(&None));
    play.clock(noon().plus_ms(5 * HOUR + 1));
    play.ask(ScheduleAsk::Resume {
        schedule: "deps".into(),
    })
    .unwrap();
    assert!(play.launched.is_empty() && play.runs(&deps).is_empty());
    assert_eq!(play.alarms.last(), Some(&Some(noon().plus_ms(6 * HOUR))));
}

/// One runs, and the other is held up by the limit.
fn held(play: &mut Play) -> ScheduleId {
    play.world.state.domain.disk.settings.limits.live_agents = 1;
    let (first, second) = (play.add(rule("0 13 * * *")), play.add(rule("0 13 * * *")));
    play.pass(HOUR);
    match play.runs(&first).len() {
        1 => second,
        _ => first,
    }
}

#[test]
fn what_is_due_stays_due_though_somebody_resumes_it() {
    let mut play = Play::new();
    let held = held(&mut play);
    play.ask(ScheduleAsk::Resume {
        schedule: held.to_string(),
    })
    .unwrap();
    play.finish();
    play.becomes(Status::Exited("ended".into()));
    play.pass(MINUTE);
    assert_eq!(play.runs(&held), ["running on-time"]);
}

#[test]
fn what_was_held_up_and_passed_by_is_not_held_any_more() {
    let mut play = Play::new();
    let schedule = held(&mut play).to_string();
    let pause = ScheduleAsk::Pause {
        schedule: schedule.clone(),
    };
    let resume = ScheduleAsk::Resume {
        schedule: schedule.clone(),
    };
    play.ask(pause).unwrap();
    play.ask(resume).unwrap();
    let said = play.ask(ScheduleAsk::Show { schedule }).unwrap();
    assert_eq!((&said["state"], &said["held_by"]), (&json!("active"), &Value::Null));
}

#[test]
fn the_result_of_a_run_waits_until_its_file_can_be_read() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    play.pass(HOUR);
    play.becomes(Status::Running(None));
    play.becomes(Status::Idle(None));
    let torn = schedule::work::Schedules::from([(deps.clone(), Err("torn".to_string()))]);
    play.happens(Event::Disk(DiskEvent::Schedules(torn)));
    play.checks_out(Checked::Not);
    assert_eq!(play.runs(&deps), ["running on-time"]);
    let whole = play.disk.clone().into_iter().map(|(id, known)| (id, Ok(known)));
    play.happens(Event::Disk(DiskEvent::Schedules(whole.collect())));
    play.pass(MINUTE);
    assert_eq!(play.runs(&deps), ["success on-time"]);
}

#[test]
fn a_run_that_is_on_its_way_has_its_room() {
    let mut play = Play::new();
    play.add(rule("0 13 * * *"));
    play.pass(HOUR);
    let chat = play.launched[0].0.clone();
    let state = &mut play.world.state;
    state.domain.disk.settings.limits.live_agents = 1;
    // As while it clones.
    state.domain.live.agents.remove(&chat);
    state.domain.live.agenda.runs.get_mut(&chat).unwrap().stage = Stage::Launching(WorkId(77));
    let other = crate::support::world::id("other");
    assert!(agent::refusal(&state.domain, &other).is_some());
    assert_eq!(agent::refusal(&state.domain, &chat), None);
}

#[test]
fn a_schedule_that_a_wrong_clock_settled_says_so() {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    play.pass(HOUR);
    play.finish();
    play.clock(noon());
    let said = play
        .ask(ScheduleAsk::Show {
            schedule: deps.to_string(),
        })
        .unwrap();
    assert_eq!(said["state"], "held");
    let why = said["held_by"].as_str().unwrap();
    assert!(why.starts_with("settled up to 2026-02-15"), "{why}");
    assert!(
        why.ends_with("which is in the future; `parlour schedule resume` mends it"),
        "{why}"
    );
    play.ask(ScheduleAsk::Resume {
        schedule: deps.to_string(),
    })
    .unwrap();
    play.pass(HOUR);
    assert_eq!(play.launched.len(), 2);
}

#[test]
fn one_for_one_time_runs_once_and_is_over() {
    let mut play = Play::new();
    let once = play.add(Wanted {
        cron: None,
        at: Some("2026-02-15T13:00:00Z".into()),
        ..rule("")
    });
    play.pass(2 * DAY);
    assert_eq!(play.launched.len(), 1);
    let said = play
        .ask(ScheduleAsk::Show {
            schedule: once.to_string(),
        })
        .unwrap();
    assert_eq!((&said["state"], &said["next_run"]), (&"over".into(), &Value::Null));
    let past = Wanted {
        cron: None,
        at: Some("2026-02-15T11:00:00Z".into()),
        ..rule("")
    };
    assert!(
        play.ask(ScheduleAsk::Add(Box::new(past)))
            .unwrap_err()
            .cause
            .ends_with("is past")
    );
}
