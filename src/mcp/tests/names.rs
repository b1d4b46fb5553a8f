//! What agents are told of the tools.

use std::path::Path;

use rmcp::model::Tool;

use crate::mcp::tool_list::listed;
use crate::model::tool::{Equipped, tools};

/// All that an agent reads of parlour's tools, word for word.
#[test]
fn what_agents_are_told_of_each_tool() {
    let tools: Vec<Tool> = tools(Equipped::Bare).map(listed).collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/mcp"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("tools", serde_json::to_string_pretty(&tools).unwrap()));
}
