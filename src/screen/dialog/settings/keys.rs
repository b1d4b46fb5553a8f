//! Commands and their keys: each listed, and given another by pressing it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::model::Settings;
use crate::model::setting::{Setting, SettingEdit};
use crate::term::key::{normal, words};

use super::super::super::hint::shown;
use super::super::super::keymap::{Keymap, Table};

/// A command that can have another key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyBinding {
    /// In `config.json`.
    pub name: &'static str,
    pub title: &'static str,
    /// Where it works.
    pub heading: &'static str,
    /// As a person reads them; empty where another command took them.
    pub keys: String,
    pub usual: String,
}

/// All of them, in the order of the key help.
pub fn bindings(settings: &Settings) -> Vec<KeyBinding> {
    let (now, usual) = (Keymap::of(settings), Keymap::of(&Settings::default()));
    let mut all: Vec<KeyBinding> = Vec::new();
    for command in Table::all().into_iter().flat_map(Table::own) {
        let action = command.command;
        let Some(name) = action.name() else { continue };
        if all.iter().any(|known| known.name == name) {
            continue;
        }
        all.push(KeyBinding {
            name,
            title: command.title,
            heading: action.heading(),
            keys: now.keys(action),
            usual: usual.keys(action),
        });
    }
    all
}

/// A key is waited for that a command is to have.
pub struct KeyCatch {
    pub setting: &'static Setting,
    pub name: &'static str,
    pub title: &'static str,
    /// The key that was pressed, and what it is taken from: Enter keeps it.
    pub caught: Option<(KeyEvent, Vec<String>)>,
    pub problem: Option<String>,
}

/// What a key leads to while one is waited for.
#[derive(Debug, PartialEq)]
pub enum KeyCaught {
    Keep(SettingEdit),
    GiveUp,
    /// Something is shown first.
    Wait,
}

impl KeyCatch {
    pub fn new(setting: &'static Setting, binding: &KeyBinding) -> KeyCatch {
        KeyCatch {
            setting,
            name: binding.name,
            title: binding.title,
            caught: None,
            problem: None,
        }
    }

    /// A key that nobody else has is kept at once. One that is taken from another command is shown with it first.
    pub fn press(&mut self, key: KeyEvent, settings: &Settings) -> KeyCaught {
        let key = normal(key);
        match (key.code, &self.caught) {
            (KeyCode::Esc, _) if key.modifiers == KeyModifiers::NONE => return KeyCaught::GiveUp,
            (KeyCode::Enter, Some((caught, _))) => return KeyCaught::Keep(self.edit(*caught)),
            (_, _) => {}
        }
        let mut with = settings.clone();
        with.keys.insert(self.name.into(), words(key));
        let map = Keymap::of(&with);
        let mine = format!("keys.{}: ", self.name);
        let about = |said: &String| said.strip_prefix(&mine).map(String::from);
        if let Some(why) = map.complaints.iter().find_map(about) {
            (self.caught, self.problem) = (None, Some(why));
            return KeyCaught::Wait;
        }
        self.problem = None;
        let before = Keymap::of(settings).remarks;
        let taken = map.remarks.iter().filter(|said| !before.contains(said));
        let taken: Vec<String> = taken.filter_map(about).collect();
        if taken.is_empty() {
            return KeyCaught::Keep(self.edit(key));
        }
        self.caught = Some((key, taken));
        KeyCaught::Wait
    }

    fn edit(&self, key: KeyEvent) -> SettingEdit {
        SettingEdit::Set(vec!["keys".into(), self.name.into()], words(key).into())
    }

    /// What is said while it waits, a line each.
    pub fn says(&self) -> Vec<String> {
        match (&self.caught, &self.problem) {
            (Some((key, taken)), _) => {
                let taken = taken.iter().map(|taken| format!("{}: it {taken}.", shown(*key)));
                taken
                    .chain(["Enter keeps it, Esc gives it up, another key is tried.".into()])
                    .collect()
            }
            (None, Some(why)) => vec![why.clone(), "Press another key, or Esc.".into()],
            (None, None) => vec!["Press the key that it is to have, or Esc.".into()],
        }
    }
}
