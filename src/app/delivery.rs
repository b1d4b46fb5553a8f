//! Prompts on their way into an agent's composer.

use std::collections::VecDeque;

use crate::model::entry::From;
use crate::model::{CallId, Timestamp};

/// What waits to be typed, and the prompt that is being typed now.
#[derive(Default)]
pub struct Outbox {
    pub queue: VecDeque<Letter>,
    pub typing: Option<Typing>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub text: String,
    pub from: From,
    /// Waits for the turn's end instead of steering.
    pub follow_up: bool,
    /// Answered when the agent has the prompt.
    pub call: Option<CallId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typing {
    pub letter: Letter,
    pub stage: Stage,
    pub at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The text is pasted; Enter follows when it has settled.
    Pasted,
    /// Enter was sent so many times; evidence is awaited.
    Entered(u8),
}
