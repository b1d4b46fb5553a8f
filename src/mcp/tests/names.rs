//! What is offered, and what runs unasked by its name.

use std::path::Path;

use rmcp::model::Tool;

use crate::mcp::tools::offers;
use crate::mcp::{Equipped, names};
use crate::model::tool::OWN;

#[test]
fn all_that_is_offered_is_known_as_parlours_own() {
    let offered: Vec<&str> = names(Equipped::Bare).collect();
    assert_eq!(offered, OWN);
}

/// All that an agent reads of parlour's tools, word for word.
#[test]
fn what_agents_are_told_of_each_tool() {
    let tools: Vec<&Tool> = offers(Equipped::Bare).map(|offer| &offer.tool).collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots/mcp"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("tools", serde_json::to_string_pretty(&tools).unwrap()));
}
