//! What has the keys: one thing at a time.

use strum::VariantArray;

use super::keymap::PaneSheet;

/// What takes the next key. [`super::view::View::surface`] decides which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    Dialog,
    /// The screen of schedules.
    Schedules,
    /// The leader was pressed: the next key is a command.
    Leader,
    /// Copy mode.
    Copy,
    /// Links are marked with letters, of which one is named.
    Links,
    /// The program in the terminal that is shown.
    Terminal,
    /// The field of the sidebar's filter.
    Filter,
    /// The row in which one types what to search for in the changes.
    Search,
    /// The field below the transcript, in which a prompt is written.
    Composer,
    /// A prompt above that field, which waits.
    Queued,
    /// A tab that is no terminal. Keys that it has no use for are commands.
    Sheet(PaneSheet),
    /// What the pane shows, if that is no sheet.
    Pane(InPane),
    Inspector,
    /// The page that is there while there is no chat.
    Start,
    /// The list of chats, beside what the pane shows.
    Sidebar(InPane),
}

/// What the pane shows: whether there is something to close before one leaves the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InPane {
    Agent,
    /// A tab or a grid, in place of the agent's terminal.
    Other,
}

/// A surface over all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    Dialog,
    Schedules,
}

impl Surface {
    /// All there are. A new one does not compile in [`Surface::cover`], and belongs here too.
    pub fn each() -> impl Iterator<Item = Surface> {
        let others = [
            Surface::Dialog,
            Surface::Schedules,
            Surface::Leader,
            Surface::Copy,
            Surface::Links,
            Surface::Terminal,
            Surface::Filter,
            Surface::Search,
            Surface::Composer,
            Surface::Queued,
            Surface::Pane(InPane::Agent),
            Surface::Pane(InPane::Other),
            Surface::Inspector,
            Surface::Start,
            Surface::Sidebar(InPane::Agent),
            Surface::Sidebar(InPane::Other),
        ];
        let sheets = PaneSheet::VARIANTS.iter().copied().map(Surface::Sheet);
        others.into_iter().chain(sheets)
    }

    /// What covers that which the person looked at before.
    pub fn cover(self) -> Option<Cover> {
        match self {
            Surface::Dialog => Some(Cover::Dialog),
            Surface::Schedules => Some(Cover::Schedules),
            Surface::Leader
            | Surface::Copy
            | Surface::Links
            | Surface::Terminal
            | Surface::Filter
            | Surface::Search
            | Surface::Composer
            | Surface::Queued
            | Surface::Sheet(_)
            | Surface::Pane(_)
            | Surface::Inspector
            | Surface::Start
            | Surface::Sidebar(_) => None,
        }
    }

    pub fn covers(self) -> bool {
        self.cover().is_some()
    }
}
