//! What a client of each protocol version sees.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::support::{TestServer, call, list_tools, opened};
use crate::model::area::AreaMode;
use crate::model::chat::Kind;
use crate::model::tool::{self, ADD_REMARK, Equipped, tools};

/// How many tools an agent with tools of its own is offered.
fn usual() -> usize {
    tools(Equipped::WithTools).count()
}

fn modern(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

#[tokio::test]
async fn a_client_with_a_handshake_is_greeted_in_its_own_version() {
    let server = TestServer::open().await;
    for version in ["2025-06-18", "2025-11-25"] {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {"roots": {}, "elicitation": {}},
            "clientInfo": {"name": "claude-code", "version": "2"}}});
        let answer = server.post(hello).send().await;
        let result = &answer.json()["result"];
        assert_eq!(result["protocolVersion"], version);
        assert_eq!(result["serverInfo"]["name"], "parlour");
        assert!(result["capabilities"]["tools"].is_object());
        assert!(!answer.head.contains("mcp-session-id"));

        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let ready = server.post(ready).with("MCP-Protocol-Version", version);
        assert_eq!(ready.status().await, 202);
        assert!(server.engine.connected.lock().is_empty());

        let tools = server.post(list_tools()).with("MCP-Protocol-Version", version);
        assert_eq!(
            tools.send().await.json()["result"]["tools"].as_array().unwrap().len(),
            usual()
        );
        let connected = std::mem::take(&mut *server.engine.connected.lock());
        assert_eq!(connected, std::slice::from_ref(&server.chat));
    }
}

#[tokio::test]
async fn a_client_without_a_handshake_is_served_from_the_same_address() {
    let server = TestServer::open().await;
    let ask = |method: &str, params: Value| {
        server
            .post(modern(method, params))
            .with("MCP-Protocol-Version", "2026-07-28")
            .with("Mcp-Method", method)
    };
    let found = ask("server/discover", json!({})).send().await.json();
    assert!(
        found["result"]["supportedVersions"]
            .as_array()
            .unwrap()
            .contains(&json!("2026-07-28"))
    );
    let tools = ask("tools/list", json!({})).send().await.json();
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), usual());
    let called = ask("tools/call", json!({"name": "list_projects", "arguments": {}}));
    let called = called.with("Mcp-Name", "list_projects").send().await.json();
    assert_eq!(called["result"]["structuredContent"], json!({"projects": []}));
}

#[tokio::test]
async fn what_is_not_declared_is_not_there() {
    let server = TestServer::open().await;
    let complete = json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "x", "value": ""}});
    for (method, params) in [
        ("prompts/list", json!({})),
        ("prompts/get", json!({"name": "x"})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": "file:///x"})),
        ("completion/complete", complete),
    ] {
        let old = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        assert_eq!(server.post(old).send().await.error_code(), -32601, "{method}");
        let name = params["name"]
            .as_str()
            .or(params["uri"].as_str())
            .unwrap_or_default()
            .to_string();
        let new = server
            .post(modern(method, params))
            .with("MCP-Protocol-Version", "2026-07-28")
            .with("Mcp-Method", method)
            .with("Mcp-Name", &name);
        assert_eq!(new.send().await.error_code(), -32601, "{method}");
    }
}

#[tokio::test]
async fn an_unknown_tool_or_method_is_an_error_of_the_protocol() {
    let server = TestServer::open().await;
    let answer = server.post(call(1, "format_disk", json!({}))).send().await;
    assert_eq!((answer.status, answer.error_code()), (200, -32602));
    let odd = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/burn", "params": {}});
    assert_eq!(server.post(odd).send().await.error_code(), -32601);
    for params in [
        Value::Null,
        json!({}),
        json!({"name": "list_projects", "arguments": []}),
    ] {
        let mut odd = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        if params.is_null() {
            odd.as_object_mut().unwrap().remove("params");
        }
        let answer = server.post(odd).send().await;
        assert_eq!(answer.error_code(), -32602, "{params}");
        assert!(
            answer.json()["error"]["message"]
                .as_str()
                .unwrap()
                .contains("arguments, an object")
        );
    }
}

/// A client finds its own slips: each is told with the request's id, and for what it is.
#[tokio::test]
async fn what_is_wrong_with_a_message_is_said_under_its_id() {
    let server = TestServer::open().await;
    for params in [json!({}), json!({"protocolVersion": 5, "capabilities": {}})] {
        let hello = json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params});
        let answer = server.post(hello).send().await;
        assert_eq!((answer.error_code(), answer.json()["id"].clone()), (-32602, json!(7)));
        let why = answer.json()["error"]["message"].clone();
        assert!(why.as_str().unwrap().contains("protocolVersion"), "{why}");
    }
    let odd = json!({"jsonrpc": "2.0", "id": "a", "method": "ping", "params": []});
    let odd = server.post(odd).send().await;
    assert_eq!((odd.error_code(), odd.json()["id"].clone()), (-32600, json!("a")));
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    for batch in [json!([ping, ping]), json!([])] {
        let refused = server.post(batch).send().await;
        assert_eq!(refused.error_code(), -32600);
        let why = refused.json()["error"]["message"].clone();
        assert!(why.as_str().unwrap().contains("a request of its own"), "{why}");
    }
    // What answers a question that nobody asked is let go.
    for response in [json!({"result": {}}), json!({"error": {"code": 1, "message": "no"}})] {
        let mut message = json!({"jsonrpc": "2.0", "id": 3});
        message
            .as_object_mut()
            .unwrap()
            .extend(response.as_object().unwrap().clone());
        assert_eq!(server.post(message).status().await, 202);
    }
}

#[tokio::test]
async fn wrong_arguments_are_the_callers_and_no_fault() {
    let server = TestServer::open().await;
    for (tool, arguments) in [
        ("open_dir", json!({})),
        ("open_dir", json!({"path_or_url": 5})),
        ("set_status", json!({"status": "zzz"})),
    ] {
        let refused = server.post(call(1, tool, arguments)).send().await.json();
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        assert_eq!(refused["result"]["_meta"]["parlour/kind"], "user", "{refused}");
    }
}

#[tokio::test]
async fn a_tool_that_is_not_offered_is_neither_listed_nor_called() {
    let server = TestServer::open().await;
    *server.engine.only.lock() = Some(vec!["list_projects".into()]);
    let listed = server.post(list_tools()).send().await.json();
    let names: Vec<&Value> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(names, ["list_projects"]);
    let hidden = call(1, "open_dir", json!({"path_or_url": "x"}));
    let refused = server.post(hidden).send().await.json();
    assert_eq!(refused["result"]["isError"], true, "{refused}");
    let why = refused["result"]["content"][0]["text"].as_str().unwrap_or_default();
    assert!(why.contains("a person switched it off for this chat"), "{why}");
    let offered = server.post(call(1, "list_projects", json!({}))).send().await.json();
    assert_eq!(offered["result"]["structuredContent"], json!({"projects": []}));
}

#[tokio::test]
async fn each_tool_says_what_goes_in_and_what_comes_out_in_few_words() {
    let server = TestServer::open().await;
    let listed = server.post(list_tools()).send().await.json();
    let tools = listed["result"]["tools"].as_array().unwrap();
    for tool in tools {
        for side in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[side]["type"], "object", "{tool}");
            assert!(tool[side]["properties"].is_object(), "{tool}");
        }
    }
    let branch = json!({"type": "string", "description": "Checked out; made from base if missing"});
    assert_eq!(tools[0]["inputSchema"]["properties"]["branch"], branch);
    // About four letters to a token. A reviewer alone has the tool for its findings.
    let of_all: Vec<&Value> = tools.iter().filter(|tool| tool["name"] != ADD_REMARK).collect();
    let letters = serde_json::to_string(&of_all).unwrap().len();
    assert!(letters < 3500 * 4, "{letters} letters");
}

#[tokio::test]
async fn files_and_commands_are_offered_only_to_whom_has_none() {
    let server = TestServer::open().await;
    let shell = || call(1, "shell", json!({"command": "ls"}));
    assert_eq!(server.post(shell()).send().await.error_code(), -32602);
    server.engine.bare.store(true, Ordering::Relaxed);
    let listed = server.post(list_tools()).send().await.json();
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools[usual()..]
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert_eq!(names, ["read_file", "write_file", "apply_patch", "shell"]);
    let letters = serde_json::to_string(&tools[usual()..]).unwrap().len();
    assert!(letters < 600 * 4, "{letters} letters");
}

#[test]
fn what_the_model_answers_is_what_the_schemas_promise() {
    let shape = |name: &str, answer: Value| {
        let tool = tool::named(name).unwrap();
        assert_eq!((tool.shape)(answer.clone()).unwrap(), answer);
    };
    let opened = tool::OpenDirAnswer {
        name: "grove".into(),
        path: "/c/projects/grove".into(),
        branch: None,
        created: true,
        notes: vec!["from the cache".into()],
    };
    shape("open_dir", serde_json::to_value(opened).unwrap());
    shape("open_dir", self::opened());
    let tallied = tool::Tallied {
        name: "grove".into(),
        path: "/c/projects/grove".into(),
        branch: Some("main".into()),
        mode: AreaMode::Ro,
        kind: Kind::Git,
        dirty: 1,
        ahead: 2,
        behind: 3,
    };
    shape("list_projects", json!({"projects": [tallied]}));
}
