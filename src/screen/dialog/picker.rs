//! A list that is narrowed by typing: its field, and which of the entries that match is chosen.

use crossterm::event::KeyEvent;

use super::tables::{ChooseKey, PALETTE};
use super::{Field, Room};

pub struct Picker {
    pub field: Field,
    /// Which of the entries that match is chosen.
    pub at: usize,
}

/// What a key came to.
pub enum PickerReply {
    Close,
    /// The entry of this number is wanted.
    Run(usize),
    Stay,
}

impl Default for Picker {
    fn default() -> Picker {
        Picker {
            field: Field::new("", Room::Line),
            at: 0,
        }
    }
}

impl Picker {
    /// Among so many entries that match, of which `page` are seen at once.
    pub fn press(&mut self, key: KeyEvent, count: usize, page: usize) -> PickerReply {
        match PALETTE.command(key) {
            Some(ChooseKey::Close) => return PickerReply::Close,
            Some(ChooseKey::Choose) => return PickerReply::Run(self.at),
            Some(ChooseKey::Move(key)) => self.at = key.go(self.at, count.saturating_sub(1), page),
            None => self.change(|field| {
                field.press(key);
            }),
        }
        PickerReply::Stay
    }

    pub fn paste(&mut self, text: &str) {
        self.change(|field| field.paste(text));
    }

    /// Another text finds other entries, and the best of them is chosen.
    fn change(&mut self, change: impl FnOnce(&mut Field)) {
        let before = self.field.text();
        change(&mut self.field);
        if self.field.text() != before {
            self.at = 0;
        }
    }
}
