//! The Transcript tab: what was asked, said and done in a chat, in order.
//!
//! What is loaded is a window into the file on disk (`window`); items are made of its lines ([`items`]), and an item is laid
//! out once, when it comes in sight (`laid`). Drawing, keys and the mouse all work on the rows that are in sight
//! (`sight`). Start at [`TranscriptView`]; [`settle`] asks workers for what the screen lacks.

pub mod call;
pub(in crate::screen) mod copying;
pub mod data;
pub mod events;
pub mod flow;
pub mod found;
pub mod item;
pub mod items;
mod jump;
mod laid;
pub mod linked;
mod load;
pub mod markdown;
mod matches;
pub mod moment;
pub mod place;
mod press;
pub mod row;
pub mod search;
mod sight;
mod table;
mod targets;
pub mod turn;
mod wants;
mod window;

pub use data::TranscriptView;
pub use load::{arrived, coloured, go_to, go_to_last_error, go_to_moment, settle, share, show_found};
pub use press::{
    hints, is_possible, leave, mouse, open_output, opens_by_enter, run, scroll_page, toggle_beside, writes_by_enter,
};
pub use sight::{bar, scroll_to};
