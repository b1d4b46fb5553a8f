//! The composer: the field below a transcript in which a person writes prompts.
//!
//! A prompt goes the way of `parlour send` ([`sending`]): it leaves the field, and comes back where it cannot be stored. What
//! is not sent yet is a draft of its chat, which a worker writes down ([`drafts`]). Start at [`ComposerView`].

mod asking;
pub mod chip;
pub mod chips;
mod choosing;
pub mod completion;
pub mod data;
mod drafts;
mod history;
mod news;
mod offers;
pub mod place;
mod press;
mod sending;

pub use chips::run as on_chip;
pub use choosing::{chosen, fill};
pub use data::ComposerView;
pub use drafts::{leave, settle, wakes};
pub use news::{arrived, edited, not_found};
pub use press::{click, is_possible, paste, press, propose, run, write};
pub use sending::{failed, send_for, told};
