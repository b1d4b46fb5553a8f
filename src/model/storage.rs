//! What lies on disk beside the chats' own work: what each chat, cache and deleted chat takes, and the files that new
//! clones of a project get.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ChatId;
use super::request::ChatName;

/// What is asked about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum StorageAsk {
    Cache,
    /// Removes the caches that no chat uses, and the index of the search if that is wanted.
    PruneCache {
        #[serde(default)]
        index: bool,
    },
    Setup,
    AddSetup {
        from: SetupSource,
        files: Vec<String>,
    },
    RemoveSetup {
        project: String,
        files: Vec<String>,
    },
}

/// What parlour keeps, the largest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskUse {
    pub items: Vec<DiskItem>,
    /// Bytes that were freed just now.
    #[serde(default)]
    pub freed: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiskItem {
    #[serde(flatten)]
    pub place: DiskPlace,
    pub name: String,
    pub bytes: u64,
    /// There is more than was counted.
    #[serde(default)]
    pub more: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum DiskPlace {
    Chat {
        chat: ChatId,
    },
    /// A deleted chat that can be restored.
    Trash {
        chat: ChatId,
    },
    /// What clones of a repository are made from.
    Repository {
        path: PathBuf,
        /// So many chats have clones of it, deleted ones counted.
        chats: usize,
    },
    /// The index of the search.
    SearchIndex,
    /// What parlour can make again besides.
    Cache,
}

impl DiskPlace {
    pub fn word(&self) -> &'static str {
        match self {
            DiskPlace::Chat { .. } => "chat",
            DiskPlace::Trash { .. } => "trash",
            DiskPlace::Repository { .. } => "repository",
            DiskPlace::SearchIndex | DiskPlace::Cache => "cache",
        }
    }

    /// Removing it takes nothing from anybody: it is fetched again when it is wanted.
    pub fn is_unused(&self) -> bool {
        matches!(self, DiskPlace::Repository { chats: 0, .. })
    }
}

impl DiskUse {
    pub fn bytes(&self) -> u64 {
        self.items.iter().map(|item| item.bytes).sum()
    }

    pub fn unused(&self) -> impl Iterator<Item = &DiskItem> {
        self.items.iter().filter(|item| item.place.is_unused())
    }
}

/// Where setup files are taken from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SetupSource {
    /// A clone of a chat; its only one if none is named.
    Clone { chat: ChatName, project: Option<String> },
    /// A person's own checkout, or a directory in it.
    Checkout(PathBuf),
}

/// What new clones of a project get.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectSetup {
    /// As its folder in `project-setup/` is called.
    pub project: String,
    /// Whose clones get it.
    pub origin: String,
    pub files: Vec<SetupFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetupFile {
    pub path: String,
    pub bytes: u64,
}
