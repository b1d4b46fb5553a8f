//! The demo agent as a person meets it: in a terminal, with parlour's tools and hooks around it.
//!
//! The program is this test binary again: [`as_a_program`] is the one test that it runs then.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::serve;
use crate::agents::demo::run::{DemoOptions, play};
use crate::agents::demo::{git, sample_repository};
use crate::agents::tests::install;

const HOME: &str = "STORY_HOME";
const RESUME: &str = "STORY_RESUME";
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
#[ignore = "runs in a terminal that the other tests of this file make"]
fn as_a_program() {
    let Some(home) = std::env::var_os(HOME).map(PathBuf::from) else {
        return;
    };
    let options = DemoOptions {
        resume: std::env::var(RESUME).ok(),
        hook_token_file: Some(home.join("hook-token")),
        ..DemoOptions::default()
    };
    play(&options, home.join("parlour"), home);
}

/// A terminal with the demo agent in it. It ends with the test.
struct StoryScreen {
    shown: Arc<Mutex<vt100::Parser>>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _terminal: Box<dyn MasterPty + Send>,
}

impl StoryScreen {
    fn open(home: &Path, url: &str, resume: Option<&str>) -> StoryScreen {
        let size = PtySize {
            rows: 60,
            cols: 120,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pty = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "agents::demo::tests::story::as_a_program",
            "--ignored",
            "--nocapture",
        ]);
        command.env(HOME, home);
        command.env("PARLOUR_MCP_URL", url);
        command.env("PARLOUR_TOKEN", "s3cret");
        command.env("PARLOUR_DEMO_PACE_MS", "1");
        command.env("PARLOUR_DEMO_REPO", "/a/repository");
        command.env("PARLOUR_DEMO_TRANSCRIPT", home.join("demo.jsonl"));
        if let Some(session) = resume {
            command.env(RESUME, session);
        }
        let child = pty.slave.spawn_command(command).unwrap();
        let shown = Arc::new(Mutex::new(vt100::Parser::new(side(60), side(120), 0)));
        let mut output = pty.master.try_clone_reader().unwrap();
        let screen = shown.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut bytes) {
                screen.lock().process(&bytes[..read]);
            }
        });
        let keys = pty.master.take_writer().unwrap();
        StoryScreen {
            shown,
            keys,
            child,
            _terminal: pty.master,
        }
    }

    fn text(&self) -> String {
        self.shown.lock().screen().contents()
    }

    fn wait_for(&self, what: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.text().contains(what) {
            assert!(Instant::now() < deadline, "no {what:?} on\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn wait_without(&self, what: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.text().contains(what) {
            assert!(Instant::now() < deadline, "{what:?} still on\n{}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }
}

impl Drop for StoryScreen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A home with a clone, and a `parlour` that writes down each hook.
fn home() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let clone = sample_repository(home.path()).unwrap();
    let heard = home.path().join("heard").display().to_string();
    install(
        &home.path().join("parlour"),
        &format!("payload=$(cat); printf '%s %s\\n' \"$3\" \"$payload\" >> '{heard}'; echo '{{}}'"),
    );
    (home, clone)
}

fn heard(home: &Path) -> Vec<(String, Value)> {
    let text = fs::read_to_string(home.join("heard")).unwrap_or_default();
    let calls = text.lines().map(|line| line.split_once(' ').unwrap());
    calls
        .map(|(event, payload)| (event.into(), serde_json::from_str(payload).unwrap()))
        .collect()
}

fn events(home: &Path) -> Vec<String> {
    heard(home).into_iter().map(|(event, _)| event).collect()
}

/// The newest hook, once it is `event`.
fn wait_for_hook(home: &Path, event: &str) -> (String, Value) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match heard(home).pop() {
            Some(last) if last.0 == event => return last,
            last => assert!(Instant::now() < deadline, "no {event}: {last:?}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn answers(result: Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string()
}

/// The answers to an agent's greeting.
fn greeting() -> Vec<String> {
    vec![answers(json!({})), String::new(), answers(json!({"tools": []}))]
}

#[test]
fn a_prompt_ends_in_a_commit_and_is_remembered() {
    let (home, clone) = home();
    let opened = answers(json!({"structuredContent": {"path": clone, "branch": "demo/x"}, "content": []}));
    let (url, served) = serve([greeting(), vec![opened], greeting()].concat());
    let mut screen = StoryScreen::open(home.path(), &url, None);
    screen.wait_for("scripted, no model behind it");
    screen.press("\x1b[200~count words\nin the sample\x1b[201~");
    screen.wait_for("in the sample");
    screen.press("\r");
    screen.wait_for("1. Yes");
    wait_for_hook(home.path(), "PermissionRequest");
    screen.press("1");
    screen.wait_for("committed it");
    screen.press("/exit\r");
    screen.wait_for("Bye.");
    assert_eq!(
        git::git(&clone, &["log", "-1", "--format=%s"]).unwrap(),
        "Add a function count_words and its test"
    );
    let tool = ["PreToolUse", "PostToolUse"];
    let asked = ["PreToolUse", "PermissionRequest", "PostToolUse"];
    let whole = [
        &["SessionStart", "UserPromptSubmit"][..],
        &tool,
        &tool,
        &tool,
        &tool,
        &asked,
        &["Stop", "SessionEnd"],
    ];
    assert_eq!(events(home.path()), whole.concat());
    assert_eq!(heard(home.path())[1].1["prompt"], "count words\nin the sample");
    drop(screen);

    let screen = StoryScreen::open(home.path(), &url, Some("the-session"));
    screen.wait_for("what was said before");
    screen.wait_for("> count words");
    let (_, started) = wait_for_hook(home.path(), "SessionStart");
    assert_eq!(started["source"], "resume");
    assert_eq!(started["session_id"], "the-session");
    let asked = served.join().unwrap();
    assert_eq!(asked[3]["params"]["arguments"]["path_or_url"], "/a/repository");
}

#[test]
fn escape_interrupts_and_no_is_no() {
    let (home, clone) = home();
    let before = git::git(&clone, &["rev-parse", "HEAD"]).unwrap();
    let opened = answers(json!({"structuredContent": {"path": clone, "branch": "demo/x"}, "content": []}));
    let (url, _served) = serve([greeting(), vec![opened]].concat());
    let mut screen = StoryScreen::open(home.path(), &url, None);
    screen.wait_for("/exit ends it");
    screen.press("slow work\r");
    screen.wait_for("Thinking");
    screen.press("\x1b");
    screen.wait_for("Interrupted");
    screen.press("go on\r");
    screen.wait_for("1. Yes");
    wait_for_hook(home.path(), "PermissionRequest");
    screen.press("2");
    screen.wait_for("did not commit it");
    assert_eq!(git::git(&clone, &["rev-parse", "HEAD"]).unwrap(), before);
    screen.press("please fail\r");
    screen.wait_for("asked me to fail");
    screen.wait_without("esc to interrupt");
    screen.press("\x04");
    screen.wait_for("Bye.");
    let events = events(home.path());
    assert_eq!(events[..4], ["SessionStart", "UserPromptSubmit", "Interrupt", "Stop"]);
    assert_eq!(
        events[events.len() - 3..],
        ["UserPromptSubmit", "StopFailure", "SessionEnd"]
    );
    assert!(!events.contains(&"PostToolUseFailure".to_string()));
}

fn side(cells: u16) -> NonZero<u16> {
    NonZero::new(cells).unwrap()
}
