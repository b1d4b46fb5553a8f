//! One question to the engine and its answer, as shell verbs ask it.

use std::io;
use std::path::Path;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::codec::Framed;

use crate::wire::{self, Codec, Message};

use super::connect::{self, StartEngine, Unreachable};
use super::liveness::{Liveness, LivenessDue};

const OURS: u32 = 1;
/// How long an engine that is ending is waited for, which stops its agents first.
const ENDS_WITHIN: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(20);
const SENDING: Duration = Duration::from_secs(10);

/// What comes before an answer.
pub enum Heard {
    /// A part of it.
    Line(Value),
    /// It waits for this, in words.
    Waits(String),
}

/// Asks and waits for the answer, however long it takes while the engine lives; an error has the shape of a problem,
/// `{"doing","cause","hint","kind"}`. An engine that is ending is waited for and the next one asked. What the engine sends before its answer is handed on.
pub fn request(home: &Path, body: Value, start: StartEngine, mut hears: impl FnMut(Heard)) -> Result<Value, Value> {
    let runtime = runtime().map_err(|error| problem(FAULT, &error.to_string(), FAULT_HINT))?;
    runtime.block_on(async {
        let deadline = Instant::now() + ENDS_WITHIN;
        loop {
            let mut connection = connect::engine(home, start).await.map_err(unreachable)?;
            match ask(&mut connection, body.clone(), &mut hears).await {
                Err(problem) if is_not_begun(&problem) && Instant::now() < deadline => sleep(LOOK).await,
                answer => return answer,
            }
        }
    })
}

pub(super) fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// As [`request`], on a connection that is there.
pub(super) async fn ask<S>(
    connection: &mut Framed<S, Codec>,
    body: Value,
    mut hears: impl FnMut(Heard),
) -> Result<Value, Value>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    send(connection, Message::Request { id: OURS, body }).await?;
    let mut liveness = Liveness::default();
    let mut waits = None;
    loop {
        liveness.expect();
        let message = tokio::select! {
            biased;
            message = connection.next() => message,
            due = liveness.due() => match due {
                LivenessDue::Ask => {
                    send(connection, Liveness::question()).await?;
                    continue;
                }
                LivenessDue::Frozen => return Err(frozen()),
            },
        };
        match message {
            Some(Ok(Message::Reply { id: OURS, body })) => return body,
            Some(Ok(Message::Stream { id: OURS, body })) => hears(Heard::Line(body)),
            // It lives, and may say what keeps it.
            Some(Ok(Message::Reply { id: Liveness::ID, body })) => {
                let said = body.ok().and_then(|body| Some(body["waits_for"].as_str()?.to_owned()));
                if said != waits {
                    waits.clone_from(&said);
                    said.into_iter().for_each(|said| hears(Heard::Waits(said)));
                }
            }
            Some(Ok(Message::Bye { why, .. })) => {
                return Err(marked(problem(BUSY, &why, "ask again in a moment"), LOST));
            }
            // What a newer engine says to everyone.
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(broken(error)),
            None => return Err(ended()),
        }
        liveness.heard();
    }
}

async fn send<S>(connection: &mut Framed<S, Codec>, message: Message) -> Result<(), Value>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    match timeout(SENDING, connection.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(broken(error)),
        Err(_) => Err(frozen()),
    }
}

/// An engine that dies breaks the connection in whichever way the kernel saw it first.
fn broken(error: wire::Error) -> Value {
    match error {
        wire::Error::Io(_) => ended(),
        wire::Error::FrameLength { .. } | wire::Error::MessageLength { .. } | wire::Error::Malformed { .. } => {
            problem(FAULT, &error.to_string(), FAULT_HINT)
        }
    }
}

/// What is said when the engine went away in the middle. What was asked may have been done.
pub(super) fn ended() -> Value {
    let hint = "it may have been done: look before you ask again";
    marked(problem(FAULT, "the engine ended before it answered", hint), LOST)
}

/// Kinds, by the names that a problem gives them.
const BUSY: &str = "busy";
const FAULT: &str = "fault";
pub(super) const FAULT_HINT: &str = "`parlour doctor` looks for the reason";

/// Marks of problems that are not the engine's.
const LOST: &str = "lost";
const FROZEN: &str = "frozen";
const MISSING: &str = "missing";

fn marked(mut problem: Value, mark: &str) -> Value {
    problem["client"] = mark.into();
    problem
}

/// The engine went away in the middle.
pub fn is_lost(problem: &Value) -> bool {
    problem["client"] == LOST
        || [wire::ENDING, wire::NOT_BEGUN]
            .iter()
            .any(|cause| problem["cause"] == *cause)
}

fn is_not_begun(problem: &Value) -> bool {
    problem["cause"] == wire::NOT_BEGUN
}

pub fn is_frozen(problem: &Value) -> bool {
    problem["client"] == FROZEN
}

/// None runs.
pub fn is_missing(problem: &Value) -> bool {
    problem["client"] == MISSING
}

/// A problem in one line, as the engine shapes it or, where it does not, whatever it said.
pub(super) fn told(problem: &Value) -> String {
    let part = |name| problem.get(name).and_then(Value::as_str);
    match (part("doing"), part("cause"), part("hint").unwrap_or_default()) {
        (Some(doing), Some(cause), "") => format!("{doing}: {cause}"),
        (Some(doing), Some(cause), hint) => format!("{doing}: {cause}; {hint}"),
        (Some(_) | None, _, _) => problem.to_string(),
    }
}

fn frozen() -> Value {
    unreachable(Unreachable::Frozen)
}

fn unreachable(error: Unreachable) -> Value {
    let kind = match error {
        Unreachable::NoEngine => "missing",
        Unreachable::Frozen => BUSY,
        Unreachable::Foreign { .. }
        | Unreachable::NotStarted { .. }
        | Unreachable::Home { .. }
        | Unreachable::Hello(_)
        | Unreachable::Io(_) => FAULT,
    };
    let told = problem(kind, &error.to_string(), error.hint());
    match error {
        Unreachable::Frozen => marked(told, FROZEN),
        Unreachable::NoEngine => marked(told, MISSING),
        Unreachable::Foreign { .. }
        | Unreachable::NotStarted { .. }
        | Unreachable::Home { .. }
        | Unreachable::Hello(_)
        | Unreachable::Io(_) => told,
    }
}

fn problem(kind: &str, cause: &str, hint: &str) -> Value {
    json!({"doing": "asking the engine", "cause": cause, "hint": hint, "kind": kind})
}
