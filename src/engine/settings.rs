//! Settings that cannot be read, and those that a person changes here.

use std::path::Path;

use crate::config::{self, Loaded, Unwritten};
use crate::model::Problem;
use crate::model::setting::SettingEdit;
use crate::screen::keymap::Keymap;

/// As it is said to people.
pub(super) fn broken_settings(broken: &config::BrokenFile) -> Problem {
    let hint = "correct it there; parlour reads it again by itself and never writes over it";
    Problem::new("reading config.json", broken, hint)
}

/// Changes `config.json`, if all of it can be meant. Keys are judged by the tables of the screen.
pub fn change_settings(config: &Path, edits: &[SettingEdit]) -> Result<Loaded, Unwritten> {
    let keys: Vec<String> = edits.iter().filter_map(key_of).collect();
    config::edit_if(config, edits, |settings| {
        let complaints = Keymap::of(settings).complaints.into_iter();
        let said = complaints.filter_map(|complaint| {
            let (key, why) = complaint.split_once(": ")?;
            Some((key.to_string(), why.to_string()))
        });
        let mine = said.filter(|(key, _)| keys.iter().any(|mine| mine == key || mine == "keys"));
        mine.into_iter().next().map_or(Ok(()), Err)
    })
}

fn key_of(edit: &SettingEdit) -> Option<String> {
    match edit {
        SettingEdit::Set(way, _) if way.first().is_some_and(|first| first == "keys") => Some(way.join(".")),
        SettingEdit::Set(..) | SettingEdit::Unset(_) | SettingEdit::Push(..) => None,
    }
}
