//! What `parlour hook` does: hands an agent CLI's payload to the engine and brings back the answer, in time or not at all.

use std::future;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::low_level::pipe;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net;
use tokio::time::timeout;

use super::connect::{self, StartEngine};
use super::request;

/// The largest payload that is read, which fits into a message; what is longer is answered as if no engine were there.
const PAYLOAD_LIMIT: u64 = 12 << 20;

/// Which call of which chat's agent this is.
#[derive(Debug, Clone)]
pub struct HookOrigin {
    pub chat: String,
    pub token: String,
    pub agent: String,
    pub event: String,
    /// The agent CLI has a deadline of its own, and reads silence as it likes: answer before it.
    pub deadline: Duration,
}

impl HookOrigin {
    pub const DEADLINE: Duration = Duration::from_secs(5);
}

/// What would end a hook, and ends its waiting instead: where an agent is ended with its engine, so is the hook by which its
/// CLI says that the session ends, and the CLI would note that the hook has failed.
pub struct EndSignals(UnixStream);

impl EndSignals {
    /// From here on none of them ends this program.
    pub fn listen() -> io::Result<EndSignals> {
        let (heard, told) = UnixStream::pair()?;
        heard.set_nonblocking(true)?;
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            pipe::register(signal, told.try_clone()?)?;
        }
        Ok(EndSignals(heard))
    }
}

/// Reads the payload, usually stdin, and asks the engine. None means the caller gives its cautious answer: the engine is
/// not there, frozen, someone else's, or without an answer. No engine is started.
pub fn hook(
    home: &Path,
    hook: &HookOrigin,
    payload: impl AsyncRead + Unpin,
    ends: Option<EndSignals>,
) -> Option<Value> {
    let runtime = request::runtime().ok()?;
    let answer = runtime.block_on(async {
        tokio::select! {
            answer = timeout(hook.deadline, ask(home, hook, payload)) => answer.ok()?,
            _ = heard(ends) => None,
        }
    });
    // A read of stdin cannot be called off, so it is not waited for.
    runtime.shutdown_background();
    answer
}

async fn heard(ends: Option<EndSignals>) -> io::Result<u8> {
    match ends {
        Some(EndSignals(heard)) => net::UnixStream::from_std(heard)?.read_u8().await,
        None => future::pending().await,
    }
}

async fn ask(home: &Path, hook: &HookOrigin, from: impl AsyncRead + Unpin) -> Option<Value> {
    let mut payload = Vec::new();
    let mut from = from.take(PAYLOAD_LIMIT + 1);
    from.read_to_end(&mut payload).await.ok()?;
    if payload.len() as u64 > PAYLOAD_LIMIT {
        return None;
    }
    let payload: Value = serde_json::from_slice(&payload).ok()?;
    let mut connection = connect::engine(home, StartEngine::Never).await.ok()?;
    let body = json!({
        "noun": "engine",
        "verb": "hook",
        "chat": hook.chat,
        "token": hook.token,
        "agent": hook.agent,
        "event": hook.event,
        "payload": payload,
    });
    request::ask(&mut connection, body, drop).await.ok()
}
