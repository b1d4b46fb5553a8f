//! The cards of chats that somebody looks at.

use std::collections::BTreeMap;

use crate::model::{ChatId, Entry};

use super::card::Cards;

/// The shelves of chats on somebody's screen.
pub type Shelves = BTreeMap<ChatId, Shelf>;

/// The cards of a chat that is looked at. What is appended while its transcript is read is kept behind it.
#[derive(Clone, Debug, PartialEq)]
pub enum Shelf {
    Reading(Vec<Entry>),
    Here(Cards),
}

impl Shelf {
    pub fn take(&mut self, entries: &[Entry]) {
        match self {
            Shelf::Reading(behind) => behind.extend_from_slice(entries),
            Shelf::Here(cards) => entries.iter().for_each(|entry| cards.take(entry)),
        }
    }
}

/// The end of a transcript was read.
pub fn read(shelves: &mut Shelves, chat: &ChatId, entries: &[Entry]) {
    let Some(shelf) = shelves.get_mut(chat) else {
        return;
    };
    let mut cards = Cards::default();
    entries.iter().for_each(|entry| cards.take(entry));
    if let Shelf::Reading(behind) = shelf {
        behind.iter().for_each(|entry| cards.take(entry));
        *shelf = Shelf::Here(cards);
    }
}
