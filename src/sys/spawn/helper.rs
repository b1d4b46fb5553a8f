//! Programs that the engine runs for itself, such as git: each below a supervisor, so that it and all that it started
//! end with the engine, whatever ends that.
//!
//! Where no program is known that supervises, as in a shell verb, the program leads a process group of its own and is
//! ended with it. The kernel then ends the program with the thread that started it, but not what it started.

use std::io;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::kill_group;
use super::order::{SpawnLimits, SpawnReport, Spec, Streams};
use super::supervisor::Supervisor;

/// Set once by the engine.
static SUPERVISES: OnceLock<PathBuf> = OnceLock::new();

/// After KILL only a process stuck in the kernel is still there.
const AFTER_KILL: Duration = Duration::from_millis(2500);
/// How often to look whether it has ended.
const LOOK: Duration = Duration::from_millis(5);

/// From now on helpers are started by this program, which is parlour itself.
pub fn supervise_with(parlour: &Path) {
    // An engine that is opened twice in a process has the same program.
    let _ = SUPERVISES.set(parlour.to_path_buf());
}

/// How a program ended: with a code, or by a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    code: Option<i32>,
}

impl Exit {
    pub fn is_success(self) -> bool {
        self.code == Some(0)
    }
}

/// One that runs. Dropped, it is ended with all that it started.
#[derive(Debug)]
pub struct Helper {
    under: Option<Under>,
}

#[derive(Debug)]
enum Under {
    Supervisor(Supervisor),
    Nobody(Child),
}

impl Helper {
    /// Runs it with nothing to read. Of the command its program, arguments, environment and directory count; that
    /// environment is all that it gets.
    pub fn start(command: Command, output: Stdio, errors: Stdio) -> io::Result<Helper> {
        Helper::with(Streams::Output, command, output, errors)
    }

    /// As [`Helper::start`], for one that makes a person's files.
    pub fn start_over_files(command: Command, output: Stdio, errors: Stdio) -> io::Result<Helper> {
        Helper::with(Streams::Files, command, output, errors)
    }

    fn with(streams: Streams, mut command: Command, output: Stdio, errors: Stdio) -> io::Result<Helper> {
        let under = match SUPERVISES.get() {
            Some(parlour) => {
                let spec = spec(&command, streams);
                Under::Supervisor(Supervisor::start(parlour, &spec, output, errors)?)
            }
            None => {
                command.stdin(Stdio::null()).stdout(output).stderr(errors);
                Under::Nobody(alone(command)?)
            }
        };
        Ok(Helper { under: Some(under) })
    }

    /// How it ended, once it has.
    pub fn try_wait(&mut self) -> io::Result<Option<Exit>> {
        match &mut self.under {
            None => Ok(None),
            Some(Under::Nobody(child)) => {
                let ended = child.try_wait()?;
                Ok(ended.map(|status| Exit { code: status.code() }))
            }
            Some(Under::Supervisor(supervisor)) => {
                let (reports, gone) = supervisor.hear();
                for report in reports {
                    match report {
                        SpawnReport::Started { .. } => {}
                        SpawnReport::Failed { why } => return Err(io::Error::other(why)),
                        SpawnReport::Exited { code, .. } => return Ok(Some(Exit { code })),
                    }
                }
                match gone {
                    true => Err(io::Error::other("its supervisor was ended")),
                    false => Ok(None),
                }
            }
        }
    }

    /// How it ended, where that is before the deadline.
    pub fn wait_until(&mut self, deadline: Instant) -> io::Result<Option<Exit>> {
        loop {
            match self.try_wait()? {
                Some(exit) => return Ok(Some(exit)),
                None if Instant::now() >= deadline => return Ok(None),
                None => std::thread::sleep(LOOK),
            }
        }
    }

    /// Ends it and all that it started: what does not end on TERM is killed after the grace.
    pub fn stop(mut self, grace: Duration) {
        self.end(grace);
    }

    fn end(&mut self, grace: Duration) {
        match self.under.take() {
            None => {}
            Some(Under::Supervisor(mut supervisor)) => {
                supervisor.stop(grace);
                if !supervisor.ends_before(Instant::now() + grace + AFTER_KILL) {
                    supervisor.kill();
                }
                supervisor.end();
            }
            Some(Under::Nobody(mut child)) => end_alone(&mut child, grace),
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Runs it so that the other end of the returned socket is its input and output. Its errors are not heard.
pub fn conversation(mut command: Command) -> io::Result<(Helper, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let output: std::os::fd::OwnedFd = theirs.into();
    let under = match SUPERVISES.get() {
        Some(parlour) => {
            let spec = spec(&command, Streams::Conversation);
            Under::Supervisor(Supervisor::start(parlour, &spec, output.into(), Stdio::null())?)
        }
        None => {
            command.stdin(output.try_clone()?).stdout(output).stderr(Stdio::null());
            Under::Nobody(alone(command)?)
        }
    };
    Ok((Helper { under: Some(under) }, ours))
}

fn spec(command: &Command, streams: Streams) -> Spec {
    let env = command.get_envs();
    Spec {
        program: command.get_program().into(),
        args: command.get_args().map(Into::into).collect(),
        env: env
            .filter_map(|(name, value)| Some((name.into(), value?.into())))
            .collect(),
        cwd: command
            .get_current_dir()
            .map_or_else(|| "/".into(), |dir| dir.as_os_str().into()),
        streams,
        limits: SpawnLimits::default(),
        writable: None,
    }
}

fn alone(mut command: Command) -> io::Result<Child> {
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        let us = rustix::process::getpid();
        // SAFETY: between fork and exec only system calls are made, by functions that neither allocate nor lock.
        unsafe {
            command.pre_exec(move || {
                rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
                // We may have died before it was asked for.
                match rustix::process::getppid() == Some(us) {
                    true => Ok(()),
                    false => Err(io::ErrorKind::BrokenPipe.into()),
                }
            });
        }
    }
    command.spawn()
}

fn end_alone(child: &mut Child, grace: Duration) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group.filter(|_| !grace.is_zero()) {
        // It may be gone already, which is what was wanted.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
        let deadline = Instant::now() + grace;
        while Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
            std::thread::sleep(LOOK);
        }
    }
    // Also when it has ended itself: what it started shares the group.
    kill_group(child.id());
    let _ = child.wait();
}
