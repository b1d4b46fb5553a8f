//! Words that are looked for in a transcript. All that is in sight is marked; keys lead from one place to the next.

use crossterm::event::KeyEvent;

use super::jump;
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;
use crate::screen::view::View;

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
    if !view.transcript.search.press(key, ()) {
        return Vec::new();
    }
    view.transcript.selected = None;
    jump::to_words(state, client)
}
