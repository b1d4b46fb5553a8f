//! Deleting a chat: names what would be lost, and can be answered only once that is known and was seen.

use crate::app::state::State;
use crate::model::{ChatId, ClientId, Losses, Problem, Timestamp, text};

use super::super::keymap::{Action, Keymap};
use super::{Ask, Form, Part, Stop, Wish, loss};

pub struct Delete {
    pub chat: ChatId,
    /// Kept for saying what was deleted, when it is.
    pub name: String,
    form: Form,
    /// What would be lost; `None` while that is being found out.
    losses: Option<Losses>,
}

impl Delete {
    pub fn new(state: &State, chat: &ChatId) -> Delete {
        let name = state.disk.chats.get(chat).map(|chat| chat.record.name.clone());
        Delete {
            chat: chat.clone(),
            name: name.unwrap_or_default(),
            form: Form::new(Stop::No, state.now),
            losses: None,
        }
    }

    /// The answer is there. What there is to decide on is new, so it has to be seen before it is answered.
    pub fn would_lose(&mut self, now: Timestamp, losses: Losses) {
        self.losses = Some(losses);
        self.form.shown = now;
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
        let chat = state.disk.chats.get(&self.chat);
        let mut parts = vec![Part::Words(text::visible(&self.name))];
        for project in chat.iter().flat_map(|chat| &chat.projects) {
            let branch = project.branch.as_deref().unwrap_or("(local)");
            parts.push(Part::Note(text::visible(&format!("{} · {branch}", project.name))));
        }
        parts.push(Part::Gap);
        parts.extend(self.loses());
        if state.status(&self.chat).is_live() {
            parts.push(Part::Gap);
            parts.push(Part::Warning("Its agent is running and will be stopped.".into()));
        }
        parts.push(Part::Gap);
        let keymap = Keymap::of(&state.disk.settings);
        let (undo, list) = (keymap.key(Action::UndoDelete), keymap.key(Action::Trash));
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
