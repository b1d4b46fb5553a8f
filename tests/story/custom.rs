//! A custom CLI, as the README describes one: a script that reads its settings and writes down what it does.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// Answers each line with itself, and logs both. A paste comes framed.
const SCRIPT: &str = r#"
echo "$@" >> argv
while printf '> ' && read -r line; do
  line=$(printf '%s' "$line" | tr -d '\033' | sed 's/\[20[01]~//g')
  printf '{"role":"user","text":"%s"}\n{"role":"assistant","text":"You said %s."}\n' "$line" "$line" >> log/talk.jsonl
done
"#;

fn configure(parlour: &Parlour) {
    let script = parlour.scratch().join("echo.sh");
    fs::write(&script, SCRIPT).unwrap();
    let script = script.to_str().unwrap();
    let echo = json!({
        "command": "/bin/sh",
        "args": [script, "first"],
        "resumeArgs": [script, "again"],
        "ready": "^> $",
        "instructionsFile": "ECHO.md",
        "mcpConfig": {"template": {"parlour": {"url": "{{parlour_mcp_url}}"}}},
        "transcript": {"format": "jsonl", "file": "log/talk.jsonl"},
    });
    let servers = json!({"db": {"command": "db-mcp"}, "web": {"url": "https://localhost/mcp"}});
    parlour.configure(&json!({"customLlms": {"echo": echo}, "globalMcpServers": servers}).to_string());
    fs::create_dir_all(parlour.home().join("llm-defaults/echo")).unwrap();
    fs::write(parlour.home().join("llm-defaults/echo/notes.md"), "mine").unwrap();
}

fn said(parlour: &Parlour, kind: &str) -> Vec<String> {
    let events = parlour.events("talk").into_iter().filter(|event| event["kind"] == kind);
    events
        .filter_map(|event| Some(event["text"].as_str()?.to_owned()))
        .collect()
}

#[test]
fn a_custom_cli_is_configured_prompted_read_and_resumed() {
    let parlour = Parlour::new();
    configure(&parlour);
    let chat = parlour.json(&["new", "Talk", "--llm", "echo"]);
    let dir = PathBuf::from(chat["dir"].as_str().unwrap());
    assert_eq!(fs::read_to_string(dir.join("notes.md")).unwrap(), "mine");
    assert!(fs::read_to_string(dir.join("ECHO.md")).unwrap().contains("parlour"));
    parlour.wait("talk", "idle");

    let settings: Value = serde_json::from_slice(&fs::read(dir.join("echo.mcp.json")).unwrap()).unwrap();
    let url = settings["parlour"]["url"].as_str().unwrap();
    let request = ureq::post(url)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream");
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let mut answer = request.send(list).unwrap();
    assert!(answer.body_mut().read_to_string().unwrap().contains("open_dir"));

    parlour.say(&["send", "talk", "hello"]);
    until("its answer is in the transcript", PATIENCE, || {
        said(&parlour, "text") == ["You said hello."]
    });
    assert_eq!(said(&parlour, "prompt"), ["hello"]);

    parlour.say(&["stop", "talk"]);
    parlour.wait("talk", "exited");
    parlour.say(&["resume", "talk"]);
    until("it was started again", PATIENCE, || {
        fs::read_to_string(dir.join("argv")).unwrap() == "first\nagain\n"
    });
    parlour.wait("talk", "idle");
    parlour.say(&["send", "talk", "bye"]);
    until("nothing is told twice", PATIENCE, || {
        said(&parlour, "text") == ["You said hello.", "You said bye."]
    });
    assert_eq!(said(&parlour, "prompt"), ["hello", "bye"]);
}

#[test]
fn a_person_sees_which_servers_a_chat_has() {
    let parlour = Parlour::new();
    configure(&parlour);
    let project = parlour.scratch().join("project");
    fs::create_dir(&project).unwrap();
    git(&project, &["init", "-q"]);
    fs::write(
        project.join(".mcp.json"),
        r#"{"mcpServers": {"own": {"command": "npx", "args": ["s3cret"]}}}"#,
    )
    .unwrap();
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "servers"]);
    let refused = parlour.refusal(&["new", "Talk", "--llm", "echo", "--without-mcp", "bd"]);
    assert!(
        refused.contains("there is no MCP server bd to leave out; there are db, web"),
        "{refused}"
    );
    let dir = project.to_str().unwrap();
    parlour.json(&["new", "Talk", "--llm", "echo", "--without-mcp", "db", "--dir", dir]);
    let told = parlour.json(&["explain", "talk"]);
    let off = |name: &str| {
        let servers = told["servers"].as_array().unwrap();
        let server = servers.iter().find(|server| server["name"] == name).unwrap();
        (
            server["on"].clone(),
            server["because"].as_str().unwrap_or_default().to_owned(),
        )
    };
    assert_eq!(off("parlour"), (json!(true), String::new()));
    assert_eq!(off("db"), (json!(false), "left out of this chat".to_owned()));
    assert_eq!(
        off("web"),
        (json!(false), "parlour writes no servers for echo".to_owned())
    );
    let own = json!([{"name": "own", "place": "npx", "file": "projects/project/.mcp.json",
                      "because": "a project's own are not merged"}]);
    assert_eq!(told["found_servers"], own);
    let words = parlour.say(&["explain", "talk"]);
    assert!(words.contains("db off, db-mcp, left out of this chat"), "{words}");
    assert!(!words.contains("s3cret"), "{words}");
}
