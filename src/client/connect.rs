//! Reaching the engine of a home, and starting it where none runs.
//!
//! Whether an engine lives is judged by its answer, never by a process number or a file. Of many clients that find none,
//! the one that holds `run/start.lock` starts it and the others wait for its socket.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use tokio::net::UnixStream;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::codec::Framed;

use crate::sys::detach;
use crate::sys::lock::FileLock;
use crate::sys::peer::{self, PeerCredentials};
use crate::wire::{self, Codec, HelloError, address};

/// Tells the drawing process who guards it. A value that was merely inherited names some other process.
pub(super) const GUARD: &str = "PARLOUR_GUARD";

/// What to do where no engine answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartEngine {
    IfMissing,
    Never,
}

pub(super) type Connection = Framed<UnixStream, Codec>;

/// A frozen engine is said within 10 seconds, and a loaded machine may need some of them for a start.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long an engine that we started and that failed may have lost against another one, which will answer soon.
const GRACE: Duration = Duration::from_millis(500);
/// A cold start must show its first frame within 300 ms, so the wait between two tries is short.
const LONGEST_WAIT: Duration = Duration::from_millis(16);

#[derive(Debug, thiserror::Error)]
pub(super) enum Unreachable {
    #[error("no engine is running")]
    NoEngine,
    #[error("the engine has not answered for 10 seconds")]
    Frozen,
    #[error("another user (uid {uid}) answers in the engine's place")]
    Foreign { uid: u32 },
    #[error("the engine did not start: {said}")]
    NotStarted { said: String },
    #[error("{} cannot be written: {error}", home.display())]
    Home { home: PathBuf, error: io::Error },
    #[error(transparent)]
    Hello(HelloError),
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Unreachable {
    /// What to try, or where to look.
    pub fn hint(&self) -> &'static str {
        match self {
            Unreachable::NoEngine => "start it with `parlour`",
            Unreachable::Frozen => "end it with `parlour kill-engine`; your chats are on disk",
            Unreachable::Foreign { .. } => "look who owns the `run` directory of your parlour home",
            Unreachable::NotStarted { .. } => "`parlour engine` shows more; `parlour doctor` may know why",
            Unreachable::Home { .. } => "make it writable, or set PARLOUR_HOME to a directory that is",
            Unreachable::Hello(_) | Unreachable::Io(_) => "`parlour doctor` looks for the reason",
        }
    }
}

/// A connection on which both sides have said hello.
pub(super) async fn engine(home: &Path, start: StartEngine) -> Result<Connection, Unreachable> {
    timeout(PATIENCE, reach(home, start))
        .await
        .unwrap_or(Err(Unreachable::Frozen))
}

async fn reach(home: &Path, start: StartEngine) -> Result<Connection, Unreachable> {
    let mut starter = Starter::default();
    let mut wait = Duration::from_millis(2);
    loop {
        if let Some(connection) = knock(home).await? {
            return Ok(connection);
        }
        match start {
            StartEngine::Never => return Err(Unreachable::NoEngine),
            StartEngine::IfMissing => starter.start_once(home)?,
        }
        sleep(wait).await;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}

/// One try; None where nobody answers, or the one who did ended before its hello.
async fn knock(home: &Path) -> Result<Option<Connection>, Unreachable> {
    let Some((mut stream, _)) = open(home).await? else {
        return Ok(None);
    };
    match wire::exchange(&mut stream).await {
        Ok(_) => Ok(Some(Framed::new(stream, Codec::default()))),
        Err(HelloError::Io(_)) => Ok(None),
        Err(error) => Err(Unreachable::Hello(error)),
    }
}

/// A connection to a process of our own user, before any hello; None where nobody listens.
pub(super) async fn open(home: &Path) -> Result<Option<(UnixStream, PeerCredentials)>, Unreachable> {
    let opened = match address::socket_path(home) {
        Ok(path) => UnixStream::connect(path).await,
        Err(error) => Err(error),
    };
    let stream = match opened {
        Ok(stream) => stream,
        Err(error) if means_nobody(&error) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            let home = home.to_path_buf();
            return Err(Unreachable::Home { home, error });
        }
        Err(error) => return Err(error.into()),
    };
    let peer = peer::credentials(&stream)?;
    match peer.are_ours() {
        true => Ok(Some((stream, peer))),
        false => Err(Unreachable::Foreign { uid: peer.uid }),
    }
}

/// `WouldBlock` is a socket whose queue is full: somebody is there and will be ready for us later. `ConnectionReset` is
/// one whose engine ended with us in its queue.
fn means_nobody(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionRefused, ConnectionReset, NotFound, WouldBlock};
    matches!(
        error.kind(),
        ConnectionRefused | ConnectionReset | NotFound | WouldBlock
    )
}

/// Starts one engine at most, while nobody else is starting one.
#[derive(Default)]
struct Starter {
    /// Held from the start of the engine until this client is connected or gives up.
    turn: Option<FileLock>,
    started: Option<StartedEngine>,
}

struct StartedEngine {
    engine: Child,
    log: EngineLog,
    failed: Option<Instant>,
}

impl Starter {
    fn start_once(&mut self, home: &Path) -> Result<(), Unreachable> {
        if let Some(started) = &mut self.started {
            return started.check();
        }
        let at_home = |error: io::Error| Unreachable::Home {
            home: home.to_path_buf(),
            error,
        };
        let run = address::run_directory(home).map_err(at_home)?;
        self.turn = FileLock::try_acquire(&run.join("start.lock")).map_err(at_home)?;
        if self.turn.is_some() {
            self.started = Some(StartedEngine::spawn(home, run.join("engine.log")).map_err(at_home)?);
        }
        Ok(())
    }
}

impl StartedEngine {
    fn spawn(home: &Path, log: PathBuf) -> io::Result<StartedEngine> {
        let log = EngineLog::open(log)?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .arg("engine")
            .env("PARLOUR_HOME", std::path::absolute(home)?)
            .env_remove(GUARD);
        let engine = detach::start(&mut command, log.file.try_clone()?)?;
        Ok(StartedEngine {
            engine,
            log,
            failed: None,
        })
    }

    /// An error once our engine has failed and no other came in its place.
    fn check(&mut self) -> Result<(), Unreachable> {
        if self.failed.is_none() && self.engine.try_wait()?.is_some_and(|end| !end.success()) {
            self.failed = Some(Instant::now());
        }
        match self.failed {
            Some(at) if at.elapsed() > GRACE => Err(Unreachable::NotStarted {
                said: self.log.last_line(),
            }),
            Some(_) | None => Ok(()),
        }
    }
}

/// The engine's log, and where it ended before our engine wrote to it.
struct EngineLog {
    path: PathBuf,
    file: File,
    end: u64,
}

impl EngineLog {
    fn open(path: PathBuf) -> io::Result<EngineLog> {
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&path)?;
        let end = file.metadata()?.len();
        Ok(EngineLog { path, file, end })
    }

    fn last_line(&self) -> String {
        let mut said = Vec::new();
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.end))?;
            file.take(64 << 10).read_to_end(&mut said)
        });
        let said = String::from_utf8_lossy(&said);
        let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
        match (read, last) {
            (Ok(_), Some(line)) => line.to_owned(),
            (Ok(_) | Err(_), _) => format!("see {}", self.path.display()),
        }
    }
}
