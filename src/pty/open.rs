//! A pseudo-terminal: the end we keep and the end the program gets.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::Arc;

use portable_pty::{MasterPty, PtySize, native_pty_system};
use rustix::fs::OFlags;
use rustix::termios::{InputModes, OptionalActions};

use crate::term::TerminalSize;

pub(super) struct OpenedPty {
    pub(super) master: Master,
    pub(super) slave: File,
}

pub(super) struct Master {
    /// For resizing.
    pair: Box<dyn MasterPty + Send>,
    /// The same end, not blocking, for reading and writing.
    pub(super) stream: Arc<OwnedFd>,
}

pub(super) fn open(size: TerminalSize) -> io::Result<OpenedPty> {
    let pair = native_pty_system().openpty(pty_size(size)).map_err(io::Error::other)?;
    let raw = pair
        .master
        .as_raw_fd()
        .ok_or_else(|| io::Error::other("the pseudo-terminal has no descriptor"))?;
    // SAFETY: `pair.master` owns the descriptor and lives until after it was duplicated.
    let stream = unsafe { BorrowedFd::borrow_raw(raw) }.try_clone_to_owned()?;
    rustix::io::ioctl_fionbio(&stream, true)?;
    let name = pair
        .master
        .tty_name()
        .ok_or_else(|| io::Error::other("the pseudo-terminal has no name"))?;
    // Never to become the engine's own controlling terminal, never to reach another program. `File` closes on exec.
    let flags = OFlags::NOCTTY.bits().cast_signed();
    let slave = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags)
        .open(name)?;
    // So that erasing a character in line mode erases all of its bytes.
    let mut modes = rustix::termios::tcgetattr(&slave)?;
    modes.input_modes |= InputModes::IUTF8;
    rustix::termios::tcsetattr(&slave, OptionalActions::Now, &modes)?;
    Ok(OpenedPty {
        master: Master {
            pair: pair.master,
            stream: Arc::new(stream),
        },
        slave,
    })
}

impl Master {
    pub(super) fn resize(&self, size: TerminalSize) {
        // It fails only when nothing is left that could see the size.
        let _ = self.pair.resize(pty_size(size));
    }
}

fn pty_size(size: TerminalSize) -> PtySize {
    PtySize {
        rows: size.rows(),
        cols: size.cols(),
        pixel_width: 0,
        pixel_height: 0,
    }
}
