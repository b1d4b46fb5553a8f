//! The palette: every command by its name, found by a few letters.

pub(super) mod finding;

use std::cmp::Reverse;
use std::ops::Range;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use super::super::hint::Hint;
use super::super::keymap::{Action, Command, ScreenAction, Table};
use super::super::scrollbar::ScrollBar;
use super::super::surface::{InPane, Surface};
use super::picker::{Picker, PickerReply};
use super::place::{self, ListHit, PlacedList, WIDEST};
use super::tables::{KeySection, PALETTE};
use super::{Around, Contract, OtherPage, Reply};

#[derive(Default)]
pub struct Palette {
    pub picker: Picker,
}

/// A command as the palette lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaletteEntry {
    pub action: Action,
    pub title: &'static str,
    /// Bytes of the title that are what was typed.
    pub marks: Vec<Range<usize>>,
    pub keys: String,
    /// Why it can't be run now.
    pub why_not: Option<&'static str>,
}

impl Palette {
    /// What matches, the best first; of equals, and where nothing is typed, in the order of the key help.
    pub fn entries(&self, around: &Around) -> Vec<PaletteEntry> {
        let map = around.keymap;
        let typed = self.picker.field.text();
        let fit = |command: Command| {
            let name = command.command.name().unwrap_or_default();
            let (fit, marks) = finding::fit(&typed, Some(command.command), around.title(&command), name)?;
            Some((fit, (command, marks)))
        };
        let mut found: Vec<_> = listed(around.behind).filter_map(fit).collect();
        found.sort_by_key(|(fit, _)| Reverse(*fit));
        let entry = |(command, marks): (Command, Vec<Range<usize>>)| PaletteEntry {
            action: command.command,
            title: around.title(&command),
            marks,
            keys: map.keys(command.command),
            why_not: (around.why_not)(command.command),
        };
        found.into_iter().map(|(_, found)| entry(found)).collect()
    }

    /// A command that can't be run stays chosen: why is written beside it.
    fn choose(&mut self, entries: &[PaletteEntry], at: usize) -> Reply {
        let Some(entry) = entries.get(at) else {
            return Reply::Stay;
        };
        self.picker.at = at;
        match entry.why_not {
            None if entry.action == ScreenAction::Settings.into() && is_of_theme(&self.picker.field.text()) => {
                Reply::Instead(OtherPage::SettingsAbout("theme"))
            }
            None => Reply::Run(entry.action),
            Some(_) => Reply::Stay,
        }
    }

    /// The first entry that is seen of a list of so many rows.
    pub fn first(&self, rows: usize) -> usize {
        (self.picker.at + 1).saturating_sub(rows)
    }
}

/// Whoever looks for that finds the settings by it.
fn is_of_theme(typed: &str) -> bool {
    let typed = typed.trim().to_lowercase();
    typed.len() > 2
        && ["theme", "colours", "colors"]
            .iter()
            .any(|word| word.starts_with(&typed))
}

impl Contract for Palette {
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let entries = self.entries(around);
        let page = place(around.whole).rows();
        match self.picker.press(key, entries.len(), page) {
            PickerReply::Close => Reply::Close,
            PickerReply::Run(at) => self.choose(&entries, at),
            PickerReply::Stay => Reply::Stay,
        }
    }

    fn paste(&mut self, text: &str, _: &Around) {
        self.picker.paste(text);
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let placed = place(around.whole);
        match placed.hit(at, self.first(placed.rows())) {
            ListHit::Row(at) => self.choose(&self.entries(around), at),
            ListHit::Frame => Reply::Stay,
            ListHit::Outside => Reply::Close,
        }
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let placed = place(around.whole);
        vec![placed.bar(self.first(placed.rows()), self.entries(around).len())]
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        self.picker.at = bar.selection(first, self.picker.at);
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![PALETTE.section()]
    }

    fn is_typed_in(&self) -> bool {
        true
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        PALETTE.hints("run")
    }
}

/// As high as all commands where there is room, whatever matches: it does not jump while one types.
pub fn place(whole: Rect) -> PlacedList {
    let all = u16::try_from(listed(Surface::Sidebar(InPane::Agent)).count()).unwrap_or(u16::MAX);
    let high = (all + 4).min(whole.height);
    place::list(place::middle(whole, whole.width.min(WIDEST), high), true)
}

/// What the palette lists where nothing is typed: what the surface has that it was opened from. Itself is not in it.
pub fn listed(behind: Surface) -> impl Iterator<Item = Command> {
    let left_out = [ScreenAction::Palette, ScreenAction::HowToLeave].map(Action::Screen);
    // Commands are run for an agent too that one is in.
    let own = behind
        .tables()
        .filter(|table| matches!(table, Table::Sheet(_) | Table::Tab));
    let commands = own.chain([Table::Commands]).flat_map(|table| table.commands());
    commands.filter(move |command| !left_out.contains(&command.command))
}
