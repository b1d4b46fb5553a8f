//! The keys of the viewer of outputs. Nothing but `q` and Esc leaves it.

use super::{DialogTable, bind};

/// The whole output of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKey {
    Close,
    Search,
    Next,
    Previous,
    Line,
    Up,
    Down,
    PageUp,
    PageDown,
    HalfUp,
    HalfDown,
    First,
    Last,
    Wrap,
    Left,
    Right,
    Select,
    Copy,
    Save,
    Edit,
    Pager,
}

pub static OUTPUT: DialogTable<OutputKey> = DialogTable::new("In a whole output", {
    use OutputKey as K;
    &[
        bind(
            K::Close,
            &["q", "esc"],
            "Close; with lines selected, select none",
            "close",
        ),
        bind(K::Search, &["/"], "Search in all of it", "search"),
        bind(K::Next, &["n"], "Next place", "next"),
        bind(K::Previous, &["N"], "Place before", "previous"),
        bind(K::Line, &[":"], "To a line by its number", "line"),
        bind(K::Up, &["up", "k"], "A line up", "up"),
        bind(K::Down, &["down", "j"], "A line down", "down"),
        bind(K::PageUp, &["pageup", "ctrl+b"], "A page up", "page up"),
        bind(K::PageDown, &["space", "pagedown"], "A page down", "page"),
        bind(K::HalfUp, &["ctrl+u"], "Half a page up", "half up"),
        bind(K::HalfDown, &["ctrl+d"], "Half a page down", "half down"),
        bind(K::First, &["g", "home"], "To the beginning", "first"),
        bind(K::Last, &["G", "end"], "To the end", "last"),
        bind(K::Wrap, &["w"], "Wrap long lines, or cut them", "wrap"),
        bind(K::Left, &["left", "h"], "To the left, where lines are cut", "left"),
        bind(K::Right, &["right", "l"], "To the right, where lines are cut", "right"),
        bind(K::Select, &["v"], "Select lines, from here on", "select"),
        bind(K::Copy, &["y"], "Copy what is selected, else all", "copy"),
        bind(K::Save, &["s"], "Save a copy in a file", "save"),
        bind(K::Edit, &["e"], "Open it in your editor", "edit"),
        bind(K::Pager, &["p"], "Open it in your pager", "pager"),
    ]
});
