//! Rules before a call runs, and questions that are answered in parlour.

use parlour::app::{Effect, PaneOrder, gate};
use parlour::model::request::Request;
use parlour::model::{Answer, Asks, HookEvent};
use serde_json::{Value, json};

use crate::support::events::{HOOK, ruled, submitted, told};
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
    }
}

fn asks(command: &str) -> HookEvent {
    HookEvent::PermissionAsked {
        tool: "Bash".into(),
        input: json!({ "command": command }),
    }
}

#[test]
fn a_call_that_everybody_may_make_runs_without_a_question_and_is_no_news() {
    let mut world = at_work();
    let (effects, answer) = world.hooked(begins("Bash", json!({ "command": "git status" })));
    assert_eq!(answer, Some(Answer::Allow));
    assert!(
        !told(&effects).iter().any(|told| told.contains("allowed")),
        "{:?}",
        told(&effects)
    );
}

#[test]
fn a_call_that_a_persons_rule_allows_is_told_with_the_rule() {
    let mut world = at_work();
    let mut settings = world.state.disk.settings.clone();
    settings.permissions.allow = vec!["Bash(make:*)".into()];
    world.state.disk.follow(settings);
    let (effects, answer) = world.hooked(begins("Bash", json!({ "command": "make all" })));
    assert_eq!(answer, Some(Answer::Allow));
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
    assert!(matches!(answer, Some(Answer::Deny(_))), "{answer:?}");
    assert!(
        told(&effects).contains(&"t1 Denied".to_string()),
        "{:?}",
        told(&effects)
    );
}

#[test]
fn what_no_rule_names_is_left_to_the_cli() {
    let mut world = at_work();
    let (_, answer) = world.hooked(begins("Bash", json!({ "command": "make all" })));
    assert_eq!(answer, Some(Answer::NoOpinion));
}

#[test]
fn a_question_waits_until_a_person_answers_it_here_once() {
    let mut world = at_work();
    world.hooked(begins("Bash", json!({ "command": "make all" })));
    let (_, answer) = world.hooked(asks("make all"));
    assert_eq!(answer, None);
    let listed = gate::json(&world.state);
    assert_eq!(listed["approvals"][0]["input"]["command"], "make all");
    assert_eq!(world.status(), "needs-you: Bash: make all");

    let approve = Request::Approve { request: "t1".into() };
    let effects = world.ask(approve.clone());
    assert_eq!(ruled(&effects, HOOK), Some(Answer::Allow));
    assert_eq!(gate::json(&world.state), json!({ "approvals": [] }));
    let again = world.ask(approve);
    assert!(matches!(&again[..], [Effect::Reply(_, Err(problem))] if problem.to_string().contains("no question")));
}

#[test]
fn a_refusal_here_is_told_as_one_although_its_cli_calls_it_a_failure() {
    let mut world = at_work();
    world.hooked(begins("Bash", json!({ "command": "make all" })));
    world.hooked(asks("make all"));
    let effects = world.ask(Request::Deny { request: "t1".into() });
    assert!(matches!(ruled(&effects, HOOK), Some(Answer::Deny(_))));
    let failed = HookEvent::ToolEnded {
        id: "t1".into(),
        name: "Bash".into(),
        output: "refused".into(),
        failed: true,
        interrupted: false,
        ms: None,
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
    gate::abandoned(&mut world.state, HOOK);
    assert_eq!(gate::json(&world.state), json!({ "approvals": [] }));
}

#[test]
fn a_cli_whose_dialog_takes_keys_is_answered_by_them() {
    let mut world = at_work();
    let agent = world.state.live.agents.get_mut(&id("auth")).expect("it runs");
    let manners = agent.manners.as_mut().expect("it is known");
    manners.asks = Asks::Keys {
        yes: b"\r".to_vec(),
        no: b"\x1b".to_vec(),
    };
    world.hooked(begins("Bash", json!({ "command": "make all" })));
    let (_, answer) = world.hooked(asks("make all"));
    assert_eq!(answer, Some(Answer::NoOpinion));
    let escape = Effect::Pane(id("auth"), PaneOrder::Input(b"\x1b".to_vec()));
    let effects = world.ask(Request::Deny { request: "t1".into() });
    assert!(!effects.contains(&escape), "its dialog may not be drawn yet");
    assert!(world.after(2_000).contains(&escape));
    assert!(!world.after(2_000).contains(&escape), "it is typed once");
}
