//! What workers do with a chat as a whole.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::model::atom::Who;
use crate::model::chat::ListMark;
use crate::model::chat_change::ChatChange;
use crate::model::preferences::{LeftScreen, ListLook};
use crate::model::query::Binding;
use crate::model::request::NewChat;
use crate::model::review::Point;
use crate::model::todo::TodoChange;
use crate::model::{Chat, ChatId, Handle, Losses, PermissionProfile, Problem, ScheduleId, Timestamp};

/// Work on a chat as a whole: it is made, renamed, deleted.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatWork {
    Create(NewRecord),
    /// Makes a chat of another one, with its projects and, where its CLI can, its conversation.
    Duplicate {
        from: ChatId,
        /// A fork: all of it as it was then.
        at: Option<Point>,
        new: NewRecord,
        env: BTreeMap<String, String>,
    },
    /// Makes the demo's sample repository, where it is not there yet.
    Sample,
    Rename {
        chat: ChatId,
        name: String,
    },
    /// Names a chat after its first prompt; its handle stays.
    Name {
        chat: ChatId,
        name: String,
    },
    Mark {
        chat: ChatId,
        mark: ListMark,
        on: bool,
        at: Timestamp,
    },
    /// How its agent runs.
    Set {
        chat: ChatId,
        changes: Vec<ChatChange>,
    },
    /// Remembers how chats are listed.
    KeepLook(ListLook),
    /// Remembers what a person left.
    KeepLeft(LeftScreen),
    /// Remembers that the tour was begun.
    TourSeen,
    /// Makes sure that a chat can go to the trash, before anything is ended for it.
    ReadyTrash(ChatId),
    Trash(ChatId),
    /// A chat that was not made whole and whose agent never ran: nothing of it stays.
    Discard(ChatId),
    /// Its folders are gone already.
    Forget(ChatId),
    /// Makes the directory of a chat again after it vanished.
    Recreate(ChatId),
    Losses(ChatId),
    /// Writes down what a person has written for its agent and not sent.
    Draft {
        chat: ChatId,
        text: String,
        /// Only where this is what is written down: what a person typed meanwhile may be on its way there.
        instead_of: Option<String>,
    },
    /// Changes its list of todos, and whether they come first.
    Todos {
        chat: ChatId,
        changes: Vec<TodoChange>,
        first: Option<bool>,
    },
    /// Which chat a directory has.
    Bind(Binding),
}

impl ChatWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            ChatWork::Create(_)
            | ChatWork::Duplicate { .. }
            | ChatWork::Sample
            | ChatWork::Rename { .. }
            | ChatWork::Name { .. }
            | ChatWork::Mark { .. }
            | ChatWork::Set { .. }
            | ChatWork::KeepLook(_)
            | ChatWork::KeepLeft(_)
            | ChatWork::TourSeen
            | ChatWork::ReadyTrash(_)
            | ChatWork::Trash(_)
            | ChatWork::Discard(_)
            | ChatWork::Forget(_)
            | ChatWork::Recreate(_)
            | ChatWork::Draft { .. }
            | ChatWork::Todos { .. }
            | ChatWork::Bind(_) => true,
            ChatWork::Losses(_) => false,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ChatDone {
    /// The chat as it now is on disk.
    Loaded(Box<Chat>),
    /// A chat was made of another one; in words, what came along and what did not.
    Duplicated {
        chat: Box<Chat>,
        notes: Vec<String>,
    },
    /// Chats are listed like this from now on.
    LookKept(ListLook),
    LeftKept,
    TourSeen,
    /// Nothing is held open any more of a chat that is gone.
    Forgotten,
    /// The sample repository is at this path.
    Sampled(String),
    /// The trash has a place for the chat.
    ReadyToTrash,
    /// A chat is in the trash; in words, what of its archive scripts went wrong.
    Removed(ChatId, Vec<String>),
    /// What deleting a chat would lose, one line each.
    Losses(Losses),
    /// It is written down which chat a directory has: this one, or none.
    Bound(Option<ChatId>),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatThen {
    /// It is the answer.
    Answer,
    /// A chat was made: open its directories, start its agent, send its first prompt.
    SetUp(Box<NewChat>),
    /// Its directories are open, and one is bound to it: start its agent.
    BindNew(ChatId, Box<NewChat>),
    /// An agent's call makes this chat.
    Dispatch(ChatId),
    /// Nobody wants the chat any more that was being made.
    GiveUp,
    /// The sample repository is there: make this chat on it.
    Demo(Box<NewChat>),
    /// A duplicate was made: start its agent in this environment.
    StartDuplicate(BTreeMap<String, String>),
    /// It is what a dialog of a person waits for.
    Changed,
    /// Nobody asked for it: its first prompt names this chat.
    Named(ChatId),
    /// New screens list chats so.
    LookKept,
    LeftKept,
    TourSeen,
    Forgotten,
    Drafted,
    /// The list of todos is the answer.
    AnswerTodos,
    /// The list of todos is what the dialog of a person waits for.
    TodosChanged,
    /// The trash has a place for this chat, and its agent can be ended.
    Delete(ChatId),
    /// Nothing is left of a chat that could not be made: why is the answer.
    Unmade(Problem),
    /// What deleting would lose is shown in the dialog that asks whether to delete it.
    ShowLosses(ChatId),
    /// It is the reason for refusing a shell that did not say `--yes`.
    Refuse(ChatId),
    /// It is compared with what a person agreed to lose: the chat is deleted, unless there is more.
    Recheck(ChatId),
}

/// Which agent CLI a new chat runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    Named(String),
    /// That of its role, else this one.
    Usual(String),
    /// That of its role, else the first that is installed, else the demo.
    Installed,
}

/// What a new chat is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRecord {
    pub id: ChatId,
    /// Who wants it: an agent gets no shell.
    pub by: Who,
    pub name: String,
    pub handle: Handle,
    pub llm: Choice,
    pub role: Option<String>,
    /// The environment of whoever makes it, by whose PATH a chat is not made whose agent CLI is not there. Where that is
    /// not known, it is not looked at.
    pub env: BTreeMap<String, String>,
    /// Where it is to work, by path or by name: roles that a repository has of its own are looked for there.
    pub around: Vec<PathBuf>,
    pub parent: Option<ChatId>,
    /// How many directories are opened in it before its agent starts.
    pub to_open: usize,
    /// Whose run it is.
    pub schedule: Option<ScheduleId>,
    pub disabled_servers: Vec<String>,
    /// What its agent does unasked.
    pub permissions: PermissionProfile,
    /// What its agent is to get first, and its sender's own name for it.
    pub prompt: Option<String>,
    pub prompt_id: String,
    /// Somebody waits for the answer: neither the demo's script stands in for it, nor is it a CLI that nobody can ask, and
    /// no key has to lead to it.
    pub wants_answer: bool,
}
