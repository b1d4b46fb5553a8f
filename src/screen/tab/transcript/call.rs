//! The call that is selected in the transcript. The inspector does with it what it does with its card.

use super::item::{ItemKey, TranscriptItem};
use crate::domain::approval::card::{Card, Tool};
use crate::domain::call::files;
use crate::screen::keymap::CallAction;
use crate::screen::view::View;

/// The call that is selected, while the transcript has the keys.
pub fn selected(view: &View) -> Option<(&Card, &Tool)> {
    view.transcript_with_keys()?;
    view.transcript.items.get(view.transcript.held()?)?.tool()
}

/// The call that began with this entry, as far as it is loaded.
pub fn at(view: &View, seq: u64) -> Option<&Card> {
    let is_of_chat = view.transcript.of == view.chat;
    let item = view.transcript.items.get(ItemKey::entry(seq)).filter(|_| is_of_chat);
    item.and_then(TranscriptItem::tool).map(|(card, _)| card)
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(view: &View, action: CallAction) -> (bool, &'static str) {
    let call = selected(view);
    match action {
        CallAction::InFull | CallAction::Again => (call.is_some(), "no call is selected"),
        CallAction::OpenFile => (
            call.is_some_and(|(_, tool)| !files(&tool.name, &tool.input).is_empty()),
            "the selected call names no file",
        ),
    }
}
