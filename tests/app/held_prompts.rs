//! A hook that tells of a prompt is answered once the clones are saved, so that nothing of the turn is in its checkpoint.

use std::collections::BTreeMap;

use parlour::domain::agent::queue;
use parlour::domain::event::Outcome;
use parlour::domain::work::{JournalDone, JournalWork, ReviewDone, ReviewWork};
use parlour::domain::{Effect, Work};
use parlour::model::review::{Amount, KeptCheckpoint};
use parlour::model::{HookAnswer, HookEvent, Problem, WorkId};

use crate::support::events::{HOOK, entry, ruled, submitted, works};
use crate::support::review::checkpoint;
use crate::support::world::{World, id};

fn is_take(work: &Work) -> bool {
    matches!(work, Work::Review(ReviewWork::Take { .. }))
}

/// The hook of a prompt, with what it told written down: the work that saves the clones, and all effects.
fn prompted(world: &mut World) -> (WorkId, Vec<Effect>) {
    let mut effects = world.hook(submitted("fix it"));
    let written = works(&effects).into_iter().find_map(|(work, job)| match job {
        Work::Journal(JournalWork::Append(_, lines, _)) => Some((work, lines)),
        _ => None,
    });
    let (work, lines) = written.expect("the prompt is written down");
    let entries = lines.into_iter().map(|line| entry(13, line.what)).collect();
    effects.extend(world.done(work, Outcome::Journal(JournalDone::Appended(id("auth"), entries))));
    let (take, _) = works(&effects)
        .into_iter()
        .find(|(_, work)| is_take(work))
        .expect("the clones are saved");
    (take, effects)
}

fn taken() -> Outcome {
    let kept = KeptCheckpoint {
        checkpoint: checkpoint(12, 6, 0, "fix it", Amount::default()),
        new: true,
        commits: BTreeMap::new(),
    };
    Outcome::Review(ReviewDone::Taken(id("auth"), kept))
}

#[test]
fn a_prompt_waits_until_the_clones_are_saved() {
    let mut world = World::morning(120, 40);
    let (take, effects) = prompted(&mut world);
    assert_eq!(ruled(&effects, HOOK), None);
    let effects = world.done(take, taken());
    assert_eq!(ruled(&effects, HOOK), Some(HookAnswer::NoOpinion));
}

#[test]
fn a_prompt_goes_on_where_the_clones_cannot_be_saved() {
    let mut world = World::morning(120, 40);
    let (take, _) = prompted(&mut world);
    let full = Problem::new("taking a checkpoint", "the disk is full", "make room");
    let effects = world.done(take, Outcome::Failed(full));
    assert_eq!(ruled(&effects, HOOK), Some(HookAnswer::NoOpinion));
}

#[test]
fn a_prompt_waits_two_seconds_at_most() {
    let mut world = World::morning(120, 40);
    let (take, effects) = prompted(&mut world);
    let wakes = |effect: &Effect| matches!(effect, Effect::WakeAt(at) if at.ms_since(world.state.domain.now) <= 2_000);
    assert!(effects.iter().any(wakes));
    assert_eq!(ruled(&world.later(1_900), HOOK), None);
    assert_eq!(ruled(&world.later(100), HOOK), Some(HookAnswer::NoOpinion));
    assert_eq!(ruled(&world.done(take, taken()), HOOK), None, "it is answered once");
}

#[test]
fn another_hook_does_not_wait() {
    let mut world = World::morning(120, 40);
    assert_eq!(
        ruled(&world.hook(HookEvent::Ignored), HOOK),
        Some(HookAnswer::NoOpinion)
    );
}

#[test]
fn a_prompt_that_waits_for_an_answered_dialog_does_not_wait_for_a_start() {
    let mut world = World::at_rest();
    let closes = world.state.domain.now.plus_ms(3_000);
    world
        .state
        .domain
        .live
        .agents
        .get_mut(&id("auth"))
        .unwrap()
        .composes_from = closes;
    world.send("fix it");
    let waiting = queue::list(&world.state.domain, &id("auth"));
    assert_eq!(waiting[0].why, "the agent's dialog has just been answered");
}
