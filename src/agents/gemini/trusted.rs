//! Which directories Gemini CLI trusts. It takes a directory beside its own only once that is trusted, and asks at each start
//! until a person has it remembered. What they opened in the chat is: the chat's own list says so, beside what theirs says.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::sessions;
use crate::agents::LaunchContext;
use crate::fs::Dir;
use crate::model::chat::Directory;
use crate::model::{Problem, ResultExt};

/// The CLI's list of its own, in its directory, and the variable that names another one.
const OWN: &str = "trustedFolders.json";
pub(super) const NAMED_BY: &str = "GEMINI_CLI_TRUSTED_FOLDERS_PATH";
/// The chat's, in its record.
const FILE: &str = "gemini-trusted-folders.json";
const MOST_BYTES: u64 = 256 << 10;

const DENIED: &str = "DO_NOT_TRUST";

/// Writes the chat's list, and tells where. Nothing where a person's own cannot be read: what it denies would be lost.
pub(super) fn write(context: &LaunchContext, dirs: &[&Directory]) -> Result<Option<PathBuf>, Problem> {
    let named = context.env.get(NAMED_BY).filter(|path| !path.is_empty());
    let own = named.map_or_else(|| sessions::config_dir(context.env).join(OWN), PathBuf::from);
    let Some(mut list) = read(&own).filter(|_| !dirs.is_empty()) else {
        return Ok(None);
    };
    let record = Dir::open(context.record).doing("preparing Gemini CLI")?;
    // What a person denied in this chat stays denied.
    let before = read(&context.record.join(FILE)).unwrap_or_default();
    list.extend(before.into_iter().filter(|(_, trust)| trust == DENIED));
    for dir in dirs {
        if !is_denied(&list, dir) {
            list.insert(dir.origin.clone(), "TRUST_FOLDER".into());
        }
    }
    let text = format!("{:#}\n", Value::Object(list));
    record.write_atomic(FILE, &text).doing("preparing Gemini CLI")?;
    Ok(Some(context.record.join(FILE)))
}

/// A person does not trust it, or a directory above it: of several entries the CLI goes by the longest.
fn is_denied(list: &Map<String, Value>, dir: &Directory) -> bool {
    let denied = list.iter().filter(|(_, trust)| *trust == DENIED);
    let mut denied = denied.filter_map(|(path, _)| Path::new(path).canonicalize().ok());
    denied.any(|above| Path::new(&dir.origin).starts_with(above))
}

fn read(list: &Path) -> Option<Map<String, Value>> {
    let dir = match Dir::open(list.parent()?) {
        Ok(dir) => dir,
        Err(_) if !list.exists() => return Some(Map::new()),
        Err(_) => return None,
    };
    match dir.read(list.file_name()?, MOST_BYTES).ok()? {
        Some(bytes) => serde_json::from_slice(&bytes).ok(),
        None => Some(Map::new()),
    }
}
