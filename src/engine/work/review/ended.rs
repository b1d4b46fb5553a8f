//! What a turn had changed when it ended, and what was changed after it: by a person, or by what it left running.

use crate::engine::prepared::RestedClones;
use crate::engine::work::context::WorkContext;
use crate::git::checkpoint::SavedFiles;
use crate::model::review::{Amount, Checkpoint, EndedTurn};
use crate::model::{ChatId, Problem, ResultExt, Timestamp};

use super::clones::{Review, Reviewed};

const DOING: &str = "looking at the clones after a turn";

/// Keeps in mind what the clones are as the last turn ends, unless another has begun since.
pub fn keep(context: &WorkContext, id: &ChatId, at: Timestamp) -> Result<(), Problem> {
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let review = Review::open(context, id, DOING)?;
    let Some(turn) = last(&review).filter(|turn| turn.at <= at) else {
        return Ok(());
    };
    let mut files = RestedClones::new();
    for clone in review.clones(DOING)? {
        let now = now(&review, &clone)?;
        files.insert(clone.name, now);
    }
    context.services.prepared.rests(id, turn.number, files);
    Ok(())
}

/// The beginning of the last turn.
pub fn last<'r>(review: &'r Review<'_>) -> Option<&'r Checkpoint> {
    review.known.iter().rev().find(|checkpoint| checkpoint.turn.is_some())
}

pub fn now(review: &Review<'_>, clone: &Reviewed) -> Result<SavedFiles, Problem> {
    let options = review.options(u64::MAX, &[], true);
    Ok(clone.store.now(&clone.dir, &options).doing(DOING)?.files())
}

/// How the last turn ended, if that is known and something changed since: up to what `then` says of each clone.
pub fn end(
    review: &Review<'_>,
    then: impl Fn(&Reviewed) -> Result<Option<SavedFiles>, Problem>,
) -> Result<Option<EndedTurn>, Problem> {
    let Some(turn) = last(review) else {
        return Ok(None);
    };
    let Some(rested) = review.context.services.prepared.rested(review.chat.id(), turn.number) else {
        return Ok(None);
    };
    let mut end = EndedTurn::default();
    for clone in review.clones(DOING)? {
        let (Some(rest), Some(then)) = (rested.get(&clone.name), then(&clone)?) else {
            continue;
        };
        let began = review.saved(&clone, turn.number, DOING)?.map(|began| began.files());
        let amount = |from, to| Ok::<_, Problem>(Amount::of(&clone.store.changes(from, to).doing(DOING)?));
        end.own = end.own + amount(began, *rest)?;
        end.after = end.after + amount(Some(*rest), then)?;
    }
    Ok(Some(end).filter(|end| end.after.files > 0))
}
