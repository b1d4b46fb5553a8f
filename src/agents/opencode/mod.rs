//! OpenCode, as measured with 1.18.33.
//!
//! It has no hooks and no transcript file: its terminal UI is the client of a server in the same process, which streams
//! all that happens. `config` is what it is told at its start, by its environment alone; `server` where its server will
//! be; `chat_config` what files beside it may not say, and `own_rules` what a person's own say of permissions; `sessions` understands the stream, with `message` and `part` for the pieces of messages, `calls` for tools and questions,
//! `order` for the order of it all, `live` for words that are still arriving, `undone` for what a person takes back and
//! `windows` for what its models hold; `moved` is for a home with another path;
//! `composer` is where prompts are typed. Start at [`OpenCode`].

mod adapter;
mod calls;
mod chat_config;
mod commands;
mod composer;
mod config;
mod fork;
mod live;
mod moved;
mod order;
mod own_rules;
mod part;
mod rules;
mod server;
mod sessions;
mod stored_message;
mod undone;
mod windows;

pub use adapter::OpenCode;

#[cfg(test)]
mod tests;
