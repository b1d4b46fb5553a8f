//! A second opinion on what is shown.

use crate::domain::chat;
use crate::model::text::visible;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::super::toast;
use super::super::view::Tone;

/// Its chat is there, below this one.
pub fn made(state: &mut State, client: ClientId, reviewer: &ChatId) {
    let handle = visible(&chat::handle(&state.domain, reviewer));
    let text = format!("{handle} reviews this now. What it finds becomes remarks here.");
    toast::tell(state, client, text, Tone::Told);
}
