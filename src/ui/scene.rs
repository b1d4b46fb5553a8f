//! What every surface is drawn with.

use crate::config::theme::Theme;
use crate::screen::dialog::Around;
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
}
