//! The map: what parlour is, how data flows, and the list of rooms. No code.
//!
//! parlour is a full-screen terminal program from which one developer runs many AI coding agents at once. One
//! process, the engine, holds everything and lives on; clients are thin and come and go.
//!
//! ```text
//! clients, ptys, hooks, mcp calls, disk, clock ──▶ Event ──▶ app::update ──▶ State ──▶ ui::render ──▶ bytes
//!                                                    ▲            └─▶ Effects ──▶ workers ──▶ services
//!                                                    └──────────────────── Done ◀────────────┘
//! ```
//!
//! `model` holds the nouns. `domain` decides for chats and `screen` for people, `app` says which of them an event goes to, and
//! `ui` draws, all without IO. `git`, `pty`, `store`, `history`, `mcp`, `agents`
//! and `config` are the services. `engine` runs the loop, `client` owns a terminal, `wire` is what they say to each other.

pub mod agents;
pub mod app;
pub mod cli;
pub mod client;
pub mod config;
pub mod domain;
pub mod engine;
pub mod fs;
pub mod git;
pub mod history;
pub mod mcp;
pub mod model;
pub mod permission;
pub mod pty;
pub mod screen;
pub mod store;
pub mod sys;
pub mod term;
pub mod ui;
pub mod wire;
