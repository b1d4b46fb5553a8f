//! What is said where a chat on disk cannot be read or written.

use crate::model::{ChatId, Failure, Problem};

pub fn loading(id: &ChatId, error: impl Failure) -> Problem {
    Problem::of(format!("loading chat {id}"), &error).hinted("`parlour doctor` says more")
}
