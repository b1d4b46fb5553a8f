//! The client as a person's terminal and the engine see it.

mod asks;
mod attaches;
mod ends;
mod engine;
mod terminal;
