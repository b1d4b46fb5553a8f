//! The cards that a person looks at.

use crate::domain::approval::card::{Card, Cards};
use crate::domain::approval::shown_cards::Shelf;
use crate::screen::State;

use super::super::call::SeenPlaces;
use super::super::view::View;

/// The cards that a view shows, as far as they are there.
pub fn cards<'a>(state: &'a State, view: &View) -> Option<&'a Cards> {
    match state.domain.live.looked_at.shelves.get(view.chat.as_ref()?)? {
        Shelf::Here(cards) => Some(cards),
        Shelf::Reading(_) => None,
    }
}

/// Where the directories of the chat that is shown lie.
pub fn places(state: &State, view: &View) -> SeenPlaces {
    let chat = view.chat.as_ref();
    chat.map_or_else(SeenPlaces::default, |chat| SeenPlaces::of(&state.domain, chat))
}

/// The card that is selected, the newest where none is.
pub fn shown_card<'s>(state: &'s State, view: &View) -> Option<&'s Card> {
    let cards = cards(state, view)?;
    match view.inspector.selected {
        Some(seq) => cards.iter().find(|card| card.seq == seq),
        None => cards.iter().next_back(),
    }
}
