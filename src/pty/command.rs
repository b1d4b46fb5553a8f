//! One command to its end, in a terminal that nobody watches: below a supervisor like an agent, so that nothing of it
//! is left over, however it or the engine ends.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::alive;
use super::open::open;
use crate::sys::spawn::{SpawnReport, Spec};
use crate::term::TerminalSize;

/// What is kept of its output: the end says how it went.
const KEPT: usize = 8 << 10;

/// From TERM to KILL.
const GRACE: Duration = Duration::from_secs(2);

/// A supervisor whose command was killed says so within this.
const ANSWERS_WITHIN: Duration = Duration::from_secs(6);

/// A terminal that nobody held may be opened again, by what was started in it: it is looked at this often.
const OPENED_AGAIN: Duration = Duration::from_secs(1);

/// The size of its terminal.
pub fn watched_size() -> TerminalSize {
    TerminalSize::new(200, 50)
}

/// How a command ended, with the end of what it wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandRun {
    pub end: CommandEnd,
    pub said: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandEnd {
    Exited(i32),
    Killed(i32),
    Late,
    /// Whoever holds its [`CommandHalt`] wanted that.
    Stopped,
    NotStarted(String),
}

/// Stops a command from any thread: once for all.
#[derive(Clone, Debug)]
pub struct CommandHalt(Arc<(UnixStream, UnixStream)>);

impl CommandHalt {
    pub fn new() -> io::Result<CommandHalt> {
        let pair = UnixStream::pair()?;
        pair.0.set_nonblocking(true)?;
        Ok(CommandHalt(Arc::new(pair)))
    }

    pub fn stop(&self) {
        // Where it is full it was told before.
        let _ = (&self.0.0).write(&[0]);
    }

    fn is_told(&self) -> io::Result<bool> {
        let mut ear = [PollFd::new(self.ear(), PollFlags::IN)];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        Ok(poll(&mut ear, Some(&at_once))? > 0)
    }

    fn ear(&self) -> &UnixStream {
        &self.0.1
    }
}

/// What is heard of a command while it runs.
pub enum Sound<'s> {
    Started(u32),
    Wrote(&'s [u8]),
}

/// How a command is to be run.
pub struct Course<'c> {
    pub limit: Duration,
    pub halt: &'c CommandHalt,
    pub hear: &'c mut dyn FnMut(Sound),
}

/// Runs it, until it is told to stop or its time is over, and hears it meanwhile. It takes nobody's time while nothing is
/// written. `supervisor` is this same binary.
pub fn run_watched(supervisor: &Path, spec: &Spec, course: Course) -> io::Result<CommandRun> {
    let Course { limit, halt, hear } = course;
    if halt.is_told()? {
        let (end, said) = (CommandEnd::Stopped, String::new());
        return Ok(CommandRun { end, said });
    }
    let opened = open(watched_size())?;
    let stream = opened.master.stream.clone();
    let mut supervisor = alive::begin(supervisor, spec, opened.slave)?;
    let mut said = VecDeque::new();
    let mut deadline = Instant::now() + limit;
    // Why it was told to stop, once it was.
    let mut stopped = None;
    let mut began = false;
    // Nobody holds its terminal any more: that is always ready to be heard, and would wake every wait at once.
    let mut hung_up = false;
    let end = loop {
        let (control, output) = (&supervisor.control, &*stream);
        let mut waiting = vec![PollFd::new(control, PollFlags::IN)];
        if stopped.is_none() {
            waiting.push(PollFd::new(halt.ear(), PollFlags::IN));
        }
        let (listens, ear) = (!hung_up, waiting.len() > 1);
        if listens {
            waiting.push(PollFd::new(output, PollFlags::IN));
        }
        let wait = if listens {
            deadline
        } else {
            deadline.min(Instant::now() + OPENED_AGAIN)
        };
        match poll(&mut waiting, Some(&left(wait))) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let told = ear && !waiting[1].revents().is_empty();
        let closed = waiting
            .last()
            .map(|output| output.revents().intersects(PollFlags::HUP | PollFlags::ERR));
        let quiet = read(&stream, &mut said, hear) == 0;
        hung_up = quiet && (!listens || closed == Some(true));
        let (reports, gone) = supervisor.hear();
        let ended = reports.into_iter().find_map(|report| match report {
            SpawnReport::Started { pid } => {
                began = true;
                hear(Sound::Started(pid));
                None
            }
            SpawnReport::Failed { why } => Some(CommandEnd::NotStarted(why)),
            SpawnReport::Exited { code: Some(code), .. } => Some(CommandEnd::Exited(code)),
            SpawnReport::Exited { signal, .. } => Some(CommandEnd::Killed(signal.unwrap_or_default())),
        });
        match (ended, stopped.take()) {
            (Some(_), Some(why)) => break why,
            (Some(ended), None) => break ended,
            (None, Some(why)) if gone => break why,
            (None, None) if gone && began => {
                // Somebody killed it; what it started is not left without one.
                supervisor.kill();
                break CommandEnd::Killed(9);
            }
            (None, None) if gone => break CommandEnd::NotStarted("its supervisor ended".into()),
            (None, why) => stopped = why,
        }
        let late = Instant::now() >= deadline;
        match stopped.take() {
            Some(why) if late => {
                supervisor.kill();
                break why;
            }
            None if told || late => {
                stopped = Some(if told { CommandEnd::Stopped } else { CommandEnd::Late });
                deadline = Instant::now() + ANSWERS_WITHIN;
                supervisor.stop(GRACE);
            }
            other => stopped = other,
        }
    };
    read(&stream, &mut said, hear);
    supervisor.end();
    let said: Vec<u8> = said.into();
    Ok(CommandRun {
        end,
        said: String::from_utf8_lossy(&said).into_owned(),
    })
}

fn left(deadline: Instant) -> Timespec {
    let left = deadline.saturating_duration_since(Instant::now());
    Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 })
}

/// Takes what is there; how much that was.
fn read(stream: &std::os::fd::OwnedFd, said: &mut VecDeque<u8>, hear: &mut dyn FnMut(Sound)) -> usize {
    let (mut piece, mut all) = ([0; 4096], 0);
    // A program that writes without end must not keep us from looking at its time.
    while all < (1 << 20) {
        match rustix::io::read(stream, &mut piece) {
            Ok(length @ 1..) => {
                hear(Sound::Wrote(&piece[..length]));
                said.extend(&piece[..length]);
                said.drain(..said.len().saturating_sub(KEPT));
                all += length;
            }
            Ok(0) | Err(_) => break,
        }
    }
    all
}
