//! Dialogs: what asks a person something, or shows a page of it. One file a dialog.
//!
//! Each keeps the [`Contract`], by which `screen/dialogs.rs` hands it keys and answers. Most are an [`Ask`]: they say what
//! they consist of ([`Part`]) and what is wanted once they are answered ([`Wish`]), and all else follows from that. None
//! of them knows the screen that it lies on, but for what [`Around`] shows.

mod approvals;
mod around;
mod asking;
mod atom;
mod buttons;
mod cancel;
mod choose;
mod compose_wish;
mod contract;
mod delete;
mod discard;
mod drafts;
mod explain;
mod field;
mod focus;
mod form;
mod found;
mod help;
mod history;
mod keep;
mod kinds;
mod log;
mod loss;
mod mend;
mod new_chat;
mod output;
mod page;
pub mod palette;
pub mod place;
mod places;
mod project;
mod proposed;
mod remark;
mod rename;
mod revert;
mod schedule;
mod servers;
mod settings;
mod several;
pub mod slash;
mod stop;
pub mod tables;
mod template_form;
mod todo;
mod tour;
mod trash;
mod usage;
mod wish;

pub use approvals::{Approvals, PlacedApprovals, TypedAnswer};
pub use around::{Around, Subject};
pub use asking::is_confirmation;
pub use atom::{AtomForm, AtomLine, AtomPage};
pub use buttons::Button;
pub use cancel::Cancel;
pub use choose::{ChoiceItem, Choose};
pub use compose_wish::{ComposeWish, MendWish, SlashChoice};
pub use contract::Contract;
pub use delete::Delete;
pub use discard::Discard;
pub use drafts::Drafts;
pub use explain::ExplainPage;
pub use field::{Field, Room};
pub use focus::{AtomField, NewChatField, ScheduleField, Stop};
pub use form::{Ask, Form, Part, UNREAD_MS, Work};
pub use found::{FoundMoment, FoundOutput};
pub use help::{Help, HelpEntry, HelpLine, PlacedHelp};
pub use history::{HistorySearch, PlacedHistory};
pub use keep::KeepForm;
pub use kinds::Dialog;
pub use log::Log;
pub use mend::{MendDoes, MendItem, MendMenu};
pub use new_chat::NewChat;
pub use output::{Output, TypedFor, Whole};
pub use palette::{Palette, PaletteEntry};
pub use places::{HERE, HINT_LINES, Places};
pub use project::Project;
pub use proposed::Proposed;
pub use remark::RemarkForm;
pub use rename::Rename;
pub use revert::RevertQuestion;
pub use schedule::ScheduleForm;
pub use servers::{Confirm, Servers};
pub use settings::{
    EntryForm, EntryLine, KeyCatch, SettingChoices, SettingInput, SettingMode, SettingRow, SettingsFocus,
    SettingsKnown, SettingsPage, SettingsPlace,
};
pub use several::{Several, SeveralAct};
pub use slash::Slash;
pub use stop::{AfterHalt, Halt};
pub use template_form::TemplateForm;
pub use todo::TodoForm;
pub use tour::{Tour, TourPlace};
pub use trash::Trash;
pub use usage::{UsagePage, UsageTab};
pub use wish::{OutputWish, Question, Reply, ScheduleWish, SettingWish, Wish};
