//! A custom CLI, as the README describes one: a script that reads its settings and writes down what it does.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::reviews::repository;
use crate::support::mcp::Server;
use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// Answers each line with itself, and logs both. A paste comes framed. Told to think, it says two things more, one of
/// them after a rest.
const SCRIPT: &str = r#"#!/bin/sh
echo "$@" >> argv
echo "$MY_AGENT_TOKEN" > token
while printf '> ' && read -r line; do
  line=$(printf '%s' "$line" | tr -d '\033' | sed 's/\[20[01]~//g')
  printf '{"who":"user","words":["%s"]}\n{"who":"assistant","words":["You said %s."]}\n' "$line" "$line" >> log/talk.jsonl
  case $line in
    think*)
      sleep 0.2
      echo '{"who":"assistant","words":["Let me think."]}' >> log/talk.jsonl
      sleep 1.5
      echo '{"who":"assistant","words":["I have it."]}' >> log/talk.jsonl ;;
  esac
done
"#;

/// The example of the documents, as it stands there.
fn example() -> Value {
    let page = include_str!("../../docs/configuration.md");
    let (_, behind) = page.split_once("works by configuration:\n").unwrap();
    let lines = behind.lines().skip(1).take_while(|line| line.starts_with("    "));
    serde_json::from_str(&lines.collect::<Vec<_>>().join("\n")).unwrap()
}

/// A person with `my-agent` on their PATH.
fn parlour() -> Parlour {
    Parlour::new().with_program("my-agent", SCRIPT)
}

/// The tools that the server at this address offers, asked with that token or with what the address carries.
fn tools(url: &str, token: Option<&str>) -> String {
    let server = Server {
        url: url.into(),
        token: token.map(str::to_owned),
    };
    server.ask("tools/list", &json!({})).unwrap().to_string()
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
    until("it has answered", PATIENCE, || {
        said(&parlour, "text").contains(&"You said bye.".to_owned())
    });
    // All that it wrote is read again by the time it has ended.
    parlour.say(&["stop", "talk"]);
    parlour.wait("talk", "exited");
    assert_eq!(said(&parlour, "text"), ["You said hello.", "You said bye."]);
    assert_eq!(said(&parlour, "prompt"), ["hello", "bye"]);
}

#[test]
fn a_fork_reads_what_was_said_where_its_cli_cannot_take_it_up() {
    let parlour = parlour();
    parlour.configure(&example().to_string());
    parlour.json(&["new", "Talk", "--llm", "mine"]);
    parlour.wait("talk", "idle");
    for word in ["hello", "bye"] {
        parlour.say(&["send", "talk", word]);
        let answer = format!("You said {word}.");
        until("it has answered", PATIENCE, || said(&parlour, "text").contains(&answer));
        parlour.wait("talk", "idle");
    }
    let fork = parlour.json(&["fork", "talk", "--turn", "2", "--name", "Other way"]);
    let told = "its agent cannot take up a conversation: its agent reads in AGENTS.md what was said until then";
    assert_eq!(fork["notes"].as_array().unwrap().last(), Some(&json!(told)), "{fork}");
    let dir = PathBuf::from(fork["dir"].as_str().unwrap());
    let block = fs::read_to_string(dir.join("AGENTS.md")).unwrap();
    assert!(block.contains("You were asked:\n\n    hello") && block.contains("    You said hello."));
    assert!(!block.contains("bye"), "{block}");

    let missing = parlour.refusal(&["fork", "talk", "--turn", "9"]);
    assert!(
        missing.contains("forking a chat: there is no turn 9: this chat has turns 1 to 2")
            && missing.contains("checkpoints"),
        "{missing}"
    );
    assert_eq!(
        parlour.json(&["list"])["chats"].as_array().unwrap().len(),
        2,
        "nothing is left of it"
    );
}

#[test]
fn a_transcript_is_read_as_it_grows_and_after_it_rested() {
    let parlour = parlour();
    parlour.configure(&example().to_string());
    parlour.json(&["new", "Talk", "--llm", "mine"]);
    parlour.wait("talk", "idle");
    parlour.say(&["send", "talk", "think about it"]);
    until("all of it is in the transcript", PATIENCE, || {
        said(&parlour, "text") == ["You said think about it.", "Let me think.", "I have it."]
    });
}

/// Asks something as soon as it is typed into, and keeps the keys.
const ASKS: &str = r"#!/bin/sh
stty raw -echo
printf '> '
dd bs=1 count=1 2>/dev/null > keys
printf '\r\nDelete all files? (y/n) '
cat >> keys
";

#[test]
fn a_question_that_is_drawn_as_a_prompt_is_pasted_gets_no_enter() {
    let parlour = Parlour::new().with_program("my-agent", ASKS);
    parlour.configure(&example().to_string());
    let chat = parlour.json(&["new", "Talk", "--llm", "mine"]);
    let keys = PathBuf::from(chat["dir"].as_str().unwrap()).join("keys");
    let keys = || fs::read_to_string(&keys).unwrap_or_default();
    parlour.wait("talk", "idle");
    let mut terminal = parlour.attach(&["talk"]);
    terminal.wait_for_text("AGENT");
    parlour.say(&["send", "talk", "fix it"]);
    until("it is pasted", PATIENCE, || keys() == "fix it");
    terminal.wait_for_text("Delete all files?");
    // A person's keys follow seconds later, behind all that parlour types.
    terminal.press("n");
    until("the question is answered", PATIENCE, || keys().ends_with('n'));
    assert_eq!(keys(), "fix itn");
}

/// Works first, and writes down long after that what it was asked.
const LATE: &str = r#"#!/bin/sh
while printf '> ' && read -r line; do
  line=$(printf '%s' "$line" | tr -d '\033' | sed 's/\[20[01]~//g')
  sleep 3
  echo "$line" >> projects/grove/done.txt
  sleep 1
  printf '{"who":"user","words":["%s"]}\n{"who":"assistant","words":["Did %s."]}\n' "$line" "$line" >> log/talk.jsonl
done
"#;

/// The prompts of the checkpoints that are listed.
fn turns(parlour: &Parlour) -> Vec<Value> {
    let listed = parlour.json(&["checkpoints", "talk"]);
    let checkpoints = listed["checkpoints"].as_array().unwrap();
    checkpoints.iter().map(|one| one["prompt"].clone()).collect()
}

#[test]
fn what_an_agent_does_before_it_tells_of_its_prompt_belongs_to_that_turn() {
    let parlour = Parlour::new().with_program("my-agent", LATE);
    parlour.configure(&example().to_string());
    let grove = repository(&parlour.scratch().join("grove"));
    let chat = parlour.json(&["new", "Talk", "--llm", "mine", "--dir", &grove]);
    let done = PathBuf::from(chat["dir"].as_str().unwrap()).join("projects/grove/done.txt");
    parlour.wait("talk", "idle");
    let mut terminal = parlour.attach(&["talk"]);
    terminal.wait_for_text("AGENT");
    parlour.say(&["send", "talk", "one"]);
    until("it has told of the first", PATIENCE, || {
        said(&parlour, "prompt") == ["one"]
    });
    // It is taken of what was saved last: that is not to be the state before the second prompt.
    until("the first turn has its checkpoint", PATIENCE, || {
        turns(&parlour) == ["one"]
    });
    parlour.wait("talk", "idle");
    terminal.press("two");
    until("with text in its composer it seems to work", PATIENCE, || {
        parlour.say(&["explain", "talk"]).contains("● running")
    });
    terminal.press("\r");
    until("it has told of both", PATIENCE, || {
        said(&parlour, "prompt") == ["one", "two"]
    });
    until("both turns have their checkpoint", PATIENCE, || {
        turns(&parlour) == ["one", "two"]
    });
    assert_eq!(fs::read_to_string(&done).unwrap(), "one\ntwo\n");
    let second = parlour.say(&["diff", "talk", "--turn", "2"]);
    assert!(second.contains("+two") && !second.contains("+one"), "{second}");
    parlour.json(&["revert", "talk", "--turn", "1", "--code", "--yes"]);
    assert!(!done.exists(), "before the first prompt it was not there");
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
    assert_eq!(off("own"), (json!(false), "not agreed to".to_owned()));
    let words = parlour.say(&["explain", "talk"]);
    assert!(
        words.contains("db off, config.json, db-mcp, left out of this chat"),
        "{words}"
    );
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

#[test]
fn a_cli_that_tells_of_no_prompt_has_a_checkpoint_as_one_is_typed() {
    let parlour = parlour();
    let mut config = example();
    let silent = config["customLlms"]["mine"].as_object_mut().unwrap();
    assert!(silent.remove("transcript").is_some());
    parlour.configure(&config.to_string());
    let grove = super::reviews::repository(&parlour.scratch().join("grove"));
    let made = parlour.json(&["new", "Talk", "--llm", "mine", "--dir", &grove]);
    let notes = PathBuf::from(made["dir"].as_str().unwrap()).join("projects/grove/notes.txt");
    let turns = || {
        let listed = parlour.json(&["checkpoints", "talk"]);
        let all = listed["checkpoints"].as_array().unwrap().iter();
        let turns = all.filter(|one| !one["turn"].is_null());
        let prompt = |one: &Value| one["prompt"].as_str().unwrap_or_default().to_owned();
        turns.map(prompt).collect::<Vec<_>>()
    };
    parlour.wait("talk", "idle");
    fs::write(&notes, "one\n").unwrap();
    parlour.say(&["send", "talk", "hello"]);
    until("the turn begins with a checkpoint", PATIENCE, || turns() == ["hello"]);

    fs::write(&notes, "two\n").unwrap();
    let mut terminal = parlour.attach(&["talk"]);
    terminal.wait_for_text("AGENT");
    terminal.press("more");
    terminal.wait_for_text("> more");
    terminal.press("\r");
    until("so does one that is typed in its terminal", PATIENCE, || {
        turns() == ["hello", ""]
    });
    parlour.json(&["revert", "talk", "--turn", "2", "--code", "--yes"]);
    assert_eq!(fs::read_to_string(&notes).unwrap(), "two\n");
}
