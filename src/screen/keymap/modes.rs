//! Small tables: the leader and what follows it, a terminal whose program has ended, what stands in a terminal's place,
//! the sidebar's filter.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

/// Stands in a table for whatever key the leader is.
pub const LEADER: &str = "leader";

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum LeaderAction {
    Leader,
    /// Only after the leader.
    Leave,
    /// Only after the leader.
    SendOn,
}

/// Everywhere but in dialogs.
pub const MENU: [KeyLine<LeaderAction>; 1] = [bind(LeaderAction::Leader, &[LEADER], "Any command, by its key", "menu")];

/// After the leader.
pub const AFTER_LEADER: [KeyLine<LeaderAction>; 2] = [
    bind(LeaderAction::Leave, &["esc"], "Out of the agent", "leave"),
    bind(LeaderAction::SendOn, &[LEADER], "Send the key itself on", "send it on"),
];

/// Somebody is in a terminal in which nothing runs any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum EndedAction {
    Again,
    Leave,
}

pub const ENDED: [KeyLine<EndedAction>; EndedAction::VARIANTS.len()] = [
    bind(
        EndedAction::Again,
        &["enter"],
        "Resume an agent that has ended",
        "resume",
    ),
    bind(EndedAction::Leave, &["esc"], "Out of an agent that has ended", "leave"),
];

/// Something stands in place of the agent's terminal, or beside it and has the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub enum TabAction {
    CloseTab,
}

/// By the key that leaves the screen where there is nothing to close.
pub const TAB: [KeyLine<TabAction>; TabAction::VARIANTS.len()] = [bind(
    TabAction::CloseTab,
    &["q"],
    "Back to the terminal at once",
    "close",
)];

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "filter.")]
pub enum FilterAction {
    Choose,
    Up,
    Down,
    PageUp,
    PageDown,
    GiveUp,
}

pub const FILTER: [KeyLine<FilterAction>; FilterAction::VARIANTS.len()] = {
    use FilterAction as A;
    [
        bind(A::Choose, &["enter", "tab"], "Choose the chat", "choose"),
        bind(A::Up, &["up", "ctrl+p"], "Chat above", "up"),
        bind(A::Down, &["down", "ctrl+n"], "Chat below", "down"),
        bind(A::PageUp, &["pageup"], "Ten chats up", "page up"),
        bind(A::PageDown, &["pagedown"], "Ten chats down", "page down"),
        bind(A::GiveUp, &["esc", "ctrl+c", "ctrl+k"], "Cancel the filter", "cancel"),
    ]
};
