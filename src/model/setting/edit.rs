//! A change of `config.json`, as plain data.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One change. A step of a way is the name of a member, or the number of an item of a list, counted from 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SettingEdit {
    Set(Vec<String>, Value),
    /// It has its default again.
    Unset(Vec<String>),
    /// Appends to a list, which is made if there is none.
    Push(Vec<String>, Value),
}

impl SettingEdit {
    pub fn way(&self) -> &[String] {
        match self {
            SettingEdit::Set(way, _) | SettingEdit::Unset(way) | SettingEdit::Push(way, _) => way,
        }
    }

    /// A setting of the table gets this value.
    pub fn of(path: &str, value: Value) -> SettingEdit {
        SettingEdit::Set(steps(path), value)
    }

    pub fn reset(path: &str) -> SettingEdit {
        SettingEdit::Unset(steps(path))
    }
}

/// The names of a path that has no dots in its names.
pub(super) fn steps(path: &str) -> Vec<String> {
    path.split('.').map(String::from).collect()
}
