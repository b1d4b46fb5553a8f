//! What `parlour kill-engine` does: the engine of a home ends, even one that is frozen or of another version.

use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::net::UnixStream;
use tokio::time::{sleep, timeout};
use tokio_util::codec::Framed;

use crate::sys::lock;
use crate::sys::peer::PeerCredentials;
use crate::wire::{self, Codec, address};

use super::{connect, request};

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
pub fn is_gone(home: &Path) -> bool {
    !held(home)
}

/// Asks the engine to end, and where it does not answer, signals the process at the other end of its socket. Returns
/// when the engine's lock is free; an error is a problem, such as the engine's refusal.
pub fn kill_engine(home: &Path) -> Result<Killed, Value> {
    let runtime = request::runtime().map_err(|error| problem(&error.to_string()))?;
    runtime.block_on(end(home))
}

async fn end(home: &Path) -> Result<Killed, Value> {
    let Some((mut stream, peer)) = reach(home).await? else {
        return match held(home) {
            true => end_unreachable(home).await,
            false => Ok(Killed::NoEngine),
        };
    };
    match timeout(POLITE, ask(&mut stream)).await {
        Ok(Some(Err(refusal))) if refusal != request::ended() => return Err(refusal),
        Ok(Some(Ok(_) | Err(_))) if ended(home).await => return Ok(Killed::Ended),
        // It is frozen, of another version, or says yes and does not go.
        Ok(Some(_) | None) | Err(_) => {}
    }
    end_process(home, peer.pid).await
}

/// A connection; None where there is no engine, or none that opens its socket: it may be starting or ending, or be about
/// to make the socket again.
async fn reach(home: &Path) -> Result<Option<(UnixStream, PeerCredentials)>, Value> {
    let opened = async {
        loop {
            let opened = connect::open(home).await;
            match opened.map_err(|error| problem(&error.to_string()))? {
                None if held(home) => sleep(LOOK).await,
                opened => return Ok(opened),
            }
        }
    };
    timeout(POLITE, opened).await.unwrap_or(Ok(None))
}

/// An engine without a socket: its lock says that it lives, and what it wrote there which process it is.
async fn end_unreachable(home: &Path) -> Result<Killed, Value> {
    let pid = lock::holder(&address::lock_path(home));
    end_process(home, pid).await
}

async fn end_process(home: &Path, pid: Option<u32>) -> Result<Killed, Value> {
    let pid = pid.and_then(|pid| Pid::from_raw(pid.cast_signed()));
    for signal in [Signal::TERM, Signal::KILL] {
        if let Some(pid) = pid.filter(|_| held(home)) {
            // It may have ended just now; the lock tells.
            let _ = kill_process(pid, signal);
        }
        if ended(home).await {
            return Ok(Killed::Ended);
        }
    }
    Err(match pid {
        Some(_) => problem("it neither answers nor ends"),
        None => problem("one holds this home, but its socket is gone and its process is not known"),
    })
}

fn held(home: &Path) -> bool {
    lock::is_held(home, &address::lock_path(home))
}

/// The answer; None where the engine is of another version and cannot be asked.
async fn ask(stream: &mut UnixStream) -> Option<Result<Value, Value>> {
    wire::exchange(stream).await.ok()?;
    let mut connection = Framed::new(stream, Codec::default());
    Some(request::ask(&mut connection, json!({"noun": "engine", "verb": "kill-engine"}), drop).await)
}

/// The kernel frees the lock when the process is gone, and not before.
async fn ended(home: &Path) -> bool {
    let freed = async {
        while held(home) {
            sleep(LOOK).await;
        }
    };
    timeout(ENDING, freed).await.is_ok()
}

fn problem(cause: &str) -> Value {
    json!({"doing": "ending the engine", "cause": cause, "hint": request::FAULT_HINT, "kind": "fault"})
}
