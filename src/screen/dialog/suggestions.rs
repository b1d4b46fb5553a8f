//! A field with suggestions, which lie below it while it has the focus: a project, a branch of one.

use crate::domain::event::PlaceHint;

use super::Field;

/// Suggestions seen at once.
pub const HINT_LINES: usize = 5;

/// Where a person is among the suggestions of a field.
#[derive(Default)]
pub struct SuggestionList {
    /// The one that Enter would take.
    pub chosen: Option<usize>,
    /// The text at which the list was shut.
    shut_at: Option<String>,
}

impl SuggestionList {
    /// Whether it was shut at this text.
    pub(super) fn is_shut(&self, text: &str) -> bool {
        self.shut_at.as_deref() == Some(text)
    }
}

pub trait Suggested {
    fn typed(&self) -> &Field;
    fn typed_mut(&mut self) -> &mut Field;
    fn list(&self) -> &SuggestionList;
    fn list_mut(&mut self) -> &mut SuggestionList;
    /// What can be chosen, for what is typed.
    fn hints(&self) -> Vec<PlaceHint>;

    /// Whether the person typed what stands there.
    fn is_typed(&self) -> bool;

    /// Whether nothing could be added to what is typed: it is one of them, or others are known that are not listed.
    fn is_complete(&self, text: &str) -> bool;

    /// A suggestion that only holds what is typed completes it. Where a new name may be meant it must begin with it.
    fn completes_within(&self) -> bool {
        true
    }

    /// What is said beside what is typed.
    fn note(&self) -> &'static str {
        ""
    }

    /// Shuts the list that somebody typed for; false where there is none.
    fn shut(&mut self) -> bool {
        let shuts = self.list_mut().chosen.take().is_some() || self.is_typed() && !self.hints().is_empty();
        if shuts {
            let text = self.typed().text();
            self.list_mut().shut_at = Some(text);
        }
        shuts
    }

    /// Moves the choice; above the first is the typed text itself.
    fn choose(&mut self, by: i8) {
        let last = self.hints().len().checked_sub(1);
        let list = self.list_mut();
        list.chosen = match (list.chosen, by) {
            (None, ..1) | (Some(0), ..0) => None,
            (None, 1..) => last.map(|_| 0),
            (Some(at), ..0) => Some(at - 1),
            (Some(at), 0..) => last.map(|last| (at + 1).min(last)),
        };
    }

    /// Puts the chosen suggestion into the field. A directory can then be gone into further.
    fn take(&mut self) -> bool {
        let chosen = self.list_mut().chosen.take();
        let taken = chosen.and_then(|at| self.hints().into_iter().nth(at));
        if let Some(hint) = &taken {
            self.typed_mut().set(&hint.text);
        }
        taken.is_some()
    }

    /// As [`Suggested::take`], where nothing is chosen: the only suggestion that fits what is typed, else what all those
    /// have in common that begin with it, as a shell does it.
    fn complete(&mut self) -> bool {
        let typed = self.typed().text();
        let text = typed.trim().to_lowercase();
        if self.is_complete(&typed) {
            return false;
        }
        let hints: Vec<String> = self.hints().into_iter().map(|hint| hint.text).collect();
        let fitting: Vec<&String> = hints
            .iter()
            .filter(|hint| {
                let hint = hint.to_lowercase();
                hint.starts_with(&text) || self.completes_within() && hint.contains(&text)
            })
            .collect();
        let found = match fitting.as_slice() {
            [] => None,
            [only] => Some(only.as_str()),
            [..] => common_beginning(hints.iter().filter(|hint| hint.starts_with(&typed))),
        };
        let Some(longer) = found.filter(|longer| !text.is_empty() && *longer != typed) else {
            return false;
        };
        self.typed_mut().set(longer);
        true
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
