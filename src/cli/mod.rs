//! The command line: what a person types in a shell, and what they see there.
//!
//! One line a verb in `run` leads to the room that does it. Most verbs are a question to the engine, whose answer is
//! printed as JSON or in words; `doctor` looks at the home by itself. Start at [`run`].

mod agreement;
mod approvals;
mod args;
mod bound;
mod changes;
mod compare;
mod complete;
mod config;
mod demo;
mod dir_spec;
mod directory;
mod doctor;
mod edit;
mod environment;
mod explain;
mod export;
mod help_text;
mod home;
mod hook;
mod init;
mod keep;
mod list;
mod main_chat;
mod manual;
mod meant;
mod numbers;
mod opening;
mod output;
mod person_only;
mod pick;
mod piped;
mod query;
mod queue;
mod remark;
mod removal;
mod replay;
mod requests;
mod review;
mod roles;
mod run;
mod schedule;
mod script;
mod search;
mod send;
mod servers;
mod single_word;
mod status;
mod storage;
mod table;
mod templates;
mod theme;
mod todos;
mod trashed;
mod usage;
mod values;
mod watching;
mod work;
mod wrong_use;

pub use run::run;

#[cfg(test)]
mod tests;
