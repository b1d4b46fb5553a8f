//! What differs between two moments of a chat's clones.

use crate::domain::work::ReviewDone;
use crate::git::checkpoint::{SavedFiles, Snapshot};
use crate::git::read;
use crate::model::review::{Changes, Checkpoint, DiffAsk, DiffSet, Overview, Point};
use crate::model::text::visible;
use crate::model::{ChatId, Problem, ResultExt};

use super::attempt::OtherClones;
use super::clones::{Review, Reviewed};
use crate::engine::work::context::WorkContext;

const DOING: &str = "comparing";

/// The two sides, by the numbers of checkpoints; without the second one, now.
enum Sides {
    Between(u64, Option<u64>),
    Base,
    Committed,
    Commit(String),
    Other,
}

pub fn diff(context: &WorkContext, id: &ChatId, ask: &DiffAsk) -> Result<ReviewDone, Problem> {
    let other = OtherClones::of(context, &ask.set)?;
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let review = Review::open(context, id, DOING)?;
    Ok(ReviewDone::Compared(changes(&review, ask, other.as_ref())?))
}

/// As [`diff`], with the moments that there are. Before the first prompt there is one: now.
pub fn overview(context: &WorkContext, id: &ChatId, set: DiffSet) -> Result<ReviewDone, Problem> {
    let other = OtherClones::of(context, &set)?;
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let review = Review::open(context, id, DOING)?;
    let has_turns = review.known.iter().any(|checkpoint| checkpoint.turn.is_some());
    let set = match set {
        DiffSet::LastPrompt if !has_turns => DiffSet::Base,
        set => set,
    };
    let ask = DiffAsk {
        set: set.clone(),
        project: None,
        lines: false,
    };
    let changes = changes(&review, &ask, other.as_ref())?;
    let overview = Overview {
        set,
        reviewed: context.services.home.reviewed(id).doing(DOING)?,
        checkpoints: review.known,
        changes,
    };
    Ok(ReviewDone::Overview(id.clone(), overview))
}

/// `other` has the clones of another chat, where the comparison is with one.
pub(super) fn changes(
    review: &Review<'_>,
    ask: &DiffAsk,
    other: Option<&OtherClones>,
) -> Result<Vec<Changes>, Problem> {
    let sides = sides(review, &ask.set)?;
    let mut all = Vec::new();
    let clones = review.some_clones(DOING)?;
    super::revert::check_project(&clones, ask.project.as_deref(), DOING)?;
    let is_meant = |clone: &&Reviewed| ask.project.as_ref().is_none_or(|project| *project == clone.name);
    for clone in clones.iter().filter(is_meant) {
        let Some((from, to)) = files(review, clone, &sides, other)? else {
            continue;
        };
        let (to, now) = match to {
            To::Saved(now) => (now.files(), Some(now)),
            To::Files(files) => (files, None),
        };
        let patch = match ask.lines {
            true => clone.store.patch(from, to, &format!("{}/", clone.name)).doing(DOING)?,
            false => String::new(),
        };
        let mut files = clone.store.changes(from, to).doing(DOING)?;
        if let (Sides::Committed, Some(now)) = (&sides, now) {
            clone.store.tell_staged(&now, from, &mut files).doing(DOING)?;
        }
        all.push(Changes {
            project: clone.name.clone(),
            before: from.map(SavedFiles::tree),
            after: to.tree(),
            files,
            patch,
        });
    }
    if let (DiffSet::With(_), true) = (&ask.set, all.is_empty()) {
        let hint = "`parlour compare CHAT` shows who works on the same projects";
        return Err(Problem::missing(DOING, "the two chats have no project in common", hint));
    }
    if let DiffSet::Commit(name) = &ask.set
        && all.is_empty()
    {
        let cause = format!("no clone of this chat has a commit `{}`", visible(name));
        return Err(Problem::missing(
            DOING,
            cause,
            "`git log` in the clone shows which there are",
        ));
    }
    Ok(all)
}

fn sides(review: &Review<'_>, set: &DiffSet) -> Result<Sides, Problem> {
    let number = |point| review.find(point, DOING).map(|found| found.number);
    let prompts = review.known.iter().rev().filter(|checkpoint| checkpoint.turn.is_some());
    Ok(match *set {
        DiffSet::LastPrompt => {
            let last = prompts.map(|checkpoint| checkpoint.number).next();
            let cause = "this chat has had no prompt yet";
            let last = last.ok_or_else(|| Problem::missing(DOING, cause, "`--base` compares with the base branch"))?;
            Sides::Between(last, None)
        }
        DiffSet::Since(since) => Sides::Between(number(Point::Checkpoint(since))?, None),
        DiffSet::Turn(turn) => {
            // The beginning of the next one may be thinned out.
            let is_later = |checkpoint: &&Checkpoint| checkpoint.turn.is_some_and(|other| other > turn);
            let next = review.known.iter().find(is_later).map(|next| next.number);
            Sides::Between(number(Point::Turn(turn))?, next)
        }
        DiffSet::Between(from, to) => {
            let number = |of| number(Point::Checkpoint(of));
            Sides::Between(number(from)?, Some(number(to)?))
        }
        DiffSet::Base => Sides::Base,
        DiffSet::Uncommitted => Sides::Committed,
        DiffSet::Commit(ref name) => Sides::Commit(name.clone()),
        DiffSet::With(_) => Sides::Other,
    })
}

/// What is compared with what was before.
enum To {
    Saved(Snapshot),
    Files(SavedFiles),
}

/// None where there is nothing to compare.
fn files(
    review: &Review<'_>,
    clone: &Reviewed,
    sides: &Sides,
    other: Option<&OtherClones>,
) -> Result<Option<(Option<SavedFiles>, To)>, Problem> {
    let now = || {
        let now = clone.store.now(&clone.dir, &review.options(u64::MAX, &[], true));
        now.doing(DOING)
    };
    let at = |number: u64| -> Result<Option<Snapshot>, Problem> {
        let store = &clone.store;
        match store.at(number).doing(DOING)? {
            Some(found) => Ok(Some(found)),
            // It was cloned later: what it was first counts.
            None => Ok(store.snapshots().doing(DOING)?.into_iter().next()),
        }
    };
    let (from, to) = match sides {
        Sides::Between(from, to) => {
            let to = match to {
                Some(to) => at(*to)?,
                None => Some(now()?),
            };
            (at(*from)?.map(|from| from.files()), to)
        }
        Sides::Base => {
            let now = now()?;
            let base = read::default_branch(clone.dir.path());
            let from = base.and_then(|base| clone.store.base(&now, &base).transpose());
            (from.transpose().doing(DOING)?, Some(now))
        }
        Sides::Commit(name) => {
            let found = clone.store.commit(&now()?, name).doing(DOING)?;
            return Ok(found.map(|(from, to)| (from, To::Files(to))));
        }
        Sides::Other => {
            let theirs = other.map(|other| other.files(review, clone)).transpose()?.flatten();
            let now = now()?;
            return Ok(theirs.map(|theirs| (Some(now.files()), To::Files(theirs))));
        }
        Sides::Committed => {
            let now = now()?;
            (clone.store.committed(&now).doing(DOING)?, Some(now))
        }
    };
    Ok(to.map(|to| (from, To::Saved(to))))
}
