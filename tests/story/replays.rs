//! What an engine recorded replays to the screens that people saw, also where it was killed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::terminal::Terminal;

/// An engine that records, as somebody starts it who looks for a bug.
struct Recording {
    engine: Child,
    file: PathBuf,
}

fn record(parlour: &Parlour) -> Recording {
    let file = parlour.scratch().join("it.jsonl");
    let mut command = parlour.command(&["engine", "--record", file.to_str().unwrap()]);
    let engine = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("the recording has begun", PATIENCE, || file.exists());
    Recording { engine, file }
}

impl Recording {
    fn end(&mut self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.engine.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
        self.engine.wait().unwrap();
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // Both fail where it has ended.
        let _ = self.engine.kill();
        let _ = self.engine.wait();
    }
}

/// A demo agent's chat, asked for by a shell, watched by one client until it rests.
fn story(parlour: &Parlour) -> Terminal {
    parlour.json(&["new", "Fix login", "--llm", "demo", "-p", "fix the login"]);
    let client = parlour.attach(&["fix-login"]);
    parlour.wait("fix-login", "idle");
    client.wait_for_text("Fix login");
    client
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim_end().to_string()).collect()
}

fn replayed(parlour: &Parlour, file: &Path, words: &[&str]) -> String {
    let file = file.to_str().unwrap();
    parlour.say(&[&["replay", file], words].concat())
}

/// The one client of the story, as the table names it.
fn client(parlour: &Parlour, file: &Path) -> String {
    let table = replayed(parlour, file, &["--json"]);
    let events = table.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let attached = events
        .map(|event| (event["name"].clone(), event["words"].as_str().unwrap().to_string()))
        .find(|(name, words)| name == "Client" && words.contains("Attached"));
    let (_, words) = attached.unwrap();
    words.split(' ').next().unwrap().to_string()
}

/// What the client shows is what the recording comes to, once both stand still.
fn agrees(parlour: &Parlour, recording: &Recording, live: &Terminal) -> String {
    let client = client(parlour, &recording.file);
    let mut seen = (Vec::new(), Vec::new());
    until("the replay shows what the client showed", PATIENCE, || {
        let screen = replayed(parlour, &recording.file, &["--screen", &client]);
        seen = (lines(&screen), lines(&live.contents()));
        let blank = |lines: &mut Vec<String>| {
            while lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
        };
        blank(&mut seen.0);
        blank(&mut seen.1);
        seen.0 == seen.1
    });
    assert!(!seen.0.is_empty());
    client
}

#[test]
fn a_recording_replays_to_the_screen_that_the_client_showed() {
    let secret = ("SOME_KEY".to_string(), "s3cret-of-mine".to_string());
    let parlour = Parlour::new().with([secret]);
    let mut recording = record(&parlour);
    let live = story(&parlour);
    let client = agrees(&parlour, &recording, &live);
    let listed = parlour.json(&["list"])["chats"].clone();
    recording.end(Signal::TERM);

    let file = &recording.file;
    assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    let written = fs::read_to_string(file).unwrap();
    assert!(written.contains("SOME_KEY") && written.contains("fix the login"));
    assert!(!written.contains("s3cret-of-mine"));

    let state: Value = serde_json::from_str(&replayed(&parlour, file, &["--state"])).unwrap();
    assert_eq!(state["chats"], listed);
    assert_eq!(
        replayed(&parlour, file, &["--state"]),
        replayed(&parlour, file, &["--state"])
    );
    let table = replayed(&parlour, file, &[]);
    assert_eq!(table.lines().count(), written.lines().count() - 1);
    let early = parlour.refusal(&["replay", file.to_str().unwrap(), "--to", "1", "--screen", &client]);
    assert!(early.contains("not attached at event 1"), "{early}");
}

#[test]
fn a_recording_of_a_killed_engine_replays_and_its_cut_line_is_a_remark() {
    let parlour = Parlour::new();
    let mut recording = record(&parlour);
    let live = story(&parlour);
    let client = agrees(&parlour, &recording, &live);
    recording.end(Signal::KILL);

    let file = recording.file.to_str().unwrap();
    let whole = replayed(&parlour, &recording.file, &["--screen", &client]);
    assert!(whole.contains("Fix login"), "{whole}");
    let written = fs::read_to_string(file).unwrap();
    fs::write(file, &written[..written.len() - 9]).unwrap();
    let odd = parlour.scratch().join("odd.jsonl");
    let begins: Vec<&str> = written.lines().take(4).collect();
    fs::write(&odd, begins.join("\n") + "\nodd\n").unwrap();
    let odd = odd.to_str().unwrap();
    assert!(parlour.refusal(&["replay", odd]).contains("what follows event 3"));
    assert_eq!(parlour.say(&["replay", odd, "--to", "3"]).lines().count(), 3);
    let output = parlour.run(&["replay", file, "--screen", &client]);
    assert!(output.status.success(), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("cut off"),
        "{output:?}"
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 40);
}

#[test]
fn what_is_no_recording_or_of_another_format_is_refused_in_one_line() {
    let parlour = Parlour::new();
    let file = parlour.scratch().join("it.jsonl");
    let path = file.to_str().unwrap();
    let said = |text: &str| {
        fs::write(&file, text).unwrap();
        let said = parlour.refusal(&["replay", path]);
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    };
    for text in ["", "words\n", "{}\n", "{\"v\":1}\n"] {
        assert!(said(text).contains("no recording"), "{text}");
    }
    let newer = said("{\"recording\":99,\"parlour\":\"9.0.0\"}\n");
    assert!(newer.contains("format 99") && newer.contains("9.0.0"), "{newer}");
    fs::remove_file(&file).unwrap();
    assert!(parlour.refusal(&["replay", path]).contains("replaying"));
}
