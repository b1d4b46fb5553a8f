//! Runs one git command to its end, or stops it: on cancel, past its time, or past its size.
//!
//! Each command is a helper of the engine: what git starts in turn (ssh, index-pack) ends with it.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::Error;
use super::program::is_over_files;
use crate::sys::spawn::{Exit, Helper};

/// How often a running command is looked at: far below the 2 s that a cancel may take.
const GLANCE: Duration = Duration::from_millis(50);
/// What git gets to remove its lock files after TERM, before KILL.
const GRACE: Duration = Duration::from_millis(800);
/// An error message is the last lines of what git said; a hostile remote can say much.
const SAID: usize = 64 * 1024;
/// The longest list of refs that is read: some half a million of them.
const OUTPUT: usize = 64 << 20;

/// Set once from any thread; whoever holds a copy stops soon after.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag(CancellationToken);

impl CancelFlag {
    pub fn cancel(&self) {
        self.0.cancel();
    }

    pub fn is_set(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Waits until nobody wants the result any more.
    pub async fn cancelled(&self) {
        self.0.cancelled().await;
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if self.is_set() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GitLimits {
    /// For one git command.
    pub time: Duration,
    /// For one repository's objects, in bytes.
    pub size: u64,
}

impl GitLimits {
    pub(super) fn check(self, repository: &Path, origin: &str) -> Result<(), Error> {
        if super::packs::size_of_packs(repository) <= self.size {
            return Ok(());
        }
        Err(Error::TooLarge {
            origin: origin.to_string(),
            megabytes: self.size >> 20,
        })
    }
}

impl Default for GitLimits {
    /// The kernel's repository is 6 GB and takes about ten minutes on an ordinary line.
    fn default() -> GitLimits {
        GitLimits {
            time: Duration::from_secs(30 * 60),
            size: 20 << 30,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitStage {
    /// Another call is fetching the same repository.
    Waiting,
    Fetching,
    Copying,
    CheckingOut,
    Pushing,
    /// A forge is asked.
    Asking,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GitProgress {
    pub stage: GitStage,
    pub percent: Option<u8>,
}

/// What a command is given besides its arguments.
pub(super) struct GitRun<'a> {
    pub verb: &'static str,
    pub stage: GitStage,
    pub limits: GitLimits,
    /// The repository whose growth counts against the size limit, and the name to complain by.
    pub growing: Option<(PathBuf, String)>,
    pub progress: &'a dyn Fn(GitProgress),
    pub cancel: &'a CancelFlag,
}

impl GitRun<'_> {
    /// What the command wrote to its standard output.
    pub fn output(&self, command: Command) -> Result<Vec<u8>, Error> {
        self.cancel.check()?;
        let program = command.get_program().to_os_string();
        let failed = |e| Error::io("starting", &program, e);
        let (stdout, output) = std::io::pipe().map_err(failed)?;
        let (stderr, errors) = std::io::pipe().map_err(failed)?;
        let start = match is_over_files(&command) {
            true => Helper::start_over_files,
            false => Helper::start,
        };
        let mut helper = start(command, output.into(), errors.into()).map_err(failed)?;
        let stdout = read_all(stdout);
        let (percents, said) = read_progress(stderr);
        let ended = self.wait(&mut helper, &percents);
        // On the way out of every path: what git started must not outlive it, and holds the pipes as long as it lives.
        match ended.is_ok() {
            true => drop(helper),
            false => helper.stop(GRACE),
        }
        let said = said.join().unwrap_or_default();
        let output = stdout.join().unwrap_or_default();
        match ended? {
            _ if output.len() > OUTPUT => Err(Error::Git {
                verb: self.verb,
                said: format!("it said more than {} MB", OUTPUT >> 20),
            }),
            exit if exit.is_success() => Ok(output),
            _ => Err(Error::Git {
                verb: self.verb,
                said: last_words(&said),
            }),
        }
    }

    fn wait(&self, helper: &mut Helper, percents: &Receiver<u8>) -> Result<Exit, Error> {
        let started = Instant::now();
        let mut sized = started;
        let mut pause = Duration::from_millis(1);
        loop {
            // Short commands must not pay for a long glance, and long ones not for many.
            match percents.recv_timeout(pause) {
                Ok(percent) => (self.progress)(GitProgress {
                    stage: self.stage,
                    percent: Some(percent),
                }),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(GLANCE);
            self.cancel.check()?;
            if let Some(exit) = helper.try_wait().map_err(|e| Error::io("running", "git", e))? {
                return Ok(exit);
            }
            if started.elapsed() > self.limits.time {
                return Err(Error::Slow {
                    verb: self.verb,
                    minutes: self.limits.time.as_secs().div_ceil(60),
                });
            }
            if let Some((path, origin)) = &self.growing
                && sized.elapsed() > Duration::from_secs(1)
            {
                sized = Instant::now();
                self.limits.check(path, origin)?;
            }
        }
    }
}

type PipeReader<T> = std::thread::JoinHandle<T>;

/// One byte more than the limit tells that there was more. Then the pipe is closed, and git ends.
fn read_all(pipe: impl Read + Send + 'static) -> PipeReader<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe cut short by a kill is an end like any other; the exit status tells.
        let _ = pipe.take(OUTPUT as u64 + 1).read_to_end(&mut bytes);
        bytes
    })
}

/// Sends on the percentages that git draws, each on a line ended by a carriage return, and keeps what else it says.
fn read_progress(mut pipe: impl Read + Send + 'static) -> (Receiver<u8>, PipeReader<String>) {
    let (send, receive) = channel();
    let thread = std::thread::spawn(move || {
        let (mut said, mut line, mut buffer) = (Vec::new(), Vec::new(), [0u8; 4096]);
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            for &byte in &buffer[..count] {
                if byte != b'\r' && byte != b'\n' {
                    if line.len() < SAID {
                        line.push(byte);
                    }
                    continue;
                }
                match percent(&line) {
                    // Nobody listens any more once the command is being stopped.
                    Some(percent) => drop(send.send(percent)),
                    None if said.len() < SAID => {
                        said.append(&mut line);
                        said.push(b'\n');
                    }
                    None => {}
                }
                line.clear();
            }
        }
        said.append(&mut line);
        String::from_utf8_lossy(&said).into_owned()
    });
    (receive, thread)
}

/// `Receiving objects:  42% (21/50)` → 42.
fn percent(line: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(line).ok()?;
    let before = &text[..text.find("% (")?];
    before.rsplit(' ').next()?.parse().ok()
}

/// The lines in which git says what is wrong, else the last ones.
fn last_words(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let wrong: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|l| ["fatal:", "error:", "! ["].iter().any(|start| l.starts_with(start)))
        .collect();
    let chosen = if wrong.is_empty() {
        &lines[lines.len().saturating_sub(3)..]
    } else {
        &wrong[..wrong.len().min(3)]
    };
    if chosen.is_empty() {
        "it gave no reason".into()
    } else {
        chosen.join("; ")
    }
}
