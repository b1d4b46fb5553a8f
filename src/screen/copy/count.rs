//! A count that is typed before a motion of copy mode.

use crossterm::event::{KeyCode, KeyEvent};

use crate::model::ClientId;
use crate::screen::State;

use super::super::keymap::{Action, CopyAction};

/// More than any terminal keeps lines.
const MOST: u32 = 999_999;

/// Takes a digit of a count. A zero is one behind another digit; else it is the key of a motion.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent, action: Option<Action>) -> bool {
    let copy = state.views.get_mut(&client).and_then(|view| view.reading.copy.as_mut());
    let KeyCode::Char(letter) = key.code else {
        return false;
    };
    let (Some(copy), Some(digit), true) = (copy, letter.to_digit(10), key.modifiers.is_empty()) else {
        return false;
    };
    let is_digit = action == Some(Action::Copy(CopyAction::Count)) || digit == 0 && copy.count > 0;
    if is_digit {
        copy.count = copy.count.saturating_mul(10).saturating_add(digit).min(MOST);
    }
    is_digit
}

/// How often, which is forgotten.
pub(super) fn take(state: &mut State, client: ClientId) -> u32 {
    let copy = state.views.get_mut(&client).and_then(|view| view.reading.copy.as_mut());
    copy.map_or(1, |copy| {
        copy.seeks = None;
        std::mem::take(&mut copy.count).max(1)
    })
}
