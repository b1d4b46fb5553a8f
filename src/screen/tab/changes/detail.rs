//! What somebody does who reads the changes, and what comes of what they asked workers for.

use super::choice::DiffChoice;
use super::{
    ask, attempts, card, copy, edit, find, folding, in_place, keep, opinion, origin, press, remarking, search, sets,
};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::ScreenRequest;
use crate::model::detail::{Detail, DetailWork};
use crate::model::review::DiffSet;
use crate::model::text::visible;
use crate::model::{ChatId, ClientId, Problem};
use crate::screen::State;
use crate::screen::keymap::{Action, ChangesAction, DiffAction, ScreenAction, SheetAction};
use crate::screen::late::{self, LatePlace};
use crate::screen::toast;
use crate::screen::view::Tone;
use crate::screen::way::StepWay;

pub fn run(state: &mut State, client: ClientId, action: DiffAction) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match action {
        DiffAction::Search => view.changes.search.begin(),
        DiffAction::FindFile => find::open(view),
        DiffAction::Fold => folding::fold(view),
        DiffAction::FoldAll => folding::fold_all(view),
        DiffAction::CopyHunk => return copy::hunk(state, client),
        DiffAction::CopyFile => return copy::file(state, client),
        DiffAction::Origin => return origin::ask(state, client),
        DiffAction::Edit => return edit::open(state, client),
        DiffAction::Attempts => return attempts::look(state, client),
        DiffAction::NextChanged => return press::to_changed_turn(state, client, StepWay::Forward),
        DiffAction::PreviousChanged => return press::to_changed_turn(state, client, StepWay::Back),
    }
    Vec::new()
}

/// Something was chosen from a list of the tab.
pub fn chosen(state: &mut State, client: ClientId, choice: DiffChoice) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    // Whoever chose goes on with what is behind.
    view.over.guard.lift();
    if needs_past(&choice) && in_place::refuses_other_moments(state, client) {
        return Vec::new();
    }
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match choice {
        DiffChoice::File(key) => find::go(view, &key),
        DiffChoice::Remark(id) => remarking::go_to(state, client, id),
        DiffChoice::Keep(choice) => return keep::chosen(state, client, choice),
        DiffChoice::SendRemarks => return remarking::send(state, client),
        DiffChoice::Reviewer(llm) => return opinion::begin(state, client, llm),
        DiffChoice::Set(set) => view.changes.compare(set),
        DiffChoice::Turn(turn) => sets::choose_turn(view, turn),
        DiffChoice::Turns => sets::open_turns(view, now),
        DiffChoice::Checkpoints => sets::open_checkpoints(view, now),
        DiffChoice::Attempts => return attempts::look(state, client),
        DiffChoice::Commits => {
            let chat = view.chat.clone();
            return chat.map_or_else(Vec::new, |chat| ask::detail(state, client, &chat, DetailWork::Commits));
        }
    }
    Vec::new()
}

/// It compares with another moment than the last commit.
fn needs_past(choice: &DiffChoice) -> bool {
    match choice {
        DiffChoice::Set(set) => *set != DiffSet::Uncommitted,
        DiffChoice::Turn(_)
        | DiffChoice::Turns
        | DiffChoice::Checkpoints
        | DiffChoice::Commits
        | DiffChoice::Attempts => true,
        DiffChoice::File(_)
        | DiffChoice::Remark(_)
        | DiffChoice::SendRemarks
        | DiffChoice::Keep(_)
        | DiffChoice::Reviewer(_) => false,
    }
}

pub fn told(state: &mut State, request: ScreenRequest, told: Result<(ChatId, Detail), Problem>) -> Vec<Effect> {
    match told {
        Ok((chat, detail)) => arrived(state, request, &chat, detail),
        Err(problem) => {
            failed(state, request.client, problem);
            Vec::new()
        }
    }
}

/// What was asked for is here. What opens or leads elsewhere does so for whoever has not gone on; others are told of it.
fn arrived(state: &mut State, request: ScreenRequest, chat: &ChatId, detail: Detail) -> Vec<Effect> {
    let (client, now) = (request.client, state.domain.now);
    let comes = late::may_come(state, request, LatePlace::In(chat));
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let is_of = view.changes.of.as_ref() == Some(chat);
    match detail {
        Detail::Found(found) if is_of => search::arrived(view, found),
        Detail::Found(_) => {}
        Detail::Commits(commits) if comes => sets::open_commits(view, commits, now),
        Detail::Attempts(found) if comes => attempts::open(state, client, found),
        Detail::TurnOf { card, turn } if comes => card::arrived(state, client, (card, turn)),
        Detail::Origin(origin) if is_of => origin::arrived(state, request, chat, &origin),
        Detail::Patch(text) => return copy::arrived(state, client, text),
        Detail::Commits(_) | Detail::Attempts(_) | Detail::TurnOf { .. } | Detail::Origin(_) => {
            point(state, client, chat, &detail);
        }
    }
    Vec::new()
}

/// It does not come before the eyes of whoever asked for it: they are told how to get there.
fn point(state: &mut State, client: ClientId, chat: &ChatId, detail: &Detail) {
    let key = |action: Action| state.keymap.key(action);
    let diff = |action| key(Action::Sheet(SheetAction::Diff(action)));
    let compare = || key(Action::Sheet(SheetAction::Changes(ChangesAction::CompareWith)));
    let (what, again) = match detail {
        Detail::Commits(_) => ("The commits", format!("{} in its Changes tab", compare())),
        Detail::Attempts(_) => (
            "The attempts",
            format!("{} in its Changes tab", diff(DiffAction::Attempts)),
        ),
        Detail::Origin(_) => (
            "The turn that wrote a line",
            format!("{} at it", diff(DiffAction::Origin)),
        ),
        Detail::TurnOf { .. } => (
            "What a card changed",
            format!("{} at it", key(ScreenAction::CardChanges.into())),
        ),
        Detail::Found(_) | Detail::Patch(_) => return,
    };
    let handle = visible(&chat::handle(&state.domain, chat));
    let text = format!("{what} in {handle} can be shown: press {again} again.");
    toast::tell(state, client, text, Tone::Told);
}

fn failed(state: &mut State, client: ClientId, problem: Problem) {
    if let Some(view) = state.views.get_mut(&client) {
        search::failed(view);
    }
    toast::tell(state, client, problem.to_string(), Tone::Failed);
}
