//! A change of a chat's clones that is under way: how it begins, and how it is ended after an error or a kill.
//!
//! It is written down before it begins. Whoever needs the clones next ends it first.

use std::collections::BTreeMap;

use super::anew;
use super::clones::{Review, Reviewed};
use super::talk;
use crate::engine::clock::now;
use crate::engine::work::context::WorkContext;
use crate::git::CancelFlag;
use crate::git::checkpoint::{Scope, Snapshot, TakeOptions};
use crate::model::review::{Amount, Cause, Checkpoint};
use crate::model::text::visible;
use crate::model::{ChatId, Happened, Problem, ResultExt};
use crate::store::{ChangeUnderWay, Error, Home, UnderWay};

/// What a checkpoint that nobody asked for is listed as.
pub fn line(number: u64, cause: Cause, changed: Vec<String>) -> Checkpoint {
    Checkpoint {
        v: 1,
        number,
        at: now(),
        cause,
        turn: None,
        prompt: String::new(),
        changed,
        amount: Amount::default(),
        left_out: Vec::new(),
        replaced: None,
        ended: None,
    }
}

/// A clone that may be between two states: what it was, and what it was to be.
pub struct CloneBetween<'c> {
    pub clone: &'c Reviewed,
    pub was: &'c Snapshot,
    pub to: &'c Snapshot,
}

impl CloneBetween<'_> {
    fn put_back(&self, review: &Review<'_>, what: &UnderWay, doing: &str) -> Result<(), Problem> {
        let CloneBetween { clone, was, to } = self;
        put_back(review, clone, was, &[was, to], doing)?;
        review.unmake(what, (*clone, *was), doing)
    }

    fn carry_on(&self, review: &Review<'_>, doing: &str) -> Result<(), Problem> {
        put_back(review, self.clone, self.to, &[self.was, self.to], doing)
    }
}

/// Restores a clone that may be between two states to one of them. What it holds now need not be saved.
pub fn put_back(
    review: &Review<'_>,
    clone: &Reviewed,
    to: &Snapshot,
    also: &[&Snapshot],
    doing: &str,
) -> Result<(), Problem> {
    // Also where what is called off was cancelled.
    let never = CancelFlag::default();
    let options = TakeOptions {
        cancel: &never,
        ..review.options(u64::MAX, also, true)
    };
    let here = clone.store.now(&clone.dir, &options).doing(doing)?;
    clone
        .store
        .restore(&clone.dir, (&here, to), Scope::FilesAndGit, &never)
        .doing(doing)?;
    Ok(())
}

/// From here on a clone is changed that was just saved: if that is cut off, it is restored to what it was.
pub fn begin_change(home: &Home, id: &ChatId, saved: u64, project: &str) -> Result<ChangeUnderWay, Error> {
    home.checkpoints(id)?.begin(UnderWay {
        v: 1,
        from: saved,
        to: saved,
        projects: vec![project.to_owned()],
        undoes: None,
        talk: None,
        made: BTreeMap::new(),
    })
}

/// Nothing is left of a revert that failed: these clones are put back as they were, and what could be undone before can
/// be undone still. If that fails too, whoever needs the clones next goes on with it.
pub fn call_off(
    review: &mut Review<'_>,
    mut under_way: ChangeUnderWay,
    touched: &[CloneBetween<'_>],
) -> Result<(), Problem> {
    let doing = "putting the clones back as they were";
    let number = under_way.what.from;
    if let Err(error) = under_way.call_off() {
        tracing::warn!("{}: {error}", review.chat.id());
    }
    for between in touched {
        between.put_back(review, &under_way.what, doing)?;
    }
    review.take_back(number, doing)?;
    under_way.done().doing(doing)
}

/// Ends what is under way and was cut off by a kill or an error: a revert is carried to its end, or called off where that
/// cannot be or it has failed before, and a rebase is called off. Some clones, or files of one, may still be as they were
/// before it.
pub fn finish(review: &mut Review<'_>) -> Result<(), Problem> {
    let doing = "finishing a revert that was cut off";
    let Some(mut under_way) = review.checkpoints.under_way().doing(doing)? else {
        return Ok(());
    };
    let what = under_way.what.clone();
    if review.known.iter().all(|known| known.number != what.from) {
        return under_way.done().doing(doing);
    }
    what.projects.iter().for_each(|name| review.open_root(name));
    let ended = end_cut_off(review, &mut under_way);
    anew::restored(review.context, review.chat.id());
    ended?;
    under_way.done().doing(doing)
}

fn end_cut_off(review: &mut Review<'_>, under_way: &mut ChangeUnderWay) -> Result<(), Problem> {
    let doing = "finishing a revert that was cut off";
    let what = under_way.what.clone();
    let number = review.next();
    let mut clones = Vec::new();
    // One that is gone is made again by a revert alone.
    let all = match under_way.is_called_off || what.is_change() {
        true => review.clones(doing)?,
        false => review.clones_and_gone(doing)?,
    };
    for mut clone in all {
        let (Some(from), Some(to)) = (
            clone.store.at(what.from).doing(doing)?,
            clone.store.at(what.to).doing(doing)?,
        ) else {
            continue;
        };
        if what.projects.contains(&clone.name) {
            let also = [&from, &to];
            let options = review.options(number, &also, true);
            clone.store.take(&clone.dir, &options).doing(doing)?;
            if !under_way.is_called_off && !what.is_change() {
                review.make_anew(under_way, (&mut clone, &to), doing)?;
            }
            clones.push((clone, from, to));
        }
    }
    let between = clones.iter().map(|(clone, was, to)| CloneBetween { clone, was, to });
    let between: Vec<CloneBetween<'_>> = between.collect();
    let ended = end(review, under_way, &between)?;
    review.add(line(number, Cause::CutOff, what.projects.clone()), doing)?;
    if let ChangeEnd::RevertFailed | ChangeEnd::RevertCalledOff(_) = ended {
        // It took nothing back, so there is nothing of it to undo.
        review.take_back(what.from, doing)?;
    }
    let text = match ended {
        ChangeEnd::RebaseCalledOff => format!(
            "A rebase of {} was cut off, and taken back: `parlour rebase CHAT` does it again. What it had left is checkpoint {number}.",
            visible(&what.projects.join(", "))
        ),
        ChangeEnd::Finished => format!(
            "A revert to checkpoint {} was cut off, and is finished now. What it had left is checkpoint {number}.",
            what.to
        ),
        ChangeEnd::RevertFailed => format!(
            "A revert to checkpoint {} failed, and is called off now. What it had left is checkpoint {number}.",
            what.to
        ),
        ChangeEnd::RevertCalledOff(why) => format!(
            "A revert to checkpoint {} was cut off, and called off, since it cannot be finished: {}. What it had left is checkpoint {number}.",
            what.to, why.cause
        ),
    };
    let chat = review.chat.id();
    tracing::info!("{chat}: {text}");
    review.context.journals.tell(chat, Happened::Note { text });
    Ok(())
}

enum ChangeEnd {
    Finished,
    RebaseCalledOff,
    /// That was known before.
    RevertFailed,
    RevertCalledOff(Problem),
}

fn end(review: &Review<'_>, under_way: &ChangeUnderWay, clones: &[CloneBetween<'_>]) -> Result<ChangeEnd, Problem> {
    let doing = "finishing a revert that was cut off";
    let what = &under_way.what;
    let put_back = |between: &CloneBetween<'_>| between.put_back(review, what, doing);
    let undo = || clones.iter().try_for_each(put_back);
    if under_way.is_called_off {
        undo()?;
        return Ok(ChangeEnd::RevertFailed);
    }
    let finished = clones.iter().try_for_each(|between| between.carry_on(review, doing));
    match finished {
        Ok(()) if what.is_change() => Ok(ChangeEnd::RebaseCalledOff),
        Ok(()) => {
            if let Some(talk) = &what.talk {
                talk::apply(review.context, review.chat.id(), talk)?;
            }
            Ok(ChangeEnd::Finished)
        }
        Err(problem) if what.is_change() => Err(problem),
        Err(problem) => {
            undo().map_err(|_| problem.clone())?;
            Ok(ChangeEnd::RevertCalledOff(problem))
        }
    }
}

/// Before its agent starts: it must not work in a state that is neither old nor new.
pub fn settle(context: &WorkContext, id: &ChatId) -> Result<(), Problem> {
    let doing = "finishing a revert that was cut off";
    if !context.services.home.is_reverting(id).doing(doing)? {
        return Ok(());
    }
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    finish(&mut Review::open(context, id, doing)?)
}
