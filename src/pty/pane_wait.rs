//! What a pane's thread waits for.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Beside orders.
pub(super) struct PaneWait {
    /// There is something left to do.
    pub(super) at_once: bool,
    pub(super) until: Option<Instant>,
    pub(super) supervisor: Option<Arc<UnixStream>>,
    pub(super) terminal: Option<(Arc<OwnedFd>, PollFlags)>,
}

impl PaneWait {
    pub(super) fn wait(&self, bell: &UnixStream) -> io::Result<()> {
        let left = match self.at_once {
            true => Some(Duration::ZERO),
            false => self.until.map(|until| until.saturating_duration_since(Instant::now())),
        };
        let timeout = left.map(|left| Timespec {
            tv_sec: left.as_secs() as i64,
            tv_nsec: i64::from(left.subsec_nanos()),
        });
        let mut waiting = vec![PollFd::new(bell, PollFlags::IN)];
        waiting.extend(
            self.supervisor
                .as_deref()
                .map(|supervisor| PollFd::new(supervisor, PollFlags::IN)),
        );
        let terminal = self.terminal.as_ref();
        waiting.extend(terminal.map(|(terminal, wanted)| PollFd::new(&**terminal, *wanted)));
        match poll(&mut waiting, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
