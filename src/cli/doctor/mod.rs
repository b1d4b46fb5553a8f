//! `parlour doctor`: what is wrong with a home and the machine it is on, and what to do about each.
//!
//! It asks the engine where one runs and reads the rest from disk. It changes nothing, and leaves no trace, unless it is
//! told to remove leftovers. Start at [`run`].

mod agents;
mod checkpoints;
mod checkup;
mod engine;
mod layout;
mod leftovers;
mod machine;
mod objects;
mod records;
mod report;
mod schedules;
mod settings;
mod transcript;
mod watches;

pub use checkup::run;

#[cfg(test)]
mod tests;
