//! Chats that work together: trees of them ([`tree`]), made by [`dispatch`], with messages ([`inbox`]) and a plan of
//! atoms ([`atom`]) that they share.

pub mod atom;
pub mod dispatch;
pub mod done;
pub mod family;
pub mod history;
pub mod inbox;
pub(super) mod limits;
mod message_prompt;
pub mod reach;
pub mod state;
pub mod stop_tree;
pub mod tool;
pub mod tree;
pub mod unreported;
mod until;
pub mod wait;
pub mod wait_for;
pub mod work;
