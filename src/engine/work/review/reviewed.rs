//! Up to where a person has reviewed: from then on, what is newer can be looked at alone.

use std::collections::BTreeMap;

use crate::engine::clock::now;
use crate::engine::work::context::WorkContext;
use crate::model::review::{Cause, KeptCheckpoint, Point};
use crate::model::{ChatId, Problem, ResultExt};

use super::clones::Review;
use super::take;

const DOING: &str = "marking what was reviewed";
const TAKING_BACK: &str = "taking a mark back";

/// Up to a checkpoint; without one, up to now, and now is saved first.
pub fn mark(context: &WorkContext, chat: &ChatId, up_to: Option<u64>) -> Result<KeptCheckpoint, Problem> {
    let kept = match up_to {
        None => take::take(context, chat, Cause::Asked, "")?,
        Some(number) => KeptCheckpoint {
            checkpoint: Review::open(context, chat, DOING)?
                .find(Point::Checkpoint(number), DOING)?
                .clone(),
            new: false,
            commits: BTreeMap::new(),
        },
    };
    let home = &context.services.home;
    home.set_reviewed(chat, kept.checkpoint.number, now()).doing(DOING)?;
    Ok(kept)
}

/// The mark of this checkpoint is taken back, if it is still the last one. Says which counts again.
pub fn take_back(context: &WorkContext, chat: &ChatId, number: u64) -> Result<Option<u64>, Problem> {
    let home = &context.services.home;
    match home.take_back_reviewed(chat, number, now()).doing(TAKING_BACK)? {
        true => home.reviewed(chat).doing(TAKING_BACK),
        false => Err(Problem::new(
            TAKING_BACK,
            format!("checkpoint {number} is not the last that was marked any more"),
            "press the key again to mark what is shown",
        )),
    }
}
