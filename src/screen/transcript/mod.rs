//! The Transcript tab: what was asked, said and done in a chat, in order.
//!
//! What is loaded is a window into the file on disk ([`window`]); items are made of its lines ([`item`]), and an item is laid
//! out once, when it comes in sight ([`laid`]). Drawing, keys and the mouse all work on the rows that are in sight
//! ([`sight`]). Start at [`TranscriptView`]; [`settle`] asks workers for what the screen lacks.

pub mod data;
mod events;
mod flow;
pub mod item;
pub mod items;
pub mod laid;
mod load;
pub mod place;
mod press;
pub mod row;
mod sight;
pub mod turn;
mod window;

pub use data::TranscriptView;
pub use load::{arrived, go_to, settle, share};
pub use press::{hints, is_possible, mouse, run, scroll_page};
