//! What OpenCode's server said when it was recorded, and what we take it to mean.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::agents::opencode::sessions::Sessions;
use crate::agents::{Passage, ReadStream};
use crate::model::{Happened, Mark, Streamed};

/// Before what was recorded, and after what lay in sessions that are taken up again.
const STARTED: i64 = 1_000;

fn recorded() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/agents/opencode/events.jsonl");
    fs::read_to_string(path).unwrap().lines().map(String::from).collect()
}

pub(super) fn listening(session: &str) -> Sessions {
    Sessions::new(session, Path::new("/chats/c"), STARTED, 0)
}

/// One line each: short enough to be read, long enough to be wrong.
fn in_short(said: &Streamed) -> String {
    let text = match said {
        Streamed::Event(event) => format!("{event:?}"),
        Streamed::Awaits(key) => format!("awaits {key}"),
        Streamed::WentBack(rewind) => format!("{rewind:?}"),
        Streamed::Reported(told) => match &told.what {
            Happened::Prompt { id, text, .. } => format!("prompt {id} {text:?}"),
            Happened::ToolStart { id, name, parent, .. } => format!("start {id} {name} under {parent:?}"),
            Happened::ToolEnd {
                id,
                status,
                preview,
                ms,
                ..
            } => format!("end {id} {status:?} {preview:?} in {ms:?}"),
            other => format!("{other:?}"),
        },
    };
    text.chars().take(170).collect()
}

fn told(passages: impl IntoIterator<Item = Passage>) -> Vec<String> {
    let mut lines = Vec::new();
    for passage in passages {
        lines.extend(passage.said.iter().map(in_short));
        lines.extend(passage.read.map(|mark| format!("-- read to {}", mark.to)));
    }
    lines
}

pub(super) fn event(kind: &str, properties: Value) -> String {
    json!({"id": "evt_1", "type": kind, "properties": properties}).to_string()
}

/// The reader hears these one after the other.
pub(super) fn hears(sessions: &mut Sessions, events: impl IntoIterator<Item = (&'static str, Value)>) -> Vec<String> {
    let passages = events
        .into_iter()
        .map(|(kind, what)| sessions.event(&event(kind, what)));
    told(passages)
}

pub(super) fn message(id: &str, role: &str) -> (&'static str, Value) {
    let info = json!({"id": id, "role": role, "time": {"created": 10}});
    ("message.updated", json!({"sessionID": "ses_1", "info": info}))
}

pub(super) fn part(message: &str, part: Value) -> (&'static str, Value) {
    let mut part = part;
    part["messageID"] = message.into();
    ("message.part.updated", json!({"sessionID": "ses_1", "part": part}))
}

pub(super) fn tool(status: &str) -> Value {
    let state =
        json!({"status": status, "input": {"command": "make"}, "output": "made", "time": {"start": 20, "end": 25}});
    json!({"id": "prt_t", "type": "tool", "tool": "bash", "callID": "c1", "state": state})
}

pub(super) fn status(word: &str) -> (&'static str, Value) {
    (
        "session.status",
        json!({"sessionID": "ses_1", "status": {"type": word}}),
    )
}

pub(super) fn prompted() -> Sessions {
    let mut sessions = listening("");
    hears(
        &mut sessions,
        [
            message("msg_1", "user"),
            part("msg_1", json!({"id": "prt_1", "type": "text", "text": "go"})),
            status("busy"),
            message("msg_2", "assistant"),
        ],
    );
    sessions
}

#[test]
fn every_recorded_event_is_understood() {
    let mut sessions = listening("");
    let passages = recorded().iter().map(|line| sessions.event(line)).collect::<Vec<_>>();
    insta::assert_snapshot!(told(passages).join("\n"), @r#"
    SessionStarted { session: "ses_e01a87012ffegcFRsOV9b7lFOm", source: "startup", model: None, cwd: "/chats/c" }
    prompt msg_1fe579015001e2qGimF2Mhi3ec "line one\nline two\nline three "
    Thinking { id: "prt_1fe5794fe001TAWnu8ARUcA78Z", text: "Planning the call" }
    Text { id: "prt_1fe57952a001WfpjigSd4je5Cw", text: "Calling the tool." }
    start prt_1fe579536001J867BJHhud8P7t parlour_say under None
    end prt_1fe579536001J867BJHhud8P7t Ok "said:hello room" in Some(31)
    Usage { model: "stub-model", input: 8701, output: 20, cache_read: 0, cache_write: 0, cost: None, parent: None, window: None }
    -- read to 1795268515228
    start prt_1fe579d63001WE7On507Eg1Dtd parlour_list_rooms under None
    end prt_1fe579d63001WE7On507Eg1Dtd Error "parlour says no" in Some(6)
    Usage { model: "stub-model", input: 8780, output: 20, cache_read: 0, cache_write: 0, cost: None, parent: None, window: None }
    -- read to 1795268517334
    start prt_1fe579eae0017gh0CCXC88H8ns write under None
    PermissionAsked { tool: "write", input: Object {"filePath": String("/home/u/chats/oc1/made.txt"), "content": String("x\n")}, reach: [] }
    WorksOn { tool: "prt_1fe579eae0017gh0CCXC88H8ns" }
    end prt_1fe579eae0017gh0CCXC88H8ns Ok "Wrote file successfully." in Some(2549)
    Usage { model: "stub-model", input: 8839, output: 20, cache_read: 0, cache_write: 0, cost: None, parent: None, window: None }
    -- read to 1795268520139
    Text { id: "prt_1fe57aa26001JL5MUtjh0jFW8p", text: "Done: Wrote file successfully." }
    Usage { model: "stub-model", input: 8916, output: 20, cache_read: 0, cache_write: 0, cost: None, parent: None, window: None }
    -- read to 1795268520513
    TurnEnded { background: 0 }
    prompt msg_1fe57b2d1001G2ei71vmfz22q8 "from http\nsecond line"
    TurnEnded { background: 0 }
    Text { id: "prt_1fe57b4c1001LhCrN9oviNhHmh", text: "slow slow slow" }
    Interrupt { cause: "a person pressed Esc" }
    -- read to 1795268526345
    "#);
}

#[test]
fn what_is_told_again_is_the_same_by_its_keys() {
    let mut sessions = listening("");
    let mut keys: Vec<String> = recorded()
        .iter()
        .flat_map(|line| sessions.event(line).said)
        .filter_map(|said| said.key())
        .collect();
    let all = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), all);
}

/// As recorded of 1.18.33: for the CLI its answer to the model went well.
#[test]
fn a_call_whose_input_cannot_be_read_has_failed() {
    let mut sessions = prompted();
    let output = "The arguments provided to the tool are invalid: Invalid input for tool bash: JSON parsing failed";
    let state = json!({"status": "completed", "input": {"tool": "bash"}, "output": output,
        "metadata": {"truncated": false}, "title": "Invalid Tool", "time": {"start": 20, "end": 25}});
    let call = json!({"id": "prt_t", "type": "tool", "tool": "invalid", "callID": "c1", "state": state});
    let heard = hears(&mut sessions, [part("msg_2", call)]);
    assert!(
        heard.iter().any(|told| told.starts_with("end prt_t Error")),
        "{heard:?}"
    );
}

#[test]
fn a_text_is_told_before_the_tool_below_it_though_it_ends_later() {
    let mut sessions = prompted();
    let text =
        |end: Value| json!({"id": "prt_a", "type": "text", "text": "I make it.", "time": {"start": 15, "end": end}});
    let heard = hears(
        &mut sessions,
        [
            part("msg_2", text(Value::Null)),
            part("msg_2", tool("pending")),
            part("msg_2", tool("running")),
            part("msg_2", text(json!(22))),
            part("msg_2", tool("completed")),
        ],
    );
    assert_eq!(
        heard,
        [
            r#"Text { id: "prt_a", text: "I make it." }"#,
            "start prt_t bash under None",
            r#"end prt_t Ok "made" in Some(5)"#,
        ]
    );
}

#[test]
fn an_empty_text_holds_nothing_up() {
    let mut sessions = prompted();
    let text = |end: Value| json!({"id": "prt_a", "type": "text", "text": "", "time": {"start": 15, "end": end}});
    let heard = hears(
        &mut sessions,
        [
            part("msg_2", text(Value::Null)),
            part("msg_2", tool("running")),
            part("msg_2", text(json!(22))),
        ],
    );
    assert_eq!(heard, ["start prt_t bash under None"]);
}

#[test]
fn a_question_to_the_person_stays_open_though_its_call_begins() {
    let mut sessions = prompted();
    let asked = json!({"sessionID": "ses_1", "id": "que_1", "questions": [{"question": "Which colour?"}]});
    let running = json!({"id": "prt_q", "type": "tool", "tool": "question", "callID": "c1",
        "state": {"status": "running", "input": {}, "time": {"start": 1}}});
    let all = hears(&mut sessions, [("question.asked", asked), part("msg_2", running)]);
    assert_eq!(
        all.last().map(String::as_str),
        Some("Waiting { text: \"Which colour?\" }")
    );
}

#[test]
fn a_question_waits_for_its_tool_and_for_nothing_else() {
    let mut sessions = prompted();
    let asked = json!({"id": "per_1", "sessionID": "ses_1", "permission": "bash", "tool": {"messageID": "msg_2", "callID": "c1"}});
    let open = json!({"id": "prt_a", "type": "text", "text": "", "time": {"start": 15}});
    assert_eq!(
        hears(
            &mut sessions,
            [
                part("msg_2", open),
                ("permission.asked", asked),
                part("msg_2", tool("running"))
            ]
        ),
        [
            "awaits text prt_a",
            "start prt_t bash under None",
            r#"PermissionAsked { tool: "bash", input: Object {"command": String("make")}, reach: [] }"#,
        ]
    );
    let replied = json!({"sessionID": "ses_1", "requestID": "per_1", "reply": "once"});
    assert_eq!(
        hears(&mut sessions, [("permission.replied", replied)]),
        [r#"WorksOn { tool: "prt_t" }"#]
    );
}

#[test]
fn a_failed_turn_is_told_by_its_failure_and_not_by_its_end() {
    let mut sessions = prompted();
    let error = json!({"name": "APIError", "data": {"message": "no such model"}});
    let heard = hears(
        &mut sessions,
        [
            ("session.error", json!({"sessionID": "ses_1", "error": error})),
            status("idle"),
        ],
    );
    assert_eq!(
        heard,
        [
            r#"TurnFailed { error: "API error", message: "no such model", trouble: Trouble { kind: Model, resets: None } }"#
        ]
    );
}

#[test]
fn what_an_interrupted_command_printed_is_kept() {
    let mut sessions = prompted();
    let mut running = tool("running");
    running["state"]["metadata"] = json!({"output": "half"});
    let aborted = json!({"name": "MessageAbortedError", "data": {"message": "Aborted"}});
    let heard = hears(
        &mut sessions,
        [
            part("msg_2", running),
            ("session.error", json!({"sessionID": "ses_1", "error": aborted})),
            status("idle"),
        ],
    );
    assert_eq!(
        heard,
        [
            "start prt_t bash under None",
            r#"end prt_t Interrupted "half" in Some(5)"#,
            "TurnEnded { background: 0 }",
        ]
    );
}

#[test]
fn a_session_that_is_taken_up_again_tells_only_what_was_not_read_of_it() {
    let mut sessions = listening("ses_1");
    sessions.begin(50);
    assert_eq!(sessions.asks(None).unwrap(), "/session");
    assert_eq!(
        sessions.asks(Some("/session")).unwrap(),
        "/session/ses_1/message?limit=100"
    );
    let of = |id: &str, role: &str, time: Value, part: Value| {
        let mut part = part;
        part["messageID"] = id.into();
        let info = json!({"id": id, "sessionID": "ses_1", "role": role, "time": time, "tokens": {"input": 1}});
        json!({"info": info, "parts": [part]})
    };
    let text = |text: &str| json!({"id": format!("prt_{text}"), "type": "text", "text": text, "time": {"end": 1}});
    let said = json!([
        of("msg_1", "user", json!({"created": 40}), text("old")),
        of(
            "msg_2",
            "assistant",
            json!({"created": 41, "completed": 50}),
            text("read")
        ),
        of("msg_3", "user", json!({"created": 60}), text("new")),
        of(
            "msg_4",
            "assistant",
            json!({"created": 61, "completed": 70}),
            text("missed")
        ),
        of("msg_5", "assistant", json!({"created": 71}), tool("running")),
    ]);
    let mut heard = told(sessions.answer("/session/ses_1/message?limit=100", &said));
    heard.extend(told(sessions.answer("/session/status", &json!({}))));
    assert_eq!(
        heard,
        [
            r#"prompt msg_3 "new""#,
            r#"Text { id: "prt_missed", text: "missed" }"#,
            r#"Usage { model: "", input: 1, output: 0, cache_read: 0, cache_write: 0, cost: None, parent: None, window: None }"#,
            "-- read to 70",
            "TurnEnded { background: 0 }",
        ]
    );
}

#[test]
fn what_was_said_before_anybody_listened_is_told_as_if_it_were_said_now() {
    let mut sessions = listening("ses_1");
    let info = json!({"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {"created": 1_200}});
    let prompt = json!({"id": "prt_1", "messageID": "msg_1", "type": "text", "text": "go"});
    let reply = json!({"id": "msg_2", "sessionID": "ses_1", "role": "assistant", "time": {"created": 1_201}});
    let mut running = tool("running");
    running["messageID"] = "msg_2".into();
    let said = json!([{"info": info, "parts": [prompt]}, {"info": reply, "parts": [running]}]);
    assert_eq!(
        told(sessions.answer("/session/ses_1/message?limit=100", &said)),
        [
            r#"SessionStarted { session: "ses_1", source: "startup", model: None, cwd: "/chats/c" }"#,
            r#"prompt msg_1 "go""#,
            "start prt_t bash under None",
        ]
    );
}

#[test]
fn a_message_that_is_marked_complete_before_its_parts_are_is_asked_for_again() {
    const MESSAGES: &str = "/session/ses_1/message?limit=100";
    let reply = json!({"id": "msg_2", "sessionID": "ses_1", "role": "assistant", "finish": "tool-calls",
        "time": {"created": 1_201, "completed": 1_300}, "tokens": {"input": 100, "output": 20}});
    let of = |status: &str| {
        let mut part = tool(status);
        part["messageID"] = "msg_2".into();
        part
    };
    let finish = json!({"id": "prt_f", "messageID": "msg_2", "type": "step-finish"});
    let mut sessions = listening("ses_1");
    for parts in [json!([]), json!([of("pending")]), json!([of("running"), finish])] {
        let said = json!([{"info": reply, "parts": parts}]);
        assert_eq!(told(sessions.answer(MESSAGES, &said)), [""; 0]);
        assert_eq!(sessions.asks(Some(MESSAGES)).as_deref(), Some(MESSAGES));
    }
    sessions.answer(MESSAGES, &Value::Null);
    let next = sessions.asks(Some(MESSAGES));
    assert_eq!(next.as_deref(), Some("/permission"), "there was no answer");
    let said = json!([{"info": reply, "parts": [of("completed"), finish]}]);
    let heard = told(sessions.answer(MESSAGES, &said));
    assert_eq!(heard.len(), 4, "a start, an end, what it cost and the mark: {heard:?}");
    assert_eq!(sessions.asks(Some(MESSAGES)).as_deref(), Some("/permission"));
}

#[test]
fn a_message_of_which_a_part_was_not_heard_is_asked_for() {
    let reply = json!({"id": "msg_2", "sessionID": "ses_1", "role": "assistant", "finish": "tool-calls",
        "time": {"created": 1_201, "completed": 1_300}, "tokens": {"input": 100, "output": 20}});
    let finish = json!({"id": "prt_f", "type": "step-finish"});
    let mut sessions = prompted();
    assert_eq!(hears(&mut sessions, [part("msg_2", finish.clone())]), [""; 0]);
    let complete = event("message.updated", json!({"sessionID": "ses_1", "info": reply}));
    let passage = sessions.event(&complete);
    assert_eq!((passage.said.len(), passage.read, passage.torn), (0, None, true));
    let of = |mut part: Value| {
        part["messageID"] = "msg_2".into();
        part
    };
    let said = json!([{"info": reply, "parts": [of(tool("completed")), of(finish)]}]);
    let heard = sessions.answer("/session/ses_1/message?limit=100", &said);
    assert!(heard.iter().all(|passage| !passage.torn));
    let heard = told(heard);
    assert_eq!(heard.len(), 4, "a start, an end, what it cost and the mark: {heard:?}");
    assert_eq!(sessions.event(&complete), Passage::default());
}

#[test]
fn a_session_that_was_made_before_anybody_listened_is_found() {
    let mut sessions = listening("");
    let of = |id: &str, dir: &str, created: i64| json!({"id": id, "directory": dir, "time": {"created": created}});
    let all = json!([
        of("ses_old", "/chats/c", 900),
        of("ses_1", "/chats/c", 1_200),
        of("ses_x", "/chats/x", 1_300),
    ]);
    assert_eq!(sessions.asks(None).as_deref(), Some("/session"));
    assert_eq!(sessions.answer("/session", &all), []);
    let mut asked = vec!["/session".to_string()];
    while let Some(next) = sessions.asks(asked.last().map(String::as_str)) {
        asked.push(next);
    }
    assert_eq!(
        asked,
        [
            "/session",
            "/session/ses_1/message?limit=100",
            "/permission",
            "/session/status",
            "/config/providers"
        ]
    );
}

#[test]
fn how_much_a_model_holds_is_told_with_what_it_used() {
    let mut sessions = prompted();
    let models = json!({"m1": {"limit": {"context": 100_000, "output": 8_000}}, "m2": {"limit": {"context": 0}}});
    let providers = json!({"providers": [{"id": "stub", "models": models}], "default": {}});
    assert_eq!(sessions.answer("/config/providers", &providers), []);
    let mut window = |model: &str| {
        let message = json!({
            "sessionID": "ses_1", "info": {
                "id": format!("msg_{model}"), "role": "assistant", "finish": "stop", "providerID": "stub", "modelID": model,
                "time": {"created": 1, "completed": 5_000 + model.len()}, "tokens": {"input": 10}, "error": {"name": "x"},
            },
        });
        let said = sessions.event(&event("message.updated", message)).said;
        said.into_iter().find_map(|said| match said {
            Streamed::Reported(told) => match told.what {
                Happened::Usage { window, .. } => Some(window),
                _ => None,
            },
            _ => None,
        })
    };
    assert_eq!(window("m1"), Some(Some(100_000)));
    assert_eq!(window("other"), Some(None));
}

#[test]
fn a_question_whose_tool_is_not_heard_of_is_asked_all_the_same() {
    let mut sessions = prompted();
    let about = json!({"messageID": "msg_2", "callID": "c9"});
    let asked = json!({"id": "per_1", "sessionID": "ses_1", "permission": "edit", "metadata": {}, "tool": about});
    let heartbeat = || ("server.heartbeat", json!({}));
    assert_eq!(
        hears(&mut sessions, [("permission.asked", asked), heartbeat()]),
        [r#"PermissionAsked { tool: "edit", input: Object {}, reach: [] }"#]
    );
    let replied = json!({"sessionID": "ses_1", "requestID": "per_1", "reply": "once"});
    assert_eq!(
        hears(&mut sessions, [("permission.replied", replied)]),
        [r#"WorksOn { tool: "" }"#]
    );
}

#[test]
fn what_cannot_be_read_is_kept() {
    let mut sessions = listening("");
    let passage = sessions.event("{not json");
    assert!(matches!(&passage.said[..], [Streamed::Reported(told)] if matches!(told.what, Happened::Unknown { .. })));
    let mut sessions = prompted();
    let odd = || part("msg_2", json!({"id": "prt_9", "type": "hologram"}));
    assert_eq!(hears(&mut sessions, [odd(), odd()]).len(), 1);
}

#[test]
fn the_mark_is_that_of_the_chats_own_session() {
    let mut sessions = prompted();
    let info =
        json!({"id": "msg_2", "role": "assistant", "time": {"created": 10, "completed": 30}, "tokens": {"output": 2}});
    let done = |session: &str| event("message.updated", json!({"sessionID": session, "info": info}));
    let mark = Mark {
        file: "ses_1".into(),
        to: 30,
    };
    let finished = part("msg_2", json!({"id": "prt_f", "type": "step-finish"}));
    hears(&mut sessions, [finished]);
    assert_eq!(sessions.event(&done("ses_1")).read, Some(mark));
    assert_eq!(sessions.event(&done("ses_1")), Passage::default());
}
