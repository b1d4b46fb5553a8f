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

    /// What brings back what it changes, by the file as it was written before. A list comes back whole: a place in it may
    /// be another entry's afterwards.
    pub fn undone(&self, before: &Value) -> SettingEdit {
        let way = self.way();
        let mut at = before;
        for (depth, step) in way.iter().enumerate() {
            if at.is_array() {
                return SettingEdit::Set(way[..depth].to_vec(), at.clone());
            }
            match at.get(step) {
                Some(inner) => at = inner,
                None => return SettingEdit::Unset(way.to_vec()),
            }
        }
        SettingEdit::Set(way.to_vec(), at.clone())
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
