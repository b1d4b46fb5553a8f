//! Deleting a chat: names what would be lost, and can be answered only once that is known and was seen.

use crate::app::state::State;
use crate::model::{ChatId, ClientId, Problem, Timestamp, text};

use super::super::keymap::{Action, Keymap};
use super::{Ask, Form, Part, Stop, Wish};

pub struct Delete {
    pub chat: ChatId,
    /// Kept for saying what was deleted, when it is.
    pub name: String,
    form: Form,
    /// What would be lost; `None` while that is being found out.
    losses: Option<Vec<String>>,
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
    pub fn would_lose(&mut self, now: Timestamp, losses: Vec<String>) {
        self.losses = Some(losses);
        self.form.shown = now;
    }

    pub fn knows(&self) -> bool {
        self.losses.is_some()
    }

    fn loses(&self) -> Vec<Part> {
        match &self.losses {
            None => vec![Part::Note("Looking for work that is not pushed…".into())],
            Some(losses) if losses.is_empty() => {
                vec![Part::Note("All work in its projects is committed and pushed.".into())]
            }
            Some(losses) => {
                let lines = losses.iter().map(|line| text::visible(line)).collect();
                vec![Part::Warning("This would be lost:".into()), Part::Lines(lines)]
            }
        }
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
        let undo = Keymap::of(&state.disk.settings).key(Action::UndoDelete);
        parts.push(Part::Note(format!(
            "It stays in the trash for 7 days; {undo} brings it back."
        )));
        parts.push(Part::Gap);
        parts.extend(self.form.warning());
        let delete = if self.form.is_busy() { "Deleting…" } else { "Delete" };
        parts.push(Part::Buttons(vec![(Stop::No, "Keep it"), (Stop::Yes, delete)]));
        parts.push(Part::Keys("←→ choose · Enter answer · Esc keep it"));
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
