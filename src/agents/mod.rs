//! The agent CLIs: how each is found, started, typed to, and how its hooks and files become parlour's events.
//!
//! One file or folder a CLI behind one trait. An adapter decides nothing about a chat: it says what a CLI needs and
//! what the CLI's words mean, and writes only the files that the CLI reads. Start at [`Adapter`].

mod adapter;
mod all;
mod choice;
mod claude;
mod codex;
pub mod commands;
mod composer;
mod custom;
mod cut;
mod declared_servers;
pub mod demo;
mod environment;
mod event_stream;
mod exit_code;
mod gemini;
mod hook_command;
mod hook_words;
mod kept_outputs;
pub mod linked;
mod lock;
mod login;
pub mod loopback;
mod merge;
mod opencode;
mod plain;
mod program;
mod servers;
mod shell;
mod sub_agent;
mod unknown_line;

pub use crate::model::HookAnswer;
pub use adapter::{
    Adapter, AgentAbsence, Env, Fork, LaunchContext, LookedBack, Parent, Prepared, ReadTranscript, RequestRetry,
    SessionFile, SessionIds, Trust, Writes,
};
pub use all::{all, find};
pub use declared_servers::{FoundServer, found_servers, own_servers};
pub use environment::scrubbed;
pub use event_stream::{EventStream, OurTools, Passage, ReadStream};
pub use kept_outputs::KeptOutputs;
pub use program::on_path;
pub use shell::{kept_cwd, shorten_prompt};
pub use sub_agent::OfSubAgent;

#[cfg(test)]
mod tests;
