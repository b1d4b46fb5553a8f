//! A chat's inbox over real files: floods, copies, and records that grow long.

use std::fs;

use serde_json::{Value, json};

use super::*;
use crate::model::inbox::{InboxMessage, Which};

fn message(id: &str, text: &str) -> InboxMessage {
    InboxMessage {
        id: id.into(),
        from: "person".into(),
        sender: None,
        unverified: false,
        bare: false,
        notice: false,
        message: text.into(),
        read: false,
        ts: NOW,
        written: None,
    }
}

impl StoreStage {
    fn shown(&self, chat: &ChatId) -> Value {
        let path = self.home.path().join("chats").join(chat.as_str()).join("inbox.json");
        serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
    }

    fn write_inbox(&self, chat: &ChatId, file: &Value) {
        let path = self.home.path().join("chats").join(chat.as_str()).join("inbox.json");
        fs::write(path, file.to_string()).unwrap();
    }
}

fn texts(inbox: &Inbox) -> Vec<String> {
    inbox.unread().into_iter().map(|message| message.message).collect()
}

#[test]
fn entries_written_by_hand_are_no_way_around_the_limits() {
    let place = place();
    let chat = place.chat("fix", 1);
    let mut inbox = place.home.inbox(&chat).unwrap();
    for round in 0..15 {
        let mut file = match round {
            0 => json!({"messages": []}),
            _ => place.shown(&chat),
        };
        let entries = file["messages"].as_array_mut().unwrap();
        entries.extend((0..100).map(|at| json!({"message": format!("{round} {at}")})));
        place.write_inbox(&chat, &file);
        inbox.settle(&place.home, NOW).unwrap().unwrap();
    }
    assert_eq!(inbox.unread().len(), 1_000);
    assert_eq!(place.shown(&chat)["messages"].as_array().unwrap().len(), 1_500);
    let ids: Vec<String> = inbox.unread().into_iter().map(|message| message.id).collect();
    inbox.mark(&ids).unwrap();
    inbox.settle(&place.home, NOW).unwrap().unwrap();
    assert_eq!(inbox.unread().len(), 100, "what waited in the file is taken in then");
}

/// An answer holds no more than some of it: the rest is told by what is older than the first of that.
#[test]
fn what_is_read_is_told_again_part_by_part() {
    let place = place();
    let chat = place.chat("fix", 1);
    let mut inbox = place.home.inbox(&chat).unwrap();
    for number in 1..=3 {
        let long = format!("{number}{}", "x".repeat(40 << 10));
        inbox.post(message(&format!("m{number}"), &long)).unwrap();
    }
    let ids = |which: Which| {
        let (told, more) = inbox.tell(&which, &[]);
        let ids: Vec<String> = told.into_iter().map(|message| message.id).collect();
        (ids, more)
    };
    assert_eq!(ids(Which::All), (vec!["m3".into()], true));
    assert_eq!(ids(Which::Before("m3".into())), (vec!["m2".into()], true));
    assert_eq!(ids(Which::Before("m2".into())), (vec!["m1".into()], false));
    assert_eq!(ids(Which::Before("m1".into())), (Vec::new(), false));
    assert_eq!(ids(Which::Before("gone".into())), (Vec::new(), false));
}

#[test]
fn what_repeats_an_earlier_message_is_new_and_what_is_only_written_again_is_not() {
    let place = place();
    let chat = place.chat("fix", 1);
    let mut inbox = place.home.inbox(&chat).unwrap();
    inbox.post(message("m1", "hello")).unwrap();
    place.write_inbox(&chat, &json!({"messages": [{"from": "ci", "message": "failed"}]}));
    let mut settle = || {
        inbox.settle(&place.home, NOW).unwrap().unwrap();
        let new = texts(&inbox);
        let ids: Vec<String> = inbox.unread().into_iter().map(|message| message.id).collect();
        inbox.mark(&ids).unwrap();
        inbox.settle(&place.home, NOW).unwrap().unwrap();
        new
    };
    assert_eq!(settle(), ["hello", "failed"]);
    assert!(settle().is_empty());

    let mut file = place.shown(&chat);
    let entries = file["messages"].as_array_mut().unwrap();
    entries.push(json!({"from": "ci", "message": "failed"}));
    place.write_inbox(&chat, &file);
    assert_eq!(settle(), ["failed"], "the same once more");

    let mut copy = place.shown(&chat);
    let entries = copy["messages"].as_array_mut().unwrap();
    let mut changed = entries.iter().find(|entry| entry["id"] == "m1").unwrap().clone();
    changed["message"] = json!("hello again");
    entries.push(changed);
    place.write_inbox(&chat, &copy);
    assert_eq!(settle(), ["hello again"], "a copy with a text of its own");

    let mut stale = place.shown(&chat);
    let entries = stale["messages"].as_array_mut().unwrap();
    entries.retain(|entry| entry["message"] == "hello" || entry["message"] == "failed");
    entries.pop();
    let bare = entries.last_mut().unwrap().as_object_mut().unwrap();
    bare.remove("id");
    bare.remove("ts");
    place.write_inbox(&chat, &stale);
    assert!(settle().is_empty(), "an editor that had not seen the id");
}

#[test]
fn a_record_that_grew_long_is_written_anew_with_what_still_counts() {
    let place = place();
    let chat = place.chat("fix", 1);
    let mut inbox = place.home.inbox(&chat).unwrap();
    let text = "x".repeat(60 << 10);
    place.write_inbox(&chat, &json!({"messages": [{"message": "by hand"}]}));
    inbox.settle(&place.home, NOW).unwrap().unwrap();
    inbox.post(message("first", "unread to the end")).unwrap();
    for at in 0..300 {
        inbox.post(message(&format!("m{at}"), &text)).unwrap();
        inbox.mark(&[format!("m{at}")]).unwrap();
    }
    assert!(inbox.is_long());
    inbox.settle(&place.home, NOW).unwrap().unwrap();
    let before = place.shown(&chat);
    let mut again = place.home.inbox(&chat).unwrap();
    assert!(!again.is_long());
    let record = place
        .home
        .path()
        .join("records")
        .join(chat.as_str())
        .join("inbox.jsonl");
    assert!(fs::metadata(record).unwrap().len() < 9 << 20);
    assert_eq!(texts(&again), ["by hand", "unread to the end"]);
    again.settle(&place.home, NOW).unwrap().unwrap();
    assert_eq!(place.shown(&chat), before);
    assert_eq!(
        texts(&place.home.inbox(&chat).unwrap()),
        ["by hand", "unread to the end"]
    );
}

#[test]
fn a_file_of_countless_entries_is_broken() {
    let place = place();
    let chat = place.chat("fix", 1);
    let mut inbox = place.home.inbox(&chat).unwrap();
    place.write_inbox(&chat, &json!({"messages": vec![json!({"id": "x"}); 6_000]}));
    let why = inbox.settle(&place.home, NOW).unwrap().unwrap_err();
    assert_eq!(why, "inbox.json holds more than 5000 messages");
}

#[test]
fn an_entry_without_a_text_is_named_and_those_beside_it_are_taken_in() {
    let place = place();
    let chat = place.chat("fix", 1);
    let mut inbox = place.home.inbox(&chat).unwrap();
    place.write_inbox(&chat, &json!([{"message": "look here"}, {"from": "x", "text": "hi"}]));
    for _ in 0..2 {
        let why = inbox.settle(&place.home, NOW).unwrap().unwrap_err();
        assert_eq!(why, "inbox.json: entry 2 has no text in `message`");
    }
    assert_eq!(texts(&inbox), ["look here"]);
}

#[test]
fn a_list_of_messages_is_taken_in_and_stays_a_list() {
    let place = place();
    let chat = place.chat("fix", 1);
    let mut inbox = place.home.inbox(&chat).unwrap();
    place.write_inbox(&chat, &json!([{"from": "script", "message": "look here"}]));
    inbox.settle(&place.home, NOW).unwrap().unwrap();
    assert_eq!(texts(&inbox), ["look here"]);
    let shown = place.shown(&chat);
    assert_eq!(
        (&shown[0]["message"], &shown[0]["unverified"]),
        (&json!("look here"), &json!(true))
    );
    inbox.settle(&place.home, NOW).unwrap().unwrap();
    assert_eq!(texts(&inbox), ["look here"], "it is taken in once");
    assert_eq!(place.shown(&chat), shown);
}

#[test]
fn a_message_written_by_hand_keeps_the_time_that_it_names() {
    let place = place();
    let chat = place.chat("fix", 1);
    let mut inbox = place.home.inbox(&chat).unwrap();
    let (early, local) = ("2020-01-01T00:00:00Z", "2020-01-02T09:00:00+01:00");
    let file = json!([
        {"from": "@main", "message": "implement auth", "read": true, "ts": early},
        {"from": "@main", "message": "and tests", "ts": local},
        {"from": "@main", "message": "soon", "ts": "soon"},
    ]);
    place.write_inbox(&chat, &file);
    inbox.settle(&place.home, NOW).unwrap().unwrap();
    inbox.settle(&place.home, NOW).unwrap().unwrap();
    let shown = place.shown(&chat);
    let times: Vec<_> = shown.as_array().unwrap().iter().map(|entry| &entry["ts"]).collect();
    assert_eq!(times, [&json!(early), &json!(local), &json!(NOW)]);
    assert_eq!(
        inbox.messages.iter().map(InboxMessage::when).collect::<Vec<_>>()[..2],
        [early, local]
    );
    assert_eq!(texts(&inbox), ["and tests", "soon"]);
}

#[test]
fn read_messages_leave_the_file_when_they_are_old_or_many_and_unread_ones_never() {
    let place = place();
    let chat = place.chat("fix", 1);
    let mut inbox = place.home.inbox(&chat).unwrap();
    for number in 0..250 {
        inbox
            .post(message(&format!("m{number}"), &format!("{number}")))
            .unwrap();
    }
    let shown = |inbox: &mut Inbox, now: Timestamp| {
        inbox.settle(&place.home, now).unwrap().unwrap();
        let file = place.shown(&chat);
        let entries = file["messages"].as_array().unwrap().iter();
        entries
            .map(|entry| entry["message"].as_str().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(&mut inbox, NOW).len(), 250, "unread ones stay, however many");
    let all_but_the_first: Vec<String> = (1..250).map(|number| format!("m{number}")).collect();
    inbox.mark(&all_but_the_first).unwrap();
    let left = shown(&mut inbox, NOW);
    assert_eq!((left.len(), left[0].as_str(), left[1].as_str()), (201, "0", "50"));
    let day = 86_400_000;
    assert_eq!(shown(&mut inbox, NOW.plus_ms(30 * day)).len(), 201);
    assert_eq!(shown(&mut inbox, NOW.plus_ms(30 * day + 1)), ["0"]);
    assert_eq!(texts(&inbox), ["0"]);
    // The record has them still: a copy of the file that somebody writes back brings none of them again.
    place.write_inbox(
        &chat,
        &json!({"messages": [{"id": "m249", "from": "person", "message": "249", "read": true}]}),
    );
    assert_eq!(shown(&mut inbox, NOW.plus_ms(31 * day)), ["0"]);
    assert_eq!(texts(&inbox), ["0"]);
}
