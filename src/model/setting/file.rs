//! What `config.json` says at this moment, and what there is to choose from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{ApprovalPolicy, PolicyHolds, Setting, value_in};
use crate::model::Settings;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SettingsFile {
    /// As it is written there; of one that cannot be read, what is in force. An empty object where there is no file.
    pub written: Value,
    /// Why it cannot be read: nothing is written into it, then.
    pub broken: Option<BrokenSettings>,
    /// What of it does nothing because it cannot be meant, a line each.
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

/// The settings that differ from their defaults, as they would be written.
pub fn written(settings: &Settings) -> Value {
    let json = |settings: &Settings| serde_json::to_value(settings).unwrap_or_default();
    differing(json(settings), &json(&Settings::default())).unwrap_or_else(|| Value::Object(Map::new()))
}

fn differing(value: Value, default: &Value) -> Option<Value> {
    match value {
        Value::Object(members) if default.is_object() => {
            let differing = members.into_iter().filter_map(|(name, value)| {
                let value = differing(value, default.get(&name).unwrap_or(&Value::Null))?;
                Some((name, value))
            });
            let members: Map<String, Value> = differing.collect();
            (!members.is_empty()).then_some(Value::Object(members))
        }
        value => (value != *default).then_some(value),
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
