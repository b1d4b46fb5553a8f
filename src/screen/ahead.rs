//! Keys typed before the file that they are meant for is on the screen: they wait for it, in order.
//!
//! Without this, whoever goes to the next file and types on at once would mark lines of the file before.

use crossterm::event::{KeyCode, KeyEvent};

use crate::domain::effect::Effect;
use crate::model::ClientId;

use super::input;
use super::keymap::{Action, ChangesAction, PaneSheet, SheetAction};
use super::state::State;
use super::surface::Surface;
use super::tab::changes::ChangesPart;
use super::view::View;

/// A person pressed a key: it is carried out, or kept until the file is here. Esc drops what is kept.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let moves_on = moves_on(state, key);
    let Some(view) = state.views.get_mut(&client).filter(|view| awaits_file(view)) else {
        return input::press(state, client, key);
    };
    let ahead = &mut view.changes.tree.ahead;
    if key.code == KeyCode::Esc {
        ahead.clear();
    }
    // Whoever only goes from file to file sees none of those between.
    if ahead.is_empty() && (moves_on || key.code == KeyCode::Esc) {
        return input::press(state, client, key);
    }
    ahead.push(key);
    Vec::new()
}

/// After each event: what was typed is carried out once its file is here, or cannot come.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let mut effects = Vec::new();
    let Some(view) = state.views.get_mut(&client).filter(|view| !awaits_file(view)) else {
        return effects;
    };
    let keys = std::mem::take(&mut view.changes.tree.ahead);
    if view.surface() != Surface::Sheet(PaneSheet::Changes) {
        // Something else has the keys by now: they were not for that.
        return effects;
    }
    for key in keys {
        effects.extend(press(state, client, key));
    }
    effects
}

fn moves_on(state: &State, key: KeyEvent) -> bool {
    let action = state.keymap.action(Surface::Sheet(PaneSheet::Changes), key);
    matches!(
        action,
        Some(Action::Sheet(SheetAction::Changes(
            ChangesAction::NextFile | ChangesAction::PreviousFile
        )))
    )
}

fn awaits_file(view: &View) -> bool {
    let has_keys = view.surface() == Surface::Sheet(PaneSheet::Changes);
    has_keys && view.changes.part == ChangesPart::Lines && view.changes.awaits_file()
}
