//! A client's terminal as the engine itself writes to it: the echo of a key then wakes one process less.
//!
//! Nothing but an echo goes this way, as far as the terminal takes it at once; the rest of it, and all other frames, go to
//! the client. Right after a key the client is there, and what it was sent before has been drawn. So a client that has
//! ended, or was stopped a second ago, is drawn over by nobody, and its terminal blocks nobody.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, Mode, OFlags, Stat};
use tokio::time::{Duration, Instant};

use crate::wire::{TerminalFile, TerminalId};

/// What any terminal takes in one piece.
const SMALL: usize = 512;

/// How long after its last word a client counts as running.
const HEARD: Duration = Duration::from_millis(100);

pub struct DirectTerminal {
    terminal: Arc<OwnedFd>,
    /// The client's connection. The kernel closes its other end before anybody learns that the client has ended. As long as
    /// this end is open, the client waits with what it says last.
    client: Arc<OwnedFd>,
    heard: Instant,
}

impl DirectTerminal {
    /// `None` where it is not the client's terminal that has this path here, or not one of this user.
    pub fn open(file: &TerminalFile, client: OwnedFd) -> Option<DirectTerminal> {
        // Opening a device may do something by itself, so it is looked at before.
        let there = rustix::fs::stat(&file.path).ok()?;
        if !is_that(&there, file.id) {
            return None;
        }
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let terminal = rustix::fs::open(&file.path, flags, Mode::empty()).ok()?;
        let opened = rustix::fs::fstat(&terminal).ok()?;
        let is_ours = opened.st_uid == rustix::process::geteuid().as_raw();
        (is_that(&opened, file.id) && is_ours && rustix::termios::isatty(&terminal)).then(|| DirectTerminal {
            terminal: Arc::new(terminal),
            client: Arc::new(client),
            heard: Instant::now(),
        })
    }

    /// The terminal and the connection of its client.
    pub fn files(&self) -> (Arc<OwnedFd>, Arc<OwnedFd>) {
        (self.terminal.clone(), self.client.clone())
    }

    /// The client has said something, or somebody typed at it.
    pub fn heard(&mut self, now: Instant) {
        self.heard = now;
    }

    /// Writes what the terminal takes at once, where the client still has it; says how much.
    pub fn write(&self, bytes: &[u8], now: Instant) -> usize {
        if bytes.len() > SMALL || now > self.heard + HEARD || is_left(&self.client) {
            return 0;
        }
        rustix::io::write(&self.terminal, bytes).unwrap_or(0)
    }
}

/// The client at the other end of this connection has ended, or is about to.
pub(super) fn is_left(client: &OwnedFd) -> bool {
    let mut looked = [PollFd::new(client, PollFlags::empty())];
    let left = PollFlags::HUP | PollFlags::ERR;
    poll(&mut looked, Some(&Timespec::default())).is_err() || looked[0].revents().intersects(left)
}

// The types of these numbers differ between systems.
#[allow(clippy::unnecessary_cast, clippy::cast_sign_loss)]
fn is_that(stat: &Stat, id: TerminalId) -> bool {
    let found = (stat.st_dev as u64, stat.st_ino as u64, stat.st_rdev as u64);
    FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice && found == (id.dev, id.ino, id.rdev)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Read;
    use std::os::unix::net::UnixStream;

    use portable_pty::{PtyPair, PtySize, native_pty_system};

    use super::*;

    #[allow(clippy::unnecessary_cast, clippy::cast_sign_loss)]
    fn terminal() -> (PtyPair, TerminalFile) {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let path = pair.master.tty_name().unwrap();
        let stat = rustix::fs::stat(&path).unwrap();
        let id = TerminalId {
            dev: stat.st_dev as u64,
            ino: stat.st_ino as u64,
            rdev: stat.st_rdev as u64,
        };
        (pair, TerminalFile { path, id })
    }

    fn opened(file: &TerminalFile) -> (Option<DirectTerminal>, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        (DirectTerminal::open(file, ours.into()), theirs)
    }

    #[test]
    fn an_echo_goes_to_the_terminal_of_a_client_that_is_there_and_spoke_just_now() {
        let (pair, file) = terminal();
        let (terminal, client) = opened(&file);
        let mut terminal = terminal.unwrap();
        let now = Instant::now();
        terminal.heard(now);
        assert_eq!(terminal.write(b"echo", now), 4);
        let mut shown = [0; 4];
        pair.master.try_clone_reader().unwrap().read_exact(&mut shown).unwrap();
        assert_eq!(&shown, b"echo");

        assert_eq!(terminal.write(&[b'x'; SMALL + 1], now), 0);
        assert_eq!(terminal.write(b"late", now + HEARD + Duration::from_millis(1)), 0);
        drop(client);
        assert_eq!(terminal.write(b"gone", now), 0);
    }

    #[test]
    fn a_terminal_that_takes_nothing_more_holds_nobody_up() {
        let (_pair, file) = terminal();
        let (terminal, _client) = opened(&file);
        let terminal = terminal.unwrap();
        let now = Instant::now();
        let least = (0..1_000).map(|_| terminal.write(&[b'x'; SMALL], now)).min();
        assert!(least < Some(SMALL));
    }

    #[test]
    fn what_has_the_path_but_is_not_that_terminal_is_left_alone() {
        let (_pair, file) = terminal();
        let other = TerminalId {
            ino: file.id.ino + 1,
            ..file.id
        };
        let path = file.path.clone();
        assert!(opened(&TerminalFile { path, id: other }).0.is_none());
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("file");
        File::create(&path).unwrap();
        assert!(opened(&TerminalFile { path, id: file.id }).0.is_none());
    }
}
