//! Another name for a chat, typed where its name stands: Enter keeps it, Esc leaves it. It has no buttons for that.

use crate::domain::state::Domain;
use crate::model::{ChatId, Problem};

use super::super::hint::Hint;
use super::field::filled;
use super::tables::{FORM, FormKey};
use super::{Around, Ask, Field, Form, Part, Room, Stop, Subject, Wish, Work};

pub const PLACEHOLDER: &str = "what this chat is about";

pub struct Rename {
    chat: ChatId,
    about: Subject,
    form: Form,
    name: Field,
}

impl Rename {
    pub fn new(domain: &Domain, chat: &ChatId) -> Rename {
        let name = domain.disk.chats.get(chat).map(|chat| chat.record.name.as_str());
        Rename {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Name, domain.now),
            name: Field::new(name.unwrap_or_default(), Room::Line),
        }
    }

    pub fn chat(&self) -> &ChatId {
        &self.chat
    }

    pub fn typed(&self) -> &Field {
        &self.name
    }

    /// Why it could not be kept.
    pub fn problem(&self) -> Option<&Problem> {
        match &self.form.work {
            Work::Failed(problem) => Some(problem),
            Work::Ready | Work::Busy(_) => None,
        }
    }

    /// The name it is to have, as it was typed.
    fn wanted(&self) -> Option<String> {
        filled(&self.name)
    }
}

impl Ask for Rename {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        "Rename chat".into()
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let field = Part::Field {
            stop: Stop::Name,
            label: "Name",
            rows: 1,
            placeholder: PLACEHOLDER.into(),
        };
        let warning = self.problem().map(|problem| Part::Warning(problem.to_string()));
        std::iter::once(field).chain(warning).collect()
    }

    fn hints(&self) -> Vec<Hint> {
        vec![
            FORM.hint(&[FormKey::Enter], "rename"),
            FORM.hint(&[FormKey::Clear], "clear"),
            FORM.hint(&[FormKey::Close], "cancel").way_out(),
        ]
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![(Stop::Name, &self.name)]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![(Stop::Name, &mut self.name)]
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        let nothing = || Problem::new("renaming", "a chat needs a name", "type one");
        Ok(Wish::Rename(self.chat.clone(), self.wanted().ok_or_else(nothing)?))
    }
}
