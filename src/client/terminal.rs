//! The modes of the person's terminal: on while parlour draws, off whatever ends it.

use std::ffi::OsString;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::panic;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::fs::{Mode, OFlags};
use rustix::termios::{QueueSelector, tcflush, ttyname};

use crate::wire::{TerminalFile, TerminalId};

/// Title kept, alternate screen, bracketed paste, focus reports, mouse clicks and drags (1000, 1002) in the
/// form without a size limit (1006). Every motion (1003) is the engine's to ask for, while a pane wants it.
const ENTER: &[u8] = b"\x1b[22;0t\x1b[?1049h\x1b[?2004h\x1b[?1004h\x1b[?1000h\x1b[?1002h\x1b[?1006h";

/// Kitty's keyboard protocol, so that Shift+Enter and Ctrl+I are keys of their own. The alternate screen has its own
/// stack of flags: push after entering it and pop before leaving it.
const KITTY_PUSH: &[u8] = b"\x1b[>1u";

/// What xterm calls modifyOtherKeys: Shift+Enter and the like are keys of their own, others stay as they were.
const MODIFIED_ON: &[u8] = b"\x1b[>4;1m";
/// A terminal that does not know it may take it for a style, so a reset of styles follows.
const MODIFIED_OFF: &[u8] = b"\x1b[>4m\x1b[0m";

/// Undoes [`ENTER`] and whatever a frame may have left: a sequence or synchronised update cut in the middle, style, cursor.
const MODES_OFF: &[u8] = b"\x1b\\\x1b[?2026l\x1b[?2031l\x1b[0m\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1006l\
    \x1b[?1004l\x1b[?2004l\x1b[0 q\x1b[?25h";
const KITTY_POP: &[u8] = b"\x1b[<1u";
const LEAVE: &[u8] = b"\x1b[?1049l\x1b[23;0t";

/// Whether modes are on that a panic must turn off.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// What the terminal was asked to do, to be undone in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyboard {
    /// It tells Enter with and without Shift alike.
    Plain,
    /// A multiplexer that tells them apart if it is asked to, in a form that is read here.
    Modified,
    Kitty,
}

/// This terminal opened again, so that not waiting for it is the new file's affair alone: the shell and the guard share
/// the one that they gave us.
pub(super) fn reopen(terminal: impl AsFd, access: OFlags) -> io::Result<OwnedFd> {
    let flags = access | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let named = ttyname(terminal, Vec::new()).and_then(|path| rustix::fs::open(path, flags, Mode::empty()));
    // A terminal that belongs to another user, as after `su`, is opened by this name alone.
    Ok(named.or_else(|_| rustix::fs::open("/dev/tty", flags, Mode::empty()))?)
}

/// The file that is drawn on, for the engine; none where it has no path.
// The types of these numbers differ between systems.
#[allow(clippy::unnecessary_cast, clippy::cast_sign_loss)]
pub(super) fn file() -> Option<TerminalFile> {
    let path = ttyname(io::stdout(), Vec::new()).ok()?;
    let stat = rustix::fs::fstat(io::stdout()).ok()?;
    Some(TerminalFile {
        path: PathBuf::from(OsString::from_vec(path.into_bytes())),
        id: TerminalId {
            dev: stat.st_dev as u64,
            ino: stat.st_ino as u64,
            rdev: stat.st_rdev as u64,
        },
    })
}

/// Has this process read its terminal without waiting, where it can be opened again. It comes before all that reads.
pub(super) fn read_without_waiting() {
    if let Ok(terminal) = reopen(io::stdin(), OFlags::RDWR) {
        // The standard input stays what it was if this fails.
        let _ = rustix::stdio::dup2_stdin(&terminal);
    }
}

/// Turns echo and line editing off, which nothing else may do before questions to the terminal are asked.
pub(super) fn raw() -> io::Result<()> {
    enable_raw_mode()
}

/// Gives back echo and line editing, and drops what the terminal reported meanwhile: a shell would take it for typing.
pub(super) fn cooked() {
    let _ = tcflush(io::stdin(), QueueSelector::IFlush);
    let _ = disable_raw_mode();
}

/// Writes at once, before anything is drawn.
pub(super) fn write(bytes: &[u8]) -> io::Result<()> {
    let mut terminal = io::stdout();
    terminal.write_all(bytes)?;
    terminal.flush()
}

pub(super) fn entering(keyboard: Keyboard) -> Vec<u8> {
    ENTERED.store(true, Ordering::SeqCst);
    match keyboard {
        Keyboard::Plain => ENTER.to_vec(),
        Keyboard::Modified => [ENTER, MODIFIED_ON].concat(),
        Keyboard::Kitty => [ENTER, KITTY_PUSH].concat(),
    }
}

pub(super) fn leaving(keyboard: Keyboard) -> Vec<u8> {
    ENTERED.store(false, Ordering::SeqCst);
    match keyboard {
        Keyboard::Plain => [MODES_OFF, LEAVE].concat(),
        Keyboard::Modified => [MODES_OFF, MODIFIED_OFF, LEAVE].concat(),
        Keyboard::Kitty => [MODES_OFF, KITTY_POP, LEAVE].concat(),
    }
}

/// As [`leaving`], when nobody knows what was entered. The cursor is saved first, since leaving an alternate
/// screen that was never entered would move it to wherever it was last saved.
pub(super) fn restoring() -> Vec<u8> {
    [b"\x1b\\\x1b7", MODES_OFF, KITTY_POP, MODIFIED_OFF, LEAVE].concat()
}

/// Enters as a screen does, on this thread, and leaves it to others to restore: what a panic is tried out with.
pub fn enter_alone() -> io::Result<()> {
    raw()?;
    write(&entering(Keyboard::Kitty))
}

/// A panic on any thread restores the terminal, is told on it, and ends the program: half a client would
/// leave a dead screen.
pub fn restore_on_panic() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if ENTERED.load(Ordering::SeqCst) {
            let _ = write(&restoring());
        }
        cooked();
        tell(panic);
        std::process::exit(101);
    }));
}
