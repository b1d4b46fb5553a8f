//! All that parlour knows at this moment, in three lifetimes: what the folders say, what lives with the
//! engine, and what each person looks at.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use crate::model::permission::Rules;
use crate::model::request::{NewChat, Until};
use crate::model::{
    Answer, CallId, Chat, ChatId, ClientId, Handle, Installed, Manners, Place, Problem, Settings, Signal, Source,
    Status, Timestamp, WorkId,
};
use crate::term::Screen;

use super::agent::AtEnd;
use super::delivery::Outbox;
use super::draft::Draft;
use super::event::{LogLine, PlaceHint, Size};
use super::hibernate::Rest;
use super::inspector::Shelves;
use super::once::Once;
use super::turn::Turn;
use super::view::View;

pub struct State {
    pub now: Timestamp,
    pub ids: Ids,
    pub disk: Disk,
    pub live: Live,
    pub views: BTreeMap<ClientId, View>,
}

/// What the folders say. Written only by what workers loaded.
#[derive(Default)]
pub struct Disk {
    pub home: PathBuf,
    pub chats: BTreeMap<ChatId, Chat>,
    pub settings: Settings,
    /// Why `config.json` as it now stands is not in force.
    pub settings_problem: Option<Problem>,
    /// What agents may do without a person; of the settings.
    pub rules: Rules,
    /// The person's own home directory: `~` in rules.
    pub person: PathBuf,
    /// Why nothing in the home is changed, where a newer parlour made it.
    pub read_only: Option<Problem>,
    /// Agent CLIs found on this machine and configured ones.
    pub agents: Vec<Installed>,
}

impl Disk {
    /// These settings are in force from now on. Rules among them that are none are said by `doctor`.
    pub fn follow(&mut self, settings: Settings) {
        (self.rules, _) = Rules::parse(&settings.permissions, &self.person);
        self.settings = settings;
    }
}

/// Gone with the engine.
#[derive(Default)]
pub struct Live {
    pub facts: Facts,
    pub agents: BTreeMap<ChatId, Agent>,
    /// What the terminals of chats on somebody's screen held last, of which no agent has run since the engine started.
    pub left: BTreeMap<ChatId, Arc<Screen>>,
    /// Work in hand: who asked, and what follows when it is done.
    pub waiting: BTreeMap<WorkId, Waiting>,
    /// `parlour wait`: answered when the chat's status meets it.
    pub waits: Vec<Wait>,
    /// `parlour events --follow`: each new entry is streamed to these.
    pub follows: Vec<(CallId, ChatId)>,
    /// Chats that came to rest and that nobody has looked at since.
    pub unseen: BTreeSet<ChatId>,
    /// Cards of the chats whose inspector is on somebody's screen.
    pub shelves: Shelves,
    /// The newest 500 lines of the engine's log.
    pub log: VecDeque<LogLine>,
}

/// What the engine is; told once at its start.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub pid: u32,
    pub started: Timestamp,
    pub version: &'static str,
    pub mcp_url: String,
    pub mcp_port: u16,
    /// Resident bytes, when last asked for.
    pub rss_bytes: u64,
}

/// One agent's process and all that is heard of it.
pub struct Agent {
    pub process: Process,
    pub manners: Option<Manners>,
    /// The newest signal of each source.
    pub signals: BTreeMap<Source, Signal>,
    pub verdict: Verdict,
    pub since: Timestamp,
    pub started: Timestamp,
    /// When its screen was last looked at: for a question before its session, or for what a shell does.
    pub looked: Timestamp,
    /// Since when its screen has shown the same, as far as it was looked at before its session.
    pub still_since: Timestamp,
    /// Something was written in its terminal, which was not looked at since, and which alone tells what it does.
    pub stirred: bool,
    pub outbox: Outbox,
    pub screen: Option<Arc<Screen>>,
    pub size: Size,
    /// The client whose pane decides the size: the last that typed.
    pub driver: Option<ClientId>,
    pub title: String,
    /// Its session has begun: what is typed is read by it, not by a dialog before it.
    pub session_began: bool,
    /// Nothing is typed before, by its hook that told of a resumed session.
    pub takes_up_until: Timestamp,
    pub mcp_connected: bool,
    /// What a person has typed into its composer since its last prompt.
    pub draft: Draft,
    pub turn: Turn,
    /// Since when a shell that worked is at its prompt, until that counts.
    pub rests_since: Option<Timestamp>,
    /// What of it stands in the transcript, or is on its way there.
    pub once: Once,
    /// What follows its end.
    pub at_end: Vec<AtEnd>,
    pub rest: Rest,
    /// What it was started with, for starting it again; in memory only.
    pub env: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Process {
    Preparing,
    Running {
        pid: u32,
    },
    /// TERM is sent; its end is awaited.
    Stopping {
        pid: u32,
    },
    /// Stopped by parlour while it rested, until it is needed.
    Asleep,
    Ended {
        why: String,
    },
}

/// A status and the reasons for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub status: Status,
    pub because: String,
}

/// Who asked for something, and so is told how it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// A shell verb, an MCP tool or a hook: answered with a reply.
    Call(CallId),
    /// A person at a screen: told by what changes there, or by a toast.
    Screen(ClientId),
    /// The engine itself.
    Nobody,
}

pub struct Waiting {
    pub asker: Asker,
    pub then: Then,
}

/// What follows when a piece of work is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Then {
    /// The outcome is the answer.
    Answer,
    /// A chat was made: open its directories, start its agent, send its first prompt.
    Furnish(Box<NewChat>),
    /// A directory was opened for a chat being made; these are still to open.
    Continue(ChatId, Box<NewChat>),
    /// The sample repository is there: make this chat on it.
    Demo(Box<NewChat>),
    /// A duplicate was made: start its agent in this environment.
    StartDuplicate(BTreeMap<String, String>),
    /// An agent was started.
    Started(ChatId),
    /// The agent of a duplicate was started; this is said of what came along.
    StartedDuplicate(ChatId, Vec<String>),
    /// Entries were appended for a hook, which is answered with this.
    HookAnswered(Answer),
    /// The trash has a place for this chat, and its agent can be ended.
    Delete(ChatId),
    /// What deleting would lose was found out: refuse with it, for a shell without `--yes`.
    Refuse(ChatId),
    /// Losses for the delete dialog of a client.
    ShowLosses(ClientId, ChatId),
    /// Hints for the field that a client types in.
    ShowPlaces(ClientId),
    /// The transcript so far was streamed: go on with what comes.
    Follow(ChatId),
    /// A prompt is on disk and waits for this.
    Kept(&'static str),
    Nothing,
}

pub struct Wait {
    pub call: CallId,
    pub chat: ChatId,
    pub until: Until,
}

/// Numbers and random bits for new names. Seeded by the engine, fixed in tests.
pub struct Ids {
    next: u64,
    random: u64,
}

impl Ids {
    pub fn new(seed: u64) -> Ids {
        Ids {
            next: 0,
            random: seed | 1,
        }
    }

    pub fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub fn work(&mut self) -> WorkId {
        WorkId(self.number())
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): names need to be spread out, not secret.
    pub fn bits(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.random;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

impl Live {
    /// What a chat's terminal shows: its agent's, or what an earlier one left.
    pub fn screen(&self, chat: &ChatId) -> Option<&Arc<Screen>> {
        match self.agents.get(chat) {
            Some(agent) => agent.screen.as_ref(),
            None => self.left.get(chat),
        }
    }
}

impl State {
    pub fn new(home: PathBuf, facts: Facts, seed: u64) -> State {
        State {
            now: facts.started,
            ids: Ids::new(seed),
            disk: Disk {
                home,
                ..Disk::default()
            },
            live: Live {
                facts,
                ..Live::default()
            },
            views: BTreeMap::new(),
        }
    }

    /// What a chat's agent is doing, with or without a process behind it.
    pub fn status(&self, chat: &ChatId) -> Status {
        match (self.live.agents.get(chat), self.disk.chats.get(chat)) {
            (Some(agent), _) if agent.is_live() => agent.verdict.status.clone(),
            (
                _,
                Some(Chat {
                    unreadable: Some(why), ..
                }),
            ) => Status::Error(why.clone()),
            (_, Some(chat)) if chat.place == Place::Gone => Status::Exited(super::chat::GONE.into()),
            (Some(agent), _) => agent.verdict.status.clone(),
            (None, Some(chat)) => chat
                .ended
                .clone()
                .unwrap_or_else(|| Status::Exited("not started".into())),
            (None, None) => Status::Unknown("no such chat".into()),
        }
    }

    /// Exact handle, exact id, or a unique beginning of at least four characters.
    pub fn find(&self, name: &str) -> Result<ChatId, Problem> {
        let chats = &self.disk.chats;
        if let Some(chat) = chats.values().find(|c| c.record.handle.as_str() == name) {
            return Ok(chat.id().clone());
        }
        if let Some(id) = ChatId::parse(name).filter(|id| chats.contains_key(id)) {
            return Ok(id);
        }
        let begins = |chat: &&Chat| {
            name.len() >= 4 && (chat.record.handle.as_str().starts_with(name) || chat.id().as_str().starts_with(name))
        };
        let doing = || format!("looking for chat {}", crate::model::text::visible(name));
        let found: Vec<&Chat> = chats.values().filter(begins).collect();
        match found.as_slice() {
            [chat] => Ok(chat.id().clone()),
            [] => Err(Problem::new(
                doing(),
                "there is no such chat",
                "`parlour list` shows all of them",
            )),
            many => {
                let names: Vec<&str> = many.iter().map(|c| c.record.handle.as_str()).collect();
                Err(Problem::new(
                    doing(),
                    format!("{} chats begin like that: {}", many.len(), names.join(", ")),
                    "give more of the name",
                ))
            }
        }
    }

    /// A handle for a new chat of this name that no other chat has.
    pub fn free_handle(&self, name: &str, id: &ChatId) -> Handle {
        let taken = |handle: &Handle| {
            self.disk
                .chats
                .values()
                .any(|c| &c.record.handle == handle && c.id() != id)
        };
        let wanted = Handle::from_name(name)
            .or_else(|| Handle::parse(id.as_str()))
            .expect("a chat id is made of characters that a handle may have");
        if !taken(&wanted) {
            return wanted;
        }
        (2..)
            .map(|number| wanted.numbered(number))
            .find(|handle| !taken(handle))
            .expect("there are more numbers than chats")
    }
}

/// Hints for a typed path, kept with the dialog that asked.
pub type Places = Vec<PlaceHint>;
