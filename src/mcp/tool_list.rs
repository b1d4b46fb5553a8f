//! The table of tools as the protocol lists it.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};

use crate::model::tool::{Reads, ToolEntry};

pub(super) fn listed(entry: &ToolEntry) -> Tool {
    let tool = Tool::new(entry.name, entry.does, Arc::new((entry.arguments)()))
        .with_raw_output_schema(Arc::new((entry.answer)()));
    match entry.reads {
        Reads::Only => tool.with_annotations(ToolAnnotations::new().read_only(true)),
        Reads::No => tool,
    }
}
