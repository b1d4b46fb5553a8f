//! Who is let in and what is read. Each refusal stands beside a request that differs in one thing and passes.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::support::{TestServer, answer, connect, list_tools};
use crate::mcp::{Carried, McpLimits, Refusal};
use crate::model::ChatId;

#[tokio::test]
async fn only_a_live_token_comes_in() {
    let server = TestServer::open().await;
    let ask = || server.post(list_tools());
    let live = server.token.reveal();
    assert_eq!(ask().status().await, 200);
    assert_eq!(
        ask().with("Authorization", format!("bearer {live}")).status().await,
        200
    );
    assert_eq!(server.refusals(), []);

    let longer = format!("Bearer {live}A");
    let shorter = format!("Bearer {}", &live[1..]);
    for wrong in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer null",
        &longer,
        &shorter,
        &live.replace("", " "),
    ] {
        let answer = ask().with("Authorization", wrong).send().await;
        assert_eq!(answer.status, 401, "{wrong}");
        assert!(!format!("{answer:?}").contains(live));
    }
    assert_eq!(ask().without("Authorization").status().await, 401);
    assert_eq!(
        ask().also("Authorization", format!("Bearer {live}")).status().await,
        401
    );
    assert_eq!(server.refusals(), vec![Refusal::Token; 9]);

    server.engine.tokens.revoke(&server.chat);
    assert_eq!(ask().status().await, 401);
}

#[tokio::test]
async fn a_token_in_the_address_is_good_only_where_it_was_made_for_that() {
    let server = TestServer::open().await;
    let ask = |query: &str| {
        server
            .post(list_tools())
            .without("Authorization")
            .target(format!("/mcp?{query}"))
    };
    let own = server.chat.as_str();
    let strict = server.token.reveal();
    assert_eq!(ask(&format!("caller={own}&token={strict}")).status().await, 401);

    let loose = server.engine.tokens.issue_as(&server.chat, Carried::InUrl).unwrap();
    let loose = loose.reveal();
    assert_eq!(ask(&format!("caller={own}&token={loose}")).status().await, 200);
    let header = ask(&format!("caller={own}")).with("Authorization", format!("Bearer {loose}"));
    assert_eq!(header.status().await, 200);
    let wrong = ask(&format!("caller={own}&token={loose}")).with("Authorization", "Bearer x".to_string());
    assert_eq!(wrong.status().await, 401);
    assert_eq!(ask(&format!("token={loose}&token={loose}")).status().await, 401);
    assert_eq!(ask("token=").status().await, 401);
    let other = ChatId::from_bits(8);
    assert_eq!(ask(&format!("caller={other}&token={loose}")).status().await, 403);
}

#[tokio::test]
async fn the_caller_is_the_tokens_chat_and_a_claim_to_be_another_is_recorded() {
    let server = TestServer::open().await;
    let ask = |query: &str| server.post(list_tools()).target(format!("/mcp{query}"));
    let own = server.chat.as_str();
    let other = ChatId::from_bits(8);
    server.engine.tokens.issue(&other).unwrap();

    assert_eq!(ask(&format!("?caller={own}")).status().await, 200);
    assert_eq!(ask(&format!("?x=1&caller={own}&y")).status().await, 200);
    assert_eq!(ask("").status().await, 200);
    assert_eq!(ask("?caller").status().await, 403);
    assert_eq!(ask(&format!("?caller={own}&caller={other}")).status().await, 403);
    server.refusals();

    assert_eq!(ask(&format!("?caller={other}")).status().await, 403);
    let claim = Refusal::Caller {
        chat: server.chat.clone(),
        claimed: other.to_string(),
    };
    assert_eq!(server.refusals(), [claim]);
}

#[tokio::test]
async fn only_the_ports_own_names_are_hosts() {
    let server = TestServer::open().await;
    let port = server.port;
    for name in ["127.0.0.1", "localhost", "[::1]"] {
        let ask = server.post(list_tools()).with("Host", format!("{name}:{port}"));
        assert_eq!(ask.status().await, 200, "{name}");
    }
    server.refusals();
    let others = [
        "127.0.0.1".to_string(),
        format!("evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
        format!("127.0.0.1:{port}@evil.example"),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.0.0.2:{port}"),
        String::new(),
    ];
    for host in others {
        let ask = server.post(list_tools()).with("Host", host.clone());
        assert_eq!(ask.status().await, 403, "{host}");
        assert_eq!(server.refusals(), [Refusal::Host(host)]);
    }
    let twice = server.post(list_tools()).also("Host", format!("127.0.0.1:{port}"));
    assert_ne!(twice.status().await, 200);
    let target = format!("http://evil.example/mcp?caller={}", server.chat);
    assert_eq!(server.post(list_tools()).target(target).status().await, 403);
}

#[tokio::test]
async fn a_web_page_does_not_come_in() {
    let server = TestServer::open().await;
    let port = server.port;
    let ask = |origin: &str| server.post(list_tools()).with("Origin", origin);
    for own in ["http://127.0.0.1", "http://localhost", "http://[::1]"] {
        assert_eq!(ask(&format!("{own}:{port}")).status().await, 200, "{own}");
    }
    server.refusals();
    let evil = format!("http://evil.example:{port}");
    let secure = format!("https://localhost:{port}");
    for origin in ["null", "http://localhost", &evil, &secure] {
        let answer = ask(origin).send().await;
        assert_eq!(answer.status, 403, "{origin}");
        assert!(!answer.head.contains("access-control"));
        assert_eq!(server.refusals(), [Refusal::Origin(origin.into())]);
    }
    let preflight = ask(&evil)
        .method("OPTIONS")
        .with("Access-Control-Request-Method", "POST");
    let answer = preflight.send().await;
    assert_eq!(answer.status, 403);
    assert!(!answer.head.contains("access-control"));
}

#[tokio::test]
async fn only_post_and_only_json() {
    let server = TestServer::open().await;
    let ask = || server.post(list_tools());
    for method in ["GET", "DELETE", "OPTIONS", "PUT"] {
        let answer = ask().method(method).send().await;
        assert_eq!(answer.status, 405, "{method}");
        assert!(answer.head.contains("allow: post"));
        assert!(!answer.head.contains("access-control"));
    }
    let json = "application/json; charset=utf-8";
    assert_eq!(ask().with("Content-Type", json).status().await, 200);
    for form in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "",
    ] {
        assert_eq!(ask().with("Content-Type", form).status().await, 415, "{form}");
    }
    assert_eq!(ask().without("Content-Type").status().await, 415);
    assert_eq!(ask().target("/").status().await, 404);
    assert_eq!(ask().target("/mcp/").status().await, 404);
}

#[tokio::test]
async fn a_head_ends_at_sixteen_kilobytes() {
    let server = TestServer::open().await;
    let ask = |length| server.post(list_tools()).with("X-Padding", "x".repeat(length));
    assert_eq!(ask(15_000).status().await, 200);
    assert_eq!(ask(17_000).status().await, 431);
    assert_eq!(ask(1_000_000).status().await, 431);
}

#[tokio::test]
async fn a_body_ends_at_four_megabytes_however_it_is_sent() {
    let server = TestServer::open().await;
    let most = McpLimits::default().body_bytes;
    let padded = |length: usize| {
        let mut body = list_tools().to_string().into_bytes();
        body.resize(length, b' ');
        server.post(list_tools()).body(body)
    };
    assert_eq!(padded(most).status().await, 200);
    assert_eq!(padded(most + 1).status().await, 413);

    // Refused at its head, a caller can still say all it has, and so comes to hear the answer.
    let ask = padded(2 * most);
    let mut stream = connect(server.port).await;
    stream.write_all(ask.head().as_bytes()).await.unwrap();
    stream.write_all(&ask.body).await.unwrap();
    assert_eq!(answer(stream).await.status, 413);

    let chunked = |length: usize| {
        let ask = padded(length).with("Transfer-Encoding", "chunked");
        let mut body = format!("{length:x}\r\n").into_bytes();
        body.extend_from_slice(&ask.body);
        body.extend_from_slice(b"\r\n0\r\n\r\n");
        ask.body(body)
    };
    assert_eq!(chunked(most).status().await, 200);
    assert_eq!(chunked(most + 1).status().await, 413);
}

#[tokio::test]
async fn what_is_no_message_is_answered_as_the_protocol_says() {
    let server = TestServer::open().await;
    let ask = |body: &[u8]| server.post(json!(null)).body(body);
    let broken: [&[u8]; 6] = [b"", b"{", b"{\"a\":1}}", b"nul", b"\xff\xfe", b"{\"method\": \"\xc3\"}"];
    for body in broken {
        let answer = ask(body).send().await;
        assert_eq!((answer.status, answer.error_code()), (400, -32700), "{body:?}");
    }
    let strange: [&[u8]; 5] = [
        b"{}",
        b"[]",
        b"null",
        b"{\"method\": 3}",
        b"{\"method\":\"a\",\"method\":\"b\"}",
    ];
    for body in strange {
        let answer = ask(body).send().await;
        assert_eq!((answer.status, answer.error_code()), (400, -32600), "{body:?}");
    }
    assert_eq!(server.post(list_tools()).status().await, 200);
}

#[tokio::test]
async fn depth_and_count_are_bounded_and_brackets_in_strings_are_not_counted() {
    let server = TestServer::open().await;
    let message = |extra: String| {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"x":{extra}}}}}}}"#);
        server.post(json!(null)).body(body)
    };
    let nested = |depth: usize| message("[".repeat(depth) + &"]".repeat(depth));
    assert_eq!(nested(61).status().await, 200);
    let bombs = [nested(62), nested(100_000), message("[".repeat(1 << 20))];
    for bomb in bombs {
        let answer = bomb.send().await;
        assert_eq!((answer.status, answer.error_code()), (400, -32600));
    }
    let string = message(format!("\"\\\"{}\\\\\"", "[{,".repeat(100_000)));
    assert_eq!(string.status().await, 200);
    let many = message(format!("[{}0]", "0,".repeat(50_000)));
    assert_eq!(many.send().await.error_code(), -32600);
}

#[tokio::test]
async fn noise_is_no_trouble_for_the_next_caller() {
    let server = TestServer::open().await;
    let noises: [&[u8]; 4] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nHost: x\r\n\r\n0\r\n\r\n",
    ];
    for noise in noises {
        let mut stream = connect(server.port).await;
        stream.write_all(noise).await.unwrap();
        stream.shutdown().await.unwrap();
        let mut heard = String::new();
        // A hello of another protocol may get no answer at all.
        let _ = stream.read_to_string(&mut heard).await;
        assert!(heard.is_empty() || heard.starts_with("HTTP/1.1 4"), "{heard}");
        assert_eq!(server.post(list_tools()).status().await, 200);
    }
}
