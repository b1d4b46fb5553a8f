//! A session that ends before an earlier prompt of another one: a copy of its transcript beside it, under an id of its own.

use std::path::PathBuf;

use uuid::Uuid;

use serde_json::Value;

use super::rollout::Rollout;
use super::{parts, sessions};
use crate::agents::{Fork, Parent, ReadTranscript, cut};
use crate::fs::Dir;
use crate::model::{EarlierPrompt, Happened, Problem, ResultExt};

const DOING: &str = "going back in the conversation";

pub(super) fn copy(parent: &Parent, before: &EarlierPrompt) -> Result<Fork, Problem> {
    let files = sessions::transcripts(parent.session, parent.env);
    let (Some(found), Some(lines)) = (files.first(), said_before(&files, before)?) else {
        return Ok(Fork::Empty);
    };
    let (Some(day), Some(name)) = (found.parent(), found.file_name().and_then(|name| name.to_str())) else {
        return Ok(Fork::Empty);
    };
    let day = Dir::open(day).doing(DOING)?;
    let session = Uuid::new_v4().to_string();
    let (old, new) = (format!("\"{}\"", parent.session), format!("\"{session}\""));
    // Between bare quotes it is a value of its own: in a text its quotes would be escaped.
    let renamed: String = lines.iter().map(|line| line.replace(&old, &new)).collect();
    day.write_atomic(name.replace(parent.session, &session), renamed)
        .doing(DOING)?;
    Ok(Fork::Session(session))
}

/// Looks for the prompt.
pub(super) fn find(parent: &Parent) -> Result<(), Problem> {
    let files = sessions::transcripts(parent.session, parent.env);
    parent
        .before
        .map_or(Ok(()), |before| said_before(&files, before).map(drop))
}

/// The lines ahead of a prompt; none where nothing was said there.
fn said_before(files: &[PathBuf], before: &EarlierPrompt) -> Result<Option<Vec<String>>, Problem> {
    if files.is_empty() {
        return Ok(None);
    }
    let mut lines = parts::lines(files, DOING)?;
    lines.truncate(end(&lines, before)?);
    let is_talk = |what: &Happened| matches!(what, Happened::Prompt { .. } | Happened::Text { .. });
    Ok(brings(&lines, is_talk).then_some(lines))
}

/// A turn begins some lines ahead of its prompt. One that was added to a turn at work ends nothing but itself.
fn end(lines: &[String], before: &EarlierPrompt) -> Result<usize, Problem> {
    let at = cut::line_of(Box::new(Rollout::default()), lines, before)?;
    let begins = |line: &String| {
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        line["payload"]["type"] == "task_started"
    };
    let began = lines[..at].iter().rposition(begins).unwrap_or(at);
    let is_first = !brings(&lines[began..at], |what| matches!(what, Happened::Prompt { .. }));
    if is_first {
        return Ok(began);
    }
    // For the model it stands in a line of its own, just before.
    let for_model = |line: &String| {
        let line: Value = serde_json::from_str(line).unwrap_or_default();
        line["type"] == "response_item" && line["payload"]["role"] == "user"
    };
    let ahead = lines[..at].iter().rev().take_while(|line| for_model(line)).count();
    Ok(at - ahead)
}

fn brings(lines: &[String], is_it: impl Fn(&Happened) -> bool) -> bool {
    let mut reader = Rollout::default();
    lines
        .iter()
        .flat_map(|line| reader.line(line))
        .any(|told| is_it(&told.what))
}
