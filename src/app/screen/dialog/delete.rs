//! Deleting a chat: names what would be lost, and can be answered only once that is known and was seen.

use crate::app::state::State;
use crate::model::{ChatId, ClientId, Losses, Problem, Timestamp, text};

use super::super::keymap::{Action, Keymap};
use super::{Ask, Form, Part, Stop, Wish};

/// Until it is known what would be lost.
pub(super) const LOOKING: &str = "Looking for work that is not saved elsewhere…";

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
        let Some(losses) = &self.losses else {
            return vec![Part::Note(LOOKING.into())];
        };
        let lines = |lines: &[String]| lines.iter().map(|line| text::visible(line)).collect::<Vec<_>>();
        let mut parts = Vec::new();
        match (losses.lost.is_empty(), losses.notes.is_empty()) {
            (true, true) => parts.push(Part::Note("All work in its projects is committed and pushed.".into())),
            (true, false) => parts.push(Part::Note("Nothing would be lost.".into())),
            (false, _) => {
                parts.push(Part::Warning("This would be lost:".into()));
                parts.push(Part::Lines(lines(&losses.lost)));
            }
        }
        parts.extend(lines(&losses.notes).into_iter().map(Part::Note));
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
