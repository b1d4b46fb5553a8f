//! Taking and listing checkpoints.

use crate::domain::work::ReviewDone;
use crate::engine::clock::now;
use crate::engine::hands::Hands;
use crate::model::review::{Cause, Checkpoint, KeptCheckpoint, LeftOutOf};
use crate::model::text::one_line;
use crate::model::{ChatId, Problem, ResultExt};

use super::back;
use super::clones::Review;
use crate::engine::work::loading::loading;
use crate::engine::work::ticket::Ticket;

/// Characters of a prompt in the list.
const PROMPT: usize = 200;

pub fn take(ticket: &Ticket, id: &ChatId, cause: Cause, prompt: &str) -> Result<ReviewDone, Problem> {
    let doing = "taking a checkpoint";
    let lock = ticket.hands.reviews.of(id);
    let _alone = lock.lock();
    let mut review = Review::open(ticket, id, doing)?;
    back::finish(&mut review)?;
    let number = review.next();
    let (mut changed, mut left_out) = (Vec::new(), Vec::new());
    let clones = match cause {
        Cause::Asked => review.some_clones(doing)?,
        Cause::Turn | Cause::Revert(_) | Cause::Undo(_) | Cause::CutOff => review.clones(doing)?,
    };
    for clone in clones {
        match clone.store.take(&clone.dir, &review.options(number, &[], false)) {
            Ok(taken) => {
                if taken.is_new {
                    changed.push(clone.name.clone());
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
        && cause == Cause::Asked
        && let Some(last) = review.known.last()
    {
        return Ok(ReviewDone::Taken(KeptCheckpoint {
            checkpoint: last.clone(),
            new: false,
        }));
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
        left_out,
    };
    review.add(checkpoint.clone(), doing)?;
    Ok(ReviewDone::Taken(KeptCheckpoint {
        checkpoint,
        new: is_new,
    }))
}

pub fn list(hands: &Hands, id: &ChatId) -> Result<ReviewDone, Problem> {
    let doing = "listing checkpoints";
    hands.home.load(id).map_err(|error| loading(id, error))?;
    let known = hands.home.checkpoints(id).doing(doing)?.list().doing(doing)?;
    Ok(ReviewDone::Listed(known))
}
