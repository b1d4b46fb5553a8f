//! What goes on among chats: what is being made, posted, waited for and stopped.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::domain::requester::Requester;
use crate::model::atom::AtomKey;
use crate::model::chat::Pending;
use crate::model::open_dir::OpenDir;
use crate::model::request::Until;
use crate::model::tool::Dispatch;
use crate::model::{CallId, ChatId, Problem, Timestamp};

/// What trees of chats do at this moment.
#[derive(Default)]
pub struct Teams {
    /// Chats that agents make, and answers that their callers have yet to fetch.
    pub dispatches: Vec<Dispatching>,
    /// By root, when its tree made chats within the last minute.
    pub spawned: Vec<(ChatId, Timestamp)>,
    /// Limits that a chat's agent was refused by, and a person was told of.
    pub refused: BTreeSet<(ChatId, String)>,
    /// Agents that wait for others.
    pub gatherings: Vec<Gathering>,
    /// Trees whose agents are being ended.
    pub stopping: Vec<Stopping>,
}

/// What is known of inboxes beside what is on disk.
#[derive(Default)]
pub struct KnownInboxes {
    /// Messages that an agent has got, until the inbox says so too.
    pub read: BTreeSet<String>,
    /// What each chat's `inbox.json` looked like when it was last read.
    pub stamps: BTreeMap<ChatId, u64>,
    /// What is unread of chats whose agents do not run, as they are to get it.
    pub waiting: BTreeMap<ChatId, Vec<Pending>>,
    /// Why an `inbox.json` cannot be read, as it was said.
    pub broken: BTreeMap<ChatId, String>,
}

/// A chat that is being made, or that was made while its caller had given up waiting.
pub struct Dispatching {
    pub chat: ChatId,
    pub parent: ChatId,
    pub(in crate::domain::team) asked: Dispatch,
    pub(in crate::domain::team) call: CallId,
    /// The caller was told to call again, and has not yet.
    pub(in crate::domain::team) unheard: bool,
    /// The tree was stopped: it goes no further.
    pub(in crate::domain::team) stopped: bool,
    pub(in crate::domain::team) atom: Option<AtomKey>,
    pub(in crate::domain::team) open: Option<OpenDir>,
    pub(in crate::domain::team) notes: Vec<String>,
    pub(in crate::domain::team) branch: Option<String>,
    pub(in crate::domain::team) ended: Option<(Timestamp, Result<Value, Problem>)>,
}

impl Teams {
    /// The moments from which deadlines are counted.
    pub(in crate::domain) fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        let Teams {
            dispatches,
            spawned,
            refused: _,
            gatherings,
            stopping,
        } = self;
        for tree in stopping {
            let Stopping {
                requester: _,
                root: _,
                left: _,
                stopped: _,
            } = tree;
        }
        let ended = dispatches.iter_mut().filter_map(|dispatching| {
            let Dispatching {
                chat: _,
                parent: _,
                asked: _,
                call: _,
                unheard: _,
                stopped: _,
                atom: _,
                open: _,
                notes: _,
                branch: _,
                ended,
            } = dispatching;
            ended.as_mut().map(|(at, _)| at)
        });
        let due = gatherings.iter_mut().filter_map(|gathering| {
            let Gathering {
                call: _,
                caller: _,
                chats: _,
                until: _,
                due,
                told: _,
                left: _,
            } = gathering;
            due.as_mut()
        });
        let spawned = spawned.iter_mut().map(|(_, at)| at);
        ended.chain(due).chain(spawned)
    }
}

impl Teams {
    /// The chats for which the agent of this one waits.
    pub fn awaited_by(&self, chat: &ChatId) -> impl Iterator<Item = &ChatId> {
        let own = self
            .gatherings
            .iter()
            .filter(move |gathering| &gathering.caller == chat);
        own.flat_map(|gathering| &gathering.left)
    }
}

impl Dispatching {
    pub fn is_under_way(&self) -> bool {
        self.ended.is_none()
    }
}

/// What is known of a message beside what is kept of it, until it is safe on disk.
#[derive(Clone, Debug, PartialEq)]
pub struct Post {
    /// What an agent that has exited is started with.
    pub(in crate::domain::team) env: BTreeMap<String, String>,
    pub(in crate::domain::team) follow_up: bool,
    /// `parlour send`, which hears when the agent has it, and whether it waits for that.
    pub(in crate::domain::team) call: Option<CallId>,
    pub(in crate::domain::team) patient: bool,
    /// When it was sent. The message of that id may be an earlier one: then it was sent before.
    pub(in crate::domain::team) at: Timestamp,
}

/// What of a graph is the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphAnswer {
    List { molecule: Option<String>, ready_only: bool },
    Added(Vec<AtomKey>),
    One(AtomKey),
}

/// What is being put together from a chat's last words, and from its screen where it has none.
#[derive(Clone, Debug, PartialEq)]
pub enum Telling {
    Status(ChatId),
    Parent(ChatId, usize),
}

/// A tree that is being stopped, until the last of its agents has ended.
pub struct Stopping {
    pub(in crate::domain::team) requester: Requester,
    pub(in crate::domain::team) root: ChatId,
    pub(in crate::domain::team) left: BTreeSet<ChatId>,
    /// Those that ran or were being made, the topmost first.
    pub(in crate::domain::team) stopped: Vec<ChatId>,
}

pub struct Gathering {
    pub call: CallId,
    /// Who waits.
    pub(in crate::domain::team) caller: ChatId,
    pub(in crate::domain::team) chats: Vec<ChatId>,
    pub(in crate::domain::team) until: Until,
    pub(in crate::domain::team) due: Option<Timestamp>,
    /// How many had come to it when that was last told.
    pub(in crate::domain::team) told: Option<usize>,
    /// Those that have not come to it yet.
    pub(in crate::domain::team) left: Vec<ChatId>,
}

/// How long an agent of a tree may take to end after TERM: the whole tree is to be still within two seconds.
pub(in crate::domain) const GRACE_MS: u64 = 1_200;

impl Stopping {
    /// How long the agent of this chat may take to end, if its tree is being stopped.
    pub fn grace_ms(all: &[Stopping], chat: &ChatId) -> Option<u64> {
        all.iter().any(|tree| tree.left.contains(chat)).then_some(GRACE_MS)
    }
}
