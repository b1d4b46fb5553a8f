//! What a person types into the form of a new chat, or as a message or a remark, outlives its engine and their screen:
//! [`left`](super::left) has it written down as they type, and it stands in the next form.

pub mod data;

use crate::model::preferences::LeftWords;
use crate::model::{ClientId, Timestamp};
use crate::screen::State;

use super::dialog::{Dialog, NewChat, words_in};
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

/// What is typed as a message or a remark in the dialog that is open, or was in the one that was left last. What is very long
/// is not kept.
pub fn words(over: &Overlays) -> Option<LeftWords> {
    let words = over.dialog.as_ref().and_then(words_in);
    let words = words.or_else(|| over.drafts.last_words().cloned());
    words.filter(|left| left.words.len() <= LONGEST)
}

/// When what was typed is written down next.
pub fn wakes(view: &View) -> Option<Timestamp> {
    let over = &view.over;
    over.form_text.due.into_iter().chain(over.dialog_text.due).min()
}

/// A new screen has what was typed in a dialog of one that ended.
pub fn take_words(state: &mut State, client: ClientId) {
    let left = state.domain.disk.left.words.clone();
    let is_held = state.views.values().any(|view| view.over.dialog_text.kept == left);
    let view = state.views.get_mut(&client).filter(|_| !is_held);
    let (Some(words), Some(view)) = (left, view) else {
        return;
    };
    view.over.drafts.keep_words(words);
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
