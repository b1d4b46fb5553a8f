//! What comes back to an open dialog: suggestions, losses, failures, and that its work is done.

use crate::model::{ChatId, ClientId, Problem};

use super::super::effect::{Effect, Job};
use super::super::event::PlaceHint;
use super::super::keymap::{Action, Keymap};
use super::super::state::{Asker, State, Then, Waiting};
use super::super::toast;
use super::super::view::Tone;
use super::{Ask, Dialog, Work};

/// What deleting a chat would lose, for the dialog that asks about it.
pub fn losses(state: &mut State, client: ClientId, chat: &ChatId, losses: Vec<String>) {
    let now = state.now;
    if let Some(Dialog::Delete(delete)) = open(state, client)
        && delete.chat == *chat
    {
        delete.would_lose(now, losses);
    }
}

/// Suggestions for the field that a person types a place in.
pub fn places(state: &mut State, client: ClientId, hints: Vec<PlaceHint>) {
    let places = open(state, client)
        .and_then(Dialog::ask_mut)
        .and_then(|ask| ask.places_mut());
    if let Some(places) = places {
        places.answer(hints);
    }
}

/// Work that a person asked for failed: the dialog that asked shows it and keeps what was typed; else a toast does.
pub fn failed(state: &mut State, client: ClientId, problem: Problem) {
    match open(state, client) {
        Some(dialog) => match dialog.ask_mut() {
            Some(ask) if ask.form().is_busy() => ask.form_mut().work = Work::Failed(problem),
            Some(_) | None => toast::tell(state, client, problem.to_string(), Tone::Failed),
        },
        None => toast::tell(state, client, problem.to_string(), Tone::Failed),
    }
}

/// Closes what is done or has lost its chat, and asks for suggestions where the text has changed.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let chats = &state.disk.chats;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let over = match &view.dialog {
        Some(Dialog::Project(project)) => {
            let open = chats.get(&project.chat).map(|chat| chat.projects.len());
            open.is_none_or(|open| project.form().is_busy() && open > project.before)
        }
        Some(Dialog::Rename(rename)) => {
            let name = chats.get(&rename.chat).map(|chat| &chat.record.name);
            name.is_none_or(|name| rename.form().is_busy() && rename.wanted().as_ref() == Some(name))
        }
        Some(Dialog::Stop(stop)) => !chats.contains_key(&stop.chat),
        Some(Dialog::Delete(delete)) => !chats.contains_key(&delete.chat),
        Some(Dialog::NewChat(_) | Dialog::Help(_) | Dialog::Log(_) | Dialog::Palette(_) | Dialog::Approvals(_))
        | None => false,
    };
    if over {
        let deleted = match view.dialog.take() {
            Some(Dialog::Delete(delete)) if delete.form().is_busy() => Some(delete.name),
            Some(_) | None => None,
        };
        if let Some(name) = deleted {
            let undo = Keymap::of(&state.disk.settings).key(Action::UndoDelete);
            toast::tell(
                state,
                client,
                format!("Deleted {name}. {undo} brings it back."),
                Tone::Told,
            );
        }
        return Vec::new();
    }
    let cwd = view.cwd.clone();
    let now = state.now;
    let awaited = |then: Then| state.live.waiting.values().any(|waiting| waiting.then == then);
    match &mut view.dialog {
        Some(Dialog::Delete(delete)) if !delete.knows() && !awaited(Then::ShowLosses(client, delete.chat.clone())) => {
            // Not knowing is no reason to refuse for ever, but it is said.
            delete.would_lose(now, vec!["unknown: it could not be found out, the log says why".into()]);
        }
        Some(dialog) => {
            let places = dialog.ask_mut().and_then(|ask| ask.places_mut());
            if let Some(places) = places.filter(|_| !awaited(Then::ShowPlaces(client))) {
                places.give_up();
            }
        }
        None => {}
    }
    let places = view
        .dialog
        .as_mut()
        .and_then(Dialog::ask_mut)
        .and_then(|ask| ask.places_mut());
    let Some(text) = places.and_then(|places| places.question()) else {
        return Vec::new();
    };
    let work = state.ids.work();
    let waiting = Waiting {
        asker: Asker::Screen(client),
        then: Then::ShowPlaces(client),
    };
    state.live.waiting.insert(work, waiting);
    vec![Effect::Work(work, Job::Places { text, cwd })]
}

fn open(state: &mut State, client: ClientId) -> Option<&mut Dialog> {
    state.views.get_mut(&client)?.dialog.as_mut()
}
