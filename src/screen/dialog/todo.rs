//! A todo of a chat: its words.

use crate::domain::state::Domain;
use crate::model::todo::{Todo, TodoAt, TodoChange};
use crate::model::{ChatId, Problem};

use super::super::hint::Hint;
use super::field::filled;
use super::tables::{FORM, FormKey};
use super::{Around, Ask, Field, Form, Part, Room, Stop, Subject, Wish};

pub struct TodoForm {
    chat: ChatId,
    about: Subject,
    form: Form,
    /// The one that is edited.
    of: Option<TodoAt>,
    words: Field,
}

impl TodoForm {
    pub fn add(domain: &Domain, chat: &ChatId) -> TodoForm {
        TodoForm {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Name, domain.now),
            of: None,
            words: Field::new("", Room::Line),
        }
    }

    pub fn edit(domain: &Domain, chat: &ChatId, (at, todo): (TodoAt, &Todo)) -> TodoForm {
        TodoForm {
            of: Some(at),
            words: Field::new(&todo.text, Room::Line),
            ..TodoForm::add(domain, chat)
        }
    }
}

impl Ask for TodoForm {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        match self.of {
            None => "Add a todo".into(),
            Some(_) => "Edit a todo".into(),
        }
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let mut parts = vec![
            Part::Field {
                stop: Stop::Name,
                label: "Todo",
                rows: 1,
                placeholder: "what is to be done".into(),
            },
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        let (yes, busy) = match self.of {
            None => ("Add", "Adding…"),
            Some(_) => ("Save", "Saving…"),
        };
        parts.push(self.form.buttons(yes, busy));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        vec![
            FORM.hint(&[FormKey::Enter], if self.of.is_none() { "add" } else { "save" }),
            FORM.hint(&[FormKey::Clear], "clear"),
            FORM.hint(&[FormKey::Close], "cancel").way_out(),
        ]
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![(Stop::Name, &self.words)]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![(Stop::Name, &mut self.words)]
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        let nothing = || Problem::new("changing todos", "it says nothing", "say what is to be done");
        let text = filled(&self.words).ok_or_else(nothing)?;
        let change = match &self.of {
            None => TodoChange::Add { text },
            Some(at) => TodoChange::Edit {
                at: at.clone(),
                to: text,
            },
        };
        Ok(Wish::Todo(self.chat.clone(), change))
    }
}
