//! A field for a project, with suggestions: known ones at once, and what the disk knows as it answers.
//!
//! One question is under way at a time; when the answer comes and the text has moved on, the newest text is asked.

use std::path::PathBuf;

use crate::domain::event::PlaceHint;
use crate::domain::state::Domain;
use crate::domain::work::ShownRead;
use crate::model::Chat;

use super::suggestions::{HINT_LINES, Suggested, SuggestionList};
use super::{Field, Question, Room};

/// What is said of the repository that a person is in.
pub const HERE: &str = "here";

pub struct Places {
    pub field: Field,
    pub list: SuggestionList,
    /// Origins of projects opened before, newest first.
    recent: Vec<String>,
    /// What the disk answered.
    answered: Vec<PlaceHint>,
    /// What is checked out in the repository that was last asked about.
    branch: Option<String>,
    /// The text that was last asked about.
    asked: Option<String>,
    /// The repository that the person started parlour in is to be filled in, once it is known.
    offers: bool,
    /// What was filled in.
    offered: Option<String>,
    pub cwd: PathBuf,
}

impl Places {
    /// `cwd` is where the person is.
    pub fn new(domain: &Domain, cwd: PathBuf) -> Places {
        Places {
            field: Field::new("", Room::Line),
            list: SuggestionList::default(),
            recent: recent(domain),
            answered: Vec::new(),
            branch: None,
            asked: None,
            offers: false,
            offered: None,
            cwd,
        }
    }

    /// Fills in the repository that the person started parlour in, unless something is typed before it is known.
    pub fn offer_here(&mut self) {
        self.offers = true;
    }

    /// What is checked out in the repository that is typed, as far as that is known.
    pub fn branch(&self) -> Option<&str> {
        let is_of_this = self.asked.as_ref() == Some(&self.field.text());
        self.branch.as_deref().filter(|_| is_of_this)
    }

    /// The text to ask the disk about now, if any.
    pub fn question(&self) -> Option<Question> {
        let text = self.field.text();
        let cwd = self.cwd.clone();
        (self.asked.as_ref() != Some(&text)).then_some(Question::Shown(ShownRead::Places { text, cwd }))
    }

    /// This is being found out.
    pub fn asks(&mut self, text: &str) {
        (self.asked, self.branch) = (Some(text.into()), None);
    }

    /// What is chosen stays so, wherever it stands among what was answered.
    pub fn answer(&mut self, hints: Vec<PlaceHint>, branch: Option<String>) {
        self.branch = branch;
        let chosen = self.list.chosen.and_then(|at| self.hints().into_iter().nth(at));
        let here = hints.iter().find(|hint| hint.what == HERE);
        if let (true, Some(here), true) = (std::mem::take(&mut self.offers), here, self.field.text().is_empty()) {
            self.field.set(&here.text);
            self.offered = Some(here.text.clone());
        }
        self.answered = hints;
        self.list.chosen = chosen.and_then(|chosen| self.hints().iter().position(|hint| hint.text == chosen.text));
    }
}

impl Suggested for Places {
    fn typed(&self) -> &Field {
        &self.field
    }

    fn typed_mut(&mut self) -> &mut Field {
        &mut self.field
    }

    fn list(&self) -> &SuggestionList {
        &self.list
    }

    fn list_mut(&mut self) -> &mut SuggestionList {
        &mut self.list
    }

    fn is_typed(&self) -> bool {
        let text = self.field.text();
        !text.trim().is_empty() && self.offered.as_ref() != Some(&text)
    }

    fn hints(&self) -> Vec<PlaceHint> {
        if self.list.is_shut(&self.field.text()) {
            return Vec::new();
        }
        let text = self.field.text().to_lowercase();
        let recent = self
            .recent
            .iter()
            .filter(|origin| origin.to_lowercase().contains(text.trim()));
        let mut hints: Vec<PlaceHint> = recent
            .map(|origin| PlaceHint {
                text: origin.clone(),
                what: "recent".into(),
            })
            .take(HINT_LINES)
            .collect();
        for hint in &self.answered {
            if !hints.iter().any(|other| other.text == hint.text) {
                hints.push(hint.clone());
            }
        }
        hints.retain(|hint| hint.text != self.field.text());
        hints
    }

    fn is_complete(&self, text: &str) -> bool {
        let known = self.recent.iter().chain(self.answered.iter().map(|hint| &hint.text));
        known.into_iter().any(|place| *place == text)
    }
}

/// Where the projects of all chats came from, those of the chats that moved last first.
fn recent(domain: &Domain) -> Vec<String> {
    let mut chats: Vec<&Chat> = domain.disk.chats.values().collect();
    chats.sort_by_key(|chat| std::cmp::Reverse(chat.updated));
    let mut origins: Vec<String> = Vec::new();
    for dir in chats.iter().flat_map(|chat| &chat.record.dirs) {
        if !origins.contains(&dir.origin) {
            origins.push(dir.origin.clone());
        }
    }
    origins
}
