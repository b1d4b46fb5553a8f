//! A call that is judged.

use std::path::Path;

use serde_json::Value;

use crate::model::Area;

/// A call of a tool, as an agent CLI announces it.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// As the CLI calls it: `Bash`, `write_file`, `mcp__github__create_issue`.
    pub tool: &'a str,
    pub input: &'a Value,
    /// The agent's directory, absolute.
    pub cwd: &'a Path,
    /// Where the agent is now, where its CLI says so.
    pub at: Option<&'a Path>,
    /// What is open in its chat, each with its mode.
    pub dirs: &'a [Area],
}
