//! How far what is typed in the dialogs of one screen is written down.

use crate::model::Timestamp;
use crate::model::preferences::LeftWords;

/// How long a person types on until what they wrote is written down.
const SAVE_MS: u64 = 250;

/// What is typed, of which the default is nothing.
#[derive(Default)]
pub struct KeptText<T> {
    /// What was written down last.
    pub kept: T,
    /// When that is done next.
    pub due: Option<Timestamp>,
}

/// The prompt of a new chat.
pub type FormText = KeptText<String>;

/// A message or a remark.
pub type DialogText = KeptText<Option<LeftWords>>;

impl<T: Clone + Default + PartialEq> KeptText<T> {
    /// What was written down before, if `typed` is to be written down now. That nothing is typed any more does not wait.
    pub fn settle(&mut self, typed: &T, now: Timestamp) -> Option<T> {
        if *typed == self.kept {
            self.due = None;
            return None;
        }
        let wait = if *typed == T::default() { 0 } else { SAVE_MS };
        if *self.due.get_or_insert(now.plus_ms(wait)) > now {
            return None;
        }
        self.due = None;
        Some(std::mem::replace(&mut self.kept, typed.clone()))
    }
}
