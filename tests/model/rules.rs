//! Which reply a request gets, in Anthropic's dialect.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::model_server::{Fault, ModelServer, Scenario, Step, gate, text, thinking, tool, turn};

#[tokio::test]
async fn tool_results_go_on_to_the_next_step_and_a_prompt_starts_the_next_turn() {
    let list = || tool("Bash", json!({ "command": "ls ${cwd}" }));
    let model = serve(Scenario::of([
        turn![list(), text("I saw ${tool_result}.")],
        turn![text("And now?")],
    ]))
    .await;

    let first = vec![user("one")];
    assert_eq!(said(&model, &first).await, json!({ "command": "ls /home/ada/code" }));
    let second = [first, vec![result("a.txt")]].concat();
    assert_eq!(said(&model, &second).await, "I saw a.txt.");
    assert_eq!(
        said(&model, &second).await,
        "I saw a.txt.",
        "a second try plays the same step"
    );
    let third = [second, vec![user("two")]].concat();
    assert_eq!(said(&model, &third).await, "And now?");
    assert_eq!(said(&model, &[third, vec![user("three")]].concat()).await, "Done.");
}

#[tokio::test]
async fn a_prompt_after_an_interrupted_tool_starts_the_next_turn() {
    let model = serve(Scenario::of([turn![text("one"), text("never")], turn![text("two")]])).await;
    assert_eq!(said(&model, &[user("go")]).await, "one");
    let mut interrupted = result("cut short");
    let mark = json!({ "type": "text", "text": "[Request interrupted by user for tool use]" });
    interrupted["content"].as_array_mut().expect("blocks").push(mark);
    assert_eq!(said(&model, &[user("go"), interrupted]).await, "two");
}

#[tokio::test]
async fn a_turn_with_words_plays_whenever_they_are_said() {
    let words = |words: &str| turn![text(words)].when(words);
    let model = serve(Scenario::of([
        words("again"),
        turn![text("in sequence")],
        words("other"),
    ]))
    .await;
    assert_eq!(said(&model, &[user("again")]).await, "again");
    assert_eq!(said(&model, &[user("hello")]).await, "in sequence");
    assert_eq!(said(&model, &[user("once again")]).await, "again");
    assert_eq!(said(&model, &[user("again, no, other")]).await, "other");
}

#[tokio::test]
async fn a_title_moves_nothing() {
    let scenario = Scenario::of([turn![text("one")]]).aside("name this", "A name");
    let model = serve(scenario).await;
    let untooled = json!({ "messages": [user("what is the title")] });
    assert!(
        whole(&model, untooled).await["content"][0]["text"]
            .as_str()
            .is_some_and(|said| said.contains("title"))
    );
    assert_eq!(said(&model, &[user("name this branch")]).await, "A name");
    assert_eq!(said(&model, &[user("go")]).await, "one");
    let asides: Vec<_> = model
        .requests()
        .into_iter()
        .map(|asked| (asked.last_user, asked.aside))
        .collect();
    let expected = [("what is the title", true), ("name this branch", true), ("go", false)];
    assert_eq!(asides, expected.map(|(said, aside)| (said.to_owned(), aside)));
}

#[tokio::test]
async fn conversations_and_directories_have_places_of_their_own() {
    let scenario = Scenario::of([turn![text("one")], turn![text("two")]]).beside("Subagent:", [turn![text("sub")]]);
    let model = serve(scenario).await;
    assert_eq!(said(&model, &[user("go")]).await, "one");
    assert_eq!(said(&model, &[user("Subagent: look")]).await, "sub");
    let elsewhere =
        json!({ "system": "Working directory: /elsewhere", "tools": [{ "name": "Bash" }], "messages": [user("go")] });
    assert_eq!(whole(&model, elsewhere).await["content"][0]["text"], "one");
    assert_eq!(said(&model, &[user("go"), user("on")]).await, "two");
}

#[tokio::test]
async fn a_fault_comes_as_often_as_told_and_then_the_step_plays() {
    let (kind, message) = ("overloaded_error".to_owned(), "Overloaded".to_owned());
    let busy = Fault::Error {
        status: 529,
        kind,
        message,
        retry_after: Some(1),
        times: 2,
    };
    let model = serve(Scenario::of([turn![Step::from(text("at last")).fault(busy)]])).await;
    for _ in 0..2 {
        let reply = post(&model, &body(&[user("go")])).await;
        assert!(reply.starts_with("HTTP/1.0 529"), "{reply}");
        assert!(
            reply.contains("retry-after: 1") && reply.contains("overloaded_error"),
            "{reply}"
        );
    }
    assert_eq!(said(&model, &[user("go")]).await, "at last");
}

#[tokio::test]
async fn a_stream_comes_in_pieces_and_can_be_cut() {
    let blocks = [
        thinking("Hm."),
        text("A sentence of several pieces."),
        tool("Read", json!({ "file_path": "/x" })),
    ];
    let step = Step::from(blocks)
        .fault(Fault::Drop { after: 3, times: 1 })
        .pace(1)
        .input_tokens(7);
    let model = serve(Scenario::of([turn![step]])).await;
    assert_eq!(
        events(&model).await,
        ["message_start", "content_block_start", "content_block_delta"]
    );
    let kinds = events(&model).await;
    assert_eq!(kinds.len(), 15);
    assert_eq!(&kinds[13..], ["message_delta", "message_stop"]);
    let whole = whole(&model, body(&[user("go")])).await;
    assert_eq!(
        (&whole["stop_reason"], &whole["usage"]["input_tokens"]),
        (&json!("tool_use"), &json!(7))
    );
}

#[tokio::test]
async fn a_gate_holds_the_reply_until_the_test_opens_it() {
    let model = serve(Scenario::of([turn![[gate("before"), text("late")]]])).await;
    let messages = [user("go")];
    let reply = said(&model, &messages);
    let opened = async {
        model.reached("before").await;
        model.release("before");
    };
    assert_eq!(tokio::join!(reply, opened).0, "late");
}

#[tokio::test]
async fn what_an_agent_cli_asks_beside_replies_is_answered_too() {
    let model = serve(Scenario::default()).await;
    assert!(request(&model, "GET /v1/models", "").await.contains("scripted"));
    assert!(
        request(&model, "POST /v1/messages/count_tokens", "{}")
            .await
            .contains("input_tokens")
    );
    assert!(
        request(&model, "POST /anything/else", "{}")
            .await
            .ends_with("\r\n\r\n{}")
    );
    assert!(request(&model, "HEAD /", "").await.starts_with("HTTP/1.0 200"));
    let paths = ["/v1/models", "/v1/messages/count_tokens", "/anything/else", "/"];
    assert_eq!(
        model
            .requests()
            .iter()
            .map(|asked| asked.path.as_str())
            .collect::<Vec<_>>(),
        paths
    );
    assert!(model.conversation().is_empty());
}

#[test]
fn a_scenario_can_be_read_from_json() {
    let scenario = Scenario::of([turn![[gate("g"), text("a")], tool("Bash", json!({}))].when("words")]);
    let written = json!({ "scripts": [{ "turns": [{ "when": "words", "steps": [
        { "says": [{ "type": "gate", "gate": "g" }, { "type": "text", "text": "a" }] },
        { "says": [{ "type": "tool_use", "name": "Bash", "input": {} }] },
    ] }] }] });
    assert_eq!(
        serde_json::from_value::<Scenario>(written).expect("a scenario"),
        scenario
    );
}

async fn serve(scenario: Scenario) -> ModelServer {
    ModelServer::start(scenario).await
}

/// The text of the reply's last block, or its input.
async fn said(model: &ModelServer, messages: &[Value]) -> Value {
    let message = whole(model, body(messages)).await;
    let block = message["content"]
        .as_array()
        .and_then(|blocks| blocks.last())
        .expect("a reply");
    if block["type"] == "text" {
        block["text"].clone()
    } else {
        block["input"].clone()
    }
}

async fn whole(model: &ModelServer, body: Value) -> Value {
    let reply = post(model, &body).await;
    let (_, body) = reply.split_once("\r\n\r\n").expect("a head and a body");
    serde_json::from_str(body).expect("JSON")
}

/// The kinds of the events of a streamed reply.
async fn events(model: &ModelServer) -> Vec<String> {
    let mut body = body(&[user("go")]);
    body["stream"] = json!(true);
    let reply = post(model, &body).await;
    reply
        .lines()
        .filter_map(|line| line.strip_prefix("event: "))
        .map(str::to_owned)
        .collect()
}

async fn post(model: &ModelServer, body: &Value) -> String {
    request(model, "POST /v1/messages", &body.to_string()).await
}

/// The old HTTP, so that the body comes unframed and ends with the connection.
async fn request(model: &ModelServer, what: &str, body: &str) -> String {
    let address = model.url().replace("http://", "");
    let mut connection = TcpStream::connect(address).await.expect("a listening server");
    let head = format!("{what} HTTP/1.0\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    connection.write_all(head.as_bytes()).await.expect("an open connection");
    let mut reply = Vec::new();
    // A cut stream may end in an error; what came before it is the reply.
    let _ = connection.read_to_end(&mut reply).await;
    String::from_utf8_lossy(&reply).into_owned()
}

fn body(messages: &[Value]) -> Value {
    json!({ "system": "Primary working directory: /home/ada/code\n", "tools": [{ "name": "Bash" }], "messages": messages })
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

fn result(text: &str) -> Value {
    json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "t", "content": text }] })
}
