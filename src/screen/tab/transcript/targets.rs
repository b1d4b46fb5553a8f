//! The items that a key or a search leads to, and how they are brought out of what is folded.

use super::copying::text_of;
use super::data::TranscriptView;
use super::item::{ItemKey, ItemKind, TranscriptItem};
use super::wants::JumpKind;
use crate::permission::Sort;

/// Whether an item is of the kind that is gone to.
pub(super) fn is_meant(transcript: &TranscriptView, kind: JumpKind, item: &TranscriptItem) -> bool {
    match kind {
        JumpKind::Any => !matches!(item.what, ItemKind::AtWork(_)),
        JumpKind::Prompt => matches!(item.what, ItemKind::Prompt(_)),
        JumpKind::Error => item.is_failed(),
        JumpKind::Tool => matches!(item.what, ItemKind::Tool(_) | ItemKind::SubAgent(_)),
        JumpKind::File => item
            .tool()
            .is_some_and(|(_, tool)| matches!(tool.told.sort, Sort::Read | Sort::Write | Sort::Edit)),
        JumpKind::Match => {
            let sought = transcript.search.sought.as_ref();
            let text = text_of(item, &transcript.places);
            sought.is_some_and(|sought| text.is_some_and(|text| sought.needle.is_in(&text)))
        }
    }
}

/// How often an item has the words that are sought.
pub(super) fn matches(transcript: &TranscriptView, item: &TranscriptItem) -> usize {
    let sought = transcript.search.sought.as_ref();
    let text = sought.and_then(|_| text_of(item, &transcript.places));
    let places = sought
        .zip(text)
        .map(|(sought, text)| sought.needle.places(&text).count());
    places.unwrap_or(0)
}

/// Opens that in which an item is folded away.
pub(super) fn bring_out(transcript: &mut TranscriptView, key: ItemKey) {
    let item = transcript.items.get(key);
    let folds: Vec<ItemKey> = item
        .into_iter()
        .flat_map(|item| [item.hidden_by, item.of])
        .flatten()
        .collect();
    for fold in folds {
        if transcript.open.insert(fold) {
            transcript.laid.remove(&fold);
            transcript.changed();
        }
    }
}

/// Whether a key that leads to items of a kind stops at this one.
pub(super) fn is_place(transcript: &TranscriptView, kind: JumpKind, item: &TranscriptItem) -> bool {
    is_reached(transcript, kind, item) && is_meant(transcript, kind, item)
}

/// Whether it may stop there, if the item is of that kind.
pub(super) fn is_reached(transcript: &TranscriptView, kind: JumpKind, item: &TranscriptItem) -> bool {
    let is_folded = !transcript.is_shown(item);
    // A search and an error lead into what is folded, a step does not.
    let may_unfold = matches!(kind, JumpKind::Match | JumpKind::Error);
    let is_seen = !is_folded || may_unfold && item.hidden_by.is_none() && !item.is_delivered;
    is_seen && transcript.has_rows(item)
}
