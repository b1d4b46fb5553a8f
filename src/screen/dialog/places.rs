//! A field for a project, with suggestions: known ones at once, and what the disk knows as it answers.
//!
//! One question is under way at a time; when the answer comes and the text has moved on, the newest text is asked.

use std::path::PathBuf;

use crate::domain::event::PlaceHint;
use crate::domain::state::Domain;
use crate::domain::work::ShownRead;
use crate::model::Chat;

use super::{Field, Question, Room};

/// What is said of the repository that a person is in.
pub const HERE: &str = "here";

/// Suggestions seen at once.
pub const HINT_LINES: usize = 5;

pub struct Places {
    pub field: Field,
    /// The suggestion that Enter would take.
    pub chosen: Option<usize>,
    /// The text at which the list was shut.
    shut_at: Option<String>,
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
            chosen: None,
            shut_at: None,
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

    /// Whether the person typed what stands there.
    pub fn is_typed(&self) -> bool {
        let text = self.field.text();
        !text.trim().is_empty() && self.offered.as_ref() != Some(&text)
    }

    /// What can be chosen, for what is typed.
    pub fn hints(&self) -> Vec<PlaceHint> {
        if self.shut_at.as_ref() == Some(&self.field.text()) {
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

    /// Shuts the list that somebody typed for; false where there is none.
    pub fn shut(&mut self) -> bool {
        let shuts = self.chosen.take().is_some() || self.is_typed() && !self.hints().is_empty();
        if shuts {
            self.shut_at = Some(self.field.text());
        }
        shuts
    }

    /// Moves the choice; above the first is the typed text itself.
    pub fn choose(&mut self, by: i8) {
        let last = self.hints().len().checked_sub(1);
        self.chosen = match (self.chosen, by) {
            (None, ..1) | (Some(0), ..0) => None,
            (None, 1..) => last.map(|_| 0),
            (Some(at), ..0) => Some(at - 1),
            (Some(at), 0..) => last.map(|last| (at + 1).min(last)),
        };
    }

    /// Puts the chosen suggestion into the field. A directory can then be gone into further.
    pub fn take(&mut self) -> bool {
        let taken = self.chosen.take().and_then(|at| self.hints().into_iter().nth(at));
        if let Some(hint) = &taken {
            self.field.set(&hint.text);
        }
        taken.is_some()
    }

    /// As [`Places::take`], where nothing is chosen: the only suggestion that fits what is typed, else what all those have
    /// in common that begin with it, as a shell does it.
    pub fn complete(&mut self) -> bool {
        let typed = self.field.text();
        let text = typed.trim().to_lowercase();
        let known = self.recent.iter().chain(self.answered.iter().map(|hint| &hint.text));
        if known.into_iter().any(|place| *place == typed) {
            return false;
        }
        let hints: Vec<String> = self.hints().into_iter().map(|hint| hint.text).collect();
        let fitting: Vec<&String> = hints
            .iter()
            .filter(|hint| hint.to_lowercase().contains(&text))
            .collect();
        let found = match fitting.as_slice() {
            [] => None,
            [only] => Some(only.as_str()),
            [..] => common_beginning(hints.iter().filter(|hint| hint.starts_with(&typed))),
        };
        let Some(longer) = found.filter(|longer| !text.is_empty() && *longer != typed) else {
            return false;
        };
        self.field.set(longer);
        true
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
        let chosen = self.chosen.and_then(|at| self.hints().into_iter().nth(at));
        let here = hints.iter().find(|hint| hint.what == HERE);
        if let (true, Some(here), true) = (std::mem::take(&mut self.offers), here, self.field.text().is_empty()) {
            self.field.set(&here.text);
            self.offered = Some(here.text.clone());
        }
        self.answered = hints;
        self.chosen = chosen.and_then(|chosen| self.hints().iter().position(|hint| hint.text == chosen.text));
    }
}

fn common_beginning<'a>(mut texts: impl Iterator<Item = &'a String>) -> Option<&'a str> {
    let first = texts.next()?.as_str();
    let common = texts.fold(first.len(), |common, text| {
        let same = first[..common]
            .char_indices()
            .zip(text.chars())
            .take_while(|((_, a), b)| a == b);
        same.map(|((at, c), _)| at + c.len_utf8()).last().unwrap_or(0)
    });
    Some(&first[..common])
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
