//! A supervisor that supervises nothing: others are forked from it, and share what the loader wrote into its memory.
//!
//! A program of our size has two megabytes of addresses that are set anew in each process that runs it, and with the
//! first write a page is that process's own. So the engine starts one template with the first agent, and asks it for a
//! supervisor for each. A supervisor becomes the engine's child and not the template's: it goes on without the template,
//! the engine waits for it, and descent is as if the engine had started it.
//!
//! The template is told what it is by the kind of its control socket, since its words, environment and descriptors are a
//! supervisor's too. It has one thread, touches no signal and opens nothing, so whatever is forked from it is as new as
//! it was itself. It ends with the engine. Where it fails or stays silent, supervisors are started without it.

#[cfg(target_os = "linux")]
pub(super) use kernel::{fork, is_wanted, look, serve};

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::{fork, is_wanted, look, serve};

#[cfg(target_os = "linux")]
mod kernel {
    use std::io::{self, IoSlice, IoSliceMut};
    use std::mem::MaybeUninit;
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use parking_lot::Mutex;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    use rustix::net::{
        AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
        SendFlags, SocketFlags, SocketType, recv, recvmsg, send, sendmsg, socketpair, sockopt,
    };
    use rustix::process::Pid;
    use rustix::stdio;

    use super::super::waited_child::WaitedChild;

    /// It forks at once, or somebody has stopped it.
    const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
    /// After KILL only one that is stuck in the kernel, or traced, is still there.
    const AFTER_KILL: Duration = Duration::from_secs(1);

    /// With each message, which is one byte, go a supervisor's end of its control socket and its terminal.
    const PARTS: usize = 2;
    /// An answer is the new process's number in four bytes, and 0 where there is none.
    const ANSWER: usize = size_of::<i32>();

    /// That of this process, once an agent was started.
    static TEMPLATE: Mutex<Option<Template>> = Mutex::new(None);

    struct Template {
        program: PathBuf,
        socket: OwnedFd,
        process: WaitedChild,
    }

    enum NoFork {
        /// It is there, and cannot.
        Unable,
        /// It does not answer.
        Silent,
        Gone,
    }

    /// A supervisor in this terminal, and our end of its control socket; `None` where it has to be started without us.
    pub(in super::super) fn fork(program: &Path, terminal: BorrowedFd<'_>) -> Option<(UnixStream, WaitedChild)> {
        let mut place = TEMPLATE.try_lock_for(ANSWERS_WITHIN)?;
        if place.as_ref().is_some_and(|template| template.program != program) {
            return None;
        }
        loop {
            let is_new = place.is_none();
            let template = match &mut *place {
                Some(template) => template,
                None => place.insert(Template::start(program).ok()?),
            };
            let is_gone = match template.fork(terminal) {
                Ok(made) => return Some(made),
                Err(NoFork::Unable) => return None,
                Err(NoFork::Silent) => false,
                Err(NoFork::Gone) => true,
            };
            if let Some(template) = place.take() {
                template.end();
            }
            // Only in place of one that ended some time ago another is tried at once.
            if is_new || !is_gone {
                return None;
            }
        }
    }

    /// Notices that the template has ended, if it has. Whoever holds it at the moment notices that too.
    pub(in super::super) fn look() {
        if let Some(mut place) = TEMPLATE.try_lock() {
            place.take_if(|template| template.process.notices_end());
        }
    }

    impl Template {
        fn start(program: &Path) -> io::Result<Template> {
            let unix = AddressFamily::UNIX;
            let (socket, theirs) = socketpair(unix, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
            // In our session, but a group of its own: if it is stopped when we end, the kernel hangs it up.
            let process = WaitedChild::start(
                Command::new(program)
                    .arg("spawn")
                    .env_clear()
                    .process_group(0)
                    .stdin(Stdio::from(theirs))
                    .stdout(Stdio::null())
                    .stderr(Stdio::null()),
            )?;
            let program = program.to_path_buf();
            Ok(Template {
                program,
                socket,
                process,
            })
        }

        /// With its socket is closed what it was sent and has not read.
        fn end(mut self) {
            self.process.kill();
            self.process.ends_before(Instant::now() + AFTER_KILL);
        }

        fn fork(&self, terminal: BorrowedFd<'_>) -> Result<(UnixStream, WaitedChild), NoFork> {
            // Of its own for each try: if a supervisor is made of which we are not told, it ends with our end of this.
            let (control, theirs) = UnixStream::pair().map_err(|_| NoFork::Unable)?;
            self.ask(theirs.as_fd(), terminal)?;
            drop(theirs);
            let pid = self.hear(Instant::now() + ANSWERS_WITHIN)?;
            let child = WaitedChild::claim(pid).ok_or(NoFork::Unable)?;
            Ok((control, child))
        }

        fn ask(&self, control: BorrowedFd<'_>, terminal: BorrowedFd<'_>) -> Result<(), NoFork> {
            let parts: [_; PARTS] = [control, terminal];
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(PARTS))];
            let mut rights = SendAncillaryBuffer::new(&mut space);
            if !rights.push(SendAncillaryMessage::ScmRights(&parts)) {
                return Err(NoFork::Unable);
            }
            let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
            match sendmsg(&self.socket, &[IoSlice::new(&[0])], &mut rights, flags) {
                Ok(_) => Ok(()),
                Err(Errno::PIPE | Errno::CONNRESET) => Err(NoFork::Gone),
                Err(_) => Err(NoFork::Unable),
            }
        }

        fn hear(&self, deadline: Instant) -> Result<Pid, NoFork> {
            loop {
                let left = deadline.saturating_duration_since(Instant::now());
                let left = Timespec::try_from(left).map_err(|_| NoFork::Silent)?;
                match poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&left)) {
                    Ok(0) => return Err(NoFork::Silent),
                    Ok(_) => {}
                    Err(Errno::INTR) => continue,
                    // What it answers later would be taken for its next answer.
                    Err(_) => return Err(NoFork::Silent),
                }
                let mut answer = [0; ANSWER];
                match recv(&self.socket, &mut answer, RecvFlags::DONTWAIT) {
                    Ok((_, ANSWER)) => return Pid::from_raw(i32::from_be_bytes(answer)).ok_or(NoFork::Unable),
                    Ok(_) => return Err(NoFork::Gone),
                    Err(Errno::INTR | Errno::AGAIN) => {}
                    Err(_) => return Err(NoFork::Gone),
                }
            }
        }
    }

    /// Whether this process was started as a template.
    pub(in super::super) fn is_wanted() -> bool {
        sockopt::socket_type(stdio::stdin()) == Ok(SocketType::SEQPACKET)
    }

    /// Forks until the engine is gone. Returns `true` in each new supervisor, which has its standard descriptors and no
    /// other, and `false` at the end.
    pub(in super::super) fn serve() -> io::Result<bool> {
        loop {
            let mut parts = match hear_request() {
                Ok(Some(parts)) => parts,
                Ok(None) => return Ok(false),
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error.into()),
            };
            let made = match (parts.pop(), parts.pop()) {
                (Some(terminal), Some(control)) => match clone() {
                    Ok(None) => {
                        stdio::dup2_stdin(control)?;
                        stdio::dup2_stdout(&terminal)?;
                        stdio::dup2_stderr(terminal)?;
                        return Ok(true);
                    }
                    Ok(made) => made,
                    Err(_) => None,
                },
                (Some(_), None) | (None, _) => None,
            };
            let pid = made.map_or(0, |pid: Pid| pid.as_raw_nonzero().get());
            // An engine that does not listen is gone: that is read next.
            let _ = send(
                stdio::stdin(),
                &pid.to_be_bytes(),
                SendFlags::DONTWAIT | SendFlags::NOSIGNAL,
            );
        }
    }

    /// The descriptors of one message; `None` once there will be no more.
    fn hear_request() -> rustix::io::Result<Option<Vec<OwnedFd>>> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(PARTS))];
        let mut rights = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        let flags = RecvFlags::CMSG_CLOEXEC;
        let heard = recvmsg(stdio::stdin(), &mut [IoSliceMut::new(&mut byte)], &mut rights, flags)?;
        let parts = rights.drain().filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(parts) => Some(parts),
            _ => None,
        });
        let parts = parts.flatten().collect();
        Ok((heard.bytes > 0).then_some(parts))
    }

    /// A copy of this process below the same parent: in it `None`.
    fn clone() -> io::Result<Option<Pid>> {
        // The signal of its end is that of ours then.
        let flags = libc::c_long::from(libc::CLONE_PARENT | libc::SIGCHLD);
        let none: libc::c_long = 0;
        // SAFETY: it takes no pointer but those that are null. The copy has memory of its own and this thread's stack. No
        // other thread is there that could hold a lock in it or be missed by it.
        match unsafe { libc::syscall(libc::SYS_clone, flags, none, none, none, none) } {
            -1 => Err(io::Error::last_os_error()),
            0 => Ok(None),
            pid => {
                let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
                pid.map(Some).ok_or_else(|| io::ErrorKind::InvalidData.into())
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::io;
    use std::os::fd::BorrowedFd;
    use std::os::unix::net::UnixStream;
    use std::path::Path;

    use super::super::waited_child::WaitedChild;

    pub(in super::super) fn fork(_program: &Path, _terminal: BorrowedFd<'_>) -> Option<(UnixStream, WaitedChild)> {
        None
    }

    pub(in super::super) fn look() {}

    pub(in super::super) fn is_wanted() -> bool {
        false
    }

    pub(in super::super) fn serve() -> io::Result<bool> {
        Ok(false)
    }
}
