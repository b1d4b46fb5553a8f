//! An engine that answers as a test tells it to, and the binary that asks it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use parlour::wire::{self, Codec, Message, address};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tokio_util::codec::Framed;

/// What comes of one request: any number of lines, then an answer, or silence where there is none.
pub struct Reply {
    pub lines: Vec<Value>,
    pub answer: Option<Result<Value, Value>>,
}

impl Reply {
    pub fn with(value: Value) -> Reply {
        Reply {
            lines: Vec::new(),
            answer: Some(Ok(value)),
        }
    }

    pub fn problem(doing: &str, cause: &str, hint: &str) -> Reply {
        Reply {
            lines: Vec::new(),
            answer: Some(Err(json!({"doing": doing, "cause": cause, "hint": hint}))),
        }
    }

    pub fn silence() -> Reply {
        Reply {
            lines: Vec::new(),
            answer: None,
        }
    }
}

pub struct Engine {
    dir: TempDir,
    asked: Receiver<Value>,
    /// Serves until it is dropped with this.
    _runtime: Runtime,
}

impl Engine {
    pub fn new(reply: impl Fn(&Value) -> Reply + Send + 'static) -> Engine {
        let dir = tempfile::tempdir().unwrap();
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = {
            let _inside = runtime.enter();
            address::bind(&home_in(&dir)).unwrap()
        };
        let (ask, asked) = channel();
        let reply = Arc::new(Mutex::new(reply));
        runtime.spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (reply, ask) = (reply.clone(), ask.clone());
                tokio::spawn(async move {
                    if wire::exchange(&mut stream).await.is_err() {
                        return;
                    }
                    let mut client = Framed::new(stream, Codec::default());
                    while let Some(Ok(Message::Request { id, body })) = client.next().await {
                        let ping = body["verb"] == "ping";
                        let reply = match ping {
                            true => Reply::with(json!({})),
                            false => (reply.lock().unwrap())(&body),
                        };
                        if !ping && ask.send(body).is_err() {
                            return;
                        }
                        let lines = reply.lines.into_iter().map(|body| Message::Stream { id, body });
                        let answer = reply.answer.map(|body| Message::Reply { id, body });
                        for message in lines.chain(answer) {
                            // The client may have heard enough.
                            let _ = client.send(message).await;
                        }
                    }
                });
            }
        });
        Engine {
            dir,
            asked,
            _runtime: runtime,
        }
    }

    pub fn answering(value: Value) -> Engine {
        Engine::new(move |_| Reply::with(value.clone()))
    }

    pub fn home(&self) -> PathBuf {
        home_in(&self.dir)
    }

    /// The next request that came.
    pub fn asked(&self) -> Value {
        self.asked
            .recv_timeout(Duration::from_secs(60))
            .expect("nothing was asked")
    }

    pub fn was_asked_no_more(&self) -> bool {
        self.asked.try_recv().is_err()
    }

    pub fn parlour(&self, words: &[&str]) -> Output {
        parlour(&self.home(), words).output().unwrap()
    }
}

fn home_in(dir: &TempDir) -> PathBuf {
    dir.path().join("home")
}

/// The binary in an environment of its own, with nothing to read.
pub fn parlour(home: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
    command
        .args(words)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("PARLOUR_HOME", home)
        .stdin(Stdio::null());
    command
}

pub fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}
