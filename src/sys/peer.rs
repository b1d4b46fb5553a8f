//! Who is at the other end of a Unix socket, by the kernel's word.

use std::io;

use tokio::net::UnixStream;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_peer_in_this_process_is_us() {
        let (one, _other) = UnixStream::pair().unwrap();
        let peer = credentials(&one).unwrap();
        assert!(peer.are_ours());
        assert_eq!(peer.pid, Some(std::process::id()));
    }
}
