//! What differs in one file of a clone, or of a directory that is open in place.

use crate::domain::work::ReviewDone;
use crate::model::diff::FileAsk;
use crate::model::{ChatId, Problem, ResultExt};

use super::clones::{Review, clone_of};
use crate::engine::work::context::WorkContext;

/// Its two states are stored: nothing in the clone is looked at.
pub fn file(context: &WorkContext, id: &ChatId, ask: &FileAsk) -> Result<ReviewDone, Problem> {
    let doing = "comparing a file";
    let review = Review::open(context, id, doing)?;
    let all = review.compared(doing)?;
    let clone = clone_of(&all, &ask.project, doing)?;
    let file = clone.store.file_diff(ask).doing(doing)?;
    Ok(ReviewDone::File(id.clone(), file))
}
