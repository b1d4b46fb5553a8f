//! Words that are looked for in a transcript. All that is in sight is marked; keys lead from one place to the next.

use crossterm::event::KeyEvent;

use super::data::TranscriptView;
use super::found::{FoundEntries, MatchedItem};
use super::item::{ItemKey, ItemKind};
use super::wants::JumpKind;
use super::{jump, targets};
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;
use crate::screen::view::View;

/// After each event: which entries have the words by now.
pub(super) fn settle(transcript: &mut TranscriptView) {
    let Some(sought) = &transcript.search.sought else {
        return;
    };
    let revision = Some(transcript.revision);
    if sought.found.revision == revision {
        return;
    }
    let matched = matched(transcript, &sought.found.matched);
    let have_words = matched.iter().filter(|item| item.matches > 0);
    let entries = have_words.map(|item| (item.key, item.matches)).collect();
    if let Some(sought) = &mut transcript.search.sought {
        let at = sought.found.at;
        sought.found = FoundEntries {
            entries,
            revision,
            matched,
            at,
        };
    }
}

/// Searches the items that are new, or have changed since `before`.
fn matched(transcript: &TranscriptView, before: &[MatchedItem]) -> Vec<MatchedItem> {
    let mut before = before.iter().peekable();
    let items = transcript.items.list().iter();
    let reached = items.filter(|item| targets::is_reached(transcript, JumpKind::Match, item));
    let matched = reached.map(|item| {
        while before.next_if(|known| known.key < item.key).is_some() {}
        // The name of a sub-agent may come from what stands before it, which may not have been loaded.
        let is_own = !matches!(item.what, ItemKind::SubAgent(_));
        let known = before.next_if(|known| is_own && (known.key, known.revision) == (item.key, item.revision));
        MatchedItem {
            key: item.key,
            revision: item.revision,
            matches: match known {
                Some(known) => known.matches,
                None => targets::matches(transcript, item),
            },
        }
    });
    matched.collect()
}

/// Which match was gone to, and how many there are. What is not loaded may have more.
pub fn told(transcript: &TranscriptView, found: &FoundEntries) -> String {
    let count = |entries: &[(ItemKey, usize)]| entries.iter().map(|(_, matches)| matches).sum::<usize>();
    let all = count(&found.entries);
    let selected = |(key, _): &(ItemKey, usize)| Some(*key) == transcript.selected;
    let at = found.entries.iter().position(selected).map(|place| {
        let (key, matches) = found.entries[place];
        let nth = found.at.filter(|at| at.item == key).map_or(0, |at| at.nth);
        // As it is laid out, it may be broken within the words, or show them twice.
        count(&found.entries[..place]) + nth.min(matches - 1)
    });
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::super::item::AtWork;
    use super::*;
    use crate::model::entry::ToolStatus;
    use crate::model::{Entry, Happened, Timestamp};
    use crate::screen::tab::search_line::Sought;

    fn looking_for(words: &str) -> TranscriptView {
        let mut transcript = TranscriptView::default();
        transcript.window.at_end = true;
        transcript.search.sought = Sought::of(words.into(), FoundEntries::default());
        transcript
    }

    /// The entries that have the words once this has come.
    fn comes(transcript: &mut TranscriptView, seq: u64, what: Happened) -> Vec<u64> {
        let (v, ts, read) = (1, Timestamp(0), None);
        transcript.append(&[Arc::new(Entry { v, seq, ts, read, what })]);
        settle(transcript);
        let found = transcript.search.sought.as_ref().map(|sought| &sought.found.entries);
        found.into_iter().flatten().map(|(key, _)| key.seq).collect()
    }

    fn said(text: &str) -> Happened {
        Happened::Text {
            id: "said".into(),
            text: text.into(),
        }
    }

    #[test]
    fn what_has_not_changed_is_not_searched_again() {
        let mut transcript = looking_for("word");
        assert_eq!(comes(&mut transcript, 1, said("a word")), [1]);
        // What is kept of it is taken at its word.
        if let Some(sought) = &mut transcript.search.sought {
            sought.found.matched[0].matches = 0;
        }
        assert_eq!(comes(&mut transcript, 2, said("a word")), [2]);
        assert_eq!(comes(&mut transcript, 3, said("nothing")), [2]);
    }

    #[test]
    fn a_call_that_has_changed_is_searched_again() {
        let mut transcript = looking_for("word");
        let start = Happened::ToolStart {
            id: "call".into(),
            name: "Bash".into(),
            input: json!({"command": "ls"}),
            dir: None,
            parent: None,
        };
        assert!(comes(&mut transcript, 1, start).is_empty());
        let end = Happened::tool_ended("call", ToolStatus::Ok, "a word".into(), None);
        assert_eq!(comes(&mut transcript, 2, end), [1]);
    }

    #[test]
    fn what_comes_in_place_of_what_was_at_work_is_searched() {
        let mut transcript = looking_for("word");
        assert!(comes(&mut transcript, 1, said("nothing")).is_empty());
        transcript.show_at_work(Some(AtWork::WritesUnseen));
        settle(&mut transcript);
        assert_eq!(comes(&mut transcript, 2, said("a word")), [2]);
    }
}
