//! What is written down of a chat as it goes on.

use crate::model::chat::Pending;
use crate::model::inbox::InboxMessage;
use crate::model::inbox::Which;
use crate::model::{ChatId, Mark, Reported};

/// What is written into a chat's transcript, its prompts and its inbox. One writer does all of it, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalWork {
    /// The mark says how far a CLI's own transcript was read for this.
    Append(ChatId, Vec<Reported>, Option<Mark>),
    /// The prompts that the agent has not got yet.
    Prompts(ChatId, Vec<Pending>),
    Inbox(ChatId, InboxJob),
}

/// What is to be done with the messages of a chat.
#[derive(Clone, Debug, PartialEq)]
pub enum InboxJob {
    /// A message came.
    Take(InboxMessage),
    /// These were read.
    Read(Vec<String>),
    /// The agent reads its inbox, but for these, which it gets as prompts.
    Tell(Which, Vec<String>),
    /// `inbox.json` may have been changed by others, or a new agent is to get what is unread.
    Look,
}
