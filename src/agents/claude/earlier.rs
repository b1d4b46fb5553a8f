//! A session that ends before an earlier prompt of another one: the transcript ahead of it, under an id of its own.

use std::collections::HashSet;
use std::fs::File;

use serde_json::Value;
use uuid::Uuid;

use super::transcript::ClaudeTranscript;
use super::{rewinds, sessions};
use crate::agents::{Fork, LookedBack, Parent, cut};
use crate::model::{EarlierPrompt, Problem};

/// In the record of a chat that went back: the transcript as this session of it begins.
pub(super) fn begins_with(session: &str) -> String {
    format!("forked-{session}.jsonl")
}

/// The lines ahead of a prompt, for the CLI to take up.
pub(super) fn copy(parent: &Parent, transcript: &File, before: &EarlierPrompt) -> Result<Fork, Problem> {
    let lines = ahead(transcript, before)?;
    if !sessions::is_talk(&lines) {
        return Ok(Fork::Empty);
    }
    let session = Uuid::new_v4().to_string();
    parent.hand_down_lines(&lines, &begins_with(&session))?;
    Ok(Fork::Session(session))
}

/// What [`copy`] would hand down.
pub(super) fn look(transcript: &File, before: &EarlierPrompt) -> Result<LookedBack, Problem> {
    Ok(match sessions::is_talk(&ahead(transcript, before)?) {
        true => LookedBack::Talk,
        false => LookedBack::Nothing,
    })
}

fn ahead(transcript: &File, before: &EarlierPrompt) -> Result<Vec<String>, Problem> {
    let mut lines = cut::lines_of(transcript)?;
    let later = lines.split_off(cut::line_of(Box::new(ClaudeTranscript::default()), &lines, before)?);
    let ids = later.iter().filter_map(|line| id_of(&parse(line)));
    let taken = later.first().map(|prompt| rewinds::taken_back(&lines, prompt));
    let gone = ids.chain(taken.into_iter().flatten()).collect();
    let mut lines = without(lines, gone);
    lines.retain(|line| !names_an_end(line));
    Ok(lines)
}

/// Measured: on a busy machine the CLI writes a line of its newest turn ahead of what it took over from another session.
/// Such a line follows one that comes later in the file, and the CLI would go on from it. So it is left out with what is
/// gone, as is all that follows what a person took back.
fn without(lines: Vec<String>, mut gone: HashSet<String>) -> Vec<String> {
    let mut parsed: Vec<(String, Value)> = lines
        .into_iter()
        .map(|line| {
            let value = parse(&line);
            (line, value)
        })
        .collect();
    loop {
        let before = parsed.len();
        parsed.retain(|(_, line)| {
            let own = id_of(line);
            let follows = line["parentUuid"].as_str().is_some_and(|parent| gone.contains(parent));
            let is_gone = follows || own.as_ref().is_some_and(|own| gone.contains(own));
            if follows {
                gone.extend(own);
            }
            !is_gone
        });
        if parsed.len() == before {
            return parsed.into_iter().map(|(line, _)| line).collect();
        }
    }
}

/// Measured: the CLI goes on from the line that the last `last-prompt` names, and from the newest one where there is none.
/// It writes one from time to time; the last of a part of a session may name the end of a turn that was cut off, which
/// nothing that was said later follows.
fn names_an_end(line: &str) -> bool {
    parse(line)["type"] == "last-prompt"
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_default()
}

fn id_of(line: &Value) -> Option<String> {
    line["uuid"].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{id_of, names_an_end, parse, without};

    #[test]
    fn the_line_that_names_an_earlier_end_is_left_out() {
        let line = json!({ "type": "last-prompt", "lastPrompt": "count the owls", "leafUuid": "owls" });
        assert!(names_an_end(&line.to_string()));
        assert!(!names_an_end(&json!({ "type": "user", "uuid": "owls" }).to_string()));
    }

    #[test]
    fn what_was_written_ahead_of_what_it_follows_is_left_out() {
        let line = |id: &str, parent: Option<&str>| json!({ "uuid": id, "parentUuid": parent }).to_string();
        let title = json!({ "type": "ai-title" }).to_string();
        let early = [line("answer", Some("tool")), line("tool", Some("owls"))];
        let told = [title, line("gulls", None), line("counted", Some("gulls"))];
        let later = [line("terns", Some("counted")), line("owls", Some("terns"))];
        let lines = [&early[..], &told[..]].concat();
        let gone = later.iter().filter_map(|line| id_of(&parse(line))).collect();
        assert_eq!(without(lines, gone), told);
    }
}
