//! Ends and restarts what runs in the chat that is shown: the agent, its turn, its tree, what stands beside it.

use crate::domain::auxiliary::AuxiliaryProgram;
use crate::domain::effect::Effect;
use crate::domain::team::tree;
use crate::domain::{agent, edit, login, script};
use crate::model::output::OpenedWith;
use crate::model::{ChatId, ClientId, Status};
use crate::screen::State;

use super::dialog::{self, Halt, Halted, Wish};
use super::dialogs::open;
use super::view::{Mode, Tone};
use super::{side, toast, wish};

/// A turn can be hours of work, and vim's users press this key. Behind the leader it was meant.
pub fn interrupt(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let inside = state.views.get(&client).is_some_and(|view| view.mode == Mode::Agent);
    if is_at_rest(&state.domain.status(&chat)) {
        toast::tell(state, client, "Nothing runs that could be interrupted.", Tone::Told);
        let now = state.domain.now;
        // It may have ended a moment ago, and the answer to the question be on its way.
        if let Some(view) = state.views.get_mut(&client).filter(|_| !inside) {
            view.over.guard.did_not_open(now);
        }
        return Vec::new();
    }
    if inside || !dialog::is_in_turn(&state.domain, &chat) {
        return agent::interrupt(&mut state.domain, &chat);
    }
    let halt = Halt::new(&state.domain, &chat, Halted::Turn);
    open(state, client, halt)
}

/// It waits for a prompt, or does not run at all.
fn is_at_rest(status: &Status) -> bool {
    match status {
        Status::Idle(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Exited(_)
        | Status::Hibernated => true,
        Status::Starting | Status::Running(_) | Status::NeedsYou(_) | Status::Retrying(_) | Status::Unknown(_) => false,
    }
}

pub fn stop(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let shown = state.views.get(&client).and_then(|view| side::shown(state, view));
    match shown.map(|(number, side)| (number, &side.what)) {
        Some((number, AuxiliaryProgram::Run { .. })) => return script::stop_shown(&mut state.domain, client, number),
        Some((number, AuxiliaryProgram::LogIn { .. })) => return login::end(&mut state.domain, number),
        Some((number, AuxiliaryProgram::Page)) => return edit::end_pager(&mut state.domain, number),
        Some((_, AuxiliaryProgram::Edit)) => return side::ask_to_end(state, client, &chat, OpenedWith::Editor),
        Some((_, AuxiliaryProgram::Shell)) => return side::ask_to_end(state, client, &chat, OpenedWith::Shell),
        None => {}
    }
    if !state.domain.status(&chat).is_live() {
        let text = format!("Its {} does not run.", state.domain.disk.what_runs(&chat));
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    let halt = Halt::new(&state.domain, &chat, Halted::Agent);
    open(state, client, halt)
}

pub fn tree_lives(state: &State, chat: Option<&ChatId>) -> bool {
    let lives = |chat: &ChatId| state.domain.status(chat).is_live();
    chat.is_some_and(|chat| lives(chat) || tree::below(&state.domain, chat).iter().any(lives))
}

pub fn stop_tree(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    if !tree_lives(state, Some(&chat)) {
        toast::tell(state, client, "No agent of this tree runs.", Tone::Told);
        return Vec::new();
    }
    let halt = Halt::new(&state.domain, &chat, Halted::Tree);
    open(state, client, halt)
}

/// Asks only where something would end.
pub fn restart(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let shown = state.views.get(&client).and_then(|view| side::shown(state, view));
    if let Some((number, AuxiliaryProgram::Run { .. })) = shown.map(|(number, side)| (number, &side.what)) {
        return side::restart_shown(state, client, number);
    }
    match state.domain.status(&chat).is_live() {
        true => {
            let halt = Halt::new(&state.domain, &chat, Halted::ForRestart);
            open(state, client, halt)
        }
        false => wish::carry_out(state, Wish::Halt(chat, Halted::ForRestart), client.into()),
    }
}
