//! Ending an agent: its process goes, its chat stays.

use crate::model::{ChatId, ClientId, Problem, text};

use super::super::state::State;
use super::{Ask, Form, Part, Stop, Wish};

pub struct Halt {
    pub chat: ChatId,
    form: Form,
}

impl Halt {
    pub fn new(state: &State, chat: &ChatId) -> Halt {
        Halt {
            chat: chat.clone(),
            form: Form::new(Stop::No, state.now),
        }
    }
}

impl Ask for Halt {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        "Stop the agent?".into()
    }

    fn parts(&self, state: &State) -> Vec<Part> {
        let name = state
            .disk
            .chats
            .get(&self.chat)
            .map(|chat| text::visible(&chat.record.name));
        let status = text::visible(&state.status(&self.chat).to_string());
        let mut parts = vec![
            Part::Words(name.unwrap_or_default()),
            Part::Note(status),
            Part::Gap,
            Part::Note("Its process ends. Chat, projects and conversation stay, and Enter resumes it.".into()),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        parts.push(Part::Buttons(vec![(Stop::No, "Let it run"), (Stop::Yes, "Stop")]));
        parts.push(Part::Keys("←→ choose · Enter answer · Esc let it run"));
        parts
    }

    fn wish(&self, _: &State, _: ClientId) -> Result<Wish, Problem> {
        Ok(Wish::Stop(self.chat.clone()))
    }
}
