//! Keys while a value is typed, chosen or pressed, or while something is searched for.

use crossterm::event::{KeyCode, KeyEvent};

use crate::model::Timestamp;

use super::super::tables::{SETTING_TYPED, SETTINGS, SettingTypedKey, SettingsKey};
use super::super::{Around, Reply, SettingWish, Wish};
use super::input::SettingMode;
use super::keys::KeyCaught;
use super::page::{SettingsFocus, SettingsPage};

impl SettingsPage {
    pub(super) fn press_typed(&mut self, key: KeyEvent) -> Reply {
        let Some(SettingMode::Type(input)) = &mut self.mode else {
            return Reply::Stay;
        };
        match SETTING_TYPED.command(key) {
            Some(SettingTypedKey::Cancel) => self.mode = None,
            Some(SettingTypedKey::Keep) if input.is_tried() => return input.tries(),
            Some(SettingTypedKey::Keep) if self.writing.is_none() => match input.edit() {
                Ok(edit) => return self.change(edit),
                Err(why) => input.problem = Some(why),
            },
            Some(SettingTypedKey::Keep | SettingTypedKey::Start) => {}
            None => {
                if input.field.press(key) {
                    input.problem = None;
                    return input.tries();
                }
            }
        }
        Reply::Stay
    }

    pub(super) fn press_caught(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let Some(SettingMode::Catch(catch)) = &mut self.mode else {
            return Reply::Stay;
        };
        match catch.press(key, &around.domain.disk.settings) {
            KeyCaught::Keep(edit) if self.writing.is_none() => self.change(edit),
            KeyCaught::GiveUp => {
                self.mode = None;
                Reply::Stay
            }
            KeyCaught::Keep(_) | KeyCaught::Wait => Reply::Stay,
        }
    }

    pub(super) fn press_choices(&mut self, key: KeyEvent, (page, now): (usize, Timestamp)) -> Reply {
        let Some(SettingMode::Choose(choices)) = &mut self.mode else {
            return Reply::Stay;
        };
        let last = choices.options.len().saturating_sub(1);
        match SETTINGS.command(key) {
            Some(SettingsKey::Move(key)) => choices.at = key.go(choices.at, last, page),
            Some(SettingsKey::Act) => return self.take_choice(),
            Some(SettingsKey::Close) => self.mode = None,
            Some(_) | None => {
                if let (KeyCode::Char(letter), true) = (key.code, key.modifiers.is_empty()) {
                    choices.go_to(letter, now);
                }
            }
        }
        Reply::Stay
    }

    /// What the cursor is on is wanted.
    pub(super) fn take_choice(&mut self) -> Reply {
        let Some(SettingMode::Choose(choices)) = self.mode.as_ref().filter(|_| self.writing.is_none()) else {
            return Reply::Stay;
        };
        match (&choices.policy_of, choices.value(), choices.edit()) {
            (Some(path), Some(value), _) => Reply::Submit(Wish::Setting(SettingWish::Policy(
                path.clone(),
                value.map(String::from),
            ))),
            (None, _, Some(edit)) => self.change(edit),
            (_, _, _) => Reply::Stay,
        }
    }

    pub(super) fn press_search(&mut self, key: KeyEvent) -> Reply {
        match SETTING_TYPED.command(key) {
            Some(SettingTypedKey::Cancel) => {
                self.is_searching = false;
                self.search.set("");
            }
            Some(SettingTypedKey::Keep) => (self.is_searching, self.focus) = (false, SettingsFocus::Rows),
            Some(SettingTypedKey::Start) => {}
            None => {
                self.search.press(key);
            }
        }
        self.at = 0;
        Reply::Stay
    }
}
