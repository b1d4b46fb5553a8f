//! What single lines of a rollout are taken to mean.

use serde_json::{Value, json};

use crate::agents::codex::Codex;
use crate::agents::{Adapter, ReadTranscript};
use crate::model::entry::{Cut, ToolStatus};
use crate::model::{Happened, TroubleKind};

fn line(kind: &str, payload: &Value) -> String {
    json!({"timestamp": "2026-11-26T19:14:19.018Z", "type": kind, "payload": payload}).to_string()
}

fn read(reader: &mut dyn ReadTranscript, kind: &str, payload: &Value) -> Vec<Happened> {
    let told = reader.line(&line(kind, payload)).into_iter();
    told.map(|told| told.what).collect()
}

/// The kind of trouble that a failed turn with this error is, and what helps.
fn trouble(info: &Value) -> (TroubleKind, String) {
    let error = json!({"message": "unexpected status", "codex_error_info": info});
    let failed = json!({"type": "task_complete", "turn_id": "t", "error": error});
    match &read(&mut *Codex.transcript_reader(), "event_msg", &failed)[..] {
        [
            Happened::Error {
                trouble: Some(trouble),
                hint,
                ..
            },
        ] => (trouble.kind, hint.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_status_of_a_refused_request_says_what_kind_of_trouble_it_is() {
    let kind = |status: Value| trouble(&json!({"http_connection_failed": {"http_status_code": status}})).0;
    let login = "log in again: `codex login`".to_string();
    let refused = json!({"http_connection_failed": {"http_status_code": 401}});
    assert_eq!(trouble(&refused), (TroubleKind::Login, login));
    assert_eq!(kind(json!(403)), TroubleKind::Login);
    assert_eq!(kind(json!(429)), TroubleKind::Limit);
    assert_eq!(kind(json!(503)), TroubleKind::Overloaded);
    assert_eq!(kind(json!(400)), TroubleKind::Refused);
    assert_eq!(kind(json!(null)), TroubleKind::Network);
    let failed = json!({"response_too_many_failed_attempts": {"http_status_code": 429}});
    assert_eq!(trouble(&failed).0, TroubleKind::Limit);
}

fn prompt(turn: &str, text: &str) -> Value {
    json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}],
        "internal_chat_message_metadata_passthrough": {"turn_id": turn, "content_item_kinds": ["user.text"]}})
}

/// With `fork_context` its rollout begins with the conversation so far.
#[test]
fn a_sub_agent_was_not_asked_what_its_chat_was_asked_before() {
    let (earlier, thread, own) = (
        "01a21941-c651-7f42-8931-6e87a8da221a",
        "01a21947-b307-72f3-b75f-724c6dc0806d",
        "01a21947-b31e-76e2-91f8-aee204c870d7",
    );
    let meta = json!({"id": thread, "forked_from_id": "01a21941-10b8-7552-aada-fc2ce7a07701",
        "source": {"subagent": {"thread_spawn": {"depth": 1}}}});
    let of_its_chat = json!({"id": "01a21941-10b8-7552-aada-fc2ce7a07701", "source": "cli"});
    let mut reader = Codex.sub_agent_reader();
    let mut told = Vec::new();
    for (kind, payload) in [
        ("session_meta", meta),
        ("session_meta", of_its_chat),
        ("event_msg", json!({"type": "task_started", "turn_id": earlier})),
        ("response_item", prompt(earlier, "Please run the checks")),
        ("event_msg", json!({"type": "task_complete", "turn_id": earlier})),
        ("event_msg", json!({"type": "task_started", "turn_id": own})),
        ("response_item", prompt(own, "peel the smaller half")),
    ] {
        told.extend(read(&mut *reader, kind, &payload));
    }
    let asked: Vec<&str> = told
        .iter()
        .filter_map(|what| match what {
            Happened::Prompt { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(asked, ["peel the smaller half"]);
}

/// How a call with this output ended, and what is shown of it.
fn ended(kind: &str, payload: &Value) -> (ToolStatus, String) {
    let told = read(&mut *Codex.transcript_reader(), kind, payload);
    let end = told.into_iter().find_map(|what| match what {
        Happened::ToolEnd { status, preview, .. } => Some((status, preview)),
        _ => None,
    });
    end.expect("its end")
}

#[test]
fn a_command_that_failed_says_its_exit_code() {
    let item = json!({"type": "CommandExecution", "id": "c", "status": "failed", "exit_code": 3,
        "aggregated_output": "before\noops\n"});
    let shown = ended("event_msg", &json!({"type": "item_completed", "item": item}));
    assert_eq!(shown, (ToolStatus::Error, "Exit code 3\nbefore\noops\n".into()));
    let output = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 127\nOutput:\nnot found\n";
    let told = json!({"type": "function_call_output", "call_id": "d", "output": output});
    assert_eq!(
        ended("response_item", &told),
        (ToolStatus::Error, "Exit code 127\nnot found\n".into())
    );
}

#[test]
fn a_call_that_this_cli_does_not_offer_or_cannot_read_has_failed() {
    for (kind, output) in [
        ("function_call_output", "unsupported call: update_plan"),
        ("custom_tool_call_output", "unsupported custom tool call: apply_patch"),
        (
            "function_call_output",
            "failed to parse function arguments: EOF while parsing a string at line 1 column 28",
        ),
    ] {
        let told = json!({"type": kind, "call_id": "c", "output": output});
        assert_eq!(ended("response_item", &told).0, ToolStatus::Error, "{output}");
    }
}

#[test]
fn an_output_of_which_the_middle_is_missing_is_told_as_cut() {
    let cut = |output: &str| {
        let item = json!({"type": "CommandExecution", "id": "c", "status": "completed", "exit_code": 0,
            "aggregated_output": output});
        let told = json!({"type": "item_completed", "item": item});
        match &read(&mut *Codex.transcript_reader(), "event_msg", &told)[..] {
            [Happened::ToolEnd { cut, .. }] => *cut,
            other => panic!("{other:?}"),
        }
    };
    let left = "1\n2\n\n... command output truncated for persistence ...\n\n59999\n60000\n";
    assert_eq!(cut(left), Some(Cut::Cli));
    assert_eq!(cut("1\n2\n"), None);
}

/// Of a provider that gives no ids: after somebody went back, other lines have the same places.
#[test]
fn words_without_an_id_are_known_by_their_place_and_their_time() {
    let said = |at: &str| {
        let payload = json!({"type": "message", "role": "assistant", "content": [{"text": "Done."}]});
        let line = json!({"timestamp": at, "ordinal": 57, "type": "response_item", "payload": payload});
        match &Codex.transcript_reader().line(&line.to_string())[..] {
            [told] => told.what.key(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(said("2026-11-28T00:48:29.034Z"), said("2026-11-28T00:48:29.034Z"));
    assert_ne!(said("2026-11-28T00:48:29.034Z"), said("2026-11-28T00:51:02.700Z"));
}
