//! A follower and a server that breaks off, and lines however they come.

use std::net::SocketAddr;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

use crate::agents::ReadStream;
use crate::engine::inbound::InboundLanes;
use crate::mcp::Tokens;
use crate::model::{Happened, Mark, Reported, Streamed};

use super::*;

const KEY: &str = "Basic a2V5";
const DEADLINE: Duration = Duration::from_secs(30);

/// Every event is a text with itself as its id.
struct Plain;

impl ReadStream for Plain {
    fn begin(&mut self, _read: u64) {}

    fn asks(&self, after: Option<&str>) -> Option<String> {
        after.is_none().then(|| "/missed".into())
    }

    fn answer(&mut self, _path: &str, body: &Value) -> Vec<Passage> {
        let list = body.as_array().into_iter().flatten();
        list.map(|text| text_of(text.as_str().unwrap())).collect()
    }

    fn event(&mut self, text: &str) -> Passage {
        text_of(text)
    }
}

fn text_of(text: &str) -> Passage {
    let text_is_torn = text == "torn";
    let (id, text) = (text.to_string(), text.to_string());
    let what = Happened::Text { id, text };
    Passage {
        said: vec![Streamed::Reported(Reported { at: None, what })],
        read: Some(Mark {
            file: "session".into(),
            to: 1,
        }),
        torn: text_is_torn,
        writes: None,
    }
}

/// One request with the right key, and its path.
async fn request(listener: &TcpListener) -> (TcpStream, String) {
    let (mut socket, _) = listener.accept().await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await.unwrap());
    }
    let head = String::from_utf8(head).unwrap();
    assert!(head.contains(KEY), "{head}");
    let path = head.split(' ').nth(1).unwrap().to_string();
    (socket, path)
}

/// Streams these events, and answers what is asked with those; the stream stays open.
async fn stream(listener: &TcpListener, missed: Value, events: &str) -> TcpStream {
    let (mut socket, path) = request(listener).await;
    assert_eq!(path, "/event");
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    socket.write_all(head.as_bytes()).await.unwrap();
    let (mut asked, path) = request(listener).await;
    assert_eq!(path, "/missed");
    let body = missed.to_string();
    let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    asked.write_all(answer.as_bytes()).await.unwrap();
    socket.write_all(events.as_bytes()).await.unwrap();
    socket
}

fn follow(address: SocketAddr, told: &[&str]) -> (FollowedStream, InboundLanes) {
    let (sender, inbox) = Sender::channel(Arc::new(Tokens::default()));
    let stream = EventStream {
        address,
        path: "/event",
        authorization: KEY.into(),
        reader: Box::new(Plain),
        tools: None,
        kept: None,
    };
    let read_offset = ReadOffset {
        to: 0,
        told: told.iter().map(|text| format!("text {text}")).collect(),
        ..ReadOffset::default()
    };
    (
        FollowedStream::start(ChatId::from_bits(1), stream, read_offset, sender),
        inbox,
    )
}

async fn heard(inbox: &mut InboundLanes) -> String {
    loop {
        let next = timeout(DEADLINE, inbox.said.recv()).await.expect("something is heard");
        if let Inbound::Event(Event::Observed(_, Observed::Stream(said, _))) = next.unwrap() {
            return said[0].key().unwrap();
        }
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_taken_up_again_with_what_was_missed() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (following, mut inbox) = follow(listener.local_addr().unwrap(), &["old"]);
    let first = stream(&listener, json!(["old", "zero"]), "data: one\n\ndata: tw").await;
    assert_eq!(heard(&mut inbox).await, "text zero");
    assert_eq!(heard(&mut inbox).await, "text one");
    assert!(following.is_heard());
    drop(first);
    let second = stream(&listener, json!(["two"]), "event: x\ndata: three\n\n").await;
    assert_eq!(heard(&mut inbox).await, "text two");
    assert_eq!(heard(&mut inbox).await, "text three");
    drop(following);
    // Its end ends the stream too.
    let mut second = second;
    let read = timeout(DEADLINE, second.read_u8())
        .await
        .expect("nobody listens any more");
    assert!(read.is_err());
}

#[test]
fn an_answer_is_parsed_beside_the_loop() {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (free, occupied) = std::sync::mpsc::channel::<()>();
        spawn_blocking(move || occupied.recv());
        let (_following, mut inbox) = follow(listener.local_addr().unwrap(), &[]);
        let _open = stream(&listener, json!(["zero"]), "data: one\n\n").await;
        let soon = timeout(Duration::from_millis(100), inbox.said.recv()).await;
        assert!(soon.is_err(), "its thread has other work");
        free.send(()).unwrap();
        assert_eq!(heard(&mut inbox).await, "text zero");
        assert_eq!(heard(&mut inbox).await, "text one");
    });
}

#[tokio::test]
async fn a_stream_that_left_something_out_is_begun_anew() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (_following, mut inbox) = follow(listener.local_addr().unwrap(), &[]);
    let _first = stream(&listener, json!([]), "data: one\n\ndata: torn\n\ndata: two\n\n").await;
    assert_eq!(heard(&mut inbox).await, "text one");
    assert_eq!(heard(&mut inbox).await, "text torn");
    let _second = stream(&listener, json!(["left out"]), "data: three\n\n").await;
    assert_eq!(heard(&mut inbox).await, "text left out");
    assert_eq!(heard(&mut inbox).await, "text three");
}

#[tokio::test]
async fn a_server_that_comes_late_is_heard_from_its_beginning() {
    // Its port is its own, and whoever calls is refused until it listens.
    let place = TcpSocket::new_v4().unwrap();
    place.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = place.local_addr().unwrap();
    let (_following, mut inbox) = follow(address, &[]);
    tokio::task::yield_now().await;
    let listener = place.listen(8).unwrap();
    let _open = stream(&listener, json!([]), "data: one\n\n").await;
    assert_eq!(heard(&mut inbox).await, "text one");
}

/// Answers whoever asks, however often, in these words.
async fn answer_all(listener: TcpListener, words: &str) {
    loop {
        let (mut socket, _) = request(&listener).await;
        socket.write_all(words.as_bytes()).await.unwrap();
    }
}

#[tokio::test]
async fn a_program_that_took_the_servers_port_is_known_by_its_answers() {
    for words in [
        "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n",
        "220 mail.example\r\n",
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (_following, mut inbox) = follow(listener.local_addr().unwrap(), &[]);
        let heard = async {
            tokio::select! {
                () = answer_all(listener, words) => None,
                heard = inbox.said.recv() => heard,
            }
        };
        let heard = timeout(DEADLINE, heard).await.expect("something is heard");
        assert!(
            matches!(heard, Some(Inbound::Event(Event::Observed(_, Observed::Stranger)))),
            "{words}"
        );
    }
}

#[test]
fn lines_are_whole_however_they_are_cut() {
    let mut lines = FollowedLines::default();
    assert_eq!(lines.take(b"data: on"), Vec::<String>::new());
    assert_eq!(lines.take(b"e\r\n\ndata: two\nda"), ["data: one", "", "data: two"]);
    assert_eq!(lines.take(b"ta: three\n"), ["data: three"]);
}

#[test]
fn a_line_without_end_is_skipped_and_held_nowhere() {
    let mut lines = FollowedLines::default();
    let piece = vec![b'x'; LINE / 2 + 1];
    for _ in 0..3 {
        assert!(lines.take(&piece).is_empty());
        assert!(lines.line.len() <= LINE);
    }
    assert_eq!(lines.take(b"\ndata: next\n"), ["data: next"]);
}

#[tokio::test]
async fn an_agent_without_our_tools_is_told_to_connect_until_it_is() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = FollowedServer {
        client: loopback::client(),
        address: listener.local_addr().unwrap(),
        authorization: KEY.into(),
    };
    let tools = OurTools {
        status: "/mcp",
        is_connected: |status| status["parlour"]["status"] == "connected",
        connect: "/connect",
    };
    let tended = tokio::spawn(async move { server.tend(tools).await });
    let mut asked = Vec::new();
    for body in ["{}", "true", r#"{"parlour":{"status":"connected"}}"#] {
        let (mut socket, path) = timeout(DEADLINE, request(&listener)).await.unwrap();
        asked.push(path);
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        socket.write_all(answer.as_bytes()).await.unwrap();
    }
    timeout(DEADLINE, tended).await.unwrap().unwrap();
    assert_eq!(asked, ["/mcp", "/connect", "/mcp"]);
}

#[test]
fn pieces_of_words_are_told_on_so_often_as_they_can_be_seen() {
    let mut paced = PacedWords::default();
    let words = |text: &str| {
        let mut words = LiveText::of("text a".into(), false);
        words.grow(text);
        Some(words)
    };
    paced.hold(words("one"));
    assert!(
        paced.due().is_some_and(|due| due <= Instant::now()),
        "the first at once"
    );
    assert_eq!(paced.take(), words("one"));
    assert_eq!(paced.due(), None);
    let told = Instant::now();
    paced.hold(words("one two"));
    paced.hold(words("one two three"));
    paced.hold(None);
    assert!(
        paced
            .due()
            .is_some_and(|due| due + Duration::from_millis(5) >= told + WORDS_APART)
    );
    assert_eq!(paced.take(), words("one two three"), "the last piece is not lost");
}
