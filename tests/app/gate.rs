//! Rules before a call runs, and questions that are answered in parlour.

use parlour::domain::event::{Caller, Outcome};
use parlour::domain::work::JournalWork;
use parlour::domain::{Effect, Event, Work, approval};
use parlour::model::chat::Directory;
use parlour::model::request::{ApprovalRequest, By, Request};
use parlour::model::{AreaMode, Handle, HookAnswer, HookEvent, Kind, Problem};
use parlour::screen::dialog::Dialog;
use serde_json::{Value, json};

use crate::support::events::{HOOK, replies, ruled, submitted, told, works};
use crate::support::world::{World, id};

fn at_work() -> World {
    let mut world = World::at_rest();
    world.hook(submitted("go on"));
    world
}

fn begins(tool: &str, input: Value) -> HookEvent {
    HookEvent::ToolStarted {
        id: "t1".into(),
        name: tool.into(),
        input,
        parent: None,
        cwd: None,
    }
}

fn asks(command: &str) -> HookEvent {
    HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: "Bash".into(),
        input: json!({ "command": command }),
    }
}

#[test]
fn a_call_that_everybody_may_make_is_up_to_its_cli_and_is_no_news() {
    let mut world = at_work();
    let (effects, answer) = world.hooked(begins("Bash", json!({ "command": "ls" })));
    assert_eq!(answer, Some(HookAnswer::NoOpinion));
    assert!(
        !told(&effects).iter().any(|told| told.contains("allowed")),
        "{:?}",
        told(&effects)
    );
}

#[test]
fn a_call_that_a_persons_rule_allows_is_told_with_the_rule() {
    let mut world = at_work();
    let mut settings = world.state.domain.disk.settings.clone();
    settings.permissions.allow = vec!["Bash(make:*)".into()];
    world.state.domain.disk.follow(settings);
    let (effects, answer) = world.hooked(begins("Bash", json!({ "command": "make all" })));
    assert_eq!(answer, Some(HookAnswer::Allow));
    assert!(
        told(&effects).iter().any(|told| told.contains("allowed")),
        "{:?}",
        told(&effects)
    );
}

#[test]
fn a_call_that_a_rule_denies_is_refused_with_the_reason_and_ended() {
    let mut world = at_work();
    let (effects, answer) = world.hooked(begins("Bash", json!({ "command": "rm -rf /" })));
    assert!(matches!(answer, Some(HookAnswer::Deny(_))), "{answer:?}");
    assert!(
        told(&effects).contains(&"t1 Denied".to_string()),
        "{:?}",
        told(&effects)
    );
}

#[test]
fn what_is_denied_is_refused_also_where_that_cannot_be_written_down() {
    let mut world = at_work();
    let effects = world.hook(begins("Bash", json!({ "command": "rm -rf /" })));
    assert_eq!(ruled(&effects, HOOK), None, "it is recorded first");
    let is_append = |(_, job): &(_, Work)| matches!(job, Work::Journal(JournalWork::Append(..)));
    let (work, _) = works(&effects).into_iter().find(is_append).unwrap();
    let full = Problem::fault("writing the transcript", "the disk is full");
    let answer = ruled(&world.done(work, Outcome::Failed(full)), HOOK);
    assert!(matches!(answer, Some(HookAnswer::Deny(_))), "{answer:?}");
}

#[test]
fn nobody_writes_to_a_read_only_directory_whatever_the_rules_allow() {
    let mut world = at_work();
    let mut settings = world.state.domain.disk.settings.clone();
    settings.permissions.allow = vec!["Edit".into(), "Bash".into()];
    world.state.domain.disk.follow(settings);
    world.edits("auth", |chat| {
        chat.record.dirs = vec![Directory {
            name: "grove".into(),
            label: None,
            mode: AreaMode::Ro,
            kind: Kind::Git,
            origin: "https://example.org/grove".into(),
            key: None,
            subdir: None,
            asks: false,
        }];
    });
    let (effects, answer) = world.hooked(begins("Bash", json!({ "command": "cd projects/grove && touch x" })));
    let Some(HookAnswer::Deny(why)) = answer else {
        panic!("{answer:?}");
    };
    assert!(why.starts_with("read-only directory grove (ro): "), "{why}");
    assert!(
        told(&effects).contains(&"t1 Denied".to_string()),
        "{:?}",
        told(&effects)
    );
    let write = json!({ "file_path": "projects/grove/x" });
    let (_, answer) = world.hooked(begins("Write", write));
    assert!(matches!(answer, Some(HookAnswer::Deny(_))), "{answer:?}");
}

#[test]
fn what_no_rule_names_is_left_to_the_cli() {
    let mut world = at_work();
    let (_, answer) = world.hooked(begins("Bash", json!({ "command": "make all" })));
    assert_eq!(answer, Some(HookAnswer::NoOpinion));
}

#[test]
fn a_question_waits_until_a_person_answers_it_here_once() {
    let mut world = at_work();
    world.hooked(begins("Bash", json!({ "command": "make all" })));
    let (_, answer) = world.hooked(asks("make all"));
    assert_eq!(answer, None);
    let listed = approval::json(&world.state.domain, None);
    assert_eq!(listed["approvals"][0]["input"]["command"], "make all");
    assert_eq!(world.status(), "needs-you: Bash: make all");

    let approve = Request::Approval(ApprovalRequest::Approve { request: "t1".into() });
    let effects = world.ask(approve.clone());
    assert_eq!(ruled(&effects, HOOK), Some(HookAnswer::Allow));
    assert_eq!(approval::json(&world.state.domain, None), json!({ "approvals": [] }));
    let again = world.ask(approve);
    assert!(matches!(&again[..], [Effect::Reply(_, Err(problem))] if problem.to_string().contains("no question")));
}

#[test]
fn a_chat_that_is_named_exactly_is_no_beginning_of_another_chats_question() {
    let mut world = at_work();
    world.chat("other", "other", 1);
    world.edits("other", |chat| chat.record.handle = Handle::from_name("tool").unwrap());
    world.hooked(HookEvent::ToolStarted {
        id: "tool_7".into(),
        name: "Bash".into(),
        input: json!({ "command": "make all" }),
        parent: None,
        cwd: None,
    });
    world.hooked(asks("make all"));
    let answered = |world: &mut World, name: &str| {
        let request = name.into();
        let effects = world.ask(Request::Approval(ApprovalRequest::Approve { request }));
        ruled(&effects, HOOK)
    };
    assert_eq!(answered(&mut world, "tool"), None);
    assert_eq!(world.status(), "needs-you: Bash: make all");
    assert_eq!(answered(&mut world, "tool_"), Some(HookAnswer::Allow));
}

#[test]
fn an_agent_sees_the_questions_of_its_own_tree_alone() {
    let mut world = at_work();
    world.chat("boss", "boss", 1);
    world.chat("other", "other", 1);
    world.edits("auth", |chat| chat.record.parent = Some(id("boss")));
    world.hooked(begins("Bash", json!({ "command": "make all" })));
    world.hooked(asks("make all"));
    for (caller, seen) in [("boss", 1), ("auth", 1), ("other", 0)] {
        let effects = world.asked_by(By::Chat(id(caller)), Request::Approval(ApprovalRequest::List));
        let (_, answer) = replies(&effects).remove(0);
        assert_eq!(answer.unwrap()["approvals"].as_array().unwrap().len(), seen, "{caller}");
    }
}

#[test]
fn a_refusal_here_is_told_as_one_although_its_cli_calls_it_a_failure() {
    let mut world = at_work();
    world.hooked(begins("Bash", json!({ "command": "make all" })));
    world.hooked(asks("make all"));
    let effects = world.ask(Request::Approval(ApprovalRequest::Deny {
        request: "t1".into(),
        reason: String::new(),
    }));
    assert!(matches!(ruled(&effects, HOOK), Some(HookAnswer::Deny(_))));
    let failed = HookEvent::ToolEnded {
        id: "t1".into(),
        name: "Bash".into(),
        output: "refused".into(),
        failed: true,
        interrupted: false,
        ms: None,
        cwd: None,
    };
    let (effects, _) = world.hooked(failed);
    assert!(
        told(&effects).contains(&"t1 Denied".to_string()),
        "{:?}",
        told(&effects)
    );
}

#[test]
fn a_question_that_was_answered_in_its_dialog_is_no_question_any_more() {
    let mut world = at_work();
    world.hooked(begins("Bash", json!({ "command": "make all" })));
    world.hooked(asks("make all"));
    world.happens(Event::Caller(HOOK, Caller::Gone));
    assert_eq!(approval::json(&world.state.domain, None), json!({ "approvals": [] }));
}

#[test]
fn a_question_says_which_rule_asked_it() {
    let mut world = at_work();
    let mut settings = world.state.domain.disk.settings.clone();
    settings.permissions.ask = vec!["Bash(make:*)".into()];
    world.state.domain.disk.follow(settings);
    for (command, rule) in [
        ("make all", json!("Bash(make:*)")),
        ("git push", json!("built in: git push")),
        ("cargo test", Value::Null),
    ] {
        world.hooked(begins("Bash", json!({ "command": command })));
        let (effects, _) = world.hooked(asks(command));
        let listed = approval::json(&world.state.domain, None);
        assert_eq!(listed["approvals"][0]["rule"], rule, "{effects:?}");
        world.ask(Request::Approval(ApprovalRequest::Approve { request: "t1".into() }));
        world.hooked(HookEvent::ToolEnded {
            id: "t1".into(),
            name: "Bash".into(),
            output: String::new(),
            failed: false,
            interrupted: false,
            ms: None,
            cwd: None,
        });
    }
}

#[test]
fn a_yes_is_for_the_question_that_was_on_the_screen_and_not_for_the_next_one() {
    let mut world = World::morning(120, 40);
    let now = world.state.domain.now;
    let asks = |world: &mut World, chat: &str, command: &str| {
        let agent = world.state.domain.live.agents.get_mut(&id(chat)).unwrap();
        let input = json!({ "command": command });
        agent.asked("Bash".into(), input, format!("asked {command}"), None, now);
        let asked = agent.turn.question_mut(&format!("asked {command}")).unwrap();
        asked.call = Some(HOOK);
    };
    let shown = |world: &mut World| match &world.view().over.dialog {
        Some(Dialog::Approvals(approvals)) => (approvals.at.clone().map(|(_, id)| id), approvals.scroll),
        other => panic!("{}", other.is_some()),
    };
    // What it was opened for is gone.
    world.press("a");
    world.state.domain.live.agents.remove(&id("redis"));
    world.later(1_000);
    let long = ["make"; 60].join("\n");
    asks(&mut world, "auth", &long);
    world.look();
    assert_eq!(shown(&mut world), (Some(format!("asked {long}")), 0));
    assert_eq!(world.press("y"), []);
    asks(&mut world, "dates", "rm -rf target");
    world.look();
    world.later(1_000);
    world.press("pagedown");
    assert!(shown(&mut world).1 > 0);
    // Its own dialog answers the one that is shown while a finger is on the key.
    world.state.domain.live.agents.remove(&id("auth"));
    world.look();
    assert_eq!(shown(&mut world), (Some("asked rm -rf target".into()), 0));
    assert_eq!(world.press("y"), []);
    world.later(1_900);
    assert_eq!(world.press("y"), [], "it was meant for the last one");
    assert!(world.view().over.toasts.is_empty());
    world.later(100);
    let answered = world.press("y");
    assert!(
        answered.contains(&Effect::Rule(HOOK, HookAnswer::Allow)),
        "{answered:?}"
    );
}

#[test]
fn calls_that_are_asked_about_at_once_are_listed_in_the_order_of_the_turn() {
    let mut world = at_work();
    let calls = ["touch a", "touch b"].map(|command| json!({ "command": command }));
    for (id, input) in ["t1", "t2"].into_iter().zip(&calls) {
        world.hooked(HookEvent::ToolStarted {
            id: id.into(),
            name: "Bash".into(),
            input: input.clone(),
            parent: None,
            cwd: None,
        });
    }
    world.hooked(asks("touch b"));
    world.after(5);
    world.hooked(asks("touch a"));
    let asked = |world: &mut World| -> Vec<Value> {
        let effects = world.ask(Request::Approval(ApprovalRequest::List));
        let (_, answer) = replies(&effects).remove(0);
        let listed = answer.unwrap()["approvals"].as_array().unwrap().clone();
        listed.into_iter().map(|asked| asked["id"].clone()).collect()
    };
    assert_eq!(asked(&mut world), ["t1", "t2"]);
}
