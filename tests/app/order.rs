//! What is recorded of an agent stands in the order of its conversation, whichever source told of it first.

use parlour::domain::event::Observed;
use parlour::domain::work::JournalWork;
use parlour::domain::{Effect, Event, Work};
use parlour::model::entry::ToolStatus;
use parlour::model::request::{ChatRequest, Request, Until};
use parlour::model::{Capabilities, Happened, HookAnswer, HookEvent, PaneEvent, Reported, Streamed, Timestamp};

use crate::support::events::{
    HOOK, bash_asked, bash_began, claude, jobs, replies, ruled, submitted, told, tool_ended, turn_ended,
};
use crate::support::world::{World, id};

/// Claude Code in the middle of a turn, with a transcript that tells each call a moment behind its hook.
fn at_work() -> World {
    let mut world = World::at_rest();
    let retells = Capabilities {
        retells: true,
        ..claude()
    };
    world
        .state
        .domain
        .live
        .agents
        .get_mut(&id("auth"))
        .unwrap()
        .capabilities = Some(retells);
    world.hook(submitted("fix it"));
    world.after(100);
    world
}

fn words(text: &str) -> Happened {
    Happened::Text {
        id: text.into(),
        text: text.into(),
    }
}

fn call(id: &str) -> Happened {
    Happened::ToolStart {
        id: id.into(),
        name: "Bash".into(),
        input: serde_json::json!({"command": "ls"}),
        dir: None,
        parent: None,
    }
}

fn ended(id: &str) -> Happened {
    Happened::tool_ended(id, ToolStatus::Ok, String::new(), None)
}

/// The times of what is written.
fn times(effects: &[Effect]) -> Vec<Option<Timestamp>> {
    let lines = jobs(effects).into_iter().filter_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => Some(lines),
        _ => None,
    });
    lines.flatten().map(|line: Reported| line.at).collect()
}

#[test]
fn words_before_a_call_stand_before_it_though_its_hook_is_heard_first() {
    let mut world = at_work();
    let heard = world.hook(bash_began("t1", "ls"));
    assert_eq!(told(&heard), [""; 0]);
    assert_eq!(
        ruled(&heard, HOOK),
        Some(HookAnswer::NoOpinion),
        "the call is not held up"
    );
    assert_eq!(world.status(), "running: Bash");
    world.hook(tool_ended("t1", "Bash"));
    assert_eq!(world.status(), "running");
    let read = world.reads(vec![words("I look."), call("t1"), ended("t1"), words("I see.")]);
    assert_eq!(
        told(&read),
        ["text", "Bash began", "is running", "t1 Ok", "is running", "text"]
    );
}

#[test]
fn of_parallel_calls_each_stands_where_the_transcript_has_it() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    world.hook(bash_began("t2", "ls"));
    world.hook(tool_ended("t2", "Bash"));
    assert_eq!(
        told(&world.reads(vec![words("I look."), call("t1")])),
        ["text", "Bash began", "is running"]
    );
    assert_eq!(told(&world.reads(vec![call("t2")])), ["Bash began"]);
    world.hook(tool_ended("t1", "Bash"));
    let read = world.reads(vec![ended("t2"), ended("t1")]);
    assert_eq!(told(&read), ["t2 Ok", "t1 Ok", "is running"]);
}

#[test]
fn what_is_recorded_has_the_time_of_the_cli() {
    let mut world = at_work();
    let began = world.state.domain.now;
    world.hook(bash_began("t1", "ls"));
    world.after(300);
    let read = world.reads_late(310, vec![words("I look."), call("t1")]);
    let said = Some(Timestamp(began.0 - 10));
    assert_eq!(times(&read), [said, said, Some(began)]);
}

#[test]
fn a_question_is_shown_at_once_and_recorded_behind_its_call() {
    let mut world = at_work();
    world.hook(bash_began("t1", "make"));
    assert_eq!(told(&world.hook(bash_asked("make"))), [""; 0]);
    assert!(world.status().starts_with("needs-you"), "{}", world.status());
    let read = told(&world.reads(vec![words("I make it."), call("t1")]));
    assert_eq!(read, ["text", "Bash began", "is running", "Bash asked", "is needs-you"]);
}

#[test]
fn what_the_transcript_does_not_tell_is_recorded_after_a_moment() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    assert_eq!(told(&world.after(4_900)), [""; 0]);
    assert_eq!(told(&world.after(100)), ["Bash began", "is running"]);
    assert_eq!(told(&world.reads(vec![words("Late."), call("t1")])), ["text"]);
}

/// The hook gives up after four seconds.
#[test]
fn a_decision_waits_for_the_transcript_no_longer_than_its_hook_does() {
    let mut world = at_work();
    let mut settings = world.state.domain.disk.settings.clone();
    settings.permissions.allow = vec!["Bash(make:*)".into()];
    world.state.domain.disk.follow(settings);
    let (_, answer) = world.hooked(bash_began("t1", "make"));
    assert_eq!(answer, None);
    assert_eq!(told(&world.after(2_400)), [""; 0]);
    let late = told(&world.after(100));
    assert_eq!(late.first().map(String::as_str), Some("Bash began"), "{late:?}");
}

#[test]
fn what_waits_is_recorded_when_its_agent_ends() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    let ended = world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(0),
            signal: None,
        },
    );
    assert_eq!(told(&ended)[..3], ["Bash began", "is running", "t1 Interrupted"]);
}

#[test]
fn a_wait_goes_on_until_the_turn_is_recorded() {
    let mut world = at_work();
    world.hook(bash_began("t1", "ls"));
    world.hook(tool_ended("t1", "Bash"));
    world.reads(vec![call("t1")]);
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
    let wait = Request::Chat(ChatRequest::Wait {
        chat: "auth".into(),
        until: Until::Idle,
    });
    assert!(replies(&world.ask(wait)).is_empty());
    let read = world.reads(vec![ended("t1"), words("Done.")]);
    assert_eq!(replies(&read).len(), 1);
}

#[test]
fn a_question_of_a_server_is_recorded_behind_the_words_that_still_come() {
    let mut world = World::at_rest();
    let line = |what| Streamed::Reported(Reported { at: None, what });
    let asks = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Bash".into(),
        input: serde_json::json!({"command": "ls"}),
    };
    let said = vec![
        Streamed::Awaits(words("I look.").key().unwrap()),
        line(call("t1")),
        Streamed::Event(asks),
    ];
    let stream = |world: &mut World, said| world.happens(Event::Observed(id("auth"), Observed::Stream(said, None)));
    assert_eq!(told(&stream(&mut world, said)), [""; 0]);
    assert!(world.status().starts_with("needs-you"), "{}", world.status());
    let read = stream(&mut world, vec![line(words("I look."))]);
    assert_eq!(told(&read), ["text", "Bash began", "Bash asked", "is needs-you"]);
}
