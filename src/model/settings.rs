//! What a person has set in `config.json`, as plain data. `config/file.rs` reads the file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::AgentEntry;
use super::PermissionProfile;
use super::alert::NotifySettings;
use super::keeping::CheckpointSettings;
use super::price::Prices;
use super::server::{self, Server};

/// `config.json`; each key may be absent. Unknown keys stay in the file untouched.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    pub default_llm: Option<String>,
    /// `dark`, `light`, a theme file's name, or absent: follow the terminal's background.
    pub theme: Option<String>,
    /// Nothing on the screen moves by itself.
    pub reduced_motion: bool,
    /// The screen is lines for a screen reader.
    pub reader: bool,
    /// Action name to key, `"newChat": "n"`; `"leader": "ctrl+q"`.
    pub keys: BTreeMap<String, String>,
    pub custom_llms: BTreeMap<String, AgentEntry>,
    /// MCP servers for every agent, beside parlour's own.
    #[serde(deserialize_with = "server::usable")]
    pub global_mcp_servers: BTreeMap<String, Server>,
    pub limits: Limits,
    /// What models cost, by name or beginning of it; those that are not here have the shipped ones.
    pub prices: Prices,
    pub clone: Cloning,
    pub checkpoints: CheckpointSettings,
    pub mcp: Mcp,
    pub permissions: PermissionSettings,
    pub sandbox: Confinement,
    /// Whether programs in terminals may set a person's clipboard.
    pub clipboard: ClipboardAccess,
    pub copy_on_select: CopyOnSelect,
    pub notify: NotifySettings,
    /// Chats whose agents ran when the engine stopped are started again with it.
    pub resume_on_start: bool,
    /// Consent to write trust for parlour's chats into an agent CLI's own state, by CLI: `{"claude": true}`.
    pub trust: BTreeMap<String, bool>,
}

impl Settings {
    /// In the place of settings that nobody can read: of what keeps agents in, the strictest.
    pub fn unknown() -> Settings {
        Settings {
            sandbox: Confinement::Strict,
            ..Settings::default()
        }
    }
}

/// Whether the kernel is asked to keep agents from writing outside of their chats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confinement {
    #[default]
    Off,
    Strict,
}

/// What is done when a program in a terminal sets the clipboard (OSC 52).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClipboardAccess {
    /// A person is asked, once a chat.
    #[default]
    Ask,
    Allow,
    Deny,
}

/// What is selected by the mouse is copied as its button goes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CopyOnSelect(pub bool);

impl Default for CopyOnSelect {
    fn default() -> CopyOnSelect {
        CopyOnSelect(true)
    }
}

/// Bounds on what runs at once; all are shown by `parlour status`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    pub live_agents: usize,
    /// How far below its root a chat may be that an agent makes.
    pub dispatch_depth: usize,
    /// Children of one chat whose agents live.
    pub live_children: usize,
    /// Chats below one root.
    pub descendants: usize,
    /// Chats that the agents of one tree may make within a minute.
    pub spawns_per_minute: usize,
    /// Lines of scrollback of a terminal that somebody watches, and of one that nobody does, where the budget over all
    /// terminals has room for them.
    pub history_lines: usize,
    pub hidden_history_lines: usize,
    /// Bytes of scrollback over all terminals.
    pub history_bytes: usize,
    /// Seconds a clone or fetch may take.
    pub clone_seconds: u64,
    /// Minutes after which an agent that rests is stopped until it is needed; 0 is never.
    pub hibernate_minutes: f64,
    /// Schedules that the agents of one tree may have made.
    pub agent_schedules: usize,
    /// Minutes between two times of such a schedule.
    pub agent_schedule_minutes: u64,
    pub budget: Budget,
}

/// What may be spent, in US dollars; what is absent has no bound.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Budget {
    /// By the agent of one chat, over all its days.
    pub chat: Option<f64>,
    /// By a chat and all below it, over all their days.
    pub tree: Option<f64>,
    /// By all chats, in a day of the person's.
    pub day: Option<f64>,
    /// What is used up stops new prompts; else it is only said.
    pub stop: bool,
}

impl Budget {
    pub fn is_empty(&self) -> bool {
        self.chat.or(self.tree).or(self.day).is_none()
    }

    /// By the name that it has in `config.json`.
    pub fn of(&self, key: &str) -> Option<f64> {
        match key {
            "chat" => self.chat,
            "tree" => self.tree,
            "day" => self.day,
            _ => None,
        }
    }
}

impl Limits {
    /// Whoever wants longer histories, and says nothing of memory, gets it in proportion, up to 1 GiB.
    pub fn make_room_for_history(&mut self) {
        let usual = Limits::default();
        let each = usual.history_bytes / usual.history_lines;
        let wanted = self.history_lines.saturating_mul(each).min(1 << 30);
        self.history_bytes = self.history_bytes.max(wanted);
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            live_agents: 20,
            dispatch_depth: 3,
            live_children: 8,
            descendants: 50,
            spawns_per_minute: 6,
            history_lines: 10_000,
            hidden_history_lines: 1_000,
            history_bytes: 64 << 20,
            clone_seconds: 1800,
            hibernate_minutes: 0.0,
            agent_schedules: 20,
            agent_schedule_minutes: 5,
            budget: Budget::default(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Cloning {
    /// Bytes of objects up to which a clone has its own copy; above, it borrows from the cache.
    pub copy_limit: u64,
}

impl Default for Cloning {
    fn default() -> Cloning {
        Cloning { copy_limit: 512 << 20 }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Mcp {
    /// A fixed port; absent: one derived from the home's path.
    pub port: Option<u16>,
    /// The tools offered; absent: all.
    pub tools: Option<Vec<String>>,
}

/// What agents may do without a person, as written: `Bash(git push:*)`, `Edit(src/**)`, `mcp__github__*`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PermissionSettings {
    pub allow: Vec<String>,
    pub ask: Vec<String>,
    pub deny: Vec<String>,
    /// What the agents of new chats do unasked, where nothing else is said for one.
    pub profile: Option<PermissionProfile>,
    /// Names of lists that parlour does not know, set by whoever reads the file: they may be meant to forbid.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown_lists: Vec<String>,
}

impl PermissionSettings {
    /// These and others: what either denies is denied.
    pub fn with(&self, others: &PermissionSettings) -> PermissionSettings {
        let both = |ours: &[String], theirs: &[String]| [ours, theirs].concat();
        PermissionSettings {
            allow: both(&self.allow, &others.allow),
            ask: both(&self.ask, &others.ask),
            deny: both(&self.deny, &others.deny),
            profile: self.profile,
            unknown_lists: both(&self.unknown_lists, &others.unknown_lists),
        }
    }
}
