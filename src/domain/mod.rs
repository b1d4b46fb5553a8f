//! What parlour knows and decides of chats, whoever looks at it: chats, their agents, approvals, teams, schedules, scripts.
//!
//! No IO, no async, no clock. [`state`] holds it all. [`agent`] is one chat's agent, its process, status and prompts; [`approval`]
//! the questions about its tool calls; [`team`] many chats together; [`schedule`] chats on a clock. [`creation`] and
//! [`removal`] are a chat's beginning and end, and [`done`] goes on with what a worker has finished.
//!
//! A file imports from its own floor and from lower ones; [`floors`] hands upwards what a lower one tells.

pub mod agent;
pub mod agents;
pub mod approval;
pub mod ask;
pub mod attention;
pub mod auxiliary;
pub mod call;
pub mod chat;
pub mod chats;
pub mod creation;
pub mod disk;
pub mod done;
pub mod duplicate;
pub mod edit;
pub mod effect;
pub mod event;
pub mod floors;
pub mod for_model;
pub mod journal;
pub mod keep;
pub mod login;
mod lookup;
pub mod maintenance;
pub mod notice;
pub mod opening;
pub mod pane;
pub mod project;
pub mod query;
pub mod read;
pub mod removal;
pub mod reply;
pub mod requester;
pub mod review;
pub mod schedule;
pub mod script;
pub mod server;
pub mod setting;
pub mod size;
pub mod state;
pub mod storage;
pub mod team;
pub mod then;
pub mod todo;
pub mod tool;
pub mod trash;
pub mod usage;
pub mod work;
pub mod write_trouble;
pub mod written_prompt;

pub use effect::{Effect, PaneOrder};
pub use event::Event;
pub use state::Domain;
pub use work::Work;
