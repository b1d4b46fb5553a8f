//! Taking and listing checkpoints.

use crate::engine::clock::now;
use crate::model::review::{Amount, Cause, Checkpoint, KeptCheckpoint, LeftOutOf};
use crate::model::text::one_line;
use crate::model::{ChatId, Problem, Timestamp};

use super::clones::{Review, Reviewed};
use super::revert;
use crate::engine::work::context::WorkContext;

/// Characters of a prompt in the list.
const PROMPT: usize = 200;

pub fn take(context: &WorkContext, id: &ChatId, cause: Cause, prompt: &str) -> Result<KeptCheckpoint, Problem> {
    let doing = "taking a checkpoint";
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let mut review = Review::open(context, id, doing)?;
    revert::finish(&mut review)?;
    let number = review.next();
    let (mut changed, mut amount, mut left_out) = (Vec::new(), Amount::default(), Vec::new());
    let clones = match cause {
        Cause::Asked | Cause::Discard => review.some_clones(doing)?,
        Cause::Turn | Cause::Opened | Cause::Revert(_) | Cause::Undo(_) | Cause::CutOff => review.clones(doing)?,
    };
    for clone in clones {
        match clone.store.take(&clone.dir, &review.options(number, &[], false)) {
            Ok(taken) => {
                if taken.is_new {
                    changed.push(clone.name.clone());
                    amount = amount + taken.amount;
                }
                left_out.extend(taken.left_out.into_iter().map(|out| LeftOutOf {
                    project: clone.name.clone(),
                    why: out.reason.words().into(),
                    path: out.path,
                }));
            }
            // One clone that cannot be saved is no reason to save none.
            Err(error) => left_out.push(LeftOutOf {
                project: clone.name.clone(),
                path: ".".into(),
                why: error.to_string(),
            }),
        }
    }
    let is_new = !changed.is_empty() || review.known.is_empty();
    if !is_new
        && matches!(cause, Cause::Asked | Cause::Discard)
        && let Some(last) = review.known.last()
    {
        return Ok(KeptCheckpoint {
            checkpoint: last.clone(),
            new: false,
        });
    }
    let turns = review
        .known
        .iter()
        .filter_map(|checkpoint| checkpoint.turn)
        .max()
        .unwrap_or(0);
    let checkpoint = Checkpoint {
        v: 1,
        number,
        at: now(),
        cause,
        turn: (cause == Cause::Turn).then_some(turns + 1),
        prompt: one_line(prompt, PROMPT),
        changed,
        amount,
        left_out,
    };
    review.add(checkpoint.clone(), doing)?;
    thin_out(&review);
    Ok(KeptCheckpoint {
        checkpoint,
        new: is_new,
    })
}

/// Checkpoints that are kept however old they are.
const KEPT: usize = 50;
/// All that are younger are kept.
const KEPT_MS: u64 = 7 * 24 * 60 * 60 * 1000;

/// The first checkpoint to keep, if there are older ones.
fn first_kept(known: &[Checkpoint], now: Timestamp) -> Option<u64> {
    let is_old = |checkpoint: &&Checkpoint| checkpoint.at.plus_ms(KEPT_MS) < now;
    let old = known.iter().take_while(is_old).count();
    let surplus = known.len().saturating_sub(KEPT).min(old);
    (surplus > 0).then(|| known[surplus].number)
}

/// The list first: what it does not name is needed by nobody. What cannot be given back now is the next time.
fn thin_out(review: &Review<'_>) {
    let Some(first) = first_kept(&review.known, now()) else {
        return;
    };
    let services = &review.context.services;
    let thinned = review
        .checkpoints
        .forget_before(first)
        .map_err(|error| error.to_string());
    let thinned = thinned.and_then(|()| review.clones("thinning out").map_err(|problem| problem.to_string()));
    let thinned = thinned.and_then(|clones| {
        let forget = |clone: &Reviewed| clone.store.forget_before(first, &services.git, &review.context.cancel);
        clones.iter().try_for_each(forget).map_err(|error| error.to_string())
    });
    if let Err(why) = thinned {
        tracing::warn!("{}: old checkpoints stay: {why}", review.chat.id());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_and_fifty_checkpoints_are_kept() {
        let day = 24 * 60 * 60 * 1000;
        let at = |days: i64, number| Checkpoint {
            v: 1,
            number,
            at: Timestamp(days * day),
            cause: Cause::Asked,
            turn: None,
            prompt: String::new(),
            changed: Vec::new(),
            amount: Amount::default(),
            left_out: Vec::new(),
        };
        let now = Timestamp(100 * day);
        let old: Vec<Checkpoint> = (1..=60).map(|number| at(1, number)).collect();
        assert_eq!(first_kept(&old, now), Some(11));
        assert_eq!(first_kept(&old[..50], now), None, "fifty are kept however old they are");
        let young: Vec<Checkpoint> = (1..=60).map(|number| at(95, number)).collect();
        assert_eq!(first_kept(&young, now), None, "a week is kept however many there are");
        let mixed: Vec<Checkpoint> = (1..=60)
            .map(|number| at(if number <= 4 { 1 } else { 99 }, number))
            .collect();
        assert_eq!(first_kept(&mixed, now), Some(5));
    }
}
