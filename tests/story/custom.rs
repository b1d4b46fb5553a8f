//! A custom CLI, as the README describes one: a script that reads its settings and writes down what it does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// Answers each line with itself, and logs both. A paste comes framed.
const SCRIPT: &str = r#"#!/bin/sh
echo "$@" >> argv
echo "$MY_AGENT_TOKEN" > token
while printf '> ' && read -r line; do
  line=$(printf '%s' "$line" | tr -d '\033' | sed 's/\[20[01]~//g')
  printf '{"who":"user","words":["%s"]}\n{"who":"assistant","words":["You said %s."]}\n' "$line" "$line" >> log/talk.jsonl
done
"#;

/// The example of the README, as it stands there.
fn example() -> Value {
    let readme = include_str!("../../README.md");
    let (_, behind) = readme.split_once("works by configuration:\n").unwrap();
    let lines = behind.lines().skip(1).take_while(|line| line.starts_with("    "));
    serde_json::from_str(&lines.collect::<Vec<_>>().join("\n")).unwrap()
}

/// A person with `my-agent` on their PATH.
fn parlour() -> Parlour {
    let parlour = Parlour::new();
    let bin = parlour.scratch().join("bin");
    fs::create_dir(&bin).unwrap();
    // By a process of its own: a descriptor that another test's child inherits would make it "busy".
    let write = "printf '%s' \"$2\" > \"$1\" && chmod 755 \"$1\"";
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", write, "sh"]).arg(bin.join("my-agent")).arg(SCRIPT);
    assert!(shell.status().unwrap().success());
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    parlour.with([("PATH".to_string(), path)])
}

/// The tools that the server at this address offers, asked with that token or with what the address carries.
fn tools(url: &str, token: Option<&str>) -> String {
    let mut request = ureq::post(url)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream");
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    request.send(list).unwrap().body_mut().read_to_string().unwrap()
}

fn read_json(file: &Path) -> Value {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn said(parlour: &Parlour, kind: &str) -> Vec<String> {
    let events = parlour.events("talk").into_iter().filter(|event| event["kind"] == kind);
    events
        .filter_map(|event| Some(event["text"].as_str()?.to_owned()))
        .collect()
}

#[test]
fn a_custom_cli_is_configured_prompted_read_and_resumed() {
    let parlour = parlour();
    parlour.configure(&example().to_string());
    fs::create_dir_all(parlour.home().join("llm-defaults/mine")).unwrap();
    fs::write(parlour.home().join("llm-defaults/mine/notes.md"), "mine").unwrap();
    let chat = parlour.json(&["new", "Talk", "--llm", "mine"]);
    let dir = PathBuf::from(chat["dir"].as_str().unwrap());
    assert_eq!(fs::read_to_string(dir.join("notes.md")).unwrap(), "mine");
    assert!(fs::read_to_string(dir.join("MY_AGENT.md")).unwrap().contains("parlour"));
    parlour.wait("talk", "idle");
    let server = &read_json(&dir.join(".my-agent/mcp.json"))["servers"]["parlour"];
    let (url, token) = (server["url"].as_str().unwrap(), server["token"].as_str().unwrap());
    assert!(tools(url, Some(token)).contains("open_dir"));
    assert_eq!(fs::read_to_string(dir.join("token")).unwrap().trim(), token);

    parlour.say(&["send", "talk", "hello"]);
    until("its answer is in the transcript", PATIENCE, || {
        said(&parlour, "text") == ["You said hello."]
    });
    assert_eq!(said(&parlour, "prompt"), ["hello"]);

    parlour.say(&["stop", "talk"]);
    parlour.wait("talk", "exited");
    parlour.say(&["resume", "talk"]);
    until("it was started again", PATIENCE, || {
        fs::read_to_string(dir.join("argv")).unwrap() == "chat\nchat --continue\n"
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
    let parlour = parlour();
    let mut settings = example();
    settings["globalMcpServers"] = json!({"db": {"command": "db-mcp"}, "web": {"url": "https://localhost/mcp"}});
    parlour.configure(&settings.to_string());
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
    let refused = parlour.refusal(&["new", "Talk", "--llm", "mine", "--without-mcp", "bd"]);
    assert!(
        refused.contains("there is no MCP server bd to leave out; there are db, web"),
        "{refused}"
    );
    let dir = project.to_str().unwrap();
    parlour.json(&["new", "Talk", "--llm", "mine", "--without-mcp", "db", "--dir", dir]);
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
        (json!(false), "parlour writes no servers for mine".to_owned())
    );
    let own = json!([{"name": "own", "place": "npx", "file": "projects/project/.mcp.json",
                      "because": "a project's own are not merged"}]);
    assert_eq!(told["found_servers"], own);
    let words = parlour.say(&["explain", "talk"]);
    assert!(words.contains("db off, db-mcp, left out of this chat"), "{words}");
    assert!(!words.contains("s3cret"), "{words}");
}

#[test]
fn a_cli_without_a_place_for_the_token_has_it_in_the_address() {
    let parlour = parlour();
    let mut settings = example();
    settings["customLlms"]["mine"]["mcpConfig"] = json!({"template": {"url": "{{parlour_mcp_url}}"}});
    parlour.configure(&settings.to_string());
    let chat = parlour.json(&["new", "Talk", "--llm", "mine"]);
    let dir = PathBuf::from(chat["dir"].as_str().unwrap());
    let settings = read_json(&dir.join("mine.mcp.json"));
    assert!(tools(settings["url"].as_str().unwrap(), None).contains("open_dir"));
    let said = parlour.say(&["doctor"]);
    assert!(
        said.contains("the address in mine.mcp.json carries the token"),
        "{said}"
    );
}
