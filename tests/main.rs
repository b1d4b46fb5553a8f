//! What is tested above the rooms, in one binary.
//!
//! `support` holds what the tests stand on; `model` checks our stand-in for a model against the real Claude Code;
//! `client` is the thin side in a real terminal, `cli` the verbs of a shell, both against an engine that the test plays;
//! `pane` has panes with real terminals, supervisors and programs; `app` tells what follows from what a person does at a
//! screen; `ui` draws built states into goldens; `story` has the real binary live through what a person may do to it;
//! `terminal` has real agent CLIs at work in it; `promises` has a test for each promise that parlour makes under faults.

// A test that cannot go on should stop where it is; what its parts do is no different.
#![allow(clippy::unwrap_used)]

mod app;
mod cli;
mod client;
mod model;
mod pane;
mod promises;
mod story;
mod support;
mod terminal;
mod ui;
