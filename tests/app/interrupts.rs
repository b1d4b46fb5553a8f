//! Turns that are broken off: by parlour, by a key in the CLI, by a refusal.

use parlour::domain::agent;
use parlour::model::{Activity, Happened, HookEvent, Source};

use crate::support::events::{bash_asked, bash_began, interrupted, submitted, told, turn_ended};
use crate::support::world::{World, id};

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

#[test]
fn what_its_cli_tells_of_an_interrupt_is_not_told_twice() {
    let mut world = at_work();
    world.after(100);
    agent::interrupt(&mut world.state.domain, &id("auth"));
    world.after(300);
    assert_eq!(told(&world.reads(vec![interrupted()])), ["interrupt", "is idle"]);
    assert_eq!(told(&world.after(20_000)), [""; 0]);
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
