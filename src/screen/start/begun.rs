//! Whether the chat that was begun from the page is still being made.

use crate::screen::State;

use super::super::view::View;

pub fn begins(state: &State, view: &View) -> bool {
    let mut waiting = state.domain.live.waiting.values();
    let begun = view.over.start.begun;
    begun.is_some_and(|(_, requester)| waiting.any(|waiting| waiting.requester == requester))
}
