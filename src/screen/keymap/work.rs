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
        bind(A::Open, &["enter"], "All of an atom", "open"),
        bind(A::MoveOn, &[">", "shift+right"], "To the next status", "on"),
        bind(A::MoveBack, &["<", "shift+left"], "Back to do", "back"),
        bind(A::Claim, &["c"], "Claim for this chat", "claim"),
        bind(A::Edit, &["e"], "Edit an atom", "edit"),
        bind(A::Add, &["a"], "Add an atom", "add"),
        bind(A::HandOut, &["n"], "Hand it to a new chat below this one", "hand out"),
        bind(A::Face, &["g"], "As a graph, as a board", "graph"),
        bind(A::Close, &["esc"], "Close the plan", "close"),
        bind(A::Left, &["h", "left"], "Atom at the left", "left"),
        bind(A::Down, &["j", "down"], "Atom below", "down"),
        bind(A::Up, &["k", "up"], "Atom above", "up"),
        bind(A::Right, &["l", "right"], "Atom at the right", "right"),
        bind(A::PageUp, &["pageup"], "A page up", "page up"),
        bind(A::PageDown, &["pagedown"], "A page down", "page down"),
        bind(A::First, &["home"], "First atom", "first"),
        bind(A::Last, &["G", "end"], "Last atom", "last"),
    ]
};
