//! A CLI without tools of its own: parlour reads, writes, patches and runs commands for it, in its directories alone.

use std::path::{Path, PathBuf};
use std::{fs, thread};

use serde_json::{Value, json};

use crate::support::mcp::Server;
use crate::support::npm::skipped;
use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// One that does nothing, with its address and token in a file; and one that has tools.
const BARE: &str = r#"{
    "permissions": {"allow": ["Bash(echo:*)", "Bash(sleep:*)", "Bash(touch:*)", "Bash(cat:*)", "Bash(seq:*)"]},
    "customLlms": {
        "bare": {"command": "/bin/sleep", "args": ["600"], "lacksTools": true, "mcpConfig": {
            "file": "mcp.json", "template": {"url": "{{parlour_mcp_url}}", "token": "{{parlour_token}}"}}},
        "full": {"command": "/bin/sleep", "args": ["600"], "mcpConfig": {
            "file": "mcp.json", "template": {"url": "{{parlour_mcp_url}}", "token": "{{parlour_token}}"}}}}}"#;

fn server(dir: &Path) -> Server {
    Server::named_in(&dir.join("mcp.json"))
}

fn call(dir: &Path, tool: &str, arguments: Value) -> Result<Value, String> {
    server(dir).call(tool, &arguments).unwrap()
}

fn tools(dir: &Path) -> Vec<String> {
    let listed = server(dir).ask("tools/list", &json!({})).unwrap()["tools"].clone();
    let names = listed.as_array().unwrap().iter();
    names.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn repository(parlour: &Parlour, name: &str) -> PathBuf {
    let source = parlour.scratch().join(name);
    fs::create_dir(&source).unwrap();
    git(&source, &["init", "-q", "-b", "main"]);
    fs::write(source.join("books"), "one\ntwo\n").unwrap();
    git(&source, &["add", "."]);
    git(&source, &["commit", "-q", "-m", "Begin"]);
    source
}

/// A chat with `grove` to write in and `shelf` to read, all of which lie in the engine's temporary directory.
fn bare() -> (Parlour, PathBuf) {
    let parlour = Parlour::new();
    let temporary = parlour.scratch().display().to_string();
    let parlour = parlour.with([("TMPDIR".to_string(), temporary)]);
    parlour.configure(BARE);
    let (grove, shelf) = (repository(&parlour, "grove"), repository(&parlour, "shelf"));
    let (grove, shelf) = (grove.display().to_string(), format!("{}:ro", shelf.display()));
    let made = parlour.json(&["new", "Talk", "--llm", "bare", "--dir", &grove, "--dir", &shelf]);
    let dir = PathBuf::from(made["dir"].as_str().unwrap());
    until("its agent runs", PATIENCE, || !parlour.agents().is_empty());
    (parlour, dir)
}

#[test]
fn a_cli_without_tools_works_by_parlours() {
    let (parlour, dir) = bare();
    for tool in ["read_file", "write_file", "apply_patch", "shell"] {
        assert!(tools(&dir).contains(&tool.to_string()), "{tool}");
    }
    let full = parlour.json(&["new", "Full", "--llm", "full"]);
    let full = PathBuf::from(full["dir"].as_str().unwrap());
    assert!(!tools(&full).contains(&"shell".to_string()));
    let refused = json!({"name": "shell", "arguments": {"command": "ls"}});
    assert_eq!(server(&full).ask("tools/call", &refused), Some(Value::Null));

    let read = call(&dir, "read_file", json!({"path": "books"})).unwrap();
    assert_eq!(read, json!({"text": "one\ntwo\n", "next_offset": null}));
    let written = call(
        &dir,
        "write_file",
        json!({"path": "projects/grove/src/new", "content": "hello\n"}),
    );
    assert_eq!(written.unwrap(), json!({"bytes": 6, "created": true}));
    let patch = "--- a/books\n+++ b/books\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n--- a/src/new\n+++ /dev/null\n@@ -1 +0,0 @@\n-hello\n";
    let patched = call(&dir, "apply_patch", json!({"patch": patch})).unwrap();
    assert_eq!(patched, json!({"changed": ["books", "src/new"]}));
    let clone = dir.join("projects/grove");
    assert_eq!(fs::read_to_string(clone.join("books")).unwrap(), "one\nthree\n");
    assert!(!clone.join("src/new").exists());
    let ran = call(&dir, "shell", json!({"command": "cat books; pwd"})).unwrap();
    let said = format!("one\nthree\n{}\n", clone.display());
    assert_eq!(ran, json!({"output": said, "exit_code": 0, "ended": null}));
    let ran = call(&dir, "shell", json!({"command": "seq 1 20000"})).unwrap();
    let output = ran["output"].as_str().unwrap();
    assert!(output.starts_with("1\n2\n") && output.ends_with("\n20000\n") && output.contains("bytes are left out"));
    let late = call(&dir, "shell", json!({"command": "sleep 60", "timeout_s": 1})).unwrap();
    assert_eq!(late["exit_code"], Value::Null);
    assert_eq!(late["ended"], "ended after 1 s, with all that it started");
    until("only the two agents are left", PATIENCE, || parlour.agents().len() == 2);

    let events = parlour.events("talk");
    let of = |kind: &str| events.iter().filter(|event| event["kind"] == kind).collect::<Vec<_>>();
    let (starts, ends) = (of("tool.start"), of("tool.end"));
    assert_eq!((starts.len(), ends.len()), (6, 6));
    assert!(starts.iter().all(|start| start["dir"] == "grove"), "{starts:?}");
    let whole = ends.iter().find_map(|end| end["output"].as_str()).unwrap();
    let record = parlour.home().join("records").join(dir.file_name().unwrap());
    assert!(fs::read_to_string(record.join(whole)).unwrap().contains("\n10000\n"));
}

#[test]
fn it_writes_nowhere_else_and_a_person_is_asked_about_the_rest() {
    let (parlour, dir) = bare();
    let outside = parlour.scratch().to_path_buf();
    for (tool, arguments) in [
        ("write_file", json!({"path": "projects/shelf/books", "content": "x"})),
        ("shell", json!({"command": "echo x > books", "cwd": "projects/shelf"})),
    ] {
        let refused = call(&dir, tool, arguments).unwrap_err();
        assert!(refused.contains("read-only directory shelf (ro): "), "{refused}");
    }
    let read = call(&dir, "shell", json!({"command": "cat books", "cwd": "projects/shelf"})).unwrap();
    assert_eq!(read["output"], "one\ntwo\n");
    let refused = call(&dir, "read_file", json!({"path": "/etc/passwd"})).unwrap_err();
    assert!(refused.contains("lies in no directory of this chat"), "{refused}");
    std::os::unix::fs::symlink(&outside, dir.join("projects/grove/way")).unwrap();
    assert!(call(&dir, "write_file", json!({"path": "way/x", "content": "x"})).is_err());
    assert!(!outside.join("x").exists());

    let asks = |command: String| {
        let dir = dir.clone();
        thread::spawn(move || call(&dir, "shell", json!({"command": command})))
    };
    let is_asked = || parlour.json(&["approvals"])["approvals"].as_array().map(Vec::len) == Some(1);
    let write = format!(
        "printf x > inside; printf x > $TMPDIR/t; printf x > {}/x",
        outside.display()
    );
    let asked = asks(write);
    until("a person is asked", PATIENCE, is_asked);
    assert_eq!(parlour.wait("talk", "needs-you")["status"], "needs-you");
    parlour.answer("approve");
    let ran = asked.join().unwrap().unwrap();
    let temporary = parlour
        .home()
        .join("records")
        .join(dir.file_name().unwrap())
        .join("temporary");
    assert!(dir.join("projects/grove/inside").exists() && temporary.join("t").exists());
    match parlour::sys::spawn::can_confine() {
        Ok(()) => {
            assert_ne!(ran["exit_code"], 0, "{ran}");
            assert!(!outside.join("x").exists(), "{ran}");
        }
        Err(why) => skipped(&format!(
            "SKIPPED: what parlour's own tools may write needs Landlock: {why}\n"
        )),
    }
    let asked = asks("printf never > never".into());
    until("a person is asked", PATIENCE, is_asked);
    parlour.answer("deny");
    let refused = asked.join().unwrap().unwrap_err();
    assert!(refused.contains("The person refused this call"), "{refused}");
    assert!(!dir.join("projects/grove/never").exists());
    let asked = asks(format!("{} kill-engine", env!("CARGO_BIN_EXE_parlour")));
    until("a person is asked", PATIENCE, is_asked);
    parlour.answer("approve");
    assert_eq!(asked.join().unwrap().unwrap()["exit_code"], 1);
    until("one engine is left", PATIENCE, || parlour.engines().len() == 1);
}

#[test]
fn the_token_of_an_agent_ends_with_it_and_a_new_start_has_a_new_one() {
    let (parlour, dir) = bare();
    let listed = |server: &Server| server.ask("tools/list", &json!({})).is_some();
    let first = server(&dir);
    assert!(listed(&first));
    parlour.say(&["stop", "talk"]);
    parlour.wait("talk", "exited");
    assert!(!listed(&first));
    parlour.say(&["resume", "talk"]);
    until("its agent runs", PATIENCE, || !parlour.agents().is_empty());
    assert!(listed(&server(&dir)) && !listed(&first));
}

#[test]
fn a_command_ends_with_its_chat_and_with_the_engine() {
    let (parlour, dir) = bare();
    let begins = |name: &str| {
        let at = dir.clone();
        let command = format!("touch {name}; sleep 500");
        thread::spawn(move || {
            // Nobody answers it.
            let _ = server(&at).call("shell", &json!({"command": command, "timeout_s": 600}));
        });
        until("it runs", PATIENCE, || dir.join("projects/grove").join(name).exists());
    };
    begins("first");
    parlour.say(&["stop", "talk"]);
    parlour.wait("talk", "exited");
    until("it ended with its agent", PATIENCE, || parlour.agents().is_empty());
    parlour.say(&["resume", "talk"]);
    until("its agent runs", PATIENCE, || !parlour.agents().is_empty());
    begins("second");
    parlour.kill_engine();
    until("it ended with the engine", PATIENCE, || parlour.agents().is_empty());
}

#[test]
fn a_persons_directory_is_written_to_only_by_their_word_and_never_by_way_of_a_link() {
    let (parlour, dir) = bare();
    let root = parlour.scratch().canonicalize().unwrap();
    let notes = root.join("notes");
    fs::create_dir_all(notes.join("old")).unwrap();
    let open = |path: &Path, mode: &str| call(&dir, "open_dir", json!({"path_or_url": path, "mode": mode}));
    let write = |path: &str| call(&dir, "write_file", json!({"path": path, "content": "x"}));
    let mode_of = |name: &str| {
        let known = parlour.json(&["list"])["chats"][0]["projects"]
            .as_array()
            .unwrap()
            .clone();
        let found = known.into_iter().find(|project| project["name"] == name);
        found.map(|project| project["mode"].as_str().unwrap().to_string())
    };

    let opened = open(&notes, "rw").unwrap();
    assert_eq!(
        (&opened["name"], mode_of("notes")),
        (&json!("notes"), Some("rw".into()))
    );
    let said = opened["notes"].to_string();
    assert!(said.contains("open-dir CHAT PATH --mode rw"), "{said}");
    thread::scope(|scope| {
        let refused = scope.spawn(|| write("projects/notes/today").unwrap_err());
        parlour.wait("talk", "needs-you");
        parlour.answer("deny");
        refused.join().unwrap();
    });
    assert!(!notes.join("today").exists());
    assert_eq!(open(&notes, "rw").unwrap()["name"], "notes");

    parlour.json(&["open-dir", "talk", notes.to_str().unwrap(), "--mode", "rw"]);
    assert_eq!((mode_of("notes"), mode_of("notes-2")), (Some("rw".into()), None));
    parlour.json(&["open-dir", "talk", notes.to_str().unwrap()]);
    assert_eq!(mode_of("notes"), Some("rw".into()), "of which nothing was said");
    write("projects/notes/today").unwrap();
    open(&notes.join("old"), "rw").unwrap();
    write("projects/old/page").unwrap();
    assert!(notes.join("old/page").exists());

    // What an agent may replace is no way out.
    let (kept, outside) = (root.join("kept"), root.join("outside"));
    fs::rename(notes.join("old"), kept).unwrap();
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(&outside, notes.join("old")).unwrap();
    write("projects/old/page").unwrap_err();
    call(&dir, "shell", json!({"command": "touch here", "cwd": "projects/old"})).unwrap_err();
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    fs::create_dir(dir.join("own")).unwrap();
    let refused = open(&dir.join("own"), "rw").unwrap_err();
    assert!(refused.contains("lies in the directory of a chat"), "{refused}");
}
