//! What comes back to an open dialog: suggestions, losses, failures, and that its work is done.

use crate::domain::effect::Effect;
use crate::domain::event::PlaceHint;
use crate::domain::state::{Requester, Waiting};
use crate::domain::work::{Read, ReadThen};
use crate::model::review::Reverted;
use crate::model::{ChatId, ClientId, Losses, Problem, RoleEntry, ScheduleId};
use crate::screen::State;

use super::super::keymap::{Action, ChangesAction, SheetAction};
use super::super::view::Tone;
use super::super::{board, toast};
use super::{Ask, Dialog, Work, trash};

/// What deleting a chat would lose, for the dialog that asks about it.
pub fn losses(state: &mut State, client: ClientId, chat: &ChatId, losses: Losses) {
    let now = state.domain.now;
    match open(state, client) {
        Some(Dialog::Delete(delete)) if delete.chat == *chat => delete.would_lose(now, losses),
        Some(Dialog::Trash(trash)) => trash.would_lose(chat, losses, now),
        Some(_) | None => {}
    }
}

/// What going back would change, for the dialog that asks about it.
pub fn planned(state: &mut State, client: ClientId, chat: &ChatId, plan: Reverted) {
    let now = state.domain.now;
    if let Some(Dialog::Revert(revert)) = open(state, client)
        && revert.chat == *chat
    {
        revert.planned(now, plan);
    }
}

/// It was gone back: the dialog is over, and the tab compares again.
pub fn reverted(state: &mut State, client: ClientId, chat: &ChatId, reverted: &Reverted) {
    let is_it = |dialog: &Dialog| matches!(dialog, Dialog::Revert(revert) if revert.chat == *chat);
    close_busy(state, client, is_it);
    let files: usize = reverted.projects.iter().map(|project| project.changes.len()).sum();
    let files = if files == 1 {
        "1 file".into()
    } else {
        format!("{files} files")
    };
    let undo = state
        .keymap
        .key(Action::Sheet(SheetAction::Changes(ChangesAction::UndoRevert)));
    toast::tell(
        state,
        client,
        format!("Went back: {files} changed. {undo} undoes it."),
        Tone::Told,
    );
    if let Some(view) = state.views.get_mut(&client) {
        view.changes.refresh();
        view.checkpoints.refresh();
    }
}

/// Whether a person who said yes has seen all that deleting the chat loses now. Else it is shown, and asked again.
pub fn still_agreed(state: &mut State, client: ClientId, chat: &ChatId, losses: Losses) -> bool {
    let now = state.domain.now;
    match open(state, client) {
        Some(Dialog::Delete(delete)) if delete.chat == *chat => delete.still_agreed(now, losses),
        Some(_) | None => false,
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

/// They could not be looked for: the next text is asked about.
pub fn no_places(state: &mut State, client: ClientId) {
    let places = open(state, client)
        .and_then(Dialog::ask_mut)
        .and_then(|ask| ask.places_mut());
    if let Some(places) = places {
        places.give_up();
    }
}

/// The chat is in the trash, as this person asked for.
pub fn deleted(state: &mut State, client: ClientId, name: &str) {
    let text = format!("Deleted {name}. {}.", trash::hint(state));
    toast::tell(state, client, text, Tone::Told);
}

/// The roles that a new chat may have.
pub fn roles(state: &mut State, client: ClientId, roles: Vec<RoleEntry>) {
    if let Some(Dialog::NewChat(new)) = open(state, client) {
        new.offer(roles);
    }
}

/// Work that a person asked for failed: the dialog that asked shows it and keeps what was typed; else a toast does.
pub fn failed(state: &mut State, client: ClientId, problem: Problem) {
    match open(state, client) {
        Some(Dialog::Servers(servers)) => servers.failed(problem),
        Some(Dialog::Trash(trash)) => trash.failed(problem),
        Some(Dialog::Revert(revert)) => revert.failed(problem),
        Some(Dialog::Proposed(proposed)) if proposed.form.is_busy() => proposed.form.work = Work::Failed(problem),
        Some(dialog) => match dialog.ask_mut() {
            Some(ask) if ask.form().is_busy() => ask.form_mut().work = Work::Failed(problem),
            Some(_) | None => toast::tell(state, client, problem.to_string(), Tone::Failed),
        },
        None => toast::tell(state, client, problem.to_string(), Tone::Failed),
    }
}

/// A schedule was written that a dialog asked for: it is shown.
pub fn kept(state: &mut State, client: ClientId, schedule: &ScheduleId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    view.drafts.schedule_is_made();
    let asked = matches!(&view.dialog, Some(Dialog::Schedule(form)) if form.form().is_busy());
    if asked {
        view.dialog = None;
        if let Some(page) = &mut view.automations {
            page.at = Some(schedule.clone());
        }
    }
}

/// The chat has its new name, which may be another than was typed.
pub fn renamed(state: &mut State, client: ClientId, chat: &ChatId) {
    let is_it = |dialog: &Dialog| matches!(dialog, Dialog::Rename(rename) if rename.chat == *chat);
    close_busy(state, client, is_it);
}

/// The directory is open, whether it was before or not.
pub fn opened(state: &mut State, client: ClientId, chat: &ChatId) {
    let is_it = |dialog: &Dialog| matches!(dialog, Dialog::Project(project) if project.chat == *chat);
    close_busy(state, client, is_it);
}

/// What a person said of lines is kept, or what they chose is discarded.
pub fn remarked(state: &mut State, client: ClientId) {
    close_busy(state, client, |dialog| {
        matches!(dialog, Dialog::Remark(_) | Dialog::Discard(_))
    });
}

fn close_busy(state: &mut State, client: ClientId, is_it: impl FnOnce(&Dialog) -> bool) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let waits = |dialog: &mut Dialog| dialog.ask_mut().is_some_and(|ask| ask.form().is_busy());
    view.dialog.take_if(|dialog| is_it(dialog) && waits(dialog));
}

/// The atom of the form is written: it is over, and the atom selected.
pub fn saved(state: &mut State, client: ClientId) {
    let written = match open(state, client) {
        Some(Dialog::AtomForm(atom)) if atom.form().is_busy() => Some(atom.key()),
        Some(_) | None => None,
    };
    if let (Some(key), Some(view)) = (written, state.views.get_mut(&client)) {
        view.dialog = None;
        board::select(state, client, Some(key));
    }
}

/// Closes what is done or has lost its chat, and asks for suggestions where the text has changed.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    settle_approvals(state, client);
    let mut effects = trash::settle(state, client);
    effects.extend(settle_work(state, client));
    let now = state.domain.now;
    let form = open(state, client).and_then(Dialog::ask_mut).map(|ask| ask.form_mut());
    effects.extend(form.and_then(|form| form.ticks(now)).map(Effect::WakeAt));
    effects
}

fn settle_work(state: &mut State, client: ClientId) -> Vec<Effect> {
    let chats = &state.domain.disk.chats;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let over = match &view.dialog {
        Some(Dialog::Project(project)) => !chats.contains_key(&project.chat),
        Some(Dialog::Rename(rename)) => !chats.contains_key(&rename.chat),
        Some(Dialog::Stop(stop)) => !chats.contains_key(&stop.chat),
        Some(Dialog::Revert(revert)) => !chats.contains_key(&revert.chat),
        Some(Dialog::Remark(remark)) => !chats.contains_key(&remark.chat),
        Some(Dialog::Discard(discard)) => !chats.contains_key(&discard.chat),
        Some(Dialog::Delete(delete)) => !chats.contains_key(&delete.chat),
        Some(Dialog::Servers(servers)) => !chats.contains_key(&servers.chat),
        Some(Dialog::Proposed(proposed)) => !chats.contains_key(&proposed.chat),
        Some(Dialog::Schedule(form)) => {
            let schedules = &state.domain.disk.schedules;
            form.of.as_ref().is_some_and(|id| !schedules.contains_key(id))
        }
        Some(Dialog::Cancel(cancel)) => !state.domain.disk.schedules.contains_key(&cancel.schedule),
        Some(Dialog::AtomForm(atom)) => !chats.contains_key(&atom.chat),
        Some(Dialog::AtomPage(atom)) => !chats.contains_key(&atom.chat),
        Some(
            Dialog::NewChat(_)
            | Dialog::Help(_)
            | Dialog::Log(_)
            | Dialog::Palette(_)
            | Dialog::Choose(_)
            | Dialog::Approvals(_)
            | Dialog::Trash(_)
            | Dialog::Output(_),
        )
        | None => false,
    };
    if over {
        view.dialog = None;
        return Vec::new();
    }
    let cwd = view.cwd.clone();
    let places = view
        .dialog
        .as_mut()
        .and_then(Dialog::ask_mut)
        .and_then(|ask| ask.places_mut());
    let Some(text) = places.and_then(|places| places.question()) else {
        return Vec::new();
    };
    let work = state.domain.ids.work();
    let waiting = Waiting {
        requester: Requester::screen(client),
        then: ReadThen::ShowPlaces.into(),
    };
    state.domain.live.waiting.insert(work, waiting);
    vec![Effect::Work(work, Read::Places { text, cwd }.into())]
}

fn settle_approvals(state: &mut State, client: ClientId) {
    // Taken out while all else is looked at, and put back.
    let dialog = state.views.get_mut(&client).and_then(|view| view.dialog.take());
    let Some(mut dialog) = dialog else {
        return;
    };
    if let Dialog::Approvals(approvals) = &mut dialog {
        approvals.settle(state);
    }
    if let Some(view) = state.views.get_mut(&client) {
        view.dialog = Some(dialog);
    }
}

fn open(state: &mut State, client: ClientId) -> Option<&mut Dialog> {
    state.views.get_mut(&client)?.dialog.as_mut()
}
