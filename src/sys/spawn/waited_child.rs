//! A child of this process that is ended and waited for by its number: until then nobody else gets that.

use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions};

use super::orphans;

/// Waiting for a child with a deadline has no call of its own: it is looked at this often.
const LOOK: Duration = Duration::from_millis(5);

#[derive(Debug)]
pub(super) struct WaitedChild {
    pid: Pid,
    /// It was waited for: its number may be another's.
    ended: bool,
}

impl WaitedChild {
    pub(super) fn start(command: &mut Command) -> io::Result<WaitedChild> {
        let pid = Pid::from_child(&orphans::start(command)?);
        Ok(WaitedChild { pid, ended: false })
    }

    /// One that another process has made a child of ours; `None` where it is none.
    #[cfg(target_os = "linux")]
    pub(super) fn claim(pid: Pid) -> Option<WaitedChild> {
        orphans::claim(pid).then_some(WaitedChild { pid, ended: false })
    }

    pub(super) fn kill(&mut self) {
        if !self.notices_end() {
            // It may end at this moment, which is what was wanted.
            let _ = rustix::process::kill_process(self.pid, Signal::KILL);
        }
    }

    pub(super) fn notices_end(&mut self) -> bool {
        self.ended = self.ended || !matches!(rustix::process::waitpid(Some(self.pid), WaitOptions::NOHANG), Ok(None));
        self.ended
    }

    pub(super) fn ends_before(&mut self, deadline: Instant) -> bool {
        while Instant::now() < deadline {
            if self.notices_end() {
                return true;
            }
            std::thread::sleep(LOOK);
        }
        false
    }
}
