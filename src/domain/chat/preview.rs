//! A chat's last words, for the sidebar.

use crate::domain::call::called;
use crate::model::Happened;
use crate::model::entry::ToolStatus;
use crate::model::status::INTERRUPTED;
use crate::model::text::{one_line, one_plain_line};

/// What is said of a call that somebody refused.
pub const DENIED: &str = "denied";

/// Characters of a chat's last words in the sidebar.
const PREVIEW: usize = 120;

/// What an entry says, in one line; most say nothing worth a preview.
pub fn words(what: &Happened) -> Option<String> {
    match what {
        Happened::Prompt { text, .. } => Some(one_line(text, PREVIEW)),
        Happened::Text { text, .. } => Some(one_plain_line(text, PREVIEW)),
        Happened::Error { message, .. } => Some(one_line(message, PREVIEW)),
        Happened::Note { text } => Some(one_line(text, PREVIEW)),
        Happened::ToolStart { name, .. } => Some(one_line(&called(name), PREVIEW)),
        Happened::ToolEnd { status, .. } => match status {
            // A call's name would say that it ran.
            ToolStatus::Denied => Some(DENIED.into()),
            ToolStatus::Interrupted => Some(INTERRUPTED.into()),
            ToolStatus::Ok | ToolStatus::Error | ToolStatus::Unknown => None,
        },
        Happened::Session { .. }
        | Happened::Thinking { .. }
        | Happened::Permission { .. }
        | Happened::Usage { .. }
        | Happened::Status { .. }
        | Happened::Compaction { .. }
        | Happened::Summary { .. }
        | Happened::Background { .. }
        | Happened::Message { .. }
        | Happened::Cwd { .. }
        | Happened::Subagent { .. }
        | Happened::SubagentText { .. }
        | Happened::Interrupt { .. }
        | Happened::Retry { .. }
        | Happened::Revert { .. }
        | Happened::Unknown { .. } => None,
    }
}
