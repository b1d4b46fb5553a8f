//! Words that are still arriving, and a summary when it is whole.

use serde_json::{Value, json};

use super::words::{event, hears, message, part, prompted};
use crate::agents::ReadStream;

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
