//! The hands that workers use, and what they need to know to use them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::app::event::Colours;
use crate::config;
use crate::config::theme::Theme;
use crate::git::{Caches, Program};
use crate::mcp::Tokens;
use crate::model::{ChatId, Settings};
use crate::store::{Home, Watcher};

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
    pub watcher: Watcher,
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

    /// Calls `touched` whenever the file changes, until the chat's agent ends.
    pub fn watch(&self, chat: &ChatId, path: &Path, touched: impl Fn() + Send + Sync + 'static) {
        if let Err(error) = self.watcher.file(chat, path, touched) {
            tracing::warn!("{} will not be watched: {error}", path.display());
        }
    }

    pub fn unwatch(&self, chat: &ChatId) {
        self.watcher.forget_files(chat);
    }
}
