//! The keys of the dialog that is open, over it: `?` shows them, and F1 where that would be typed into a field.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::term::key::parse;

use super::super::hint::{Hint, HintRole, shown};
use super::super::scrollbar::ScrollBar;
use super::super::wrap::width;
use super::tables::{KEY_CARD, KeyCardKey};
use super::{Contract, Reply, page, place};

/// Columns of the keys at most; longer ones push their words on.
const WIDEST_KEYS: usize = 26;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct KeyCard {
    /// Lines scrolled away.
    pub scroll: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyCardLine {
    Heading(&'static str),
    Key { keys: String, title: &'static str },
    Gap,
}

impl KeyCard {
    /// The key asks for the keys of this dialog.
    pub fn is_wanted(dialog: &dyn Contract, key: KeyEvent) -> bool {
        let counts = match KEY_CARD.command(key) {
            Some(KeyCardKey::Show) => !dialog.is_typed_in(),
            Some(KeyCardKey::ShowAnywhere) => true,
            None => false,
        };
        counts && !dialog.keys().is_empty()
    }

    /// The key that shows it, where there is one.
    pub fn hint(dialog: &dyn Contract) -> Option<Hint> {
        let key = match dialog.is_typed_in() {
            true => KeyCardKey::ShowAnywhere,
            false => KeyCardKey::Show,
        };
        (!dialog.keys().is_empty()).then(|| KEY_CARD.hint(&[key], "keys").with(HintRole::AllKeys))
    }

    /// Whether it closes by this key: also by those that show it.
    pub fn press(&mut self, key: KeyEvent, dialog: &dyn Contract, whole: Rect) -> bool {
        if KEY_CARD.command(key).is_some() {
            return true;
        }
        let lines = lines(dialog).len();
        let seen = usize::from(place::page(whole, lines).inside.height);
        let most = lines.saturating_sub(seen);
        matches!(page::press(&mut self.scroll, key, most, seen), Reply::Close)
    }

    pub fn bar(&self, dialog: &dyn Contract, whole: Rect) -> ScrollBar {
        page::bar(whole, self.scroll, lines(dialog).len())
    }

    pub fn hints() -> Vec<Hint> {
        page::hints()
    }
}

/// What stands on it, each table below its heading.
pub fn lines(dialog: &dyn Contract) -> Vec<KeyCardLine> {
    let mut lines = Vec::new();
    let own = dialog.keys().into_iter().chain([KEY_CARD.section()]);
    for (heading, keys) in own {
        if !lines.is_empty() {
            lines.push(KeyCardLine::Gap);
        }
        lines.push(KeyCardLine::Heading(heading));
        lines.extend(keys.iter().map(|line| {
            let keys = line.keys.iter().filter_map(|key| parse(key).ok()).map(shown);
            KeyCardLine::Key {
                keys: keys.collect::<Vec<_>>().join(" "),
                title: line.title,
            }
        }));
    }
    lines
}

/// Columns of the keys.
pub fn key_columns(lines: &[KeyCardLine]) -> usize {
    let keys = lines.iter().filter_map(|line| match line {
        KeyCardLine::Key { keys, .. } => Some(width(keys)),
        KeyCardLine::Heading(_) | KeyCardLine::Gap => None,
    });
    keys.max().unwrap_or(0).min(WIDEST_KEYS)
}
