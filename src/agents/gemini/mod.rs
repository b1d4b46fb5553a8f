//! Gemini CLI, as measured with 0.61.0.
//!
//! `files` is what it reads at its start, `sessions` which of its sessions can be gone on with, `hooks` what it calls us
//! with and how we answer, `transcript` and `screen` the other ways to learn what it does, `composer` where prompts are
//! typed, `nudge` prompts that are nobody's, `rewinds` what a person takes back, `trusted` which directories they opened,
//! `message` what messages say. Its hooks give no ids, so they say what happens now and the transcript, a moment later, what
//! is told. Start at [`Gemini`].

mod adapter;
mod commands;
mod composer;
mod earlier;
mod files;
mod hooks;
mod message;
mod nudge;
mod registry;
mod rewinds;
mod rules;
mod screen;
mod sessions;
mod transcript;
mod trusted;

pub use adapter::Gemini;

#[cfg(test)]
mod tests;
