//! Turns that are broken off: by parlour, by a key in the CLI, by a refusal.

use parlour::domain::event::Observed;
use parlour::domain::{Event, agent};
use parlour::model::chat::Pending;
use parlour::model::entry::From;
use parlour::model::{Activity, Composer, Happened, HookEvent, Source};

use crate::support::events::{
    bash_asked, bash_began, claude, interrupted, session, shown, submitted, told, turn_ended, typed,
};
use crate::support::world::{World, id, noon};

fn at_work() -> World {
    let mut world = World::at_rest();
    world.hook(submitted("fix it"));
    world
}

/// Claude Code writes no line where a prompt is interrupted that it tries again.
#[test]
fn an_interrupt_of_parlours_own_is_told_where_the_cli_does_not() {
    let mut world = at_work();
    world.after(100);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    world.after(300);
    world.hears(Source::SessionFile, Activity::Idle);
    assert_eq!(world.status(), "idle");
    assert_eq!(told(&world.after(2_000)), ["interrupt", "is idle"]);
    assert_eq!(world.status(), "idle: interrupted");
    assert_eq!(told(&world.after(20_000)), [""; 0]);
}

/// It is the CLI's no more, so its agent rests as any other.
#[test]
fn a_prompt_that_was_interrupted_before_its_cli_wrote_it_down_is_waited_for_no_longer() {
    let mut world = World::at_rest();
    world.send("fix it");
    world.after(500);
    world.hook(submitted("fix it"));
    let waits = |world: &World| {
        world.state.domain.live.agents[&id("auth")]
            .outbox
            .queued_prompts()
            .count()
    };
    assert_eq!(waits(&world), 1);
    world.after(100);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    world.after(300);
    world.hears(Source::SessionFile, Activity::Idle);
    world.after(2_000);
    assert_eq!((waits(&world), world.status().as_str()), (0, "idle: interrupted"));
}

/// Claude Code heard the key before it began: what says that it rests says so since before.
#[test]
fn a_turn_that_only_its_hook_told_of_as_it_was_broken_off_never_began() {
    let mut world = World::at_rest();
    world.hears(Source::SessionFile, Activity::Idle);
    world.hears(Source::Title, Activity::Idle);
    world.after(5_000);
    world.hook(submitted("fix it"));
    world.after(20);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    assert_eq!(world.status(), "running");
    assert_eq!(told(&world.after(2_000)), ["interrupt", "is idle"]);
    assert_eq!(world.status(), "idle: interrupted");

    let mut world = at_work();
    world.hears(Source::Title, Activity::Busy(None));
    world.after(100);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    assert_eq!(told(&world.after(20_000)), [""; 0], "the key did nothing");
    assert_eq!(world.status(), "running");
}

#[test]
fn what_its_cli_tells_of_an_interrupt_is_not_told_twice() {
    let mut world = at_work();
    world.after(100);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    world.after(300);
    let effects = world.reads(vec![interrupted()]);
    assert_eq!(told(&effects), ["interrupt", "is idle"]);
    // To the CLI it was Esc.
    let causes = format!("{effects:?}");
    assert!(causes.contains("by a person") && !causes.contains("Esc"), "{causes}");
    assert_eq!(told(&world.after(20_000)), [""; 0]);
    let mut world = at_work();
    world.after(100);
    let causes = format!("{:?}", world.reads(vec![interrupted()]));
    assert!(causes.contains("Esc"), "{causes}");
}

#[test]
fn a_turn_that_ended_by_itself_was_not_interrupted() {
    let mut world = at_work();
    world.after(100);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    world.hook(turn_ended(0));
    assert_eq!(told(&world.after(20_000)), [""; 0]);
    assert_eq!(world.status(), "idle");
}

#[test]
fn a_compaction_that_two_sources_tell_is_told_once() {
    let mut world = at_work();
    let trigger = || "manual".to_string();
    let hook = HookEvent::Compacting { trigger: trigger() };
    let line = || Happened::Compaction { trigger: trigger() };
    assert_eq!(told(&world.hook(hook.clone())), ["compaction"]);
    assert_eq!(told(&world.reads(vec![line()])), [""; 0]);
    assert_eq!(told(&world.reads(vec![line()])), ["compaction"]);
    assert_eq!(told(&world.hook(hook)), [""; 0]);
}

/// To Codex and Gemini CLI a refusal is the same key as an interrupt, and their word of it is too.
#[test]
fn a_turn_that_a_refusal_ended_was_interrupted_by_nobody() {
    let mut world = at_work();
    world.hook(bash_began("t1", "make"));
    world.hook(bash_asked("make"));
    world.after(100);
    let effects = world.reads(vec![interrupted()]);
    let told = format!("{effects:?}");
    assert!(told.contains("a call was refused, which ended the turn"), "{told}");
    assert_eq!(world.status(), "idle");
}

/// Its hook tells of a prompt that nothing else shows any more.
#[test]
fn a_turn_that_was_broken_off_before_its_hook_told_of_it_is_over() {
    let mut world = World::at_rest();
    world.shows(Composer::Empty);
    world.send("fix it");
    world.shows(Composer::Holds("fix it".into()));
    assert_eq!(typed(&world.after(500)), ["\r"]);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    world.hears(Source::SessionFile, Activity::Idle);
    world.after(100);
    world.hook(submitted("fix it"));
    world.hears(Source::Title, Activity::Idle);
    assert_eq!(world.status(), "running");
    let mut effects = world.after(1_500);
    effects.extend(world.after(1_500));
    assert_eq!(told(&effects), ["interrupt", "is idle"]);
    assert_eq!(world.status(), "idle: interrupted");
}

#[test]
fn a_turn_that_works_on_was_not_broken_off() {
    let mut world = World::at_rest();
    world.send("fix it");
    world.after(500);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    world.after(100);
    world.hook(submitted("fix it"));
    world.hears(Source::SessionFile, Activity::Busy(None));
    (0..10).for_each(|_| drop(world.after(1_000)));
    assert_eq!(world.status(), "running");
}

/// Claude Code writes no line of it, so the record would type it again.
#[test]
fn a_prompt_that_was_taken_back_is_not_kept_for_the_next_start() {
    let mut world = World::at_rest();
    world.send("fix it");
    world.after(500);
    world.hook(submitted("fix it"));
    assert_eq!(world.on_disk("auth").record.prompts.len(), 1);
    world.after(100);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    world.hears(Source::SessionFile, Activity::Idle);
    world.after(2_000);
    assert_eq!(world.status(), "idle: interrupted");
    assert_eq!(world.on_disk("auth").record.prompts, []);
}

/// The transcript of a session that an agent takes up, whose last process was killed a minute ago.
fn taken_up(lines: Vec<Happened>) -> (World, Vec<String>) {
    let mut world = World::unwatched(&["auth"]);
    let begun = Pending {
        begun: true,
        ..Pending::new("fix it".into(), From::Person, noon())
    };
    world.edits("auth", |chat| chat.record.prompts = vec![begun]);
    world.run_unread("auth", claude());
    let mut effects = world.reads_late(60_000, lines);
    effects.extend(world.is_read_up("auth"));
    world.happens(Event::Observed(id("auth"), Observed::McpConnected));
    effects.extend(world.hook(session("resume")));
    effects.extend(world.after(10_000));
    assert_eq!(typed(&effects), [""; 0], "the agent has it");
    (world, told(&effects))
}

#[test]
fn a_prompt_that_the_last_process_took_and_did_not_answer_was_interrupted() {
    let (world, told) = taken_up(vec![shown("fix it")]);
    assert_eq!(told, ["Person said fix it", "interrupt", "session", "is idle"]);
    assert_eq!(world.status(), "idle: interrupted");
}

#[test]
fn a_prompt_that_the_last_process_answered_was_not() {
    let text = Happened::Text {
        id: "t1".into(),
        text: "Done.".into(),
    };
    let (world, told) = taken_up(vec![shown("fix it"), text]);
    assert_eq!(told, ["Person said fix it", "text", "session", "is idle"]);
    assert_eq!(world.status(), "idle");
}

#[test]
fn what_cut_a_turn_off_before_the_process_began_is_not_called_a_persons_key() {
    let (world, told) = taken_up(vec![shown("fix it"), interrupted()]);
    assert_eq!(told, ["Person said fix it", "interrupt", "is idle", "session"]);
    assert_eq!(world.status(), "idle: interrupted");
}

#[test]
fn the_question_says_in_words_of_the_screen_that_what_is_asked_is_denied_with_it() {
    let mut world = World::morning(120, 40);
    world.press("3 i");
    let picture = world.picture();
    assert!(picture.contains("Interrupt the turn?"), "{picture}");
    assert!(
        picture.contains("needs you:") && !picture.contains("needs-you"),
        "{picture}"
    );
    assert!(picture.contains("What it asks for is denied with it."), "{picture}");
}

/// OpenCode writes that it was aborted when it is ended with the engine.
#[test]
fn a_turn_that_was_cut_with_the_engine_is_not_called_interrupted_by_a_key_too() {
    let mut world = World::unwatched(&["auth"]);
    world.edits("auth", |chat| chat.interrupted = true);
    world.run_unread("auth", claude());
    let mut effects = world.reads_late(60_000, vec![interrupted()]);
    effects.extend(world.is_read_up("auth"));
    assert!(
        !told(&effects).contains(&"interrupt".to_string()),
        "{:?}",
        told(&effects)
    );
    effects = world.hook(session("resume"));
    effects.extend(world.after(10_000));
    assert_eq!(world.status(), "idle: interrupted");
    // What interrupts it from now on is told.
    world.hook(submitted("again"));
    world.after(100);
    assert_eq!(told(&world.reads(vec![interrupted()])), ["interrupt", "is idle"]);
}
