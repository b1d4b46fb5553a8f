//! A chat that a name does not mean any more: it was deleted, and lies in the trash.

use std::path::Path;

use super::person_only;
use crate::model::chat_name::{self, AnswersTo, pasted};
use crate::model::text::visible;
use crate::model::{Problem, ProblemKind};
use crate::store::{Home, Trashed};

pub const IN_TRASH: &str = "it was deleted, and is in the trash";

/// That no chat has the name that was looked for; if one in the trash has it, how that one comes back. An agent is not told
/// what a person deleted.
pub fn told(home: &Path, problem: Problem) -> Problem {
    let Some(name) = chat_name::looked_for(&problem) else {
        return problem;
    };
    if chat_name::is_number(name) || person_only::chat_above().is_some() {
        return problem;
    }
    // Whatever is wrong with the trash, the name means no chat.
    let trash = Home::open(home).ok().and_then(|home| home.list_trash().ok());
    let found = chat_name::meant(trash.unwrap_or_default(), answers_to, name);
    let Some(trashed) = found.iter().max_by_key(|trashed| trashed.deleted) else {
        return problem;
    };
    let record = trashed.record.as_ref();
    let handle = record.map_or(trashed.id.as_str(), |record| record.handle.as_str());
    let hint = format!("`parlour undo-rm {}` brings it back", pasted(&visible(handle)));
    Problem {
        cause: IN_TRASH.into(),
        hint,
        kind: ProblemKind::Missing,
        ..problem
    }
}

fn answers_to(trashed: &Trashed) -> AnswersTo<'_> {
    AnswersTo {
        id: trashed.id.as_str(),
        record: trashed.record.as_ref(),
        number: None,
    }
}
