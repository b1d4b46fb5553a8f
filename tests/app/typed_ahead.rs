//! Prompts that a CLI takes in while a turn goes on, and keeps until it comes to them.

use crate::support::events::{
    SHELL, asked, bash_began, interrupted, replies, submitted, told, tool_began, turn_ended, typed,
};
use crate::support::world::{World, id};
use parlour::domain::agent::delivery_receipt::sent;
use parlour::domain::event::Observed;
use parlour::domain::{Effect, Event};
use parlour::model::entry::From;
use parlour::model::{Activity, Happened, HookEvent, Source};

/// What a newer Claude Code tells of a prompt as it is entered while a turn goes on: the id is that of the turn.
fn typed_ahead(turn: &str, text: &str) -> HookEvent {
    HookEvent::Prompt {
        id: format!("prompt-{turn}"),
        text: text.into(),
    }
}

/// What its transcript tells then: the id is another.
fn comes_to(text: &str) -> Happened {
    Happened::Prompt {
        id: format!("later-{text}"),
        text: text.into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

#[test]
fn a_prompt_that_was_entered_as_the_turn_ended_is_told_when_its_cli_comes_to_it() {
    let mut world = World::at_rest();
    world.hook(submitted("write it"));
    world.send("slow one");
    world.follow_up("and then this");
    assert_eq!(typed(&world.after(500)), ["\r"]);
    world.hook(turn_ended(0));
    let effects = world.hook(typed_ahead("write it", "slow one"));
    assert_eq!(replies(&effects), [], "it may still be lost");
    assert_eq!(world.status(), "running");
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "running", "its next turn is about to begin");
    let effects = world.reads(vec![comes_to("slow one")]);
    assert_eq!(told(&effects), ["Person said slow one"]);
    assert_eq!(replies(&effects), [(SHELL, Ok(sent("auth", "")))]);
    assert_eq!(
        typed(&world.after(60_000)),
        [""; 0],
        "what follows waits for the end of that turn"
    );
    assert_eq!(world.status(), "running");
    assert_eq!(typed(&world.hook(turn_ended(0))), ["and then this"]);
}

/// Claude Code, where `Esc` ends an answer behind which a prompt waits: its title rests, its hook tells of the prompt, and then
/// its transcript of the answer.
#[test]
fn a_prompt_that_follows_an_interrupt_is_told_behind_it() {
    let mut world = World::at_rest();
    world.hook(submitted("a long story"));
    world.hears(Source::Title, Activity::Busy(None));
    world.after(3_000);
    world.hears(Source::Title, Activity::Idle);
    assert_eq!(world.status(), "idle");
    let effects = world.hook(submitted("thanks"));
    let said = |effects: &[Effect]| {
        let all = told(effects).into_iter();
        all.filter(|line| !line.starts_with("is ")).collect::<Vec<_>>()
    };
    assert_eq!(said(&effects), [""; 0], "what came before it is yet to be read");
    assert_eq!(world.status(), "running");
    let text = Happened::Text {
        id: "story".into(),
        text: "Once upon a time".into(),
    };
    let mut effects = world.reads(vec![text]);
    effects.extend(world.reads(vec![interrupted()]));
    effects.extend(world.reads(vec![comes_to("thanks")]));
    assert_eq!(said(&effects), ["text", "interrupt", "Person said thanks"]);
    assert_eq!(world.status(), "running");
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_prompt_that_its_cli_kept_and_never_came_to_keeps_the_agent_busy_for_a_moment_only() {
    let mut world = World::at_rest();
    world.hook(submitted("write it"));
    world.hook(typed_ahead("write it", "by hand"));
    world.after(60_000);
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "running");
    world.after(2_999);
    assert_eq!(world.status(), "running");
    world.after(1);
    assert_eq!(world.status(), "idle");
}

/// Gemini CLI, behind a tool's result: its hook ends the turn, and a moment later another one says that it goes on.
#[test]
fn a_turn_that_ends_with_an_empty_answer_counts_as_at_work_until_its_cli_has_asked_again() {
    let mut world = World::at_rest();
    let answers_nothing = |world: &mut World| {
        world.happens(Event::Observed(id("auth"), Observed::AnsweredNothing));
        world.after(100);
        world.hook(turn_ended(0));
        assert_eq!(world.status(), "running");
        world.after(150);
        assert_eq!(
            world.status(),
            "running",
            "no prompt is typed, and nobody is told of its end"
        );
    };
    world.hook(submitted("write it"));
    answers_nothing(&mut world);
    world.hook(HookEvent::WorksOn { tool: String::new() });
    world.after(60_000);
    world.hook(turn_ended(0));
    assert_eq!(world.status(), "idle", "it has answered then");
    // It does not ask again for ever.
    world.hook(submitted("once more"));
    answers_nothing(&mut world);
    world.after(450);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_prompt_that_is_typed_ahead_withdraws_no_question() {
    let mut world = World::at_rest();
    world.hook(submitted("write it"));
    world.hook(tool_began("t1", "Write"));
    world.send("steered");
    world.after(500);
    world.hook(asked("Write"));
    world.hook(typed_ahead("write it", "steered"));
    assert!(world.status().starts_with("needs-you"), "{}", world.status());
    let effects = world.reads(vec![comes_to("steered")]);
    assert_eq!(told(&effects), ["Person said steered"]);
    assert!(world.status().starts_with("needs-you"), "{}", world.status());
}

/// Claude Code tells of it after the interrupt that made it come to it.
#[test]
fn a_prompt_that_waited_as_a_person_broke_the_turn_off_begins_a_turn_of_its_own() {
    let mut world = World::at_rest();
    world.hook(submitted("write it"));
    world.hook(bash_began("t1", "sleep 20"));
    world.after(4_000);
    world.send("slow one");
    world.after(500);
    world.hook(typed_ahead("write it", "slow one"));
    world.after(1_000);
    let effects = world.reads_late(100, vec![interrupted(), comes_to("slow one")]);
    assert_eq!(
        told(&effects),
        ["t1 Interrupted", "interrupt", "Person said slow one", "is running"]
    );
    assert!(!format!("{effects:?}").contains("steer: true"), "{effects:?}");
    assert_eq!(world.status(), "running");
    world.hook(bash_began("t2", "sleep 30"));
    world.hears(Source::Title, Activity::Idle);
    assert_eq!(world.status(), "running: Bash");
    let ended = world.hook(turn_ended(0));
    assert_eq!(told(&ended), ["t2 Interrupted", "is idle"]);
    assert_eq!(world.status(), "idle");
}
