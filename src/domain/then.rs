//! What follows when a piece of work is done.

use std::collections::BTreeMap;

use crate::model::request::NewChat;
use crate::model::{ChatId, HookAnswer, Problem};

use super::agent::work::Arrival;
use super::approval::work::ApprovalThen;
use super::keep::work::KeepThen;
use super::read::work::ReadThen;
use super::requester::Requester;
use super::review::work::ReviewThen;
use super::schedule::work::ScheduleThen;
use super::script::work::ScriptThen;
use super::server::work::ServerThen;
use super::team::state::{DispatchStep, GraphAnswer, Post};
use super::trash::work::TrashThen;

pub struct Waiting {
    pub requester: Requester,
    pub then: Then,
}

/// What follows when a piece of work is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Then {
    /// The outcome is the answer.
    Answer,
    /// A chat was made: open its directories, start its agent, send its first prompt.
    Furnish(Box<NewChat>),
    /// A directory was opened for a chat being made, or its atom claimed; these are still to open.
    Continue(ChatId, Box<NewChat>),
    /// Nothing is left of a chat that could not be made: why is the answer.
    Unmade(Problem),
    /// Nobody wants it any more: that it failed is no news.
    GivenUp,
    /// Nobody wants the chat any more that was being made.
    Discard(Option<ChatId>),
    /// The sample repository is there: make this chat on it.
    Demo(Box<NewChat>),
    /// A duplicate was made: start its agent in this environment.
    StartDuplicate(BTreeMap<String, String>),
    /// An agent was started.
    Started(ChatId),
    /// The agent of a new chat was started.
    StartedFirst(ChatId),
    /// The agent of a duplicate was started; this is said of what came along.
    StartedDuplicate(ChatId, Vec<String>),
    /// A chat that an agent makes has come so far.
    Dispatch(ChatId, DispatchStep),
    /// A message is safe in an inbox: on with it to the agent.
    Posted(Box<Post>),
    /// The inbox says that this message was read.
    MarkedRead(String),
    /// What an agent says of itself is written.
    Declared,
    /// Entries were appended for a hook, which is answered with this.
    HookAnswered(HookAnswer),
    /// Entries were appended for a hook, which is answered with what the project says that the agent came into.
    Instruct(Arrival),
    /// Of what was appended together: each is told.
    Each(Vec<(Requester, Then)>),
    /// The trash has a place for this chat, and its agent can be ended.
    Delete(ChatId),
    /// What deleting would lose was found out: refuse with it, for a shell without `--yes`.
    Refuse(ChatId),
    /// What a person agreed to lose with a chat was looked at again: delete it, unless there is more.
    Recheck(ChatId),
    /// A chat has another name.
    Renamed,
    /// Losses for the dialog that asks whether to delete it.
    ShowLosses(ChatId),
    /// The prompts of a chat were written down for the time of this number.
    Kept(ChatId, u64),
    /// A work graph was read or changed: this of it is the answer.
    Atoms(GraphAnswer),
    /// An atom was written for the dialog of a person.
    AtomSaved,
    Nothing,
    Trash(TrashThen),
    Review(ReviewThen),
    Keep(KeepThen),
    Schedule(ScheduleThen),
    Script(ScriptThen),
    Approval(ApprovalThen),
    Server(ServerThen),
    Read(ReadThen),
}
