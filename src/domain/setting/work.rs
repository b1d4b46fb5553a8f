//! What workers do with `config.json` and what belongs to it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::Settings;
use crate::model::setting::{SettingEdit, SettingsFile, TriedSetting};

/// Work on the settings.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingWork {
    /// They are read again at once.
    Read,
    /// All of these or none.
    Edit(Vec<SettingEdit>),
    /// A file of the home is to be edited by hand: it is made if it is not there.
    Begin(PathBuf),
    /// When the CLI of this file of the home asks; none: as it does by itself.
    Policy(PathBuf, Option<String>),
    /// Starts an agent or a server as it is typed, and ends it.
    Try(Box<SettingTrial>),
}

/// What is to be started, in which environment.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingTrial {
    pub what: TrialOf,
    pub name: String,
    pub entry: Value,
    pub env: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialOf {
    Agent,
    Server,
}

impl SettingWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            SettingWork::Edit(_) | SettingWork::Begin(_) | SettingWork::Policy(..) => true,
            SettingWork::Read | SettingWork::Try(_) => false,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SettingDone {
    /// These settings hold, and this is what the file says.
    Edited(Box<Settings>, Box<SettingsFile>),
    /// It is there.
    Begun(PathBuf),
    Tried(TriedSetting),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingThen {
    /// Whoever asked is shown it.
    Show,
    /// Whoever asked hears that it is done.
    Answer,
}
