//! What Gemini CLI writes where somebody goes back in it by `/rewind`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::agents::ReadTranscript;
use crate::agents::gemini::transcript::GeminiTranscript;
use crate::model::Happened;
use crate::model::talk::{OwnRewind, RewindEnd};

/// The prompts in these lines, each with its id, and what was taken back, as pieces of so many lines are read.
fn told(lines: &[String], at_once: usize) -> (Vec<(String, String)>, Vec<OwnRewind>) {
    let mut reader = GeminiTranscript::default();
    let (mut prompts, mut rewinds) = (Vec::new(), Vec::new());
    for piece in lines.chunks(at_once) {
        for line in piece {
            prompts.extend(reader.line(line).into_iter().filter_map(|told| match told.what {
                Happened::Prompt { id, text, .. } => Some((id, text)),
                _ => None,
            }));
        }
        rewinds.extend(reader.take_rewinds(Path::new("/nowhere")));
    }
    (prompts, rewinds)
}

fn taken((id, text): &(String, String), goes_on: RewindEnd) -> OwnRewind {
    let (prompt, text) = (id.clone(), text.clone());
    OwnRewind::Before { prompt, text, goes_on }
}

#[test]
fn a_line_says_from_which_prompt_on_all_is_taken_back() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/agents/gemini/transcript-went-back.jsonl");
    let lines: Vec<String> = fs::read_to_string(sample).unwrap().lines().map(String::from).collect();
    let (prompts, rewinds) = told(&lines, 1);
    let said: Vec<&str> = prompts.iter().map(|(_, text)| text.as_str()).collect();
    let all = [
        "count the gulls",
        "count the terns",
        "count the skuas",
        "count the terns and owls",
        "count the wrens",
        "count the gullsanew",
    ];
    assert_eq!(said, all);
    let open = [taken(&prompts[1], RewindEnd::Open), taken(&prompts[0], RewindEnd::Open)];
    assert_eq!(rewinds, open, "told at once");
    let with = |first: usize, next: usize| taken(&prompts[first], RewindEnd::With(prompts[next].0.clone()));
    assert_eq!(told(&lines, lines.len()).1, [with(1, 3), with(0, 5)], "read later");
}

/// After a refusal it writes the conversation again, with other ids, and its context and the first prompt as one message.
#[test]
fn a_prompt_with_another_id_is_known_by_its_words() {
    let message = |kind: &str, id: &str, texts: &[&str]| {
        let parts: Vec<Value> = texts.iter().map(|text| json!({ "text": text })).collect();
        json!({"id": id, "type": kind, "content": parts})
    };
    let context = "<session_context>\nThis is the Gemini CLI.\n</session_context>";
    let all = [
        message("user", "c", &[context, "count the gulls"]),
        message("gemini", "g1", &["Counted."]),
        message("user", "t", &["count the terns"]),
    ];
    let lines = |to: &str| {
        let lines = [
            json!({"$set": {"messages": [message("user", "c0", &[context])]}}),
            message("user", "1", &["count the gulls"]),
            message("user", "2", &["count the terns"]),
            json!({"$set": {"messages": all}}),
            json!({ "$rewindTo": to }),
        ];
        lines.map(|line| line.to_string())
    };
    let known = |id: &str, text: &str| [taken(&(id.into(), text.into()), RewindEnd::Open)];
    assert_eq!(told(&lines("t"), 1).1, known("t", "count the terns"));
    assert_eq!(told(&lines("c"), 1).1, known("c", "count the gulls"));
    // Its own context is a message of its own until then.
    let mut before = lines("c0").to_vec();
    before.remove(3);
    assert_eq!(told(&before, 1).1, known("1", "count the gulls"));
}
