//! Codex CLI, as measured with 0.169.0.
//!
//! `files` is what it reads at its start, `hooks` what it calls us with and how we answer, `rollout` its own transcript,
//! `sessions` where those lie, `parts` how one goes on after somebody went back in it, `screen` what its title and its
//! first screen say, `composer` where its prompts are typed. Its session begins with its first prompt: until then no hook
//! tells of it. Start at [`Codex`].

mod adapter;
mod commands;
mod composer;
mod earlier;
mod files;
mod hooks;
mod left_running;
mod parts;
mod provider;
mod rollout;
mod rules;
mod screen;
mod servers;
mod sessions;
mod user_defaults;

pub use adapter::Codex;

#[cfg(test)]
mod tests;
