//! Which key does what on each surface. From the tables here come the keys themselves, the key help, the leader menu, the
//! palette, the hints of the last row, and the page of keys in `docs/`.
//!
//! A person may give a command another key in `config.json` under `keys`, by the command's name; that key is then taken
//! from whatever had it in the same table.

mod action;
mod changes;
mod checkpoints;
mod commands;
mod composer;
mod copy;
mod diff;
mod inspector;
mod line;
mod modes;
mod remarks;
mod schedules;
mod shells;
mod start;
mod table;
pub mod tabs;
mod todos;
mod transcript;
mod work;

pub use action::Action;
pub use changes::ChangesAction;
pub use checkpoints::CheckpointsAction;
pub use commands::{ChatAction, ChatsAction, KeepWay, MoveAction, ScreenAction};
pub use composer::{ComposerAction, QueuedAction, WriteAction};
pub use copy::{CopyAction, CopyMotion};
pub use diff::DiffAction;
pub use inspector::InspectorAction;
pub use line::{KeyLine, bind};
pub use modes::{EndedAction, FilterAction, LeaderAction, TabAction};
pub use remarks::RemarksAction;
pub use schedules::SchedulesAction;
pub use shells::in_shell;
pub use start::StartAction;
pub use table::{Command, Table};
pub use tabs::{PaneSheet, SheetAction};
pub use todos::TodosAction;
pub use transcript::{CallAction, TranscriptAction};
pub use work::WorkAction;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::model::Settings;
use crate::term::key::{is_told_apart, normal, parse};

pub use super::hint::shown;

use super::hint::{Hint, HintRole};
use super::surface::Surface;

/// The keys in force: made of the tables and of what a person has set, whenever that changes.
pub struct Keymap {
    pub leader: KeyEvent,
    bound: Vec<BoundKey>,
    /// Settings that could not be used, in words.
    pub complaints: Vec<String>,
    /// What a person may not have meant, in words: keys that they took from a command, and keys that it may never get.
    pub remarks: Vec<String>,
}

/// In each table a person's own come first, so that they win over the table's.
struct BoundKey {
    table: Table,
    key: KeyEvent,
    action: Action,
}

impl Keymap {
    pub fn of(settings: &Settings) -> Keymap {
        let mut map = Keymap {
            leader: KeyEvent::new(KeyCode::Char('q'), KeyModifiers::CONTROL),
            bound: Vec::new(),
            complaints: Vec::new(),
            remarks: Vec::new(),
        };
        let known: Vec<(Table, Command)> = Table::all()
            .into_iter()
            .flat_map(|table| table.commands().into_iter().map(move |command| (table, command)))
            .collect();
        let is_leader = |name: &str| {
            known
                .iter()
                .any(|(table, command)| *table == Table::Menu && command.command.name() == Some(name))
        };
        let mut leaders = settings.keys.iter().filter(|(name, _)| is_leader(name));
        if let Some(key) =
            leaders.find_map(|(_, key)| parse(key).ok().filter(|key| refused(Table::Menu, *key).is_none()))
        {
            map.leader = key;
        }
        let mut set: Vec<(&str, KeyEvent)> = Vec::new();
        for (name, key) in &settings.keys {
            let named = || known.iter().filter(|(_, command)| command.command.name() == Some(name));
            match (parse(key), named().next()) {
                (Err(bad), _) => map.complaints.push(format!("keys.{name}: {bad}")),
                (Ok(_), None) => map
                    .complaints
                    .push(format!("keys.{name}: no such command; {}", near(name, &known))),
                (Ok(key), Some((table, _))) if let Some(why) = refused(*table, key) => map.complaints.push(format!(
                    "keys.{name}: {} {why}; take one with Ctrl or Alt, or a function key",
                    shown(key)
                )),
                (Ok(_), Some((Table::Menu, _))) => {}
                (Ok(key), Some(_)) if key == map.leader => map.complaints.push(format!(
                    "keys.{name}: {} is the leader, which comes first; take another key",
                    shown(key)
                )),
                (Ok(key), Some(_)) => {
                    set.push((name, key));
                    named().for_each(|(table, command)| map.bind(*table, command, key));
                }
            }
        }
        for (table, command) in &known {
            let is_set = |name| set.iter().any(|(set, _)| *set == name);
            if command.command.name().is_some_and(is_set) {
                continue;
            }
            for key in command.keys {
                match *key == modes::LEADER {
                    true => map.bind(*table, command, map.leader),
                    false => parse(key).into_iter().for_each(|key| {
                        if key == map.leader {
                            map.remark(format!("keys.leader: takes {} from {}", shown(key), named(command)));
                        }
                        map.bind(*table, command, key);
                    }),
                }
            }
        }
        for (name, key) in set {
            if !is_told_apart(key) {
                let lost = "many terminals send another key for it, or none";
                map.remark(format!("keys.{name}: may never hear {}: {lost}", shown(key)));
            }
        }
        map
    }

    fn remark(&mut self, words: String) {
        if !self.remarks.contains(&words) {
            self.remarks.push(words);
        }
    }

    /// Binds a key of a table, unless it is another's already, which is noted.
    fn bind(&mut self, table: Table, command: &Command, key: KeyEvent) {
        let action = command.command;
        let Some(owner) = self.action_in(table, key) else {
            self.bound.push(BoundKey { table, key, action });
            return;
        };
        if let Some(by) = owner.name() {
            self.remark(format!("keys.{by}: takes {} from {}", shown(key), named(command)));
        }
    }

    /// What a key does on a surface.
    pub fn action(&self, surface: Surface, key: KeyEvent) -> Option<Action> {
        let key = normal(key);
        surface.tables().find_map(|table| self.action_in(table, key))
    }

    fn action_in(&self, table: Table, key: KeyEvent) -> Option<Action> {
        let mut bound = self.bound.iter();
        let found = bound.find(|bound| bound.table == table && bound.key == key);
        found.map(|bound| bound.action)
    }

    pub fn is_leader(&self, key: KeyEvent) -> bool {
        normal(key) == self.leader
    }

    /// The first key of an action as a person reads it; empty where another action took it.
    pub fn key(&self, action: impl Into<Action>) -> String {
        self.keys_of(action.into()).next().map(shown).unwrap_or_default()
    }

    /// The first key of an action on a surface, as a person reads it; empty where it has none there.
    pub fn key_at(&self, surface: Surface, action: impl Into<Action>) -> String {
        let mut keys = self.keys_at(surface, action.into());
        keys.next().map(shown).unwrap_or_default()
    }

    /// The keys that lead to a command from here: its own, else those behind the leader.
    pub fn leading(&self, surface: Surface, action: Action) -> Vec<KeyEvent> {
        if let Some(key) = self.keys_at(surface, action).next() {
            return vec![key];
        }
        let key = self.keys_at(Surface::Leader, action).next();
        key.map_or_else(Vec::new, |key| vec![self.leader, key])
    }

    /// The keys of an action on a surface.
    pub fn keys_at(&self, surface: Surface, action: Action) -> impl Iterator<Item = KeyEvent> {
        let bound = self.bound.iter().filter(move |bound| bound.action == action);
        let keys = bound.map(|bound| bound.key);
        keys.filter(move |key| self.action(surface, *key) == Some(action))
    }

    /// What some actions do on a surface, with the first key of each.
    pub fn hint(&self, surface: Surface, actions: &[Action], words: &'static str) -> Hint {
        let keys = actions
            .iter()
            .filter_map(|action| self.keys_at(surface, *action).next());
        let role = match actions.contains(&Action::Screen(ScreenAction::Help)) {
            true => HintRole::AllKeys,
            false => HintRole::Plain,
        };
        Hint::new(keys, words).with(role)
    }

    /// All keys of an action.
    pub fn keys(&self, action: impl Into<Action>) -> String {
        self.keys_of(action.into()).map(shown).collect::<Vec<_>>().join(" ")
    }

    fn keys_of(&self, action: Action) -> impl Iterator<Item = KeyEvent> {
        let first = self.bound.iter().find(|bound| bound.action == action);
        let table = first.map(|bound| bound.table);
        let bound = self.bound.iter();
        bound
            .filter(move |bound| bound.action == action && Some(bound.table) == table)
            .map(|bound| bound.key)
    }

    pub fn leader(&self) -> String {
        shown(self.leader)
    }
}

/// A command as a remark calls it: a fixed one has no name.
fn named(command: &Command) -> String {
    let title = format!("“{}”", command.title);
    match command.command.name() {
        Some(name) => format!("{name} ({title})"),
        None => title,
    }
}

/// What may have been meant by the name of no command: names that look like it, and commands that say it of themselves.
fn near(name: &str, known: &[(Table, Command)]) -> String {
    let wanted = name.to_lowercase();
    let named = || {
        let named = known
            .iter()
            .filter_map(|(_, command)| Some((command.command.name()?, command)));
        named.map(|(name, command)| (name, name.to_lowercase(), command))
    };
    let spelled: Vec<String> = named().map(|(_, spelled, _)| spelled).collect();
    let spelled: Vec<&str> = spelled.iter().map(String::as_str).collect();
    let alike = similar::get_close_matches(wanted.as_str(), &spelled, 3, 0.6);
    let says = |command: &Command| command.short.contains(&*wanted) || command.title.to_lowercase().contains(&wanted);
    let mut meant: Vec<&str> = named()
        .filter(|(_, spelled, command)| alike.contains(&spelled.as_str()) || (wanted.len() > 2 && says(command)))
        .map(|(name, ..)| name)
        .collect();
    meant.dedup();
    meant.truncate(3);
    match meant.is_empty() {
        true => "? lists the names of all".into(),
        false => format!("did you mean {}?", meant.join(" or ")),
    }
}

/// Why a key cannot be one of a table.
fn refused(table: Table, key: KeyEvent) -> Option<&'static str> {
    let apart = KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SUPER;
    let is_typed = !key.modifiers.intersects(apart) && !matches!(key.code, KeyCode::F(_));
    let leads = matches!(
        key.code,
        KeyCode::Enter | KeyCode::Esc | KeyCode::Tab | KeyCode::BackTab | KeyCode::Up | KeyCode::Down
    );
    match table {
        // As the leader it would never reach them.
        Table::Menu if is_typed => Some("is typed to agents too"),
        Table::Menu if (key.code, key.modifiers) == (KeyCode::Char('c'), KeyModifiers::CONTROL) => {
            Some("interrupts agents and programs")
        }
        // Nothing would lead out of them.
        Table::Menu => (!is_told_apart(key)).then_some("is sent as another key by many terminals, or not at all"),
        Table::Filter | Table::Composer => (is_typed && !leads).then_some("is typed there"),
        Table::AfterLeader
        | Table::Ended
        | Table::Tab
        | Table::Commands
        | Table::Copy
        | Table::Queued
        | Table::Inspector
        | Table::Sheet(_)
        | Table::Start
        | Table::Schedules => None,
    }
}

#[cfg(test)]
mod tests;
