//! A prompt goes into a composer that can be read: only where that is empty, entered only where it holds just the prompt,
//! and never together with what a person types.

use parlour::domain::agent::{delivery, queue};
use parlour::domain::event::Observed;
use parlour::domain::work::JournalWork;
use parlour::domain::{Effect, Event, PaneOrder, Work};
use parlour::model::queue::{QueueAsk, QueueChange};
use parlour::model::request::{ChatRequest, Request};
use parlour::model::{Activity, ClientId, Composer, Happened, PaneEvent, Source};
use serde_json::Value;

use crate::support::events::{
    asked, claude, custom, interrupted, jobs, orders, replies, session, submitted, told, tool_began, turn_ended, typed,
};
use crate::support::world::{World, id};

/// A client that types.
const MIA: ClientId = ClientId(9);

fn keys(world: &mut World, bytes: &[u8]) -> Vec<String> {
    typed(&parlour::domain::agent::input(
        &mut world.state.domain,
        &id("auth"),
        MIA,
        bytes.to_vec(),
    ))
}

fn holds(text: &str) -> Composer {
    Composer::Holds(text.into())
}

/// An agent at rest whose composer shows this.
fn at(composer: Composer) -> World {
    let mut world = World::at_rest();
    world.shows(composer);
    world
}

/// A prompt is pasted, and the composer shows it.
fn pasted(text: &str) -> World {
    let mut world = at(Composer::Empty);
    assert_eq!(typed(&world.send(text)), [text]);
    world.shows(holds(text));
    world
}

fn nothing() -> Vec<String> {
    Vec::new()
}

/// Why the first prompt waits, as its sender was told.
fn why(effects: &[Effect]) -> Vec<String> {
    let why = |(_, answer): (_, Result<Value, _>)| answer.unwrap()["why"].as_str().unwrap_or_default().to_string();
    replies(effects).into_iter().map(why).collect()
}

#[test]
fn a_persons_keys_wait_from_the_paste_until_the_enter_has_worked() {
    let mut world = pasted("fix it");
    assert_eq!(keys(&mut world, b"m"), nothing());
    assert_eq!(typed(&world.after(500)), ["\r"]);
    assert_eq!(keys(&mut world, b"y"), nothing());
    assert_eq!(typed(&world.after(100)), nothing(), "its text stands there still");
    world.shows(Composer::Empty);
    assert_eq!(typed(&world.after(100)), ["m", "y"]);
    assert_eq!(keys(&mut world, b"!"), ["!"]);
    assert_eq!(
        told(&world.hook(submitted("fix it"))),
        ["Person said fix it", "is running"]
    );
}

#[test]
fn that_keys_wait_is_shown() {
    let mut world = pasted("fix it");
    keys(&mut world, b"m");
    let waits = delivery::waiting(&world.state.domain, &id("auth"));
    assert_eq!(waits.as_deref(), Some("typing a prompt · your keys follow"));
}

#[test]
fn evidence_lets_the_keys_follow_too() {
    let mut world = pasted("fix it");
    world.after(500);
    keys(&mut world, b"m");
    assert_eq!(typed(&world.hook(submitted("fix it"))), ["m"]);
}

#[test]
fn keys_do_not_wait_for_long_and_never_pile_up() {
    let mut world = at(Composer::Empty);
    world.send("fix it");
    world.shows(holds("fix it and more"));
    keys(&mut world, b"m");
    assert_eq!(typed(&world.after(4_900)), nothing());
    assert_eq!(typed(&world.after(100)), ["m"]);
    assert_eq!(keys(&mut world, b"y"), ["y"]);

    let mut world = at(Composer::Empty);
    world.send("fix it");
    assert_eq!(keys(&mut world, b"m"), nothing());
    assert_eq!(keys(&mut world, &[b'y'; 64 << 10]).len(), 2);
}

#[test]
fn a_question_that_opens_gets_the_keys() {
    let mut world = pasted("fix it");
    world.hook(submitted("by hand"));
    keys(&mut world, b"m");
    assert_eq!(typed(&world.hook(asked("Bash"))), ["m"]);
    assert_eq!(keys(&mut world, b"y"), ["y"]);
    assert_eq!(typed(&world.after(10_000)), nothing());
}

#[test]
fn nothing_is_entered_beside_other_text_and_the_prompt_stays_queued() {
    let mut world = at(Composer::Empty);
    world.send("fix it");
    world.shows(holds("xfix it"));
    for _ in 0..40 {
        assert_eq!(typed(&world.after(1_000)), nothing());
    }
    let waits = delivery::waiting(&world.state.domain, &id("auth")).unwrap();
    assert!(waits.contains("beside other text"), "{waits}");
    // Once it stands there alone it is entered, and not typed again.
    assert_eq!(typed(&world.shows(holds("fix it"))), nothing());
    assert_eq!(typed(&world.after(500)), ["\r"]);
}

#[test]
fn what_was_left_and_is_erased_is_typed_again_and_what_a_person_sends_along_is_not() {
    let left = || {
        let mut world = at(Composer::Empty);
        world.send("fix it");
        world.shows(holds("xfix it"));
        (0..40).for_each(|_| drop(world.after(1_000)));
        world.shows(Composer::Empty);
        world
    };
    let mut world = left();
    assert_eq!(typed(&world.after(2_900)), nothing());
    assert_eq!(typed(&world.after(200)), ["fix it"]);

    let mut world = left();
    let effects = world.hook(submitted("xfix it"));
    assert!(told(&effects).contains(&"Person said xfix it".into()), "{effects:?}");
    world.hook(turn_ended(0));
    assert_eq!(typed(&world.after(60_000)), nothing());
}

#[test]
fn an_open_menu_is_not_typed_into() {
    let mut world = at(Composer::Absent);
    let mut effects = world.send("fix it");
    effects.extend(world.after(2_000));
    assert_eq!(
        (typed(&effects), why(&effects)),
        (
            nothing(),
            vec!["the agent's composer is not on its screen (a menu may be open)".to_string()]
        )
    );
    assert_eq!(typed(&world.after(600_000)), nothing());
    assert_eq!(typed(&world.shows(Composer::Empty)), ["fix it"]);
}

#[test]
fn a_prompt_that_only_a_person_can_let_through_asks_for_one() {
    let status = |world: &World| world.state.domain.status(&id("auth")).to_string();
    let mut world = at(Composer::Absent);
    world.send("fix it");
    world.after(9_000);
    assert_eq!(status(&world), "idle");
    let woken = world.after(1_000);
    assert_eq!(typed(&woken), nothing());
    assert_eq!(
        status(&world),
        "needs-you: a prompt waits: the agent's composer is not on its screen (a menu may be open)"
    );
    world.shows(Composer::Empty);
    assert_eq!(status(&world), "idle");
}

#[test]
fn a_draft_that_is_erased_by_a_held_key_is_waited_for() {
    let mut world = at(holds("my words"));
    assert_eq!(typed(&world.send("fix it")), nothing());
    keys(&mut world, b"\x7f");
    world.after(30);
    keys(&mut world, b"\x7f");
    assert_eq!(typed(&world.shows(Composer::Empty)), nothing());
    assert_eq!(typed(&world.after(500)), nothing());
    assert_eq!(typed(&world.after(100)), ["fix it"]);
}

#[test]
fn a_composer_that_is_seen_to_be_empty_counts_more_than_the_keys() {
    let mut world = at(Composer::Empty);
    keys(&mut world, b"h");
    world.after(600);
    assert_eq!(typed(&world.send("fix it")), ["fix it"]);
}

#[test]
fn a_long_paste_of_which_only_the_size_shows_is_entered_while_nobody_else_can_type() {
    let mut world = at(Composer::Empty);
    world.send("fix it");
    world.shows(Composer::Pasted);
    assert_eq!(typed(&world.after(500)), ["\r"]);

    let mut world = at(Composer::Empty);
    world.send("fix it");
    world.after(6_000);
    keys(&mut world, b"\x1b[200~my own\x1b[201~");
    world.shows(Composer::Pasted);
    assert_eq!(typed(&world.after(1_000)), nothing());
}

#[test]
fn an_enter_that_did_nothing_is_sent_once_more_and_never_blindly() {
    let mut world = pasted("fix it");
    world.after(500);
    assert_eq!(typed(&world.after(3_900)), nothing());
    assert_eq!(typed(&world.after(100)), ["\r"]);
    (0..20).for_each(|_| assert_eq!(typed(&world.after(1_000)), nothing()));

    let mut world = pasted("fix it");
    world.after(500);
    world.shows(Composer::Absent);
    (0..60).for_each(|_| assert_eq!(typed(&world.after(1_000)), nothing()));
}

#[test]
fn a_prompt_that_was_entered_without_a_sign_is_kept_and_looked_for_at_the_next_start() {
    let mut world = pasted("fix it");
    world.after(500);
    world.shows(Composer::Empty);
    world.after(100);
    let mut effects = world.after(1_500);
    effects.extend(world.after(13_500));
    assert_eq!(told(&effects), ["error in prompt"]);
    let kept = |effects: &[Effect]| {
        let prompts = jobs(effects).into_iter().filter_map(|job| match job {
            Work::Journal(JournalWork::Prompts(_, prompts, _)) => Some(prompts.len()),
            _ => None,
        });
        prompts.last()
    };
    assert_eq!(kept(&effects), Some(1));
    world.said(
        "auth",
        PaneEvent::Exited {
            code: Some(0),
            signal: None,
        },
    );
    world.run("auth", claude());
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    let mut effects = world.hook(session("resume"));
    effects.extend(world.happens(Event::Observed(id("auth"), Observed::ReadUp)));
    effects.extend(world.after(3_000));
    assert_eq!(typed(&effects), ["fix it"]);
}

/// Evidence of a prompt may come while the screen still shows it in the composer, and nobody watches what becomes of that.
#[test]
fn the_next_prompt_does_not_wait_for_what_the_last_one_left_on_the_screen() {
    let mut world = pasted("fix it");
    world.send("and this");
    assert_eq!(typed(&world.after(500)), ["\r"]);
    // The screen has changed since it was seen last, and nobody has told.
    world.composer = Some(Composer::Empty);
    let mut effects = world.hook(submitted("fix it"));
    effects.extend(world.hook(turn_ended(0)));
    assert_eq!(typed(&effects), ["and this"]);
}

#[test]
fn what_an_interrupt_puts_back_into_the_composer_is_entered_again() {
    let mut world = at(Composer::Empty);
    world.hook(submitted("by hand"));
    world.hook(tool_began("t1", "Bash"));
    world.send("also this");
    world.shows(holds("also this"));
    assert_eq!(typed(&world.after(500)), ["\r"]);
    world.shows(Composer::Empty);
    world.after(60_000);
    world.shows(holds("also this"));
    world.reads(vec![interrupted()]);
    assert_eq!(typed(&world.after(1_500)), ["\r"]);
}

#[test]
fn a_paste_is_framed_only_where_the_program_asks_for_that() {
    for (pastes, expected) in [(true, "\x1b[200~one\ntwo\x1b[201~"), (false, "one two")] {
        let mut world = World::unwatched(&["auth"]);
        world.pastes = pastes;
        world.run("auth", custom());
        world.hears(Source::Screen, Activity::Idle);
        let effects = world.send("one\ntwo");
        let typed = orders(&effects).into_iter().find_map(|order| match order {
            PaneOrder::Input(bytes) => Some(String::from_utf8(bytes).unwrap()),
            _ => None,
        });
        assert_eq!(typed.as_deref(), Some(expected));
    }
}

/// Claude Code puts a prompt that was interrupted before it was answered back into its composer, and on a busy machine now
/// and then one that it answered at once.
#[test]
fn a_prompt_of_parlours_own_that_was_put_back_is_no_draft_of_a_person() {
    for answered in [false, true] {
        let mut world = was_taken("look at this", answered);
        world.after(4_000);
        world.shows(holds("look at this"));
        assert_eq!(typed(&world.send("rather this")), ["\x03"]);
        assert_eq!(typed(&world.after(2_000)), [""; 0], "once");
        let mut effects = world.shows(Composer::Empty);
        effects.extend(world.after(2_000));
        assert_eq!(typed(&effects), ["rather this"]);
    }
}

#[test]
fn what_a_person_wrote_into_a_prompt_that_was_put_back_is_theirs() {
    let mut world = at(Composer::Empty);
    world.send("look at this");
    world.shows(holds("look at this"));
    world.after(500);
    world.hook(submitted("look at this"));
    world.after(20_000);
    world.hears(Source::SessionFile, Activity::Idle);
    world.shows(holds("look at this too"));
    assert_eq!(typed(&world.send("rather this")), [""; 0]);
}

/// The prompt was entered, and the agent rests again.
fn was_taken(text: &str, answered: bool) -> World {
    let mut world = pasted(text);
    world.after(500);
    world.hook(submitted(text));
    world.shows(Composer::Empty);
    world.after(20_000);
    if answered {
        let (id, text) = ("m1".into(), "done".into());
        world.reads(vec![Happened::Text { id, text }]);
        world.hook(turn_ended(0));
    }
    world.hears(Source::SessionFile, Activity::Idle);
    world
}

/// Each CLI can go back in its conversation, and puts the prompt that it went back before into its composer.
#[test]
fn a_prompt_that_a_person_went_back_to_is_their_draft() {
    let mut world = was_taken("look at this", true);
    keys(&mut world, b"\x1b");
    world.after(2_000);
    world.shows(holds("look at this"));
    let mut effects = world.send("rather this");
    effects.extend(world.shows(holds("look at this")));
    effects.extend(world.after(10_000));
    assert_eq!(typed(&effects), nothing());
    assert_eq!(why(&effects), ["there is an unsent draft in the agent's composer"]);

    let mut world = was_taken("look at this", false);
    for key in ["/rewind", "\r", "\x1b[A", "\r"] {
        keys(&mut world, key.as_bytes());
    }
    world.after(2_000);
    world.shows(holds("look at this"));
    let mut effects = world.send("rather this");
    effects.extend(world.after(10_000));
    assert_eq!(typed(&effects), nothing());
}

/// A person broke the turn off by a key in its terminal.
#[test]
fn a_prompt_that_the_key_of_a_person_put_back_is_none() {
    let mut world = pasted("look at this");
    world.after(500);
    world.hook(submitted("look at this"));
    world.shows(Composer::Empty);
    world.after(5_000);
    keys(&mut world, b"\x1b");
    world.hears(Source::SessionFile, Activity::Idle);
    world.after(4_000);
    world.shows(holds("look at this"));
    assert_eq!(typed(&world.send("rather this")), ["\x03"]);
}

/// The key that erases a prompt that was put back would interrupt the turn that this one has begun.
#[test]
fn a_prompt_that_is_still_drawn_as_its_turn_begins_is_not_erased_for_the_next() {
    let mut world = at(Composer::Empty);
    world.send("the first");
    world.shows(holds("the first"));
    world.after(500);
    world.send("the second");
    let mut effects = world.hook(submitted("the first"));
    effects.extend(world.after(300));
    assert_eq!(typed(&effects), [""; 0]);
    let mut effects = world.shows(Composer::Empty);
    effects.extend(world.after(3_000));
    assert_eq!(typed(&effects), ["the second"]);
}

/// The turn is over before a busy machine has drawn its prompt as taken: the same key would break off what still runs of
/// its end.
#[test]
fn a_prompt_that_is_still_drawn_as_its_turn_ends_is_not_erased_for_the_next() {
    let mut world = at(Composer::Empty);
    world.send("the first");
    world.shows(holds("the first"));
    world.after(500);
    world.hook(submitted("the first"));
    world.hook(turn_ended(0));
    let mut effects = world.send("the second");
    effects.extend(world.shows(holds("the first")));
    effects.extend(world.after(1_000));
    assert_eq!(typed(&effects), [""; 0]);
    let mut effects = world.shows(Composer::Empty);
    effects.extend(world.after(3_000));
    assert_eq!(typed(&effects), ["the second"]);
}

#[test]
fn a_prompt_is_entered_whose_accents_and_letters_the_screen_draws_its_own_way() {
    for (text, shown) in [
        ("comb e\u{301} end", "comb é end"),
        ("हिन्दी ก้ำ ภาษา", "हिन् ก้ำ ภาษ"),
        ("हिन्दी में लिखो", "हिन्दी मे लिखो"),
    ] {
        let mut world = at(Composer::Empty);
        world.send(text);
        world.shows(holds(shown));
        assert_eq!(typed(&world.after(500)), ["\r"], "{text}");
    }
}

/// The composer shows the first prompt beside or without something for so long that it is left there.
fn left(shown: Composer) -> World {
    let mut world = at(Composer::Empty);
    world.send("fix it");
    world.shows(shown);
    (0..40).for_each(|_| drop(world.after(1_000)));
    world
}

#[test]
fn other_text_is_named_only_where_there_is_other_text() {
    let why = |shown: Composer| delivery::waiting(&left(shown).state.domain, &id("auth")).unwrap();
    assert!(why(holds("fix it or not")).contains("beside other text"));
    assert!(why(holds("fix")).contains("whether all of it does cannot be read"));
}

#[test]
fn a_prompt_that_stands_in_the_composer_is_removed_from_there_and_the_next_one_is_typed() {
    let mut world = left(holds("fix"));
    assert_eq!(typed(&world.send("and this")), nothing());
    assert_eq!(typed(&remove_first(&mut world)), ["\u{3}"]);
    assert_eq!(typed(&world.shows(Composer::Empty)), ["and this"]);
}

#[test]
fn what_a_person_typed_beside_it_stays() {
    let mut world = left(holds("fix"));
    keys(&mut world, b"m");
    world.after(1_000);
    assert_eq!(typed(&remove_first(&mut world)), nothing());
}

fn remove_first(world: &mut World) -> Vec<Effect> {
    let prompt = queue::list(&world.state.domain, &id("auth")).remove(0).id;
    let change = QueueChange::Remove;
    world.ask(Request::Chat(ChatRequest::Queue {
        chat: "auth".into(),
        ask: QueueAsk::Change { prompt, change },
    }))
}

#[test]
fn a_prompt_that_is_taken_after_all_is_said_to_be() {
    let mut world = pasted("fix it");
    world.after(500);
    world.shows(Composer::Empty);
    world.after(100);
    let mut effects = world.after(1_500);
    effects.extend(world.after(13_500));
    assert_eq!(told(&effects), ["error in prompt"]);
    let said = told(&world.hook(submitted("fix it")));
    let expected = "the prompt that the agent gave no sign of was taken after all";
    assert!(said.contains(&expected.to_string()), "{said:?}");
}
