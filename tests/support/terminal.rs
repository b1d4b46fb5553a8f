//! A program in a pseudo-terminal, and the screen it draws.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::Pid;

const ROWS: u16 = 40;
const COLS: u16 = 120;

/// Agent CLIs take seconds to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    screen: Arc<Seen>,
    /// Held open: a closed terminal hangs the program up.
    master: Box<dyn MasterPty + Send>,
}

struct Seen {
    parser: Mutex<vt100::Parser>,
    /// What came since somebody wanted it kept, and when.
    tape: Mutex<Option<Tape>>,
    /// All that it received.
    received: Mutex<Vec<u8>>,
    /// The reader wakes whoever waits for the screen after each piece, and at the end.
    changed: Condvar,
}

impl Terminal {
    pub fn spawn(command: CommandBuilder) -> Self {
        Self::sized(command, COLS, ROWS)
    }

    pub fn sized(command: CommandBuilder, cols: u16, rows: u16) -> Self {
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        // The emulator has no place for a wide character in one column.
        let at_least_two = |cells: u16| NonZeroU16::new(cells.max(2)).expect("two or more");
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        let mut output = pair.master.try_clone_reader().expect("a second handle");
        let keyboard = pair.master.take_writer().expect("the only writer");
        let screen = Arc::new(Seen {
            parser: Mutex::new(vt100::Parser::new(at_least_two(rows), at_least_two(cols), 0)),
            tape: Mutex::new(None),
            received: Mutex::default(),
            changed: Condvar::new(),
        });
        let seen = screen.clone();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                seen.received.lock().extend_from_slice(&bytes[..count]);
                seen.parser.lock().process(&bytes[..count]);
                if let Some(tape) = seen.tape.lock().as_mut() {
                    tape.pieces.push((tape.begun.elapsed(), bytes[..count].to_vec()));
                }
                seen.changed.notify_all();
            }
        });
        Self {
            child,
            keyboard,
            screen,
            master: pair.master,
        }
    }

    pub fn press(&mut self, keys: &str) {
        self.keyboard
            .write_all(keys.as_bytes())
            .expect("the program reads its keyboard");
    }

    pub fn pid(&self) -> Pid {
        let pid = self.child.process_id().and_then(|pid| i32::try_from(pid).ok());
        pid.and_then(Pid::from_raw).expect("the program still runs")
    }

    /// The file that the program draws on.
    pub fn path(&self) -> PathBuf {
        self.master.tty_name().expect("it has a name")
    }

    pub fn paste(&mut self, text: &str) {
        self.press(&format!("\x1b[200~{text}\x1b[201~"));
    }

    /// Prints the screen when it gives up.
    pub fn wait_for(&self, what: &str, shows: impl Fn(&vt100::Screen) -> bool) {
        let mut parser = self.screen.parser.lock();
        let waited = self
            .screen
            .changed
            .wait_while_for(&mut parser, |parser| !shows(parser.screen()), PATIENCE);
        assert!(
            !waited.timed_out(),
            "the screen never showed {what}:\n{}",
            parser.screen().contents()
        );
    }

    /// Keeps all that comes from now on, from what is shown now.
    pub fn record(&self) -> Recording {
        let parser = self.screen.parser.lock();
        let shown = parser.screen().state_formatted().into_bytes();
        *self.screen.tape.lock() = Some(Tape {
            begun: Instant::now(),
            pieces: vec![(Duration::ZERO, shown)],
        });
        Recording(self.screen.clone())
    }

    pub fn look<T>(&self, at: impl FnOnce(&vt100::Screen) -> T) -> T {
        at(self.screen.parser.lock().screen())
    }

    pub fn contents(&self) -> String {
        let parser = self.screen.parser.lock();
        parser.screen().contents()
    }

    pub fn wait_for_text(&self, text: &str) {
        self.wait_for(text, |screen| screen.contents().contains(text));
    }

    /// How often it received this by now.
    pub fn received(&self, wanted: &str) -> usize {
        let received = self.screen.received.lock();
        String::from_utf8_lossy(&received).matches(wanted).count()
    }

    pub fn all_received(&self) -> Vec<u8> {
        self.screen.received.lock().clone()
    }

    /// As when its window is dragged.
    pub fn resize(&self, cols: u16, rows: u16) {
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        let at_least_two = |cells: u16| NonZeroU16::new(cells.max(2)).expect("two or more");
        // Nothing that is drawn for the new size is read as if the old one still held.
        let mut parser = self.screen.parser.lock();
        self.master.resize(size).expect("it is open");
        parser.screen_mut().set_size(at_least_two(rows), at_least_two(cols));
    }

    /// What no screen shows.
    pub fn wait_to_receive(&self, wanted: &str) {
        let deadline = Instant::now() + PATIENCE;
        while self.received(wanted) == 0 {
            assert!(
                Instant::now() < deadline,
                "it never received {wanted:?}:\n{}",
                self.contents()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The exit code.
    pub fn wait_for_end(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("our own child") {
                return status.exit_code();
            }
            assert!(Instant::now() < deadline, "the program did not end");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

struct Tape {
    begun: Instant,
    pieces: Vec<(Duration, Vec<u8>)>,
}

/// What a terminal got, also after it is closed.
pub struct Recording(Arc<Seen>);

impl Recording {
    /// Rows and columns.
    pub fn size(&self) -> (NonZeroU16, NonZeroU16) {
        self.0.parser.lock().screen().size()
    }

    /// What came, and when since the beginning.
    pub fn pieces(&self) -> Vec<(Duration, Vec<u8>)> {
        let tape = self.0.tape.lock();
        tape.iter().flat_map(|tape| tape.pieces.clone()).collect()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Both fail when the program has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
