//! The Automations screen and what leads there.

use parlour::domain::event::Outcome;
use parlour::domain::work::{ScheduleDone, ScheduleWork};
use parlour::domain::{Effect, Event, Work, schedule};
use parlour::model::open_dir::OpenDir;
use parlour::model::schedule::{Change, How, Missed, Overlap, Run, Verdict, Wanted};
use parlour::model::{Schedule, ScheduleId, Timestamp, Zone};

use super::pictured;
use crate::support::events::works;
use crate::support::world::{World, id, noon};

const HOUR: i64 = 3_600_000;

fn ago(hours: i64) -> Timestamp {
    Timestamp(noon().0 - hours * HOUR)
}

pub(super) fn add(world: &mut World, bits: u64, name: &str, cron: &str, more: impl FnOnce(&mut Schedule)) {
    let wanted = Wanted {
        name: Some(name.into()),
        prompt: format!(
            "{name}: look for what is outdated, update it on a branch, run the tests, and open a pull request if they pass"
        ),
        cron: Some(cron.into()),
        project: Some(OpenDir {
            path_or_url: "/home/mia/grove".into(),
            ..OpenDir::default()
        }),
        llm: Some("claude".into()),
        ..Wanted::default()
    };
    let terms = wanted.terms(Zone::parse("Europe/Berlin").unwrap(), ago(100)).unwrap();
    let mut made = Schedule::new(ScheduleId::from_bits(bits), terms, ago(100));
    made.decided = noon();
    more(&mut made);
    schedule::loaded(&mut world.state.domain, made);
}

fn ended(due: i64, result: Verdict, why: &str, chat: &str) -> Run {
    let mut run = Run::claimed(Some(ago(due)), ago(due), How::OnTime, id(chat));
    run.result = Some(result);
    run.why = why.into();
    run.ended = Some(ago(due).plus_ms(260_000));
    run
}

fn busy(cols: u16, rows: u16) -> World {
    let mut world = World::morning(cols, rows);
    world.state.domain.live.facts.zone = Zone::parse("Europe/Berlin").unwrap();
    add(&mut world, 1, "Dependencies", "0 9 * * MON-FRI", |made| {
        made.terms.check = Some("cargo test --all".into());
        made.chat = Some(id("auth"));
        made.runs = vec![
            ended(99, Verdict::Success, "its check passed", "rails"),
            Run::without_chat(
                ago(75),
                ago(50),
                Verdict::Missed,
                "the engine was down, or the machine asleep",
                2,
            ),
            ended(
                28,
                Verdict::Failed,
                "its check exited with 101: 3 tests failed",
                "flaky",
            ),
            ended(4, Verdict::NeedsYou, "allow Bash: git push", "dates"),
        ];
    });
    add(
        &mut world,
        2,
        "日本語の要約 and a very long name of a schedule",
        "*/30 * * * *",
        |made| {
            made.terms.when.zone = Zone::parse("Asia/Tokyo").unwrap();
            made.terms.overlap = Overlap::Wait;
            made.terms.missed = Missed::Skip;
            made.runs = vec![ended(
                1,
                Verdict::TimedOut,
                "its time was over, and its agent was stopped",
                "cache",
            )];
        },
    );
    add(&mut world, 3, "Nightly", "@daily", |made| made.apply(Change::Pause));
    let broken = Err("expected `,` or `}` at line 3 column 5".to_string());
    world
        .state
        .domain
        .disk
        .schedules
        .insert(ScheduleId::from_bits(4), broken);
    world
}

#[test]
fn schedules_are_listed_with_what_comes_next_and_what_became_of_them() {
    pictured(
        "automations",
        "Four schedules by when they come, one damaged; the history of the selected one, which the shown chat made.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.press("A");
            world
        },
    );
    pictured(
        "automations.history",
        "The keys move among the runs; the second newest is selected.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.press("A tab j");
            world
        },
    );
    pictured(
        "automations.cancel",
        "Whether the schedule is to be cancelled is asked in the last row.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.press("A x");
            world
        },
    );
    pictured(
        "automations.none",
        "There are no schedules, and it says how one is made.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press("A");
            world
        },
    );
}

#[test]
fn why_a_run_failed_can_be_read_whole_and_where_its_chat_is() {
    pictured(
        "automations.failed",
        "The selected run failed for a long reason, which stands whole below its line.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            add(&mut world, 1, "Dependencies", "0 9 * * MON-FRI", |made| {
                let why = "opening /home/mia/grove: `hotfix` is no branch, tag or commit of it: name one that it has, or leave \
                           it out to work on its default branch, which is `main`";
                made.runs = vec![
                    ended(28, Verdict::Success, "its check passed", "flaky"),
                    ended(4, Verdict::Failed, why, "never"),
                    ended(3, Verdict::Success, "its check passed", "dates"),
                ];
            });
            world.press("A tab j");
            world
        },
    );
    let mut world = busy(120, 40);
    world.state.domain.disk.chats.remove(&id("flaky"));
    world.press("A tab j enter");
    let text = format!(
        "Its chat is gone. If it was deleted, `parlour undo-rm {}` brings it back.",
        id("flaky")
    );
    assert_eq!(world.view().over.toasts[0].text, text);
}

#[test]
fn a_schedule_is_made_in_a_dialog_that_looks_ahead() {
    pictured(
        "schedule.new",
        "Prompt, name, rule with its next times, zone, agent, project, check, limit, and what happens on overlap and after sleep.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.press("A n C h e c k tab tab");
            world.paste("30 2 * * *");
            world
        },
    );
    pictured("schedule.edit", "A schedule as it is, to be changed.", |cols, rows| {
        let mut world = busy(cols, rows);
        world.press("A e");
        world
    });
}

#[test]
fn a_chat_says_what_it_scheduled_and_a_run_whose_it_is() {
    pictured(
        "automations.header",
        "The header of the chat that made a schedule says so; a run's line in the sidebar names its schedule.",
        |cols, rows| {
            let mut world = busy(cols, rows);
            world.edits("cache", |chat| {
                chat.record.schedule = Some(ScheduleId::from_bits(1).to_string())
            });
            world
        },
    );
}

fn jobs(effects: &[Effect]) -> Vec<Work> {
    works(effects).into_iter().map(|(_, job)| job).collect()
}

#[test]
fn its_keys_do_what_the_foot_says() {
    let mut world = busy(120, 40);
    let deps = ScheduleId::from_bits(1);
    world.press("A");
    let paused = jobs(&world.press("p"));
    assert_eq!(
        paused,
        [Work::Schedule(ScheduleWork::Change(deps.clone(), Change::Pause))]
    );
    assert!(jobs(&world.press("x y")).is_empty(), "another key may follow");
    assert_eq!(
        jobs(&world.later(500)),
        [Work::Schedule(ScheduleWork::Cancel(deps.clone()))]
    );
    world.calm();
    let ran = jobs(&world.press("r"));
    assert!(
        matches!(ran.as_slice(), [Work::Schedule(ScheduleWork::Change(id, Change::ByHand(_)))] if *id == deps),
        "{ran:?}"
    );
    world.press("tab j enter");
    assert_eq!(world.selected(), "Flaky CI");
    assert!(world.view().over.automations.is_none());
    world.calm();
    world.press("A esc j");
    assert_ne!(world.selected(), "Flaky CI");
}

#[test]
fn what_is_typed_into_the_dialog_is_what_is_kept() {
    let mut world = World::morning(120, 40);
    world.press("A n");
    world.paste("Check the links");
    world.press("tab tab");
    world.paste("0 9 * * MON");
    let made = jobs(&world.press("ctrl+s"));
    let [Work::Schedule(ScheduleWork::Make(made))] = made.as_slice() else {
        panic!("{made:?}");
    };
    assert_eq!(
        (made.terms.name.as_str(), made.terms.timeout_s),
        ("Check the links", 7200)
    );
    assert_eq!(
        made.terms.when.next_after(noon()).map(|at| at.to_string()).as_deref(),
        Some("2026-02-16T09:00:00.000Z")
    );
    world.press("A esc");
    world.calm();
    world.press("esc A n");
    world.paste("x");
    world.press("tab tab");
    world.paste("every day");
    world.press("ctrl+s");
    assert_eq!(world.picture().matches("is no cron rule").count(), 1, "it is said once");
    assert!(world.picture().contains("in 20 min"), "{}", world.picture());
    world.press("ctrl+u");
    world.paste("in 2 minutes");
    let made = jobs(&world.press("ctrl+s"));
    let [Work::Schedule(ScheduleWork::Make(made))] = made.as_slice() else {
        panic!("{made:?}");
    };
    let next = made.terms.when.next_after(noon()).map(|at| at.ms_since(noon()));
    assert!(next.is_some_and(|ms| (120_000..130_000).contains(&ms)), "{next:?}");
}

#[test]
fn what_was_typed_for_a_schedule_that_was_not_made_is_there_again() {
    let mut world = busy(120, 40);
    world.press("A n");
    world.paste("Check the links");
    world.press("tab tab");
    world.paste("0 9 * * MON");
    world.press("esc");
    assert_eq!(
        world.view().over.toasts[0].text,
        "the next new schedule goes on with what was typed"
    );
    // One that is changed is as it was, and goes by with what was typed into it.
    world.press("e");
    assert!(!world.picture().contains("Check the links"));
    world.paste("elsewhere");
    world.press("esc n");
    let made = works(&world.press("ctrl+s"));
    let [(work, Work::Schedule(ScheduleWork::Make(wanted)))] = made.as_slice() else {
        panic!("{made:?}");
    };
    assert_eq!(wanted.terms.prompt, "Check the links");
    // It is being made: what is left meanwhile comes back only if that fails.
    world.press("esc");
    world.happens(Event::Done(
        *work,
        Outcome::Schedule(ScheduleDone::Kept(wanted.clone())),
    ));
    assert_eq!(jobs(&world.press("n ctrl+s")), []);
    world.press("esc");
    assert_eq!(world.view().over.toasts.len(), 1, "nothing was typed");
}

#[test]
fn an_agents_check_does_not_become_a_persons_by_saving_something_else() {
    let saved = |change: &str| {
        let mut world = World::morning(120, 40);
        add(&mut world, 1, "Dependencies", "0 9 * * MON-FRI", |made| {
            made.terms.check = Some("cargo test\n  --all ".into());
            made.terms.check_by_agent = true;
        });
        world.press("A");
        assert!(
            world
                .picture()
                .contains("check (an agent's, runs where your rules allow it): cargo")
        );
        world.press("e tab");
        world.paste(" weekly");
        // Zone, agent, project, branch and check.
        world.press("tab tab tab tab tab tab");
        let note = "an agent's: unchanged, it runs where your rules allow it";
        assert!(world.picture().contains(note));
        if !change.is_empty() {
            world.paste(change);
            assert!(!world.picture().contains(note));
        }
        match jobs(&world.press("ctrl+s")).as_slice() {
            [Work::Schedule(ScheduleWork::Change(_, Change::Edit(terms, _)))] => {
                (terms.check.clone().unwrap(), terms.check_by_agent)
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(saved(""), ("cargo test\n  --all ".into(), true));
    let (check, by_agent) = saved(" --quiet");
    assert!(check.ends_with("--quiet") && !by_agent, "{check}");
}
