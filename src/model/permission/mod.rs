//! What an agent may do without a person: the rules of `config.json` over parlour's own, and the verdict on one call.
//!
//! Rules are read once by [`Rules::parse`]; [`Rules::judge`] looks at a call and at nothing else: not at the disk, so
//! a symbolic link counts as the path it is written as, and not at what was answered before. Start at [`Rules::judge`].

mod builtin;
mod command;
mod path;
mod pattern;
mod rules;
mod shell;
mod tool;
mod word;
mod wrapper;

pub use pattern::{Misfit, check};
pub use rules::{BUILT_IN, Call, Rules, Ruling};

#[cfg(test)]
mod tests;
