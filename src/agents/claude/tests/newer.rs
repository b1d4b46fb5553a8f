//! What a newer Claude Code said when it was recorded (2.1.332), where that differs.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::agents::claude::{Claude, hooks};
use crate::agents::{Adapter, RequestRetry};
use crate::model::{Activity, Happened, HookCall, HookEvent};

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/agents/claude")
        .join(name);
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_prompt_that_it_keeps_for_later_comes_under_the_id_of_the_turn_that_goes_on() {
    let calls = fixture("hooks-2.1.332.jsonl");
    let told = calls.lines().flat_map(|line| {
        let payload: Value = serde_json::from_str(line).unwrap();
        let event = payload["hook_event_name"].as_str().unwrap().to_string();
        let agent = "claude".into();
        hooks::events(&HookCall { agent, event, payload })
    });
    let told: Vec<String> = told
        .map(|event| match event {
            HookEvent::Prompt { id, text } => format!("{id:.4} {text}"),
            HookEvent::ToolStarted { name, .. } => format!("{name} began"),
            HookEvent::ToolEnded { name, .. } => format!("{name} ended"),
            HookEvent::PermissionAsked { tool, .. } => format!("asks for {tool}"),
            HookEvent::SessionStarted { source, .. } => source,
            other => format!("{other:?}"),
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    startup
    6c70 bash it
    Bash began
    6c70 quick while it runs
    Bash ended
    Background { running: 0 }
    TurnEnded { background: 0 }
    6c70 quick line one
    line two
    line three
    line 4
     line5
    Background { running: 0 }
    TurnEnded { background: 0 }
    c15c write it
    Write began
    asks for Write
    Write ended
    Background { running: 0 }
    TurnEnded { background: 0 }
    SessionEnded { reason: "other" }
    "#);
}

#[test]
fn its_transcript_tells_no_more_than_was_said() {
    let mut reader = Claude.transcript_reader();
    let lines = fixture("transcript-2.1.332.jsonl");
    let told = lines.lines().flat_map(|line| reader.line(line));
    let told: Vec<String> = told
        .map(|told| match told.what {
            Happened::Prompt { id, text, .. } => format!("{id:.4} {text}"),
            Happened::Text { text, .. } => format!("text {text}"),
            Happened::ToolStart { name, .. } => format!("{name} began"),
            Happened::ToolEnd { preview, .. } => format!("ended: {:.20}", preview.trim()),
            Happened::Usage { input, output, .. } => format!("used {input} {output}"),
            other => format!("{other:?}"),
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    6c70 bash it
    Bash began
    used 100 20
    ended: hi
    b236 quick while it runs
    text Bashed.
    used 100 20
    ff48 quick line one
    line two
    line three
    line 4
     line5
    text Quick answer.
    used 100 20
    c15c write it
    Write began
    used 100 20
    ended: x=1
    text Wrote.
    used 100 20
    "#);
}

/// Its transcript has the prompt that waited before what came of the call, and the interrupt behind both.
#[test]
fn a_turn_that_is_cut_ends_before_the_prompt_that_waited_for_its_end() {
    let mut reader = Claude.transcript_reader();
    let lines = fixture("transcript-2.1.332-cut.jsonl");
    let told = lines.lines().flat_map(|line| reader.line(line));
    let told: Vec<String> = told
        .filter_map(|told| match told.what {
            Happened::Prompt { text, .. } => Some(text),
            Happened::ToolStart { id, .. } => Some(format!("{} began", &id[id.len() - 4..])),
            Happened::ToolEnd { id, preview, .. } => Some(format!("{} ended: {preview:.15}", &id[id.len() - 4..])),
            Happened::Interrupt { cause } => Some(cause),
            _ => None,
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    list them
    6401 began
    a person pressed Esc
    also count them
    6401 ended: The user doesn'
    9061 began
    9061 ended: W20
    ");
}

#[test]
fn it_numbers_no_answer_where_it_asks_for_trust() {
    let asks = Claude.read_screen(&fixture("screens/trust-2.1.332.txt"));
    assert_eq!(
        asks,
        Some(Activity::Waiting("asks whether to trust this directory".into()))
    );
}

#[test]
fn it_writes_that_it_retries_in_small_letters() {
    let screen = "● Done.\n\n✻ API error · retrying in 21s · attempt 1/10\n\n────\n❯ \n────\n  ? for shortcuts";
    let retry = RequestRetry {
        message: "API error".into(),
        seconds: Some(21),
        attempt: 1,
        attempts: 10,
    };
    assert_eq!(Claude.read_retry(screen), Some(retry));
}

#[test]
fn an_edit_tells_what_differs_in_its_file_and_a_new_file_nothing() {
    let changed = |answer: Value| {
        let line = json!({"type": "user", "toolUseResult": answer, "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "done"},
        ]}});
        let told = Claude.transcript_reader().line(&line.to_string());
        let told: Vec<Happened> = told.into_iter().map(|told| told.what).collect();
        match &told[..] {
            [Happened::ToolEnd { changed, .. }] => changed.map(|lines| (lines.added, lines.removed)),
            other => panic!("{other:?}"),
        }
    };
    let over = |hunks: Value| json!({"type": "update", "content": "a\nc\nd\n", "structuredPatch": hunks});
    assert_eq!(
        changed(over(json!([{"lines": [" a", "-b", "+c"]}, {"lines": ["+d"]}]))),
        Some((2, 1))
    );
    assert_eq!(changed(over(json!([]))), Some((0, 0)), "as it was");
    let new = json!({"type": "create", "content": "a\n", "structuredPatch": []});
    assert_eq!(changed(new), None);
    assert_eq!(changed(json!({"stdout": "a", "stderr": ""})), None);
}
