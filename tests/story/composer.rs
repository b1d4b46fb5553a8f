//! Prompts that a person writes below the transcript: kept, sent, and helped along.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::terminal::Terminal;

/// A chat of the demo agent in a clone of a repository.
fn chat() -> Parlour {
    let parlour = Parlour::new();
    let grove = parlour.scratch().join("grove");
    let write = |name: &str, text: &str| {
        let path = grove.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        ".parlour/commands/look.md",
        "---\nargument-hint: <file>\n---\nnoask Look at $1 in {{project}}",
    );
    write("src/session.rs", "fn session() {}\n");
    write(".gitignore", "ignored.rs\n");
    write("ignored.rs", "\n");
    git(&grove, &["init", "-q", "-b", "main"]);
    git(&grove, &["add", "-A"]);
    git(&grove, &["commit", "-q", "-m", "first"]);
    parlour.json(&["new", "drafts", "--llm", "demo", "--dir", grove.to_str().unwrap()]);
    parlour.wait("drafts", "idle");
    parlour
}

fn composer(parlour: &Parlour) -> Terminal {
    let mut terminal = parlour.attach(&["drafts"]);
    terminal.wait_for_text("AGENT");
    terminal.press("\x11\x1b");
    terminal.wait_for_text(" SIDEBAR ");
    terminal.press("t");
    terminal.wait_for_text("Enter write a prompt");
    terminal.press("\r");
    terminal.wait_for_text("PROMPT");
    terminal
}

fn prompts(parlour: &Parlour) -> Vec<String> {
    let events = parlour.events("drafts").into_iter().filter(|e| e["kind"] == "prompt");
    events.map(|e| e["text"].as_str().unwrap().to_owned()).collect()
}

fn record(parlour: &Parlour) -> Value {
    let folder = fs::read_dir(parlour.home().join("records"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let text = fs::read(folder.path().join("chat.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

#[test]
fn a_draft_outlives_the_engine_and_is_sent() {
    let parlour = chat();
    let mut terminal = composer(&parlour);
    terminal.paste("noask first\nand second");
    until("the draft is on disk", PATIENCE, || {
        record(&parlour)["draft"] == "noask first\nand second"
    });
    drop(terminal);
    parlour.kill_engine();
    let mut terminal = composer(&parlour);
    terminal.wait_for_text("and second");
    terminal.press("\r");
    until("it is asked", PATIENCE, || {
        prompts(&parlour) == ["noask first\nand second"]
    });
    until("it is no draft any more", PATIENCE, || {
        record(&parlour).get("draft").is_none()
    });
    parlour.wait("drafts", "idle");
    // It is found again from the empty field.
    terminal.press("\x1b[A");
    terminal.wait_for_text("› noask first");
}

#[test]
fn a_template_asks_for_its_argument_and_files_are_completed() {
    let parlour = chat();
    let mut terminal = composer(&parlour);
    terminal.press("/");
    terminal.wait_for_text("/look <file>");
    terminal.press("look\r");
    terminal.wait_for_text("With");
    terminal.press("a.rs\r");
    terminal.wait_for_text("› noask Look at a.rs in grove");
    // Keys right after a dialog has closed are not meant for what was behind it.
    let closed = Instant::now();
    until("keys count again", PATIENCE, || {
        closed.elapsed() > Duration::from_secs(1)
    });
    terminal.press(" @sess");
    terminal.wait_for_text("@projects/grove/src/session.rs");
    terminal.press("\t");
    terminal.wait_for_text("grove @projects/grove/src/session.rs");
    terminal.press("\r");
    let asked = "noask Look at a.rs in grove @projects/grove/src/session.rs ";
    until("it is asked", PATIENCE, || {
        prompts(&parlour) == [asked.trim_end()] || prompts(&parlour) == [asked]
    });
}

#[test]
fn what_is_not_committed_and_todos_are_put_below_a_prompt() {
    let parlour = chat();
    let clone = fs::read_dir(parlour.home().join("chats"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    fs::write(clone.path().join("projects/grove/new.txt"), "new\n").unwrap();
    parlour.say(&["todos", "drafts", "--add", "test it"]);
    let mut terminal = composer(&parlour);
    terminal.paste("noask see @diff and @todos");
    terminal.wait_for_text("and @todos");
    terminal.press("\x1b\r");
    until("it is asked", PATIENCE, || prompts(&parlour).len() == 1);
    let prompt = prompts(&parlour).remove(0);
    for words in [
        "noask see @diff and @todos\n",
        "@diff:\n```diff",
        "+new",
        "@todos:\n",
        "- [ ] test it",
    ] {
        assert!(prompt.contains(words), "{words}: {prompt}");
    }
}

#[test]
fn a_prompt_is_written_in_the_persons_own_editor() {
    let parlour = chat();
    let editor = parlour.scratch().join("editor");
    // An editor that appends a line and ends.
    fs::write(
        &editor,
        "#!/bin/sh\nfor last; do :; done\nprintf 'from the editor\\n' >> \"$last\"\n",
    )
    .unwrap();
    make_executable(&editor);
    let parlour = parlour.with([("EDITOR".to_string(), editor.to_str().unwrap().to_string())]);
    let mut terminal = composer(&parlour);
    terminal.paste("noask half\n");
    terminal.press("\x07");
    terminal.wait_for_text("from the editor");
    terminal.wait_for_text("PROMPT");
    terminal.press("\r");
    until("it is asked", PATIENCE, || {
        prompts(&parlour) == ["noask half\nfrom the editor"]
    });
    let folder = fs::read_dir(parlour.home().join("records"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    assert!(!folder.path().join("prompt.md").exists());
}

fn make_executable(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}
