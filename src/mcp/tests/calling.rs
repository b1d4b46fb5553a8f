//! Calls from their arguments to their end, whichever end that is.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::support::{HeardCall, SOON, TestServer, answer, call, events, open_dir, opened, says};
use crate::mcp::{McpLimits, listen};
use crate::model::area::AreaMode;
use crate::model::atom::Who;
use crate::model::open_dir::OpenDir;
use crate::model::tool::ProjectCall;
use crate::model::{ChatId, Problem, ToolCall};

fn cancellation(request: i64) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request}})
}

fn listening(mut message: Value) -> Value {
    message["params"]["_meta"] = json!({"progressToken": 9});
    message
}

async fn abandons(heard: HeardCall) {
    let seen = timeout(SOON, heard.abandoned).await;
    seen.expect("the engine is told").expect("its work was not dropped");
}

fn text(answer: &Value) -> &str {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[tokio::test]
async fn a_call_reaches_the_engine_parsed_and_its_answer_comes_back_structured() {
    let mut server = TestServer::open().await;
    let arguments = json!({"path_or_url": "https://example.org/grove", "branch": "fix", "base": "", "mode": "ro"});
    let stream = server.post(call(3, "open_dir", arguments)).start().await;
    let heard = server.heard().await;
    assert_eq!(heard.caller, server.chat);
    let wanted = OpenDir {
        path_or_url: "https://example.org/grove".into(),
        branch: Some("fix".into()),
        mode: Some(AreaMode::Ro),
        by: Who::Agent,
        ..OpenDir::default()
    };
    assert_eq!(heard.call, ToolCall::Project(ProjectCall::Open(wanted)));
    heard.answer.send(Ok(opened())).unwrap();
    let answer = answer(stream).await.json();
    assert_eq!(answer["id"], 3);
    assert_eq!(answer["result"]["structuredContent"], opened());
    assert!(!heard.cancelled.is_cancelled());
}

#[tokio::test]
async fn an_agent_is_told_what_was_wrong_and_what_to_do() {
    let mut server = TestServer::open().await;
    let stream = server.post(open_dir(1)).start().await;
    let problem = Problem::new("opening grove", "no such branch", "try main");
    server.heard().await.answer.send(Err(problem)).unwrap();
    let told = answer(stream).await.json();
    assert_eq!(text(&told), "opening grove: no such branch; try main");

    let misspelt = call(1, "open_dir", json!({"path_or_url": "grove", "brnach": "x"}));
    let told = server.post(misspelt).send().await.json();
    assert!(
        text(&told).contains("unknown field `brnach`, expected one of"),
        "{told}"
    );
    // Where a relative path starts is not an agent's to say.
    let elsewhere = call(1, "open_dir", json!({"path_or_url": "grove", "cwd": "/"}));
    assert!(text(&server.post(elsewhere).send().await.json()).contains("cwd"));
    let nothing = call(1, "open_dir", json!({}));
    assert!(text(&server.post(nothing).send().await.json()).contains("path_or_url"));
}

#[tokio::test]
async fn progress_is_heard_while_the_call_runs_and_only_rises() {
    let mut server = TestServer::open().await;
    let mut stream = server.post(listening(open_dir(1))).start().await;
    let heard = server.heard().await;
    let mut said = String::new();
    for (done, what) in [(0, "counting"), (10, "copying"), (1, "checking out")] {
        heard.progress.report(done, Some(10), what);
        says(&mut stream, &mut said, what).await;
    }
    heard.answer.send(Ok(opened())).unwrap();
    says(&mut stream, &mut said, "structuredContent").await;
    assert!(said.contains("text/event-stream"));

    let events = events(&said);
    let (last, steps) = events.split_last().unwrap();
    assert_eq!(last["result"]["structuredContent"], opened());
    let done = |step: &Value| {
        assert_eq!(step["method"], "notifications/progress");
        assert_eq!(step["params"]["progressToken"], 9);
        step["params"]["progress"].as_f64().unwrap()
    };
    assert_eq!(steps.iter().map(done).collect::<Vec<_>>(), [0.0, 10.0, 11.0]);
}

#[tokio::test]
async fn a_silent_call_shows_that_it_lives_to_whoever_listens() {
    let mut server = TestServer::with(McpLimits {
        heartbeat: Duration::from_millis(10),
        ..McpLimits::default()
    })
    .await;
    let mut stream = server.post(listening(open_dir(1))).start().await;
    let heard = server.heard().await;
    let mut said = String::new();
    says(&mut stream, &mut said, "\"progress\":2").await;
    heard.answer.send(Ok(opened())).unwrap();
    says(&mut stream, &mut said, "structuredContent").await;
}

#[tokio::test]
async fn a_caller_takes_back_its_call_and_no_other() {
    let mut server = TestServer::open().await;
    let other = ChatId::from_bits(8);
    let token = server.engine.tokens.issue(&other).unwrap();
    let stream = server.post(open_dir(5)).start().await;
    let first = server.heard().await;
    let goes_on = server.post(open_dir(6)).start().await;
    let second = server.heard().await;

    let stranger = server.post_as(&other, &token, cancellation(6));
    assert_eq!(stranger.status().await, 202);

    assert_eq!(server.post(cancellation(5)).status().await, 202);
    abandons(first).await;
    text(&answer(stream).await.json());
    second.answer.send(Ok(opened())).unwrap();
    assert_eq!(answer(goes_on).await.json()["result"]["structuredContent"], opened());
    // One that is over, or never was, is no mistake.
    assert_eq!(server.post(cancellation(5)).status().await, 202);
}

#[tokio::test]
async fn a_caller_that_goes_away_takes_its_call_with_it() {
    let mut server = TestServer::open().await;
    let plain = server.post(open_dir(1)).start().await;
    let heard = server.heard().await;
    drop(plain);
    abandons(heard).await;

    let mut streaming = server.post(listening(open_dir(1))).start().await;
    let heard = server.heard().await;
    heard.progress.report(1, None, "cloning");
    says(&mut streaming, &mut String::new(), "cloning").await;
    drop(streaming);
    abandons(heard).await;
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_answered_and_goes_on() {
    let mut server = TestServer::with(McpLimits {
        answer_time: Duration::from_millis(50),
        ..McpLimits::default()
    })
    .await;
    let stream = server.post(open_dir(1)).start().await;
    let heard = server.heard().await;
    let told = answer(stream).await.json();
    assert!(
        text(&told).contains("still running; call it again with the same arguments"),
        "{told}"
    );
    assert!(!heard.cancelled.is_cancelled());

    let mut server = TestServer::open().await;
    let stream = server.post(open_dir(2)).start().await;
    server.heard().await.answer.send(Ok(opened())).unwrap();
    assert_eq!(answer(stream).await.json()["result"]["structuredContent"], opened());
}

#[tokio::test]
async fn the_engine_stops_without_waiting_for_calls() {
    // Anybody on this machine may be given the port that is free again, but not thrice.
    let freed = stops_with_a_call().await || stops_with_a_call().await || stops_with_a_call().await;
    assert!(freed);
}

async fn stops_with_a_call() -> bool {
    let mut server = TestServer::open().await;
    let stream = server.post(open_dir(1)).start().await;
    let heard = server.heard().await;
    server.stop.cancel();
    abandons(heard).await;
    answer(stream).await;
    // The port is free at once for the engine that comes next.
    timeout(SOON, server.gone).await.unwrap().unwrap().unwrap();
    listen(server.port).is_ok()
}
