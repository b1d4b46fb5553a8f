//! From a line to the turn that wrote it or removed it, and on to its card.

use super::ask;
use super::data::{ChangesPart, ChangesView, OriginTurn};
use super::in_place;
use super::told_turn::here;
use crate::domain::effect::Effect;
use crate::domain::state::ScreenRequest;
use crate::model::detail::DetailWork;
use crate::model::diff::LineKind;
use crate::model::origin::{AskedLine, LineAsk, LineAuthor, ShownUpTo, ToldOrigin};
use crate::model::review::{Cause, Checkpoint, DiffSet};
use crate::model::text::visible;
use crate::model::{ChatId, ClientId};
use crate::screen::State;
use crate::screen::keymap::{Action, DiffAction, SheetAction};
use crate::screen::late::{self, LatePlace};
use crate::screen::view::{Tone, View};
use crate::screen::{inspector, toast};

/// Asks about the line that a person is at.
pub fn ask(state: &mut State, client: ClientId) -> Vec<Effect> {
    if in_place::refuses_origin(state, client) {
        return Vec::new();
    }
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let why_not = match (line_ask(view), view.chat.clone()) {
        (Ok(asked), Some(chat)) => return ask::detail(state, client, &chat, DetailWork::Origin(asked)),
        (Ok(_), None) => return Vec::new(),
        (Err(why_not), _) => why_not,
    };
    toast::tell(state, client, why_not, Tone::Told);
    Vec::new()
}

/// The line under the cursor; else why there is none to ask about.
fn line_ask(view: &View) -> Result<LineAsk, &'static str> {
    let changes = &view.changes;
    if let DiffSet::With(_) = changes.set {
        return Err("Another chat is compared here: `c` compares with an earlier moment, whose turns are known.");
    }
    let no_line = "Go to a line first: it tells which turn wrote it.";
    let file = changes.file.as_ref().filter(|_| changes.part == ChangesPart::Lines);
    let line = file.and_then(|file| Some((file, here(view)?)));
    let (file, line) = line.ok_or(no_line)?;
    let asked = match (line.kind, line.old, line.new) {
        (LineKind::Removed, Some(old), _) => AskedLine::Removed(old),
        (LineKind::Removed | LineKind::Context | LineKind::Added, _, Some(new)) => AskedLine::There(new),
        (_, _, None) => return Err(no_line),
    };
    Ok(LineAsk {
        file: file.ask.clone(),
        line: asked,
        text: line.text.clone(),
        shown: shown_up_to(changes).ok_or("No checkpoint yet: this line is older than the first prompt.")?,
    })
}

/// None where there is no checkpoint.
fn shown_up_to(changes: &ChangesView) -> Option<ShownUpTo> {
    let known = &changes.overview.as_ref()?.checkpoints;
    let last = || known.last().map(|checkpoint| checkpoint.number);
    let number = match &changes.set {
        DiffSet::Commit(name) => return Some(ShownUpTo::Commit(name.clone())).filter(|_| !known.is_empty()),
        DiffSet::Between(_, to) => Some(*to),
        DiffSet::Turn(turn) => {
            let is_later = |checkpoint: &Checkpoint| checkpoint.turn.is_some_and(|other| other > *turn);
            let is_end = |checkpoint: &&Checkpoint| checkpoint.cause == Cause::Ended(*turn) || is_later(checkpoint);
            let next = known.iter().find(is_end).map(|checkpoint| checkpoint.number);
            next.or_else(last)
        }
        DiffSet::LastPrompt | DiffSet::Since(_) | DiffSet::Base | DiffSet::Uncommitted | DiffSet::With(_) => last(),
    };
    number.map(ShownUpTo::Checkpoint)
}

/// It is found out: the timeline tells it as long as the cursor is on the line, and the card is gone to where that may be.
pub fn arrived(state: &mut State, request: ScreenRequest, chat: &ChatId, origin: &ToldOrigin) {
    let client = request.client;
    let comes = late::may_come(state, request, LatePlace::In(chat));
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let file = &origin.asked.file;
    let is_shown =
        |shown: &crate::model::diff::FileDiff| shown.ask.project == file.project && shown.ask.path == file.path;
    if view.changes.file.as_ref().is_some_and(is_shown) {
        let turn = origin.turn.filter(|_| origin.author != LineAuthor::Later);
        view.changes.place.origin = turn.map(|turn| OriginTurn {
            turn,
            line: origin.asked.line,
            is_sure: origin.author == LineAuthor::Turn,
        });
    }
    let mut text = words(&view.changes, origin);
    let card = origin.card.as_ref().map(|card| card.seq);
    if card.is_some() && !comes {
        let again = state.keymap.key(Action::Sheet(SheetAction::Diff(DiffAction::Origin)));
        text += &format!(" Press {again} at it again to go to its card.");
    }
    toast::tell(state, client, text, Tone::Told);
    if let Some(card) = card.filter(|_| comes) {
        inspector::go_to(state, client, card);
    }
}

fn words(changes: &ChangesView, origin: &ToldOrigin) -> String {
    let (wrote, came) = match origin.asked.line {
        AskedLine::There(_) => ("wrote", "came"),
        AskedLine::Removed(_) => ("removed", "went"),
    };
    let tool = origin.card.as_ref().and_then(|card| card.tool.as_deref());
    match (origin.turn, origin.since) {
        (Some(turn), _) if origin.author == LineAuthor::Later => {
            format!("No turn {wrote} this line: it {came} when turn {turn} was over.")
        }
        (Some(turn), _) if origin.author == LineAuthor::Either => {
            format!("Turn {turn}, or an edit after it, {wrote} this line.")
        }
        (Some(turn), _) => match tool {
            Some(tool) => format!("Turn {turn} {wrote} this line: {}.", visible(tool)),
            None => format!("Turn {turn} {wrote} this line; which call did cannot be told."),
        },
        (None, Some(number)) => {
            let known = changes.overview.iter().flat_map(|overview| &overview.checkpoints);
            let cause = known
                .into_iter()
                .find(|known| known.number == number)
                .map(|known| known.cause);
            match cause {
                Some(Cause::Revert(to)) => {
                    format!("No turn {wrote} this line: it {came} after you went back to checkpoint {to}.")
                }
                Some(Cause::Undo(_)) => format!("No turn {wrote} this line: it {came} after you undid a revert."),
                Some(
                    Cause::Turn
                    | Cause::Asked
                    | Cause::Discard
                    | Cause::Take
                    | Cause::Ended(_)
                    | Cause::Opened
                    | Cause::CutOff
                    | Cause::Unread,
                )
                | None => {
                    format!("No turn {wrote} this line: it {came} after checkpoint {number}, before the first prompt.")
                }
            }
        }
        (None, None) => match origin.asked.line {
            AskedLine::There(_) => "This line is older than the first checkpoint.".into(),
            AskedLine::Removed(_) => {
                "No checkpoint has this line: it was gone before the first one, or soon after it was written.".into()
            }
        },
    }
}
