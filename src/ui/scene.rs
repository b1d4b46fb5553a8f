//! What every surface is drawn with.

use crate::config::theme::Theme;
use crate::screen::dialog::Around;
use crate::screen::keymap::{Action, SheetAction};
use crate::screen::view::View;
use crate::screen::{State, dialogs};
use crate::term::CursorShape;

/// Where the terminal's own cursor belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CursorAt {
    pub x: u16,
    pub y: u16,
    pub shape: CursorShape,
    pub blinking: bool,
}

/// What is drawn with: everything a surface may look at.
pub(super) struct Scene<'a> {
    pub state: &'a State,
    pub view: &'a View,
    pub theme: &'a Theme,
}

impl Scene<'_> {
    /// What the open dialog may know of the rest.
    pub fn around(&self) -> Around<'_> {
        dialogs::input::around(self.state, self.view)
    }

    /// Keys of a tab as a person reads them, with what they do.
    pub fn sheet_keys(
        &self,
        wanted: impl IntoIterator<Item = (SheetAction, &'static str)>,
    ) -> Vec<(String, &'static str)> {
        let key = |action: SheetAction| self.state.keymap.key(Action::Sheet(action));
        wanted.into_iter().map(|(action, words)| (key(action), words)).collect()
    }
}
