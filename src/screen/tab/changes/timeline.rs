//! The turns of a chat, each with what it changed.

use crate::domain::Domain;
use crate::domain::chat::label;
use crate::model::lineage;
use crate::model::review::{Amount, Cause, Checkpoint, DiffSet};
use crate::model::{ChatId, Timestamp};
use crate::screen::way::StepWay;
use crate::screen::wrap::width;

use super::data::ChangesView;

/// One turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnMark<'c> {
    pub turn: u32,
    /// The checkpoint at its beginning.
    pub number: u64,
    pub at: Timestamp,
    pub prompt: &'c str,
    /// `None`: it is the last one, and what is compared was over before it.
    pub amount: Option<Amount>,
    /// What was changed between its end and the next one, by neither.
    pub after: Option<Amount>,
    /// It was gone back before this turn.
    pub is_reverted: bool,
}

impl TurnMark<'_> {
    pub fn changed_files(&self) -> bool {
        self.amount.is_some_and(|amount| amount.files > 0)
    }
}

/// The newest turn of those that were not taken back: what is compared with now.
pub fn last_turn(checkpoints: &[Checkpoint]) -> Option<u32> {
    lineage::last_turn(checkpoints).and_then(|checkpoint| checkpoint.turn)
}

/// Whether there are any marks. Each frame asks this, so they are not made for it.
pub fn has_turns(changes: &ChangesView) -> bool {
    let mut all = changes.overview.iter().flat_map(|overview| &overview.checkpoints);
    all.any(|checkpoint| checkpoint.turn.is_some())
}

/// Oldest first.
pub fn marks(changes: &ChangesView) -> Vec<TurnMark<'_>> {
    let Some(overview) = &changes.overview else {
        return Vec::new();
    };
    let all = &overview.checkpoints;
    let (last, gone) = (last_turn(all), lineage::gone_back(all));
    let mut marks: Vec<TurnMark<'_>> = Vec::new();
    // What was done since a revert, was done by that or by its undo.
    let mut is_over = false;
    for checkpoint in all {
        // What a checkpoint differs by was done in the turn before it.
        if let Some(before) = marks.last_mut().filter(|_| !is_over)
            && matches!(
                checkpoint.cause,
                Cause::Turn
                    | Cause::Asked
                    | Cause::Ended(_)
                    | Cause::Opened
                    | Cause::Discard
                    | Cause::Take
                    | Cause::Revert(_)
                    | Cause::Unread
            )
        {
            before.amount = Some(before.amount.unwrap_or_default() + checkpoint.amount);
        }
        if let (Some(ended), Some(before)) = (checkpoint.ended, marks.last_mut()) {
            (before.amount, before.after) = (Some(ended.own), Some(ended.after));
        }
        is_over = (is_over || checkpoint.ends_turn()) && checkpoint.turn.is_none();
        if let Some(turn) = checkpoint.turn {
            marks.push(TurnMark {
                turn,
                number: checkpoint.number,
                at: checkpoint.at,
                prompt: checkpoint.words(),
                amount: (Some(turn) != last).then(Amount::default),
                after: None,
                is_reverted: gone.contains(&checkpoint.number),
            });
        }
    }
    if let Some(mark) = marks.iter_mut().rfind(|mark| Some(mark.turn) == last) {
        mark.amount = overview.since_last.or(mark.amount);
        if let Some(ended) = overview.ended {
            (mark.amount, mark.after) = (Some(ended.own), Some(ended.after));
        }
    }
    marks
}

/// The turn that the timeline points at: the one that is compared, where one is.
pub fn chosen(changes: &ChangesView) -> Option<u32> {
    let all = &changes.overview.as_ref()?.checkpoints;
    // If all were gone back before, they are to be seen still.
    let last = last_turn(all).or_else(|| all.iter().filter_map(|checkpoint| checkpoint.turn).max());
    match changes.set {
        DiffSet::LastPrompt => last,
        DiffSet::Turn(turn) => Some(turn),
        DiffSet::Since(_)
        | DiffSet::Base
        | DiffSet::Between(..)
        | DiffSet::Uncommitted
        | DiffSet::Commit(_)
        | DiffSet::With(_) => changes.turn.or(last),
    }
}

/// The turn so many further on, and what is then compared: what it did.
pub fn step(changes: &ChangesView, by: isize) -> Option<(u32, DiffSet)> {
    let marks = marks(changes);
    let chosen = chosen(changes)?;
    let at = marks.iter().position(|mark| mark.turn == chosen)?;
    // From a comparison of other moments one comes back to the turn itself first.
    let is_turn = matches!(changes.set, DiffSet::LastPrompt | DiffSet::Turn(_));
    let to = if is_turn { at.saturating_add_signed(by) } else { at };
    let mark = &marks[to.min(marks.len() - 1)];
    Some((mark.turn, of_turn(changes, mark.turn)))
}

/// The next turn that changed files, or the one before.
pub fn changed(changes: &ChangesView, way: StepWay) -> Option<u32> {
    let chosen = chosen(changes)?;
    let mut marks = marks(changes).into_iter().filter(TurnMark::changed_files);
    let found = match way {
        StepWay::Forward => marks.find(|mark| mark.turn > chosen),
        StepWay::Back => marks.rfind(|mark| mark.turn < chosen),
    };
    found.map(|mark| mark.turn)
}

/// What shows what this turn did.
pub fn of_turn(changes: &ChangesView, turn: u32) -> DiffSet {
    let last = changes
        .overview
        .as_ref()
        .and_then(|overview| last_turn(&overview.checkpoints));
    if last == Some(turn) {
        DiffSet::LastPrompt
    } else {
        DiffSet::Turn(turn)
    }
}

/// The checkpoint up to which a person has reviewed, as long as it is there.
pub fn reviewed(changes: &ChangesView) -> Option<u64> {
    let overview = changes.overview.as_ref()?;
    let is_there = |number: &u64| overview.checkpoints.iter().any(|known| known.number == *number);
    overview.reviewed.filter(is_there)
}

/// A checkpoint by the turn that it is the beginning of, if it is.
fn name_of(changes: &ChangesView, number: u64) -> String {
    match turn_at(changes, number) {
        Some(turn) => format!("the beginning of turn {turn}"),
        None => format!("checkpoint {number}"),
    }
}

/// The turn whose beginning this checkpoint is.
fn turn_at(changes: &ChangesView, number: u64) -> Option<u32> {
    let mut all = changes.overview.iter().flat_map(|overview| &overview.checkpoints);
    all.find(|checkpoint| checkpoint.number == number)?.turn
}

/// When what is compared was what it is before the changes.
pub fn before(changes: &ChangesView) -> String {
    match &changes.set {
        DiffSet::LastPrompt => "before the last prompt".into(),
        DiffSet::Turn(turn) => format!("before turn {turn}"),
        DiffSet::Since(number) | DiffSet::Between(number, _) => format!("at {}", name_of(changes, *number)),
        DiffSet::Base => "where its branch left the base branch".into(),
        DiffSet::Uncommitted => "in the last commit".into(),
        DiffSet::Commit(name) => format!("before commit {}", short(name)),
        DiffSet::With(_) => "in this chat".into(),
    }
}

/// What is compared, in words.
pub fn words(domain: &Domain, changes: &ChangesView) -> String {
    let turn_of = |number: u64| name_of(changes, number);
    match &changes.set {
        DiffSet::LastPrompt => "since the last prompt".into(),
        DiffSet::Turn(turn) => format!("turn {turn} alone"),
        DiffSet::Since(number) if reviewed(changes) == Some(*number) => "since you reviewed".into(),
        DiffSet::Since(number) => match turn_at(changes, *number) {
            Some(turn) => format!("since the beginning of turn {turn}"),
            None => format!("since checkpoint {number}"),
        },
        DiffSet::Between(from, to) => format!("from {} to {}", turn_of(*from), turn_of(*to)),
        DiffSet::Base => "against the base branch".into(),
        DiffSet::Uncommitted => "uncommitted".into(),
        DiffSet::Commit(name) => format!("commit {}", short(name)),
        DiffSet::With(chat) => {
            let other = ChatId::parse(chat).and_then(|id| domain.disk.chats.get(&id));
            let name = other.map_or(chat.as_str(), |other| label(domain, other));
            format!("with {name}: + is there, − is here")
        }
    }
}

/// As much of a commit's name as tells it from others.
pub fn short(name: &str) -> &str {
    let is_hash = name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hash { &name[..10] } else { name }
}

/// Where the number of a turn stands in the row of marks.
pub struct MarkSpot {
    pub turn: u32,
    pub x: usize,
    pub text: String,
}

impl MarkSpot {
    pub fn width(&self) -> usize {
        width(&self.text)
    }
}

/// How the number of a turn that changed files is told from others.
pub const CHANGED: &str = "±";

/// The marks that fit into a row of this width: as many before the chosen one as there is room for, and then those behind.
/// The turn that is told of besides is among them, if there is room for both.
pub fn spots(marks: &[TurnMark<'_>], (chosen, told): (Option<u32>, Option<u32>), room: usize) -> Vec<MarkSpot> {
    let sign = |mark: &TurnMark<'_>| if mark.changed_files() { CHANGED } else { "" };
    let text = |mark: &TurnMark<'_>| format!(" {}{} ", mark.turn, sign(mark));
    let texts: Vec<String> = marks.iter().map(text).collect();
    let place = |turn: Option<u32>| marks.iter().position(|mark| Some(mark.turn) == turn);
    let at = place(chosen).unwrap_or(0);
    let other = place(told).unwrap_or(at);
    let first = first_of(&texts, (at.min(other), at.max(other)), room).or_else(|| first_of(&texts, (at, at), room));
    let first = first.unwrap_or(at);
    let mut x = 0;
    let mut spots = Vec::new();
    for (mark, text) in marks.iter().zip(texts).skip(first) {
        if x + width(&text) > room {
            break;
        }
        let next = x + width(&text) + 1;
        spots.push(MarkSpot {
            turn: mark.turn,
            x,
            text,
        });
        x = next;
    }
    spots
}

/// The first one to show so that these two are seen, and the one behind them, if there is room.
fn first_of(texts: &[String], (from, to): (usize, usize), room: usize) -> Option<usize> {
    let fits = |first: usize, end: usize| {
        let widths = texts[first..end].iter().map(|text| width(text) + 1);
        widths.sum::<usize>() <= room + 1
    };
    let upto = |end: usize| (0..=from).find(|first| fits(*first, end.min(texts.len())));
    upto(to + 2).or_else(|| upto(to + 1))
}
