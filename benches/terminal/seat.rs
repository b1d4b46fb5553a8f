//! Where a person would sit: the outer terminal, its keys and every byte that is sent to it.
//!
//! One thread does it all, by waiting for the descriptor: a reader on a thread of its own would add its waking to
//! what is measured. Nothing is read while nobody waits, so whoever leaves a seat alone for long must [`Seat::rest`].

use std::io::Write;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

pub const COLS: u16 = 200;
pub const ROWS: u16 = 50;

/// How long a host may take for what a person would wait for.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Bytes that were read and not parsed yet are kept up to here; a picture of the screen needs no more.
const KEPT: usize = 256 << 10;

/// What a plain xterm answers to what is asked of it at the start.
const ANSWERS: [(&[u8], &[u8]); 6] = [
    (b"\x1b]10;?", b"\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\"),
    (b"\x1b]11;?", b"\x1b]11;rgb:1010/1010/1010\x1b\\"),
    (b"\x1b[c", b"\x1b[?62;22c"),
    (b"\x1b[0c", b"\x1b[?62;22c"),
    (b"\x1b[>c", b"\x1b[>0;10;1c"),
    (b"\x1b[6n", b"\x1b[1;1R"),
];

pub struct Seat {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    parser: vt100::Parser,
    unparsed: Vec<u8>,
    piece: Vec<u8>,
    /// All that was sent to this terminal.
    pub bytes: u64,
    interrupted: Arc<AtomicBool>,
    left: bool,
}

impl Seat {
    /// Starts a command here. `interrupted` ends every wait with an error, so that what was started is ended.
    pub fn open(command: CommandBuilder, interrupted: Arc<AtomicBool>) -> anyhow::Result<Seat> {
        let size = PtySize {
            rows: ROWS,
            cols: COLS,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).context("opening a terminal")?;
        let child = pair.slave.spawn_command(command).context("starting a host")?;
        let (rows, cols) = (ROWS.try_into()?, COLS.try_into()?);
        Ok(Seat {
            child,
            keyboard: pair.master.take_writer()?,
            master: pair.master,
            parser: vt100::Parser::new(rows, cols, 0),
            unparsed: Vec::with_capacity(2 * KEPT),
            piece: vec![0; 64 << 10],
            bytes: 0,
            interrupted,
            left: false,
        })
    }

    pub fn pid(&self) -> Option<u32> {
        self.child.process_id().filter(|_| !self.left)
    }

    pub fn press(&mut self, keys: &[u8]) -> anyhow::Result<()> {
        self.keyboard.write_all(keys).context("typing")?;
        self.keyboard.flush().context("typing")
    }

    /// Closes what runs here, as a person closes a window; what it was attached to goes on.
    pub fn leave(&mut self) {
        if !self.left {
            // Both fail where it has ended already, which is what is wanted.
            let _ = self.child.kill();
            let _ = self.child.wait();
            self.left = true;
        }
    }

    /// Waits until the screen shows `text`, and returns when the bytes came that made it so.
    pub fn wait_for_text(&mut self, text: &str) -> anyhow::Result<Instant> {
        self.wait_for_screen(text, |screen| screen.contains(text))
    }

    /// As [`Seat::wait_for_text`] for anything on the screen.
    pub fn wait_for_screen(&mut self, what: &str, shows: impl Fn(&str) -> bool) -> anyhow::Result<Instant> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let at = Instant::now();
            self.parser.process(&self.unparsed);
            self.unparsed.clear();
            if shows(&self.parser.screen().contents()) {
                return Ok(at);
            }
            if !self.take(deadline)? {
                bail!("the screen never showed {what}; it shows:\n{}", self.screen());
            }
            self.answer()?;
        }
    }

    /// Waits until `wanted` is among the bytes that come from now on. Nothing is parsed: an emulator here would
    /// take longer than what is measured. The first byte of `wanted` must be rare.
    pub fn wait_for_bytes(&mut self, wanted: &[u8], patience: Duration) -> anyhow::Result<Instant> {
        let deadline = Instant::now() + patience;
        let mut from = self.unparsed.len();
        loop {
            if !self.take(deadline)? {
                let wanted = String::from_utf8_lossy(wanted);
                bail!(
                    "`{wanted}` was not drawn in {patience:?}; the screen shows:\n{}",
                    self.screen()
                );
            }
            let at = Instant::now();
            let new = &self.unparsed[from..];
            if new.contains(&wanted[0]) && new.windows(wanted.len()).any(|bytes| bytes == wanted) {
                return Ok(at);
            }
            // What was looked for may come in two pieces.
            from = from.max(self.unparsed.len().saturating_sub(wanted.len() - 1));
            from -= self.forget().min(from);
        }
    }

    /// Takes what comes for a while.
    pub fn rest(&mut self, span: Duration) -> anyhow::Result<()> {
        let deadline = Instant::now() + span;
        while self.take(deadline)? {
            self.forget();
        }
        Ok(())
    }

    /// Drops what is too old for a picture of the screen; returns how many bytes.
    fn forget(&mut self) -> usize {
        if self.unparsed.len() <= KEPT {
            return 0;
        }
        let old = self.unparsed.len() - KEPT / 4;
        self.unparsed.drain(..old);
        old
    }

    /// Reads once; `false` at the deadline.
    fn take(&mut self, deadline: Instant) -> anyhow::Result<bool> {
        loop {
            if self.interrupted.load(Ordering::SeqCst) {
                bail!("interrupted");
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            if self.left {
                std::thread::sleep(left.min(Duration::from_millis(100)));
                continue;
            }
            let descriptor = self.master.as_raw_fd().context("the terminal has no descriptor")?;
            // SAFETY: the master is open as long as `self` is.
            let master = unsafe { BorrowedFd::borrow_raw(descriptor) };
            let patience = Timespec {
                tv_sec: left.as_secs().cast_signed(),
                tv_nsec: left.subsec_nanos().into(),
            };
            let mut asked = [PollFd::new(&master, PollFlags::IN)];
            match poll(&mut asked, Some(&patience)) {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => continue,
                Err(error) => return Err(error).context("waiting for output"),
            }
            let count = rustix::io::read(master, &mut self.piece[..]).unwrap_or(0);
            if count == 0 {
                bail!("the host ended; its screen was:\n{}", self.screen());
            }
            self.bytes += count as u64;
            self.unparsed.extend_from_slice(&self.piece[..count]);
            return Ok(true);
        }
    }

    fn answer(&mut self) -> anyhow::Result<()> {
        let mut said = Vec::new();
        for at in 0..self.unparsed.len() {
            let asked = &self.unparsed[at..];
            for (question, answer) in ANSWERS {
                if asked.starts_with(question) {
                    said.extend_from_slice(answer);
                }
            }
        }
        match said.is_empty() {
            true => Ok(()),
            false => self.press(&said),
        }
    }

    /// The screen, as far as what was kept tells it.
    fn screen(&mut self) -> String {
        self.parser.process(&self.unparsed);
        self.unparsed.clear();
        let shown = self.parser.screen().contents();
        let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
        lines.join("\n").trim_end().to_owned()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.leave();
    }
}
