//! The keys of the Transcript tab.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "transcript.")]
pub enum TranscriptAction {
    Open,
    Next,
    Previous,
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    NextPrompt,
    PreviousPrompt,
    NextError,
    PreviousError,
    NextTool,
    PreviousTool,
    NextFile,
    PreviousFile,
    Search,
    NextMatch,
    PreviousMatch,
    Copy,
    CopyTurn,
    CopyCode,
    ScrollLeft,
    ScrollRight,
    Thoughts,
    Times,
    Moment,
    Refresh,
    Close,
}

/// What is done with a call that is selected there, by the keys that a card has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "transcript.")]
pub enum CallAction {
    InFull,
    OpenFile,
    Again,
}

pub const CALLS: [KeyLine<CallAction>; CallAction::VARIANTS.len()] = {
    use CallAction as A;
    [
        bind(
            A::InFull,
            &[],
            "The selected call in full, beside; so does its Enter",
            "in full",
        ),
        bind(
            A::OpenFile,
            &["E"],
            "The selected call's file in your editor",
            "its file",
        ),
        bind(
            A::Again,
            &["p"],
            "Ask for the selected call again, as a prompt",
            "again",
        ),
    ]
};

pub const TABLE: [KeyLine<TranscriptAction>; TranscriptAction::VARIANTS.len()] = {
    use TranscriptAction as A;
    [
        bind(A::Open, &["space", "right"], "Open or close what is selected", "open"),
        bind(A::Next, &["j"], "Select what is next", "next"),
        bind(A::Previous, &["k"], "Select what is before", "before"),
        bind(A::NextPrompt, &["]"], "Next prompt", "next prompt"),
        bind(
            A::PreviousPrompt,
            &["["],
            "Prompt before; R goes back there, F forks",
            "prompt before",
        ),
        bind(A::NextError, &["}"], "Next error", "next error"),
        bind(A::PreviousError, &["{"], "Error before", "error before"),
        bind(A::NextTool, &[")"], "Next call", "next call"),
        bind(A::PreviousTool, &["("], "Call before", "call before"),
        bind(A::NextFile, &["J"], "Next call on a file", "next file"),
        bind(A::PreviousFile, &["K"], "Call on a file before", "file before"),
        bind(A::Search, &["/"], "Search in it", "search"),
        bind(A::NextMatch, &["n"], "Next place with the words", "next place"),
        bind(A::PreviousMatch, &["N"], "Place with the words before", "place before"),
        bind(A::Copy, &["y"], "Copy what is selected; of a call what it did", "copy"),
        bind(
            A::CopyTurn,
            &["Y"],
            "Copy its turn; of a call what came back",
            "copy turn",
        ),
        bind(
            A::CopyCode,
            &["c"],
            "Copy the code in sight; again, the next",
            "copy code",
        ),
        bind(A::ScrollRight, &[">"], "Scroll wide code to the right", "right"),
        bind(A::ScrollLeft, &["<"], "Scroll wide code back", "left"),
        bind(
            A::Thoughts,
            &["v"],
            "Thinking: its first line, all of it, none",
            "thinking",
        ),
        bind(
            A::Moment,
            &["m"],
            "The terminal as it was then, and back",
            "terminal then",
        ),
        bind(A::Times, &["@"], "Show or hide times", "times"),
        bind(A::Down, &["down"], "A row down", "down"),
        bind(A::Up, &["up"], "A row up", "up"),
        bind(A::PageDown, &["pagedown"], "A page down", "page down"),
        bind(A::PageUp, &["pageup"], "A page up", "page up"),
        bind(A::First, &["g", "home"], "The first words", "first"),
        bind(A::Last, &["G", "end"], "The newest, and follow it", "newest"),
        bind(A::Refresh, &["r"], "Read again", "again"),
        bind(A::Close, &["esc", "left"], "Back to the terminal", "close"),
    ]
};
