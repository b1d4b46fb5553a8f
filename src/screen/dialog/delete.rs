//! Deleting a chat: names what would be lost, and can be answered only once that is known and was seen.

use crate::domain::chat as chats;
use crate::model::{ChatId, ClientId, Losses, Problem, Timestamp, text};
use crate::screen::State;

use super::super::keymap::ChatsAction;
use super::{Ask, Form, Part, Stop, Wish, Work, loss};

pub struct Delete {
    pub chat: ChatId,
    /// Kept for saying what was deleted, when it is.
    pub name: String,
    form: Form,
    /// What would be lost; `None` while that is being found out.
    losses: Option<Losses>,
    /// There was more when a person had agreed.
    grew: bool,
}

impl Delete {
    pub fn new(state: &State, chat: &ChatId) -> Delete {
        let known = state.domain.disk.chats.get(chat);
        Delete {
            chat: chat.clone(),
            name: known.map_or_else(String::new, |known| chats::label(&state.domain, known).into()),
            form: Form::new(Stop::No, state.domain.now),
            losses: None,
            grew: false,
        }
    }

    /// The answer is there. What there is to decide on is new, so it has to be seen before it is answered.
    pub fn would_lose(&mut self, now: Timestamp, losses: Losses) {
        self.losses = Some(losses);
        self.form.shown = now;
    }

    /// What a person agreed to lose was looked at again: its agent may have worked on. What is more is asked about.
    pub fn still_agreed(&mut self, now: Timestamp, losses: Losses) -> bool {
        let shown = self.losses.get_or_insert_default();
        if self.form.is_busy() && !losses.is_more_than(shown) {
            return true;
        }
        self.grew = true;
        self.form.work = Work::Ready;
        self.form.at = Stop::No;
        self.would_lose(now, losses);
        false
    }

    pub fn knows(&self) -> bool {
        self.losses.is_some()
    }

    fn loses(&self) -> Vec<Part> {
        let loss = loss::said(self.losses.as_ref(), "This would be lost:");
        let headline = loss.headline.to_string();
        let mut parts = match loss.lost.is_empty() {
            true => vec![Part::Note(headline)],
            false => vec![Part::Warning(headline), Part::Lines(loss.lost)],
        };
        parts.extend(loss.notes.into_iter().map(Part::Note));
        if self.grew {
            parts.insert(0, Part::Warning("There is more to lose by now.".into()));
        }
        parts
    }
}

impl Ask for Delete {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        "Delete this chat?".into()
    }

    fn parts(&self, state: &State) -> Vec<Part> {
        let chat = state.domain.disk.chats.get(&self.chat);
        let mut parts = vec![Part::Words(text::visible(&self.name))];
        for project in chat.iter().flat_map(|chat| &chat.projects) {
            let branch = project.branch.as_deref().unwrap_or("(local)");
            parts.push(Part::Note(text::visible(&format!("{} · {branch}", project.name))));
        }
        parts.push(Part::Gap);
        parts.extend(self.loses());
        if state.domain.status(&self.chat).is_live() {
            parts.push(Part::Gap);
            parts.push(Part::Warning("Its agent is running and will be stopped.".into()));
        }
        parts.push(Part::Gap);
        let keymap = &state.keymap;
        let (undo, list) = (keymap.key(ChatsAction::UndoDelete), keymap.key(ChatsAction::Trash));
        parts.push(Part::Note(format!(
            "It stays in the trash for 7 days: {undo} restores, {list} lists."
        )));
        parts.push(Part::Gap);
        parts.extend(self.form.warning());
        let delete = if self.form.is_busy() { "Deleting…" } else { "Delete" };
        parts.push(Part::Buttons(vec![(Stop::No, "Keep it"), (Stop::Yes, delete)]));
        parts
    }

    fn wish(&self, _: &State, _: ClientId) -> Result<Wish, Problem> {
        match &self.losses {
            Some(_) => Ok(Wish::Delete(self.chat.clone())),
            None => Err(Problem::new(
                "deleting",
                "what would be lost is still being found out",
                "wait a moment",
            )),
        }
    }
}
