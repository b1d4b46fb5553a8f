//! The agent's own start: a session and a terminal of its own, default signals, and nothing that it did not ask for.
//!
//! Signals need no work here: the supervisor's handlers become the defaults on exec, and the standard library empties
//! the mask.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Resource, Rlimit};

use super::confine;
use super::order::{SpawnLimits, Spec, Streams};
use crate::sys::umask;

/// Starts what the spec says; the error is for a person.
pub(super) fn start(spec: &Spec) -> Result<Pid, String> {
    begin(spec).map_err(|error| reason(spec, &error))
}

fn begin(spec: &Spec) -> io::Result<Pid> {
    // A process that is held in opens no path by which others hand out their descriptors.
    let here = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let cwd = rustix::fs::open(&spec.cwd, here, Mode::empty())?;
    if let Some(writable) = &spec.writable {
        confine::enter(writable)?;
    }
    let output: OwnedFd = io::stdout().as_fd().try_clone_to_owned()?;
    let errors: OwnedFd = io::stderr().as_fd().try_clone_to_owned()?;
    let mut command = Command::new(&spec.program);
    command
        .args(&spec.args)
        .env_clear()
        .envs(spec.env.iter().map(|(name, value)| (name, value)));
    match spec.streams {
        Streams::Terminal | Streams::Conversation => command.stdin(output.try_clone()?),
        Streams::Output | Streams::Files => command.stdin(Stdio::null()),
    };
    command.stdout(output).stderr(errors);
    let (limits, streams) = (spec.limits, spec.streams);
    let supervisor = rustix::process::getpid();
    // SAFETY: between fork and exec only system calls are made, by functions that neither allocate nor lock.
    unsafe { command.pre_exec(move || become_agent(limits, streams, supervisor, &cwd)) };
    let child = command.spawn()?;
    Pid::from_raw(child.id().cast_signed()).ok_or_else(|| io::Error::other("the agent has no process id"))
}

fn become_agent(limits: SpawnLimits, streams: Streams, supervisor: Pid, cwd: &OwnedFd) -> io::Result<()> {
    rustix::process::fchdir(cwd)?;
    rustix::process::setsid()?;
    match streams {
        Streams::Terminal => rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?,
        Streams::Output | Streams::Conversation => umask::private(),
        Streams::Files => umask::of_persons_files(),
    }
    rustix::process::setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum: Some(0),
        },
    )?;
    if let Some(nofile) = limits.nofile {
        let maximum = rustix::process::getrlimit(Resource::Nofile).maximum;
        let current = Some(maximum.map_or(nofile, |maximum| nofile.min(maximum)));
        rustix::process::setrlimit(Resource::Nofile, Rlimit { current, maximum })?;
    }
    #[cfg(target_os = "linux")]
    {
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        // It may have died before it was asked for.
        if rustix::process::getppid() != Some(supervisor) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = supervisor;
    Ok(())
}

fn reason(spec: &Spec, error: &io::Error) -> String {
    let (program, cwd) = (spec.program.to_string_lossy(), spec.cwd.to_string_lossy());
    if !Path::new(&spec.cwd).is_dir() {
        format!("its directory {cwd} is not there")
    } else if !Path::new(&spec.program).exists() {
        format!("{program} is not there; check that it is installed")
    } else {
        format!("{program} could not be started: {error}")
    }
}
