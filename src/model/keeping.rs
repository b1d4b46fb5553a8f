//! Which checkpoints of a chat are kept, and which are thinned out.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Timestamp;
use super::review::{Amount, Cause, Checkpoint};

const HOUR_MS: i64 = 60 * 60 * 1000;
const DAY_MS: i64 = 24 * HOUR_MS;
/// For so many days after those of which all are kept, one an hour is; from then on one a day.
const HOURLY_DAYS: u64 = 30;

/// `checkpoints` in `config.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckpointSettings {
    pub keep: Keep,
}

/// Of these, all are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Keep {
    /// The last days.
    pub days: u64,
    /// The newest of each chat, however old they are.
    pub number: usize,
}

impl Default for Keep {
    fn default() -> Keep {
        Keep { days: 7, number: 50 }
    }
}

impl Keep {
    /// More than a hundred years are a slip.
    pub const MOST_DAYS: u64 = 36_500;

    /// The checkpoints that stay, of a list that begins with the oldest. What undoing a revert needs stays, and so do the
    /// beginning of the last turn, the very first one, and those in `referred`.
    pub fn kept(&self, list: &[Checkpoint], referred: &BTreeSet<u64>, now: Timestamp) -> BTreeSet<u64> {
        let mut kept: BTreeSet<u64> = needed(list);
        kept.extend(referred.iter().copied());
        let newest = list.len().saturating_sub(self.number);
        kept.extend(list[newest..].iter().map(|checkpoint| checkpoint.number));
        let ago = |days: u64| {
            now.0
                .saturating_sub(DAY_MS.saturating_mul(i64::try_from(days).unwrap_or(i64::MAX)))
        };
        let (all, hourly) = (ago(self.days), ago(self.days.saturating_add(HOURLY_DAYS)));
        let mut slots = BTreeSet::new();
        for checkpoint in list.iter().rev() {
            let at = checkpoint.at.0;
            let slot = match () {
                () if at >= all => None,
                () if at >= hourly => Some((HOUR_MS, at.div_euclid(HOUR_MS))),
                () => Some((DAY_MS, at.div_euclid(DAY_MS))),
            };
            if slot.is_none_or(|slot| slots.insert(slot)) {
                kept.insert(checkpoint.number);
            }
        }
        kept
    }
}

fn needed(list: &[Checkpoint]) -> BTreeSet<u64> {
    let undone: BTreeSet<u64> = list
        .iter()
        .filter_map(|checkpoint| match checkpoint.cause {
            Cause::Undo(revert) => Some(revert),
            Cause::Turn
            | Cause::Asked
            | Cause::Discard
            | Cause::Take
            | Cause::Ended(_)
            | Cause::Opened
            | Cause::Revert(_)
            | Cause::CutOff
            | Cause::Unread => None,
        })
        .collect();
    let mut needed = BTreeSet::new();
    for checkpoint in list {
        if let Cause::Revert(to) = checkpoint.cause
            && !undone.contains(&checkpoint.number)
        {
            needed.extend([checkpoint.number, to]);
        }
    }
    let turn = list.iter().rev().find(|checkpoint| checkpoint.turn.is_some());
    needed.extend(
        [list.first(), turn, list.last()]
            .into_iter()
            .flatten()
            .map(|one| one.number),
    );
    needed
}

/// The list without the others. What these had changed counts to the next one that stays.
pub fn thinned(list: Vec<Checkpoint>, kept: &BTreeSet<u64>) -> Vec<Checkpoint> {
    let mut stays = Vec::new();
    let (mut amount, mut changed) = (Amount::default(), BTreeSet::new());
    for mut checkpoint in list {
        if !kept.contains(&checkpoint.number) {
            amount = amount + checkpoint.amount;
            changed.extend(checkpoint.changed);
            continue;
        }
        checkpoint.amount = checkpoint.amount + std::mem::take(&mut amount);
        for project in std::mem::take(&mut changed) {
            if !checkpoint.changed.contains(&project) {
                checkpoint.changed.push(project);
            }
        }
        stays.push(checkpoint);
    }
    stays
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: u64, ms: i64, cause: Cause) -> Checkpoint {
        Checkpoint {
            v: 1,
            number,
            at: Timestamp(ms),
            cause,
            turn: None,
            prompt: String::new(),
            changed: vec!["grove".into()],
            amount: Amount {
                files: 1,
                added: 2,
                removed: 0,
            },
            left_out: Vec::new(),
            replaced: None,
            ended: None,
        }
    }

    /// One every ten minutes, the last one now.
    fn list(count: i64) -> (Vec<Checkpoint>, Timestamp) {
        let now = 1000 * DAY_MS;
        let one = |number: i64| at(number as u64, now - (count - number) * HOUR_MS / 6, Cause::Asked);
        ((1..=count).map(one).collect(), Timestamp(now))
    }

    fn kept(list: &[Checkpoint], now: Timestamp) -> BTreeSet<u64> {
        Keep::default().kept(list, &BTreeSet::new(), now)
    }

    #[test]
    fn a_week_is_kept_whole_then_one_an_hour_and_then_one_a_day() {
        let (list, now) = list(60 * 24 * 6);
        let kept = kept(&list, now);
        let in_days = |from: i64, to: i64| {
            let is_in = |one: &&Checkpoint| {
                let age = now.0 - one.at.0;
                kept.contains(&one.number) && age > from * DAY_MS && age <= to * DAY_MS
            };
            list.iter().filter(is_in).count()
        };
        assert_eq!(in_days(0, 7), 7 * 24 * 6);
        assert_eq!(in_days(8, 9), 24);
        assert_eq!(in_days(7, 37), 30 * 24);
        assert_eq!(in_days(40, 50), 10);
        assert!(kept.contains(&1), "the first one stays");
    }

    #[test]
    fn the_newest_are_kept_however_old_they_are() {
        let (list, now) = list(60);
        let later = Timestamp(now.0 + 400 * DAY_MS);
        let kept = kept(&list, later);
        assert!((11..=60).all(|number| kept.contains(&number)));
        assert!(kept.len() < 55, "{kept:?}");
        let none = Keep { days: 0, number: 1 };
        let kept = none.kept(&list, &BTreeSet::from([17]), later);
        assert!(kept.contains(&60) && kept.contains(&17) && kept.len() <= 5, "{kept:?}");
    }

    #[test]
    fn what_an_undo_needs_stays() {
        let (mut list, now) = list(90);
        (list[20].cause, list[25].cause) = (Cause::Revert(4), Cause::Revert(7));
        list[26].cause = Cause::Undo(26);
        list[8].turn = Some(3);
        let later = Timestamp(now.0 + 400 * DAY_MS);
        let kept = Keep { days: 0, number: 3 }.kept(&list, &BTreeSet::new(), later);
        for number in [1, 4, 9, 21, 88, 89, 90] {
            assert!(kept.contains(&number), "{number}: {kept:?}");
        }
        assert!(
            !kept.contains(&7) && !kept.contains(&26),
            "that revert was undone: {kept:?}"
        );
    }

    #[test]
    fn what_the_others_changed_counts_to_the_next() {
        let (list, _) = list(5);
        let all = list.iter().fold(Amount::default(), |sum, one| sum + one.amount);
        let stays = thinned(list, &BTreeSet::from([1, 4, 5]));
        let sum = stays.iter().fold(Amount::default(), |sum, one| sum + one.amount);
        assert_eq!(sum, all);
        assert_eq!(stays.iter().map(|one| one.amount.files).collect::<Vec<_>>(), [1, 3, 1]);
    }
}
