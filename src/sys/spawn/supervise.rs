//! The supervisor itself: one process, one thread, one agent.
//!
//! It must stay single-threaded: the agent's parent-death signal is tied to the thread that started it. It costs
//! nothing while it waits.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitOptions};
use signal_hook::consts::signal;

use super::order::{Frames, SpawnOrder, SpawnReport, Spec, Streams, frame};
use super::start::start;
use super::{template, tree};

/// What does not end on TERM by then is told that its terminal is gone: a shell at its prompt listens to nothing else.
const HANG_UP: Duration = Duration::from_millis(700);

/// What an agent leaves behind when it exits by itself gets this long.
const LEFT_OVER: Duration = Duration::from_secs(1);
/// Nobody waits for an orderly end when the engine is gone: a new engine may start the same agent in seconds.
const ENGINE_GONE: Duration = Duration::from_millis(1000);
/// What a program that is told of the end of its terminal gets before TERM: an editor saves what was typed into it, and a
/// second signal while it does has it throw that away.
const HUNG_UP: Duration = Duration::from_millis(1000);
/// After KILL only a process stuck in the kernel, or one of another user, is still there.
const AFTER_KILL: Duration = Duration::from_secs(2);
/// How often to look whether all have ended: their parents are told, and these are not all ours.
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// Runs `parlour spawn`: the control descriptor is stdin, the agent's terminal is stdout.
pub fn supervise() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("parlour: supervising an agent: {error}");
            ExitCode::FAILURE
        }
    }
}

struct Supervision {
    control: UnixStream,
    frames: Frames,
    /// One byte arrives for each child that ended.
    child_ended: UnixStream,
    agent: Pid,
    /// It has one, whose end the kernel tells it.
    has_terminal: bool,
    /// How the agent ended, once it has.
    ended: Option<SpawnReport>,
    /// Orders that arrived and were not acted on yet.
    stop: Option<Duration>,
    engine_gone: bool,
}

/// Whether anything lives on below us.
#[derive(PartialEq, Eq)]
enum Left {
    None,
    MayBe,
}

fn run() -> io::Result<()> {
    close_inherited()?;
    rustix::process::chdir("/")?;
    if template::is_wanted() && !template::serve()? {
        return Ok(());
    }
    // A session of its own: a Ctrl+C at the engine's terminal is not for us. Already leading one is as good.
    let _ = rustix::process::setsid();
    tree::adopt_orphans()?;
    let child_ended = listen_to_signals()?;
    let mut control = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut frames = Frames::default();
    let Some(spec) = read_spec(&mut control, &mut frames)? else {
        return Ok(());
    };
    let agent = match start(&spec) {
        Ok(agent) => agent,
        Err(why) => return control.write_all(&frame(&SpawnReport::Failed { why })?),
    };
    control.write_all(&frame(&SpawnReport::Started {
        pid: agent.as_raw_nonzero().get().unsigned_abs(),
    })?)?;
    control.set_nonblocking(true)?;
    let mut supervisor = Supervision {
        control,
        frames,
        child_ended,
        agent,
        has_terminal: spec.streams == Streams::Terminal,
        ended: None,
        stop: None,
        engine_gone: false,
    };
    supervisor.watch()
}

/// The engine opens everything so that it closes on exec; a library that forgets to must not hand an agent the
/// terminal of another.
fn close_inherited() -> io::Result<()> {
    let open: Vec<i32> = std::fs::read_dir("/dev/fd")?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|descriptor| *descriptor > 2)
        .collect();
    for descriptor in open {
        // SAFETY: this process has only just begun and opened nothing that it still holds: no owner is left behind.
        // The one through which they were listed is closed already.
        unsafe {
            if rustix::io::fcntl_getfd(BorrowedFd::borrow_raw(descriptor)).is_ok() {
                rustix::io::close(descriptor);
            }
        }
    }
    Ok(())
}

/// The supervisor outlives every signal but KILL. These are caught and not ignored, because what is ignored stays
/// ignored in the agent: a handler becomes the default again on exec.
fn listen_to_signals() -> io::Result<UnixStream> {
    let caught = [
        signal::SIGHUP,
        signal::SIGINT,
        signal::SIGQUIT,
        signal::SIGTERM,
        signal::SIGPIPE,
        signal::SIGALRM,
        signal::SIGUSR1,
        signal::SIGUSR2,
        signal::SIGTSTP,
        signal::SIGTTIN,
        signal::SIGTTOU,
        signal::SIGCONT,
        signal::SIGWINCH,
        signal::SIGXCPU,
        signal::SIGXFSZ,
    ];
    for caught in caught {
        signal_hook::flag::register(caught, Arc::new(AtomicBool::new(false)))?;
    }
    let (ours, theirs) = UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    signal_hook::low_level::pipe::register(signal::SIGCHLD, theirs)?;
    Ok(ours)
}

fn read_spec(control: &mut UnixStream, frames: &mut Frames) -> io::Result<Option<Spec>> {
    let mut piece = [0; 4096];
    loop {
        if let Some(spec) = frames.take()? {
            return Ok(Some(spec));
        }
        match control.read(&mut piece) {
            Ok(0) => return Ok(None),
            Ok(length) => frames.push(&piece[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl Supervision {
    /// Waits for the agent's end, for an order, or for the engine's end; then ends what is left.
    fn watch(&mut self) -> io::Result<()> {
        while self.ended.is_none() && self.stop.is_none() && !self.engine_gone {
            self.wait(None)?;
        }
        let grace = match self.stop {
            Some(grace) => grace,
            None if self.engine_gone => ENGINE_GONE,
            None => LEFT_OVER,
        };
        self.end_all(grace)?;
        // Only if the kernel keeps it from dying is the agent's end not known by now.
        let report = self.ended.take().unwrap_or(SpawnReport::Exited {
            code: None,
            signal: None,
        });
        if !self.engine_gone {
            self.control.set_nonblocking(false)?;
            self.control.write_all(&frame(&report)?)?;
        }
        Ok(())
    }

    fn end_all(&mut self, grace: Duration) -> io::Result<()> {
        if self.reap() == Left::None || self.engine_gone && self.has_terminal && self.end_by_hang_up() {
            return Ok(());
        }
        let mut deadline = Instant::now() + grace;
        let mut hang_up = Some(Instant::now() + HANG_UP);
        tree::signal_all(self.agent, Some(Signal::TERM));
        // A stopped process learns of TERM only when it goes on.
        tree::signal_all(self.agent, Some(Signal::CONT));
        while Instant::now() < deadline {
            self.reap();
            if tree::signal_all(self.agent, None) == 0 {
                // The last may have died since.
                self.reap();
                return Ok(());
            }
            if hang_up.take_if(|due| *due <= Instant::now()).is_some() {
                tree::signal_all(self.agent, Some(Signal::HUP));
            }
            self.wait(Some(LOOK_AGAIN))?;
            if self.engine_gone {
                deadline = deadline.min(Instant::now() + ENGINE_GONE);
                // Asked once; a closed descriptor would end every wait at once.
                std::thread::sleep(LOOK_AGAIN);
            }
            if let Some(grace) = self.stop.take() {
                deadline = deadline.min(Instant::now() + grace);
            }
        }
        let deadline = Instant::now() + AFTER_KILL;
        while Instant::now() < deadline && tree::signal_all(self.agent, Some(Signal::KILL)) > 0 {
            self.reap();
            std::thread::sleep(LOOK_AGAIN / 5);
        }
        self.reap();
        Ok(())
    }

    /// The engine's end was that of the terminal, which the kernel tells its programs: most end of that.
    fn end_by_hang_up(&mut self) -> bool {
        let deadline = Instant::now() + HUNG_UP;
        while Instant::now() < deadline {
            if self.reap() == Left::None || tree::signal_all(self.agent, None) == 0 {
                // The last may have died since.
                self.reap();
                return true;
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        false
    }

    fn wait(&mut self, at_most: Option<Duration>) -> io::Result<()> {
        let timeout = at_most.and_then(|time| Timespec::try_from(time).ok());
        let control = PollFd::new(
            &self.control,
            if self.engine_gone {
                PollFlags::empty()
            } else {
                PollFlags::IN
            },
        );
        let child = PollFd::new(&self.child_ended, PollFlags::IN);
        match poll(&mut [control, child], timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        self.read_orders();
        let mut piece = [0; 64];
        while (&self.child_ended).read(&mut piece).is_ok_and(|length| length > 0) {}
        self.reap();
        Ok(())
    }

    /// Any failure to read means that the engine can no longer be heard, which is as good as its end.
    fn read_orders(&mut self) {
        let mut piece = [0; 1024];
        loop {
            match self.control.read(&mut piece) {
                Ok(0) => break self.engine_gone = true,
                Ok(length) => self.frames.push(&piece[..length]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break self.engine_gone = true,
            }
        }
        loop {
            match self.frames.take() {
                Ok(Some(SpawnOrder::Stop { grace_ms })) => self.stop = Some(Duration::from_millis(grace_ms)),
                Ok(None) => break,
                Err(_) => break self.engine_gone = true,
            }
        }
    }

    /// Notices the dead, the agent's orphans among them. Where those are adopted, whatever lives on is below a child of
    /// ours, so without a child nothing is left.
    fn reap(&mut self) -> Left {
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.agent => {
                    self.ended = Some(SpawnReport::Exited {
                        code: status.exit_status(),
                        signal: status.terminating_signal(),
                    });
                }
                Ok(Some(_)) => {}
                Err(rustix::io::Errno::CHILD) if cfg!(target_os = "linux") => return Left::None,
                Ok(None) | Err(_) => return Left::MayBe,
            }
        }
    }
}
