//! The Changes tab: a timeline of turns, the files that differ between two moments, and the lines of one of them.
//!
//! What stands where is made here, for drawing, keys and the mouse alike. Start at [`ChangesView`]; workers compare, and
//! [`settle`] asks them for what the screen lacks.

mod ask;
mod attempts;
pub mod card;
pub mod choice;
mod copy;
pub mod data;
pub mod detail;
mod discarded;
mod edit;
pub mod file_key;
pub mod find;
mod folding;
pub mod folds;
pub mod goal;
mod going;
mod hints;
pub mod in_place;
pub mod keep;
pub mod line_keys;
pub mod lines;
mod load;
mod meant;
mod newer_turn;
mod opinion;
pub mod origin;
pub mod place;
mod press;
mod remarking;
pub mod remarks;
mod reviewed;
pub mod search;
pub mod sets;
pub mod sought;
mod staging;
pub mod timeline;
pub mod told_turn;
pub mod tree;
pub mod work;

pub use data::{ChangesPart, ChangesView};
pub use file_key::{DiffLook, FileKey};
pub use hints::hints;
pub use load::{arrived, compare_with, failed, file_arrived, settle, take_checkpoint, taken};
pub use press::{bars, is_possible, mouse, open_revert, run, scroll_page, scroll_to, undo};
