//! A CLI whose hooks give prompts and tools no ids: the hooks say what happens now, its transcript what is told.

use parlour::domain::event::{Observed, PtyEvent, Size};
use parlour::domain::work::JournalWork;
use parlour::domain::{Effect, Event, Work};
use parlour::model::entry::{From, ToolStatus};
use parlour::model::request::{ApprovalRequest, By, Request};
use parlour::model::{Activity, Happened, HookEvent, Source};
use serde_json::{Value, json};

use crate::support::events::{SHELL, claude, interrupted, jobs, replies, session, told, turn_ended, typed};
use crate::support::world::{World, id, screen};

fn prompt(text: &str) -> HookEvent {
    HookEvent::Prompt {
        id: String::new(),
        text: text.into(),
    }
}

fn began(name: &str, input: &Value) -> HookEvent {
    HookEvent::ToolStarted {
        id: String::new(),
        name: name.into(),
        input: input.clone(),
        parent: None,
        cwd: None,
    }
}

fn ended(name: &str) -> HookEvent {
    HookEvent::ToolEnded {
        id: String::new(),
        name: name.into(),
        output: String::new(),
        failed: false,
        interrupted: false,
        ms: None,
        cwd: None,
    }
}

/// It names no tool either.
fn asks(input: &Value) -> HookEvent {
    HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: String::new(),
        input: input.clone(),
    }
}

/// The transcript tells a tool when it has ended.
fn reads_tool(world: &mut World, id: &str, input: &Value, status: ToolStatus) -> Vec<Effect> {
    let start = Happened::ToolStart {
        id: id.into(),
        name: "shell".into(),
        input: input.clone(),
        dir: None,
        parent: None,
    };
    let end = Happened::ToolEnd {
        id: id.into(),
        status,
        preview: "ok".into(),
        bytes: 2,
        lines: 1,
        output: None,
        cut: None,
        whole: None,
        changed: None,
        ms: None,
    };
    world.reads(vec![start, end])
}

fn at_work() -> World {
    let mut world = World::at_rest();
    assert_eq!(told(&world.hook(prompt("fix it"))), ["is running"]);
    world.after(100);
    world
}

#[test]
fn a_tool_is_told_at_once_and_its_output_by_the_transcript() {
    let mut world = at_work();
    let list = json!({"command": "ls"});
    assert_eq!(told(&world.hook(began("shell", &list))), ["shell began", "is running"]);
    assert_eq!(world.status(), "running: shell");
    assert_eq!(told(&world.hook(ended("shell"))), ["is running"]);
    assert_eq!(world.status(), "running");
    let told_of = told(&reads_tool(&mut world, "t1", &list, ToolStatus::Ok));
    assert_eq!(told_of, ["own Ok"]);
    assert_eq!(told(&reads_tool(&mut world, "t1", &list, ToolStatus::Ok)), [""; 0]);
    assert_eq!(told(&world.hook(turn_ended(0))), ["is idle"]);
}

/// Its hook does not say so, and may come after the turn's end.
#[test]
fn that_the_last_command_failed_is_known_from_the_transcript() {
    let mut world = at_work();
    let fail = json!({"command": "exit 3"});
    world.hook(began("shell", &fail));
    world.hook(ended("shell"));
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
    reads_tool(&mut world, "t1", &fail, ToolStatus::Error);
    assert_eq!(world.status(), "idle: last command failed");
}

#[test]
fn a_question_is_about_the_tool_that_began_last_and_is_settled_with_it() {
    let mut world = at_work();
    let remove = json!({"command": "rm -r build"});
    world.hook(began("shell", &remove));
    assert_eq!(told(&world.hook(asks(&remove))), ["shell asked", "is needs-you"]);
    assert_eq!(world.status(), "needs-you: shell: rm -r build");
    assert_eq!(told(&world.hook(ended("shell"))), ["shell allowed", "is running"]);
    reads_tool(&mut world, "t1", &remove, ToolStatus::Ok);

    world.hook(began("shell", &remove));
    world.hook(asks(&remove));
    let told_of = told(&reads_tool(&mut world, "t2", &remove, ToolStatus::Denied));
    assert_eq!(told_of[..2], ["shell denied", "own Denied"]);
}

#[test]
fn what_was_refused_with_the_whole_turn_is_told_once() {
    let mut world = at_work();
    let remove = json!({"command": "rm -r build"});
    world.hook(began("shell", &remove));
    world.hook(asks(&remove));
    assert_eq!(
        told(&world.reads(vec![interrupted()])),
        ["shell denied", "interrupt", "is idle"]
    );
    // The hook of the tool's end comes after all, and the agent rests all the same.
    world.after(50);
    assert_eq!(told(&world.hook(ended("shell"))), Vec::<String>::new());
    assert_eq!(world.status(), "idle");
    assert_eq!(
        told(&reads_tool(&mut world, "t1", &remove, ToolStatus::Denied)),
        ["own Denied"]
    );
}

/// An engine that is killed while it runs leaves the call and who allowed it.
#[test]
fn a_call_that_was_allowed_here_is_recorded_as_that_before_the_key_is_typed() {
    let mut world = at_work();
    world.answered_by_keys("y", "Allow");
    let sleep = json!({"command": "sleep 30"});
    world.hook(began("shell", &sleep));
    world.hook(asks(&sleep));
    let request = parlour::domain::approval::json(&world.state.domain, None)["approvals"][0]["id"]
        .as_str()
        .unwrap()
        .to_string();
    let request = Request::Approval(ApprovalRequest::Approve { request });
    let effects = world.happens(Event::Ask(SHELL, By::Person, request));
    assert_eq!(told(&effects), ["shell allowed"]);
    assert_eq!(replies(&effects), [], "nobody is told before it is on disk");
    let dialog = |world: &mut World| {
        let shown = screen("Allow this?\n$ sleep 30", Size { cols: 40, rows: 24 });
        world.happens(Event::Pty(id("auth").into(), PtyEvent::Screen(shown)))
    };
    world.after(2_000);
    assert_eq!(typed(&dialog(&mut world)), [""; 0]);
    let safe = world.with_decisions_safe(effects);
    assert_eq!(replies(&safe).len(), 1);
    assert_eq!(typed(&dialog(&mut world)), ["y"]);
    world.after(5_000);
    world.hook(ended("shell"));
    assert_eq!(told(&reads_tool(&mut world, "t1", &sleep, ToolStatus::Ok)), ["own Ok"]);
}

#[test]
fn an_end_that_the_transcript_does_not_tell_is_told_as_it_was_heard() {
    let mut world = at_work();
    let list = json!({"command": "ls"});
    world.hook(began("shell", &list));
    world.after(700);
    world.hook(ended("shell"));
    assert_eq!(told(&world.after(1_900)), [""; 0]);
    let late = world.after(200);
    assert_eq!(told(&late), ["own Ok"]);
    let ms = jobs(&late).into_iter().find_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => match lines[0].what {
            Happened::ToolEnd { ms, .. } => ms,
            _ => None,
        },
        _ => None,
    });
    assert_eq!(ms, Some(700));
    assert_eq!(told(&reads_tool(&mut world, "t1", &list, ToolStatus::Ok)), [""; 0]);
}

/// The transcript tells of a call that an interrupt ended only then.
#[test]
fn an_interrupted_call_stands_before_the_interrupt_and_keeps_what_it_printed() {
    let mut world = at_work();
    let sleep = json!({"command": "sleep 45"});
    world.hook(began("shell", &sleep));
    world.after(5_000);
    assert_eq!(told(&world.reads(vec![interrupted()])), ["interrupt", "is idle"]);
    assert_eq!(world.status(), "idle: interrupted");
    world.after(300);
    assert_eq!(
        told(&reads_tool(&mut world, "t1", &sleep, ToolStatus::Interrupted)),
        ["own Interrupted"]
    );
    assert_eq!(told(&world.after(5_000)), [""; 0]);
}

#[test]
fn the_calls_of_a_sub_agent_are_told_by_its_transcript() {
    let mut world = at_work();
    assert_eq!(
        told(&world.hook(began("invoke_agent", &json!({"agent_name": "generalist"})))),
        ["invoke_agent began", "is running"]
    );
    let list = json!({"command": "ls"});
    assert_eq!(told(&world.hook(began("shell", &list))), ["is running"]);
    let told_of = told(&reads_tool(&mut world, "t1", &list, ToolStatus::Ok));
    assert_eq!(told_of[..2], ["shell began", "t1 Ok"]);
}

#[test]
fn a_prompt_that_parlour_typed_is_told_once_with_who_sent_it() {
    let mut world = World::unwatched(&["boss"]);
    world.chat("auth", "auth", 1).below("boss");
    world.run("auth", claude());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    world.hook(session("startup"));
    let effects = world.agent_sends("boss", "auth");
    assert_eq!(typed(&world.posted(&effects)), ["look at this"]);
    world.after(600);
    assert_eq!(told(&world.hook(prompt("look at this"))), ["is running"]);
    let line = Happened::Prompt {
        id: "p1".into(),
        text: "look at this".into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    };
    assert_eq!(
        told(&world.reads(vec![line.clone()])),
        ["Parent of bossaaaaaa said look at this"]
    );
    assert_eq!(told(&world.reads(vec![line])), Vec::<String>::new());
}

/// No hook tells that a question was answered; such a title does.
#[test]
fn a_title_that_says_everything_counts_as_much_as_a_hook() {
    let mut world = at_work();
    let remove = json!({"command": "rm -r build"});
    world.hook(began("shell", &remove));
    world.hook(asks(&remove));
    world.after(10);
    world.hears(Source::Sign, Activity::Waiting("asks a question".into()));
    assert_eq!(world.status(), "needs-you: shell: rm -r build");
    world.after(10);
    world.hears(Source::Sign, Activity::Busy(None));
    assert_eq!(world.status(), "running: shell");
    world.after(10);
    world.hears(Source::Sign, Activity::Idle);
    assert_eq!(world.status(), "idle");
}

/// Its hook of a turn's end is the same however the turn ended.
#[test]
fn a_turn_that_failed_has_failed_although_a_hook_says_that_it_ended() {
    let mut world = at_work();
    let error = Happened::Error {
        place: "Gemini CLI".into(),
        message: "API Error".into(),
        hint: String::new(),
        trouble: None,
    };
    world.reads(vec![error]);
    world.after(10);
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "error: API Error");
    world.after(10);
    world.hook(prompt("again"));
    world.after(10);
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
}

#[test]
fn what_a_rule_denies_ends_as_denied_though_its_cli_calls_that_a_failure() {
    let mut world = at_work();
    let destroy = json!({"command": "rm -rf /"});
    world.hook(began("run_shell_command", &destroy));
    let start = Happened::ToolStart {
        id: "t1".into(),
        name: "run_shell_command".into(),
        input: destroy,
        dir: None,
        parent: None,
    };
    let end = Happened::ToolEnd {
        id: "t1".into(),
        status: ToolStatus::Error,
        preview: "Tool execution blocked".into(),
        bytes: 22,
        lines: 1,
        output: None,
        cut: None,
        whole: None,
        changed: None,
        ms: None,
    };
    let told = told(&world.reads(vec![start, end]));
    assert!(told.contains(&"own Denied".to_string()), "{told:?}");
}

#[test]
fn why_parlour_refused_a_call_is_told_where_its_cli_says_only_that_there_was_an_error() {
    let mut world = at_work();
    let input = json!({"atom": "checkout/docs"});
    let fails = |world: &mut World, why: &str| {
        let failed = Observed::CallFailed {
            tool: "claim_atom".into(),
            why: why.into(),
        };
        world.happens(Event::Observed(id("auth"), failed));
    };
    let told_as = |world: &mut World, call: &str, preview: &str| {
        let start = Happened::ToolStart {
            id: call.into(),
            name: "mcp_parlour_claim_atom".into(),
            input: input.clone(),
            dir: None,
            parent: None,
        };
        let end = Happened::tool_ended(call, ToolStatus::Error, preview.into(), None);
        let effects = world.reads(vec![start, end]);
        let told = jobs(&effects).into_iter().find_map(|job| match job {
            Work::Journal(JournalWork::Append(_, told, _)) => told.into_iter().find_map(|told| match told.what {
                Happened::ToolEnd { preview, .. } => Some(preview),
                _ => None,
            }),
            _ => None,
        });
        told.unwrap_or_else(|| panic!("{effects:?}"))
    };
    let said = "MCP tool 'claim_atom' reported an error.";
    let why = "claiming checkout/docs: it waits for api; claim another";
    fails(&mut world, why);
    assert_eq!(told_as(&mut world, "t1", said), why);
    assert_eq!(told_as(&mut world, "t2", said), said, "nothing is known of it");
    let whole = format!("Error: {why}");
    fails(&mut world, why);
    assert_eq!(told_as(&mut world, "t3", &whole), whole, "it says so itself");
}
