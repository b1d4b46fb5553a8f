//! Remarks over MCP, and a second opinion: a reviewer's chat, what it may, and what becomes of what it finds.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::mcp::Server;
use crate::support::parlour::{Parlour, git};

/// One that does nothing, with its address and token in a file.
const STILL: &str = r#"{"customLlms": {"still": {"command": "/bin/sleep", "args": ["600"], "mcpConfig": {
    "file": "mcp.json", "template": {"url": "{{parlour_mcp_url}}", "token": "{{parlour_token}}"}}}}}"#;

/// A chat with one clone, in which something changed that is not committed.
struct Changed {
    parlour: Parlour,
    dir: PathBuf,
}

impl Changed {
    fn new() -> Changed {
        let parlour = Parlour::new();
        parlour.configure(STILL);
        let grove = parlour.scratch().join("grove");
        fs::create_dir_all(grove.join("src")).unwrap();
        fs::write(grove.join("src/main.rs"), "fn main() {\n    run();\n}\n").unwrap();
        fs::write(grove.join("old.txt"), "old\n").unwrap();
        git(&grove, &["init", "-q", "-b", "main"]);
        git(&grove, &["add", "-A"]);
        git(&grove, &["commit", "-q", "-m", "first"]);
        let made = parlour.json(&["new", "work", "--llm", "still", "--dir", grove.to_str().unwrap()]);
        let changed = Changed {
            parlour,
            dir: PathBuf::from(made["dir"].as_str().unwrap()),
        };
        changed.write("src/main.rs", "fn main() {\n    run().unwrap();\n}\n");
        changed.write("new.txt", "new\n");
        fs::remove_file(changed.clone().join("old.txt")).unwrap();
        changed
    }

    fn clone(&self) -> PathBuf {
        self.dir.join("projects/grove")
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.clone().join(file), text).unwrap();
    }

    /// The only remark there is.
    fn remark(&self) -> Value {
        let all = self.parlour.json(&["remarks", "work"]);
        all["remarks"][0].clone()
    }
}

/// Calls a tool as the agent of the chat in this directory: what it answers, or the words of its error.
fn call(dir: &Path, tool: &str, arguments: Value) -> Result<Value, String> {
    Server::named_in(&dir.join("mcp.json")).call(tool, &arguments).unwrap()
}

#[test]
fn an_agent_reads_and_answers_the_remarks_on_its_changes() {
    let changed = Changed::new();
    let none = call(&changed.dir, "list_remarks", json!({})).unwrap();
    assert_eq!(none, json!({"text": "There are no remarks."}));
    let of = ["remark", "work", "--project", "grove", "src/main.rs:2"];
    changed.parlour.json(&[&of[..], &["this can fail"]].concat());
    let listed = call(&changed.dir, "list_remarks", json!({})).unwrap();
    let text = "Remark 1, grove/src/main.rs:2:\n>     run().unwrap();\nthis can fail\n";
    assert_eq!(listed, json!({"text": text}));

    let answer = json!({"id": 1, "text": "It cannot: run is checked before."});
    assert_eq!(
        call(&changed.dir, "answer_remark", answer),
        Ok(json!({"state": "answered"}))
    );
    let answered = changed.remark();
    assert_eq!(answered["answers"][0]["author"], "agent", "{answered}");
    let resolved = json!({"id": 1, "text": "Done.", "resolved": true});
    assert_eq!(
        call(&changed.dir, "answer_remark", resolved),
        Ok(json!({"state": "resolved"}))
    );
    let none = call(&changed.dir, "list_remarks", json!({})).unwrap();
    assert_eq!(none, json!({"text": "There are no remarks."}));
    changed.parlour.json(&["remarks", "work", "--reopen", "1"]);
    assert_eq!(changed.remark()["state"], "open");
    let why = call(&changed.dir, "answer_remark", json!({"id": 9, "text": "?"})).unwrap_err();
    assert!(why.contains("there is no remark 9"), "{why}");
}

#[test]
fn a_reviewer_sees_that_state_read_only_and_its_findings_become_remarks() {
    let changed = Changed::new();
    let parlour = &changed.parlour;
    let reviewer = parlour.json(&["review", "work", "--by", "still", "--base"]);
    assert_eq!(
        (&reviewer["handle"], &reviewer["role"]),
        (&json!("review-of-work"), &json!("reviewer"))
    );
    let work = parlour.json(&["remarks", "work"]);
    assert_eq!(work, json!({"remarks": []}));

    let dir = PathBuf::from(reviewer["dir"].as_str().unwrap());
    let seen = dir.join("projects/grove");
    assert_eq!(
        fs::read_to_string(seen.join("src/main.rs")).unwrap(),
        "fn main() {\n    run().unwrap();\n}\n"
    );
    assert!(seen.join("new.txt").exists() && !seen.join("old.txt").exists());
    for path in ["src/main.rs", "src", "new.txt", "."] {
        let mode = fs::metadata(seen.join(path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o222, 0, "{path}: {mode:o}");
    }
    let patch = fs::read_to_string(dir.join("changes.patch")).unwrap();
    assert!(
        patch.contains("+    run().unwrap();") && patch.contains("b/grove/new.txt"),
        "{patch}"
    );
    let prompted = parlour
        .home()
        .join("records")
        .join(reviewer["id"].as_str().unwrap())
        .join("chat.json");
    let record: Value = serde_json::from_slice(&fs::read(prompted).unwrap()).unwrap();
    let prompt = &record["prompts"][0];
    assert_eq!(prompt["from"], "person", "nobody waits for a report: {prompt}");
    assert!(prompt["text"].as_str().unwrap().contains("`add_remark`"), "{prompt}");

    let finding = json!({"project": "grove", "path": "src/main.rs", "line": 2, "text": "It panics."});
    assert_eq!(call(&dir, "add_remark", finding.clone()), Ok(json!({"id": 1})));
    // Meanwhile the agent works on: the remark stays with its line, and goes when that goes.
    changed.write("src/main.rs", "// Runs.\nfn main() {\n    run().unwrap();\n}\n");
    let remark = changed.remark();
    assert_eq!(
        (&remark["author"], &remark["line"], &remark["text"]),
        (&json!("reviewer"), &json!(3), &json!("It panics."))
    );
    changed.write("src/main.rs", "fn main() {}\n");
    assert_eq!(changed.remark()["line"], Value::Null);
    // Of what it saw it may still speak.
    assert_eq!(call(&dir, "add_remark", finding.clone()), Ok(json!({"id": 2})));

    let whole = json!({"project": "grove", "path": "src/main.rs", "text": "It is not tested."});
    assert_eq!(call(&dir, "add_remark", whole), Ok(json!({"id": 3})));
    let own = call(&changed.dir, "add_remark", finding).unwrap_err();
    assert!(own.contains("add_remark"), "only a reviewer has it: {own}");
    let elsewhere = json!({"project": "brook", "path": "a", "line": 1, "text": "?"});
    let why = call(&dir, "add_remark", elsewhere).unwrap_err();
    assert!(why.contains("name one of grove"), "{why}");
    let beyond = json!({"project": "grove", "path": "src/main.rs", "line": 40, "text": "?"});
    let why = call(&dir, "add_remark", beyond).unwrap_err();
    assert!(why.contains("src/main.rs has 3 lines"), "{why}");
}

#[test]
fn a_review_of_nothing_or_by_nobody_makes_no_chat() {
    let changed = Changed::new();
    let refusal = |words: &[&str]| changed.parlour.refusal(&[&["review", "work"], words].concat());
    let said = refusal(&["--by", "nobody", "--base"]);
    assert!(said.contains("there is no agent called nobody"), "{said}");
    let said = refusal(&["--by", "shell", "--base"]);
    assert!(said.contains("a shell reviews nothing"), "{said}");
    let said = refusal(&["--by", "still"]);
    assert!(said.contains("this chat has had no prompt yet"), "{said}");
    git(&changed.clone(), &["checkout", "-q", "--", "."]);
    fs::remove_file(changed.clone().join("new.txt")).unwrap();
    let said = refusal(&["--by", "still", "--uncommitted"]);
    assert!(said.contains("nothing differs"), "{said}");
    let chats = changed.parlour.json(&["list"]);
    assert_eq!(chats["chats"].as_array().map(Vec::len), Some(1), "{chats}");
}
