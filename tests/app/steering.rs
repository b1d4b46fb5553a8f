//! Prompts that go into a turn that runs, and those that begin one.

use parlour::domain::work::JournalWork;
use parlour::domain::{Effect, Work};
use parlour::model::entry::From;
use parlour::model::{Happened, HookEvent, Reported};

use crate::support::events::{jobs, submitted, turn_ended};
use crate::support::world::World;

/// Of each prompt that is written down: its text, and whether it steered.
fn steered(effects: &[Effect]) -> Vec<(String, bool)> {
    let lines = jobs(effects).into_iter().filter_map(|job| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => Some(lines),
        _ => None,
    });
    let prompt = |line: Reported| match line.what {
        Happened::Prompt { text, steer, .. } => Some((text, steer)),
        _ => None,
    };
    lines.flatten().filter_map(prompt).collect()
}

#[test]
fn a_prompt_that_goes_into_a_turn_that_runs_begins_none() {
    let mut world = World::at_rest();
    assert_eq!(steered(&world.hook(submitted("by hand"))), [("by hand".into(), false)]);
    world.send("not in src");
    world.after(500);
    let effects = world.hook(submitted("not in src"));
    assert_eq!(steered(&effects), [("not in src".into(), true)]);
    world.hook(turn_ended(0));
    world.send("go on");
    world.after(500);
    assert_eq!(steered(&world.hook(submitted("go on"))), [("go on".into(), false)]);
}

/// Its CLI kept it until the turn's end.
#[test]
fn a_prompt_that_comes_too_late_for_a_turn_begins_the_next() {
    let mut world = World::at_rest();
    world.hook(submitted("by hand"));
    world.send("not in src");
    world.after(500);
    world.hook(turn_ended(0));
    let effects = world.hook(submitted("not in src"));
    assert_eq!(steered(&effects), [("not in src".into(), false)]);
}

#[test]
fn a_prompt_that_a_person_types_in_the_terminal_of_a_turn_that_runs_begins_none() {
    let mut world = World::at_rest();
    let by_hand = |text: &str, id: &str| Happened::Prompt {
        id: id.into(),
        text: text.into(),
        from: From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    };
    world.hook(submitted("write it"));
    let effects = world.reads(vec![by_hand("not in src", "later-1")]);
    assert_eq!(steered(&effects), [("not in src".into(), true)]);
    // A newer CLI's hook tells of one under the id of its turn, and its transcript when it comes to it.
    let ahead = HookEvent::Prompt {
        id: "prompt-write it".into(),
        text: "nor in tests".into(),
    };
    assert_eq!(steered(&world.hook(ahead)), []);
    let effects = world.reads(vec![by_hand("nor in tests", "later-2")]);
    assert_eq!(steered(&effects), [("nor in tests".into(), true)]);
    world.hook(turn_ended(0));
    assert_eq!(steered(&world.hook(submitted("go on"))), [("go on".into(), false)]);
    let again = by_hand("go on", "prompt-go on");
    assert_eq!(steered(&world.reads(vec![again])), [], "its hook told it");
}
