//! Which projects a new chat opens: several, each as a clone on a branch of its own or in place.

use std::path::PathBuf;

use crate::domain::state::Domain;
use crate::model::open_dir::OpenDir;
use crate::model::text::{one_line, visible};
use crate::model::{AreaMode, Chat, Kind, Problem};

use super::super::field::filled;
use super::super::focus::{NewChatField, Stop};
use super::super::form::next_of;
use super::super::{BranchField, OtherName, Part, Places, Suggested};

pub(super) const DOING: &str = "making a chat";

pub(super) struct WantedProjects {
    /// Those before the one that is typed now.
    added: Vec<AddedProject>,
    pub places: Places,
    pub branch: BranchField,
    pub base: BranchField,
    way: OpeningWay,
    /// Those that it is made from, of the chat above it.
    pub from: Option<ParentClones>,
}

/// What the chat above has cloned, each with the branch that it is on.
pub(super) struct ParentClones {
    handle: String,
    clones: Vec<(String, Option<String>)>,
}

impl ParentClones {
    pub fn of(parent: &Chat) -> ParentClones {
        let clones = parent.projects.iter().filter(|project| project.kind == Kind::Git);
        ParentClones {
            handle: parent.record.handle.to_string(),
            clones: clones
                .map(|project| (project.name.clone(), project.branch.clone()))
                .collect(),
        }
    }

    /// Where a clone of this project begins if no branch is named.
    fn begins(&self, project: &str) -> Option<String> {
        let (_, branch) = self.clones.iter().find(|(name, _)| name == project)?;
        let branch = branch.as_deref().map_or("the commit".into(), visible);
        Some(format!("{branch} of {}", self.handle))
    }
}

/// One that was typed whole. It is taken back by its tick, and nothing has to be typed again.
struct AddedProject {
    open: OpenDir,
    is_on: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum OpeningWay {
    Clone,
    InPlace(AreaMode),
}

impl OpeningWay {
    const EACH: [OpeningWay; 3] = [
        OpeningWay::Clone,
        OpeningWay::InPlace(AreaMode::Ro),
        OpeningWay::InPlace(AreaMode::Rw),
    ];

    fn words(self) -> &'static str {
        match self {
            OpeningWay::Clone => "as a clone of its own",
            OpeningWay::InPlace(AreaMode::Ro) => "in place, to read",
            OpeningWay::InPlace(AreaMode::Rw) => "in place, to work in",
        }
    }
}

impl WantedProjects {
    /// `cwd` is where the person is; the repository there is filled in.
    pub fn new(domain: &Domain, cwd: PathBuf) -> WantedProjects {
        let mut places = Places::new(domain, cwd);
        places.offer_here();
        WantedProjects {
            added: Vec::new(),
            places,
            branch: BranchField::new("", OtherName::Creates),
            base: BranchField::new("", OtherName::MayBe),
            way: OpeningWay::Clone,
            from: None,
        }
    }

    /// It would be opened where it lies, to be read.
    pub fn reads_in_place(&self) -> bool {
        matches!(self.way, OpeningWay::InPlace(AreaMode::Ro))
    }

    /// Whether something was typed that would have to be typed again.
    pub fn is_typed(&self) -> bool {
        let typed = [&self.branch, &self.base]
            .into_iter()
            .any(|branch| filled(&branch.field).is_some());
        typed || self.places.is_typed() || !self.added.is_empty()
    }

    pub fn parts(&self) -> Vec<Part> {
        let line = |stop, label, placeholder: &str| Part::Field {
            stop,
            label,
            rows: 1,
            placeholder: placeholder.into(),
        };
        let added = self.added.iter().enumerate().map(|(at, added)| Part::Tick {
            stop: Stop::New(NewChatField::Added(at)),
            on: added.is_on,
            text: one_line(&words(&added.open), 100),
        });
        let mut parts: Vec<Part> = added.collect();
        let way = OpeningWay::EACH.iter().position(|way| *way == self.way).unwrap_or(0);
        let default = self.places.branch().map_or("default branch".into(), visible);
        let (branch, base) = match self.way {
            OpeningWay::Clone => {
                let place = filled(&self.places.field).unwrap_or_default();
                let begins = self.from.as_ref().and_then(|from| from.begins(&place));
                let begins = begins.unwrap_or_else(|| default.clone());
                (format!("{begins} · a new name creates it"), default)
            }
            OpeningWay::InPlace(_) => ("as it is checked out".into(), "as it is checked out".into()),
        };
        parts.extend([
            line(Stop::Place, "Project", "path, URL or project name (optional)"),
            Part::Choice {
                stop: Stop::New(NewChatField::Way),
                label: "Opened",
                value: self.way.words().into(),
                at: format!("{} of {}", way + 1, OpeningWay::EACH.len()),
                note: String::new(),
            },
            line(Stop::Branch, "Branch", &branch),
            line(Stop::Base, "From", &base),
            Part::Tick {
                stop: Stop::New(NewChatField::Another),
                on: false,
                text: "add it and open another project too".into(),
            },
        ]);
        parts
    }

    /// What is typed there is a branch of the project; one that is opened in place stays on its own.
    pub fn branch_field(&self, at: Stop) -> Option<&BranchField> {
        let is_meant = |stop: Stop| stop == at && self.way == OpeningWay::Clone;
        let fields = [(Stop::Branch, &self.branch), (Stop::Base, &self.base)];
        fields
            .into_iter()
            .find_map(|(stop, field)| is_meant(stop).then_some(field))
    }

    pub fn branch_field_mut(&mut self, at: Stop) -> Option<&mut BranchField> {
        let is_clone = self.way == OpeningWay::Clone;
        let fields = [(Stop::Branch, &mut self.branch), (Stop::Base, &mut self.base)];
        let mut fields = fields.into_iter().filter(|_| is_clone);
        fields.find_map(|(stop, field)| (stop == at).then_some(field))
    }

    pub fn turn(&mut self, field: NewChatField, by: i8) -> Result<(), Problem> {
        match field {
            NewChatField::Added(at) => {
                if let Some(added) = self.added.get_mut(at) {
                    added.is_on = !added.is_on;
                }
            }
            NewChatField::Way => self.way = next_of(&OpeningWay::EACH, &self.way, by),
            NewChatField::Another => self.add()?,
            NewChatField::Permissions => {}
        }
        Ok(())
    }

    /// What is typed is one of them, and the next can be typed.
    fn add(&mut self) -> Result<(), Problem> {
        let nothing = || Problem::new(DOING, "no project is typed yet", "type one, then add another");
        let open = self.typed()?.ok_or_else(nothing)?;
        self.added.push(AddedProject { open, is_on: true });
        for field in [&mut self.places.field, &mut self.branch.field, &mut self.base.field] {
            field.set("");
        }
        self.places.list.chosen = None;
        self.way = OpeningWay::Clone;
        Ok(())
    }

    /// What is to be opened, or what cannot be meant.
    pub fn wanted(&self) -> Result<Vec<OpenDir>, Problem> {
        let added = self.added.iter().filter(|added| added.is_on);
        let added = added.map(|added| added.open.clone());
        Ok(added.chain(self.typed()?).collect())
    }

    fn typed(&self) -> Result<Option<OpenDir>, Problem> {
        let wrong = |cause: String, hint| Err(Problem::new(DOING, cause, hint));
        let (branch, base) = (filled(&self.branch.field), filled(&self.base.field));
        for name in [&branch, &base].into_iter().flatten() {
            if !can_be_branch(name) {
                let cause = format!("{} cannot be the name of a branch", one_line(name, 60));
                return wrong(cause, "take letters, digits, - and /");
            }
        }
        let Some(path_or_url) = filled(&self.places.field) else {
            return match branch.or(base) {
                Some(_) => wrong("a branch is typed, but no project".into(), "type its project too"),
                None => Ok(None),
            };
        };
        if base.is_some() && branch.is_none() {
            let cause = "it is typed what to make a branch from, but no branch".to_string();
            return wrong(cause, "name the branch, or leave that empty");
        }
        let mode = match self.way {
            OpeningWay::Clone => None,
            OpeningWay::InPlace(_) if branch.is_some() => {
                let cause = "a project that is opened in place stays on its branch".to_string();
                return wrong(cause, "leave the branch empty, or open a clone");
            }
            OpeningWay::InPlace(mode) => Some(mode),
        };
        Ok(Some(OpenDir {
            path_or_url,
            branch,
            base,
            mode,
            in_place: mode.is_some(),
            cwd: Some(self.places.cwd.clone()),
            ..OpenDir::default()
        }))
    }

    /// What is done with the first of them.
    pub fn opening(&self) -> String {
        let open = self.wanted().ok().and_then(|all| all.into_iter().next());
        open.map_or(String::new(), |open| one_line(&open.doing(), 100))
    }
}

fn words(open: &OpenDir) -> String {
    let mut words = open.path_or_url.clone();
    if open.in_place {
        words.push_str(" · in place");
    }
    for (before, name) in [(" · ", &open.branch), (" from ", &open.base)] {
        if let Some(name) = name {
            words.push_str(before);
            words.push_str(name);
        }
    }
    words
}

/// What git would refuse whatever is there; the rest it says itself.
fn can_be_branch(name: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c.is_control() || "~^:?*[\\".contains(c);
    !name.contains(odd) && !name.contains("..") && !name.starts_with('-') && !name.ends_with(['/', '.'])
}
