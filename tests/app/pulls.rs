//! When a forge is asked about pull requests, and how long what it told is shown.

use std::collections::BTreeMap;

use parlour::domain::effect::Effect;
use parlour::domain::event::{DiskEvent, Event, Outcome};
use parlour::domain::work::{KeepDone, KeepWork, Work};
use parlour::model::keep::{PullRequest, Pushed, SeenPulls};
use parlour::model::{ChatId, Problem, Timestamp, WorkId};

use crate::support::keep::keeping;
use crate::support::pulls::{answered, pull, questions, seen};
use crate::support::radar::commits;
use crate::support::world::{World, id};

/// Two chats with a clone each, of which the first is looked at, and the first that was to be done.
fn two() -> (World, Vec<Effect>) {
    let mut world = World::new(120, 40);
    world.chat("auth", "auth", 1).project("grove", "fix").at("1111");
    world.chat("redis", "redis", 2).project("grove", "redis").at("2222");
    let effects = world.happens(Event::Disk(DiskEvent::Began(BTreeMap::new())));
    (world, effects)
}

fn on_branch(world: &mut World, chat: &str, branch: Option<&str>) -> Vec<Effect> {
    let mut known = world.state.domain.disk.chats[&id(chat)].clone();
    known.projects[0].branch = branch.map(str::to_string);
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(known))))
}

fn asked(effects: &[Effect]) -> Vec<ChatId> {
    questions(effects).into_iter().map(|(_, chat)| chat).collect()
}

fn question(effects: &[Effect]) -> WorkId {
    questions(effects).remove(0).0
}

fn header(world: &World) -> String {
    let picture = world.picture();
    picture.lines().nth(1).unwrap_or_default().to_string()
}

/// A pull request of `auth` with one check that passed.
fn fix() -> PullRequest {
    pull(("grove", "fix"), 7, "open", (1, 0, 0))
}

#[test]
fn a_chat_that_is_looked_at_is_asked_about_once_a_minute() {
    let (mut world, first) = two();
    assert_eq!(asked(&first), [id("auth")]);
    assert_eq!(asked(&world.later(90_000)), [], "one question at a time");
    let answer = seen(&mut world, question(&first), vec![fix()]);
    assert_eq!(asked(&answer), [id("auth")], "90 s have passed");
    assert!(
        header(&world).contains("fix · PR #7 open, checks passing"),
        "{}",
        header(&world)
    );

    seen(
        &mut world,
        question(&answer),
        vec![pull(("grove", "fix"), 7, "open", (1, 2, 3))],
    );
    assert!(header(&world).contains("checks failing"), "{}", header(&world));
    assert_eq!(asked(&world.later(59_999)), []);
    let again = world.later(1);
    assert_eq!(asked(&again), [id("auth")]);
    let unknown = answered(&mut world, question(&again), SeenPulls::Of(BTreeMap::new()));
    assert!(header(&world).contains("checks failing"), "no answer changes nothing");
    assert_eq!(asked(&unknown), []);

    let other = world.press("j");
    assert_eq!(asked(&other), [id("redis")], "another one is looked at");
    answered(
        &mut world,
        question(&other),
        SeenPulls::Of(BTreeMap::from([("grove".into(), None)])),
    );
    assert_eq!(asked(&world.press("k")), [], "it was asked about within the minute");
}

/// The moments at which the loop is asked to wake.
fn wakes(effects: &[Effect]) -> Vec<Timestamp> {
    let wakes = effects.iter().filter_map(|effect| match effect {
        Effect::WakeAt(when) => Some(*when),
        _ => None,
    });
    wakes.collect()
}

#[test]
fn checks_that_run_are_asked_for_by_a_timer_while_somebody_looks() {
    let (mut world, first) = two();
    let due = world.state.domain.now.plus_ms(60_000);
    let running = || vec![pull(("grove", "fix"), 7, "open", (1, 0, 2))];
    let told = seen(&mut world, question(&first), running());
    assert!(wakes(&told).contains(&due), "{told:?}");
    assert!(!wakes(&world.later(1_000)).contains(&due), "it is asked for once");
    let again = world.happens(Event::Clock(due));
    assert_eq!(asked(&again), [id("auth")]);
    let told = seen(&mut world, question(&again), vec![fix()]);
    assert!(
        !wakes(&told).contains(&due.plus_ms(60_000)),
        "they have ended: {told:?}"
    );

    // Of one that nobody looks at any more nothing is asked.
    let asking = world.later(60_000);
    let told = seen(&mut world, question(&asking), running());
    let due = world.state.domain.now.plus_ms(60_000);
    assert!(wakes(&told).contains(&due), "{told:?}");
    let other = world.press("j");
    let none = SeenPulls::Of(BTreeMap::from([("grove".into(), None)]));
    answered(&mut world, question(&other), none);
    let later = world.happens(Event::Clock(due));
    assert!(!asked(&later).contains(&id("auth")), "{later:?}");
}

#[test]
fn another_branch_has_another_pull_request() {
    let (mut world, first) = two();
    seen(&mut world, question(&first), vec![fix()]);
    let other = on_branch(&mut world, "auth", Some("other"));
    assert_eq!(asked(&other), [id("auth")]);
    assert!(!header(&world).contains("#7"), "{}", header(&world));
    seen(
        &mut world,
        question(&other),
        vec![pull(("grove", "other"), 9, "draft", (0, 0, 0))],
    );
    assert!(header(&world).contains("other · PR #9 draft "), "{}", header(&world));

    assert_eq!(asked(&on_branch(&mut world, "auth", None)), [], "a rebase is under way");
    assert_eq!(asked(&on_branch(&mut world, "auth", Some("other"))), []);
    assert_eq!(
        asked(&commits(&mut world, "auth", "3333")),
        [],
        "a commit alone is not pushed"
    );
    let unseen = on_branch(&mut world, "redis", Some("fix"));
    assert_eq!(asked(&unseen), [id("redis")], "though nobody looks at it");
}

#[test]
fn a_push_and_a_persons_question_tell_of_it_too() {
    let (mut world, _) = keeping(120, 40, "");
    let first = commits(&mut world, "dates", "1111");
    seen(&mut world, question(&first), Vec::new());
    let kept = |effects: &[Effect]| {
        let mut kept = effects.iter().filter_map(|effect| match effect {
            Effect::Work(number, Work::Keep(KeepWork::InClones { .. })) => Some(*number),
            _ => None,
        });
        kept.next().expect("something is asked for")
    };
    world.press("p");
    world.press("p");
    world.calm();
    let pushing = world.press("y");
    let pushed = Pushed {
        project: "ledger".into(),
        branch: "fix-dates".into(),
        remote: "origin".into(),
        commit: "0123456789".into(),
        up_to_date: false,
        untold: None,
        uncommitted: 0,
    };
    let done = Outcome::Keep(KeepDone::Pushed(vec![pushed]));
    let after = world.happens(Event::Done(kept(&pushing), done));
    assert_eq!(asked(&after), [id("dates")]);
    // Until the word of the push is gone from the corner.
    world.later(20_000);
    let known = vec![pull(("ledger", "fix-dates"), 41, "open", (0, 0, 2))];
    seen(&mut world, question(&after), known);
    assert!(
        header(&world).contains("PR #41 open, checks running"),
        "{}",
        header(&world)
    );

    world.press("p");
    let asking = world.press("s");
    let told = vec![pull(("ledger-web", "fix-dates"), 8, "merged", (3, 0, 0))];
    let after = world.happens(Event::Done(kept(&asking), Outcome::Keep(KeepDone::Pulls(told))));
    assert_eq!(asked(&after), [], "the answer is known");
    world.later(20_000);
    let header = header(&world);
    assert!(
        header.contains("#41 ◌") && header.contains("ledger-web · fix-dates · #8 merged"),
        "{header}"
    );
}

#[test]
fn without_the_forges_program_nothing_is_shown_and_nothing_asked() {
    let (mut world, first) = two();
    seen(&mut world, question(&first), vec![fix()]);
    let again = world.later(60_000);
    answered(&mut world, question(&again), SeenPulls::NoForge);
    assert!(!world.picture().contains("#7"), "{}", world.picture());
    assert_eq!(asked(&world.later(60_000)), []);
    assert_eq!(asked(&world.press("j")), []);
    // It may have been installed since.
    let branch = on_branch(&mut world, "auth", Some("other"));
    assert_eq!(asked(&branch), [id("auth")]);
    let failed = Problem::new("asking for a pull request", "the chat is gone", "");
    world.happens(Event::Done(question(&branch), Outcome::Failed(failed)));
    assert!(!world.picture().contains("the chat is gone"), "nobody asked");
}

#[test]
fn a_deleted_chat_is_asked_about_no_more() {
    let (mut world, first) = two();
    assert_eq!(asked(&on_branch(&mut world, "redis", Some("x"))), []);
    world.happens(Event::Disk(DiskEvent::ChatGone(id("redis"))));
    assert_eq!(asked(&seen(&mut world, question(&first), vec![fix()])), []);
}
