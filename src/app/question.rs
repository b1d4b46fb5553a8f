//! What an agent asks before it uses a tool, and how that was answered.

use serde_json::Value;

use crate::model::entry::ToolStatus;
use crate::model::text::one_line;
use crate::model::{CallId, Happened, Timestamp};

use super::card::summary;

/// A permission dialog that is open or waits for the one before it.
pub struct Question {
    /// That of its tool; its own where no tool is known.
    pub id: String,
    pub tool: String,
    pub words: String,
    pub input: Value,
    /// Why it is asked and not simply allowed, where a rule says so.
    pub rule: Option<String>,
    pub at: Timestamp,
    /// The hook that waits for what is decided here.
    pub call: Option<CallId>,
    /// What answers it in its dialog, until that was typed.
    pub key: Option<Vec<u8>>,
    /// What was decided here.
    pub decided: Option<Decision>,
    /// The dialog is gone; what was answered shows when the tool ends.
    pub answered: bool,
}

/// What a person decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Allow,
    Deny,
}

impl Question {
    /// Answered by what became of its tool, where nobody decided here.
    pub fn settled(self, status: ToolStatus) -> Happened {
        let (answer, by) = match (self.decided, status) {
            (Some(Decision::Deny), _) | (None, ToolStatus::Denied) => ("denied", "person"),
            (Some(Decision::Allow), _) | (None, ToolStatus::Ok | ToolStatus::Error) => ("allowed", "person"),
            (None, ToolStatus::Interrupted) => ("dropped", "nobody"),
        };
        permission(self.id, self.tool, Value::Null, answer, by)
    }
}

pub fn permission(id: String, tool: String, input: Value, answer: &str, by: &str) -> Happened {
    Happened::Permission {
        id,
        tool,
        input,
        rule: None,
        answer: answer.into(),
        by: by.into(),
    }
}

/// What is asked, in one line: the tool and the part of its input that a person judges by.
pub fn words(tool: &str, input: &Value) -> String {
    // A tool that asks the person something itself.
    if let Some(question) = input["questions"][0]["question"].as_str() {
        return one_line(question, 120);
    }
    match summary(input).as_str() {
        "" => tool.into(),
        what => format!("{tool}: {}", one_line(what, 120)),
    }
}
