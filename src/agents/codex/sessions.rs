//! Where Codex keeps what was said in a session: `sessions/YYYY/MM/DD/rollout-DATE-SESSION.jsonl` under its home.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::agents::adapter::Env;
use crate::fs::{Dir, DirEntryKind};

/// Of a transcript, where its session is named.
const START: u64 = 2048;

/// `~/.codex`, or where the person moved it.
pub(super) fn home(env: &Env) -> PathBuf {
    match env.get("CODEX_HOME").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir),
        None => PathBuf::from(env.get("HOME").map_or("/", String::as_str)).join(".codex"),
    }
}

/// Where the transcript of a session is.
pub(super) fn transcript(session: &str, env: &Env) -> Option<PathBuf> {
    let found = find(session, env)?;
    let below = found.strip_prefix(".").unwrap_or(&found);
    Some(home(env).join("sessions").join(below))
}

/// The transcript of a session, below all of them. None exists until a prompt was sent, and resuming without one ends the CLI.
pub(super) fn find(session: &str, env: &Env) -> Option<PathBuf> {
    if !is_session(session) {
        return None;
    }
    let sessions = Dir::open(home(env).join("sessions")).ok()?;
    let ending = ending(session);
    let mut days = vec![PathBuf::from(".")];
    for _ in 0..3 {
        days = days
            .iter()
            .flat_map(|dir| below(&sessions, dir, DirEntryKind::Dir))
            .collect();
    }
    let mut files = days.iter().flat_map(|day| below(&sessions, day, DirEntryKind::File));
    files.find(|file| file.to_string_lossy().ends_with(&ending))
}

fn below(sessions: &Dir, dir: &Path, kind: DirEntryKind) -> Vec<PathBuf> {
    let entries = sessions.entries(dir).unwrap_or_default();
    let of_kind = entries.into_iter().filter(|entry| entry.kind == kind);
    of_kind.map(|entry| dir.join(&entry.name)).collect()
}

/// Whether that is the place of this session's transcript.
pub(super) fn is_rollout(path: &Path, session: &str, env: &Env) -> bool {
    let Ok(below) = path.strip_prefix(home(env).join("sessions")) else {
        return false;
    };
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    let [year, month, day, file] = parts.as_slice() else {
        return false;
    };
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    [year, month, day].iter().all(|part| is_number(part))
        && is_session(session)
        && file.starts_with("rollout-")
        && file.ends_with(&ending(session))
}

/// The days on which the session began, and on which it goes on.
pub(super) fn sub_agent_folders(transcript: &Path) -> Vec<PathBuf> {
    let Some(first) = transcript.parent() else {
        return Vec::new();
    };
    let newest = |dir: PathBuf| {
        let entries = Dir::open(&dir).and_then(|dir| dir.entries(".")).unwrap_or_default();
        let dirs = entries.into_iter().filter(|entry| entry.kind == DirEntryKind::Dir);
        dirs.map(|entry| entry.name).max().map(|name| dir.join(name))
    };
    let root = first.ancestors().nth(3).map(Path::to_path_buf);
    let last = root.and_then(newest).and_then(newest).and_then(newest);
    let mut days = vec![first.to_path_buf()];
    days.extend(last.filter(|last| last != first));
    days
}

/// The id of the sub-agent whose transcript this is. Its first line names the session that it belongs to, ahead of
/// instructions that are long.
pub(super) fn sub_agent(transcript: &Path, file: &Path) -> Option<String> {
    let session = session_of(transcript)?;
    let id = session_of(file).filter(|id| *id != session)?;
    let mut start = Vec::new();
    let folder = Dir::open(file.parent()?).ok()?;
    let opened = folder.open_file(file.file_name()?).ok()??;
    opened.take(START).read_to_end(&mut start).ok()?;
    let named = format!("\"session_id\":\"{session}\"");
    String::from_utf8_lossy(&start).contains(&named).then_some(id)
}

fn session_of(rollout: &Path) -> Option<String> {
    let name = rollout.file_name()?.to_str()?.strip_suffix(".jsonl")?;
    let at = name.len().checked_sub(36)?;
    let session = name.get(at..)?;
    (name.starts_with("rollout-") && is_session(session)).then(|| session.into())
}

fn ending(session: &str) -> String {
    format!("-{session}.jsonl")
}

fn is_session(text: &str) -> bool {
    uuid::Uuid::try_parse(text).is_ok() && text.len() == 36
}
