//! Remarks on an agent's changes, as it reads and answers them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes, reads};

pub(super) fn tools() -> [ToolOf<RemarkCall>; 2] {
    [
        ToolOf {
            name: "list_remarks",
            does: "Remarks on lines of this chat's changes.",
            when: Some("what was remarked on your changes"),
            ..reads::<ListRemarks, RemarkList, _>()
        },
        ToolOf {
            name: "answer_remark",
            does: "Answer a remark; resolved closes it.",
            when: Some("answer a remark once you acted on it, or say why not"),
            ..changes::<AnswerRemark, AnsweredRemark, _>()
        },
    ]
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RemarkCall {
    List,
    Answer(AnswerRemark),
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
