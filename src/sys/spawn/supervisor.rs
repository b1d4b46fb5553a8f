//! The engine's end of a supervisor: start it, hear its reports, tell it to stop, see it end.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::order::{Frames, SpawnOrder, SpawnReport, Spec, frame};
use super::waited_child::WaitedChild;
use super::{kill_group, orphans, signal_group, template};

/// A supervisor ends within this after its engine end was closed: a second of grace, then KILL.
const ENDS_WITHIN: Duration = Duration::from_secs(4);
/// It reads its spec at once, or there is something wrong with it.
const READS_WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub struct Supervisor {
    pub control: Arc<UnixStream>,
    frames: Frames,
    child: WaitedChild,
    agent: Option<u32>,
}

impl Supervisor {
    /// `program` is this same binary. Its own output is that of what it starts.
    pub fn start(program: &Path, spec: &Spec, output: Stdio, errors: Stdio) -> io::Result<Supervisor> {
        let (control, theirs) = UnixStream::pair()?;
        // Its ends are closed here with the command.
        let child = WaitedChild::start(
            Command::new(program)
                .arg("spawn")
                .env_clear()
                .stdin(Stdio::from(OwnedFd::from(theirs)))
                .stdout(output)
                .stderr(errors),
        )?;
        Supervisor::begin(control, child, spec)
    }

    /// One for whatever lives long in a terminal. It is forked from the template, and so takes little memory of its own;
    /// where that cannot be, it is started as any other.
    pub fn start_in(terminal: OwnedFd, program: &Path, spec: &Spec) -> io::Result<Supervisor> {
        match template::fork(program, terminal.as_fd()) {
            Some((control, child)) => Supervisor::begin(control, child, spec),
            None => Supervisor::start(program, spec, terminal.try_clone()?.into(), terminal.into()),
        }
    }

    fn begin(control: UnixStream, child: WaitedChild, spec: &Spec) -> io::Result<Supervisor> {
        let mut supervisor = Supervisor {
            control: Arc::new(control),
            frames: Frames::default(),
            child,
            agent: None,
        };
        match supervisor.send(spec) {
            Ok(()) => Ok(supervisor),
            Err(error) => {
                supervisor.end();
                Err(error)
            }
        }
    }

    fn send(&mut self, spec: &Spec) -> io::Result<()> {
        self.control.set_write_timeout(Some(READS_WITHIN))?;
        (&*self.control).write_all(&frame(spec)?)?;
        self.control.set_nonblocking(true)
    }

    /// What it reported since the last call; the flag says that it is gone.
    pub fn hear(&mut self) -> (Vec<SpawnReport>, bool) {
        let mut piece = [0; 4096];
        let gone = loop {
            match (&*self.control).read(&mut piece) {
                Ok(0) => break true,
                Ok(length) => self.frames.push(&piece[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break error.kind() != io::ErrorKind::WouldBlock,
            }
        };
        let mut reports = Vec::new();
        while let Ok(Some(report)) = self.frames.take() {
            if let SpawnReport::Started { pid } = report {
                self.agent = Some(pid);
            }
            reports.push(report);
        }
        (reports, gone)
    }

    pub fn stop(&mut self, grace: Duration) {
        let order = SpawnOrder::Stop {
            grace_ms: u64::try_from(grace.as_millis()).unwrap_or(u64::MAX),
        };
        // One that cannot be told is gone, or stopped: `kill` is next.
        let _ = frame(&order).and_then(|bytes| (&*self.control).write_all(&bytes));
    }

    /// Tells the program and its group to go on, where they were stopped.
    pub fn go_on(&self) {
        if let Some(agent) = self.agent {
            signal_group(agent, Signal::CONT);
        }
    }

    /// For a supervisor that does not answer: a hostile agent can stop it, but not keep us from killing it.
    pub fn kill(&mut self) {
        self.child.kill();
        if let Some(agent) = self.agent {
            kill_group(agent);
        }
    }

    /// Whether everything below it has ended by then, once it was told to stop.
    pub fn ends_before(&mut self, deadline: Instant) -> bool {
        self.child.ends_before(deadline)
    }

    /// Closes the control descriptor and waits until everything below it has ended.
    pub fn end(mut self) {
        let _ = self.control.shutdown(std::net::Shutdown::Both);
        if !self.ends_before(Instant::now() + ENDS_WITHIN) {
            self.kill();
            // One that is stuck in the kernel, or traced by somebody, is left to end when it can.
            self.ends_before(Instant::now() + ENDS_WITHIN);
        }
        template::look();
        orphans::reap();
    }
}
