//! How the checkpoints of a chat hang together: which one the clones came from last, and which turns were gone back before.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::review::{Cause, Checkpoint};

/// What the Checkpoints tab shows of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointList {
    /// Oldest first.
    pub checkpoints: Vec<Checkpoint>,
    /// What they take on disk.
    pub bytes: u64,
}

/// What the clones were last saved as, or restored to: what an agent does now comes on top of it.
pub fn base(checkpoints: &[Checkpoint]) -> Option<u64> {
    let last = checkpoints.last()?;
    match last.cause {
        Cause::CutOff => {
            let before = checkpoints
                .iter()
                .rev()
                .find_map(|checkpoint| restored(checkpoint.cause));
            before.or(Some(last.number))
        }
        cause => restored(cause).or(Some(last.number)),
    }
}

/// The checkpoint that a revert, or its undo, restored.
fn restored(cause: Cause) -> Option<u64> {
    match cause {
        Cause::Revert(to) | Cause::Undo(to) => Some(to),
        Cause::Turn
        | Cause::Asked
        | Cause::Discard
        | Cause::Take
        | Cause::Ended(_)
        | Cause::Opened
        | Cause::CutOff
        | Cause::Unread => None,
    }
}

/// The checkpoints of turns that were gone back before, if that was not undone.
pub fn gone_back(checkpoints: &[Checkpoint]) -> BTreeSet<u64> {
    let stay: BTreeSet<u64> = in_force(checkpoints, |_| true).into_iter().collect();
    let turns = checkpoints.iter().filter(|checkpoint| checkpoint.turn.is_some());
    let numbers = turns.map(|checkpoint| checkpoint.number);
    numbers.filter(|number| !stay.contains(number)).collect()
}

/// The beginning of the last turn of which the clones still have what it changed.
pub fn last_turn(checkpoints: &[Checkpoint]) -> Option<&Checkpoint> {
    let last = *in_force(checkpoints, Checkpoint::restores_clones).last()?;
    checkpoints.iter().rfind(|checkpoint| checkpoint.number == last)
}

/// The checkpoints of turns that are left of all, oldest first, after the reverts that count, and their undoing.
fn in_force(checkpoints: &[Checkpoint], counts: impl Fn(&Checkpoint) -> bool) -> Vec<u64> {
    let goal = |checkpoint: &Checkpoint| restored(checkpoint.cause).filter(|_| counts(checkpoint));
    // A copy for every checkpoint would be quadratic, and this is asked several times a frame.
    let goals: BTreeSet<u64> = checkpoints.iter().filter_map(goal).collect();
    // What was left as each of these was taken.
    let mut then: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut turns: Vec<u64> = Vec::new();
    for checkpoint in checkpoints {
        if goals.contains(&checkpoint.number) {
            then.insert(checkpoint.number, turns.clone());
        }
        if let Some(to) = goal(checkpoint) {
            match then.get(&to) {
                Some(known) => turns.clone_from(known),
                // It is thinned out.
                None => turns.retain(|turn| *turn < to),
            }
        }
        if checkpoint.turn.is_some() {
            turns.push(checkpoint.number);
        }
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::super::Timestamp;
    use super::super::review::{Amount, Replaced, RevertOf};
    use super::*;

    fn checkpoints(causes: &[Cause]) -> Vec<Checkpoint> {
        let one = |(at, cause): (usize, &Cause)| Checkpoint {
            v: 1,
            number: at as u64 + 1,
            at: Timestamp(0),
            cause: *cause,
            turn: (*cause == Cause::Turn).then_some(1),
            prompt: String::new(),
            changed: Vec::new(),
            amount: Amount::default(),
            left_out: Vec::new(),
            replaced: None,
            ended: None,
        };
        causes.iter().enumerate().map(one).collect()
    }

    #[test]
    fn an_undo_takes_back_its_own_revert_alone() {
        use Cause::{Revert, Turn, Undo};
        let all = checkpoints(&[Turn, Turn, Turn, Revert(3), Turn, Revert(2), Undo(6)]);
        assert_eq!(gone_back(&all[..4]), BTreeSet::from([3]));
        assert_eq!(gone_back(&all[..6]), BTreeSet::from([2, 3, 5]));
        assert_eq!(gone_back(&all), BTreeSet::from([3]));
    }

    #[test]
    fn what_was_done_between_a_revert_and_its_undo_is_gone_after_that() {
        use Cause::{Revert, Turn, Undo};
        let all = checkpoints(&[Turn, Turn, Revert(2), Turn, Undo(3)]);
        assert_eq!(gone_back(&all[..4]), BTreeSet::from([2]));
        assert_eq!(gone_back(&all), BTreeSet::from([4]));
        assert_eq!(last_turn(&all).map(|turn| turn.number), Some(2));
    }

    #[test]
    fn the_last_turn_is_one_that_the_clones_have() {
        use Cause::{Revert, Turn};
        let last = |all: &[Checkpoint]| last_turn(all).map(|turn| turn.number);
        let mut all = checkpoints(&[Turn, Turn, Turn, Revert(2)]);
        assert_eq!(last(&all), Some(1));
        all[3].replaced = Some(Replaced {
            of: RevertOf::Talk,
            talk: None,
        });
        assert_eq!(last(&all), Some(3), "the files stayed");
        assert_eq!(gone_back(&all), BTreeSet::from([2, 3]));
        assert_eq!(last(&checkpoints(&[Turn, Revert(1)])), None);
    }

    #[test]
    fn a_revert_to_what_is_thinned_out_leaves_the_turns_before_it() {
        use Cause::{Revert, Turn, Undo};
        let mut all = checkpoints(&[Turn, Turn, Turn, Turn, Revert(3), Turn, Undo(5)]);
        all.remove(2);
        assert_eq!(gone_back(&all[..4]), BTreeSet::from([4]));
        assert_eq!(gone_back(&all[..5]), BTreeSet::from([4]));
        assert_eq!(gone_back(&all), BTreeSet::from([6]));
    }

    #[test]
    fn the_base_is_what_was_saved_or_restored_last() {
        use Cause::{Asked, CutOff, Revert, Turn, Undo};
        let base = |causes: &[Cause]| super::base(&checkpoints(causes));
        assert_eq!(base(&[]), None);
        assert_eq!(base(&[Turn, Asked]), Some(2));
        assert_eq!(base(&[Turn, Turn, Revert(1)]), Some(1));
        assert_eq!(base(&[Turn, Turn, Revert(1), Undo(3)]), Some(3));
        assert_eq!(base(&[Turn, Turn, Revert(1), CutOff]), Some(1));
        assert_eq!(base(&[Turn, Turn, Revert(1), Turn]), Some(4));
    }
}
