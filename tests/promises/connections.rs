//! P18: peers at the engine's own socket that mean harm: silent ones, and ones that ask without end.

use std::io::Read;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use parlour::wire::{self, Codec, Message, address};
use serde_json::json;
use tokio_util::codec::Framed;

use crate::support::parlour::{PATIENCE, Parlour};

/// Requests under one id would have no end that is counted.
#[test]
fn p18_an_id_that_is_open_is_refused() {
    let parlour = Parlour::new();
    parlour.say(&["new", "rests", "--llm", "shell", "--no-project"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(async {
        let socket = address::socket_path(&parlour.home()).unwrap();
        let mut stream = tokio::net::UnixStream::connect(socket).await.unwrap();
        wire::exchange(&mut stream).await.unwrap();
        let mut peer = Framed::new(stream, Codec::default());
        let body = json!({"noun": "chat", "verb": "wait", "chat": "rests", "for": "exited"});
        for _ in 0..2 {
            let body = body.clone();
            peer.send(Message::Request { id: 7, body }).await.unwrap();
        }
        let heard = tokio::time::timeout(PATIENCE, peer.next())
            .await
            .expect("it is refused");
        match heard.unwrap().unwrap() {
            Message::Reply {
                id: 7,
                body: Err(problem),
            } => {
                assert_eq!(problem["cause"], "request 7 of this connection is open");
            }
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn p18_who_says_nothing_is_not_kept() {
    let parlour = Parlour::new();
    parlour.say(&["list"]);
    let socket = address::socket_path(&parlour.home()).unwrap();
    let mut silent = UnixStream::connect(socket).unwrap();
    silent
        .set_read_timeout(Some(PATIENCE.max(Duration::from_secs(20))))
        .unwrap();
    let mut said = Vec::new();
    silent.read_to_end(&mut said).expect("the engine hangs up");
    assert_eq!(said.len(), 16, "its hello and nothing else");
}
