//! What the tests stand on: a scripted model, real agent CLIs, and a terminal to run it in; the real parlour in
//! a home of its own; states of parlour as a person would have them, and their pictures.

pub mod acp;
pub mod auxiliary;
pub mod cast;
pub mod claude;
pub mod codex;
pub mod commands;
pub mod composer;
pub mod composing;
pub mod dialog;
pub mod disk;
pub mod events;
pub mod gemini;
pub mod golden;
pub mod keep;
pub mod mcp;
pub mod model_server;
pub mod npm;
pub mod opencode;
pub mod page;
pub mod paper;
pub mod parlour;
pub mod picked;
pub mod picture;
pub mod pulls;
pub mod radar;
pub mod review;
pub mod settings;
#[cfg(target_os = "linux")]
pub mod storage_calls;
pub mod team;
pub mod terminal;
pub mod told;
pub mod transcript;
pub mod usage;
pub mod world;
