//! The trash: the chats that were deleted lately, by whomever, to be restored or deleted for good.

use std::collections::BTreeMap;

use crossterm::event::KeyEvent;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Requester, Then};
use crate::domain::work::{TrashThen, TrashWork};
use crate::model::deleted::Deleted;
use crate::model::text::visible;
use crate::model::{ChatId, ClientId, Losses, Problem, Timestamp};
use crate::screen::State;

use super::super::keymap::ChatsAction;
use super::super::wrap::wrap;
use super::buttons::{self, Pressed};
use super::place::FOR_GOOD;
use super::tables::{QUESTION, QuestionKey, TRASH, TrashKey};
use super::{Dialog, Form, Stop, Wish, loss};

const DAY_MS: u64 = 86_400_000;

pub struct Trash {
    /// Newest first; `None` until it is read.
    pub list: Option<Vec<Deleted>>,
    pub at: usize,
    /// The chosen one is to be deleted for good, if the person says so.
    pub confirm: Option<Form>,
    /// What is being done: one thing at a time.
    pub busy: Option<Busy>,
    pub problem: Option<Problem>,
    /// What each would lose; `None` while that is being found out.
    losses: BTreeMap<ChatId, Option<Losses>>,
    /// How often the trash had changed when the list was asked for; `None` where it may be another one since.
    seen: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    Reading,
    Restoring,
    Purging,
}

impl Busy {
    fn words(self) -> &'static str {
        match self {
            Busy::Reading => "reading…",
            Busy::Restoring => "restoring…",
            Busy::Purging => "deleting for good…",
        }
    }
}

/// What a key or click comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Stay,
    Close,
    Early,
    Do(Wanted),
}

/// What is to be done with a deleted chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    Restore(ChatId),
    Purge(ChatId),
}

impl Trash {
    fn new(state: &State) -> Trash {
        Trash {
            list: None,
            at: 0,
            confirm: None,
            busy: Some(Busy::Reading),
            problem: None,
            losses: BTreeMap::new(),
            seen: Some(state.domain.live.trashed),
        }
    }

    pub fn chosen(&self) -> Option<&Deleted> {
        self.list.as_ref()?.get(self.at)
    }

    /// What one is called in the list: its handle where others have its name, with its id where they have both.
    pub fn label(&self, one: &Deleted) -> String {
        let others = || self.list.iter().flatten().filter(|other| other.id != one.id);
        match &one.handle {
            Some(handle) if others().any(|other| other.handle.as_ref() == Some(handle)) => {
                format!("{handle} ({})", one.id)
            }
            Some(handle) if others().any(|other| other.name == one.name) => handle.to_string(),
            Some(_) | None => one.title().to_owned(),
        }
    }

    /// The first row that is seen of a list with room for so many.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }

    /// What is said of the chosen one below the list, or of a trash with nothing in it.
    pub fn detail(&self, state: &State, width: usize) -> Vec<String> {
        let mut lines = Vec::new();
        lines.extend(self.problem.iter().map(|problem| visible(&problem.to_string())));
        lines.extend(self.busy.iter().map(|busy| busy.words().to_string()));
        if let Some(chosen) = self.chosen() {
            lines.push(kept(chosen, state.domain.now));
            lines.extend(self.loses());
        }
        lines.iter().flat_map(|line| wrap(line, width)).collect()
    }

    /// All that is to be read before the chosen one is deleted for good.
    pub fn question(&self, width: usize) -> Vec<String> {
        let Some(chosen) = self.chosen() else {
            return Vec::new();
        };
        let mut lines = vec![visible(&self.label(chosen)), String::new()];
        lines.extend(self.loses());
        lines.extend([String::new(), "Nothing brings it back after that.".into()]);
        lines.iter().flat_map(|line| wrap(line, width)).collect()
    }

    fn loses(&self) -> Vec<String> {
        let known = self.chosen().and_then(|chosen| self.losses.get(&chosen.id));
        let loss = loss::said(known.and_then(Option::as_ref), "Deleting it for good would lose:");
        let mut lines = vec![loss.headline.to_string()];
        lines.extend(loss.lost.iter().map(|line| format!("· {line}")));
        lines.extend(loss.notes);
        lines
    }

    pub fn press(&mut self, state: &State, key: KeyEvent, room: usize, text: (usize, usize)) -> Reply {
        if self.confirm.is_some() {
            return self.press_confirm(state, key, text);
        }
        let last = self.list.as_ref().map_or(0, |list| list.len().saturating_sub(1));
        match TRASH.command(key) {
            Some(TrashKey::Close) => return Reply::Close,
            Some(TrashKey::Move(key)) => self.at = key.go(self.at, last, room),
            Some(TrashKey::Restore) => return self.begin(Busy::Restoring, Wanted::Restore),
            Some(TrashKey::Purge) if self.busy.is_none() && self.chosen().is_some() => {
                self.confirm = Some(Form::new(Stop::No, state.domain.now));
            }
            Some(TrashKey::Purge) | None => {}
        }
        Reply::Stay
    }

    /// A click on a row chooses it.
    pub fn choose_row(&mut self, at: usize) {
        if self.list.as_ref().is_some_and(|list| at < list.len()) {
            self.at = at;
        }
    }

    /// A button is pressed: a yes counts once what would be lost is known and can have been read to its end.
    pub fn choose(&mut self, state: &State, stop: Stop, (width, rows): (usize, usize)) -> Reply {
        let most = self.question(width).len().saturating_sub(rows);
        let knows = self.knows();
        let Some(form) = &mut self.confirm else {
            return Reply::Stay;
        };
        if form.is_unread(state.domain.now) {
            return Reply::Early;
        }
        if stop != Stop::Yes {
            self.confirm = None;
            return Reply::Stay;
        }
        if !knows {
            return Reply::Early;
        }
        if form.scroll < most {
            form.scroll = (form.scroll + rows).min(most);
            form.shown = state.domain.now;
            return Reply::Stay;
        }
        self.confirm = None;
        self.begin(Busy::Purging, Wanted::Purge)
    }

    fn press_confirm(&mut self, state: &State, key: KeyEvent, (width, rows): (usize, usize)) -> Reply {
        let most = self.question(width).len().saturating_sub(rows);
        let Some(form) = &mut self.confirm else {
            return Reply::Stay;
        };
        let key = QUESTION.command(key);
        match buttons::press(&mut form.at, &FOR_GOOD, key) {
            Pressed::Chosen(stop) => return self.choose(state, stop, (width, rows)),
            Pressed::Moved => return Reply::Stay,
            Pressed::Other => {}
        }
        match key {
            Some(QuestionKey::Close) => self.confirm = None,
            Some(key) => form.scroll = key.scroll(form.scroll, most, rows),
            None => {}
        }
        Reply::Stay
    }

    fn begin(&mut self, doing: Busy, wanted: fn(ChatId) -> Wanted) -> Reply {
        let Some(id) = self.chosen().map(|chosen| chosen.id.clone()) else {
            return Reply::Stay;
        };
        if self.busy.is_some() {
            return Reply::Stay;
        }
        self.busy = Some(doing);
        self.problem = None;
        Reply::Do(wanted(id))
    }

    fn knows(&self) -> bool {
        let known = self.chosen().and_then(|chosen| self.losses.get(&chosen.id));
        matches!(known, Some(Some(_)))
    }

    /// The list may not be what it was: it is read again.
    pub fn failed(&mut self, mut problem: Problem) {
        let label = self.chosen().map(|chosen| self.label(chosen));
        let doing = match self.busy {
            Some(Busy::Restoring) => label.map(|label| format!("restoring {label}")),
            Some(Busy::Purging) => label.map(|label| format!("deleting {label} for good")),
            Some(Busy::Reading) | None => None,
        };
        if let Some(doing) = doing {
            problem.doing = doing;
            self.seen = None;
        }
        self.busy = None;
        self.problem = Some(problem);
    }

    /// What to decide on is new: it has to be seen before it is answered.
    pub fn would_lose(&mut self, chat: &ChatId, losses: Losses, now: Timestamp) {
        self.losses.insert(chat.clone(), Some(losses));
        if let Some(form) = &mut self.confirm
            && self.list.as_ref().and_then(|list| list.get(self.at)).map(|one| &one.id) == Some(chat)
        {
            form.shown = now;
        }
    }

    /// The cursor stays at its chat while that is listed.
    fn take(&mut self, list: Vec<Deleted>) {
        let chosen = self.chosen().map(|chosen| chosen.id.clone());
        let place = list.iter().position(|one| Some(&one.id) == chosen.as_ref());
        if place.is_none() {
            self.confirm = None;
        }
        self.at = place.unwrap_or(self.at).min(list.len().saturating_sub(1));
        self.list = Some(list);
        self.busy = None;
    }

    /// The chosen one, where nobody has asked yet what it would lose. Where nobody knows, that is said.
    fn looks_next(&mut self, is_looking: bool) -> Option<ChatId> {
        if is_looking {
            return None;
        }
        for unknown in self.losses.values_mut().filter(|losses| losses.is_none()) {
            *unknown = Some(Losses::unknown());
        }
        let id = self.chosen()?.id.clone();
        (!self.losses.contains_key(&id)).then(|| {
            self.losses.insert(id.clone(), None);
            id
        })
    }
}

/// When it was deleted, and how long it stays.
fn kept(deleted: &Deleted, now: Timestamp) -> String {
    let Some(at) = deleted.deleted else {
        return "When it was deleted is not known: it is kept until you delete it.".into();
    };
    let when = match at.age(now) {
        now if now == "now" => "Deleted just now".to_string(),
        age => format!("Deleted {age} ago"),
    };
    let left = deleted.until.map_or(0, |until| until.ms_since(now)).div_ceil(DAY_MS);
    match left {
        0 => format!("{when}; it is about to be removed."),
        1 => format!("{when}; kept for another day."),
        days => format!("{when}; kept for another {days} days."),
    }
}

/// What the keys of the trash are, for whoever has just deleted something.
pub(super) fn hint(state: &State) -> String {
    let keymap = &state.keymap;
    let (undo, list) = (keymap.key(ChatsAction::UndoDelete), keymap.key(ChatsAction::Trash));
    format!("{undo} restores it, {list} shows the trash")
}

pub fn open_trash(state: &mut State, client: ClientId) -> Vec<Effect> {
    let trash = Trash::new(state);
    if let Some(view) = state.views.get_mut(&client) {
        view.dialog = Some(Dialog::Trash(Box::new(trash)));
    }
    read(state, client)
}

fn read(state: &mut State, client: ClientId) -> Vec<Effect> {
    chat::work(
        &mut state.domain,
        Requester::screen(client),
        TrashThen::Show,
        TrashWork::List,
    )
}

impl Wanted {
    pub(super) fn wish(self) -> Wish {
        match self {
            Wanted::Restore(id) => Wish::Restore(id),
            Wanted::Purge(id) => Wish::Purge(id),
        }
    }
}

/// The trash as it is now.
pub fn listed(state: &mut State, client: ClientId, list: Vec<Deleted>) {
    if let Some(trash) = open(state, client) {
        trash.take(list);
    }
}

/// A chat was deleted for good: the list is read again.
pub fn purged(state: &mut State, client: ClientId) -> Vec<Effect> {
    let now = state.domain.live.trashed;
    let Some(trash) = open(state, client) else {
        return Vec::new();
    };
    trash.seen = Some(now);
    read(state, client)
}

/// The chosen chat is back: the list has done what it was opened for.
pub fn restored(state: &mut State, client: ClientId) {
    let is_done = open(state, client).is_some_and(|trash| trash.busy == Some(Busy::Restoring));
    if let Some(view) = state.views.get_mut(&client).filter(|_| is_done) {
        view.dialog = None;
    }
}

/// Looks again where chats came into the trash or left it, and finds out what the chosen one would lose, one at a time.
pub(super) fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let now = state.domain.live.trashed;
    let mut waiting = state.domain.live.waiting.values();
    let is_looking =
        waiting.any(|waiting| matches!(waiting.then, Then::ShowLosses(_)) && waiting.requester.is_at(client));
    let Some(trash) = open(state, client) else {
        return Vec::new();
    };
    if trash.busy.is_none() && trash.seen != Some(now) {
        trash.seen = Some(now);
        return read(state, client);
    }
    match trash.looks_next(is_looking) {
        Some(chat) => {
            let then = Then::ShowLosses(chat.clone());
            chat::losses(&mut state.domain, &chat, then, Requester::screen(client))
        }
        None => Vec::new(),
    }
}

fn open(state: &mut State, client: ClientId) -> Option<&mut Trash> {
    let dialog = state.views.get_mut(&client)?.dialog.as_mut()?;
    if let Dialog::Trash(trash) = dialog {
        Some(trash)
    } else {
        None
    }
}
