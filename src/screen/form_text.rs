//! What a person types into the form of a new chat outlives its engine and their screen: [`left`](super::left) has it written
//! down as they type, and it stands in the next form.

pub mod data;

use crate::model::{ClientId, Timestamp};
use crate::screen::State;

use super::dialog::{Dialog, NewChat};
use super::view::{Overlays, View};

/// Bytes of a prompt that is kept among a person's settings, which have to stay small.
const LONGEST: usize = 16 << 10;

/// What was typed as the prompt of a new chat.
pub fn text(over: &Overlays) -> String {
    typed(over).join("\n")
}

/// It is written down as it stands. That is asked after each event, and copies nothing.
pub fn is_kept(over: &Overlays) -> bool {
    let kept = &over.form_text.kept;
    match typed(over) {
        [] => kept.is_empty(),
        lines => lines.iter().map(String::as_str).eq(kept.split('\n')),
    }
}

/// In the form that is open, or in the one that was left. A prompt that is very long is not kept.
fn typed(over: &Overlays) -> &[String] {
    let new = match &over.dialog {
        Some(Dialog::NewChat(new)) => Some(&**new),
        Some(_) | None => over.drafts.chat(),
    };
    let lines = new.map(NewChat::typed).unwrap_or_default();
    let bytes: usize = lines.iter().map(|line| line.len() + 1).sum();
    if bytes <= LONGEST { lines } else { &[] }
}

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
