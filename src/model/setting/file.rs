//! What `config.json` says at this moment, and what there is to choose from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ApprovalPolicy, PolicyHolds, Setting, value_in};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SettingsFile {
    /// As it is written there; an empty object where there is no file, or one that cannot be read.
    pub written: Value,
    /// Why it cannot be read: nothing is written into it, then.
    pub broken: Option<BrokenSettings>,
    /// What of it is left out because it cannot be meant, a line each.
    pub wrong: Vec<String>,
    pub themes: Vec<SettingOption>,
    /// Settings that new chats of an agent CLI start with.
    pub defaults: Vec<DefaultsFile>,
}

/// Settings of an agent CLI that a person may put their own over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultsFile {
    /// Where a person's own lie in the home.
    pub path: PathBuf,
    /// They are there.
    pub is_own: bool,
    /// What they say of when the CLI asks.
    pub policy: Option<String>,
}

/// What came of starting an agent or a server that is typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriedSetting {
    pub name: String,
    /// In a line.
    pub outcome: Result<String, String>,
}

/// Where it is broken, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenSettings {
    /// Line and column, from 1.
    pub at: Option<(usize, usize)>,
    pub why: String,
}

/// A value that there is to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingOption {
    pub value: String,
    pub about: String,
}

impl DefaultsFile {
    /// Whatever it says, its CLI asks as parlour's rules have it.
    pub fn asks_by_rules(&self) -> bool {
        ApprovalPolicy::of(&self.path).is_some_and(|policy| policy.holds == PolicyHolds::ByRules)
    }
}

impl SettingsFile {
    /// What it sets; `None` where the default holds.
    pub fn value_of(&self, setting: &Setting) -> Option<&Value> {
        value_in(&self.written, setting.path)
    }

    /// What holds.
    pub fn value_or_default(&self, setting: &Setting) -> &Value {
        self.value_of(setting).unwrap_or(setting.default_value())
    }
}
