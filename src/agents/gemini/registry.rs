//! Gemini CLI's own list of directories, `~/.gemini/projects.json`: under which name it keeps what it has of each.
//!
//! It enters a directory that it does not know by writing that file again, for which it would have to be let write all
//! beside it, its settings and hooks too. So a chat that is held in by the kernel is entered before.

use serde_json::Value;

use super::sessions;
use crate::agents::lock::Lock;
use crate::agents::{LaunchContext, merge};
use crate::fs::Dir;
use crate::model::Problem;

const FILE: &str = "projects.json";

/// Enters the chat's directory, under the chat's id, where it has no name yet.
pub(super) fn enter(context: &LaunchContext) -> Result<(), Problem> {
    let problem = |why: String| Problem::fault("naming the chat to Gemini CLI", why).hinted("start the agent again");
    let dir = Dir::open_or_create(sessions::config_dir(context.env)).map_err(|error| problem(error.to_string()))?;
    let _lock = Lock::take(&dir, FILE).map_err(problem)?;
    let real = context.dir.canonicalize().unwrap_or_else(|_| context.dir.into());
    merge::edit(&dir, FILE, |root| {
        let known = merge::object(root, "projects")?;
        let name = Value::from(context.chat.id.to_string());
        known.entry(real.to_string_lossy()).or_insert(name);
        Ok(())
    })
}
