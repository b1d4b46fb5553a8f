//! Words that are looked for in a transcript. All that is in sight is marked; keys lead from one place to the next.

use crossterm::event::KeyEvent;

use super::data::{Thoughts, TranscriptView};
use super::found::{FoundEntries, SearchedItems};
use super::jump;
use super::wants::JumpKind;
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;
use crate::screen::view::View;

fn searched(transcript: &TranscriptView) -> SearchedItems {
    let list = transcript.items.list();
    SearchedItems {
        first: transcript.items.first,
        count: list.len(),
        revisions: list.iter().map(|item| u64::from(item.revision)).sum(),
        has_thoughts: transcript.look.thoughts != Thoughts::Hidden,
    }
}

/// After each event: which entries have the words by now.
pub(super) fn settle(transcript: &mut TranscriptView) {
    let Some(sought) = &transcript.search.sought else {
        return;
    };
    let of = Some(searched(transcript));
    if sought.found.of == of {
        return;
    }
    let items = transcript.items.list().iter();
    let found = items.filter(|item| jump::is_place(transcript, JumpKind::Match, item));
    let keys = found.map(|item| item.key).collect();
    if let Some(sought) = &mut transcript.search.sought {
        sought.found = FoundEntries { keys, of };
    }
}

/// Which of them is selected, and how many there are. What is not loaded may have more.
pub fn told(transcript: &TranscriptView, found: &FoundEntries) -> String {
    let all = found.keys.len();
    let at = found.keys.iter().position(|key| Some(*key) == transcript.selected);
    match (transcript.is_whole(), all, at) {
        (true, 0, _) => "not found".into(),
        (true, _, Some(at)) => format!("{} of {all}", at + 1),
        (true, _, None) => format!("{all}"),
        (false, ..) => format!("{all}+"),
    }
}

pub fn begin(view: &mut View) {
    view.transcript.search.begin();
    view.transcript.changed();
}

/// Forgets the words; says whether there were any.
pub fn end(view: &mut View) -> bool {
    view.transcript.changed();
    view.transcript.search.end()
}

/// A key while the words are typed. What is nearest above the last row in sight is gone to, else what is nearest below.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.transcript.changed();
    if !view.transcript.search.press(key, FoundEntries::default()) {
        return Vec::new();
    }
    view.transcript.selected = None;
    jump::to_words(state, client)
}
