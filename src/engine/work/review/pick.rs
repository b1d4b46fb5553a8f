//! Staging, unstaging and discarding in one clone of a chat.

use crate::domain::work::ReviewDone;
use crate::git::checkpoint::Snapshot;
use crate::model::pick::{Pick, PickAct, Picked, PickedFile};
use crate::model::review::Cause;
use crate::model::{ChatId, Problem, ResultExt};

use super::clones::{Review, Reviewed};
use super::{revert, take};
use crate::engine::work::context::WorkContext;

fn doing(act: PickAct) -> &'static str {
    match act {
        PickAct::Stage => "staging",
        PickAct::Unstage => "unstaging",
        PickAct::Discard => "discarding",
    }
}

pub fn pick(context: &WorkContext, id: &ChatId, act: PickAct, pick: &Pick) -> Result<ReviewDone, Problem> {
    let doing = doing(act);
    let saved = match act {
        PickAct::Stage | PickAct::Unstage => None,
        PickAct::Discard => Some(take::take(context, id, Cause::Discard, "")?.checkpoint.number),
    };
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let mut review = Review::open(context, id, doing)?;
    revert::finish(&mut review)?;
    let clones = review.some_clones(doing)?;
    let (project, path) = (pick.of.project(), pick.of.path());
    revert::check_project(&clones, Some(project), doing)?;
    for clone in clones.iter().filter(|clone| clone.name == project) {
        let now = clone.store.now(&clone.dir, &review.options(u64::MAX, &[], true));
        let now = now.doing(doing)?;
        if let Some(number) = saved {
            check_saved(clone, &now, number, pick)?;
        }
        let ask = match &pick.of {
            PickedFile::Shown(ask) => ask.clone(),
            PickedFile::Uncommitted { project, path } => clone.store.uncommitted(&now, project, path).doing(doing)?,
        };
        clone
            .store
            .pick(&clone.dir, &now, &ask, &pick.parts, act)
            .doing(doing)?;
    }
    Ok(ReviewDone::Picked(Picked {
        act,
        project: project.to_owned(),
        path: path.to_path_buf(),
        saved,
    }))
}

/// What is discarded must be in the checkpoint that was just taken: an agent may have written in between.
fn check_saved(clone: &Reviewed, now: &Snapshot, number: u64, pick: &Pick) -> Result<(), Problem> {
    let doing = doing(PickAct::Discard);
    let saved = clone.store.at(number).doing(doing)?;
    let path = pick.of.path();
    let is_same = match &saved {
        Some(saved) => clone.store.is_same_file(saved, now, path).doing(doing)?,
        None => false,
    };
    match is_same {
        true => Ok(()),
        false => Err(crate::git::Error::Stale {
            path: path.to_path_buf(),
        })
        .doing(doing),
    }
}
