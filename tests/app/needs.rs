//! Who needs a person: the count, the list and the row of the chat say the same.

use parlour::domain::approval::queue::waiting_chats;
use parlour::domain::{Event, PaneOrder, approval};
use parlour::model::request::{ApprovalRequest, Request};
use parlour::model::{Activity, HookEvent, Source, Status};
use serde_json::{Value, json};

use crate::support::events::{HOOK, bash_asked, bash_began, orders, submitted, tool_ended};
use crate::support::world::{ME, World, id};

/// What the list has of the agent, if it agrees with the count and the status.
fn asked(world: &World) -> Option<Value> {
    let state = &world.state.domain;
    let mut listed = approval::json(state, None)["approvals"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let needs_you = world.status().starts_with("needs-you");
    assert_eq!(
        (waiting_chats(state), needs_you),
        (listed.len(), !listed.is_empty()),
        "{listed:?}"
    );
    listed.pop()
}

/// An agent whose call a person allowed a moment ago.
fn allowed() -> World {
    let mut world = World::at_rest();
    world.hook(submitted("go on"));
    world.hook(bash_began("t1", "make"));
    world.happens(Event::Hook(HOOK, id("auth"), vec![bash_asked("make")]));
    let listed = asked(&world).expect("a question");
    assert_eq!((&listed["id"], &listed["tool"]), (&json!("t1"), &json!("Bash")));
    world.after(2_000);
    let request = "t1".into();
    world.ask(Request::Approval(ApprovalRequest::Approve { request }));
    world
}

#[test]
fn what_was_answered_a_moment_ago_needs_nobody() {
    let mut world = allowed();
    world.hears(Source::SessionFile, Activity::Waiting("permission prompt".into()));
    assert_eq!((asked(&world), world.status().as_str()), (None, "running: Bash"));
    world.after(2_999);
    assert_eq!(asked(&world), None);
    world.after(1);
    assert!(asked(&world).is_some(), "it was not answered after all");
}

#[test]
fn the_next_dialog_of_a_turn_is_listed_too() {
    let mut world = allowed();
    world.after(100);
    world.hook(tool_ended("t1", "Bash"));
    assert_eq!(asked(&world), None);
    world.hook(bash_began("t2", "git push"));
    world.after(1);
    world.hears(Source::SessionFile, Activity::Waiting("dialog open".into()));
    let listed = asked(&world).expect("a dialog of its own");
    assert_eq!(listed["asks"], "dialog open");
}

#[test]
fn a_dialog_is_about_the_only_call_that_is_open() {
    let mut world = World::at_rest();
    world.hook(submitted("go on"));
    world.hook(bash_began("t1", "make"));
    world.after(1);
    world.hears(Source::SessionFile, Activity::Waiting("permission prompt".into()));
    let listed = asked(&world).expect("a dialog");
    assert_eq!(listed["id"], Value::Null);
    assert_eq!(
        (&listed["tool"], &listed["input"]["command"]),
        (&json!("Bash"), &json!("make"))
    );
    world.hook(bash_began("t2", "git push"));
    world.after(1);
    world.hears(Source::SessionFile, Activity::Waiting("permission prompt".into()));
    let listed = asked(&world).expect("a dialog");
    assert_eq!(listed["tool"], Value::Null, "it may be about either");
}

#[test]
fn a_prompt_that_waits_for_a_person_is_listed() {
    let mut world = World::at_rest();
    world.hook(HookEvent::Waiting {
        text: "Claude needs your permission".into(),
    });
    assert_eq!(asked(&world), None, "it is idle");
    parlour::domain::agent::input(
        &mut world.state.domain,
        &id("auth"),
        parlour::model::ClientId(9),
        b"draft".to_vec(),
    );
    world.send("fix it");
    world.after(60_000);
    asked(&world);
}

#[test]
fn the_screen_of_a_dialog_is_asked_for_as_it_opens_and_once_more() {
    let mut world = World::at_rest();
    world.hook(submitted("go on"));
    world.after(1);
    let effects = world.hears(Source::SessionFile, Activity::Waiting("dialog open".into()));
    assert_eq!(orders(&effects), [PaneOrder::Look]);
    assert_eq!(orders(&world.after(500)), [PaneOrder::Look]);
    assert_eq!(orders(&world.after(60_000)), []);
}

/// Two ask, two are done unseen.
#[test]
fn w_leads_from_who_asks_to_what_is_done_and_then_round_again() {
    let mut world = World::new(120, 40);
    let asks = |what: &str| Status::NeedsYou(what.into());
    world.chat("ash", "Ash", 1).runs(asks("a"), "");
    world.chat("elm", "Elm", 2).runs(asks("b"), "");
    world.chat("fir", "Fir", 3).runs(Status::Idle(None), "").unseen();
    world.chat("oak", "Oak", 4).runs(Status::Idle(None), "").unseen();
    world.chat("yew", "Yew", 5).runs(Status::Idle(None), "");
    world.look();
    world.attach_to(ME, "yew");
    let goes = |world: &mut World| {
        world.press("ctrl+q w");
        let at = world.selected().to_owned();
        world.look();
        world.later(2_000);
        at
    };
    let round: Vec<String> = (0..6).map(|_| goes(&mut world)).collect();
    assert_eq!(round, ["Ash", "Elm", "Fir", "Oak", "Ash", "Elm"]);
    world.chat("ash", "Ash", 1).runs(asks("something else"), "");
    world.chat("fir", "Fir", 3).runs(Status::Idle(None), "").unseen();
    world.look();
    assert_eq!(goes(&mut world), "Ash", "it is another question");
    assert_eq!(goes(&mut world), "Fir");
}
