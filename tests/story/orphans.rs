//! What the engine runs for a chat ends with the chat and with the engine, however that ends.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::json;

use crate::support::parlour::{PATIENCE, Parlour, processes_that_say, until};

/// Far below the time after which git itself gives up, and far above what an end takes.
const SOON: Duration = Duration::from_secs(20);

/// A server that takes every connection and never says a word.
struct Silent {
    port: u16,
    held: Arc<Mutex<Vec<TcpStream>>>,
}

impl Silent {
    fn new() -> Silent {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let held: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
        let taken = held.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                taken.lock().push(stream);
            }
        });
        Silent { port, held }
    }

    fn address(&self) -> String {
        format!("https://127.0.0.1:{}/grove.git", self.port)
    }

    /// Somebody waits for its answer.
    fn is_asked(&self) -> bool {
        !self.held.lock().is_empty()
    }

    /// The processes that were told to speak to it, but for parlour's verbs.
    fn callers(&self) -> Vec<i32> {
        processes_that_say(&self.address(), "git")
    }
}

/// A chat that opens a repository of a server that never answers.
struct Opening {
    parlour: Parlour,
    server: Silent,
    verb: Child,
}

impl Opening {
    fn new() -> Opening {
        let (parlour, server) = (Parlour::new(), Silent::new());
        parlour.json(&["new", "Talk", "--llm", "shell"]);
        parlour.wait("talk", "idle");
        let mut verb = parlour.command(&["open-dir", "talk", &server.address()]);
        let verb = verb.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until("the server is asked", PATIENCE, || server.is_asked());
        assert!(!server.callers().is_empty());
        Opening { parlour, server, verb }
    }

    /// The verb is not what ends it: it waits as long as it may.
    fn all_ends(mut self) {
        until("no git is left", SOON, || self.server.callers().is_empty());
        assert!(!self.verb.wait().unwrap().success());
    }
}

#[test]
fn a_chat_whose_clone_never_comes_names_it_and_who_stops_it_hears_what_became_of_it() {
    let (parlour, server) = (Parlour::new(), Silent::new());
    let mut verb = parlour.command(&["new", "Slow", "--llm", "shell", "--dir", &server.address()]);
    let verb = verb.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    until("the server is asked", PATIENCE, || server.is_asked());
    let doing = format!("cloning {}", server.address());
    assert!(parlour.say(&["explain", "slow"]).contains(&doing));
    assert_eq!(parlour.json(&["list"])["chats"][0]["detail"], *doing);
    let mut terminal = parlour.attach(&["--", "slow"]);
    terminal.wait_for_text("The shell starts when that is done");
    terminal.press("\r");
    terminal.wait_for_text("Its shell starts when its projects are open");
    terminal.wait_for_text(" SIDEBAR ");
    terminal.wait_for_text("The shell starts when that is done");
    let said = parlour.say(&["stop", "slow"]);
    assert_eq!(
        said,
        "slow (Slow): deleted, its projects were not open yet: nothing of it is left\n"
    );
    let output = verb.wait_with_output().unwrap();
    assert!(!output.status.success());
    until("no git is left", SOON, || server.callers().is_empty());
}

#[test]
fn a_fetch_that_is_never_answered_ends_when_its_chat_is_stopped() {
    let opening = Opening::new();
    opening.parlour.say(&["stop", "talk"]);
    opening.all_ends();
}

#[test]
fn a_fetch_that_is_never_answered_ends_when_its_chat_is_deleted() {
    let opening = Opening::new();
    opening.parlour.say(&["rm", "talk", "--yes"]);
    opening.all_ends();
}

#[test]
fn a_fetch_that_is_never_answered_ends_with_the_engine() {
    let opening = Opening::new();
    opening.parlour.say(&["kill-engine"]);
    opening.all_ends();
}

#[test]
fn a_fetch_that_is_never_answered_ends_when_the_engine_is_killed() {
    let opening = Opening::new();
    opening.parlour.kill_engine();
    opening.all_ends();
}

#[test]
fn a_server_that_is_asked_for_its_tools_ends_when_the_engine_is_killed() {
    let parlour = Parlour::new()
        .with_program("cursor-agent", "#!/bin/sh\necho 1.0\nexec cat\n")
        .with_program("mute", "#!/bin/sh\nsleep 611 &\necho $! > \"$0.pid\"\nsleep 611\n");
    parlour.configure(&json!({"globalMcpServers": {"mute": {"command": "mute"}}}).to_string());
    parlour.json(&["new", "Talk", "--llm", "cursor"]);
    let mut verb = parlour.command(&["servers", "talk", "--tools"]);
    let mut verb = verb.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let noted = parlour.scratch().join("bin/mute.pid");
    let child = || std::fs::read_to_string(&noted).ok()?.trim().parse::<i32>().ok();
    until("the server runs", PATIENCE, || child().is_some());
    let child = child().unwrap();
    parlour.kill_engine();
    until("what it started is gone", SOON, || {
        !std::path::Path::new(&format!("/proc/{child}")).exists()
    });
    assert!(!verb.wait().unwrap().success());
}
