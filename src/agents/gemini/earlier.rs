//! A session that ends before an earlier prompt of another one: a transcript under an id of its own, beside the other or
//! where the CLI keeps what it has of the directory in which it will go on.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use uuid::Uuid;

use super::transcript::GeminiTranscript;
use super::{registry, sessions};
use crate::agents::{Fork, Parent, ReadTranscript, cut};
use crate::fs::Dir;
use crate::model::{EarlierPrompt, Happened, Problem, ResultExt};

const DOING: &str = "going back in the conversation";

pub(super) fn copy(parent: &Parent, before: &EarlierPrompt) -> Result<Fork, Problem> {
    let mut missing = None;
    for told in sessions::conversations(parent.session, parent.env) {
        match said_before(&told.lines, before) {
            Ok(said) if sessions::has_talk(&said) => return write(parent, &told.path, &told.header, &said),
            Ok(_) => return Ok(Fork::Empty),
            Err(problem) => missing = Some(problem),
        }
    }
    missing.map_or(Ok(Fork::Empty), Err)
}

/// Looks for the prompt.
pub(super) fn find(parent: &Parent, before: &EarlierPrompt) -> Result<(), Problem> {
    let mut missing = None;
    for told in sessions::conversations(parent.session, parent.env) {
        match said_before(&told.lines, before) {
            Ok(_) => return Ok(()),
            Err(problem) => missing = Some(problem),
        }
    }
    missing.map_or(Ok(()), Err)
}

/// What stood there when the prompt came. Where the session was taken up in another file, its messages stand in one line.
fn said_before(lines: &[String], before: &EarlierPrompt) -> Result<Vec<Value>, Problem> {
    if let Ok(at) = cut::line_of(Box::new(GeminiTranscript::default()), lines, before) {
        return Ok(sessions::messages(&lines[..at]));
    }
    let mut messages = sessions::messages(lines);
    let prompts = prompts(&messages);
    let place = cut::place_of(prompts.iter().map(|(_, id, text)| (&**id, &**text)), before)?;
    messages.truncate(prompts[place].0);
    Ok(messages)
}

/// Where they stand, with id and text. Each message is read by itself: behind its context the CLI repeats others.
fn prompts(messages: &[Value]) -> Vec<(usize, String, String)> {
    let read = |(at, message): (usize, &Value)| {
        let told = GeminiTranscript::default().line(&message.to_string());
        told.into_iter().find_map(|told| {
            let Happened::Prompt { id, text, .. } = told.what else {
                return None;
            };
            Some((at, id, text))
        })
    };
    messages.iter().enumerate().filter_map(read).collect()
}

/// Each message is a line, the first of all says whose session it is.
fn write(parent: &Parent, transcript: &Path, header: &Value, messages: &[Value]) -> Result<Fork, Problem> {
    let session = Uuid::new_v4().to_string();
    let mut header = header.clone();
    header["sessionId"] = json!(session);
    let mut text = format!("{header}\n");
    for message in messages {
        text.push_str(&format!("{message}\n"));
    }
    let folder = folder(parent, transcript)?;
    let name = transcript.file_name().unwrap_or_default().to_string_lossy();
    let short = |id: &str| id.get(..8).unwrap_or(id).to_owned();
    let named = name.replace(
        &format!("-{}.jsonl", short(parent.session)),
        &format!("-{}.jsonl", short(&session)),
    );
    let folder = Dir::open_or_create(folder).doing(DOING)?;
    folder.write_atomic(named, text).doing(DOING)?;
    Ok(Fork::Session(session))
}

fn folder(parent: &Parent, transcript: &Path) -> Result<PathBuf, Problem> {
    let beside = transcript.parent().unwrap_or(transcript);
    if parent.into == parent.record {
        return Ok(beside.to_path_buf());
    }
    let name = registry::name_of(parent.env, parent.dir)?;
    Ok(sessions::config_dir(parent.env).join("tmp").join(name).join("chats"))
}
