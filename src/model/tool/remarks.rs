//! Remarks on an agent's changes, as it reads and answers them.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes, reads};

/// The tool that only reviewers are offered.
pub const ADD_REMARK: &str = "add_remark";

pub(super) fn tools() -> [ToolOf<RemarkCall>; 3] {
    [
        ToolOf {
            name: "list_remarks",
            does: "Remarks on this chat's changes.",
            when: Some("what was remarked on your changes"),
            ..reads::<ListRemarks, RemarkList, _>()
        },
        ToolOf {
            name: "answer_remark",
            does: "Answer a remark; resolved closes it.",
            when: Some("answer a remark once you acted on it, or say why not"),
            ..changes::<AnswerRemark, AnsweredRemark, _>()
        },
        // Only a reviewer has it, and its first prompt says when to use it.
        ToolOf {
            name: ADD_REMARK,
            does: "Say what is wrong with the changes you review.",
            ..changes::<AddRemark, AddedRemark, _>()
        },
    ]
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RemarkCall {
    List,
    Answer(AnswerRemark),
    /// A reviewer has found something.
    Add(AddRemark),
}

#[derive(Deserialize, JsonSchema)]
struct ListRemarks {}

#[derive(Serialize, Deserialize, JsonSchema)]
struct RemarkList {
    text: String,
}

/// What an agent says to a remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerRemark {
    pub id: u64,
    pub text: String,
    #[serde(default)]
    pub resolved: bool,
}

/// What a reviewer finds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AddRemark {
    /// Its directory below projects/
    pub project: String,
    /// In the project
    pub path: PathBuf,
    /// From 1, in the changed file. Left out: the whole file
    #[serde(default)]
    pub line: Option<u32>,
    /// If it is about several
    #[serde(default)]
    pub last_line: Option<u32>,
    pub text: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct AddedRemark {
    id: u64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct AnsweredRemark {
    state: String,
}

impl From<ListRemarks> for RemarkCall {
    fn from(ListRemarks {}: ListRemarks) -> RemarkCall {
        RemarkCall::List
    }
}

impl From<AnswerRemark> for RemarkCall {
    fn from(asked: AnswerRemark) -> RemarkCall {
        RemarkCall::Answer(asked)
    }
}

impl From<AddRemark> for RemarkCall {
    fn from(found: AddRemark) -> RemarkCall {
        RemarkCall::Add(found)
    }
}
