//! Putting a question to the engine, and hearing its answers.

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::Context;
use serde_json::Value;

use super::main_chat;
use crate::client::{self, StartEngine};
use crate::model::{Problem, Request};

/// How many answers may wait to be printed before the engine is kept waiting.
const AHEAD: usize = 256;

/// What comes of a question that is asked beside other things.
pub enum Heard {
    /// One of several answers.
    Line(Value),
    /// The last one.
    Answer(anyhow::Result<Value>),
    /// Whoever read our output has gone.
    Unread,
}

/// Asks the engine, which is started where none runs, and waits for its answer.
pub fn ask(home: &Path, request: Request) -> anyhow::Result<Value> {
    send(home, &request, StartEngine::IfMissing, drop)
}

/// As [`ask`], on a thread of its own, which ends with the answer or with this program.
pub fn listen(home: &Path, request: Request, start: StartEngine) -> (SyncSender<Heard>, Receiver<Heard>) {
    let (says, hears) = sync_channel(AHEAD);
    let home = home.to_owned();
    let said = says.clone();
    thread::spawn(move || {
        // Nobody hears any more once the verb is done, and then this program ends too.
        let answer = send(&home, &request, start, |line| drop(said.send(Heard::Line(line))));
        drop(said.send(Heard::Answer(answer)));
    });
    (says, hears)
}

fn send(home: &Path, request: &Request, start: StartEngine, each: impl FnMut(Value)) -> anyhow::Result<Value> {
    let mut body = serde_json::to_value(request).context("writing the request")?;
    if let Some(Value::String(name)) = body.get_mut("chat") {
        *name = main_chat::resolve(home, std::mem::take(name))?;
    }
    client::request(home, body, start, each).map_err(said)
}

/// The engine's problem as an error; what has no such shape is given as it is.
pub fn said(problem: Value) -> anyhow::Error {
    match serde_json::from_value::<Problem>(problem.clone()) {
        Ok(problem) => problem.into(),
        Err(_) => Problem::new("asking the engine", problem, "").into(),
    }
}

/// What an agent that is started by this request starts with. An entry that is no text could not be sent.
pub fn environment() -> BTreeMap<String, String> {
    env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Where relative paths start.
pub fn here() -> anyhow::Result<PathBuf> {
    env::current_dir().context("finding the current directory")
}
