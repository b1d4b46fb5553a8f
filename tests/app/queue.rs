//! A person changes the prompts that wait: another text, another place, another kind, or none.

use parlour::domain::agent::{acknowledgement, queue};
use parlour::domain::event::{DiskEvent, Observed};
use parlour::domain::{Effect, Event};
use parlour::model::chat::Pending;
use parlour::model::entry::From;
use parlour::model::queue::{PromptKind, QueueAsk, QueueChange, WaitingPrompt};
use parlour::model::request::{By, ChatRequest, Request};
use parlour::model::{CallId, PaneEvent};

use serde_json::json;

use crate::support::events::{
    SHELL, bash_asked, bash_began, claude, custom, refusals, replies, session, submitted, turn_ended, typed,
};
use crate::support::world::{ME, World, id, noon};

fn change(world: &mut World, at: usize, change: QueueChange) -> Vec<Effect> {
    let prompt = waiting(world)[at].id.clone();
    world.ask(Request::Chat(ChatRequest::Queue {
        chat: "auth".into(),
        ask: QueueAsk::Change { prompt, change },
    }))
}

fn waiting(world: &World) -> Vec<WaitingPrompt> {
    queue::list(&world.state.domain, &id("auth"))
}

fn texts(world: &World) -> Vec<String> {
    waiting(world).into_iter().map(|prompt| prompt.text).collect()
}

/// What the record says: as an engine would find it that starts now.
fn kept(world: &World) -> Vec<String> {
    let prompts = world.on_disk("auth").record.prompts;
    prompts.into_iter().map(|prompt| prompt.text).collect()
}

fn send(world: &mut World, text: &str, key: &str, call: CallId) -> Vec<Effect> {
    let request = Request::Chat(ChatRequest::Send {
        chat: "auth".into(),
        text: text.into(),
        follow_up: true,
        env: Default::default(),
        sender: None,
        id: key.into(),
        wait: true,
    });
    world.happens(Event::Ask(call, By::Person, request))
}

/// The question has the second row, which says else why prompts wait.
#[test]
fn while_an_agent_asks_the_first_row_of_its_header_says_how_many_prompts_wait() {
    for (cols, rows) in [(120, 40), (80, 24)] {
        let mut world = busy();
        world.hook(bash_began("t1", "make"));
        world.happens(Event::Hook(CallId(21), id("auth"), vec![bash_asked("make")]));
        world.attach(ME, cols, rows);
        let picture = world.picture();
        let first = picture.lines().next().unwrap_or_default();
        assert!(first.trim_end().ends_with("◆ needs you · 3 queued"), "{picture}");
        // A name is not cut for that.
        let name = "Find out why the login of an expired session answers 500".to_string();
        world.edits("auth", |chat| chat.record.name = name.clone());
        let picture = world.picture();
        assert!(
            picture.lines().next().unwrap_or_default().contains("queued"),
            "{picture}"
        );
    }
}

/// An agent at work, with three prompts for the end of its turn.
fn busy() -> World {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    for text in ["one", "two", "three"] {
        world.follow_up(text);
        world.after(10);
    }
    world
}

#[test]
fn a_queued_prompt_gets_other_words_and_is_typed_with_them() {
    let mut world = busy();
    let effects = change(&mut world, 0, QueueChange::Edit("uno".into()));
    let (call, answer) = replies(&effects).remove(0);
    assert_eq!(
        (call, answer.unwrap()["queue"][0]["text"].as_str()),
        (SHELL, Some("uno"))
    );
    assert_eq!(kept(&world), ["uno", "two", "three"]);
    assert_eq!(typed(&world.hook(turn_ended(0))), ["uno"]);
}

#[test]
fn queued_prompts_are_put_in_another_order_and_sent_in_it() {
    let mut world = busy();
    change(&mut world, 2, QueueChange::Move(1));
    assert_eq!(texts(&world), ["three", "one", "two"]);
    change(&mut world, 0, QueueChange::Move(99));
    assert_eq!(kept(&world), ["one", "two", "three"]);
}

#[test]
fn a_removed_prompt_is_never_sent_its_sender_hears_so_and_its_id_can_be_used_again() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    send(&mut world, "later", "k1", CallId(8));
    let effects = change(&mut world, 0, QueueChange::Remove);
    assert_eq!(refusals(&effects), ["a person took it out of the queue"]);
    assert_eq!(kept(&world), [""; 0]);
    assert_eq!(world.on_disk("auth").record.delivered.len(), 0);
    assert_eq!(typed(&world.hook(turn_ended(0))), [""; 0]);
    send(&mut world, "later", "k1", CallId(9));
    assert!(!typed(&world.after(1_000)).is_empty());
}

#[test]
fn a_follow_up_that_is_turned_into_a_steer_goes_in_at_once() {
    let mut world = busy();
    let effects = change(&mut world, 1, QueueChange::Turn(PromptKind::Steer));
    assert_eq!(typed(&effects), ["two"]);
    assert_eq!(texts(&world), ["two", "one", "three"]);
}

#[test]
fn a_steer_goes_before_what_waits_for_the_end_of_the_turn() {
    let mut world = busy();
    assert_eq!(typed(&world.send("now")), ["now"]);
}

#[test]
fn an_agent_that_cannot_be_steered_gets_prompts_in_the_order_of_their_sending() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", custom());
    world.follow_up("one");
    world.send("two");
    assert_eq!(texts(&world), ["one", "two"]);
}

#[test]
fn a_prompt_that_the_agent_may_have_is_not_changed() {
    let mut world = World::at_rest();
    world.send("fix it");
    let why = |effects: &[Effect]| refusals(effects).remove(0);
    assert_eq!(why(&change(&mut world, 0, QueueChange::Remove)), "it is being typed");
    world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(0),
            signal: None,
        },
    );
    assert!(why(&change(&mut world, 0, QueueChange::Remove)).starts_with("the agent may have it already"));
    assert_eq!(texts(&world), ["fix it"]);
}

#[test]
fn what_an_earlier_engine_took_in_is_changed_before_any_agent_runs() {
    let mut world = World::unwatched(&["auth"]);
    let mut chat = world.on_disk("auth");
    let pending = |text: &str| Pending::new(text.into(), From::Person, noon());
    chat.record.prompts = vec![pending("one"), pending("two")];
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat))));
    change(&mut world, 1, QueueChange::Edit("dos".into()));
    change(&mut world, 0, QueueChange::Remove);
    assert_eq!(kept(&world), ["dos"]);
    world.run("auth", claude());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    assert_eq!(typed(&world.hook(session("resume"))), ["dos"]);
}

#[test]
fn an_empty_text_an_unknown_prompt_and_one_that_was_sent_are_refused() {
    let mut world = busy();
    let effects = change(&mut world, 0, QueueChange::Edit("  ".into()));
    assert_eq!(refusals(&effects), ["its text would be empty"]);
    let effects = world.ask(Request::Chat(ChatRequest::Queue {
        chat: "auth".into(),
        ask: QueueAsk::Change {
            prompt: "k9".into(),
            change: QueueChange::Remove,
        },
    }));
    assert_eq!(
        refusals(&effects),
        ["no queued prompt has that id: it may have been sent"]
    );
    assert_eq!(texts(&world), ["one", "two", "three"]);
}

#[test]
fn the_prompt_that_goes_along_with_a_start_is_not_changed_and_no_other_takes_its_place() {
    let mut world = World::unwatched(&["auth"]);
    let entry = json!({"title": "Mine", "command": "mine", "promptArg": "-p"});
    let mut settings = world.state.domain.disk.settings.clone();
    settings.custom_llms = [("mine".to_string(), serde_json::from_value(entry).unwrap())].into();
    world.state.domain.disk.follow(settings);
    world.edits("auth", |chat| {
        chat.record.llm = "mine".into();
        let prompt = |text: &str| Pending::new(text.into(), From::Person, noon());
        chat.record.prompts = vec![prompt("first"), prompt("second")];
    });
    world.resume("auth");
    let why = "it goes along with the start of its agent";
    assert_eq!(refusals(&change(&mut world, 0, QueueChange::Remove)), [why]);
    assert_eq!(
        refusals(&change(&mut world, 0, QueueChange::Edit("another".into()))),
        [why]
    );
    change(&mut world, 1, QueueChange::Move(1));
    let first = waiting(&world)
        .into_iter()
        .find(|prompt| prompt.text == "first")
        .unwrap();
    acknowledgement::went_along(&mut world.state.domain, &id("auth"), &first.id);
    assert_eq!(texts(&world), ["second"]);
}
