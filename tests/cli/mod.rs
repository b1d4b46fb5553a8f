//! The shell's verbs as a person's scripts see them: the real binary, against an engine that the test plays.

mod approvals;
mod completions;
mod config;
mod engine;
mod hooks;
mod piped;
mod queries;
mod schedules;
mod verbs;
mod waits;
