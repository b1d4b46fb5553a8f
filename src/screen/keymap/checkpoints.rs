//! The keys of the Checkpoints tab.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "checkpoints.")]
pub enum CheckpointsAction {
    Compare,
    Mark,
    Revert,
    UndoRevert,
    Checkpoint,
    LeftOut,
    Copy,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    DetailDown,
    DetailUp,
    Refresh,
    Close,
}

pub const TABLE: [KeyLine<CheckpointsAction>; CheckpointsAction::VARIANTS.len()] = {
    use CheckpointsAction as A;
    [
        bind(A::Compare, &["enter"], "Compare now with it, in Changes", "compare"),
        bind(A::Mark, &["m"], "Mark one; compare it with another", "mark"),
        bind(A::Revert, &["R"], "Go back to it", "revert"),
        bind(A::UndoRevert, &["u"], "Undo the last discard or revert", "undo"),
        bind(A::Checkpoint, &["C"], "Save all clones now", "checkpoint"),
        bind(A::LeftOut, &["o"], "What it does not hold, or its files", "left out"),
        bind(A::Copy, &["y"], "Copy its number", "copy"),
        bind(A::Down, &["j", "down"], "Checkpoint below", "down"),
        bind(A::Up, &["k", "up"], "Checkpoint above", "up"),
        bind(A::PageDown, &["pagedown"], "A page down", "page down"),
        bind(A::PageUp, &["pageup"], "A page up", "page up"),
        bind(A::First, &["g", "home"], "The newest", "newest"),
        bind(A::Last, &["G", "end"], "The oldest", "oldest"),
        bind(A::DetailDown, &["J"], "Scroll its files down", "scroll down"),
        bind(A::DetailUp, &["K"], "Scroll its files up", "scroll up"),
        bind(A::Refresh, &["r"], "Look again", "again"),
        bind(A::Close, &["esc", "left"], "Back to the terminal", "close"),
    ]
};
