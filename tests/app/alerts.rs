//! Who looks elsewhere is called, once, for what they want to be called for.

use parlour::domain::chat;
use parlour::domain::effect::Effect;
use parlour::domain::event::{ClientEvent, Event, Outcome};
use parlour::domain::work::TeamDone;
use parlour::model::alert::{Alert, AlertKind};
use parlour::model::tool::InboxCall;
use parlour::model::{ClientId, Declared, ToolCall};
use parlour::screen::need::{self, Need};

use crate::support::events::{asked, claude, submitted, tool_began, turn_ended, turn_failed, works};
use crate::support::world::{ME, World, id};

const OTHER: ClientId = ClientId(2);

/// Somebody is attached, and looks at another chat than `auth`, which is at work.
fn elsewhere() -> World {
    let mut world = World::unwatched(&["auth", "dates"]);
    world.run("auth", claude());
    world.attach_to(ME, "dates");
    world.hook(submitted("fix it"));
    world.after(1_000);
    world
}

fn calls(effects: &[Effect]) -> Vec<(ClientId, Alert)> {
    let call = |effect: &Effect| match effect {
        Effect::Alert(client, alert) => Some((*client, alert.clone())),
        _ => None,
    };
    effects.iter().filter_map(call).collect()
}

fn kinds(effects: &[Effect]) -> Vec<AlertKind> {
    calls(effects).into_iter().map(|(_, alert)| alert.kind).collect()
}

fn commands(effects: &[Effect]) -> Vec<String> {
    let command = |effect: &Effect| match effect {
        Effect::Notify { command, alert } => Some(format!("{command}: {}", alert.words())),
        _ => None,
    };
    effects.iter().filter_map(command).collect()
}

#[test]
fn a_question_and_the_end_of_a_turn_call_for_the_person() {
    let mut world = elsewhere();
    assert_eq!(kinds(&world.hook(tool_began("t1", "Bash"))), []);
    let told = calls(&world.hook(asked("Bash")));
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0].0, ME);
    assert_eq!(told[0].1.words(), "auth needs you: Bash");
    assert_eq!(kinds(&world.after(60_000)), [], "once");
    assert_eq!(kinds(&world.hook(turn_ended(0))), []);

    let mut world = elsewhere();
    let effects = world.hook(turn_ended(0));
    assert_eq!(kinds(&effects), [AlertKind::Done]);
    assert!(commands(&effects).is_empty(), "no command is set");
    world.hook(submitted("again"));
    assert_eq!(kinds(&world.hook(turn_failed())), [AlertKind::Limit]);
}

#[test]
fn a_turn_that_a_queued_prompt_follows_is_not_done() {
    let mut world = elsewhere();
    world.follow_up("second");
    world.follow_up("third");
    assert_eq!(kinds(&world.hook(turn_ended(0))), [], "the second comes next");
}

#[test]
fn an_agent_that_ends_its_turn_blocked_needs_the_person_until_they_have_looked() {
    let mut world = elsewhere();
    let declared = Declared {
        status: "blocked".into(),
        note: "I need the release key".into(),
    };
    let call = ToolCall::Inbox(InboxCall::SetStatus(declared.clone()));
    let (work, _) = works(&world.tool("auth", call)).remove(0);
    let mut chat = world.state.domain.disk.chats[&id("auth")].clone();
    chat.declared = Some(declared);
    world.done(work, Outcome::Team(TeamDone::Declared(Box::new(chat))));
    let told = calls(&world.hook(turn_ended(0)));
    assert_eq!(
        told[0].1.words(),
        "auth needs you: blocked: I need the release key",
        "{told:?}"
    );
    assert_eq!(need::of(&world.state.domain, &id("auth")), Need::Waiting);
    world.attach_to(ME, "auth");
    world.after(2_000);
    assert_eq!(need::of(&world.state.domain, &id("auth")), Need::Idle);
    // Who is given a prompt is not blocked by what it said before.
    world.attach_to(ME, "dates");
    world.hook(submitted("here it is"));
    world.after(1_000);
    assert_eq!(kinds(&world.hook(turn_ended(0))), [AlertKind::Done]);
    let told = chat::json(&world.state.domain, &id("auth"));
    assert!(told["declared"].is_null(), "{told}");
}

#[test]
fn nobody_is_called_for_what_they_have_before_them() {
    let mut world = elsewhere();
    world.attach_to(OTHER, "auth");
    assert_eq!(kinds(&world.hook(turn_ended(0))), []);
    world.hook(submitted("again"));
    let lost = crossterm::event::Event::FocusLost;
    world.happens(Event::Client(OTHER, ClientEvent::Input(lost)));
    let told = calls(&world.hook(turn_ended(0)));
    assert_eq!(told.len(), 1, "its terminal has not the focus");
    assert_eq!(told[0].0, ME, "the terminal that one types in calls");
}

#[test]
fn of_several_terminals_the_one_calls_in_which_somebody_was_last() {
    let mut world = elsewhere();
    world.attach_to(OTHER, "dates");
    world.after(1_000);
    world.press("esc");
    world.after(1_000);
    let called = |world: &mut World, prompt: &str| {
        world.hook(submitted(prompt));
        world.after(1_000);
        calls(&world.hook(turn_ended(0)))
            .into_iter()
            .map(|(client, _)| client)
            .next()
    };
    assert_eq!(called(&mut world, "one"), Some(ME), "they pressed a key there");
    for client in [ME, OTHER] {
        let lost = crossterm::event::Event::FocusLost;
        world.happens(Event::Client(client, ClientEvent::Input(lost)));
    }
    world.after(1_000);
    assert_eq!(called(&mut world, "two"), Some(ME), "they left it last");
    world.after(1_000);
    let gained = crossterm::event::Event::FocusGained;
    world.happens(Event::Client(OTHER, ClientEvent::Input(gained)));
    assert_eq!(called(&mut world, "three"), Some(OTHER));
}

/// Many terminals tell nothing of the focus, over ssh most of all.
#[test]
fn a_terminal_that_tells_nothing_of_the_focus_does_not_call_for_the_one_that_was_typed_in() {
    let mut world = elsewhere();
    world.attach_to(OTHER, "dates");
    world.after(1_000);
    world.press("esc");
    world.after(1_000);
    let lost = crossterm::event::Event::FocusLost;
    world.happens(Event::Client(ME, ClientEvent::Input(lost)));
    world.after(1_000);
    world.hook(submitted("one"));
    world.after(1_000);
    let told = calls(&world.hook(turn_ended(0)));
    assert_eq!(told.into_iter().map(|(client, _)| client).collect::<Vec<_>>(), [ME]);
}

#[test]
fn a_command_runs_even_if_nobody_is_attached_and_only_for_what_is_wanted() {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", claude());
    world.sets(|settings| {
        settings.notify.command = Some("say".into());
        settings.notify.on = [AlertKind::Limit].into();
    });
    world.hook(submitted("fix it"));
    assert!(commands(&world.hook(turn_ended(0))).is_empty());
    world.hook(submitted("again"));
    let effects = world.hook(turn_failed());
    let ran = commands(&effects);
    assert_eq!(ran.len(), 1, "{ran:?}");
    assert!(ran[0].starts_with("say: auth cannot go on: "), "{ran:?}");
    assert!(calls(&effects).is_empty());
}

#[test]
fn a_chat_that_another_waits_for_calls_only_where_it_needs_a_person() {
    let mut world = World::unwatched(&["lead"]);
    world.chat("auth", "auth", 1).below("lead");
    world.run("auth", claude());
    world.attach_to(ME, "lead");
    world.hook(submitted("fix it"));
    assert_eq!(kinds(&world.hook(turn_ended(0))), []);
    world.hook(submitted("again"));
    world.hook(tool_began("t1", "Bash"));
    assert_eq!(kinds(&world.hook(asked("Bash"))), [AlertKind::NeedsYou]);
}
