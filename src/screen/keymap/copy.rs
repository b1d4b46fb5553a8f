//! The keys of copy mode, as in vi and tmux.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "copy.")]
pub enum CopyAction {
    Select,
    SelectLines,
    SelectBlock,
    OtherEnd,
    Take,
    Leave,
    Search,
    SearchUp,
    Next,
    Previous,
    Links,
    Count,
}

/// What moves the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "copy.")]
pub enum CopyMotion {
    Left,
    Down,
    Up,
    Right,
    NextWord,
    WordEnd,
    WordBefore,
    NextLongWord,
    LongWordEnd,
    LongWordBefore,
    LineStart,
    FirstText,
    LineEnd,
    Top,
    Middle,
    Bottom,
    NextParagraph,
    ParagraphBefore,
    Oldest,
    Newest,
    PageUp,
    PageDown,
    HalfPageUp,
    HalfPageDown,
}

impl CopyMotion {
    pub fn is_by_words(self) -> bool {
        use CopyMotion as M;
        matches!(
            self,
            M::NextWord | M::WordEnd | M::WordBefore | M::NextLongWord | M::LongWordEnd | M::LongWordBefore
        )
    }
}

/// The digits of a count; a zero is one behind another.
const DIGITS: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8", "9"];

pub const TABLE: [KeyLine<CopyAction>; CopyAction::VARIANTS.len()] = {
    use CopyAction as A;
    [
        bind(A::Select, &["v", "space"], "Select from here, or let go", "select"),
        bind(A::SelectLines, &["V"], "Select whole lines", "lines"),
        bind(A::SelectBlock, &["ctrl+v", "R"], "Select a block", "block"),
        bind(A::OtherEnd, &["o"], "To the other end of what is selected", "other end"),
        bind(A::Take, &["y", "enter"], "Copy and leave", "copy"),
        bind(A::Leave, &["esc", "q", "ctrl+c"], "Leave copy mode", "leave"),
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
        bind(
            A::Count,
            DIGITS,
            "How often the key behind it moves, as in 10k",
            "count",
        ),
    ]
};

pub const MOTIONS: [KeyLine<CopyMotion>; CopyMotion::VARIANTS.len()] = {
    use CopyMotion as M;
    [
        bind(M::Left, &["h", "left"], "A character to the left", "left"),
        bind(M::Down, &["j", "down"], "A line down", "down"),
        bind(M::Up, &["k", "up"], "A line up", "up"),
        bind(M::Right, &["l", "right"], "A character to the right", "right"),
        bind(M::NextWord, &["w"], "To the next word", "word"),
        bind(M::WordEnd, &["e"], "To the end of the word", "word's end"),
        bind(M::WordBefore, &["b"], "To the word before", "word back"),
        bind(M::NextLongWord, &["W"], "To the next word between blanks", "long word"),
        bind(
            M::LongWordEnd,
            &["E"],
            "To the end of the word between blanks",
            "long word's end",
        ),
        bind(
            M::LongWordBefore,
            &["B"],
            "To the word between blanks before",
            "long word back",
        ),
        bind(M::LineStart, &["0", "home"], "To the start of the line", "line"),
        bind(M::FirstText, &["^"], "To the first text of the line", "first text"),
        bind(M::LineEnd, &["$", "end"], "To the last text of the line", "line's end"),
        bind(M::Top, &["H"], "To the top of what is seen", "top"),
        bind(M::Middle, &["M"], "To the middle of what is seen", "middle"),
        bind(M::Bottom, &["L"], "To the bottom of what is seen", "bottom"),
        bind(M::NextParagraph, &["}"], "To the next empty line", "paragraph"),
        bind(M::ParagraphBefore, &["{"], "To the empty line before", "paragraph back"),
        bind(M::Oldest, &["g"], "To the oldest line", "oldest"),
        bind(M::Newest, &["G"], "To the newest line", "newest"),
        bind(M::PageUp, &["pageup", "ctrl+b"], "A page up", "page up"),
        bind(M::PageDown, &["pagedown", "ctrl+f"], "A page down", "page down"),
        bind(M::HalfPageUp, &["ctrl+u"], "Half a page up", "half up"),
        bind(M::HalfPageDown, &["ctrl+d"], "Half a page down", "half down"),
    ]
};
