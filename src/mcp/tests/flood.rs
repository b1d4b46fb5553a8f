//! Callers that are slow, many or greedy, and the one beside them that is not.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::task::JoinSet;

use super::support::{TestServer, answer, connect, list_tools, open_dir, opened};
use crate::mcp::McpLimits;
use crate::model::ChatId;

/// The slowest but one of a hundred requests in a row.
async fn slowest(server: &TestServer) -> Duration {
    let mut times = Vec::new();
    for _ in 0..100 {
        let start = Instant::now();
        assert_eq!(server.post(list_tools()).status().await, 200);
        times.push(start.elapsed());
    }
    times.sort();
    times[98]
}

/// Whoever is held up is so until a stranger was given up.
fn in_time(slowest: Duration) {
    assert!(slowest < McpLimits::default().read_time / 2, "{slowest:?}");
}

#[tokio::test]
async fn a_thousand_slow_strangers_do_not_hold_up_an_agent() {
    let server = TestServer::open().await;
    let mut strangers = Vec::new();
    for _ in 0..1000 {
        let mut stream = connect(server.port).await;
        // The server may have shown it out already.
        let _ = stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: 127").await;
        strangers.push(stream);
    }
    in_time(slowest(&server).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_that_come_back_at_once_do_not_hold_up_an_agent() {
    let server = TestServer::open().await;
    let mut flood = JoinSet::new();
    for _ in 0..200 {
        let port = server.port;
        flood.spawn(async move {
            loop {
                let mut stream = connect(port).await;
                let _ = stream.write_all(b"POST /mcp HTTP/1.1\r\nX: ").await;
                let _ = stream.read_to_end(&mut Vec::new()).await;
            }
        });
    }
    in_time(slowest(&server).await);
}

#[tokio::test]
async fn whoever_never_ends_its_head_or_body_is_cut_off() {
    let server = TestServer::with(McpLimits {
        read_time: Duration::from_millis(100),
        ..McpLimits::default()
    })
    .await;
    let mut half = connect(server.port).await;
    half.write_all(b"POST /mcp HTTP/1.1\r\n").await.unwrap();
    let mut end = Vec::new();
    let ended = half.read_to_end(&mut end);
    tokio::time::timeout(super::support::SOON, ended)
        .await
        .expect("the connection ends")
        .unwrap();

    let body = server.post(list_tools()).with("Content-Length", "1000").start().await;
    assert_eq!(answer(body).await.status, 408);
    assert_eq!(server.post(list_tools()).status().await, 200);
}

#[tokio::test]
async fn a_chat_has_so_many_calls_open_and_another_chat_its_own() {
    let mut server = TestServer::open().await;
    let mut open = Vec::new();
    for id in 0..64 {
        let stream = server.post(open_dir(id)).start().await;
        open.push((stream, server.heard().await));
    }
    assert_eq!(server.post(list_tools()).status().await, 429);
    let other = ChatId::from_bits(8);
    let token = server.engine.tokens.issue(&other).unwrap();
    assert_eq!(server.post_as(&other, &token, list_tools()).status().await, 200);

    let (stream, heard) = open.pop().unwrap();
    heard.answer.send(Ok(opened())).unwrap();
    assert_eq!(answer(stream).await.status, 200);
    assert_eq!(server.post(list_tools()).status().await, 200);
}

#[tokio::test]
async fn a_chat_that_dawdles_over_large_bodies_does_not_hold_up_its_others() {
    let server = TestServer::open().await;
    let mut slow = Vec::new();
    for _ in 0..15 {
        let ask = server.post(list_tools()).with("Content-Length", "1000000");
        slow.push(ask.body(vec![b' '; 500_000]).start().await);
    }
    in_time(slowest(&server).await);
}
