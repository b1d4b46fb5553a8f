//! Commits in a chat's clones, and puts what they have on top of the base's news.

use crate::domain::work::KeepDone;
use crate::engine::work::context::WorkContext;
use crate::engine::work::review;
use crate::git::keep::{self, CommitAuthor, CommitWish, KeepError, OnConflict};
use crate::model::keep::{CommitHow, Committed, ConflictedCommit, Rebased};
use crate::model::{ChatId, Problem};
use crate::store;

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

pub fn rebase(
    context: &WorkContext,
    (id, project): (&ChatId, Option<&str>),
    keep_conflicts: bool,
) -> Result<KeepDone, Problem> {
    let keeping = Keeping::open(context, id, "rebasing")?;
    let on_conflict = match keep_conflicts {
        true => OnConflict::LeaveUnderWay,
        false => OnConflict::CallOff,
    };
    let rebased = keeping.each_saved(
        project,
        |clone, tools, saved| {
            let origin = keeping.origin(clone)?;
            let author = CommitAuthor::of(tools.program, &origin)?;
            let unwritten = |error: store::Error| KeepError::Unwritten {
                said: error.to_string(),
            };
            let mut under_way = None;
            let begins = || {
                let home = &context.services.home;
                let change = review::begin_change(home, id, saved.number()?, &clone.directory.name);
                under_way = Some(change.map_err(unwritten)?);
                Ok(())
            };
            let rebased = keep::rebase(tools, &clone.files, &origin, (&author, on_conflict), begins);
            let rebased = match (rebased, under_way) {
                (Ok(rebased), None) => rebased,
                (Ok(rebased), Some(change)) => {
                    change.done().map_err(unwritten)?;
                    rebased
                }
                (Err(error), None) => return Err(error),
                (Err(error), Some(_)) => {
                    // If that fails too, the agent's next start tries it again.
                    if let Err(problem) = review::end_change(context, id, saved.alone) {
                        tracing::warn!("{id}: a rebase that failed is not called off yet: {problem}");
                    }
                    return Err(error);
                }
            };
            Ok(Rebased {
                project: clone.directory.name.clone(),
                branch: rebased.branch,
                onto: rebased.onto,
                base: rebased.base.to_string(),
                commit: rebased.commit.to_string(),
                up_to_date: rebased.up_to_date,
                conflict: rebased.conflict.map(|conflict| ConflictedCommit {
                    commit: conflict.commit.to_string(),
                    subject: conflict.subject,
                    files: conflict.files,
                }),
            })
        },
        |_| false,
    )?;
    Ok(KeepDone::Rebased(rebased))
}
