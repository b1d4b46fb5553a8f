//! Staging, unstaging and discarding in one clone of a chat.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::domain::work::ReviewDone;
use crate::git::checkpoint::Snapshot;
use crate::model::diff::FileAsk;
use crate::model::pick::{LeftFile, Pick, PickAct, Picked, PickedFile, SavedPick, StayedFile};
use crate::model::review::Cause;
use crate::model::text::visible;
use crate::model::{ChatId, Problem, ResultExt};

use super::attempt::OtherClones;
use super::clones::{Review, Reviewed, clone_of};
use super::{revert, take, under_way};
use crate::engine::work::context::WorkContext;

pub fn pick(context: &WorkContext, id: &ChatId, act: PickAct, pick: Pick) -> Result<ReviewDone, Problem> {
    let mut done = each(context, id, act, &[pick]);
    let SavedPick { picked, left } = done.pop().expect("each pick has an end")?;
    Ok(ReviewDone::Picked(picked, left))
}

/// What came of each, in their order. All that is there is saved once before any of them, and each clone is looked at once.
fn each(context: &WorkContext, id: &ChatId, act: PickAct, picks: &[Pick]) -> Vec<Result<SavedPick, Problem>> {
    let doing = act.doing();
    let plain = |pick: &Pick| {
        let mut pick = pick.clone();
        *pick.of.path_mut() = in_clone(pick.of.path(), doing)?;
        Ok(pick)
    };
    let picks: Vec<Result<Pick, Problem>> = picks.iter().map(plain).collect();
    let meant: Vec<&Pick> = picks.iter().filter_map(|pick| pick.as_ref().ok()).collect();
    let beforehand = match Beforehand::of(context, id, act, &meant) {
        Ok(beforehand) => beforehand,
        Err(problem) => return picks.into_iter().map(|pick| pick.and(Err(problem.clone()))).collect(),
    };
    let possible = |pick: Result<Pick, Problem>| {
        let pick = pick?;
        beforehand.saved(&pick)?;
        Ok(pick)
    };
    let picks: Vec<Result<Pick, Problem>> = picks.into_iter().map(possible).collect();
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let mut looked = match Looked::at(context, id, act, beforehand) {
        Ok(looked) => looked,
        Err(problem) => return picks.into_iter().map(|pick| pick.and(Err(problem.clone()))).collect(),
    };
    picks.into_iter().map(|pick| looked.pick(&pick?)).collect()
}

/// What is done before the chat's clones are had alone.
struct Beforehand {
    /// By project, the checkpoint with what is about to be replaced, or why there is none.
    saved: BTreeMap<String, Result<Option<u64>, Problem>>,
    /// Chats of which something is taken.
    others: BTreeMap<ChatId, OtherClones>,
}

impl Beforehand {
    fn of(context: &WorkContext, id: &ChatId, act: PickAct, picks: &[&Pick]) -> Result<Beforehand, Problem> {
        let review = Review::open(context, id, act.doing())?;
        let save = |project: &str| {
            review.refuse_place(Some(project), act.doing())?;
            let cause = match act {
                PickAct::Stage | PickAct::Unstage => return Ok(None),
                PickAct::Discard => Cause::Discard,
                PickAct::Take => Cause::Take,
            };
            let saved = take::take_before(context, id, cause, project)?;
            Ok(Some(saved.checkpoint.number))
        };
        let projects: BTreeSet<&str> = picks.iter().map(|pick| pick.of.project()).collect();
        let saved = projects.into_iter().map(|project| (project.to_owned(), save(project)));
        let saved = saved.collect();
        let chats = picks.iter().filter_map(|pick| match &pick.of {
            PickedFile::InChat { chat, .. } => Some(chat.clone()),
            PickedFile::Shown(_) | PickedFile::Uncommitted { .. } => None,
        });
        let chats: BTreeSet<ChatId> = chats.collect();
        let looked = |chat: ChatId| Ok((chat.clone(), OtherClones::look(context, &chat)?));
        let others: Result<_, Problem> = chats.into_iter().map(looked).collect();
        Ok(Beforehand { saved, others: others? })
    }
}

impl Beforehand {
    fn saved(&self, pick: &Pick) -> Result<Option<u64>, Problem> {
        self.saved
            .get(pick.of.project())
            .cloned()
            .transpose()
            .map(Option::flatten)
    }
}

/// The clones of a chat, each as it was when it was first wanted. Whatever changes a file looks whether it still is so.
struct Looked<'c> {
    review: Review<'c>,
    act: PickAct,
    beforehand: Beforehand,
    clones: Vec<Reviewed>,
    /// By the clone's name.
    now: BTreeMap<String, Snapshot>,
}

impl<'c> Looked<'c> {
    fn at(context: &'c WorkContext, id: &ChatId, act: PickAct, beforehand: Beforehand) -> Result<Looked<'c>, Problem> {
        let mut review = Review::open(context, id, act.doing())?;
        under_way::finish(&mut review)?;
        Ok(Looked {
            clones: review.some_clones(act.doing())?,
            now: BTreeMap::new(),
            review,
            act,
            beforehand,
        })
    }

    fn pick(&mut self, pick: &Pick) -> Result<SavedPick, Problem> {
        let (doing, project) = (self.act.doing(), pick.of.project());
        let saved = self.beforehand.saved(pick)?;
        revert::check_project(&self.clones, Some(project), doing)?;
        let clone = clone_of(&self.clones, project, doing)?;
        if !self.now.contains_key(project) {
            let now = clone.store.now(&clone.dir, &self.review.options(u64::MAX, &[], true));
            self.now.insert(project.to_owned(), now.doing(doing)?);
        }
        let now = &self.now[project];
        if let Some(number) = saved {
            check_saved(clone, now, number, (pick, doing))?;
        }
        let ask = self.ask(clone, now, &pick.of)?;
        clone
            .store
            .pick(&clone.dir, now, &ask, &pick.parts, self.act)
            .doing(doing)?;
        let left = match saved {
            Some(_) => {
                let from = ask.from.as_deref().filter(|from| *from != ask.path);
                let paths: Vec<&Path> = [ask.path.as_path()].into_iter().chain(from).collect();
                clone.store.left(&clone.dir, &paths).doing(doing)?
            }
            None => Vec::new(),
        };
        let picked = Picked {
            act: self.act,
            project: project.to_owned(),
            path: pick.of.path().to_path_buf(),
            saved,
        };
        Ok(SavedPick { picked, left })
    }

    /// In which difference the file is meant.
    fn ask(&self, clone: &Reviewed, now: &Snapshot, of: &PickedFile) -> Result<FileAsk, Problem> {
        let doing = self.act.doing();
        match of {
            PickedFile::Shown(ask) => Ok(ask.clone()),
            PickedFile::Uncommitted { project, path } => {
                let ask = clone.store.uncommitted(&clone.dir, now, (project, path));
                ask.doing(doing)
            }
            PickedFile::InChat { chat, project, path } => {
                let other = self.beforehand.others.get(chat);
                let theirs = other
                    .map(|other| other.files(&self.review, clone))
                    .transpose()?
                    .flatten();
                let theirs = theirs.ok_or_else(|| {
                    let hint = "`parlour compare CHAT` shows who works on the same projects";
                    let cause = format!("the other chat has no clone of {}", visible(project));
                    Problem::missing(doing, cause, hint)
                })?;
                if let Some(other) = other {
                    check_held(other, (&self.review, clone), (path, doing))?;
                }
                let sides = (Some(now.files()), theirs);
                let difference = clone
                    .store
                    .difference(sides, (project, path), "it is the same in both chats");
                difference.doing(doing)
            }
        }
    }
}

/// Each file by itself: a filter or a repository within the clone keeps its own file back, and no other.
///
/// # Errors
///
/// Nothing was done with any of them.
pub fn pick_several(context: &WorkContext, id: &ChatId, act: PickAct, picks: &[Pick]) -> Result<ReviewDone, Problem> {
    let (mut done, mut stayed, mut first) = (Vec::new(), Vec::new(), None);
    for (one, came) in picks.iter().zip(each(context, id, act, picks)) {
        match came {
            Ok(picked) => done.push(picked),
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
    for (project, number, left) in by_clone(picks) {
        let clone = clone_of(&clones, project, doing)?;
        let saved = match number {
            Some(number) => clone.store.at(number).doing(doing)?,
            None => None,
        };
        let saved = saved.ok_or(crate::git::Error::Forgotten).doing(doing)?;
        let now = clone.store.now(&clone.dir, &review.options(u64::MAX, &[], true));
        let now = now.doing(doing)?;
        let back = clone.store.bring_back(&clone.dir, (&now, &saved), &left);
        back.doing(doing).map_err(|problem| Problem {
            hint: format!("checkpoint {} has what was there", number.unwrap_or_default()),
            ..problem
        })?;
    }
    let picked = picks.iter().map(|pick| pick.picked.clone());
    Ok(ReviewDone::BroughtBack(picked.collect()))
}

/// What comes back into one clone from one checkpoint, together.
fn by_clone(picks: &[SavedPick]) -> Vec<(&str, Option<u64>, Vec<LeftFile>)> {
    let mut all: Vec<(&str, Option<u64>, Vec<LeftFile>)> = Vec::new();
    for SavedPick { picked, left } in picks {
        let (project, saved) = (picked.project.as_str(), picked.saved);
        match all
            .iter_mut()
            .find(|(known, number, _)| (*known, *number) == (project, saved))
        {
            Some((_, _, together)) => together.extend(left.iter().cloned()),
            None => all.push((project, saved, left.clone())),
        }
    }
    all
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
