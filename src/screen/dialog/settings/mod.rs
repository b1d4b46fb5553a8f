//! The settings, on the whole screen: sections at the left, the settings of one with their values at the right, and what is
//! to be known of the chosen one below.
//!
//! A worker reads `config.json` and writes it; the screen shows what the file says, and where each value comes from.

mod access;
mod act;
mod contract;
mod form;
mod input;
mod keys;
mod page;
mod place;
mod rows;
mod trial;
mod typed;

pub use form::{EntryForm, EntryLine};
pub use input::{SettingChoices, SettingInput, SettingMode};
pub use keys::KeyCatch;
pub use page::{SettingsFocus, SettingsPage};
pub use place::SettingsPlace;
pub use rows::{SettingRow, SettingsKnown};
