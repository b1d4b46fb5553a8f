//! An agent CLI that a person named in `config.json`: any program that speaks MCP.
//!
//! `template` writes its settings, `lines` reads its transcript by the fields that were named. Start at [`Custom`].

mod adapter;
mod lines;
mod placeholders;
mod template;

pub use adapter::Custom;

#[cfg(test)]
mod tests;
