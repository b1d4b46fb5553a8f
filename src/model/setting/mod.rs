//! What a setting is: where it stands in `config.json`, what it may be, what it does, and from when on.
//!
//! `parlour config`, the settings screen, the JSON Schema and the reference in `docs/` are all made from one table. Reading
//! the file itself is the `config` module's. Start at [`all`] and [`find`].

mod check;
mod edit;
mod file;
mod place;
mod policy;
mod schema;
mod table;
mod unknown;

pub use check::SettingText;
pub use edit::SettingEdit;
pub use file::{BrokenSettings, DefaultsFile, SettingOption, SettingsFile, TriedSetting, written};
pub use place::{FoundSetting, SettingPlace, find};
pub use policy::{ApprovalPolicy, PolicyHolds};
pub use schema::schema;
pub use table::all;
pub use unknown::{UnknownKey, unknown};

use std::sync::OnceLock;

use serde_json::Value;
use strum::VariantArray;

use super::Settings;

/// A line of the table.
#[derive(Debug, PartialEq)]
pub struct Setting {
    /// Its way through `config.json`: `limits.liveAgents`.
    pub path: &'static str,
    pub section: SettingSection,
    pub kind: SettingKind,
    /// What it does, in a sentence or two.
    pub about: &'static str,
    pub acts: ActsFrom,
}

/// A part of the settings screen and of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum SettingSection {
    General,
    Theme,
    Agents,
    Servers,
    Keys,
    Permissions,
    Limits,
    Sandbox,
    Notifications,
    Prices,
    Checkpoints,
    Mcp,
}

impl SettingSection {
    pub fn title(self) -> &'static str {
        match self {
            SettingSection::General => "General",
            SettingSection::Theme => "Theme",
            SettingSection::Agents => "Agents",
            SettingSection::Servers => "Servers",
            SettingSection::Keys => "Keys",
            SettingSection::Permissions => "Permissions",
            SettingSection::Limits => "Limits",
            SettingSection::Sandbox => "Sandbox",
            SettingSection::Notifications => "Notifications",
            SettingSection::Prices => "Prices",
            SettingSection::Checkpoints => "Checkpoints",
            SettingSection::Mcp => "MCP",
        }
    }
}

/// What its value may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// On or off.
    Switch,
    Number(NumberRange),
    /// One of these words.
    Choice(&'static [&'static str]),
    Text,
    /// Texts; where words are named, only these.
    List(&'static [&'static str]),
    /// Entries by name.
    Map(MapOf),
}

/// A whole number unless it says otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    pub least: f64,
    pub most: f64,
    pub is_whole: bool,
    /// What is counted: `minutes`.
    pub unit: &'static str,
}

/// What the entries of a map are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapOf {
    /// The key of a command.
    Keys,
    /// How an agent CLI is started.
    Agents,
    Servers,
    /// What a model costs.
    Prices,
    Switches,
}

impl MapOf {
    /// One entry, and many.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            MapOf::Keys => ("key", "keys"),
            MapOf::Agents => ("agent", "agents"),
            MapOf::Servers => ("server", "servers"),
            MapOf::Prices => ("price", "prices"),
            MapOf::Switches => ("answer", "answers"),
        }
    }
}

/// From when on another value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActsFrom {
    AtOnce,
    /// Agents that run go on as they are.
    AgentStart,
    EngineStart,
}

impl ActsFrom {
    pub fn words(self) -> &'static str {
        match self {
            ActsFrom::AtOnce => "at once",
            ActsFrom::AgentStart => "when an agent starts",
            ActsFrom::EngineStart => "when the engine starts",
        }
    }
}

impl Setting {
    /// The value where `config.json` has none; null where nothing is set, then.
    pub fn default_value(&self) -> &'static Value {
        static DEFAULTS: OnceLock<Value> = OnceLock::new();
        let defaults = DEFAULTS.get_or_init(|| serde_json::to_value(Settings::default()).unwrap_or_default());
        value_in(defaults, self.path).unwrap_or(&Value::Null)
    }

    /// The last part of its path.
    pub fn name(&self) -> &'static str {
        self.path.rsplit('.').next().unwrap_or(self.path)
    }
}

/// The value at a path of names.
pub fn value_in<'v>(root: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(root, |value, name| value.get(name))
}

#[cfg(test)]
mod tests;
