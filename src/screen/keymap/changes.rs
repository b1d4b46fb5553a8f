//! The keys of the Changes tab.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "changes.")]
pub enum ChangesAction {
    Open,
    Back,
    Forward,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    NextChange,
    PreviousChange,
    NextFile,
    PreviousFile,
    NextTurn,
    PreviousTurn,
    CompareWith,
    Mark,
    Viewed,
    SideBySide,
    WhiteSpace,
    MoreContext,
    LessContext,
    ScrollLeft,
    ScrollRight,
    Revert,
    UndoRevert,
    Checkpoint,
    Reviewed,
    Keep,
    Refresh,
}

pub const TABLE: [KeyLine<ChangesAction>; ChangesAction::VARIANTS.len()] = {
    use ChangesAction as A;
    [
        bind(
            A::Open,
            &["enter"],
            "Lines of a file, fold a directory; on a line, a remark",
            "open",
        ),
        bind(A::NextChange, &["n"], "Next change", "next change"),
        bind(A::PreviousChange, &["N"], "Change before", "change before"),
        bind(A::NextFile, &["J"], "Next file", "next file"),
        bind(A::PreviousFile, &["K"], "File before", "file before"),
        bind(A::NextTurn, &["]"], "Next turn", "next turn"),
        bind(A::PreviousTurn, &["["], "Turn before", "turn before"),
        bind(A::CompareWith, &["c"], "Compare with something else", "compare with"),
        bind(A::Mark, &["m"], "Mark a turn; compare two of them", "mark"),
        bind(A::Revert, &["R"], "Go back to before the chosen turn", "revert"),
        bind(A::UndoRevert, &["u"], "Undo the last discard or revert", "undo"),
        bind(A::Checkpoint, &["C"], "Save all clones now", "checkpoint"),
        bind(
            A::Reviewed,
            &["A"],
            "Reviewed up to here: comparing then offers what is newer",
            "reviewed",
        ),
        bind(
            A::Keep,
            &["p"],
            "Keep it: commit, push, pull request, bring home, rebase",
            "keep",
        ),
        bind(A::Viewed, &["v"], "Mark a file as viewed", "viewed"),
        bind(
            A::SideBySide,
            &["s"],
            "Side by side, or one below the other",
            "side by side",
        ),
        bind(A::WhiteSpace, &["w"], "Ignore white space, or not", "white space"),
        bind(A::MoreContext, &["+"], "More lines around a change", "more context"),
        bind(A::LessContext, &["-"], "Fewer lines around a change", "less context"),
        bind(
            A::Back,
            &["esc", "left"],
            "Back to the files, or to the terminal",
            "back",
        ),
        bind(A::Forward, &["right"], "To the lines of the file", "lines"),
        bind(A::Down, &["j", "down"], "File or line below", "down"),
        bind(A::Up, &["k", "up"], "File or line above", "up"),
        bind(A::PageDown, &["pagedown"], "A page down", "page down"),
        bind(A::PageUp, &["pageup"], "A page up", "page up"),
        bind(A::First, &["g", "home"], "First file or line", "first"),
        bind(A::Last, &["G", "end"], "Last file or line", "last"),
        bind(A::ScrollRight, &[">"], "Scroll long lines to the right", "right"),
        bind(A::ScrollLeft, &["<"], "Scroll long lines back", "left"),
        bind(A::Refresh, &["r"], "Compare again", "again"),
    ]
};
