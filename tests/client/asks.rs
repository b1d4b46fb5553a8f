//! Shell verbs and hooks: one question, one answer, and a plain word when there is none.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use parlour::client::{Heard, HookOrigin, Killed, StartEngine, hook, kill_engine, request};
use parlour::sys::lock::FileLock;
use parlour::wire::{self, Hello, Message, address};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{sleep, timeout};

use super::engine::Engine;
use crate::support::parlour::PATIENCE;

/// Between two looks at something that nobody reports.
const LOOK: Duration = Duration::from_millis(10);

fn home() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().to_owned();
    (home, path)
}

type Asked = JoinHandle<(Result<Value, Value>, Vec<Value>)>;

fn ask(home: PathBuf) -> Asked {
    spawn_blocking(move || {
        let mut streamed = Vec::new();
        let body = json!({"verb": "events"});
        let answer = request(&home, body, StartEngine::Never, |heard| match heard {
            Heard::Line(event) => streamed.push(event),
            Heard::Waits(what) => streamed.push(what.into()),
        });
        (answer, streamed)
    })
}

fn asks_permission(home: PathBuf, payload: &str, deadline: Duration) -> JoinHandle<Option<Value>> {
    let payload = payload.as_bytes().to_vec();
    spawn_blocking(move || {
        let call = HookOrigin {
            chat: "aaaaaaaaaa".into(),
            token: "secret".into(),
            agent: "claude".into(),
            event: "PreToolUse".into(),
            deadline,
        };
        hook(&home, &call, payload.as_slice(), None)
    })
}

#[tokio::test]
async fn a_verb_gets_its_stream_and_then_its_answer() {
    let (_dir, home) = home();
    let engine = Engine::listen(&home);
    let asked = ask(home);
    let mut client = engine.client().await;
    let Some(Message::Request { id, body }) = client.hear().await else {
        panic!("a verb is a request");
    };
    assert_eq!(body, json!({"verb": "events"}));
    client
        .say(Message::Stream {
            id: id + 1,
            body: json!("another's"),
        })
        .await;
    client.say(Message::Stream { id, body: json!(1) }).await;
    client
        .say(Message::Reply {
            id,
            body: Ok(json!("done")),
        })
        .await;
    assert_eq!(asked.await.unwrap(), (Ok(json!("done")), vec![json!(1)]));
}

#[tokio::test]
async fn an_engine_that_ends_in_the_middle_is_a_problem_with_a_hint() {
    let (_dir, home) = home();
    let engine = Engine::listen(&home);
    let asked = ask(home);
    drop(engine.client().await);
    let problem = asked.await.unwrap().0.unwrap_err();
    assert_eq!(problem["cause"], "the engine ended before it answered");
}

#[tokio::test]
async fn without_an_engine_it_says_so_and_starts_none() {
    let (_dir, home) = home();
    let problem = ask(home.clone()).await.unwrap().0.unwrap_err();
    assert_eq!(problem["cause"], "no engine is running");
    assert_eq!(problem["hint"], "start it with `parlour`");
    assert!(!home.join("run").exists());
}

/// The promise is 10 seconds, so this test takes them: before the hello, and in the middle of a long verb.
#[tokio::test]
async fn a_frozen_engine_is_said_within_ten_seconds() {
    let (_dir, home) = home();
    let engine = Engine::listen(&home);
    let started = Instant::now();
    let greeted = ask(home.clone());
    let mut client = engine.client().await;
    let ignored = ask(home);
    let _held = engine.accept().await;
    assert!(matches!(client.hear().await, Some(Message::Request { .. })));
    let ping = json!({"noun": "engine", "verb": "ping"});
    assert!(matches!(client.hear().await, Some(Message::Request { body, .. }) if body == ping));
    for asked in [ignored, greeted] {
        let problem = asked.await.unwrap().0.unwrap_err();
        assert_eq!(problem["cause"], "the engine has not answered for 10 seconds");
    }
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn a_hook_brings_back_the_engines_answer() {
    let (_dir, home) = home();
    let engine = Engine::listen(&home);
    let long = json!({"tool": "x".repeat(2 << 20)});
    let asked = asks_permission(home, &long.to_string(), PATIENCE);
    let mut client = engine.client().await;
    let Some(Message::Request { id, body }) = client.hear().await else {
        panic!("a hook is a request");
    };
    assert_eq!(body["verb"], "hook");
    assert_eq!(body["chat"], "aaaaaaaaaa");
    assert_eq!(body["payload"], long);
    let answer = json!({"decision": "allow"});
    client
        .say(Message::Reply {
            id,
            body: Ok(answer.clone()),
        })
        .await;
    assert_eq!(asked.await.unwrap(), Some(answer));
}

#[tokio::test]
async fn a_hook_has_no_answer_when_the_engine_is_dead_frozen_or_says_no() {
    let (_dir, home) = home();
    let soon = Duration::from_millis(200);
    assert_eq!(asks_permission(home.clone(), "{}", soon).await.unwrap(), None);

    let engine = Engine::listen(&home);
    let frozen = asks_permission(home.clone(), "{}", soon);
    let _held = engine.accept().await;
    assert_eq!(frozen.await.unwrap(), None);

    let refused = asks_permission(home.clone(), "{}", PATIENCE);
    let mut client = engine.client().await;
    let Some(Message::Request { id, .. }) = client.hear().await else {
        panic!("a hook is a request");
    };
    let problem = json!({"doing": "a hook", "cause": "wrong token", "hint": ""});
    client.say(Message::Reply { id, body: Err(problem) }).await;
    assert_eq!(refused.await.unwrap(), None);

    let nonsense = asks_permission(home.clone(), "{ not json", PATIENCE);
    assert_eq!(nonsense.await.unwrap(), None);
    let endless = "x".repeat((12 << 20) + 1);
    let endless = asks_permission(home, &endless, PATIENCE);
    assert_eq!(endless.await.unwrap(), None);
}

/// An engine that this binary plays in a process of its own: one that seems not to end is signalled.
fn engine_of_its_own(home: &Path, play: &str) -> Child {
    std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", &format!("client::asks::{play}")])
        .env("PARLOUR_HOME", home)
        .spawn()
        .unwrap()
}

/// Where such an engine is told to be, with its lock.
fn in_its_home() -> (PathBuf, FileLock, Engine) {
    let home = PathBuf::from(std::env::var_os("PARLOUR_HOME").unwrap());
    address::run_directory(&home).unwrap();
    let lock = FileLock::try_acquire(&address::lock_path(&home)).unwrap().unwrap();
    let engine = Engine::listen(&home);
    (home, lock, engine)
}

/// Kills the engine as soon as it is there.
fn kills(home: &Path) -> JoinHandle<Result<Killed, Value>> {
    let home = home.to_owned();
    spawn_blocking(move || {
        let give_up = Instant::now() + PATIENCE;
        loop {
            match kill_engine(&home) {
                Ok(Killed::NoEngine) if Instant::now() < give_up => thread::sleep(LOOK),
                killed => return killed,
            }
        }
    })
}

async fn comes_to_be(file: &Path) {
    let there = async {
        while !file.exists() {
            sleep(LOOK).await;
        }
    };
    timeout(PATIENCE, there).await.expect("the file is there");
}

#[tokio::test]
async fn killing_the_engine_ends_when_its_lock_is_free() {
    let (_dir, home) = home();
    let mut engine = engine_of_its_own(&home, "is_an_engine_that_ends");
    let killing = kills(&home);
    comes_to_be(&home.join("gone")).await;
    assert!(!killing.is_finished());
    std::fs::write(home.join("go"), "").unwrap();
    assert_eq!(killing.await.unwrap(), Ok(Killed::Ended));
    engine.wait().unwrap();
    assert_eq!(
        spawn_blocking(move || kill_engine(&home)).await.unwrap(),
        Ok(Killed::NoEngine)
    );
}

#[tokio::test]
#[ignore = "run by the test above, as a process of its own"]
async fn is_an_engine_that_ends() {
    let (home, _lock, engine) = in_its_home();
    let mut client = engine.client().await;
    assert!(
        matches!(client.hear().await, Some(Message::Request { body, .. }) if body == json!({"noun": "engine", "verb": "kill-engine"}))
    );
    drop((client, engine));
    std::fs::write(home.join("gone"), "").unwrap();
    comes_to_be(&home.join("go")).await;
}

fn refusal() -> Value {
    json!({"doing": "ending the engine", "cause": "you are an agent", "hint": ""})
}

#[tokio::test]
async fn an_engine_that_refuses_to_end_is_not_killed() {
    let (_dir, home) = home();
    let mut engine = engine_of_its_own(&home, "is_an_engine_that_refuses_to_end");
    assert_eq!(kills(&home).await.unwrap(), Err(refusal()));
    std::fs::write(home.join("go"), "").unwrap();
    assert!(engine.wait().unwrap().success());
}

#[tokio::test]
#[ignore = "run by the test above, as a process of its own"]
async fn is_an_engine_that_refuses_to_end() {
    let (home, _lock, engine) = in_its_home();
    let mut client = engine.client().await;
    let Some(Message::Request { id, .. }) = client.hear().await else {
        panic!("a verb is a request");
    };
    let body = Err(refusal());
    client.say(Message::Reply { id, body }).await;
    comes_to_be(&home.join("go")).await;
}

#[tokio::test]
async fn an_engine_of_another_version_can_be_killed() {
    let (_dir, home) = home();
    let mut engine = engine_of_its_own(&home, "is_an_engine_of_another_version");
    let killed = kills(&home).await.unwrap();
    if killed != Ok(Killed::Ended) {
        engine.kill().unwrap();
    }
    assert_eq!(killed, Ok(Killed::Ended));
    assert_eq!(engine.wait().unwrap().signal(), Some(15));
}

#[tokio::test]
#[ignore = "run by the test above, as a process of its own"]
async fn is_an_engine_of_another_version() {
    let (_home, _lock, engine) = in_its_home();
    loop {
        let protocol = wire::PROTOCOL + 1;
        let newer = Hello { protocol, flags: 0 };
        let _ = wire::exchange_as(&mut engine.accept().await, newer).await;
    }
}
