//! Runs one git command to its end, or stops it: on cancel, past its time, or past its size.
//!
//! Each command leads a process group of its own, since git starts helpers (ssh, index-pack) that would outlive it.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::Error;

/// How often a running command is looked at: far below the 2 s that a cancel may take.
const GLANCE: Duration = Duration::from_millis(50);
/// What git gets to remove its lock files after TERM, before KILL.
const GRACE: Duration = Duration::from_millis(800);
/// An error message is the last lines of what git said; a hostile remote can say much.
const SAID: usize = 64 * 1024;

/// Set once from any thread; whoever holds a copy stops soon after.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        if self.is_set() { Err(Error::Cancelled) } else { Ok(()) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For one git command.
    pub time: Duration,
    /// For one repository's objects, in bytes.
    pub size: u64,
}

impl Limits {
    pub(super) fn check(self, repository: &Path, origin: &str) -> Result<(), Error> {
        if super::objects::size_of_packs(repository) <= self.size {
            return Ok(());
        }
        Err(Error::TooLarge {
            origin: origin.to_string(),
            megabytes: self.size >> 20,
        })
    }
}

impl Default for Limits {
    /// The kernel's repository is 6 GB and takes about ten minutes on an ordinary line.
    fn default() -> Limits {
        Limits {
            time: Duration::from_secs(30 * 60),
            size: 20 << 30,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Another call is fetching the same repository.
    Waiting,
    Fetching,
    Copying,
    CheckingOut,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub stage: Stage,
    pub percent: Option<u8>,
}

/// What a command is given besides its arguments.
pub(super) struct Run<'a> {
    pub verb: &'static str,
    pub stage: Stage,
    pub limits: Limits,
    /// The repository whose growth counts against the size limit, and the name to complain by.
    pub growing: Option<(PathBuf, String)>,
    pub progress: &'a dyn Fn(Progress),
    pub cancel: &'a Cancel,
}

impl Run<'_> {
    /// What the command wrote to its standard output.
    pub fn output(&self, mut command: Command) -> Result<Vec<u8>, Error> {
        self.cancel.check()?;
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = command
            .spawn()
            .map_err(|e| Error::io("starting", command.get_program(), e))?;
        let stdout = child.stdout.take().map(read_all);
        let (percents, said) = match child.stderr.take() {
            Some(stderr) => read_progress(stderr),
            None => (channel().1, None),
        };
        let ended = self.wait(&mut child, &percents);
        // On the way out of every path: a helper must not outlive its command.
        if ended.is_err() {
            stop(&mut child);
        }
        let said = said.and_then(|t| t.join().ok()).unwrap_or_default();
        let output = stdout.and_then(|t| t.join().ok()).unwrap_or_default();
        match ended? {
            status if status.success() => Ok(output),
            _ => Err(Error::Git {
                verb: self.verb,
                said: last_words(&said),
            }),
        }
    }

    fn wait(&self, child: &mut Child, percents: &Receiver<u8>) -> Result<ExitStatus, Error> {
        let started = Instant::now();
        let mut sized = started;
        let mut pause = Duration::from_millis(1);
        loop {
            // Short commands must not pay for a long glance, and long ones not for many.
            match percents.recv_timeout(pause) {
                Ok(percent) => (self.progress)(Progress {
                    stage: self.stage,
                    percent: Some(percent),
                }),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(GLANCE);
            self.cancel.check()?;
            if let Some(status) = child.try_wait().map_err(|e| Error::io("waiting for", "git", e))? {
                return Ok(status);
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

fn stop(child: &mut Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let signal = |signal| {
        if let Some(group) = group {
            // The group may be gone already, which is what we want.
            let _ = kill_process_group(group, signal);
        }
    };
    signal(Signal::TERM);
    let asked = Instant::now();
    while asked.elapsed() < GRACE && matches!(child.try_wait(), Ok(None)) {
        std::thread::sleep(Duration::from_millis(10));
    }
    // Also when git itself has ended: its helpers share the group, and the pipes stay open as long as they live.
    signal(Signal::KILL);
    let _ = child.wait();
}

type Reader<T> = std::thread::JoinHandle<T>;

fn read_all(mut pipe: impl Read + Send + 'static) -> Reader<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A pipe cut short by a kill is an end like any other; the exit status tells.
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

/// Sends on the percentages that git draws, each on a line ended by a carriage return, and keeps what else it says.
fn read_progress(mut pipe: impl Read + Send + 'static) -> (Receiver<u8>, Option<Reader<String>>) {
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
    (receive, Some(thread))
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
        .filter(|l| l.starts_with("fatal:") || l.starts_with("error:"))
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
