//! A chat: one line of work with one agent CLI, kept in its own folder.
//!
//! [`Record`] is what is stored and cannot be derived (`records/{id}/chat.json`); [`Chat`] is the whole
//! as the store loads it, derived parts included.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use super::pending::{DeliveredKey, Pending};

use super::area::Area;
use super::area::AreaMode;
use super::atom::Graph;
use super::remark::Reviewing;
use super::role::ORCHESTRATOR;
use super::server::Server;
use super::settings::Settings;
use super::talk::TalkOrigin;
use super::todo::Todos;
use super::tool::ADD_REMARK;
use super::{ChatId, Handle, PermissionProfile, ProjectServer, Role, Sandbox, Status, Timestamp, server};

/// What a chat is called until it has a prompt or a person names it.
pub const UNNAMED: &str = "New chat";

/// `chat.json`. Unknown keys of a newer version are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub v: u32,
    pub id: ChatId,
    pub name: String,
    pub handle: Handle,
    /// Which agent CLI: `claude`, `shell`, `demo`, or a custom one's name.
    pub llm: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    pub created: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<ChatId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
    /// The agent CLI's own session ids, the current one last; an empty one: it begins anew. Written before use, never
    /// cleared.
    #[serde(default)]
    pub sessions: Vec<String>,
    #[serde(flatten)]
    pub origin: TalkOrigin,
    #[serde(default)]
    pub dirs: Vec<Directory>,
    /// How many directories were to be opened before its first start.
    #[serde(default, skip_serializing_if = "is_none")]
    pub to_open: usize,
    /// What its agent does without: servers of the settings, and parlour's own tools as `parlour/TOOL`.
    #[serde(default)]
    pub disabled_servers: Vec<String>,
    #[serde(flatten)]
    pub set: ChatSettings,
    /// Prompts that were taken in and that the agent has not got yet, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompts: Vec<Pending>,
    /// The keys of prompts that the agent has got, the newest last: sending one of them again is no second prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub delivered: Vec<DeliveredKey>,
    /// The first of the chat's own block of ports. Chosen when something of the chat is first started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// What it was made to review. With it, its agent is offered the tool for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviews: Option<Reviewing>,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What a person has set for one chat: a part of its record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChatSettings {
    /// Servers of its clones that a person agreed to, each as it was then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agreed_servers: Vec<ProjectServer>,
    /// While a todo is open, its agent cannot declare the work done, and nothing is pushed or made a pull request of.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub todos_first: bool,
    /// What its agent does unasked.
    #[serde(default, skip_serializing_if = "PermissionProfile::is_ask")]
    pub permissions: PermissionProfile,
    /// The model that its agent is started with, whatever its role says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// It stands above all others in every list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// It stands in no list by itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// When it was archived: what was archived last comes back first. What was in one go has one time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<Timestamp>,
    /// It was asked from a shell: no key leads to it unless it is pinned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unnumbered: bool,
    /// What a person wrote for its agent and has not sent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub draft: String,
}

/// What a person marks a chat as, for lists of chats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListMark {
    Pinned,
    Archived,
}

impl ChatSettings {
    pub fn is_marked(&self, mark: ListMark) -> bool {
        match mark {
            ListMark::Pinned => self.pinned,
            ListMark::Archived => self.archived,
        }
    }

    pub fn mark(&mut self, mark: ListMark, on: bool, at: Timestamp) {
        match mark {
            ListMark::Pinned => self.pinned = on,
            ListMark::Archived => (self.archived, self.archived_at) = (on, on.then_some(at)),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

impl Record {
    /// The version of `chat.json` that this parlour writes.
    pub const VERSION: u32 = 1;

    /// Nobody has named it, nor has a prompt.
    pub fn is_unnamed(&self) -> bool {
        self.name == UNNAMED
    }

    /// Its handle is what its name alone makes: a namesake that is made later gets a number behind it.
    pub fn handle_is_name(&self) -> bool {
        Handle::from_name(&self.name).as_ref() == Some(&self.handle)
    }

    /// The handles that it answers to, the one that it has first.
    pub fn handles(&self) -> impl Iterator<Item = &Handle> {
        let origin = &self.origin;
        let earlier = origin.before_renaming.iter().chain(&origin.formerly);
        std::iter::once(&self.handle).chain(earlier)
    }

    /// Of a chat in which nothing has happened yet.
    pub fn new(id: ChatId, (name, handle): (impl Into<String>, Handle), llm: &str, created: Timestamp) -> Record {
        Record {
            v: Record::VERSION,
            id,
            name: name.into(),
            handle,
            llm: llm.into(),
            role: None,
            created,
            parent: None,
            schedule: None,
            sessions: Vec::new(),
            origin: TalkOrigin::default(),
            dirs: Vec::new(),
            to_open: 0,
            disabled_servers: Vec::new(),
            set: ChatSettings::default(),
            prompts: Vec::new(),
            delivered: Vec::new(),
            port: None,
            reviews: None,
            other: Map::new(),
        }
    }

    /// The agent CLI's current session id.
    pub fn session(&self) -> Option<&str> {
        let last = self.sessions.last().map(String::as_str);
        last.filter(|session| !session.is_empty())
    }

    /// Until when its session's own transcript tells what was said in another session, of another chat or before it went
    /// back.
    pub fn told_elsewhere(&self) -> Option<Timestamp> {
        let forked = self.origin.forked.as_ref().map(|_| self.created);
        self.origin.went_back.since.or(forked)
    }

    /// The chat below which it stands: the one that dispatched it, else the one that it was forked from.
    pub fn stands_below(&self) -> Option<&ChatId> {
        let forked_from = || self.origin.of.as_ref().map(|of| &of.chat);
        self.parent.as_ref().or_else(forked_from)
    }

    /// Whether its agent is offered this tool of parlour's own, as far as the chat is concerned.
    pub fn has_tool(&self, tool: &str) -> bool {
        self.lacks_tool(tool).is_none()
    }

    /// Why it is not offered.
    pub fn lacks_tool(&self, tool: &str) -> Option<&'static str> {
        let is_off = || self.disabled_servers.contains(&server::own_tool(tool));
        match self.needs_tool(tool) {
            false => Some("it is for a chat that reviews the work of another one"),
            true => is_off().then_some("a person switched it off for this chat"),
        }
    }

    /// Whether a tool of parlour's own is of use in it. A reviewer alone has findings to tell.
    pub fn needs_tool(&self, tool: &str) -> bool {
        self.reviews.is_some() || tool != ADD_REMARK
    }

    /// The engine was ended while it was made: it lacks what it is to work on, and nothing of it was ever started.
    pub fn is_unfinished(&self) -> bool {
        self.dirs.len() < self.to_open && self.port.is_none()
    }

    /// Notes which prompts the agent has not got yet. Those that are no longer among them it has.
    /// Those that somebody removed it never gets: they may be sent again.
    pub fn keep(&mut self, prompts: Vec<Pending>, removed: &[String]) {
        let has = |key: &String| prompts.iter().any(|prompt| prompt.key == *key) || removed.contains(key);
        let gone = self
            .prompts
            .iter()
            .filter(|prompt| !prompt.key.is_empty() && !has(&prompt.key));
        let gone: Vec<DeliveredKey> = gone.map(DeliveredKey::of).collect();
        self.delivered.extend(gone);
        let old = self.delivered.len().saturating_sub(REMEMBERED);
        self.delivered.drain(..old);
        self.prompts = prompts;
    }

    /// The key under which the agent has got this prompt, or another.
    pub fn delivered_as(&self, prompt: &Pending) -> Option<&DeliveredKey> {
        let is_its = |known: &&DeliveredKey| !prompt.key.is_empty() && known.key == prompt.key;
        self.delivered.iter().find(is_its)
    }

    /// What may go along with a start, among its arguments. What was typed once its agent may have already.
    pub fn first_prompt(&self) -> Option<&Pending> {
        let first = self.prompts.first();
        first.filter(|prompt| !prompt.begun && !prompt.command && prompt.not_before.is_none())
    }
}

/// Keys of delivered prompts that are kept: far more than are sent while somebody tries again.
const REMEMBERED: usize = 64;

/// Why an agent exited that was never told to have ended: the end of the engine ended it.
pub const ENGINE_STOPPED: &str = "engine stopped";

/// Why an agent exited that was told to.
pub const STOPPED: &str = "stopped";

/// A directory opened in a chat, as recorded: `projects/{name}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directory {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    pub mode: AreaMode,
    pub kind: Kind,
    /// Where it came from, credentials stripped: a URL or an absolute path.
    pub origin: String,
    /// One for every spelling of the same origin: what saved setup files belong to. Absent for a link.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The part of the repository that was asked for, where that was not its root.
    #[serde(with = "super::path_text::option", default, skip_serializing_if = "Option::is_none")]
    pub subdir: Option<PathBuf>,
    /// An agent linked it, and no person said anything of it: each write is asked about, and reading is up to its CLI.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
}

impl Directory {
    /// What tells its project from others: setup files, scripts and approvals belong to it.
    pub fn identity(&self) -> &str {
        self.key.as_deref().unwrap_or(&self.origin)
    }

    /// The checkout on this machine that it was cloned from.
    pub fn source(&self) -> Option<&Path> {
        self.key.as_deref()?.strip_prefix("local:").map(Path::new)
    }

    /// Where it lies for the gate: in the chat's `projects`, and where it is a link, where that leads.
    pub fn area(&self, projects: &Path) -> Area {
        let own = projects.join(&self.name);
        let paths = match self.kind {
            Kind::Git => vec![own],
            Kind::Local => vec![own, PathBuf::from(&self.origin)],
        };
        Area {
            name: self.name.clone(),
            mode: self.mode,
            asks: self.asks,
            cloned: self.kind == Kind::Git,
            paths,
        }
    }

    /// What holds an agent to its mode. A sandbox holds where it may write, and a clone lies within the chat.
    pub fn kept_by(&self, sandbox: &Sandbox) -> Vec<&'static str> {
        match (self.mode, self.kind, sandbox) {
            (AreaMode::Rw, Kind::Git | Kind::Local, _) => Vec::new(),
            (AreaMode::Ro, Kind::Git, _) => vec!["gate", "mode bits"],
            (AreaMode::Ro, Kind::Local, Sandbox::InForce) => vec!["gate", "kernel"],
            (AreaMode::Ro, Kind::Local, Sandbox::NotAsked | Sandbox::Missing { .. }) => vec!["gate"],
        }
    }
}

/// `Git` is a clone of its own; `Local` is a link to a directory that is no repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(description = "")]
pub enum Kind {
    Git,
    Local,
}

/// What a chat has open, as shown and listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    pub name: String,
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    pub branch: Option<String>,
    /// Where a clone stands; `None` where that cannot be told, or where it has no commit yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// What git waits for the end of in it, such as `rebasing main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way: Option<String>,
    pub kind: Kind,
    pub mode: AreaMode,
}

/// What an agent says of itself in `status.json`: active, ready, blocked or done, with a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    pub status: String,
    #[serde(default)]
    pub note: String,
}

impl Declared {
    /// What stands there before the agent says anything: an orchestrator waits for work, all others have theirs.
    pub fn at_first(role: Option<&str>) -> Declared {
        let status = match role {
            Some(ORCHESTRATOR) => "ready",
            Some(_) | None => "active",
        };
        Declared {
            status: status.into(),
            note: String::new(),
        }
    }

    /// In words, if the agent says that it cannot go on.
    pub fn blocked(&self) -> Option<String> {
        (self.status == "blocked").then(|| match self.note.as_str() {
            "" => "blocked".into(),
            note => format!("blocked: {note}"),
        })
    }
}

/// Whether the chat's directory is still where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DirectoryPlace {
    Here,
    Gone,
}

/// A chat whole, as the store loads it from its record and its directory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chat {
    pub record: Record,
    /// How many changes of records the engine had made when this one was read: of two that were read, the one with more
    /// of them is newer.
    #[serde(default)]
    pub changes: u64,
    /// What its role says, as it was when the chat was made.
    pub role: Option<Role>,
    pub place: DirectoryPlace,
    pub projects: Vec<Project>,
    pub declared: Option<Declared>,
    /// The work graph that lies in its directory: that of its tree, where it is the root.
    pub work: Option<Graph>,
    /// The last words of the transcript, one line, for the sidebar.
    pub preview: String,
    /// When something was last said or done in it; its creation where nothing was.
    pub updated: Timestamp,
    /// The number of the last whole line of `events.jsonl`, 0 where there is none.
    pub seq: u64,
    /// What the transcript says of the agent's last known end, to be shown after a restart of the engine: exited or
    /// hibernated.
    pub ended: Option<Status>,
    /// The end of its agent's process, or of the engine, cut a turn off, and none has begun since. Of an agent that runs it
    /// says that a turn goes on.
    pub interrupted: bool,
    /// What failed in its agent's last turn, all of it or the last command, as the transcript says: for when no agent is
    /// known.
    #[serde(default)]
    pub failed: Option<String>,
    /// A transcript line or file that could not be read, in words.
    pub damage: Option<String>,
    /// What tells one state of its `inbox.json` from another; 0 where there is none.
    pub inbox: u64,
    /// What its `todos.md` lists.
    #[serde(default)]
    pub todos: Todos,
    /// Why its record cannot be read, in words: the record here then only stands in for it, under the same id.
    pub unreadable: Option<String>,
}

impl Record {
    /// The servers of `config.json` that it has not left out.
    pub fn servers<'s>(&'s self, settings: &'s Settings) -> impl Iterator<Item = (&'s str, &'s Server)> {
        let is_on = |name: &str| !self.disabled_servers.iter().any(|off| off == name);
        let all = settings
            .global_mcp_servers
            .iter()
            .map(|(name, server)| (name.as_str(), server));
        all.filter(move |(name, _)| is_on(name))
    }
}

impl Chat {
    pub fn id(&self) -> &ChatId {
        &self.record.id
    }

    /// The agent CLI's current session id.
    pub fn session(&self) -> Option<&str> {
        self.record.session()
    }

    /// What its record has and `projects/` has not, or not any more. With its own directory all of them are gone.
    pub fn gone_projects(&self) -> impl Iterator<Item = &Directory> {
        let is_gone = |directory: &&Directory| {
            self.place == DirectoryPlace::Here && self.projects.iter().all(|project| project.name != directory.name)
        };
        self.record.dirs.iter().filter(is_gone)
    }

    /// What runs in it is a person's own shell.
    pub fn is_shell(&self) -> bool {
        self.record.llm == "shell"
    }

    /// What a person calls what runs in it.
    pub fn what_runs(&self) -> &'static str {
        match self.is_shell() {
            true => "shell",
            false => "agent",
        }
    }
}
