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
    Copy,
    Thoughts,
    Times,
    Refresh,
    Close,
}

pub const TABLE: [KeyLine<TranscriptAction>; 16] = {
    use TranscriptAction as A;
    [
        bind(A::Open, &["space", "right"], "Open or close what is selected", "open"),
        bind(A::Next, &["j"], "Select what is next", "next"),
        bind(A::Previous, &["k"], "Select what is before", "before"),
        bind(A::Down, &["down"], "A row down", "down"),
        bind(A::Up, &["up"], "A row up", "up"),
        bind(A::PageDown, &["pagedown"], "A page down", "page down"),
        bind(A::PageUp, &["pageup"], "A page up", "page up"),
        bind(A::First, &["g", "home"], "The first words", "first"),
        bind(A::Last, &["G", "end"], "The newest, and follow it", "newest"),
        bind(A::NextPrompt, &["]"], "Next prompt", "next prompt"),
        bind(A::PreviousPrompt, &["["], "Prompt before", "prompt before"),
        bind(A::Copy, &["y"], "Copy what is selected", "copy"),
        bind(
            A::Thoughts,
            &["v"],
            "Thinking: its first line, all of it, none",
            "thinking",
        ),
        bind(A::Times, &["@"], "Show or hide times", "times"),
        bind(A::Refresh, &["r"], "Read again", "again"),
        bind(A::Close, &["esc", "left"], "Back to the terminal", "close"),
    ]
};
