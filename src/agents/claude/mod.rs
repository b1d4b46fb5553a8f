//! Claude Code, as measured with 2.1.197 and 2.1.332.
//!
//! `files` is what it reads at its start, `hooks` what it calls us with and how we answer, `trust` its own state,
//! `transcript` and `screen` the other ways to learn what it does, `composer` where its prompts are typed,
//! `kinds` and `pasted` what in its transcript is no talk, `cut_turn` an interrupt that it tells late, `branches` and
//! `rewinds` what a person takes back, `trouble` what its errors mean, `sessions` where its transcripts lie, `earlier` how
//! one that ends before a prompt is made. Start at [`Claude`].

mod adapter;
mod branches;
mod commands;
mod composer;
mod cut_turn;
mod earlier;
mod files;
pub(super) mod hooks;
mod kinds;
mod pasted;
mod raw;
mod rewinds;
mod screen;
mod sessions;
mod shell_mode;
mod transcript;
mod trouble;
mod trust;

pub use adapter::Claude;
pub(super) use screen::read_title;

#[cfg(test)]
mod tests;
