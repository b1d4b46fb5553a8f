//! The keys of copy mode, as in vi and tmux.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "copy.")]
pub enum CopyAction {
    Select,
    SelectLines,
    SelectBlock,
    Take,
    Leave,
    Left,
    Down,
    Up,
    Right,
    NextWord,
    WordEnd,
    WordBefore,
    LineStart,
    FirstText,
    LineEnd,
    Oldest,
    Newest,
    PageUp,
    PageDown,
    HalfPageUp,
    HalfPageDown,
    Search,
    SearchUp,
    Next,
    Previous,
    Links,
}

pub const TABLE: [KeyLine<CopyAction>; CopyAction::VARIANTS.len()] = {
    use CopyAction as A;
    [
        bind(A::Select, &["v", "space"], "Select from here, or let go", "select"),
        bind(A::SelectLines, &["V"], "Select whole lines", "lines"),
        bind(A::SelectBlock, &["ctrl+v", "R"], "Select a block", "block"),
        bind(A::Take, &["y", "enter"], "Copy and leave", "copy"),
        bind(A::Leave, &["esc", "q", "ctrl+c"], "Leave copy mode", "leave"),
        bind(A::Left, &["h", "left"], "A character to the left", "left"),
        bind(A::Down, &["j", "down"], "A line down", "down"),
        bind(A::Up, &["k", "up"], "A line up", "up"),
        bind(A::Right, &["l", "right"], "A character to the right", "right"),
        bind(A::NextWord, &["w"], "To the next word", "word"),
        bind(A::WordEnd, &["e"], "To the end of the word", "word's end"),
        bind(A::WordBefore, &["b"], "To the word before", "word back"),
        bind(A::LineStart, &["0", "home"], "To the start of the line", "line"),
        bind(A::FirstText, &["^"], "To the first text of the line", "first text"),
        bind(A::LineEnd, &["$", "end"], "To the last text of the line", "line's end"),
        bind(A::Oldest, &["g"], "To the oldest line", "oldest"),
        bind(A::Newest, &["G"], "To the newest line", "newest"),
        bind(A::PageUp, &["pageup", "ctrl+b"], "A page up", "page up"),
        bind(A::PageDown, &["pagedown", "ctrl+f"], "A page down", "page down"),
        bind(A::HalfPageUp, &["ctrl+u"], "Half a page up", "half up"),
        bind(A::HalfPageDown, &["ctrl+d"], "Half a page down", "half down"),
        bind(
            A::Search,
            &["/"],
            "Look for words below, or if none are, above",
            "search",
        ),
        bind(A::SearchUp, &["?"], "Look for words above", "search up"),
        bind(A::Next, &["n"], "To the next words, the same way", "next"),
        bind(A::Previous, &["N"], "To the words before, the other way", "previous"),
        bind(A::Links, &["K"], "Links on the screen, to open or copy", "links"),
    ]
};
