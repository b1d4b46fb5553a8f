//! The composer: the field below a transcript in which a person writes prompts.
//!
//! A prompt goes the way of `parlour send` ([`sending`]): it leaves the field, and comes back where it cannot be stored. What
//! is not sent yet is a draft of its chat, which a worker writes down ([`drafts`]). Start at [`ComposerView`].

pub mod chip;
pub mod chips;
pub mod data;
mod drafts;
mod history;
pub mod place;
mod press;
mod sending;

pub use chips::run as on_chip;
pub use data::ComposerView;
pub use drafts::{leave, settle, wakes};
pub use history::arrived;
pub use press::{click, is_possible, paste, press, propose, run, write};
pub use sending::{failed, told};
