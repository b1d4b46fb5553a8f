//! What a person types into the form of a new chat outlives its engine and their screen: [`left`](super::left) has it written
//! down as they type, and it stands in the next form.

pub mod data;

use crate::model::{ClientId, Timestamp};
use crate::screen::State;

use super::dialog::NewChat;
use super::view::View;

/// When what was typed is written down next.
pub fn wakes(view: &View) -> Option<Timestamp> {
    view.over.form_text.due
}

/// A new form goes on with what was typed before an engine or a screen ended.
pub fn go_on(state: &mut State, client: ClientId, new: &mut NewChat) {
    let left = &state.domain.disk.left.form;
    let is_held = state.views.values().any(|view| view.over.form_text.kept == *left);
    if left.is_empty() || is_held {
        return;
    }
    new.goes_on(left);
    if let Some(view) = state.views.get_mut(&client) {
        view.over.form_text.kept.clone_from(left);
    }
}
