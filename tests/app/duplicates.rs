//! A chat made of another one: called after it, told of in its first lines, and started.

use std::collections::BTreeMap;

use parlour::domain::event::Outcome;
use parlour::domain::work::{AgentWork, ChatDone, ChatWork, JournalWork};
use parlour::domain::{Effect, Work};
use parlour::model::request::{ChatRequest, Request};
use parlour::model::review::Point;
use parlour::model::{ChatId, Happened, Reported, Timestamp};
use parlour::screen::view::Mode;
use serde_json::json;

use crate::support::events::{claude, jobs, replies, told, works};
use crate::support::review::{answer, listed, reviewed};
use crate::support::transcript::{kinds, read};
use crate::support::world::{ME, World, id};

fn duplicate(world: &mut World, name: Option<&str>) -> Vec<Effect> {
    world.ask(Request::Chat(ChatRequest::Duplicate {
        chat: "auth".into(),
        name: name.map(str::to_string),
        at: None,
        env: BTreeMap::new(),
    }))
}

fn made(world: &mut World, effects: &[Effect]) -> Vec<Effect> {
    let (work, _) = works(effects).remove(0);
    world.chat("copy", "copy: auth", 0);
    let chat = Box::new(world.on_disk("copy"));
    let notes = vec!["made of auth".to_string()];
    world.done(work, Outcome::Chat(ChatDone::Duplicated { chat, notes }))
}

#[test]
fn a_duplicate_is_called_after_the_original_unless_it_gets_a_name() {
    let mut world = World::unwatched(&["auth"]);
    for (name, called) in [
        (None, "copy: auth"),
        (Some("Another way"), "Another way"),
        (Some(" "), "copy: auth"),
    ] {
        let jobs = jobs(&duplicate(&mut world, name));
        assert!(
            matches!(jobs.as_slice(), [Work::Chat(ChatWork::Duplicate { from, new, .. })] if *from == id("auth") && new.name == called),
            "{jobs:?}"
        );
    }
}

#[test]
fn what_tells_a_fork_from_its_original_stands_first() {
    let called = |world: &mut World, chat: &str| {
        let effects = world.ask(Request::Chat(ChatRequest::Duplicate {
            chat: id(chat).to_string(),
            name: None,
            at: Some(Point::Turn(1)),
            env: BTreeMap::new(),
        }));
        jobs(&effects).into_iter().find_map(|job| match job {
            Work::Chat(ChatWork::Duplicate { new, .. }) => Some((new.name, new.handle.to_string())),
            _ => None,
        })
    };
    let named = |name: &str, handle: &str| Some((name.to_string(), handle.to_string()));
    let mut world = World::unwatched(&["auth"]);
    assert_eq!(called(&mut world, "auth"), named("fork: auth", "fork-auth"));

    world.chat("one", "fork: auth", 0);
    assert_eq!(called(&mut world, "auth"), named("fork 2: auth", "fork-2-auth"));
    assert_eq!(
        called(&mut world, "one"),
        named("fork 2: auth", "fork-2-auth"),
        "a fork of a fork piles up no marks"
    );

    let long = "auth ".repeat(20);
    world.chat("long", &long, 0);
    let (name, _) = called(&mut world, "long").unwrap();
    assert!(
        name.starts_with("fork: auth auth") && name.chars().count() <= 80,
        "{name}"
    );
    world.chat("again", &name, 0);
    let (second, _) = called(&mut world, "long").unwrap();
    assert!(second.starts_with("fork 2: auth auth"), "{second}");

    world.chat("minutes", "fork in the road: minutes", 0);
    assert_eq!(
        called(&mut world, "minutes").unwrap().0,
        "fork: fork in the road: minutes"
    );
}

#[test]
fn its_transcript_begins_with_where_it_came_from_and_its_agent_starts() {
    let mut world = World::unwatched(&["auth"]);
    let effects = duplicate(&mut world, None);
    let effects = made(&mut world, &effects);
    assert_eq!(told(&effects), ["made of auth"]);
    let (work, job) = works(&effects).pop().unwrap();
    assert!(matches!(job, Work::Agent(AgentWork::Start { .. })));
    let effects = world.prepared(work, "copy", claude());
    let (_, answer) = replies(&effects).remove(0);
    assert_eq!(answer.unwrap()["notes"], json!(["made of auth"]));
}

/// The key, and the yes to its question.
fn asked_for(world: &mut World) -> Vec<Effect> {
    let looks = |effect: &Effect| matches!(effect, Effect::Work(_, Work::Keep(_)));
    assert!(world.press("+").iter().all(looks));
    assert!(world.picture().contains("Duplicate?"), "{}", world.picture());
    world.calm();
    let effects = world.press("y");
    world.calm();
    effects
}

#[test]
fn a_key_makes_one_and_shows_it() {
    let mut world = World::unwatched(&["auth"]);
    world.attach(ME, 120, 40);
    world.state.views.get_mut(&ME).unwrap().chat = Some(id("auth"));
    let effects = asked_for(&mut world);
    made(&mut world, &effects);
    assert_eq!(world.view().chat, Some(id("copy")));
    assert!(world.picture().contains("made of auth"));
}

#[test]
fn what_was_said_before_it_was_made_is_not_its_own() {
    let mut world = World::at_rest();
    world.edits("auth", |chat| chat.record.origin.forked = Some("0ld".into()));
    let born = world.on_disk("auth").record.created;
    let said = |ms: i64, text: &str| Reported {
        at: Some(Timestamp(born.0 + ms)),
        what: Happened::Text {
            id: text.into(),
            text: text.into(),
        },
    };
    let lines = vec![said(-10, "theirs"), said(10, "ours")];
    let mark = parlour::model::Mark {
        file: "session.jsonl".into(),
        to: 2,
    };
    let heard = parlour::domain::event::Observed::Transcript(lines, mark);
    let effects = world.happens(parlour::domain::Event::Observed(id("auth"), heard));
    let written = jobs(&effects).into_iter().find_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => Some(lines.len()),
        _ => None,
    });
    assert_eq!(written, Some(1));
}

/// The moment of which a chat is made, and below which chat it stands as a dispatched one.
fn forked(effects: &[Effect]) -> Option<(Point, Option<ChatId>)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Work(_, Work::Chat(ChatWork::Duplicate { at, new, .. })) => Some(((*at)?, new.parent.clone())),
        _ => None,
    })
}

#[test]
fn f_forks_from_the_chosen_checkpoint_or_turn() {
    let mut world = listed(120, 40);
    let at = |world: &mut World| {
        assert_eq!(
            forked(&world.press("F y")),
            None,
            "it asks, and a yes counts once nothing follows it"
        );
        let asked = forked(&world.later(500)).map(|(at, _)| at);
        world.press("esc");
        world.calm();
        asked
    };
    assert_eq!(at(&mut world), Some(Point::Checkpoint(11)));
    world.press("j");
    assert_eq!(at(&mut world), Some(Point::Checkpoint(10)));

    let mut world = reviewed(120, 40);
    let last = at(&mut world);
    let effects = world.press("[");
    answer(&mut world, effects);
    assert!(
        matches!((last, at(&mut world)), (Some(Point::Turn(last)), Some(Point::Turn(before))) if before == last - 1)
    );
}

#[test]
fn without_a_chosen_moment_f_says_where_to_choose_one() {
    let mut world = World::morning(120, 40);
    assert_eq!(forked(&world.press("F")), None);
    let text = &world.view().over.toasts.last().unwrap().text;
    assert!(text.contains("to fork from"), "{text}");
}

#[test]
fn a_fork_before_a_prompt_says_which_that_is() {
    let mut world = read(120, 40, &kinds());
    world.press("[ F");
    let picture = world.picture();
    assert!(picture.contains("“Have somebody look for other places.”"), "{picture}");
}

#[test]
fn a_fork_of_a_dispatched_chat_is_a_persons_own() {
    let mut world = World::morning(120, 40);
    let duplicated = |world: &mut World, at| {
        world.ask(Request::Chat(ChatRequest::Duplicate {
            chat: "try-redis".into(),
            name: None,
            at,
            env: BTreeMap::new(),
        }))
    };
    let at = Point::Turn(1);
    assert_eq!(forked(&duplicated(&mut world, Some(at))), Some((at, None)));
}

#[test]
fn whoever_types_elsewhere_while_a_copy_is_made_stays_there() {
    for (keys, chat, mode) in [("", "copy", Mode::Agent), ("j", "memcd", Mode::Outside)] {
        let mut world = World::morning(120, 40);
        let effects = asked_for(&mut world);
        if !keys.is_empty() {
            world.press(keys);
        }
        made(&mut world, &effects);
        assert_eq!(
            (world.view().chat.clone(), world.view().mode),
            (Some(id(chat)), mode),
            "{keys}"
        );
    }
}

#[test]
fn what_is_typed_while_a_fork_is_made_reaches_no_agent() {
    let asked = |world: &mut World| {
        world.press("F");
        world.calm();
        world.press("y")
    };
    // The question stays until it is there.
    let mut world = listed(120, 40);
    let effects = asked(&mut world);
    assert!(world.picture().contains("Forking…"), "{}", world.picture());
    world.press("h i");
    made(&mut world, &effects);
    assert_eq!(world.view().chat, Some(id("copy")));
    assert_eq!(world.press("x"), [], "what was typed on goes nowhere");
    // Whoever leaves it stays where they are.
    let mut world = listed(120, 40);
    let before = world.view().chat.clone();
    let effects = asked(&mut world);
    world.press("esc");
    made(&mut world, &effects);
    assert_eq!((world.view().chat.clone(), world.view().mode), (before, Mode::Outside));
}
