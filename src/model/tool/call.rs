//! What agents may ask of parlour over MCP, parsed.

use serde::{Deserialize, Serialize};

use super::history::SearchHistory;
use super::inbox::InboxCall;
use super::projects::ProjectCall;
use super::remarks::RemarkCall;
use super::team::TeamCall;
use super::todos::TodoCall;
use crate::model::request::ScheduleAsk;
use crate::model::{LocalCall, atom};

/// A tool call of one agent, by its topic. Who calls is told by its token, never by the arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToolCall {
    Project(ProjectCall),
    Team(TeamCall),
    Inbox(InboxCall),
    Work(atom::AtomAsk),
    Schedule(ScheduleAsk),
    Todo(TodoCall),
    Remark(RemarkCall),
    History(SearchHistory),
    /// Of an agent whose CLI has no tools of its own.
    LocalCall(LocalCall),
}
