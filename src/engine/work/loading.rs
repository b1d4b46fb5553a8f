//! What is said where a chat on disk cannot be read or written.

use crate::model::{ChatId, Problem};

pub fn loading(id: &ChatId, error: impl std::fmt::Display) -> Problem {
    Problem::new(format!("loading chat {id}"), error, "`parlour doctor` says more")
}
