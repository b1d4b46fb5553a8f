//! The tools agents may call, over MCP on a loopback port.
//!
//! A request passes three doors before a tool sees it: `lobby` bounds who is connected, `gate` reads the head
//! and finds out who calls, `body` reads the JSON. What a call does is not known here: it is handed to a
//! [`Switchboard`], and so is everything that was refused. Start at [`serve`]. The other way round, `inquiry` asks
//! servers of others which tools they have.

mod body;
mod calls;
mod gate;
mod handler;
mod inquiry;
mod limits;
mod listed;
mod lobby;
mod measure;
mod progress;
mod serve;
mod switchboard;
#[cfg(test)]
mod tests;
mod tokens;

pub use inquiry::tools_of;
pub use limits::McpLimits;
pub use progress::{ProgressReports, Step};
pub use serve::{listen, serve};
pub use switchboard::{Refusal, Switchboard, TokenHolder};
pub use tokens::{Carried, Token, Tokens};
