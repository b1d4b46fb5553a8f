//! The cards that a person looks at.

use crate::domain::approval::card::{Card, Cards};
use crate::domain::approval::shown_cards::Shelf;
use crate::screen::State;

use super::super::call::SeenPlaces;
use super::super::tab::transcript;
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

/// The card that is selected, the newest where none is. One that is older than all cards is known by the transcript.
pub fn shown_card<'s>(state: &'s State, view: &'s View) -> Option<&'s Card> {
    let cards = cards(state, view);
    match view.inspector.selected {
        Some(seq) => {
            let card = cards.and_then(|cards| cards.iter().find(|card| card.seq == seq));
            card.or_else(|| transcript::call::at(view, seq))
        }
        None => cards?.iter().next_back(),
    }
}

/// The card that a person is at: the call that is selected in the transcript while that has the keys, else that of the
/// inspector.
pub fn chosen_card<'s>(state: &'s State, view: &'s View) -> Option<&'s Card> {
    match view.transcript_with_keys() {
        Some(_) => transcript::call::selected(view).map(|(card, _)| card),
        None => shown_card(state, view),
    }
}
