//! The MCP servers of a chat.

pub mod done;
pub mod work;
