//! What `parlour kill-engine` does: the engine of a home ends, even one that is frozen or of another version.

use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::net::UnixStream;
use tokio::time::{sleep, timeout};
use tokio_util::codec::Framed;

use crate::sys::lock::Lock;
use crate::wire::{self, Codec, address};

use super::connect;
use super::request;

/// An engine that lives answers well before this.
const POLITE: Duration = Duration::from_secs(3);
/// How long it may take to write down what it has not yet, before it is killed.
const ENDING: Duration = Duration::from_secs(5);
/// How often the lock is tried meanwhile.
const LOOK: Duration = Duration::from_millis(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Killed {
    Ended,
    /// There was none.
    NoEngine,
}

/// Whether no engine runs: its lock is free.
pub fn is_gone(home: &Path) -> std::io::Result<bool> {
    Ok(Lock::try_acquire(&address::lock_path(home))?.is_some())
}

/// Asks the engine to end, and where it does not answer, signals the process at the other end of its socket. Returns
/// when the engine's lock is free; an error is a problem, such as the engine's refusal.
pub fn kill_engine(home: &Path) -> Result<Killed, Value> {
    let runtime = request::runtime().map_err(|error| problem(&error.to_string()))?;
    runtime.block_on(end(home))
}

async fn end(home: &Path) -> Result<Killed, Value> {
    let opened = connect::open(home).await;
    let Some((mut stream, peer)) = opened.map_err(|error| problem(&error.to_string()))? else {
        return Ok(Killed::NoEngine);
    };
    match timeout(POLITE, ask(&mut stream)).await {
        Ok(Some(Err(refusal))) if refusal != request::ended() => return Err(refusal),
        Ok(Some(Ok(_) | Err(_))) if ended(home).await => return Ok(Killed::Ended),
        // It is frozen, of another version, or says yes and does not go.
        Ok(Some(_) | None) | Err(_) => {}
    }
    let pid = peer.pid.and_then(|pid| Pid::from_raw(pid.cast_signed()));
    for signal in [Signal::TERM, Signal::KILL] {
        if let Some(pid) = pid {
            // It may have ended just now; the lock tells.
            let _ = kill_process(pid, signal);
        }
        if ended(home).await {
            return Ok(Killed::Ended);
        }
    }
    Err(problem("it neither answers nor ends"))
}

/// The answer; None where the engine is of another version and cannot be asked.
async fn ask(stream: &mut UnixStream) -> Option<Result<Value, Value>> {
    wire::exchange(stream).await.ok()?;
    let mut connection = Framed::new(stream, Codec::default());
    Some(request::ask(&mut connection, json!({"verb": "kill-engine"}), drop).await)
}

/// The kernel frees the lock when the process is gone, and not before.
async fn ended(home: &Path) -> bool {
    let path = address::lock_path(home);
    let freed = async {
        while !matches!(Lock::try_acquire(&path), Ok(Some(_))) {
            sleep(LOOK).await;
        }
    };
    timeout(ENDING, freed).await.is_ok()
}

fn problem(cause: &str) -> Value {
    json!({"doing": "ending the engine", "cause": cause, "hint": ""})
}
