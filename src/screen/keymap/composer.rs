//! The keys of the composer below a transcript, and those by which the Transcript tab leads there.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

/// While a prompt is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "composer.")]
pub enum ComposerAction {
    Send,
    FollowUp,
    NewLine,
    Interrupt,
    Complete,
    Editor,
    Up,
    Down,
    Older,
    Newer,
    PageUp,
    PageDown,
    Leave,
}

pub const COMPOSER: [KeyLine<ComposerAction>; 13] = {
    use ComposerAction as A;
    [
        bind(A::Send, &["enter"], "Send it", "send"),
        bind(
            A::FollowUp,
            &["alt+enter"],
            "Send it when the turn ends; what waited before, in the other way",
            "follow up",
        ),
        bind(A::NewLine, &["ctrl+j", "shift+enter"], "New line", "new line"),
        bind(A::Complete, &["tab"], "Take what is offered for an `@`", "take"),
        bind(A::Editor, &["ctrl+g"], "Write it in your editor", "editor"),
        bind(
            A::Interrupt,
            &["ctrl+c"],
            "Empty the field; from an empty one, interrupt the agent's turn",
            "interrupt",
        ),
        bind(
            A::Up,
            &["up"],
            "Line above; from the first to what waits, else to the prompt before",
            "prompt before",
        ),
        bind(
            A::Down,
            &["down"],
            "Line below; in the last, the prompt after",
            "prompt after",
        ),
        bind(
            A::Older,
            &["ctrl+p"],
            "The prompt before, from any line",
            "prompt before",
        ),
        bind(A::Newer, &["ctrl+n"], "The prompt after, from any line", "prompt after"),
        bind(A::PageUp, &["pageup"], "Scroll the transcript back", "scroll back"),
        bind(A::PageDown, &["pagedown"], "Scroll the transcript forward", "scroll on"),
        bind(
            A::Leave,
            &["esc"],
            "Out of the composer; what is written stays",
            "leave",
        ),
    ]
};

/// In the Transcript tab, outside of the composer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "transcript.")]
pub enum WriteAction {
    Write,
    Retry,
}

pub const WRITE: [KeyLine<WriteAction>; 2] = {
    use WriteAction as A;
    [
        bind(A::Write, &["enter"], "Write a prompt", "write"),
        bind(A::Retry, &["."], "Send the last prompt again", "again"),
    ]
};

/// On a prompt that waits, above the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "queued.")]
pub enum QueuedAction {
    TakeBack,
    Remove,
    Turn,
    Earlier,
    Later,
    Before,
    Behind,
    Leave,
}

pub const QUEUED: [KeyLine<QueuedAction>; 8] = {
    use QueuedAction as A;
    [
        bind(
            A::TakeBack,
            &["enter"],
            "Take it back into the field, to change it",
            "take back",
        ),
        bind(A::Remove, &["x", "delete", "backspace"], "Remove it", "remove"),
        bind(
            A::Turn,
            &["space", "f"],
            "Send it at once, or when the turn ends",
            "steer or follow up",
        ),
        bind(
            A::Earlier,
            &["K", "shift+up"],
            "Send it before the one above",
            "earlier",
        ),
        bind(A::Later, &["J", "shift+down"], "Send it after the one below", "later"),
        bind(
            A::Before,
            &["k", "up"],
            "Prompt above; from the first, what was sent before",
            "above",
        ),
        bind(
            A::Behind,
            &["j", "down"],
            "Prompt below; from the last to the field",
            "below",
        ),
        bind(A::Leave, &["esc"], "Back to the field", "field"),
    ]
};
