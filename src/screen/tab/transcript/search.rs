//! Words that are looked for in a transcript. All that is in sight is marked; keys lead from one place to the next.

use crossterm::event::KeyEvent;

use super::jump;
use super::sought::SoughtWords;
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::model::search::Needle;
use crate::screen::State;
use crate::screen::dialog::tables::{SEARCH, SearchKey};
use crate::screen::dialog::{Field, Room};
use crate::screen::view::View;

/// Asks for words, and proposes those that were looked for last.
pub fn begin(view: &mut View) {
    let search = &mut view.transcript.search;
    let words = search.sought.as_ref().map_or("", |sought| &sought.words);
    search.typing = Some(Field::proposing(words, Room::Line));
    view.transcript.changed();
}

/// Forgets the words; says whether there were any.
pub fn end(view: &mut View) -> bool {
    view.transcript.changed();
    view.transcript.search.sought.take().is_some()
}

/// A key while the words are typed. What is nearest above the last row in sight is gone to, else what is nearest below.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.transcript.changed();
    let search = &mut view.transcript.search;
    let Some(typing) = &mut search.typing else {
        return Vec::new();
    };
    match SEARCH.command(key) {
        Some(SearchKey::Cancel) => search.typing = None,
        Some(SearchKey::Search) => {
            let words = typing.text();
            search.typing = None;
            search.sought = Needle::of(&words).map(|needle| SoughtWords { words, needle });
            if search.sought.is_some() {
                view.transcript.selected = None;
                return jump::to_words(state, client);
            }
        }
        // Pages are turned by `screen/tab.rs`.
        Some(SearchKey::PageUp | SearchKey::PageDown) => {}
        None => drop(typing.press(key)),
    }
    Vec::new()
}

pub fn paste(state: &mut State, client: ClientId, text: &str) {
    let view = state.views.get_mut(&client);
    if let Some(typing) = view.and_then(|view| view.transcript.search.typing.as_mut()) {
        typing.paste(text);
    }
}
