//! What is written down of a chat as it goes on.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::agent::work::Arrival;
use crate::domain::requester::Requester;
use crate::domain::team::state::Post;
use crate::model::chat::Pending;
use crate::model::inbox::{InboxMessage, Which};
use crate::model::{CallId, Chat, ChatId, Entry, HookAnswer, Mark, Problem, Reported};

/// What is written into a chat's transcript, its prompts and its inbox. One writer does all of it, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalWork {
    /// The mark says how far a CLI's own transcript was read for this.
    Append(ChatId, Vec<Reported>, Option<Mark>),
    /// The prompts that the agent has not got yet, and the keys of those that a person removed.
    Prompts(ChatId, Vec<Pending>, Vec<String>),
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

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum JournalDone {
    Appended(ChatId, Vec<Entry>),
    /// As a failure, of one more entry of a transcript that cannot be written now, which was said before.
    Unwritten(Problem),
    /// The prompts are written down.
    Kept(Box<Chat>),
    /// A message is safe in the inbox of this chat.
    Posted(ChatId, InboxMessage),
    MarkedRead,
    /// An agent reads these; there may be more.
    Inbox {
        chat: ChatId,
        messages: Vec<InboxMessage>,
        more: bool,
    },
    /// All that is unread, and why `inbox.json` could not be read.
    Unread {
        chat: ChatId,
        messages: Vec<InboxMessage>,
        broken: Option<String>,
    },
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalThen {
    Nothing,
    /// Entries were appended for a hook, which is answered with this.
    HookAnswered(HookAnswer),
    /// Entries were appended for a hook, which is answered with what the project says that the agent came into.
    Instruct(Arrival),
    /// A person's answer to this question is recorded; the hook that waits for it is answered with that.
    Decided(ChatId, String, Option<(CallId, HookAnswer)>),
    /// Whoever had it written is answered with this.
    Told(Value),
    /// Of what was appended together: each is told.
    Each(Vec<(Requester, JournalThen)>),
    /// The prompts of a chat were written down for the time of this number.
    Kept(ChatId, u64),
    /// As [`JournalThen::Kept`], of a chat whose agent is not known; with the prompts as they were before.
    Requeued(ChatId, Vec<Pending>),
    /// A message is safe in an inbox: on with it to the agent.
    Posted(Box<Post>),
    /// The inbox says that this message was read.
    MarkedRead(String),
    /// The messages are the answer.
    Answer,
}
