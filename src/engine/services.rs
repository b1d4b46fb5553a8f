//! The services that workers use, and what they need to know to use them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use crate::agents::{self, Adapter};
use crate::config;
use crate::config::theme::Theme;
use crate::domain::event::Colours;
use crate::fs::Dir;
use crate::git::{Caches, Program};
use crate::mcp::Tokens;
use crate::model::tool::{Equipped, tools};
use crate::model::{Chat, ChatId, Problem, ResultExt, Settings};
use crate::store::{self, AnsweredPlaces, Changed, Home, Repaired, Surroundings, Watcher};

use super::history::HistoryKeeper;
use super::known_programs::KnownPrograms;
use super::line_indexes::LineIndexes;
use super::listed_files::ListedFiles;
use super::locks::ChatLocks;
use super::measured::Measured;
use super::prepared::PreparedTurns;
use super::scripts::Scripts;

/// In a chat's record: what its terminal received.
const TERMINAL: &str = "terminal";

/// By chat, the names of tools.
pub type LeftOut = Arc<RwLock<BTreeMap<ChatId, Vec<(String, &'static str)>>>>;

pub struct Services {
    pub home: Arc<Home>,
    pub caches: Caches,
    pub git: Program,
    /// The program of parlour itself, for hooks and supervisors.
    pub parlour: PathBuf,
    pub mcp_url: String,
    pub tokens: Arc<Tokens>,
    pub hook_tokens: Arc<Tokens>,
    /// `mcp.tools`, as the MCP server reads it.
    pub offered: Arc<RwLock<Option<Vec<String>>>>,
    /// Chats whose agents have no tools of their own, as of their last start.
    pub bare: Arc<RwLock<BTreeSet<ChatId>>>,
    /// Tools of parlour's own that chats do without, as of their last start or a person's last word.
    pub left_out: LeftOut,
    pub settings: RwLock<Arc<Settings>>,
    pub watcher: Arc<Mutex<Watcher>>,
    /// Whose clones are being saved or restored.
    pub reviews: ChatLocks,
    /// What was saved as prompts were entered.
    pub prepared: PreparedTurns,
    /// What checkpoints take on disk, as measured last.
    pub measured: Measured,
    /// Agent CLIs that are known to run.
    pub programs: KnownPrograms,
    /// The files of the chat that a person writes a prompt for.
    pub files: ListedFiles,
    /// The scripts of projects, checks, commands and editors that run.
    pub scripts: Arc<Scripts>,
    /// How the lines lie in outputs that somebody looks through.
    pub outputs: LineIndexes,
    /// Full text over all transcripts.
    pub history: HistoryKeeper,
}

impl Services {
    pub fn settings(&self) -> Arc<Settings> {
        self.settings.read().clone()
    }

    pub fn set_settings(&self, settings: &Settings) {
        *self.settings.write() = Arc::new(settings.clone());
        self.offered.write().clone_from(&settings.mcp.tools);
    }

    /// From now on this chat's agent is offered tools for files and commands, or is not.
    pub fn equip(&self, chat: &ChatId, adapter: &dyn Adapter) {
        let mut bare = self.bare.write();
        match adapter.lacks_tools() {
            true => bare.insert(chat.clone()),
            false => bare.remove(chat),
        };
    }

    /// From now on this chat's agent is offered what its record says of parlour's own tools.
    pub fn offer_tools(&self, chat: &Chat) {
        let all = tools(Equipped::Bare).map(|tool| tool.name);
        let without = all.filter_map(|tool| Some((tool.to_string(), chat.record.lacks_tool(tool)?)));
        let mut left_out = self.left_out.write();
        left_out.insert(chat.id().clone(), without.collect());
    }

    /// A home that a newer parlour made is shown and not changed.
    pub fn may_write(&self) -> Result<(), Problem> {
        let hint = "update parlour to change it";
        self.home.writable().doing_or("changing this home", hint)
    }

    /// Puts back the folders of the home that somebody has removed, so that what comes next finds them.
    pub fn repair_home(&self) {
        match self.home.repair() {
            Ok(Repaired::Nothing) => {}
            Ok(Repaired::Folders) => {
                tracing::warn!("folders of the home were gone, and are made again");
                let mut watcher = self.watcher.lock();
                let watched = watcher.watch_config(&self.home);
                if let Err(error) = watched.and_then(|()| watcher.watch_schedules(&self.home)) {
                    tracing::warn!("changes in the home will not be noticed: {error}");
                }
            }
            // Whatever needs them says what it could not do.
            Err(error) => tracing::warn!("folders of the home can't be made again: {error}"),
        }
    }

    /// Hears of what becomes of the engine's own files.
    pub fn watch_engine(&self, socket: &Path) {
        if let Err(error) = self.watcher.lock().watch_engine(&self.home, socket) {
            tracing::warn!("a removed lock or socket will not be noticed: {error}");
        }
    }

    /// The theme of this name for a terminal of these colours; without a name, the one that goes with them.
    pub fn theme(&self, named: Option<&str>, colours: Option<Colours>, no_color: bool) -> Theme {
        if no_color {
            return Theme::plain();
        }
        let background = colours.map(|colours| colours.background);
        let (theme, broken) = config::theme_for(self.home.dir(), named, background);
        if let Some(broken) = broken {
            tracing::warn!("{broken}");
        }
        theme
    }

    /// What the `AGENTS.md` of a chat of this agent CLI says beside its projects.
    pub fn surroundings(&self, llm: &str) -> Surroundings {
        let settings = self.settings();
        let skills = config::skills(self.home.dir()).into_iter();
        let adapter = agents::find(llm, &settings);
        Surroundings {
            shell: std::env::var("SHELL").unwrap_or_else(|_| "/bin/sh".into()),
            role_by_flag: adapter.as_ref().is_some_and(|adapter| adapter.takes_role()),
            skills: skills.map(|skill| (skill.name, skill.description)).collect(),
            tools: self.tools(&settings, adapter.as_deref()),
            cwd: None,
            below: Vec::new(),
        }
    }

    /// The tools of parlour's that an agent of this CLI is offered, by name.
    pub fn tools(&self, settings: &Settings, adapter: Option<&dyn Adapter>) -> Vec<String> {
        let equipped = match adapter.is_some_and(|adapter| adapter.lacks_tools()) {
            true => Equipped::Bare,
            false => Equipped::WithTools,
        };
        let offered = settings.mcp.tools.as_ref();
        let is_offered = |name: &&str| offered.is_none_or(|offered| offered.iter().any(|one| one == name));
        let names = tools(equipped).map(|tool| tool.name);
        names.filter(is_offered).map(String::from).collect()
    }

    /// Others' edits of a chat's files are heard from now on.
    pub fn watch_chat(&self, chat: &Chat) {
        if let Err(error) = self.try_watch_chat(chat) {
            tracing::warn!("changes in {} will not be noticed: {error}", chat.record.handle);
        }
    }

    pub fn try_watch_chat(&self, chat: &Chat) -> Result<(), store::Error> {
        self.history.notices.grown(chat.id());
        let seen = AnsweredPlaces::look(chat);
        self.watcher.lock().watch_chat(&self.home, chat, &seen)
    }

    pub fn forget_chat(&self, chat: &ChatId) {
        self.watcher.lock().forget(&Changed::Chat(chat.clone()));
    }

    pub fn watch_file(&self, path: &Path) {
        if let Err(error) = self.watcher.lock().watch(path) {
            tracing::warn!("{} will not be watched: {error}", path.display());
        }
    }

    pub fn forget_file(&self, path: &Path) {
        self.watcher.lock().forget(&Changed::Custom(path.to_path_buf()));
    }

    /// The chat's `projects/`, where clones appear.
    pub fn projects_dir(&self, chat: &ChatId) -> Result<Dir, store::Error> {
        Ok(self.home.chat_dir(chat)?.create_dir("projects")?)
    }

    /// What the chat's terminal received last.
    pub fn terminal_record(&self, chat: &ChatId) -> Result<Vec<u8>, store::Error> {
        const LONGEST: u64 = 8 << 20;
        let record = self.home.record_dir(chat)?;
        Ok(record.read(TERMINAL, LONGEST)?.unwrap_or_default())
    }

    /// The file that goes on with it.
    pub fn terminal_file(&self, chat: &ChatId) -> Result<File, store::Error> {
        Ok(self.home.record_dir(chat)?.update(TERMINAL)?)
    }
}
