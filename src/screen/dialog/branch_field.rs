//! A field for a branch of the project that is typed beside it. Which branches that has is asked as one types, one question
//! at a time.

use std::path::Path;

use crate::domain::event::PlaceHint;
use crate::domain::work::{NamedBranches, ShownRead};

use super::suggestions::{Suggested, SuggestionList};
use super::{Field, Question, Room};

/// What is said of a name that no branch has yet.
pub const CREATES: &str = "a new name creates it";

/// What becomes of a name that no branch has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherName {
    Creates,
    /// It may be a tag or a commit.
    MayBe,
}

pub struct BranchField {
    pub field: Field,
    other: OtherName,
    list: SuggestionList,
    /// The project and the text that were last asked about.
    asked: Option<(String, String)>,
    answered: Option<NamedBranches>,
}

impl BranchField {
    pub fn new(text: &str, other: OtherName) -> BranchField {
        BranchField {
            field: Field::new(text, Room::Line),
            other,
            list: SuggestionList::default(),
            asked: None,
            answered: None,
        }
    }

    /// What is to be asked now of the project that is typed, seen from a directory.
    pub(super) fn question(&self, place: &str, cwd: &Path) -> Option<Question> {
        let (place, text) = (place.trim(), self.field.text());
        let is_asked = self
            .asked
            .as_ref()
            .is_some_and(|asked| (asked.0.as_str(), &asked.1) == (place, &text));
        let read = || ShownRead::Branches {
            place: place.to_owned(),
            text: text.clone(),
            cwd: cwd.to_owned(),
        };
        (!place.is_empty() && !is_asked).then(|| Question::Shown(read()))
    }

    /// This is being found out. Branches of another project are none of this one.
    pub(super) fn asks(&mut self, place: &str, text: &str) {
        let is_same = self.asked.as_ref().is_some_and(|(before, _)| before == place);
        self.answered.take_if(|_| !is_same);
        self.asked = Some((place.into(), text.into()));
    }

    /// What is chosen stays so, wherever it stands among what was answered.
    pub(super) fn answer(&mut self, named: &NamedBranches) {
        if self.asked.as_ref() != Some(&(named.place.clone(), named.text.clone())) {
            return;
        }
        let chosen = self.list.chosen.and_then(|at| self.hints().into_iter().nth(at));
        self.answered = Some(named.clone());
        self.list.chosen = chosen.and_then(|chosen| self.hints().iter().position(|hint| hint.text == chosen.text));
    }

    fn known(&self) -> &[PlaceHint] {
        self.answered.as_ref().map_or(&[], |named| &named.hints)
    }
}

impl Suggested for BranchField {
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

    fn hints(&self) -> Vec<PlaceHint> {
        let text = self.field.text();
        if self.list.is_shut(&text) {
            return Vec::new();
        }
        let wanted = text.trim().to_lowercase();
        let known = self.known().iter();
        let fitting = known.filter(|hint| hint.text != text && hint.text.to_lowercase().contains(&wanted));
        fitting.cloned().collect()
    }

    fn is_typed(&self) -> bool {
        !self.field.text().trim().is_empty()
    }

    fn is_complete(&self, text: &str) -> bool {
        let has_more = self.answered.as_ref().is_some_and(|named| named.has_more);
        has_more || self.known().iter().any(|hint| hint.text == text)
    }

    fn completes_within(&self) -> bool {
        self.other != OtherName::Creates
    }

    fn note(&self) -> &'static str {
        let text = self.field.text();
        let text = text.trim();
        let name = text.strip_prefix("origin/").unwrap_or(text);
        let is_known = self
            .known()
            .iter()
            .any(|hint| [text, name].contains(&hint.text.as_str()));
        match self.other {
            OtherName::Creates if !text.is_empty() && !is_known => CREATES,
            OtherName::Creates | OtherName::MayBe => "",
        }
    }
}
