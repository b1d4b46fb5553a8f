//! Staging, unstaging and discarding in one clone of a chat.

use std::path::{Component, Path, PathBuf};

use crate::domain::work::ReviewDone;
use crate::git::checkpoint::Snapshot;
use crate::model::pick::{Pick, PickAct, Picked, PickedFile, SavedPick, StayedFile};
use crate::model::review::Cause;
use crate::model::text::visible;
use crate::model::{ChatId, Problem, ResultExt};

use super::attempt::OtherClones;
use super::clones::{Review, Reviewed, clone_of};
use super::{revert, take, under_way};
use crate::engine::work::context::WorkContext;

pub fn pick(context: &WorkContext, id: &ChatId, act: PickAct, mut pick: Pick) -> Result<ReviewDone, Problem> {
    let doing = act.doing();
    let plain = in_clone(pick.of.path(), doing)?;
    *pick.of.path_mut() = plain;
    let pick = &pick;
    Review::open(context, id, doing)?.refuse_place(Some(pick.of.project()), doing)?;
    let saved = match act {
        PickAct::Stage | PickAct::Unstage => None,
        PickAct::Discard => Some(
            take::take_before(context, id, Cause::Discard, pick.of.project())?
                .checkpoint
                .number,
        ),
        PickAct::Take => Some(
            take::take_before(context, id, Cause::Take, pick.of.project())?
                .checkpoint
                .number,
        ),
    };
    let other = match &pick.of {
        PickedFile::InChat { chat, .. } => Some(OtherClones::look(context, chat)?),
        PickedFile::Shown(_) | PickedFile::Uncommitted { .. } => None,
    };
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let mut review = Review::open(context, id, doing)?;
    under_way::finish(&mut review)?;
    let clones = review.some_clones(doing)?;
    let (project, path) = (pick.of.project(), pick.of.path());
    let mut left = Vec::new();
    revert::check_project(&clones, Some(project), doing)?;
    for clone in clones.iter().filter(|clone| clone.name == project) {
        let now = clone.store.now(&clone.dir, &review.options(u64::MAX, &[], true));
        let now = now.doing(doing)?;
        if let Some(number) = saved {
            check_saved(clone, &now, number, (pick, doing))?;
        }
        let ask = match &pick.of {
            PickedFile::Shown(ask) => ask.clone(),
            PickedFile::Uncommitted { project, path } => {
                let ask = clone.store.uncommitted(&clone.dir, &now, (project, path));
                ask.doing(doing)?
            }
            PickedFile::InChat { project, path, .. } => {
                let theirs = other
                    .as_ref()
                    .map(|other| other.files(&review, clone))
                    .transpose()?
                    .flatten();
                let theirs = theirs.ok_or_else(|| {
                    let hint = "`parlour compare CHAT` shows who works on the same projects";
                    Problem::missing(
                        doing,
                        format!("the other chat has no clone of {}", visible(project)),
                        hint,
                    )
                })?;
                if let Some(other) = &other {
                    check_held(other, (&review, clone), (path, doing))?;
                }
                let sides = (Some(now.files()), theirs);
                let difference = clone
                    .store
                    .difference(sides, (project, path), "it is the same in both chats");
                difference.doing(doing)?
            }
        };
        clone
            .store
            .pick(&clone.dir, &now, &ask, &pick.parts, act)
            .doing(doing)?;
        if saved.is_some() {
            let from = ask.from.as_deref().filter(|from| *from != ask.path);
            let paths: Vec<&Path> = [ask.path.as_path()].into_iter().chain(from).collect();
            left = clone.store.left(&clone.dir, &paths).doing(doing)?;
        }
    }
    let picked = Picked {
        act,
        project: project.to_owned(),
        path: path.to_path_buf(),
        saved,
    };
    Ok(ReviewDone::Picked(picked, left))
}

/// Each file by itself: a filter or a repository within the clone keeps its own file back, and no other.
///
/// # Errors
///
/// Nothing was done with any of them.
pub fn pick_several(context: &WorkContext, id: &ChatId, act: PickAct, picks: &[Pick]) -> Result<ReviewDone, Problem> {
    let (mut done, mut stayed, mut first) = (Vec::new(), Vec::new(), None);
    for one in picks {
        match pick(context, id, act, one.clone()) {
            Ok(ReviewDone::Picked(picked, left)) => done.push(SavedPick { picked, left }),
            Ok(_) => {}
            Err(problem) => {
                stayed.push(StayedFile {
                    project: one.of.project().to_owned(),
                    path: one.of.path().to_path_buf(),
                    why: why(&problem, one.of.path()),
                });
                first = first.or(Some(problem));
            }
        }
    }
    match (done.is_empty(), stayed.len(), first) {
        (true, 1, Some(problem)) => Err(problem),
        (true, many, Some(problem)) => {
            let cause = format!("none of {many} files can be: {}", problem.cause);
            Err(Problem { cause, ..problem })
        }
        _ => Ok(ReviewDone::PickedSeveral(done, stayed)),
    }
}

/// Without the path, which is said before it.
fn why(problem: &Problem, path: &Path) -> String {
    let cause = problem.cause.clone();
    let named = format!("{}: ", visible(&path.to_string_lossy()));
    cause.strip_prefix(&named).map(str::to_owned).unwrap_or(cause)
}

/// The path without what leads nowhere, as `./`.
fn in_clone(path: &Path, doing: &str) -> Result<PathBuf, Problem> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let plain: PathBuf = parts.clone().collect();
    if !plain.as_os_str().is_empty() && parts.clone().all(|part| matches!(part, Component::Normal(_))) {
        return Ok(plain);
    }
    let cause = format!("{} is no path in the clone", visible(&path.to_string_lossy()));
    Err(Problem::new(doing, cause, "name the file by its path in the clone"))
}

/// Brings back what was discarded or replaced.
pub fn bring_back(context: &WorkContext, id: &ChatId, picks: &[SavedPick]) -> Result<ReviewDone, Problem> {
    let doing = "undoing a discard";
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let mut review = Review::open(context, id, doing)?;
    under_way::finish(&mut review)?;
    let clones = review.some_clones(doing)?;
    for SavedPick { picked, left } in picks {
        let clone = clone_of(&clones, &picked.project, doing)?;
        let saved = match picked.saved {
            Some(number) => clone.store.at(number).doing(doing)?,
            None => None,
        };
        let saved = saved.ok_or(crate::git::Error::Forgotten).doing(doing)?;
        let now = clone.store.now(&clone.dir, &review.options(u64::MAX, &[], true));
        let now = now.doing(doing)?;
        let back = clone.store.bring_back(&clone.dir, (&now, &saved), left);
        back.doing(doing).map_err(|problem| Problem {
            hint: format!("checkpoint {} has what was there", picked.saved.unwrap_or_default()),
            ..problem
        })?;
    }
    let picked = picks.iter().map(|pick| pick.picked.clone());
    Ok(ReviewDone::BroughtBack(picked.collect()))
}

/// What the other chat has and a checkpoint cannot hold looks like a file that it lacks.
fn check_held(
    other: &OtherClones,
    (review, clone): (&Review<'_>, &Reviewed),
    (path, doing): (&Path, &str),
) -> Result<(), Problem> {
    let Some(out) = other.left_out(review, clone, path)? else {
        return Ok(());
    };
    let shown = visible(&out.path.to_string_lossy());
    let cause = format!(
        "{shown} of the other chat is in none of its checkpoints: {}",
        out.reason.words()
    );
    Err(Problem::new(doing, cause, "copy it from that clone yourself"))
}

/// What is discarded or replaced must be in the checkpoint that was just taken: an agent may have written in between.
fn check_saved(clone: &Reviewed, now: &Snapshot, number: u64, (pick, doing): (&Pick, &str)) -> Result<(), Problem> {
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
