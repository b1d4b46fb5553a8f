//! What is told of a session that the chat's own one began.

use serde_json::{Value, json};

use super::words::{hears, message, part, prompted, status, tool};
use crate::agents::ReadStream;

/// The same of the sub-agent's session.
fn of_child((kind, mut what): (&'static str, Value)) -> (&'static str, Value) {
    what["sessionID"] = "ses_2".into();
    (kind, what)
}

#[test]
fn a_sub_agent_is_told_of_by_its_tools_and_its_words() {
    let mut sessions = prompted();
    let child = json!({"id": "ses_2", "parentID": "ses_1", "title": "Look around"});
    let heard = hears(
        &mut sessions,
        [
            ("session.created", json!({"sessionID": "ses_2", "info": child})),
            of_child(message("msg_3", "user")),
            of_child(part("msg_3", json!({"id": "prt_3", "type": "text", "text": "look"}))),
            of_child(message("msg_4", "assistant")),
            of_child(part("msg_4", tool("running"))),
            of_child(part("msg_4", json!({"id": "prt_5", "type": "text", "text": "two"}))),
            of_child(part(
                "msg_4",
                json!({"id": "prt_5", "type": "text", "text": "two files", "time": {"start": 3, "end": 4}}),
            )),
            of_child(part(
                "msg_4",
                json!({"id": "prt_5", "type": "text", "text": "two files", "time": {"start": 3, "end": 4}}),
            )),
            of_child(status("idle")),
        ],
    );
    assert_eq!(
        heard,
        [
            r#"SubagentStarted { id: "ses_2", name: "Look around" }"#,
            r#"SubagentText { id: "prt_3", parent: "ses_2", said: Asked, text: "look" }"#,
            r#"start prt_t bash under Some("ses_2")"#,
            r#"SubagentText { id: "prt_5", parent: "ses_2", said: Answered, text: "two files" }"#,
            r#"SubagentEnded { id: "ses_2", name: "Look around" }"#,
        ]
    );
}

#[test]
fn an_error_of_a_sub_agent_is_none_of_the_chats() {
    let mut sessions = prompted();
    let child = json!({"id": "ses_2", "parentID": "ses_1", "title": "Look around"});
    let ends = |error: Value| {
        let time = json!({"created": 10, "completed": 40});
        let tokens = json!({"input": 7, "output": 2});
        let info = json!({"id": "msg_4", "role": "assistant", "time": time, "error": error, "tokens": tokens});
        ("message.updated", json!({"sessionID": "ses_1", "info": info}))
    };
    let failed = json!({"name": "APIError", "data": {"message": "Too many requests", "statusCode": 429}});
    let heard = hears(
        &mut sessions,
        [
            ("session.created", json!({"sessionID": "ses_2", "info": child})),
            of_child(message("msg_4", "assistant")),
            of_child(("session.error", json!({"error": failed}))),
            of_child(ends(failed)),
            of_child(status("idle")),
        ],
    );
    assert_eq!(
        heard,
        [
            r#"SubagentStarted { id: "ses_2", name: "Look around" }"#,
            r#"Usage { model: "", input: 7, output: 2, cache_read: 0, cache_write: 0, cost: None, parent: Some("ses_2"), window: None }"#,
            r#"SubagentEnded { id: "ses_2", name: "Look around" }"#,
        ]
    );
}

#[test]
fn a_sub_agent_that_began_while_nobody_listened_is_not_the_chats_session() {
    let mut sessions = prompted();
    let child = json!({"id": "ses_2", "parentID": "ses_1", "title": "Look around", "directory": "/chats/c"});
    assert_eq!(sessions.asks(None).as_deref(), Some("/session"));
    assert_eq!(sessions.answer("/session", &json!([child])), []);
    let heard = hears(
        &mut sessions,
        [
            of_child(message("msg_3", "user")),
            of_child(part("msg_3", json!({"id": "prt_3", "type": "text", "text": "look"}))),
        ],
    );
    let asked = r#"SubagentText { id: "prt_3", parent: "ses_2", said: Asked, text: "look" }"#;
    assert_eq!(heard, [asked]);
}
