//! Reads a pane on the loop's own thread as long as somebody types in it: an echo then wakes one thread less.
//!
//! The pane's thread waits for everything else meanwhile, and takes over again from whatever is more than an echo.

use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::sleep_until;

use super::requests::Shared;
use super::running::{RunningPane, RunningPlace};

/// How long after a key its pane counts as typed into.
const TYPING: Duration = Duration::from_secs(1);

/// Whoever drops it leaves the reading to the pane's thread.
pub struct EchoReader {
    place: Arc<RunningPlace>,
    shared: Arc<Shared>,
    terminal: Arc<OwnedFd>,
}

impl EchoReader {
    /// From here on the thread does not wait for this terminal.
    pub(super) fn begin(place: Arc<RunningPlace>, shared: Arc<Shared>, terminal: Arc<OwnedFd>) -> EchoReader {
        shared.read_elsewhere.store(true, Ordering::SeqCst);
        shared.ring();
        EchoReader {
            place,
            shared,
            terminal,
        }
    }

    /// Reads until nobody types any more, the program says more than an echo, or the pane ends.
    pub async fn read(self) {
        // SAFETY: an `Arc<OwnedFd>` is the same descriptor as long as it lives.
        let readable = unsafe { AsyncFd::register_with_interest(self.terminal.clone(), Interest::READABLE) };
        // Without it the thread reads.
        let Ok(readable) = readable else { return };
        loop {
            let until = self.shared.typed() + TYPING;
            tokio::select! {
                ready = readable.readable() => {
                    let Ok(mut ready) = ready else { return };
                    ready.clear_ready();
                    // Where the thread is at it, some of this may be left to it.
                    let Some(mut running) = self.place.try_lock() else { return };
                    if !running.as_mut().is_some_and(RunningPane::echo) {
                        return;
                    }
                }
                () = self.shared.reading_ends.notified() => return,
                () = sleep_until(until.into()) => {
                    if self.shared.typed() + TYPING <= until {
                        return;
                    }
                }
            }
        }
    }
}

impl Drop for EchoReader {
    fn drop(&mut self) {
        self.shared.read_elsewhere.store(false, Ordering::SeqCst);
        self.shared.ring();
    }
}
