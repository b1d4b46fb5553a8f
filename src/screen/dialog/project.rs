//! Opening a project in a chat that is there: from a path, a URL or a name, on a branch.

use std::path::PathBuf;

use crate::domain::state::Domain;
use crate::model::open_dir::OpenDir;
use crate::model::{ChatId, Problem, RequestId};

use super::super::hint::Hint;
use super::field::filled;
use super::focus::FormFocus;
use super::new_chat::opening;
use super::tables::form_hints;
use super::{Around, Ask, BranchField, Field, Form, OtherName, Part, Places, Stop, Subject, Wish};

pub struct Project {
    chat: ChatId,
    about: Subject,
    form: Form,
    places: Places,
    branch: BranchField,
    base: BranchField,
}

impl Project {
    /// `cwd` is where the person is.
    pub fn new(domain: &Domain, cwd: PathBuf, chat: &ChatId) -> Project {
        Project {
            chat: chat.clone(),
            about: Subject::chat(domain, chat),
            form: Form::new(Stop::Place, domain.now),
            places: Places::new(domain, cwd),
            branch: BranchField::new("", OtherName::Creates),
            base: BranchField::new("", OtherName::MayBe),
        }
    }
}

impl Ask for Project {
    fn form(&self) -> &Form {
        &self.form
    }

    fn form_mut(&mut self) -> &mut Form {
        &mut self.form
    }

    fn title(&self) -> String {
        format!("Open a project in {}", self.about.name())
    }

    fn parts(&self, around: &Around) -> Vec<Part> {
        let line = |stop, label, placeholder: &str| Part::Field {
            stop,
            label,
            rows: 1,
            placeholder: placeholder.into(),
        };
        let mut parts = vec![
            line(Stop::Place, "Project", "path, URL or project name"),
            line(Stop::Branch, "Branch", "default branch · a new name creates it"),
            line(Stop::Base, "From", "where a new branch starts: default branch"),
            Part::Gap,
        ];
        parts.extend(self.form.warning());
        parts.extend(self.form.progress(&opening(&self.places.field), around.domain.now));
        parts.push(self.form.buttons("Open", "Cloning…"));
        parts
    }

    fn hints(&self) -> Vec<Hint> {
        form_hints(FormFocus::of(self.form.at), "open")
    }

    fn fields(&self) -> Vec<(Stop, &Field)> {
        vec![
            (Stop::Place, &self.places.field),
            (Stop::Branch, &self.branch.field),
            (Stop::Base, &self.base.field),
        ]
    }

    fn fields_mut(&mut self) -> Vec<(Stop, &mut Field)> {
        vec![
            (Stop::Place, &mut self.places.field),
            (Stop::Branch, &mut self.branch.field),
            (Stop::Base, &mut self.base.field),
        ]
    }

    fn places(&self) -> Option<&Places> {
        Some(&self.places)
    }

    fn places_mut(&mut self) -> Option<&mut Places> {
        Some(&mut self.places)
    }

    fn branch_field(&self, at: Stop) -> Option<&BranchField> {
        let fields = [(Stop::Branch, &self.branch), (Stop::Base, &self.base)];
        fields
            .into_iter()
            .find_map(|(stop, field)| (stop == at).then_some(field))
    }

    fn branch_field_mut(&mut self, at: Stop) -> Option<&mut BranchField> {
        let fields = [(Stop::Branch, &mut self.branch), (Stop::Base, &mut self.base)];
        fields
            .into_iter()
            .find_map(|(stop, field)| (stop == at).then_some(field))
    }

    fn gives_up(&self, request: RequestId) -> Option<(&'static str, Wish)> {
        let wish = Wish::GiveUpOpening(request, self.chat.clone());
        Some(("Opening the project was given up.", wish))
    }

    fn about(&self) -> Option<&Subject> {
        Some(&self.about)
    }

    fn wish(&self, _: &Around) -> Result<Wish, Problem> {
        let nothing = || Problem::new("opening a project", "none is named", "type a path, a URL or a name");
        let open = OpenDir {
            path_or_url: filled(&self.places.field).ok_or_else(nothing)?,
            branch: filled(&self.branch.field),
            base: filled(&self.base.field),
            cwd: Some(self.places.cwd.clone()),
            ..OpenDir::default()
        };
        Ok(Wish::Open(self.chat.clone(), open))
    }
}
