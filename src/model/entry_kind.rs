//! What a line of the transcript counts as, by its kind: the beginning of a turn, work, a decision. And its key, by which
//! two sources that tell the same are known.

use super::Happened;
use super::entry::{PROMPT, Safety, ToolStatus};

impl Happened {
    /// A turn begins with it.
    pub fn begins_turn(&self) -> bool {
        matches!(self, Happened::Prompt { steer: false, .. })
    }

    /// Whether somebody said or did something. A start, an end or another status is none: after a restart the
    /// chats would all seem to be at work since.
    pub fn is_activity(&self) -> bool {
        !matches!(self, Happened::Session { .. } | Happened::Status { .. })
    }

    /// Its agent does something at that moment. What was closed because nobody saw its end is none.
    pub fn is_work(&self) -> bool {
        match self {
            Happened::ToolEnd { status, .. } => *status != ToolStatus::Unknown,
            Happened::Permission { answer, .. } => answer != "unknown",
            Happened::Text { .. }
            | Happened::Thinking { .. }
            | Happened::ToolStart { .. }
            | Happened::Retry { .. }
            | Happened::Usage { .. }
            | Happened::Error { .. }
            | Happened::Compaction { .. }
            | Happened::Summary { .. }
            | Happened::Subagent { .. }
            | Happened::SubagentText { .. } => true,
            Happened::Session { .. }
            | Happened::Prompt { .. }
            | Happened::Status { .. }
            | Happened::Background { .. }
            | Happened::Message { .. }
            | Happened::Cwd { .. }
            | Happened::Interrupt { .. }
            | Happened::Note { .. }
            | Happened::Revert { .. }
            | Happened::Unknown { .. } => false,
        }
    }

    /// Its agent itself answers what it was asked, in words or by a call.
    pub fn is_answer(&self) -> bool {
        match self {
            Happened::Text { .. } | Happened::Thinking { .. } => true,
            Happened::ToolStart { parent, .. } => parent.is_none(),
            Happened::Session { .. }
            | Happened::Prompt { .. }
            | Happened::ToolEnd { .. }
            | Happened::Retry { .. }
            | Happened::Permission { .. }
            | Happened::Usage { .. }
            | Happened::Status { .. }
            | Happened::Error { .. }
            | Happened::Compaction { .. }
            | Happened::Summary { .. }
            | Happened::Background { .. }
            | Happened::Message { .. }
            | Happened::Cwd { .. }
            | Happened::Subagent { .. }
            | Happened::SubagentText { .. }
            | Happened::Interrupt { .. }
            | Happened::Note { .. }
            | Happened::Revert { .. }
            | Happened::Unknown { .. } => false,
        }
    }

    /// A decision that is given only once it is written.
    pub fn is_given_once_written(&self) -> bool {
        matches!(
            self,
            Happened::Permission {
                given_once_written: true,
                ..
            }
        )
    }

    /// What tells this happening from every other in its chat, where its agent gave it an id.
    pub fn key(&self) -> Option<String> {
        let (kind, id) = match self {
            Happened::Prompt { id, .. } => return Some(Happened::prompt_key(id)),
            Happened::Text { id, .. } => ("text", id),
            Happened::Thinking { id, .. } => ("thinking", id),
            Happened::Summary { id, .. } => ("summary", id),
            Happened::SubagentText { id, parent, .. } => return Some(format!("sub-agent {parent} {id}")),
            Happened::ToolStart { id, .. } => return Some(Happened::start_key(id)),
            Happened::ToolEnd { id, .. } => return Some(Happened::end_key(id)),
            Happened::Session { .. }
            | Happened::Retry { .. }
            | Happened::Permission { .. }
            | Happened::Usage { .. }
            | Happened::Status { .. }
            | Happened::Error { .. }
            | Happened::Compaction { .. }
            | Happened::Background { .. }
            | Happened::Message { .. }
            | Happened::Cwd { .. }
            | Happened::Subagent { .. }
            | Happened::Interrupt { .. }
            | Happened::Note { .. }
            | Happened::Revert { .. }
            | Happened::Unknown { .. } => return None,
        };
        Some(format!("{kind} {id}"))
    }

    /// The [`Happened::key`] of a prompt.
    pub fn prompt_key(id: &str) -> String {
        format!("{PROMPT}{id}")
    }

    /// The [`Happened::key`] of a call's beginning.
    pub fn start_key(id: &str) -> String {
        format!("start {id}")
    }

    /// The [`Happened::key`] of a call's end.
    pub fn end_key(id: &str) -> String {
        format!("end {id}")
    }

    /// Prompts, permissions and what was done to a chat are decisions; the rest streams.
    pub fn safety(&self) -> Safety {
        match self {
            Happened::Prompt { .. }
            | Happened::Permission { .. }
            | Happened::Session { .. }
            | Happened::Message { .. }
            | Happened::Revert { .. }
            | Happened::Note { .. } => Safety::Decision,
            Happened::Text { .. }
            | Happened::Thinking { .. }
            | Happened::ToolStart { .. }
            | Happened::ToolEnd { .. }
            | Happened::Usage { .. }
            | Happened::Status { .. }
            | Happened::Error { .. }
            | Happened::Compaction { .. }
            | Happened::Summary { .. }
            | Happened::Background { .. }
            | Happened::Cwd { .. }
            | Happened::Subagent { .. }
            | Happened::SubagentText { .. }
            | Happened::Interrupt { .. }
            | Happened::Retry { .. }
            | Happened::Unknown { .. } => Safety::Stream,
        }
    }
}
