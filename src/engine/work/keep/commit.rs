//! Commits in a chat's clones.

use crate::domain::work::KeepDone;
use crate::engine::work::context::WorkContext;
use crate::engine::work::review;
use crate::git::keep::{self, CommitAuthor, CommitWish, KeepError};
use crate::model::keep::{CommitHow, Committed};
use crate::model::{ChatId, Problem};

use super::clones::Keeping;
use super::draft;

pub fn commit(
    context: &WorkContext,
    (id, project): (&ChatId, Option<&str>),
    how: &CommitHow,
) -> Result<KeepDone, Problem> {
    let keeping = Keeping::open(context, id, "committing")?;
    let draft = draft::message(&context.services, &keeping.chat);
    let committed = keeping.each_saved(
        project,
        |clone, tools, saved| {
            let author = CommitAuthor::of(tools.program, &keeping.origin(clone)?)?;
            let wish = CommitWish {
                how,
                draft: &draft,
                largest: review::LARGEST,
                author: &author,
            };
            let made = keep::commit(tools, &clone.files, &wish, || saved.number().map(drop))?;
            Ok(Committed {
                project: clone.directory.name.clone(),
                branch: made.branch,
                commit: made.commit.to_string(),
                subject: made.subject,
                files: made.files,
                amended: how.amend,
                skipped_hooks: made.skipped_hooks,
                left_out: made.left_out,
                too_large: made.too_large,
            })
        },
        |result| {
            matches!(
                result,
                Err(KeepError::NothingToCommit { .. } | KeepError::OnlyTooLarge { .. })
            )
        },
    )?;
    Ok(KeepDone::Committed(committed))
}
