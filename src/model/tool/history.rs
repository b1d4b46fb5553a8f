//! What was said and done before, in the caller's chat and in those around it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, reads};

pub(super) fn tools() -> [ToolOf<SearchHistory>; 1] {
    [ToolOf {
        name: "search_history",
        does: "Search transcripts and outputs of this chat, those below and its parent. Words, \"phrases\", chat: tool: \
               after: before: failed:.",
        when: Some("find what was said, run or printed before"),
        ..reads::<SearchHistory, FoundHistory, _>()
    }]
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SearchHistory {
    pub query: String,
    pub limit: Option<usize>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FoundHistory {
    hits: Vec<FoundEntry>,
    more: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FoundEntry {
    chat: String,
    seq: u64,
    time: String,
    kind: String,
    text: String,
}
