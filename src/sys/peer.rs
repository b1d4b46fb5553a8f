//! Who is at the other end of a Unix socket, by the kernel's word.

use std::io;

use tokio::net::UnixStream;

use super::lineage::{self, Lineage};

/// The user and, where the system tells it, the process at the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerCredentials {
    pub uid: u32,
    pub pid: Option<u32>,
}

impl PeerCredentials {
    /// Whether the peer runs as the same user as this process.
    pub fn are_ours(self) -> bool {
        self.uid == rustix::process::geteuid().as_raw()
    }
}

/// The credentials that were recorded when the connection was made.
pub fn credentials(stream: &UnixStream) -> io::Result<PeerCredentials> {
    let cred = stream.peer_cred()?;
    Ok(PeerCredentials {
        uid: cred.uid(),
        pid: cred.pid().and_then(|pid| u32::try_from(pid).ok()),
    })
}

/// The process that made the connection and those above it, as they are now. A process that has ended since has no
/// lineage, also where another has its number.
pub fn lineage(stream: &UnixStream, credentials: PeerCredentials) -> Lineage {
    let Some(pid) = credentials.pid.filter(|pid| *pid != 0) else {
        return nobody();
    };
    match kernel::hold(stream, pid) {
        Ok(held) => lineage::of(pid, || held.is_alive()),
        Err(_) => Lineage::Unknown,
    }
}

/// Where the kernel names no process though it could, that is in no view of ours.
fn nobody() -> Lineage {
    match cfg!(target_os = "linux") {
        true => Lineage::Unknown,
        false => Lineage::Untold,
    }
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::io;
    use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;
    use rustix::process::{Pid, PidfdFlags, pidfd_open};

    /// A process by a handle that no other ever gets; `None` where the kernel has no such handles.
    pub(super) struct HeldProcess(Option<OwnedFd>);

    impl HeldProcess {
        pub(super) fn is_alive(&self) -> bool {
            let Some(handle) = &self.0 else {
                return true;
            };
            // It can be read from once the process has ended.
            let mut asked = [PollFd::new(handle, PollFlags::IN)];
            let now = Timespec { tv_sec: 0, tv_nsec: 0 };
            matches!(poll(&mut asked, Some(&now)), Ok(0))
        }
    }

    /// Fails where it has ended.
    pub(super) fn hold(stream: &impl AsFd, pid: u32) -> io::Result<HeldProcess> {
        match peer_handle(stream) {
            Ok(handle) => Ok(HeldProcess(Some(handle))),
            Err(error) if error.raw_os_error() == Some(libc::ENOPROTOOPT) => open(pid),
            Err(error) => Err(error),
        }
    }

    /// That of the very process which connected; since Linux 6.5.
    fn peer_handle(stream: &impl AsFd) -> io::Result<OwnedFd> {
        let mut handle: libc::c_int = -1;
        let mut length = size_of::<libc::c_int>() as libc::socklen_t;
        let (socket, place) = (stream.as_fd().as_raw_fd(), (&raw mut handle).cast());
        // SAFETY: the socket is open, and the kernel writes at most `length` bytes, which is what `handle` has.
        match unsafe { libc::getsockopt(socket, libc::SOL_SOCKET, libc::SO_PEERPIDFD, place, &raw mut length) } {
            // SAFETY: the kernel has just opened it for us, and nobody else knows it.
            0 => Ok(unsafe { OwnedFd::from_raw_fd(handle) }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// That of whoever has the number now.
    fn open(pid: u32) -> io::Result<HeldProcess> {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(Errno::SRCH)?;
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(handle) => Ok(HeldProcess(Some(handle))),
            Err(Errno::NOSYS | Errno::PERM) => Ok(HeldProcess(None)),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    use std::io;

    pub(super) struct HeldProcess;

    impl HeldProcess {
        pub(super) fn is_alive(&self) -> bool {
            true
        }
    }

    pub(super) fn hold<S>(_stream: &S, _pid: u32) -> io::Result<HeldProcess> {
        Ok(HeldProcess)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_peer_in_this_process_is_us() {
        let (one, _other) = UnixStream::pair().unwrap();
        let peer = credentials(&one).unwrap();
        assert!(peer.are_ours());
        assert_eq!(peer.pid, Some(std::process::id()));
        if cfg!(target_os = "linux") {
            let Lineage::Known(line) = lineage(&one, peer) else {
                panic!("we are there");
            };
            assert_eq!(line[..2], [std::process::id(), lineage::parent()]);
            let nobody = PeerCredentials { pid: None, ..peer };
            assert_eq!(lineage(&one, nobody), Lineage::Unknown);
        }
    }
}
