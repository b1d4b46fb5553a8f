//! The tools agents may call, over MCP on a loopback port.
//!
//! A request passes three checks before a tool sees it: `admission` bounds who is connected, `authentication` reads the head
//! and finds out who calls, `body` reads the JSON. What a call does is not known here: it is handed to a
//! [`ToolHost`], and so is everything that was refused. Start at [`serve`]. The other way round, `server_tools` asks
//! servers of others which tools they have.

mod admission;
mod authentication;
mod body;
mod calls;
mod handler;
mod json_bounds;
mod limits;
mod progress;
mod serve;
mod server_tools;
#[cfg(test)]
mod tests;
mod tokens;
mod tool_host;
mod tool_list;

pub use limits::McpLimits;
pub use progress::{ProgressReports, Step};
pub use serve::{listen, serve};
pub use server_tools::tools_of;
pub use tokens::{Carried, Token, Tokens};
pub use tool_host::{Refusal, TokenHolder, ToolHost};
