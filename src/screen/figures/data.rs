//! What is known for the card of figures.

use crate::model::ChatId;
use crate::model::figures::ChatFigures;

use super::super::need::Need;

/// So many lines the card has at most.
pub const MOST_LINES: u16 = 3;

/// What is known of a chat, or is being looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    pub chat: ChatId,
    /// What it did then: once it does something else, they are others.
    pub need: Need,
    pub found: Option<ChatFigures>,
    /// Some were found, of this chat or one before: from then on the card stays, whoever moves through the list.
    pub is_shown: bool,
    /// Lines that it had when its chat's figures were known last.
    pub lines: u16,
}
