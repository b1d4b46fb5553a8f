//! Reads the terminal: what is typed, what it answers, and its size.
//!
//! While somebody types, the engine reads in its place (`engine/borrowed_keyboard.rs`): a key then wakes one process less.
//! What the engine cannot use it gives back.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use crossterm::event::{Event, KeyCode, KeyModifiers};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use tokio::io::Interest;
use tokio::io::unix::{AsyncFd, AsyncFdReadyGuard};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Duration, Instant, sleep_until};

use crate::wire::{FromTerminal, LENT_FOR, TerminalInput};

/// What is taken from the terminal before anything else is looked at.
const AT_ONCE: usize = 64 << 10;

/// An engine that stands still gives nothing back. So long after its time the keyboard is taken.
const OVERDUE: Duration = Duration::from_millis(500);

pub(super) struct KeyEvents {
    terminal: Arc<OwnedFd>,
    /// `None` while the engine has the keyboard: a key must not wake this process.
    readable: Option<AsyncFd<Arc<OwnedFd>>>,
    /// Until when the engine has it at most.
    lent: Option<Instant>,
    resized: Signal,
    input: TerminalInput,
    /// When something was read last.
    read: Instant,
}

/// What came.
pub(super) enum Came {
    Typed(Vec<FromTerminal>),
    /// The engine had the keyboard and did not give it back in time.
    Overdue,
}

impl KeyEvents {
    /// Reads the terminal from here on.
    pub fn listen() -> io::Result<KeyEvents> {
        let terminal = Arc::new(rustix::io::fcntl_dupfd_cloexec(io::stdin(), 3)?);
        Ok(KeyEvents {
            readable: Some(readable(&terminal)?),
            terminal,
            lent: None,
            resized: signal(SignalKind::window_change())?,
            input: TerminalInput::default(),
            read: Instant::now(),
        })
    }

    /// The terminal was asked for its colours.
    pub fn expect_colours(&mut self) {
        self.input.expect_colours();
    }

    /// Nothing has begun that comes to its end later, so somebody else may read on.
    pub fn is_between(&self) -> bool {
        self.input.is_between()
    }

    /// The engine reads from here on, or goes on reading.
    pub fn lend(&mut self) {
        self.readable = None;
        self.lent = Some(Instant::now() + LENT_FOR + OVERDUE);
    }

    pub fn is_lent(&self) -> bool {
        self.lent.is_some()
    }

    /// The engine reads no more.
    pub fn take_back(&mut self) {
        self.lent = None;
        if self.readable.is_none() {
            // Where that fails there is no terminal any more, and `next` says so.
            self.readable = readable(&self.terminal).ok();
        }
    }

    /// What the engine has read and could not use.
    pub fn read_elsewhere(&mut self, bytes: &[u8]) -> Vec<FromTerminal> {
        self.read = Instant::now();
        self.input.read(bytes)
    }

    /// What comes next, maybe nothing; None when the terminal is gone.
    pub async fn next(&mut self) -> Option<Came> {
        if self.readable.is_none() && self.lent.is_none() {
            return None;
        }
        let patience = self.input.patience().map(|patience| self.read + patience);
        tokio::select! {
            biased;
            ready = until_readable(&self.readable) => {
                let mut ready = ready.ok()?;
                let (bytes, is_all) = read_now(&self.terminal)?;
                if is_all {
                    ready.clear_ready();
                }
                drop(ready);
                self.read = Instant::now();
                Some(Came::Typed(self.input.read(&bytes)))
            }
            size = self.resized.recv() => {
                size?;
                let (cols, rows) = known_size(crossterm::terminal::size().ok()?);
                Some(Came::Typed(vec![FromTerminal::Event(Event::Resize(cols, rows))]))
            }
            () = at(patience) => Some(Came::Typed(self.input.give_up())),
            () = at(self.lent) => {
                self.take_back();
                Some(Came::Overdue)
            }
        }
    }
}

fn readable(terminal: &Arc<OwnedFd>) -> io::Result<AsyncFd<Arc<OwnedFd>>> {
    // SAFETY: an `Arc<OwnedFd>` is the same descriptor as long as it lives.
    unsafe { AsyncFd::register_with_interest(terminal.clone(), Interest::READABLE) }.map_err(io::Error::from)
}

async fn until_readable(readable: &Option<AsyncFd<Arc<OwnedFd>>>) -> io::Result<AsyncFdReadyGuard<'_, Arc<OwnedFd>>> {
    match readable {
        Some(readable) => readable.readable().await,
        None => std::future::pending().await,
    }
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// What can be read without waiting, and whether that is all there is; None where the terminal is gone.
fn read_now(terminal: &OwnedFd) -> Option<(Vec<u8>, bool)> {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    while bytes.len() < AT_ONCE {
        // It may be a terminal that could not be opened again, whose reading would wait.
        let mut looked = [PollFd::new(terminal, PollFlags::IN)];
        // A signal ends it, as a change of size does, and says nothing about the terminal.
        rustix::io::retry_on_intr(|| poll(&mut looked, Some(&Timespec::default()))).ok()?;
        if !looked[0]
            .revents()
            .intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR)
        {
            return Some((bytes, true));
        }
        match rustix::io::read(terminal, &mut piece) {
            Ok(0) => return None,
            Ok(count) => {
                bytes.extend_from_slice(&piece[..count]);
                if count < piece.len() {
                    return Some((bytes, true));
                }
            }
            Err(Errno::AGAIN) => return Some((bytes, true)),
            Err(Errno::INTR) => {}
            Err(_) => return None,
        }
    }
    Some((bytes, false))
}

pub(super) fn interrupts(typed: &FromTerminal) -> bool {
    let FromTerminal::Event(event) = typed else {
        return false;
    };
    event
        .as_key_press_event()
        .is_some_and(|key| key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL)
}

/// A terminal that does not know its size says 0; parlour then draws for the size all terminals once had.
pub(super) fn known_size((cols, rows): (u16, u16)) -> (u16, u16) {
    match (cols, rows) {
        (0, _) | (_, 0) => (80, 24),
        known => known,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_of_nothing_is_an_unknown_size() {
        assert_eq!(known_size((0, 0)), (80, 24));
        assert_eq!(known_size((1, 1)), (1, 1));
    }
}
