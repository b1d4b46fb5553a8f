//! A chat's transcript into a file: as what, and where.

use std::path::{Path, PathBuf};

use crate::domain::notice::Done;
use crate::domain::state::Domain;
use crate::model::export::{ExportAsk, ExportFormat};
use crate::model::{ChatId, Problem, Timestamp};

use super::super::hint::Hint;
use super::field::filled;
use super::focus::FormFocus;
use super::form::{Work, next_of};
use super::tables::form_hints;
use super::{Around, Ask, Field, Form, Part, Reply, Room, Stop, Subject, Wish};

const DOING: &str = "exporting a chat";

pub struct ExportForm {
    chat: ChatId,
    about: Subject,
    form: Form,
    format: ExportFormat,
    file: Field,
}

impl ExportForm {
    /// Into a file called after the chat, where the person is.
    pub fn new(domain: &Domain, cwd: &Path, chat: &ChatId) -> ExportForm {
        let known = domain.disk.chats.get(chat);
        let name = known.map_or_else(|| chat.to_string(), |known| known.record.handle.to_string());
        let format = ExportFormat::Md;
        let path = cwd.join(format!("{name}.{}", format.ending()));
        ExportForm {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Name, domain.now),
            format,
            file: Field::new(&path.to_string_lossy(), Room::Line),
        }
    }

    /// The file's name ends as its format does, unless the person named it otherwise.
    fn take(&mut self, format: ExportFormat) {
        let text = self.file.text();
        let before = format!(".{}", self.format.ending());
        if let Some(name) = text.strip_suffix(&before) {
            self.file.set(&format!("{name}.{}", format.ending()));
        }
        self.format = format;
    }

    fn path(&self, around: &Around) -> Option<PathBuf> {
        let text = filled(&self.file)?;
        let person = &around.domain.disk.person;
        Some(match text.strip_prefix("~/") {
            Some(below) => person.join(below),
            None if text == "~" => person.clone(),
            None => around.cwd.join(text),
        })
    }
}

impl Ask for ExportForm {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        format!("Export {}", self.about.name())
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let at = ExportFormat::EACH.iter().position(|one| *one == self.format);
        let mut parts = vec![
            Part::Field {
                stop: Stop::Name,
                label: "File",
                rows: 1,
                placeholder: "a path".into(),
            },
            Part::Choice {
                stop: Stop::Role,
                label: "As",
                value: self.format.words().into(),
                at: format!("{} of {}", at.map_or(1, |at| at + 1), ExportFormat::EACH.len()),
                note: String::new(),
            },
            Part::Gap,
            Part::Note(
                "Its prompts, answers and calls. What looks like a secret is masked; others may be in it.".into(),
            ),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        parts.push(self.form.buttons("Export", "Exporting…"));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        form_hints(FormFocus::of(self.form.at), "export")
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![(Stop::Name, &self.file)]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![(Stop::Name, &mut self.file)]
    }

    fn turn(&mut self, _: &Around, stop: Stop, by: i8) {
        if stop == Stop::Role {
            self.take(next_of(&ExportFormat::EACH, &self.format, by));
        }
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, around: &Around) -> Result<Wish, Problem> {
        let nothing = || Problem::new(DOING, "no file is named", "type a path");
        Ok(Wish::Export(ExportAsk {
            chat: self.chat.clone(),
            format: self.format,
            path: self.path(around).ok_or_else(nothing)?,
            env: around.env.clone(),
        }))
    }

    /// Where it cannot be written, another name may do.
    fn carried_out(&mut self, done: &Done, _: Timestamp) -> Reply {
        match done {
            Done::NotShown(_, problem) => {
                self.form.work = Work::Failed(problem.clone());
                Reply::Stay
            }
            _ => Reply::Over,
        }
    }
}
