//! What workers do with what lies on disk.

use serde::{Deserialize, Serialize};

use crate::model::storage::{DiskUse, ProjectSetup, SetupSource};

/// Work on what lies on disk beside the chats' own work.
#[derive(Clone, Debug, PartialEq)]
pub enum StorageWork {
    /// What each chat, cache and deleted chat takes.
    Measure,
    /// Removes the caches that no chat uses.
    Prune {
        /// The index of the search too.
        index: bool,
    },
    /// The files that new clones of each project get.
    ListSetup,
    AddSetup {
        from: SetupSource,
        files: Vec<String>,
    },
    RemoveSetup {
        project: String,
        files: Vec<String>,
    },
}

impl StorageWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            StorageWork::Prune { .. } | StorageWork::AddSetup { .. } | StorageWork::RemoveSetup { .. } => true,
            StorageWork::Measure | StorageWork::ListSetup => false,
        }
    }
}

/// What there is now, after each of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StorageDone {
    Used(DiskUse),
    Setups(Vec<ProjectSetup>),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum StorageThen {
    /// It is the answer.
    Answer,
}
