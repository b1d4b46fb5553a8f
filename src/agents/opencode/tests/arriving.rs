//! Words that are still arriving, and a summary when it is whole.

use serde_json::{Value, json};

use super::words::{event, hears, listening, message, part, prompted};
use crate::agents::ReadStream;
use crate::agents::opencode::sessions::Sessions;
use crate::model::{HookAnswer, ServerAnswer};

fn given(about: &str, answer: HookAnswer) -> ServerAnswer {
    ServerAnswer {
        about: about.into(),
        is_of_reach: false,
        answer,
    }
}

#[test]
fn a_text_is_seen_while_it_arrives_and_gone_when_it_is_told() {
    let mut sessions = prompted();
    let mut arrives = |(kind, what): (&str, Value)| {
        let passage = sessions.event(&event(kind, what));
        passage.writes.map(|words| (words.key, words.text))
    };
    let piece = |words: &str| {
        let what =
            json!({"sessionID": "ses_1", "messageID": "msg_2", "partID": "prt_1", "field": "text", "delta": words});
        ("message.part.delta", what)
    };
    arrives(message("msg_2", "assistant"));
    let seen = |text: &str| Some(("text prt_1".to_string(), text.to_string()));
    let began = json!({"id": "prt_1", "type": "text", "text": "", "time": {"start": 20}});
    assert_eq!(arrives(part("msg_2", began.clone())), seen(""));
    assert_eq!(arrives(piece("Calling ")), seen("Calling "));
    assert_eq!(arrives(piece("it.")), seen("Calling it."));
    assert_eq!(arrives(part("msg_2", began)), None, "it is told of again");
    let other = json!({"sessionID": "ses_1", "partID": "prt_9", "field": "text", "delta": "no"});
    assert_eq!(
        arrives(("message.part.delta", other)),
        None,
        "of a part that nobody heard of"
    );
    let whole = json!({"id": "prt_1", "type": "text", "text": "Calling it.", "time": {"start": 20, "end": 25}});
    assert_eq!(arrives(part("msg_2", whole)), Some((String::new(), String::new())));
}

#[test]
fn a_summary_is_told_when_it_is_whole() {
    let mut sessions = prompted();
    let info = json!({"id": "msg_3", "role": "assistant", "summary": true, "time": {"created": 10}});
    let mut told = hears(
        &mut sessions,
        [("message.updated", json!({"sessionID": "ses_1", "info": info}))],
    );
    let summary = |end: Value| json!({"id": "prt_5", "type": "text", "text": "We keep the zebra.", "time": {"start": 20, "end": end}});
    told.extend(hears(
        &mut sessions,
        [part("msg_3", summary(Value::Null)), part("msg_3", summary(json!(25)))],
    ));
    told.extend(hears(&mut sessions, [part("msg_3", summary(json!(25)))]));
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("Summary") && told[0].contains("zebra"), "{told:?}");
}

#[test]
fn an_answer_goes_to_the_question_that_is_open_about_the_call() {
    let mut sessions = listening("ses_1");
    let asked = |request: &str| {
        let tool = json!({"messageID": "msg_2", "callID": "c1"});
        json!({"id": request, "sessionID": "ses_1", "permission": "edit", "tool": tool})
    };
    let state = json!({"status": "running", "input": {}, "time": {"start": 15}});
    let info = json!({"id": "msg_2", "sessionID": "ses_1", "role": "assistant", "time": {"created": 14}});
    let running =
        json!({"id": "prt_t", "messageID": "msg_2", "type": "tool", "callID": "c1", "tool": "write", "state": state});
    let told = [
        ("message.updated", json!({"sessionID": "ses_1", "info": info})),
        ("message.part.updated", json!({"sessionID": "ses_1", "part": running})),
        ("permission.asked", asked("per_1")),
    ];
    hears(&mut sessions, told);
    let once = Some(("/permission/per_1/reply".to_string(), json!({"reply": "once"})));
    assert_eq!(sessions.reply(&given("prt_t", HookAnswer::Allow)), once);
    assert_eq!(sessions.reply(&given("prt_x", HookAnswer::Allow)), None);
    // First about the directory, then about the file in it.
    let replied = json!({"sessionID": "ses_1", "requestID": "per_1", "reply": "once"});
    hears(
        &mut sessions,
        [("permission.replied", replied), ("permission.asked", asked("per_2"))],
    );
    let reject = Some(("/permission/per_2/reply".to_string(), json!({"reply": "reject"})));
    assert_eq!(sessions.reply(&given("prt_t", HookAnswer::Deny(String::new()))), reject);
    let body = json!({"reply": "reject", "message": "use trash"});
    let with_why = Some(("/permission/per_2/reply".to_string(), body));
    assert_eq!(
        sessions.reply(&given("prt_t", HookAnswer::Deny("use trash".into()))),
        with_why
    );
    // A yes to the directory is none to what is written there.
    let late = ServerAnswer {
        is_of_reach: true,
        ..given("prt_t", HookAnswer::Allow)
    };
    assert_eq!(sessions.reply(&late), None);
}

/// A part of a call that runs, and the question about it.
fn runs_and_asks(sessions: &mut Sessions, call: &str, asked: Value) -> Vec<String> {
    let state = json!({"status": "running", "input": {"command": call}, "time": {"start": 15}});
    let part = json!({
        "id": format!("prt_{call}"), "messageID": "msg_2", "type": "tool", "callID": call, "tool": "bash", "state": state
    });
    let mut asked = asked;
    (asked["id"], asked["sessionID"]) = (format!("per_{call}").into(), "ses_1".into());
    asked["tool"] = json!({"messageID": "msg_2", "callID": call});
    let info = json!({"id": "msg_2", "sessionID": "ses_1", "role": "assistant", "time": {"created": 14}});
    hears(
        sessions,
        [
            ("message.updated", json!({"sessionID": "ses_1", "info": info})),
            ("message.part.updated", json!({"sessionID": "ses_1", "part": part})),
            ("permission.asked", asked),
        ],
    )
}

#[test]
fn what_is_refused_together_with_another_call_is_told_as_that() {
    let mut sessions = listening("ses_1");
    for call in ["one", "two"] {
        runs_and_asks(&mut sessions, call, json!({"permission": "bash"}));
    }
    let rejected = |call: &str| {
        let replied = json!({"sessionID": "ses_1", "requestID": format!("per_{call}"), "reply": "reject"});
        ("permission.replied", replied)
    };
    assert_eq!(hears(&mut sessions, [rejected("one")]), [""; 0]);
    let along = r#"RefusedAlong { tool: "prt_two" }"#;
    assert_eq!(hears(&mut sessions, [rejected("two")]), [along]);
    // What is asked afterwards has nothing to do with that.
    runs_and_asks(&mut sessions, "three", json!({"permission": "bash"}));
    assert_eq!(hears(&mut sessions, [rejected("three")]), [""; 0]);
}

#[test]
fn a_question_about_a_directory_outside_names_it() {
    let mut sessions = listening("ses_1");
    let of_file = json!({"filepath": "/srv/a/b.txt", "parentDir": "/srv/a"});
    let of_command = json!({"command": "ls", "directories": ["/srv/a", "/srv/c"]});
    for (call, about, reach) in [
        ("one", of_file, r#"["/srv/a"]"#),
        ("two", of_command, r#"["/srv/a", "/srv/c"]"#),
    ] {
        let asked = json!({"permission": "external_directory", "metadata": about});
        let told = runs_and_asks(&mut sessions, call, asked);
        let last = told.last().unwrap();
        assert!(last.ends_with(&format!("reach: {reach} }}")), "{last}");
    }
}
