//! A child whose turn ends without a word to its parent.

use parlour::domain::work::{AgentWork, InboxJob, JournalWork, TeamWork};
use parlour::domain::{Effect, Work};
use parlour::model::agent::ASKS_FOR_TRUST;
use parlour::model::atom::{AtomChange, AtomKey, Graph, Molecule};
use parlour::model::request::Until;
use parlour::model::tool::{InboxCall, SendMessage, TeamCall, WaitFor};
use parlour::model::{Activity, Happened, PaneEvent, Source, ToolCall};

use crate::support::events::{
    asked, claude, jobs, replies, submitted, told as told_lines, tool_began, tool_ended, turn_ended,
};
use crate::support::world::{World, id};

/// `auth` below `boss`, at work on what it was told to do.
fn told_to_work() -> World {
    let mut world = sent_to(World::at_rest());
    world.hook(submitted("Message from boss (your parent): do it"));
    world
}

/// `boss` has sent something to `auth`, which is below it.
fn sent_to(mut world: World) -> World {
    world.chat("boss", "boss", 1);
    world.run("boss", claude());
    world.edits("auth", |chat| chat.record.parent = Some(id("boss")));
    let sent = ToolCall::Inbox(InboxCall::Send(SendMessage {
        to: "auth".into(),
        message: "do it".into(),
    }));
    let effects = world.tool("boss", sent);
    world.posted(&effects);
    world
}

/// `auth` below `boss` has something to do, and its session has not begun.
fn starting() -> World {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    sent_to(world)
}

const ITS_ATOM: &str = r#"{"v":1,"atoms":[
    {"id":"parser","title":"Read the format","status":"in_progress","owner":"auth"}]}"#;

fn waits_for_auth() -> ToolCall {
    ToolCall::Team(TeamCall::WaitFor(WaitFor {
        chats: vec!["auth".into()],
        until: Until::Idle,
        timeout: None,
    }))
}

/// What parlour tells the agent of `boss`.
fn notices(effects: &[Effect]) -> Vec<String> {
    let told = jobs(effects).into_iter().filter_map(|job| match job {
        Work::Journal(JournalWork::Inbox(to, InboxJob::Take(message))) if to == id("boss") && message.notice => {
            Some(message.message)
        }
        _ => None,
    });
    told.collect()
}

/// The turn of `auth` ends, and all that comes of it.
fn ends(world: &mut World) -> Vec<Effect> {
    let mut effects = world.hook(turn_ended(0));
    effects.extend(world.after(600));
    effects.extend(world.after(60_000));
    effects
}

#[test]
fn its_parent_is_told_once_of_a_turn_that_ends_without_a_report() {
    let mut world = told_to_work();
    let told = notices(&ends(&mut world));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("auth ended its turn without a report."), "{told:?}");
    world.hook(submitted("what a person types"));
    assert_eq!(notices(&ends(&mut world)), [""; 0], "a person asked for that turn");
}

/// The child wrote nothing.
#[test]
fn what_parlour_tells_of_a_child_is_from_parlour() {
    let mut world = told_to_work();
    let effects = ends(&mut world);
    let effects = world.posted(&effects);
    let said = told_lines(&effects);
    let is_notice = |line: &&String| line.starts_with("parlour wrote to boss: auth ended its turn");
    assert_eq!(
        said.iter().filter(is_notice).count(),
        2,
        "in both transcripts: {said:?}"
    );
}

#[test]
fn its_own_last_words_are_told_and_never_its_parents() {
    let told = notices(&ends(&mut told_to_work()));
    assert!(!told[0].contains("Its last words"), "{told:?}");
    let mut world = told_to_work();
    let text = |text: &str| Happened::Text {
        id: text.into(),
        text: text.into(),
    };
    world.reads(vec![text("first"), text("Done: **all** is well.")]);
    let told = notices(&ends(&mut world));
    assert!(told[0].contains("\nIts last words: Done: all is well.\n"), "{told:?}");
}

#[test]
fn who_reported_is_not_told_of() {
    let mut world = told_to_work();
    let effects = world.tool("auth", ToolCall::Inbox(InboxCall::ReportToParent("done".into())));
    world.posted(&effects);
    assert_eq!(notices(&ends(&mut world)), [""; 0]);
}

#[test]
fn a_parent_that_waits_hears_it_that_way() {
    let mut world = told_to_work();
    world.tool("boss", waits_for_auth());
    let effects = ends(&mut world);
    assert_eq!(notices(&effects), [""; 0]);
    assert_eq!(replies(&effects).len(), 1);
}

/// The wait came back as the child asked, so nobody waits as its turn ends.
#[test]
fn a_parent_whose_wait_a_question_ended_is_told() {
    let mut world = told_to_work();
    let graph = Graph {
        molecules: vec![Molecule::parse("release", ITS_ATOM.as_bytes())],
    };
    world.edits("boss", |chat| chat.work = Some(graph));
    world.tool("boss", waits_for_auth());
    world.hook(tool_began("t1", "Bash"));
    let effects = world.hook(asked("Bash"));
    assert_eq!(replies(&effects).len(), 1, "{effects:?}");
    let mut effects = world.hook(tool_ended("t1", "Bash"));
    effects.extend(ends(&mut world));
    let told = notices(&effects);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("auth ended its turn without a report."), "{told:?}");
    let noted = jobs(&effects).into_iter().find_map(|job| match job {
        Work::Team(TeamWork::Atoms {
            change: AtomChange::Update(key, edit),
            ..
        }) => Some((key, edit.note)),
        _ => None,
    });
    let note = "its owner ended its turn without a report".to_string();
    assert_eq!(noted, Some((AtomKey::new("release", "parser"), Some(note))));
}

/// One that waits again as the turn ends hears it that way.
#[test]
fn a_parent_that_waits_again_after_a_question_hears_it_that_way() {
    let mut world = told_to_work();
    world.tool("boss", waits_for_auth());
    world.hook(tool_began("t1", "Bash"));
    assert_eq!(replies(&world.hook(asked("Bash"))).len(), 1);
    world.hook(tool_ended("t1", "Bash"));
    assert_eq!(replies(&world.tool("boss", waits_for_auth())), []);
    let effects = ends(&mut world);
    assert_eq!(notices(&effects), [""; 0]);
    assert_eq!(replies(&effects).len(), 1);
}

#[test]
fn its_parent_is_told_that_it_exited() {
    let mut world = told_to_work();
    let effects = world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(1),
            signal: None,
        },
    );
    let told = notices(&effects);
    assert!(told[0].starts_with("auth exited without a report: "), "{told:?}");
}

#[test]
fn a_parent_that_does_not_run_is_not_started_for_it() {
    let mut world = told_to_work();
    world.said(
        "boss",
        PaneEvent::Exited {
            code: Some(0),
            signal: None,
        },
    );
    let effects = ends(&mut world);
    assert_eq!(notices(&effects).len(), 1);
    let effects = world.posted(&effects);
    assert!(
        !jobs(&effects)
            .iter()
            .any(|job| matches!(job, Work::Agent(AgentWork::Start { .. }))),
        "{effects:?}"
    );
}

/// No hook tells of that dialog, and no approval answers it.
#[test]
fn its_parent_is_told_once_of_a_dialog_before_its_session() {
    let mut world = starting();
    let effects = world.hears(Source::Screen, Activity::Waiting(ASKS_FOR_TRUST.into()));
    let told = notices(&effects);
    assert_eq!(told.len(), 1, "{told:?}");
    let begins = "auth waits for a person before it begins: asks whether to trust this directory.";
    assert!(told[0].starts_with(begins), "{told:?}");
    let said = told_lines(&world.posted(&effects));
    assert!(
        said.iter().any(|line| line.contains("auth waits for a person")),
        "{said:?}"
    );
    let effects = world.hears(Source::Screen, Activity::Waiting("asks you to log in".into()));
    assert_eq!(notices(&effects), [""; 0], "once for each start");
}

#[test]
fn a_wait_comes_back_with_a_dialog_before_its_session() {
    let mut world = starting();
    assert_eq!(replies(&world.tool("boss", waits_for_auth())), []);
    let effects = world.hears(Source::Screen, Activity::Waiting(ASKS_FOR_TRUST.into()));
    assert_eq!(notices(&effects), [""; 0], "it hears of it by its wait");
    let answers = replies(&effects);
    let answer = answers[0].1.as_ref().expect("the wait comes back");
    assert_eq!(answer["chats"][0]["status"], "needs-you", "{answer}");
    assert_eq!(answer["chats"][0]["detail"], ASKS_FOR_TRUST, "{answer}");
}

/// A person started it, and nobody else waits for anything.
#[test]
fn a_dialog_before_a_session_that_no_parent_asked_for_is_not_told() {
    let mut world = World::unwatched(&["auth", "boss"]);
    world.run("boss", claude());
    world.run("auth", claude());
    world.edits("auth", |chat| chat.record.parent = Some(id("boss")));
    let effects = world.hears(Source::Screen, Activity::Waiting(ASKS_FOR_TRUST.into()));
    assert_eq!(notices(&effects), [""; 0]);
}
