//! Files of a chat's clone that each new clone of the same project is to get.

use crate::domain::state::Domain;
use crate::domain::work::StorageWork;
use crate::model::storage::SetupSource;
use crate::model::text::visible;
use crate::model::{ChatId, Kind, Problem};

use super::super::hint::Hint;
use super::field::filled;
use super::focus::FormFocus;
use super::tables::{FORM, FormKey, form_hints};
use super::{Around, Ask, DiskWish, Field, Form, Part, Room, Stop, Subject, Wish};

pub struct AddSetup {
    about: Subject,
    form: Form,
    /// The chat's clones, then the checkouts that they came from: there lies what git does not know.
    sources: Vec<SetupSource>,
    /// Which of them.
    at: usize,
    files: Field,
}

impl AddSetup {
    pub fn new(domain: &Domain, chat: &ChatId) -> AddSetup {
        let known = domain.disk.chats.get(chat);
        let dirs = known.iter().flat_map(|chat| &chat.record.dirs);
        let clones = dirs.filter(|dir| dir.kind == Kind::Git);
        let checkouts = clones.clone().filter_map(|dir| dir.source());
        let checkouts = checkouts.map(|path| SetupSource::Checkout(path.to_path_buf()));
        let clones = clones.map(|dir| SetupSource::Clone {
            chat: chat.to_string(),
            project: Some(dir.name.clone()),
        });
        AddSetup {
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Name, domain.now),
            sources: clones.chain(checkouts).collect(),
            at: 0,
            files: Field::new("", Room::Line),
        }
    }
}

impl Ask for AddSetup {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        "Add setup files".into()
    }

    fn parts(&self, _: &Around) -> Vec<Part> {
        let mut parts = Vec::new();
        if let Some(source) = self.sources.get(self.at) {
            parts.push(Part::Choice {
                stop: Stop::Of,
                label: "From",
                value: match source {
                    SetupSource::Clone { project, .. } => visible(project.as_deref().unwrap_or_default()),
                    SetupSource::Checkout(path) => visible(&path.to_string_lossy()),
                },
                at: format!("{} of {}", self.at + 1, self.sources.len()),
                note: match source {
                    SetupSource::Clone { .. } => "this chat's clone".into(),
                    SetupSource::Checkout(_) => "your checkout".into(),
                },
            });
        }
        parts.extend([
            Part::Field {
                stop: Stop::Name,
                label: "Files",
                rows: 1,
                placeholder: ".env config/local.yml".into(),
            },
            Part::Gap,
            Part::Note(
                "Each new clone of this project gets them as they are now. Paths are as seen from its root.".into(),
            ),
            Part::Gap,
        ]);
        parts.extend(self.form.warning());
        parts.push(self.form.buttons("Add", "Adding…"));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        match self.form.at == Stop::Of {
            true => form_hints(FormFocus::Choice, "add"),
            false => vec![
                FORM.hint(&[FormKey::Enter], "add"),
                FORM.hint(&[FormKey::Clear], "clear"),
                FORM.hint(&[FormKey::Close], "cancel").way_out(),
            ],
        }
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![(Stop::Name, &self.files)]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![(Stop::Name, &mut self.files)]
    }

    fn turn(&mut self, _: &Around, _: Stop, by: i8) {
        let count = self.sources.len().max(1);
        self.at = (self.at + count).saturating_add_signed(by.into()) % count;
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        const DOING: &str = "adding setup files";
        let no_clone = || Problem::new(DOING, "this chat has no clone", "select a chat that has the project");
        let nothing = || Problem::new(DOING, "no file is named", "type their paths, with blanks between");
        let from = self.sources.get(self.at).cloned().ok_or_else(no_clone)?;
        let files = filled(&self.files).ok_or_else(nothing)?;
        let files = files.split_whitespace().map(str::to_owned).collect();
        Ok(Wish::Disk(DiskWish::Change(StorageWork::AddSetup { from, files })))
    }
}
