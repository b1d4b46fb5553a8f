//! The tools that parlour offers to agents: one table, from which all lists of them are made.
//!
//! An entry says a tool's name, what it does, when to use it, what goes in and what comes out. From the table come what
//! the MCP server lists, the lines in `AGENTS.md`, what an agent CLI runs unasked and the names that rules know; the
//! table in `docs/teams.md` is checked against it. Each topic has a file with its entries, their types, and the calls that they
//! become: a new tool begins there. Start at [`ToolEntry`].
//!
//! Every agent reads all of this at its start, so each word costs.

mod arguments;
mod atoms;
mod call;
mod entry;
mod history;
mod inbox;
mod local_calls;
mod projects;
mod remarks;
mod schedules;
mod table;
mod team;
#[cfg(test)]
mod tests;
mod todos;

pub use call::ToolCall;
pub use entry::{Reads, ToolOf};
pub use history::SearchHistory;
pub use inbox::{InboxCall, SendMessage};
pub use projects::{OpenDirAnswer, ProjectCall, SaveProjectSetup, Tallied};
pub use remarks::{ADD_REMARK, AddRemark, AnswerRemark, RemarkCall};
pub use table::{Equipped, ToolEntry, is_own, named, tools, unknown};
pub use team::{Dispatch, TeamCall, WaitFor};
pub use todos::{TodoCall, UpdateTodos};
