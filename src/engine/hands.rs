//! The hands that workers use, and what they need to know to use them.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::app::event::Colours;
use crate::config;
use crate::config::theme::Theme;
use crate::fs::Dir;
use crate::git::{Caches, Program};
use crate::mcp::{self, Tokens};
use crate::model::{Chat, ChatId, Problem, Settings};
use crate::store::{self, Changed, Home, Surroundings, Watcher};

/// In a chat's record: what its terminal received.
const TERMINAL: &str = "terminal";

pub struct Hands {
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
    pub settings: RwLock<Arc<Settings>>,
    pub watcher: Mutex<Watcher>,
}

impl Hands {
    pub fn settings(&self) -> Arc<Settings> {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set_settings(&self, settings: &Settings) {
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings.clone());
        self.offered
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(&settings.mcp.tools);
    }

    /// A home that a newer parlour made is shown and not changed.
    pub fn may_write(&self) -> Result<(), Problem> {
        let hint = "update parlour to change it";
        self.home
            .writable()
            .map_err(|error| Problem::new("changing this home", error, hint))
    }

    /// The theme for a terminal of these colours.
    pub fn theme(&self, settings: &Settings, colours: Option<Colours>, no_color: bool) -> Theme {
        if no_color {
            return Theme::plain();
        }
        let background = colours.map(|colours| colours.background);
        let (theme, broken) = config::theme_for(self.home.dir(), settings.theme.as_deref(), background);
        if let Some(broken) = broken {
            tracing::warn!("{broken}");
        }
        theme
    }

    /// What a chat's `AGENTS.md` says beside its projects.
    pub fn surroundings(&self) -> Surroundings {
        let offered = self.settings().mcp.tools.clone();
        let tools = mcp::names().filter(|name| offered.as_ref().is_none_or(|tools| tools.iter().any(|t| t == name)));
        Surroundings {
            shell: std::env::var("SHELL").unwrap_or_else(|_| "/bin/sh".into()),
            role: None,
            skills: Vec::new(),
            tools: tools.map(str::to_string).collect(),
        }
    }

    /// Others' edits of a chat's files are heard from now on.
    pub fn watch_chat(&self, chat: &Chat) {
        if let Err(error) = self.try_watch_chat(chat) {
            tracing::warn!("changes in {} will not be noticed: {error}", chat.record.handle);
        }
    }

    pub fn try_watch_chat(&self, chat: &Chat) -> Result<(), store::Error> {
        self.watcher().watch_chat(&self.home, chat)
    }

    pub fn forget_chat(&self, chat: &ChatId) {
        self.watcher().forget(&Changed::Chat(chat.clone()));
    }

    pub fn watch_file(&self, path: &Path) {
        if let Err(error) = self.watcher().watch(path) {
            tracing::warn!("{} will not be watched: {error}", path.display());
        }
    }

    pub fn forget_file(&self, path: &Path) {
        self.watcher().forget(&Changed::Custom(path.to_path_buf()));
    }

    fn watcher(&self) -> MutexGuard<'_, Watcher> {
        self.watcher.lock().unwrap_or_else(PoisonError::into_inner)
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
