//! What somebody does who reads the changes, and what comes of what they asked workers for.

use crate::domain::effect::Effect;
use crate::model::detail::{Detail, DetailWork};
use crate::model::{ChatId, ClientId, Problem};
use crate::screen::State;

use super::super::keymap::DiffAction;
use super::super::toast;
use super::super::view::Tone;
use super::choice::DiffChoice;
use super::{ask, attempts, card, copy, edit, find, folding, keep, opinion, origin, remarking, search, sets};

pub fn run(state: &mut State, client: ClientId, action: DiffAction) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match action {
        DiffAction::Search => search::begin(view),
        DiffAction::FindFile => find::open(view),
        DiffAction::Fold => folding::fold(view),
        DiffAction::FoldAll => folding::fold_all(view),
        DiffAction::CopyHunk => return copy::hunk(state, client),
        DiffAction::CopyFile => return copy::file(state, client),
        DiffAction::Origin => return origin::ask(state, client),
        DiffAction::Edit => return edit::open(state, client),
        DiffAction::Attempts => return attempts::look(state, client),
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

pub fn told(state: &mut State, client: ClientId, told: Result<(ChatId, Detail), Problem>) -> Vec<Effect> {
    match told {
        Ok((chat, detail)) => arrived(state, client, &chat, detail),
        Err(problem) => {
            failed(state, client, problem);
            Vec::new()
        }
    }
}

/// What was asked for is here; whoever reads another chat by now has no use for it.
fn arrived(state: &mut State, client: ClientId, chat: &ChatId, detail: Detail) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let is_shown = view.changes.of.as_ref() == Some(chat);
    match detail {
        Detail::Found(found) if is_shown => search::arrived(view, found),
        Detail::Commits(commits) if is_shown && view.over.dialog.is_none() => sets::open_commits(view, commits, now),
        Detail::Attempts(found) if is_shown && view.over.dialog.is_none() => attempts::open(state, client, found),
        Detail::TurnOf { card, turn } => card::arrived(state, client, (card, turn)),
        Detail::Origin(origin) if is_shown => origin::arrived(state, client, &origin),
        Detail::Found(_) | Detail::Commits(_) | Detail::Attempts(_) | Detail::Origin(_) => {}
        Detail::Patch(text) => return copy::arrived(state, client, text),
    }
    Vec::new()
}

fn failed(state: &mut State, client: ClientId, problem: Problem) {
    if let Some(view) = state.views.get_mut(&client) {
        search::failed(view);
    }
    toast::tell(state, client, problem.to_string(), Tone::Failed);
}
