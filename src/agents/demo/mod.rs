//! The demo agent: a small scripted agent, plainly marked, that goes the way a real one goes.
//!
//! It makes parlour whole on a machine without any agent CLI. It is a process of its own in a terminal, calls parlour's
//! tools over MCP and parlour's hooks as Claude Code would, and makes real edits and commits in a real clone. `adapter`
//! is how parlour starts it; all else is the program, which knows of parlour only what an agent is told. Start reading
//! the program at [`run`].

mod actor;
mod adapter;
mod edit;
mod git;
mod hooks;
mod keys;
mod page;
mod remarks;
mod run;
mod sample;
mod script;
mod source;
mod talk;
mod team;
mod terminal;
mod tools;

pub use adapter::DemoAdapter;
pub use run::{DemoOptions, run};
pub use sample::sample_repository;

#[cfg(test)]
mod tests;
