//! Commits in a chat's clones, and puts what they have on top of the base's news.

use crate::domain::work::KeepDone;
use crate::engine::work::context::WorkContext;
use crate::engine::work::review;
use crate::git::keep::{self, CommitAuthor, CommitWish, KeepError, OnConflict};
use crate::model::keep::{Committed, ConflictedCommit, Rebased};
use crate::model::{ChatId, Problem};
use crate::store;

use super::clones::Keeping;
use super::draft;

pub fn commit(
    context: &WorkContext,
    (id, project): (&ChatId, Option<&str>),
    message: Option<&str>,
    amend: bool,
) -> Result<KeepDone, Problem> {
    let keeping = Keeping::open(context, id, "committing")?;
    let draft = draft::message(&context.services, &keeping.chat);
    let committed = keeping.each(
        project,
        |clone, tools| {
            let author = CommitAuthor::of(tools.program, &keeping.origin(clone)?)?;
            let wish = CommitWish {
                message,
                draft: &draft,
                amend,
                author: &author,
            };
            let made = keep::commit(tools, &clone.files, &wish)?;
            Ok(Committed {
                project: clone.directory.name.clone(),
                branch: made.branch,
                commit: made.commit.to_string(),
                subject: made.subject,
                files: made.files,
                amended: amend,
                skipped_hooks: made.skipped_hooks,
                left_out: made.left_out,
            })
        },
        |result| matches!(result, Err(KeepError::NothingToCommit)),
    )?;
    Ok(KeepDone::Committed(committed))
}

pub fn rebase(
    context: &WorkContext,
    (id, project): (&ChatId, Option<&str>),
    (keep_conflicts, saved): (bool, u64),
) -> Result<KeepDone, Problem> {
    let keeping = Keeping::open(context, id, "rebasing")?;
    let on_conflict = match keep_conflicts {
        true => OnConflict::LeaveUnderWay,
        false => OnConflict::CallOff,
    };
    let rebased = keeping.each(
        project,
        |clone, tools| {
            let origin = keeping.origin(clone)?;
            let author = CommitAuthor::of(tools.program, &origin)?;
            let home = &context.services.home;
            let unwritten = |error: store::Error| KeepError::Unwritten {
                said: error.to_string(),
            };
            review::begin_change(home, id, saved, &clone.directory.name).map_err(unwritten)?;
            let rebased = keep::rebase(tools, &clone.files, &origin, (&author, on_conflict));
            review::end_change(home, id).map_err(unwritten)?;
            let rebased = rebased?;
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
