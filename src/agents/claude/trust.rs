//! Claude Code's own state, `~/.claude.json`: whether the directory of all chats is trusted in it.
//!
//! Trust covers what lies below a directory, so one entry is enough for every chat. The file is the person's live one,
//! rewritten by every running CLI and megabytes long: one key is set in it, under the CLI's own lock, and only if
//! nobody wrote meanwhile.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::agents::adapter::Env;
use crate::agents::lock::Lock;
use crate::agents::{Trust, merge};
use crate::fs::Dir;
use crate::model::{Problem, ResultExt};

const ACCEPTED: &str = "hasTrustDialogAccepted";
/// The largest seen were about 3 MB.
const MOST_BYTES: u64 = 64 << 20;
const TRIES: usize = 5;

pub(super) fn home(env: &Env) -> PathBuf {
    PathBuf::from(env.get("HOME").map_or("/", String::as_str))
}

/// It moves with `CLAUDE_CONFIG_DIR`, and otherwise lies beside `~/.claude`, not in it.
pub(super) fn state_file(env: &Env) -> PathBuf {
    match env.get("CLAUDE_CONFIG_DIR").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir).join(".claude.json"),
        None => home(env).join(".claude.json"),
    }
}

/// Trust as it stands after writing what there is consent for.
pub(super) fn settle(state: &Path, chats: &Path, consent: Option<bool>) -> Result<Trust, Problem> {
    let chats = chats.canonicalize().unwrap_or_else(|_| chats.to_path_buf());
    // A file that is missing means that the CLI's own welcome comes first; its questions are not ours to answer.
    let Ok(real) = state.canonicalize() else {
        return Ok(Trust::NotNeeded);
    };
    let (dir, name) = open(&real)?;
    let Some((_, root)) = read(&dir, name, state)? else {
        return Ok(Trust::NotNeeded);
    };
    if is_trusted(&root, &chats) {
        return Ok(Trust::Given);
    }
    match consent {
        Some(true) => write(&dir, name, state, &chats).map(|()| Trust::Given),
        Some(false) => Ok(Trust::Declined),
        None => Ok(Trust::Wanted(format!(
            "Claude Code asks in each new directory whether to trust it. Allow parlour to note in {} that {} is trusted, \
             and it starts without that question in every chat.",
            state.display(),
            chats.display()
        ))),
    }
}

fn open(real: &Path) -> Result<(Dir, &str), Problem> {
    let doing = "reading Claude Code's state";
    let (Some(parent), Some(name)) = (real.parent(), real.file_name().and_then(|name| name.to_str())) else {
        return Err(Problem::new(
            doing,
            format!("{} is no file", real.display()),
            "point CLAUDE_CONFIG_DIR at a directory that has one",
        ));
    };
    let dir = Dir::open(parent).doing(doing)?;
    Ok((dir, name))
}

type TrustFile = (Vec<u8>, Map<String, Value>);

fn read(dir: &Dir, name: &str, shown: &Path) -> Result<Option<TrustFile>, Problem> {
    let doing = "reading Claude Code's state";
    let hint = format!(
        "{} is left as it is; Claude Code will ask in each chat",
        shown.display()
    );
    let Some(bytes) = dir.read(name, MOST_BYTES).doing_or(doing, &hint)? else {
        return Ok(None);
    };
    let root = serde_json::from_slice(&bytes).doing_or(doing, hint)?;
    Ok(Some((bytes, root)))
}

/// Any directory above counts, as it does for the CLI.
fn is_trusted(root: &Map<String, Value>, chats: &Path) -> bool {
    let Some(projects) = root.get("projects") else {
        return false;
    };
    chats
        .ancestors()
        .any(|dir| projects[dir.to_string_lossy().as_ref()][ACCEPTED] == true)
}

fn write(dir: &Dir, name: &str, shown: &Path, chats: &Path) -> Result<(), Problem> {
    let doing = format!("noting trust in {}", shown.display());
    let hint = "try again, or answer Claude Code's question about trust in the chat";
    let problem = |why: String| Problem::fault(&doing, why).hinted(hint);
    let _lock = Lock::take(dir, name).doing_or(&doing, hint)?;
    for _ in 0..TRIES {
        let Some((before, mut root)) = read(dir, name, shown)? else {
            return Err(problem("it vanished".into()));
        };
        if is_trusted(&root, chats) {
            return Ok(());
        }
        let projects = merge::object(&mut root, "projects").map_err(problem)?;
        let entry = merge::object(projects, &chats.to_string_lossy()).map_err(problem)?;
        entry.insert(ACCEPTED.into(), true.into());
        let text = format!("{:#}", Value::Object(root));
        if replace_unchanged(dir, name, &before, &text).doing_or(&doing, hint)? {
            return Ok(());
        }
    }
    Err(problem("it is rewritten all the time".into()))
}

/// Puts `text` in place of `before`; `false` where the file is no longer what was read.
fn replace_unchanged(dir: &Dir, name: &str, before: &[u8], text: &str) -> Result<bool, crate::fs::Error> {
    let temporary = format!("{name}.parlour-{}", uuid::Uuid::new_v4());
    dir.write_atomic(&temporary, text)?;
    let replaced = match dir.read(name, MOST_BYTES) {
        Ok(now) if now.as_deref() == Some(before) => dir.rename(&temporary, dir, name).map(|()| true),
        Ok(_) => Ok(false),
        Err(e) => Err(e),
    };
    if !matches!(replaced, Ok(true)) {
        dir.remove_file(&temporary)?;
    }
    replaced
}
