//! The palette: every command by its name, found by a few letters.

use crossterm::event::KeyEvent;

use crate::model::ClientId;
use crate::screen::State;

use super::super::command;
use super::super::filter::ranked;
use super::super::keymap::{Action, Command, ScreenAction, Table};
use super::super::surface::Surface;
use super::super::view::View;
use super::tables::{PALETTE, PaletteKey};
use super::{Field, Room};

pub struct Palette {
    pub field: Field,
    /// Which of the entries that match is chosen.
    pub at: usize,
}

/// A command as the palette lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaletteEntry {
    pub action: Action,
    pub title: &'static str,
    pub keys: String,
    /// Why it can't be run now.
    pub why_not: Option<&'static str>,
}

/// What a key in the palette comes to.
pub(super) enum Pressed {
    Stay,
    Close,
    Run(Action),
}

impl Default for Palette {
    fn default() -> Palette {
        Palette {
            field: Field::new("", Room::Line),
            at: 0,
        }
    }
}

impl Palette {
    /// What matches, the best first; of equals, and where nothing is typed, in the order of the key help.
    pub fn entries(&self, state: &State, client: ClientId) -> Vec<PaletteEntry> {
        let map = &state.keymap;
        let behind = state.views.get(&client).map_or(Surface::Sidebar, View::behind);
        let texts = listed(behind).map(|command| {
            let name = command.command.name().unwrap_or_default();
            (format!("{} {name}", command.title), command)
        });
        let mut found = ranked(texts, &self.field.text());
        found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let entry = |command: Command| PaletteEntry {
            action: command.command,
            title: command.title,
            keys: map.keys(command.command),
            why_not: command::why_not(state, client, command.command),
        };
        found.into_iter().map(|(_, command)| entry(command)).collect()
    }

    pub(super) fn press(&mut self, entries: &[PaletteEntry], key: KeyEvent, page: usize) -> Pressed {
        let last = entries.len().saturating_sub(1);
        match PALETTE.command(key) {
            Some(PaletteKey::Close) => return Pressed::Close,
            Some(PaletteKey::Run) => return self.choose(entries, self.at),
            Some(PaletteKey::Up) => self.at = self.at.saturating_sub(1),
            Some(PaletteKey::Down) => self.at = (self.at + 1).min(last),
            Some(PaletteKey::PageUp) => self.at = self.at.saturating_sub(page),
            Some(PaletteKey::PageDown) => self.at = (self.at + page).min(last),
            None => self.change(|field| {
                field.press(key);
            }),
        }
        Pressed::Stay
    }

    /// Another text finds other commands, and the best of them is chosen.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Field)) {
        let before = self.field.text();
        change(&mut self.field);
        if self.field.text() != before {
            self.at = 0;
        }
    }

    /// A command that can't be run stays chosen: why is written beside it.
    pub(super) fn choose(&mut self, entries: &[PaletteEntry], at: usize) -> Pressed {
        let Some(entry) = entries.get(at) else {
            return Pressed::Stay;
        };
        self.at = at;
        match entry.why_not {
            None => Pressed::Run(entry.action),
            Some(_) => Pressed::Stay,
        }
    }

    /// The first entry that is seen of a list of so many rows.
    pub fn first(&self, rows: usize) -> usize {
        (self.at + 1).saturating_sub(rows)
    }
}

/// What the palette lists where nothing is typed: what the surface has that it was opened from. Itself is not in it.
pub fn listed(behind: Surface) -> impl Iterator<Item = Command> {
    let left_out = [ScreenAction::Palette, ScreenAction::HowToLeave].map(Action::Screen);
    // Commands are run for an agent too that one is in.
    let own = behind.tables().filter(|table| matches!(table, Table::Sheet(_)));
    let commands = own.chain([Table::Commands]).flat_map(|table| table.commands());
    commands.filter(move |command| !left_out.contains(&command.command))
}
