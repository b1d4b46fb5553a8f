//! The client as a person's terminal and the engine see it.

mod asks;
pub mod attaches;
pub mod ends;
mod engine;
mod lends;
mod terminal;
