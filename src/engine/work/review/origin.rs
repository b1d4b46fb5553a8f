//! Where a line of a comparison comes from: the checkpoints are gone through from the newest on until one lacks it, or has
//! it, if it was removed.

use std::time::{Duration, Instant};

use crate::domain::review::touched::{MadeCall, TouchLikeness, TouchedFile, likeness};
use crate::git::checkpoint::{LineTrace, Store};
use crate::model::entry::Happened;
use crate::model::lineage;
use crate::model::origin::{AskedLine, LineAsk, LineAuthor, OriginCard, ShownUpTo, ToldOrigin};
use crate::model::review::{Cause, Checkpoint, DiffSet};
use crate::model::{ChatId, Entry, Problem, ResultExt, Timestamp};

use super::clones::{Review, Reviewed, clone_of};
use super::ended;
use super::talk::{ToldPrompts, TurnMoment};
use crate::engine::work::context::WorkContext;

const DOING: &str = "finding out where a line comes from";
/// A person waits.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn line(context: &WorkContext, id: &ChatId, asked: LineAsk) -> Result<ToldOrigin, Problem> {
    let review = Review::open(context, id, DOING)?;
    let clones = review.some_clones(DOING)?;
    let clone = clone_of(&clones, &asked.file.project, DOING)?;
    let newest = newest(&review.known, clone, &asked.shown);
    let at = match (newest, clone.store.trace(&asked).doing(DOING)?) {
        (Some(newest), Some(trace)) => {
            CheckpointWalk::new(&review.known, &clone.store, trace).behind(newest, asked.line)?
        }
        (None, _) | (_, None) => None,
    };
    let author = match at {
        Some(at) => author(&review, clone, at, &asked)?,
        None => LineAuthor::Turn,
    };
    let card = match (at, author) {
        (Some(at), LineAuthor::Turn | LineAuthor::Either) => card(context, &review, at, &asked)?,
        (Some(_), LineAuthor::Later) | (None, _) => None,
    };
    Ok(ToldOrigin {
        author,
        since: at.map(|at| review.known[at].number),
        turn: at.and_then(|at| turn(&review.known[..=at])),
        card,
        asked,
    })
}

/// The last checkpoint that may have a part in what is shown.
fn newest(known: &[Checkpoint], clone: &Reviewed, shown: &ShownUpTo) -> Option<usize> {
    match shown {
        ShownUpTo::Checkpoint(number) => known.iter().rposition(|checkpoint| checkpoint.number <= *number),
        ShownUpTo::Commit(hash) => {
            let made = clone.store.committed_at(hash)?;
            known.iter().rposition(|checkpoint| checkpoint.at <= made)
        }
    }
}

/// Whether what came behind a checkpoint came before its turn was over. What the clones were then is kept for the last
/// turn alone, and of those before it whether something was changed afterwards.
fn author(review: &Review<'_>, clone: &Reviewed, at: usize, asked: &LineAsk) -> Result<LineAuthor, Problem> {
    let is_end = |known: &Checkpoint| matches!(known.cause, Cause::Ended(_));
    let later = review.known.iter().skip(at + 1);
    // From the end of the turn before up to its own.
    let mut of_turn = later.clone().take_while(|known| !known.ends_turn());
    if of_turn.any(is_end) {
        return Ok(LineAuthor::Turn);
    }
    let mut before = review.known[..=at].iter().rev();
    if before
        .find(|known| is_end(known) || known.ends_turn())
        .is_some_and(is_end)
    {
        return Ok(LineAuthor::Later);
    }
    if let Some(next) = later.into_iter().find(|known| known.ends_turn()) {
        let is_sure = next.ended.is_none_or(|ended| ended.after.files == 0);
        return Ok(if is_sure { LineAuthor::Turn } else { LineAuthor::Either });
    }
    let rested = ended::under_way(review).and_then(|turn| ended::rested(review, turn.number));
    let rest = rested.and_then(|clones| clones.get(&clone.name).copied());
    let (Some(rest), Some(mut trace)) = (rest, clone.store.trace(asked).doing(DOING)?) else {
        return Ok(LineAuthor::Turn);
    };
    let was_there = trace.look_in(rest).doing(DOING)?;
    let was_done = match asked.line {
        AskedLine::There(_) => was_there,
        AskedLine::Removed(_) => !was_there,
    };
    Ok(if was_done { LineAuthor::Turn } else { LineAuthor::Later })
}

/// The turn in which the last of these was taken.
fn turn(known: &[Checkpoint]) -> Option<u32> {
    let is_of_none = |checkpoint: &&Checkpoint| matches!(checkpoint.cause, Cause::Revert(_) | Cause::Undo(_));
    let since = known.iter().rev().take_while(|checkpoint| !is_of_none(checkpoint));
    since.into_iter().find_map(|checkpoint| checkpoint.turn)
}

/// A way back through the checkpoints of one clone.
struct CheckpointWalk<'w> {
    known: &'w [Checkpoint],
    store: &'w Store,
    trace: LineTrace<'w>,
    until: Instant,
}

/// How a checkpoint stands to a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HasLine {
    Yes,
    No,
    /// The clone was not there yet.
    NoClone,
}

impl<'w> CheckpointWalk<'w> {
    fn new(known: &'w [Checkpoint], store: &'w Store, trace: LineTrace<'w>) -> CheckpointWalk<'w> {
        let until = Instant::now() + PATIENCE;
        CheckpointWalk {
            known,
            store,
            trace,
            until,
        }
    }

    /// The checkpoint behind which the line came, or went; none if that was before the first one.
    fn behind(&mut self, newest: usize, line: AskedLine) -> Result<Option<usize>, Problem> {
        match line {
            AskedLine::There(_) => self.came_behind(newest),
            AskedLine::Removed(_) => self.went_behind(newest),
        }
    }

    fn came_behind(&mut self, newest: usize) -> Result<Option<usize>, Problem> {
        let mut next = Some(newest);
        while let Some(at) = next {
            next = match self.look_at(at)? {
                HasLine::NoClone => return Ok(None),
                HasLine::Yes => at.checked_sub(1),
                // Going back may have brought it again.
                HasLine::No => match self.restored(at) {
                    Some(before) if self.look_at(before)? == HasLine::Yes => before.checked_sub(1),
                    Some(_) | None => return Ok(Some(at)),
                },
            };
        }
        Ok(None)
    }

    fn went_behind(&mut self, newest: usize) -> Result<Option<usize>, Problem> {
        for at in (0..=newest).rev() {
            match self.look_at(at)? {
                HasLine::Yes => return Ok(Some(at)),
                HasLine::No => {}
                HasLine::NoClone => return Ok(None),
            }
        }
        Ok(None)
    }

    /// The checkpoint that the clones were restored to once this one was taken.
    fn restored(&self, at: usize) -> Option<usize> {
        let (Cause::Revert(to) | Cause::Undo(to)) = self.known[at].cause else {
            return None;
        };
        self.known[..at].iter().rposition(|checkpoint| checkpoint.number == to)
    }

    fn look_at(&mut self, at: usize) -> Result<HasLine, Problem> {
        if Instant::now() > self.until {
            let cause = "its file has too many states to compare them in 10 seconds";
            let hint = "`[` and `]` show what each turn did";
            return Err(Problem::new(DOING, cause, hint));
        }
        let Some(saved) = self.store.at(self.known[at].number).doing(DOING)? else {
            return Ok(HasLine::NoClone);
        };
        let has_line = self.trace.look_in(saved.files()).doing(DOING)?;
        Ok(if has_line { HasLine::Yes } else { HasLine::No })
    }
}

/// A call that may have written the line.
struct Candidate {
    seq: u64,
    at: Timestamp,
    tool: String,
    likeness: TouchLikeness,
}

/// The last of the calls that most likely wrote or removed the line in what came behind this checkpoint; if there is none,
/// the prompt.
fn card(context: &WorkContext, review: &Review<'_>, at: usize, asked: &LineAsk) -> Result<Option<OriginCard>, Problem> {
    let files: Vec<TouchedFile> = asked
        .paths()
        .into_iter()
        .map(|path| TouchedFile {
            project: asked.file.project.clone(),
            path,
        })
        .collect();
    let mut candidates = Vec::new();
    let look = |entry: Entry| {
        let Happened::ToolStart { name, input, dir, .. } = &entry.what else {
            return;
        };
        let call = MadeCall {
            tool: name,
            input,
            dir: dir.as_deref(),
        };
        let like = |file| likeness(&review.chat, call, file, &asked.text);
        if let Some(likeness) = files.iter().filter_map(like).max() {
            candidates.push(Candidate {
                seq: entry.seq,
                at: entry.ts,
                tool: name.clone(),
                likeness,
            });
        }
    };
    let told = ToldPrompts::read_with(context, &review.chat, look)?;
    let begin = told.moment(&review.known[at]);
    let end = review.known.get(at + 1).map(|next| told.moment(next));
    let is_within = |one: &&Candidate| {
        let is_before = |moment: &TurnMoment| moment.is_before(one.seq, one.at);
        is_before(&begin) && !end.as_ref().is_some_and(is_before) && !told.hides(one.seq)
    };
    // Of equal ones the last is meant.
    let found = candidates.iter().filter(is_within).max_by_key(|one| one.likeness);
    let call = found.map(|one| OriginCard {
        seq: one.seq,
        tool: Some(one.tool.clone()),
    });
    let prompt = || {
        let turn = turn(&review.known[..=at])?;
        let beginning = review.known.iter().find(|known| known.turn == Some(turn))?;
        let seq = told.prompt_of(beginning).filter(|seq| !told.hides(*seq))?;
        Some(OriginCard { seq, tool: None })
    };
    Ok(call.or_else(prompt))
}

/// The turn in which an entry was told, and what shows what that turn did.
pub fn turn_of(context: &WorkContext, id: &ChatId, seq: u64) -> Result<Option<(u32, DiffSet)>, Problem> {
    let doing = "finding out the turn of a card";
    let review = Review::open(context, id, doing)?;
    let mut at = None;
    let told = ToldPrompts::read_with(context, &review.chat, |entry| {
        if entry.seq == seq {
            at = Some(entry.ts);
        }
    })?;
    let mut turns = review.known.iter().filter_map(|known| Some((known.turn?, known)));
    let begun = |known: &Checkpoint| match (told.prompt_of(known), at) {
        // Its own prompt is a part of a turn.
        (Some(prompt), _) => prompt <= seq,
        (None, Some(at)) => known.at <= at,
        (None, None) => false,
    };
    let last = lineage::last_turn(&review.known).and_then(|last| last.turn);
    let found = turns.rfind(|(_, known)| begun(known));
    Ok(found.map(|(turn, _)| match last == Some(turn) {
        true => (turn, DiffSet::LastPrompt),
        false => (turn, DiffSet::Turn(turn)),
    }))
}
