//! The parts of one client's screen.

use ratatui::layout::Rect;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub whole: Rect,
    pub sidebar: Option<Bar>,
    /// The signs of the chats, where the sidebar is a drawer that is shut.
    pub rail: Option<Rect>,
    /// Name, projects and status of the chat; no, one or two rows.
    pub header: Rect,
    /// The line above the terminal, which also says how far it is scrolled.
    pub rule: Rect,
    /// The terminal's own cells. Of what an ended program left all is to be read: nothing lies over it. Beside a sidebar
    /// that takes its place, it reaches beyond the screen.
    pub pane: Rect,
    /// What of the pane is in sight beside a sidebar that lies over it.
    pub free: Rect,
    pub inspector: Option<Panel>,
    /// Where the transcript stands beside the terminal.
    pub beside: Option<Rect>,
    /// Mode and keys.
    pub foot: Rect,
}

/// The inspector's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panel {
    pub area: Rect,
    pub title: Rect,
    pub list: Rect,
    /// The line at its left.
    pub border: Rect,
    /// It lies over the pane.
    pub over: bool,
    /// Columns that the pane leaves to it. It has more where it lies over the pane.
    pub takes: u16,
}

/// The sidebar's parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    pub area: Rect,
    pub title: Rect,
    /// The filter, while one is typed.
    pub filter: Rect,
    pub list: Rect,
    /// Figures of the selected chat, where there are rows to spare.
    pub card: Rect,
    /// The line at its right, which can be dragged.
    pub border: Rect,
    /// It lies over the pane.
    pub over: bool,
    /// The line above the pane begins at its border.
    pub is_joined: bool,
}
