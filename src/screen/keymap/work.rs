//! The keys of the plan of the work.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "work.")]
pub enum WorkAction {
    Left,
    Down,
    Up,
    Right,
    PageUp,
    PageDown,
    First,
    Last,
    Open,
    MoveOn,
    MoveBack,
    Claim,
    Edit,
    Add,
    HandOut,
    Face,
    Close,
}

pub const TABLE: [KeyLine<WorkAction>; WorkAction::VARIANTS.len()] = {
    use WorkAction as A;
    [
        bind(A::Open, &["enter"], "All of a task", "open"),
        bind(A::MoveOn, &[">", "shift+right"], "To the next status", "on"),
        bind(A::MoveBack, &["<", "shift+left"], "Back to do", "back"),
        bind(A::Claim, &["c"], "Claim for this chat", "claim"),
        bind(A::Edit, &["e"], "Edit a task", "edit"),
        bind(A::Add, &["a"], "Add a task", "add"),
        bind(
            A::HandOut,
            &["n"],
            "Delegate it to a new chat below this one",
            "delegate",
        ),
        bind(A::Face, &["g"], "As a graph, as a board", "graph"),
        bind(A::Close, &["esc"], "Close the plan", "close"),
        bind(A::Left, &["h", "left"], "Task at the left", "left"),
        bind(A::Down, &["j", "down"], "Task below", "down"),
        bind(A::Up, &["k", "up"], "Task above", "up"),
        bind(A::Right, &["l", "right"], "Task at the right", "right"),
        bind(A::PageUp, &["pageup"], "A page up", "page up"),
        bind(A::PageDown, &["pagedown"], "A page down", "page down"),
        bind(A::First, &["home"], "First task", "first"),
        bind(A::Last, &["G", "end"], "Last task", "last"),
    ]
};
