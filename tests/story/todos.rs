//! Todos of a chat: from a shell, over MCP, by an editor, on the screen.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::mcp::Server;
use crate::support::parlour::{PATIENCE, Parlour, until};

/// An agent that does nothing, with its address and token in a file.
const STILL: &str = r#"{"customLlms": {"still": {"command": "/bin/sleep", "args": ["600"], "mcpConfig": {
    "file": "mcp.json", "template": {"url": "{{parlour_mcp_url}}", "token": "{{parlour_token}}"}}}}}"#;

fn call(chat: &Value, tool: &str, arguments: Value) -> Result<Value, String> {
    let file = PathBuf::from(chat["dir"].as_str().unwrap()).join("mcp.json");
    Server::named_in(&file).call(tool, &arguments).unwrap()
}

#[test]
fn a_person_an_agent_and_an_editor_change_one_list() {
    let parlour = Parlour::new();
    parlour.configure(STILL);
    let chat = parlour.json(&["new", "Work", "--llm", "still"]);
    let file = PathBuf::from(chat["dir"].as_str().unwrap()).join("todos.md");
    let text = || fs::read_to_string(&file).unwrap();

    assert_eq!(parlour.say(&["todos", "work"]), "no todos\n");
    parlour.say(&["todos", "work", "--add", "one", "--add", "two"]);
    assert_eq!(text(), "- [ ] one\n- [ ] two\n");

    fs::write(&file, "# Mine\r\n\r\n* [ ] one\r\n  why\r\n* [ ] two\r\nend").unwrap();
    until("the editor's change is seen", PATIENCE, || {
        parlour.json(&["todos", "work"])["todos"][1]["text"] == "two"
    });
    let told = call(&chat, "update_todos", json!({"check": [1], "add": ["three"]})).unwrap();
    assert_eq!(told["text"], "1. [x] one\n2. [ ] two\n3. [ ] three\n");
    assert_eq!(
        text(),
        "# Mine\r\n\r\n* [x] one\r\n  why\r\n* [ ] two\r\n* [ ] three\r\nend"
    );

    parlour.say(&[
        "todos", "work", "--move", "3", "1", "--remove", "2", "--edit", "2", "zwei",
    ]);
    assert_eq!(text(), "# Mine\r\n\r\n* [ ] three\r\n* [ ] zwei\r\nend");
    let refused = parlour.refusal(&["todos", "work", "--check", "1", "--check", "9"]);
    assert!(refused.contains("there is no todo 9"), "{refused}");
    assert!(!text().contains("[x]"), "all or nothing");
    let words = parlour.say(&["todos", "work"]);
    assert_eq!(words, "1 [ ] three\n2 [ ] zwei\n");
}

#[test]
fn todos_that_come_first_hold_done_and_push_back() {
    let parlour = Parlour::new();
    parlour.configure(STILL);
    let chat = parlour.json(&["new", "Work", "--llm", "still"]);
    parlour.say(&["todos", "work", "--add", "test it", "--first", "on"]);
    let refused = call(&chat, "set_status", json!({"status": "done"})).unwrap_err();
    assert!(refused.contains("1 todo is open: test it"), "{refused}");
    let refused = parlour.refusal(&["push", "work"]);
    assert!(
        refused.contains("1 todo is open: test it") && refused.contains("--despite-todos"),
        "{refused}"
    );
    parlour.say(&["kill-engine"]);
    assert_eq!(parlour.json(&["todos", "work"])["first"], true, "it is kept");
    parlour.say(&["resume", "work"]);
    let overridden = parlour.refusal(&["push", "work", "--despite-todos"]);
    assert!(!overridden.contains("test it"), "{overridden}");
    parlour.say(&["todos", "work", "--check", "1"]);
    call(&chat, "set_status", json!({"status": "done"})).unwrap();
}

#[test]
fn a_list_that_cannot_be_read_says_so_and_is_left_alone() {
    let parlour = Parlour::new();
    let chat = parlour.json(&["new", "Work", "--llm", "shell"]);
    let file = PathBuf::from(chat["dir"].as_str().unwrap()).join("todos.md");
    fs::write(&file, "- [ ] x\n".repeat(200_000)).unwrap();
    until("it is seen", PATIENCE, || {
        !parlour.json(&["todos", "work"])["problem"].is_null()
    });
    let refused = parlour.refusal(&["todos", "work", "--add", "y"]);
    assert!(refused.contains("todos.md"), "{refused}");
    assert_eq!(fs::metadata(&file).unwrap().len(), 1_600_000);
}
