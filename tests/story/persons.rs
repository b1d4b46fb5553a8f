//! Who counts as a person: whoever types in a terminal of their own, or in a shell of parlour's, and nothing that an
//! agent left behind.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, until};

const BINARY: &str = env!("CARGO_BIN_EXE_parlour");

/// Has an orphan, which says nothing of where it comes from, stop another chat.
fn agent() -> String {
    let stop = format!("sleep 0.3; env -u PARLOUR_CHAT {BINARY} stop other >said 2>&1; echo over >>said");
    format!("#!/bin/sh\n( ( {stop} ) & )\ncat\n")
}

fn said(dir: &Path) -> String {
    until("it was tried", PATIENCE, || {
        fs::read_to_string(dir.join("said")).is_ok_and(|said| said.ends_with("over\n"))
    });
    fs::read_to_string(dir.join("said")).unwrap()
}

#[test]
fn an_orphan_of_an_agent_is_no_person_and_one_of_a_shell_is() {
    let parlour = Parlour::new().with_program("sly", &agent());
    let sly = json!({"command": "sly", "args": [], "ready": "> "});
    parlour.configure(&json!({"customLlms": {"sly": sly}}).to_string());
    parlour.say(&["new", "Other", "--llm", "shell"]);
    let chat = parlour.json(&["new", "Sly", "--llm", "sly"]);
    let refused = said(Path::new(chat["dir"].as_str().unwrap()));
    assert!(refused.contains("only a person may do it"), "{refused}");
    assert_ne!(parlour.json(&["explain", "other"])["status"], "exited");

    let chat = parlour.json(&["new", "Mine", "--llm", "shell"]);
    let line = format!("( (sleep 0.3; {BINARY} stop other >said 2>&1; echo over >>said) & )");
    parlour.say(&["send", "mine", &line]);
    let done = said(Path::new(chat["dir"].as_str().unwrap()));
    assert!(!done.contains("only a person"), "{done}");
    parlour.wait("other", "exited");
}
