//! Gemini CLI's own list of directories, `~/.gemini/projects.json`: under which name it keeps what it has of each.
//!
//! It enters a directory that it does not know by writing that file again, for which it would have to be let write all
//! beside it, its settings and hooks too. So a chat that is held in by the kernel is entered before.

use std::path::Path;

use serde_json::Value;

use super::sessions;
use crate::agents::adapter::Env;
use crate::agents::lock::Lock;
use crate::agents::{LaunchContext, merge};
use crate::fs::Dir;
use crate::model::{Problem, ResultExt};

const FILE: &str = "projects.json";

/// Enters the chat's directory, under the chat's id, where it has no name yet.
pub(super) fn enter(context: &LaunchContext) -> Result<(), Problem> {
    name_of(context.env, context.dir).map(drop)
}

/// The name of that directory, which is entered where it has none yet. The directory of a chat has the chat's id as its
/// own name.
pub(super) fn name_of(env: &Env, dir: &Path) -> Result<String, Problem> {
    let (doing, hint) = ("naming the chat to Gemini CLI", "start the agent again");
    let config = Dir::open_or_create(sessions::config_dir(env)).doing_or(doing, hint)?;
    let _lock = Lock::take(&config, FILE).doing_or(doing, hint)?;
    let real = dir.canonicalize().unwrap_or_else(|_| dir.into());
    let own = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut name = own.clone();
    merge::edit(&config, FILE, |root| {
        let known = merge::object(root, "projects")?;
        let entry = known.entry(real.to_string_lossy()).or_insert(Value::from(own));
        if let Some(known) = entry.as_str() {
            name = known.into();
        }
        Ok(())
    })?;
    Ok(name)
}
