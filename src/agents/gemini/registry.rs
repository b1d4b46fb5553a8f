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
/// In its folders of a directory: the path of that. It gives them to no other.
const OWNER: &str = ".project_root";
const FOLDERS: [&str; 2] = ["tmp", "history"];

const DOING: &str = "naming the chat to Gemini CLI";
const HINT: &str = "start the agent again";

/// Enters the chat's directory, under the chat's id, where it has no name yet.
pub(super) fn enter(context: &LaunchContext) -> Result<(), Problem> {
    name_of(context.env, context.dir).map(drop)
}

/// Gives a chat that was moved what the CLI has under its old path: it finds a session by its directory alone.
pub(super) fn follow(env: &Env, dir: &Path) -> Result<(), Problem> {
    let config = Dir::open_or_create(sessions::config_dir(env)).doing_or(DOING, HINT)?;
    let _lock = Lock::take(&config, FILE).doing_or(DOING, HINT)?;
    let (real, own) = names(dir);
    merge::edit(&config, FILE, |root| {
        let known = merge::object(root, "projects")?;
        let is_left = |path: &str| path != real && !Path::new(path).is_dir();
        let ours = known.iter().find(|(path, name)| **name == *own && is_left(path));
        let Some(old) = ours.map(|(path, _)| path.clone()) else {
            return Ok(());
        };
        for folder in FOLDERS.map(|folder| Path::new(folder).join(&own)) {
            if config.dir(&folder).is_ok() {
                let written = config.write_atomic(folder.join(OWNER), &real);
                written.map_err(|error| error.to_string())?;
            }
        }
        known.remove(&old);
        known.insert(real, own.into());
        Ok(())
    })
}

/// The name of that directory, which is entered where it has none yet. The directory of a chat has the chat's id as its
/// own name.
pub(super) fn name_of(env: &Env, dir: &Path) -> Result<String, Problem> {
    let config = Dir::open_or_create(sessions::config_dir(env)).doing_or(DOING, HINT)?;
    let _lock = Lock::take(&config, FILE).doing_or(DOING, HINT)?;
    let (real, own) = names(dir);
    let mut name = own.clone();
    merge::edit(&config, FILE, |root| {
        let known = merge::object(root, "projects")?;
        let entry = known.entry(real).or_insert(Value::from(own));
        if let Some(known) = entry.as_str() {
            name = known.into();
        }
        Ok(())
    })?;
    Ok(name)
}

/// A directory's path as the CLI writes it, and its own name.
fn names(dir: &Path) -> (String, String) {
    let real = dir.canonicalize().unwrap_or_else(|_| dir.into());
    let own = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    (real.to_string_lossy().into_owned(), own)
}
