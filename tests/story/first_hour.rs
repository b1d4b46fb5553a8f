//! The first hour of a stranger: the demo, an answer, leaving, and coming back.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::terminal::Terminal;

/// The leader, then the key that detaches.
const DETACH: &str = "\x11q";

fn project(chat: &serde_json::Value) -> &Path {
    Path::new(chat["projects"][0]["path"].as_str().unwrap())
}

fn agent_pid(parlour: &Parlour) -> u64 {
    parlour.status()["agents"][0]["pid"].as_u64().unwrap()
}

fn detach(mut terminal: Terminal) {
    terminal.press(DETACH);
    assert_eq!(terminal.wait_for_end(), 0);
}

#[test]
fn the_demo_asks_is_answered_and_is_all_there_for_whoever_comes_back() {
    let parlour = Parlour::new();
    let made = parlour.json(&["demo"]);
    assert_eq!((&made["handle"], &made["status"]), (&"demo".into(), &"starting".into()));
    let asking = parlour.wait("demo", "needs-you");
    assert!(
        asking["detail"].as_str().unwrap().starts_with("Bash: git commit"),
        "{asking}"
    );
    assert_eq!(asking["unseen"], true);

    let mut terminal = parlour.attach(&["--", "demo"]);
    terminal.wait_for_text("❯ 1. Yes");
    terminal.press("\r");
    terminal.wait_for_text("● Done:");
    let done = parlour.wait("demo", "idle");
    assert_eq!(done["unseen"], false, "somebody looked at it: {done}");
    let clone = project(&done);
    assert_eq!(
        git(clone, &["log", "-1", "--format=%an %s"]).split(' ').next(),
        Some("Ada")
    );
    assert!(done["projects"][0]["branch"].as_str().unwrap().starts_with("demo/"));
    until("its last words are listed", PATIENCE, || {
        parlour.say(&["list"]).contains("Done: I added a function")
    });

    let pid = agent_pid(&parlour);
    detach(terminal);
    assert_eq!(agent_pid(&parlour), pid, "detaching ends nothing");
    let terminal = parlour.attach(&[]);
    terminal.wait_for_text("● Done:");
    assert_eq!(agent_pid(&parlour), pid);
    drop(terminal);
    assert!(parlour.say(&["screen", "demo"]).contains("● Done:"));
}

#[test]
fn a_refusal_is_kept_to_and_told_of() {
    let parlour = Parlour::new();
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    let mut terminal = parlour.attach(&["--", "demo"]);
    terminal.wait_for_text("❯ 1. Yes");
    terminal.press("2");
    let done = parlour.wait("demo", "idle");
    assert_eq!(
        git(project(&done), &["log", "-1", "--format=%s"]),
        "Say what may come next"
    );
    let events = parlour.events("demo");
    let answers: Vec<_> = events.iter().filter(|e| e["kind"] == "permission").collect();
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(
        (&answers[0]["answer"], &answers[1]["answer"]),
        (&"asked".into(), &"denied".into())
    );
    let ended: Vec<_> = events
        .iter()
        .filter(|e| e["id"] == answers[0]["id"] && e["kind"] == "tool.end")
        .collect();
    assert_eq!(ended.len(), 1);
    assert_eq!(ended[0]["status"], "denied");
}

#[test]
fn a_terminal_of_one_cell_attaches_and_detaches_and_does_not_squeeze_the_agent() {
    let parlour = Parlour::new();
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    let shown = || parlour.say(&["screen", "demo"]);
    until("its dialog is drawn", PATIENCE, || shown().contains("1. Yes"));
    let before = shown();
    let terminal = parlour.attach_sized(&["demo"], 1, 1);
    terminal.wait_for("the screen", |screen| screen.alternate_screen());
    detach(terminal);
    assert_eq!(shown(), before);
}

#[test]
fn nothing_that_parlour_writes_is_open_to_others() {
    let parlour = Parlour::new();
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    let mut open = Vec::new();
    walk(&parlour.home(), &mut |path, mode| {
        if mode & 0o077 != 0 {
            open.push(format!("{mode:o} {}", path.display()));
        }
    });
    assert_eq!(open, Vec::<String>::new());
}

/// Every file and directory, but for clones: in them the agent writes too, as its own umask has it.
fn walk(dir: &Path, see: &mut impl FnMut(&Path, u32)) {
    use std::os::unix::fs::PermissionsExt;
    // What is temporary may be gone by now.
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        entries => entries.unwrap(),
    };
    for entry in entries {
        let path = entry.unwrap().path();
        let Ok(found) = fs::symlink_metadata(&path) else {
            continue;
        };
        if found.is_symlink() {
            continue;
        }
        see(&path, found.permissions().mode() & 0o777);
        if found.is_dir() && !path.ends_with("projects") {
            walk(&path, see);
        }
    }
}

#[test]
fn a_question_is_listed_whole_and_answered_from_a_shell() {
    let parlour = Parlour::new();
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    let open = parlour.json(&["approvals"])["approvals"].clone();
    let question = &open[0];
    assert_eq!(
        (question["chat"].as_str(), question["tool"].as_str()),
        (Some("demo"), Some("Bash")),
        "{open}"
    );
    assert!(
        question["input"]["command"].as_str().unwrap().starts_with("git commit"),
        "{open}"
    );
    parlour.say(&["approve", question["id"].as_str().unwrap()]);
    parlour.wait("demo", "idle");
    assert_eq!(parlour.json(&["approvals"]), json!({ "approvals": [] }));
    let events = parlour.events("demo");
    let answers = events.iter().filter(|event| event["kind"] == "permission");
    let answers: Vec<_> = answers.filter_map(|event| event["answer"].as_str()).collect();
    assert_eq!(answers, ["asked", "allowed"]);
}
