//! Putting a question to the engine, and hearing its answers.

use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use serde_json::{Value, json};

use super::{main_chat, output, trashed};
use crate::client::{self, Heard, StartEngine};
use crate::model::chat_name::pasted;
use crate::model::open_dir::OpenDir;
use crate::model::request::{ChatsRequest, ProjectRequest};
use crate::model::text::visible;
use crate::model::{Problem, Request};

/// How many answers may wait to be printed before the engine is kept waiting.
const AHEAD: usize = 256;

/// How long a verb is silent while the engine works on it.
const QUIET: Duration = Duration::from_secs(5);

/// The verb that this process was started with: that of a request has another name, which nobody typed.
static TYPED: OnceLock<String> = OnceLock::new();

/// Notes which verb asks, if one was typed: a chat alone opens the screen.
pub fn typed(verb: &str) {
    if !verb.is_empty() {
        // It is noted once, as the words of the command line are read.
        let _ = TYPED.set(verb.to_string());
    }
}

/// What comes of a question that is asked beside other things.
pub enum QuestionOutcome {
    /// One of several answers.
    Line(Value),
    /// The last one.
    Answer(anyhow::Result<Value>),
    /// Whoever read our output has gone.
    Unread,
    /// A person has pressed Ctrl+C.
    Interrupted,
}

/// Asks the engine, which is started where none runs, and waits for its answer.
pub fn ask(home: &Path, request: Request) -> anyhow::Result<Value> {
    let doing = doing(&request);
    let (_, heard) = listen(home, request, StartEngine::IfMissing);
    let began = Instant::now();
    loop {
        match heard.recv_timeout(QUIET) {
            Ok(QuestionOutcome::Answer(answer)) => return answer,
            Ok(QuestionOutcome::Line(_) | QuestionOutcome::Unread | QuestionOutcome::Interrupted) => {}
            Err(RecvTimeoutError::Timeout) => {
                let seconds = began.elapsed().as_secs();
                let verb = TYPED.get().map_or("parlour", String::as_str);
                output::tell(&format!("`{verb}` is still at work after {seconds} s{doing}"));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(no_answer()),
        }
    }
}

/// What a verb waits for, where that is a directory that is opened.
fn doing(request: &Request) -> String {
    let mut all = Vec::new();
    if let Request::Chats(ChatsRequest::New(new)) = request {
        all.extend(new.dirs.iter().map(OpenDir::doing));
    } else if let Request::Project(ProjectRequest::OpenDir { open, .. }) = request {
        all.push(open.doing());
    }
    match all.is_empty() {
        true => String::new(),
        false => format!(": {}", all.join(", ")),
    }
}

pub fn no_answer() -> anyhow::Error {
    anyhow!("asking the engine: it gave no answer")
}

/// As [`ask`], on a thread of its own, which ends with the answer or with this program.
pub fn listen(
    home: &Path,
    request: Request,
    start: StartEngine,
) -> (SyncSender<QuestionOutcome>, Receiver<QuestionOutcome>) {
    let (says, hears) = sync_channel(AHEAD);
    let home = home.to_owned();
    let said = says.clone();
    thread::spawn(move || {
        // Nobody hears any more once the verb is done, and then this program ends too.
        let answer = send(&home, &request, start, |line| {
            drop(said.send(QuestionOutcome::Line(line)))
        });
        drop(said.send(QuestionOutcome::Answer(answer)));
    });
    (says, hears)
}

fn send(home: &Path, request: &Request, start: StartEngine, each: impl FnMut(Value)) -> anyhow::Result<Value> {
    try_ask(home, request, start, each).map_err(said)
}

/// As [`ask`], in silence, with the engine's problem as it gives it and what comes before the answer.
pub fn try_ask(
    home: &Path,
    request: &Request,
    start: StartEngine,
    mut each: impl FnMut(Value),
) -> Result<Value, Value> {
    let written = serde_json::to_value(request);
    let mut body = written.map_err(|error| json!(Problem::of("writing the request", &error)))?;
    let mut chat = None;
    if let Some(Value::String(name)) = body.get_mut("chat") {
        chat = Some(name.clone());
        let resolved = main_chat::resolve(home, std::mem::take(name));
        *name = resolved.map_err(|error| json!(problem(error)))?;
    }
    let answer = client::request(home, body, start, |heard| match heard {
        Heard::Line(line) => each(line),
        Heard::Waits(what) => output::tell(&format!("waiting for {}", visible(&what))),
    });
    answer.map_err(|mut refused| {
        if let (Some(chat), Some(Value::String(hint))) = (chat, refused.get_mut("hint")) {
            *hint = naming(hint, &chat);
        }
        let problem = serde_json::from_value::<Problem>(refused.clone()).ok();
        let told = problem.map(|problem| trashed::told(home, problem));
        // What else stands there says why no engine has answered.
        let in_trash = told.filter(|told| told.cause == trashed::IN_TRASH);
        in_trash.map_or(refused, |told| json!(told))
    })
}

/// Words that say what to type, with the chat that was asked about in place of `CHAT`.
pub fn naming(hint: &str, chat: &str) -> String {
    let is_command = |part: &str| part.starts_with("parlour ");
    let named = |word| {
        if word == "CHAT" {
            pasted(chat)
        } else {
            String::from(word)
        }
    };
    let parts = hint.split('`').map(|part| match is_command(part) {
        true => part.split(' ').map(named).collect::<Vec<String>>().join(" "),
        false => part.to_owned(),
    });
    parts.collect::<Vec<String>>().join("`")
}

fn problem(error: anyhow::Error) -> Problem {
    error
        .downcast()
        .unwrap_or_else(|error| Problem::of("finding the chat", &error))
}

/// The engine's problem as an error; what has no such shape is given as it is.
pub fn said(problem: Value) -> anyhow::Error {
    match serde_json::from_value::<Problem>(problem.clone()) {
        Ok(problem) => problem.into(),
        Err(_) => Problem::fault("asking the engine", problem).into(),
    }
}
