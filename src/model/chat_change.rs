//! What a person changes of how the agent of a chat runs.

use serde::{Deserialize, Serialize};

use super::area::AreaMode;
use super::{PermissionProfile, Record};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChatChange {
    /// The model that it is started with; none: that of its role, else what its CLI chooses.
    Model(Option<String>),
    /// What it does unasked.
    Permissions(PermissionProfile),
    /// Whether it may write in the directory of this name.
    Mode(String, AreaMode),
}

impl ChatChange {
    pub fn apply(&self, record: &mut Record) {
        match self {
            ChatChange::Model(model) => record.set.model.clone_from(model),
            ChatChange::Permissions(profile) => record.set.permissions = *profile,
            ChatChange::Mode(name, mode) => {
                if let Some(dir) = record.dirs.iter_mut().find(|dir| dir.name == *name) {
                    // A person has said what holds: nobody is asked about each write any more.
                    (dir.mode, dir.asks) = (*mode, false);
                }
            }
        }
    }
}
