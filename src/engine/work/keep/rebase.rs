//! Puts what a chat's clones have on top of the base's news, and ends a rebase or the like that is under way there.

use crate::domain::work::KeepDone;
use crate::engine::work::context::WorkContext;
use crate::engine::work::review;
use crate::git::keep::{self, CommitAuthor, KeepError, OnConflict, RebaseOnto, UnderWayError};
use crate::model::keep::{ConflictedCommit, EndWay, EndedGit, Rebased};
use crate::model::{ChatId, Problem};
use crate::store;

use super::clones::{FirstSave, Keeping, KeptClone};

pub fn rebase(
    context: &WorkContext,
    (id, project): (&ChatId, Option<&str>),
    (upstream, keep_conflicts): (bool, bool),
) -> Result<KeepDone, Problem> {
    let keeping = Keeping::open(context, id, "rebasing")?;
    let on_conflict = match keep_conflicts {
        true => OnConflict::LeaveUnderWay,
        false => OnConflict::CallOff,
    };
    let onto = match upstream {
        true => RebaseOnto::Upstream,
        false => RebaseOnto::Base,
    };
    let rebased = keeping.each_saved(
        project,
        |clone, tools, saved| {
            let origin = keeping.origin(clone)?;
            let author = CommitAuthor::of(tools.program, &origin)?;
            let change =
                |begins: Begins<'_>| keep::rebase(tools, (&clone.files, &origin), (&author, onto, on_conflict), begins);
            let rebased = whole(context, id, (clone, saved), change)?;
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

pub fn end(context: &WorkContext, (id, project): (&ChatId, Option<&str>), way: EndWay) -> Result<KeepDone, Problem> {
    let keeping = Keeping::open(context, id, way.doing())?;
    let ended = keeping.each_saved(
        project,
        |clone, tools, saved| {
            let author = CommitAuthor::of(tools.program, &keeping.origin(clone)?)?;
            let change = |begins: Begins<'_>| keep::end(tools, &clone.files, (&author, way), begins);
            let ended = whole(context, id, (clone, saved), change)?;
            Ok(EndedGit {
                project: clone.directory.name.clone(),
                what: ended.what,
                branch: ended.branch,
                commit: ended.commit.to_string(),
                aborted: way == EndWay::Abort,
                stopped: ended.stopped,
                conflicts: ended.conflicts,
            })
        },
        |ended| matches!(ended, Err(KeepError::UnderWay(UnderWayError::Nothing))),
    )?;
    Ok(KeepDone::Ended(ended))
}

type Begins<'a> = &'a mut dyn FnMut() -> Result<(), KeepError>;

/// Changes a clone that was saved just before: where an error or a kill comes in between, it is as it was.
fn whole<T>(
    context: &WorkContext,
    id: &ChatId,
    (clone, saved): (&KeptClone<'_>, &FirstSave<'_>),
    change: impl FnOnce(Begins<'_>) -> Result<T, KeepError>,
) -> Result<T, KeepError> {
    let unwritten = |error: store::Error| KeepError::Unwritten {
        said: error.to_string(),
    };
    let mut under_way = None;
    let mut begins = || {
        let home = &context.services.home;
        let change = review::begin_change(home, id, saved.number()?, &clone.directory.name);
        under_way = Some(change.map_err(unwritten)?);
        Ok(())
    };
    let changed = change(&mut begins);
    match (changed, under_way) {
        (changed, None) => changed,
        (Ok(changed), Some(under_way)) => {
            under_way.done().map_err(unwritten)?;
            Ok(changed)
        }
        (Err(error), Some(_)) => {
            // If that fails too, the agent's next start tries it again.
            if let Err(problem) = review::end_change(context, id, saved.alone) {
                tracing::warn!("{id}: a rebase that failed is not called off yet: {problem}");
            }
            Err(error)
        }
    }
}
