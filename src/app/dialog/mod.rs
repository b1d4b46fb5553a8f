//! Dialogs: what asks a person something, or shows a page of it. One file a dialog.
//!
//! A dialog says what it consists of ([`Part`]) and what is wanted once it is answered ([`Wish`]); where its
//! parts lie is [`place::place`]'s, and keys and clicks on them are [`answer`]'s. Start at [`Dialog`].

pub mod answer;
mod approvals;
mod delete;
mod field;
mod form;
mod help;
mod log;
mod new_chat;
mod outcome;
mod palette;
pub mod place;
mod places;
mod project;
mod rename;
mod stop;
mod wish;

pub use approvals::Approvals;
pub use delete::Delete;
pub use field::{Field, Room};
pub use form::{Ask, Dialog, Form, Part, Stop, Work};
pub use help::{Help, HelpLine};
pub use log::Log;
pub use new_chat::NewChat;
pub use outcome::{failed, losses, places, settle};
pub use palette::{Palette, PaletteEntry};
pub use places::{HINT_LINES, Places};
pub use project::Project;
pub use rename::Rename;
pub use stop::{AfterHalt, Halt};
pub use wish::Wish;
