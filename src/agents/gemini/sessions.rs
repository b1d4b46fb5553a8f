//! Gemini CLI's own record of its sessions: where their transcripts lie, and whether one can be gone on with.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::message::{self, CONTEXT, HOOK_CONTEXT};
use crate::agents::adapter::Env;
use crate::fs::{Dir, DirEntryKind};
use crate::model::{Problem, ResultExt};

/// Beginnings of what it does not count as anybody's words.
const DROPPED: [&str; 4] = ["/", "?", CONTEXT, HOOK_CONTEXT];

/// What the CLI has of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Nothing,
    /// A transcript in which nobody has said anything: what is left where the CLI was killed before its first prompt, or
    /// where the only one was refused.
    Shell,
    Talk,
}

/// `~/.gemini`, or where the person moved it.
pub(super) fn config_dir(env: &Env) -> PathBuf {
    let named = |name: &str| env.get(name).filter(|dir| !dir.is_empty());
    let home = named("GEMINI_CLI_HOME").or_else(|| named("HOME"));
    Path::new(home.map_or("/", String::as_str)).join(".gemini")
}

/// Whether this is the path of one of the session's transcripts. A resumed session has several: each start makes one,
/// and goes on in the first.
pub(super) fn is_transcript(path: &Path, session: &str, env: &Env) -> bool {
    let chats = path.parent();
    let project = chats.and_then(Path::parent);
    is_session_id(session)
        && path.file_name().is_some_and(|name| is_of(name, session))
        && chats.and_then(Path::file_name) == Some(OsStr::new("chats"))
        && project.is_some_and(|project| project.file_name().is_some())
        && project.and_then(Path::parent) == Some(&config_dir(env).join("tmp"))
}

/// Writes a conversation back that a kill has cut. A start in the same minute as an earlier one goes on in its file: it
/// replaces all that stands there by a context and puts the conversation behind it again a moment later, if it lives.
pub(super) fn restore(session: &str, env: &Env) -> Result<(), Problem> {
    let found = is_session_id(session).then(|| kept_of(session, env)).flatten();
    for (path, lines) in found.unwrap_or_default() {
        if let Some(lost) = Conversation::read(lines).lost() {
            let hint = "what was said in it stands in parlour's own record: `parlour log CHAT`";
            append(&path, &json!({"$set": {"messages": lost}})).doing_or("restoring a session of Gemini CLI", hint)?;
        }
    }
    Ok(())
}

fn append(path: &Path, line: &Value) -> Result<(), String> {
    let chats = Dir::open(path.parent().unwrap_or(path)).map_err(|error| error.to_string())?;
    let file = chats.append(path.file_name().unwrap_or_default());
    let mut file = file.map_err(|error| error.to_string())?;
    // What the kill left of a last line is not to take this one with it.
    let written = file.write_all(format!("\n{line}\n").as_bytes());
    written.map_err(|error| error.to_string())
}

/// Under which name the CLI keeps a directory's transcripts is its own affair, so all are looked through.
pub(super) fn kept(session: &str, env: &Env) -> Kept {
    if !is_session_id(session) {
        return Kept::Shell;
    }
    let found = kept_of(session, env).unwrap_or_default();
    match found.is_empty() {
        true => Kept::Nothing,
        false if found.into_iter().any(|(_, lines)| Conversation::read(lines).has_talk()) => Kept::Talk,
        false => Kept::Shell,
    }
}

/// The session's transcripts that are there.
pub(super) fn transcripts(session: &str, env: &Env) -> Vec<PathBuf> {
    let found = is_session_id(session).then(|| kept_of(session, env)).flatten();
    found.unwrap_or_default().into_iter().map(|(path, _)| path).collect()
}

/// What one transcript of a session holds.
pub(super) struct KeptConversation {
    pub path: PathBuf,
    /// Its first line.
    pub header: Value,
    /// Those behind it.
    pub lines: Vec<String>,
}

/// What was said in the session, by each of its transcripts.
pub(super) fn conversations(session: &str, env: &Env) -> Vec<KeptConversation> {
    let found = is_session_id(session).then(|| kept_of(session, env)).flatten();
    let read = |(path, lines): (PathBuf, Lines<BufReader<File>>)| {
        let first = Dir::open(path.parent()?).ok()?.open_file(path.file_name()?).ok()??;
        let header = BufReader::new(first).lines().next()?.ok()?;
        Some(KeptConversation {
            header: serde_json::from_str(&header).ok()?,
            lines: lines.map_while(Result::ok).collect(),
            path,
        })
    };
    found.unwrap_or_default().into_iter().filter_map(read).collect()
}

/// The messages that these lines leave.
pub(super) fn messages(lines: &[String]) -> Vec<Value> {
    Conversation::read(lines.iter().cloned().map(Ok)).messages
}

/// Whether anybody said something in these messages.
pub(super) fn has_talk(messages: &[Value]) -> bool {
    messages.iter().any(is_talk)
}

/// Each transcript of the session with the lines behind its first one.
fn kept_of(session: &str, env: &Env) -> Option<Vec<(PathBuf, Lines<BufReader<File>>)>> {
    let projects = Dir::open(config_dir(env).join("tmp")).ok()?;
    let folders = projects.entries(".").ok()?.into_iter();
    let chats = folders
        .filter(|entry| entry.kind == DirEntryKind::Dir)
        .filter_map(|entry| projects.dir(Path::new(&entry.name).join("chats")).ok());
    let files = chats.flat_map(|chats| {
        let entries = chats.entries(".").unwrap_or_default().into_iter();
        let ours = entries.filter(|entry| is_of(OsStr::new(&entry.name), session));
        let open = |name: OsString| {
            let file = chats.open_file(&name).ok().flatten()?;
            Some((chats.path().join(name), file))
        };
        ours.filter_map(|entry| open(entry.name)).collect::<Vec<_>>()
    });
    let lines = |(path, file)| Some((path, lines_of(file, session)?));
    Some(files.filter_map(lines).collect())
}

/// A file's name holds eight letters of the id, and its first line all of it.
fn lines_of(file: File, session: &str) -> Option<Lines<BufReader<File>>> {
    let mut lines = BufReader::new(file).lines();
    let header: Value = serde_json::from_str(&lines.next()?.ok()?).ok()?;
    (header["sessionId"] == session).then_some(lines)
}

/// What a transcript holds, read as the CLI reads it: the newest line of a message counts, and lists of messages replace
/// what stood before. What was refused or broken off is taken out that way.
#[derive(Default)]
struct Conversation {
    messages: Vec<Value>,
    /// What stood there when a start began to go on in this file.
    before: Vec<Value>,
}

impl Conversation {
    fn read(lines: impl Iterator<Item = std::io::Result<String>>) -> Conversation {
        let mut read = Conversation::default();
        for line in lines.map_while(Result::ok) {
            if let Ok(entry) = serde_json::from_str::<Value>(&line) {
                read.take(entry);
            }
        }
        read
    }

    fn take(&mut self, entry: Value) {
        if let Some(list) = entry["$set"]["messages"].as_array() {
            self.messages.clone_from(list);
        } else if let Some(first) = entry["$rewindTo"].as_str() {
            let place = self.messages.iter().position(|message| message["id"] == first);
            self.messages.truncate(place.unwrap_or(self.messages.len()));
        } else if entry["type"].is_string() {
            self.messages.retain(|known| known["id"] != entry["id"]);
            self.messages.push(entry);
        } else if entry["sessionId"].is_string() && self.has_talk() {
            self.before.clone_from(&self.messages);
        }
    }

    fn has_talk(&self) -> bool {
        self.messages.iter().any(is_talk)
    }

    /// What was said, where the last start has taken it out and nothing is said since.
    fn lost(self) -> Option<Vec<Value>> {
        let is_lost = !self.has_talk() && !self.before.is_empty();
        is_lost.then_some(self.before)
    }
}

/// What looks like its own commands and contexts is nobody's words for the CLI.
fn is_talk(message: &Value) -> bool {
    let text = message::plain(&message["content"]);
    let text = text.trim();
    let is_there = |key: &str| message[key].as_array().is_some_and(|list| !list.is_empty());
    match message["type"].as_str() {
        Some("user") => !text.is_empty() && !DROPPED.iter().any(|mark| text.starts_with(mark)),
        Some("gemini") => !text.is_empty() || is_there("toolCalls") || is_there("thoughts"),
        Some(_) | None => false,
    }
}

fn is_of(name: &OsStr, session: &str) -> bool {
    let short = session.get(..8).unwrap_or(session);
    let name = name.to_string_lossy();
    name.starts_with("session-") && name.ends_with(&format!("-{short}.jsonl"))
}

/// Folders beside a session's transcript that are named by its id, of which the transcript's own name holds eight letters.
pub(super) fn sub_agent_folders(transcript: &Path) -> Vec<PathBuf> {
    let name = transcript
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let (Some((_, short)), Some(chats)) = (name.rsplit_once('-'), transcript.parent()) else {
        return Vec::new();
    };
    let entries = Dir::open(chats).and_then(|dir| dir.entries(".")).unwrap_or_default();
    let names = entries.into_iter().filter(|entry| entry.kind == DirEntryKind::Dir);
    let names = names.filter_map(|entry| entry.name.into_string().ok());
    let ours = names.filter(|name| name.starts_with(short) && is_session_id(name));
    ours.map(|name| chats.join(name)).collect()
}

/// The id of the sub-agent whose transcript this is: its file has no other name.
pub(super) fn sub_agent(file: &Path) -> Option<String> {
    let id = file.file_name()?.to_str()?.strip_suffix(".jsonl")?;
    is_session_id(id).then(|| id.into())
}

fn is_session_id(text: &str) -> bool {
    uuid::Uuid::try_parse(text).is_ok() && text.len() == 36
}
