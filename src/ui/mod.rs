//! Drawing: `&State` in, cells out. One file a surface.
//!
//! Decides nothing and keeps nothing: where things are is `screen::layout`'s, what is selected is the view's. All
//! text that others wrote goes through [`text`], which cuts it by width and shows what is hidden. Start at [`render`].

mod approvals;
mod atom;
mod automations;
mod call;
mod choose;
mod dialog;
mod explain;
mod field;
mod foot;
mod grid;
mod header;
mod help;
mod history;
pub mod ink;
mod inspector;
mod key_card;
mod leader;
mod log;
mod mark;
mod mend;
mod message;
mod output;
mod palette;
mod pane;
mod picker;
mod piece;
mod proposed;
mod reader;
mod rename;
mod scene;
mod screen;
mod scrollbar;
mod servers;
mod settings;
mod sidebar;
mod sign;
mod slash;
mod start;
mod stored;
mod surfaces;
mod tab;
mod terminal;
pub mod text;
mod toast;
mod tour;
mod trash;
mod usage;
mod veil;

pub use scene::CursorAt;
pub use screen::{bare_screen, render, title};
pub use terminal::BareScreen;
