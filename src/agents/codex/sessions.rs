//! Where Codex keeps what was said in a session: `sessions/YYYY/MM/DD/rollout-DATE-SESSION.jsonl` under its home, and in
//! `rollout-DATE-SESSION_PART.jsonl` what was said since somebody went back in it.

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

/// Where the transcript of a session is: of what was said before somebody went back in it.
pub(super) fn transcript(session: &str, env: &Env) -> Option<PathBuf> {
    let mut files = transcripts(session, env).into_iter();
    files.find(|file| RolloutName::of(file).is_some_and(|name| name.part.is_none()))
}

/// The files of a session, oldest first: it goes on in another one since each time somebody went back in the CLI. None
/// exists until a prompt was sent, and resuming without one ends the CLI.
pub(super) fn transcripts(session: &str, env: &Env) -> Vec<PathBuf> {
    match is_session(session) {
        true => transcripts_in(&home(env).join("sessions"), session),
        false => Vec::new(),
    }
}

/// The same, below the folder of all sessions.
pub(super) fn transcripts_in(sessions: &Path, session: &str) -> Vec<PathBuf> {
    let Ok(dir) = Dir::open(sessions) else {
        return Vec::new();
    };
    let mut days = vec![PathBuf::from(".")];
    for _ in 0..3 {
        days = days
            .iter()
            .flat_map(|day| below(&dir, day, DirEntryKind::Dir))
            .collect();
    }
    let files = days.iter().flat_map(|day| below(&dir, day, DirEntryKind::File));
    let is_of_it = |file: &PathBuf| RolloutName::of(file).is_some_and(|name| name.session == session);
    let mut found: Vec<PathBuf> = files.filter(is_of_it).collect();
    // Their names begin with their times.
    found.sort();
    let path = |file: PathBuf| sessions.join(file.strip_prefix(".").unwrap_or(&file));
    found.into_iter().map(path).collect()
}

fn below(sessions: &Dir, dir: &Path, kind: DirEntryKind) -> Vec<PathBuf> {
    let entries = sessions.entries(dir).unwrap_or_default();
    let of_kind = entries.into_iter().filter(|entry| entry.kind == kind);
    of_kind.map(|entry| dir.join(&entry.name)).collect()
}

/// Whether that is the place of one of this session's transcripts.
pub(super) fn is_rollout(path: &Path, session: &str, env: &Env) -> bool {
    let Ok(below) = path.strip_prefix(home(env).join("sessions")) else {
        return false;
    };
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    let [year, month, day, _] = parts.as_slice() else {
        return false;
    };
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    [year, month, day].iter().all(|part| is_number(part))
        && RolloutName::of(path).is_some_and(|name| name.session == session)
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
    let session = RolloutName::of(transcript)?.session;
    let id = RolloutName::of(file)?.session;
    if id == session {
        return None;
    }
    let mut start = Vec::new();
    let folder = Dir::open(file.parent()?).ok()?;
    let opened = folder.open_file(file.file_name()?).ok()??;
    opened.take(START).read_to_end(&mut start).ok()?;
    let named = format!("\"session_id\":\"{session}\"");
    String::from_utf8_lossy(&start).contains(&named).then_some(id)
}

/// What the name of a transcript says.
pub(super) struct RolloutName {
    pub session: String,
    /// The id of the part that this file holds, where the session went on in it after somebody went back.
    pub part: Option<String>,
}

impl RolloutName {
    pub fn of(file: &Path) -> Option<RolloutName> {
        let name = file.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        let name = name.strip_prefix("rollout-")?;
        let (rest, last) = id_at_end(name)?;
        let Some(rest) = rest.strip_suffix('_') else {
            let (session, part) = (last.to_owned(), None);
            return rest.ends_with('-').then_some(RolloutName { session, part });
        };
        let (rest, session) = id_at_end(rest)?;
        rest.ends_with('-').then(|| RolloutName {
            session: session.to_owned(),
            part: Some(last.to_owned()),
        })
    }
}

fn id_at_end(name: &str) -> Option<(&str, &str)> {
    let (rest, id) = name.split_at_checked(name.len().checked_sub(36)?)?;
    is_session(id).then_some((rest, id))
}

fn is_session(text: &str) -> bool {
    uuid::Uuid::try_parse(text).is_ok() && text.len() == 36
}
