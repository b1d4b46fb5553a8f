//! Where Claude Code keeps its sessions, and what it has of one.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::trust;
use crate::agents::adapter::Env;
use crate::fs::{Dir, DirEntryKind};

/// What the CLI has of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Nothing,
    /// A transcript in which nobody has said anything: what is left where the CLI was killed right after its first prompt.
    /// It neither resumes such a session nor begins another one of the same id.
    Shell,
    Talk,
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
pub(super) fn kept(session: &str, env: &Env) -> Kept {
    match find(session, env) {
        None => Kept::Nothing,
        Some(file) if has_talk(&file) => Kept::Talk,
        Some(_) => Kept::Shell,
    }
}

/// The transcript of a session in which something was said.
pub(super) fn talk(session: &str, env: &Env) -> Option<File> {
    let mut file = find(session, env).filter(has_talk)?;
    file.rewind().ok()?;
    Some(file)
}

/// Under which name the CLI keeps a directory's transcripts is its own affair, so all are looked through.
fn find(session: &str, env: &Env) -> Option<File> {
    if !is_session_id(session) {
        return None;
    }
    let projects = Dir::open(config_dir(env).join("projects")).ok()?;
    let file = format!("{session}.jsonl");
    let entries = projects.entries(".").unwrap_or_default();
    let dirs = entries.iter().filter(|entry| entry.kind == DirEntryKind::Dir);
    let mut found = dirs.filter_map(|dir| projects.open_file(Path::new(&dir.name).join(&file)).ok()?);
    found.next()
}

fn has_talk(file: &File) -> bool {
    let lines = BufReader::new(file).lines().map_while(Result::ok);
    let is_talk = |line: String| {
        let line: Value = serde_json::from_str(&line).unwrap_or_default();
        line["type"].as_str().is_some_and(|kind| TALK.contains(&kind))
    };
    lines.into_iter().any(is_talk)
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
