//! Messages survive the wire, garbage ends in an error and never in a panic or a large reservation.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::wire::TerminalColours;

fn sent(message: Message) -> Message {
    let mut codec = Codec::default();
    let mut bytes = BytesMut::new();
    codec.encode(message, &mut bytes).unwrap();
    let back = codec.decode(&mut bytes).unwrap().expect("a whole message");
    assert!(bytes.is_empty(), "{} bytes are left over", bytes.len());
    back
}

fn every_kind() -> Vec<Message> {
    let key = KeyEvent::new(KeyCode::Char('é'), KeyModifiers::CONTROL);
    vec![
        Message::Input(Event::Key(key)),
        Message::Input(Event::Paste("two\nlines \u{1b}[31m".into())),
        Message::Input(Event::Resize(1, 1)),
        Message::Colours(TerminalColours {
            fg: [0, 1, 2],
            bg: [255, 0, 0],
        }),
        Message::LendKeyboard,
        Message::RenewKeyboard,
        Message::ReturnKeyboard(vec![27, b'[', 200]),
        Message::Frame {
            number: u32::MAX,
            bytes: vec![0, 27, 255],
        },
        Message::Ack { number: 0 },
        Message::Request {
            id: 7,
            body: json!({"verb": "ping"}),
        },
        Message::Reply {
            id: 7,
            body: Ok(json!(null)),
        },
        Message::Reply {
            id: 8,
            body: Err(json!({"doing": "a", "cause": "b", "hint": "c"})),
        },
        Message::Stream {
            id: 9,
            body: json!([1, "zwei"]),
        },
        Message::Bye {
            why: "detached".into(),
            exit: 0,
        },
    ]
}

#[test]
fn every_kind_comes_back_as_it_was() {
    for message in every_kind() {
        assert_eq!(sent(message.clone()), message);
    }
}

#[test]
fn a_message_longer_than_a_frame_travels_in_parts() {
    let message = Message::Request {
        id: 1,
        body: json!({"verb": "hook", "payload": "x".repeat(4 << 20)}),
    };
    assert_eq!(sent(message.clone()), message);
    let exactly_one_frame = Message::Frame {
        number: 1,
        bytes: vec![b'x'; FRAME_LIMIT - 5],
    };
    assert_eq!(sent(exactly_one_frame.clone()), exactly_one_frame);
}

#[test]
fn a_message_over_the_limit_is_refused_on_both_sides() {
    let mut codec = Codec::default();
    let bytes = vec![0; MESSAGE_LIMIT];
    let error = codec.encode(Message::Frame { number: 0, bytes }, &mut BytesMut::new());
    assert!(matches!(error, Err(Error::MessageLength { .. })));

    let part = vec![0; FRAME_LIMIT - 1];
    let mut endless = BytesMut::new();
    for _ in 0..=MESSAGE_LIMIT / part.len() {
        put_frame(&mut endless, PART, &part);
    }
    let error = codec.decode(&mut endless);
    assert!(matches!(error, Err(Error::MessageLength { .. })));
}

#[test]
fn a_frame_over_the_limit_is_refused_before_its_body_comes() {
    let mut announced = BytesMut::from(&u32::MAX.to_le_bytes()[..]);
    let error = Codec::default().decode(&mut announced);
    assert!(matches!(error, Err(Error::FrameLength { .. })));
    assert!(announced.capacity() < FRAME_LIMIT);
}

#[test]
fn messages_cut_anywhere_come_back_whole() {
    let mut codec = Codec::default();
    let mut stream = BytesMut::new();
    for message in every_kind() {
        codec.encode(message, &mut stream).unwrap();
    }
    let mut arrived = BytesMut::new();
    let mut heard = Vec::new();
    for byte in stream {
        arrived.put_u8(byte);
        heard.extend(codec.decode(&mut arrived).unwrap());
    }
    assert_eq!(heard, every_kind());
}

proptest! {
    #[test]
    fn garbage_is_an_error_or_waits_for_more(bytes in prop::collection::vec(any::<u8>(), 0..512)) {
        let mut codec = Codec::default();
        let mut bytes = BytesMut::from(&bytes[..]);
        while let Ok(Some(_)) = codec.decode(&mut bytes) {}
    }

    #[test]
    fn a_garbled_body_is_an_error_or_some_message(kind in 0u8..10, body in prop::collection::vec(any::<u8>(), 0..64)) {
        let mut codec = Codec::default();
        let mut bytes = BytesMut::new();
        put_frame(&mut bytes, kind, &body);
        let _ = codec.decode(&mut bytes);
        prop_assert!(bytes.is_empty());
    }
}
