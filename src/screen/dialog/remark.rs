//! A remark on a file or lines that an agent changed: what a person says of them.

use crate::domain::state::Domain;
use crate::domain::work::RemarkWork;
use crate::model::preferences::LeftWords;
use crate::model::remark::{NewRemark, PlacedRemark, RemarkChange};
use crate::model::{ChatId, Problem, text};

use super::super::hint::Hint;
use super::field::filled;
use super::focus::FormFocus;
use super::tables::form_hints;
use super::{Around, Ask, Field, Form, Part, Room, Stop, Subject, Wish};

pub struct RemarkForm {
    chat: ChatId,
    about: Subject,
    form: Form,
    of: RemarkOf,
    /// The project, the path and the lines, if it is not about the whole file.
    place: String,
    words: Field,
}

enum RemarkOf {
    New(NewRemark),
    /// That with this number, and whether the agent knows it as it was.
    Known(u64, bool),
}

impl RemarkForm {
    pub fn add(domain: &Domain, new: NewRemark, chat: &ChatId) -> RemarkForm {
        let lines = match new.lines {
            None => String::new(),
            Some((first, last)) if first == last => format!(":{first}"),
            Some((first, last)) => format!(":{first}-{last}"),
        };
        let place = format!("{}/{}{lines}", new.project, new.path.display());
        RemarkForm {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Prompt, domain.now),
            of: RemarkOf::New(new),
            place,
            words: Field::new("", Room::Lines),
        }
    }

    pub fn edit(domain: &Domain, placed: &PlacedRemark, chat: &ChatId) -> RemarkForm {
        let remark = &placed.remark;
        RemarkForm {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Prompt, domain.now),
            of: RemarkOf::Known(remark.id, remark.sent),
            place: placed.place(),
            words: Field::new(&remark.text, Room::Lines),
        }
    }
}

impl RemarkForm {
    /// What was typed for a new one and is not being sent.
    pub fn words_left(&self) -> Option<LeftWords> {
        let is_new = matches!(self.of, RemarkOf::New(_));
        let is_left = is_new && !self.words.is_empty() && !self.form.is_busy();
        is_left.then(|| LeftWords {
            chat: self.chat.clone(),
            about: self.place.clone(),
            words: self.words.text(),
            behind: String::new(),
        })
    }

    /// The chat and the place by which the words of a new one are kept, where it is left.
    pub fn about_words(&self) -> Option<(&ChatId, &str)> {
        let is_new = matches!(self.of, RemarkOf::New(_));
        is_new.then_some((&self.chat, self.place.as_str()))
    }

    pub fn goes_on(&mut self, words: &str) {
        self.words.set(words);
    }
}

impl Ask for RemarkForm {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        match self.of {
            RemarkOf::New(_) => "Remark".into(),
            RemarkOf::Known(id, _) => format!("Remark {id}"),
        }
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let mut parts = vec![
            Part::Words(text::visible(&self.place)),
            Part::Gap,
            Part::Field {
                stop: Stop::Prompt,
                label: "Remark",
                rows: 4,
                placeholder: "what the agent is to know or to change".into(),
            },
            Part::Gap,
        ];
        if let RemarkOf::Known(_, true) = self.of {
            let words = "The agent was sent it as it was before.";
            parts.extend([Part::Note(words.into()), Part::Gap]);
        }
        parts.extend(self.form.warning());
        parts.push(self.form.buttons("Save", "Saving…"));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        form_hints(FormFocus::Prompt, "save")
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![(Stop::Prompt, &self.words)]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![(Stop::Prompt, &mut self.words)]
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        let nothing = || Problem::new("remarking", "it says nothing", "say what you think of it");
        let text = filled(&self.words).ok_or_else(nothing)?;
        let work = match &self.of {
            RemarkOf::New(new) => RemarkWork::Add(NewRemark { text, ..new.clone() }),
            RemarkOf::Known(id, _) => RemarkWork::Change(*id, RemarkChange::Edit(text)),
        };
        Ok(Wish::Remark(self.chat.clone(), work))
    }
}
