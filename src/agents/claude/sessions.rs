//! Where Claude Code keeps its sessions, and what it has of one.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::trust;
use crate::agents::adapter::Env;
use crate::fs::{Dir, DirEntryKind};

/// What the CLI has of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Nothing,
    /// A transcript in which nobody has said anything: what is left where the CLI was killed right after its first prompt.
    /// It neither resumes such a session nor begins another one of the same id.
    Shell,
    Talk,
    /// In this transcript, of another directory: the chat's own was moved. It is found by its path alone.
    Elsewhere(PathBuf),
}

/// The lines of a transcript of which one is enough to resume it.
const TALK: [&str; 3] = ["user", "assistant", "attachment"];

/// `~/.claude`, or where the person moved it.
pub(super) fn config_dir(env: &Env) -> PathBuf {
    match env.get("CLAUDE_CONFIG_DIR").filter(|dir| !dir.is_empty()) {
        Some(dir) => PathBuf::from(dir),
        None => trust::home(env).join(".claude"),
    }
}

/// No transcript exists until a prompt was sent, and resuming without one ends the CLI.
pub(super) fn kept(session: &str, dir: &Path, env: &Env) -> Kept {
    let Some((path, file)) = find(session, env) else {
        return Kept::Nothing;
    };
    let Some(first) = first_words(&file) else {
        return Kept::Shell;
    };
    // The CLI names its directory without links.
    let real = dir.canonicalize();
    let is_here = |cwd: &Path| cwd == dir || real.as_ref().is_ok_and(|real| cwd == real);
    match first["cwd"].as_str() {
        Some(cwd) if !is_here(Path::new(cwd)) => Kept::Elsewhere(path),
        Some(_) | None => Kept::Talk,
    }
}

/// The transcript of a session in which something was said.
pub(super) fn talk(session: &str, env: &Env) -> Option<File> {
    let (_, mut file) = find(session, env).filter(|(_, file)| first_words(file).is_some())?;
    file.rewind().ok()?;
    Some(file)
}

/// Under which name the CLI keeps a directory's transcripts is its own affair, so all are looked through.
fn find(session: &str, env: &Env) -> Option<(PathBuf, File)> {
    if !is_session_id(session) {
        return None;
    }
    let projects = Dir::open(config_dir(env).join("projects")).ok()?;
    let file = format!("{session}.jsonl");
    let entries = projects.entries(".").unwrap_or_default();
    let dirs = entries.iter().filter(|entry| entry.kind == DirEntryKind::Dir);
    let mut found = dirs.filter_map(|dir| {
        let path = Path::new(&dir.name).join(&file);
        let file = projects.open_file(&path).ok()??;
        Some((projects.path().join(path), file))
    });
    found.next()
}

/// The first line by which it can be resumed.
fn first_words(file: &File) -> Option<Value> {
    let lines = BufReader::new(file).lines().map_while(Result::ok);
    let mut lines = lines.map(|line| serde_json::from_str::<Value>(&line).unwrap_or_default());
    lines.find(|line| line["type"].as_str().is_some_and(|kind| TALK.contains(&kind)))
}

/// Whether somebody said something in these lines of a transcript.
pub(super) fn is_talk(lines: &[String]) -> bool {
    lines.iter().any(|line| {
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        matches!(line["type"].as_str(), Some("user" | "assistant"))
    })
}

pub(super) fn is_session_id(text: &str) -> bool {
    uuid::Uuid::try_parse(text).is_ok() && text.len() == 36
}
