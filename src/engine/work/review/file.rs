//! What differs in one file of a clone.

use crate::domain::work::ReviewDone;
use crate::model::diff::FileAsk;
use crate::model::{ChatId, Problem, ResultExt};

use super::clones::Review;
use crate::engine::work::context::WorkContext;

/// Its two states are stored: nothing in the clone is looked at.
pub fn file(context: &WorkContext, id: &ChatId, ask: &FileAsk) -> Result<ReviewDone, Problem> {
    let doing = "comparing a file";
    let review = Review::open(context, id, doing)?;
    let clones = review.some_clones(doing)?;
    let found = clones.iter().find(|clone| clone.name == ask.project);
    let cause = || format!("this chat has no clone named `{}`", ask.project);
    let clone = found.ok_or_else(|| Problem::missing(doing, cause(), "`parlour open-dir CHAT PATH` opens one"))?;
    let file = clone.store.file_diff(ask).doing(doing)?;
    Ok(ReviewDone::File(id.clone(), file))
}
