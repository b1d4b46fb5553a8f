//! How the checkpoints of a chat hang together: which one the clones came from last, and which turns were gone back before.

use std::collections::BTreeSet;

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
    let restored = |cause: Cause| match cause {
        Cause::Revert(to) | Cause::Undo(to) => Some(to),
        Cause::Turn | Cause::Asked | Cause::Discard | Cause::Take | Cause::Opened | Cause::CutOff | Cause::Unread => {
            None
        }
    };
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

/// The checkpoints of turns that were gone back before, if that was not undone.
pub fn gone_back(checkpoints: &[Checkpoint]) -> BTreeSet<u64> {
    let mut gone = BTreeSet::new();
    let mut by_revert: Vec<(u64, Vec<u64>)> = Vec::new();
    let mut turns: Vec<u64> = Vec::new();
    for checkpoint in checkpoints {
        match checkpoint.cause {
            Cause::Revert(to) => {
                let from = turns.partition_point(|number| *number < to);
                let new: Vec<u64> = turns[from..]
                    .iter()
                    .copied()
                    .filter(|turn| gone.insert(*turn))
                    .collect();
                by_revert.push((checkpoint.number, new));
            }
            Cause::Undo(revert) => {
                let undone = by_revert.iter().find(|(number, _)| *number == revert);
                for turn in undone.iter().flat_map(|(_, turns)| turns) {
                    gone.remove(turn);
                }
            }
            Cause::Turn
            | Cause::Asked
            | Cause::Discard
            | Cause::Take
            | Cause::Opened
            | Cause::CutOff
            | Cause::Unread => {}
        }
        if checkpoint.turn.is_some() {
            turns.push(checkpoint.number);
        }
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::super::Timestamp;
    use super::super::review::Amount;
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
