//! Dialogs: what asks a person something, or shows a page of it. One file a dialog.
//!
//! A dialog says what it consists of ([`Part`]) and what is wanted once it is answered ([`Wish`]); where its
//! parts lie is [`place::place`]'s, and keys and clicks on them are [`answer`]'s. Start at [`Dialog`].

pub mod answer;
mod approvals;
mod asking;
mod atom;
mod buttons;
mod came;
mod cancel;
mod choose;
mod delete;
mod discard;
mod drafts;
mod field;
mod focus;
mod form;
mod help;
mod keys;
mod log;
mod loss;
mod new_chat;
mod outcome;
pub mod output;
mod palette;
pub mod place;
mod places;
mod project;
mod proposed;
mod remark;
mod rename;
mod revert;
mod schedule;
mod servers;
mod stop;
pub mod tables;
mod trash;
mod wish;

pub use approvals::Approvals;
pub use asking::is_confirmation;
pub use atom::{AtomForm, AtomLine, AtomPage};
pub use buttons::Button;
pub use cancel::Cancel;
pub use choose::{ChoiceItem, Choose};
pub use delete::Delete;
pub use discard::Discard;
pub use drafts::Drafts;
pub use field::{Field, Room};
pub use focus::{AtomField, ScheduleField, Stop};
pub use form::{Ask, Dialog, Form, Part, Work};
pub use help::{Help, HelpLine};
pub use log::Log;
pub use new_chat::NewChat;
pub use outcome::{
    deleted, failed, kept, losses, no_places, opened, places, planned, remarked, renamed, reverted, roles, saved,
    settle, still_agreed,
};
pub use output::Output;
pub use palette::{Palette, PaletteEntry};
pub use places::{HERE, HINT_LINES, Places};
pub use project::Project;
pub use proposed::Proposed;
pub use remark::RemarkForm;
pub use rename::Rename;
pub use revert::RevertQuestion;
pub use schedule::ScheduleForm;
pub use servers::{Confirm, Servers, read_servers, servers};
pub use stop::{AfterHalt, Halt};
pub use trash::{Trash, listed, open_trash, purged, restored};
pub use wish::Wish;

/// What was typed before a question could be read does not answer it.
pub const UNREAD_MS: u64 = 500;
