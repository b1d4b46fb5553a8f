//! The MCP servers of a chat.

pub mod work;
