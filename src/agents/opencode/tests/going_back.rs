//! What OpenCode's server says where somebody takes turns back in it: `/undo`, twice `/undo` and `/redo`, then for good.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::words::listening;
use crate::agents::ReadStream;
use crate::model::talk::{OwnRewind, RewindEnd};
use crate::model::{Happened, Streamed};

const GULLS: &str = "msg_2239ae";
const TERNS: &str = "msg_2239b084e00185saHIAjdGcXv3";
const SKUAS: &str = "msg_2239b249f0017uuCZ4b2HtO7CR";

fn recorded() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/agents/opencode/events-went-back.jsonl");
    fs::read_to_string(path).unwrap().lines().map(String::from).collect()
}

fn before(prompt: &str) -> OwnRewind {
    OwnRewind::Before {
        prompt: prompt.into(),
        text: String::new(),
        goes_on: RewindEnd::Open,
    }
}

fn again(from: &str, until: Option<&str>) -> OwnRewind {
    OwnRewind::Again {
        from: from.into(),
        until: until.map(str::to_owned),
    }
}

#[test]
fn each_step_back_and_forth_is_told_and_what_goes_on_removes_no_more() {
    let mut sessions = listening("");
    let (mut prompts, mut rewinds) = (Vec::new(), Vec::new());
    for said in recorded().iter().flat_map(|line| sessions.event(line).said) {
        match said {
            Streamed::WentBack(rewind) => rewinds.push(rewind),
            Streamed::Reported(told) => {
                if let Happened::Prompt { text, .. } = told.what {
                    prompts.push(text);
                }
            }
            Streamed::Event(_) | Streamed::Awaits(_) => {}
        }
    }
    let all = [
        "count the gulls",
        "count the terns",
        "count the skuas",
        "count the terns and owls",
        "count the wrens",
    ];
    assert_eq!(prompts, all);
    let steps = [
        before(SKUAS),
        before(TERNS),
        again(TERNS, Some(SKUAS)),
        again(SKUAS, None),
        before(SKUAS),
        before(TERNS),
    ];
    assert_eq!(rewinds, steps);
}

#[test]
fn what_was_taken_back_before_it_was_heard_is_told_as_it_is_asked() {
    let mut sessions = listening("ses_a");
    let session =
        json!([{"id": "ses_b", "revert": {"messageID": GULLS}}, {"id": "ses_a", "revert": {"messageID": TERNS}}]);
    assert_eq!(sessions.answer("/session", &session), []);
    let said: Vec<Streamed> = sessions
        .answer("/session/status", &Value::Null)
        .into_iter()
        .flat_map(|passage| passage.said)
        .collect();
    assert_eq!(said, [Streamed::WentBack(before(TERNS))]);
}
