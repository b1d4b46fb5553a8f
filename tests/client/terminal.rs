//! A person's terminal: a PTY with a program in it, and everything that the program wrote.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tokio::sync::watch;
use tokio::time::timeout;

pub const SIZE: (u16, u16) = (80, 24);

/// What the terminal does with questions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// White on black, and kitty's keyboard protocol.
    Kitty,
    /// None, as a multiplexer that tells more keys if it is asked to.
    Tmux,
    Nothing,
}

pub struct Terminal {
    pub master: Box<dyn MasterPty + Send>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    child: Box<dyn Child + Send + Sync>,
    written: watch::Receiver<Vec<u8>>,
    /// Held by a test, the terminal takes nothing more.
    pub stalled: Arc<Mutex<()>>,
    /// Once set, whatever is written next closes the terminal.
    closing: Arc<AtomicBool>,
}

impl Terminal {
    pub fn parlour(home: &Path, answers: Answers) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_parlour"));
        command.env("PARLOUR_HOME", home);
        Terminal::run(command, answers)
    }

    pub fn run(mut command: CommandBuilder, answers: Answers) -> Terminal {
        let (cols, rows) = SIZE;
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).unwrap();
        command.env("TERM", "xterm-256color");
        for name in ["SSH_CONNECTION", "SSH_TTY", "NO_COLOR", "COLORTERM", "TERM_PROGRAM"] {
            command.env_remove(name);
        }
        if answers == Answers::Tmux {
            command.env("TERM_PROGRAM", "tmux");
            command.env("TERM_PROGRAM_VERSION", "3.3a");
        }
        if answers == Answers::Kitty {
            // A terminal far away is waited for longer; on a busy machine the test's is as slow.
            command.env("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22");
        }
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let (tell, written) = watch::channel(Vec::new());
        let stalled = Arc::new(Mutex::new(()));
        let closing = Arc::new(AtomicBool::new(false));
        let (stalls, types, closes) = (stalled.clone(), writer.clone(), closing.clone());
        thread::spawn(move || {
            let mut piece = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut piece) {
                if closes.load(Ordering::SeqCst) {
                    return;
                }
                if answers == Answers::Kitty {
                    answer(&piece[..count], &mut **types.lock());
                }
                drop(stalls.lock());
                tell.send_modify(|written| written.extend_from_slice(&piece[..count]));
            }
        });
        Terminal {
            master: pair.master,
            writer,
            child,
            written,
            stalled,
            closing,
        }
    }

    /// As when its window is closed, at the next thing that is drawn.
    pub fn close(self) {
        self.closing.store(true, Ordering::SeqCst);
    }

    pub fn types(&self, text: &str) {
        self.writer.lock().write_all(text.as_bytes()).unwrap();
    }

    pub fn pid(&self) -> i32 {
        self.child.process_id().unwrap().cast_signed()
    }

    /// Whether lines are edited and echoed, as a shell's user expects.
    pub fn is_cooked(&self) -> bool {
        use rustix::termios::{LocalModes, tcgetattr};
        let master = self.master.as_raw_fd().unwrap();
        // SAFETY: the master is open as long as `self` is.
        let master = unsafe { std::os::fd::BorrowedFd::borrow_raw(master) };
        let wanted = LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG;
        tcgetattr(master).unwrap().local_modes.contains(wanted)
    }

    pub fn written(&self) -> String {
        String::from_utf8_lossy(&self.written.borrow()).into_owned()
    }

    pub async fn wait_for(&self, what: &str) {
        let mut written = self.written.clone();
        let seen = written.wait_for(|bytes| String::from_utf8_lossy(bytes).contains(what));
        let seen = timeout(Duration::from_secs(60), seen)
            .await
            .is_ok_and(|seen| seen.is_ok());
        assert!(seen, "no {what:?} in {:?}", self.written());
    }

    /// The exit code and what stands on the screen that the person returns to.
    pub async fn ended(mut self) -> (u32, String) {
        let mut killer = self.child.clone_killer();
        let ended = tokio::task::spawn_blocking(move || (self.child.wait(), self.written, self.master));
        let Ok(ended) = timeout(Duration::from_secs(60), ended).await else {
            killer.kill().unwrap();
            panic!("the program does not end");
        };
        let (status, mut written, _master) = ended.unwrap();
        // The reading thread drops its end when all was read.
        let _ = timeout(Duration::from_secs(60), async {
            while written.changed().await.is_ok() {}
        })
        .await;
        let written = String::from_utf8_lossy(&written.borrow()).into_owned();
        (status.unwrap().exit_code(), written)
    }
}

fn answer(asked: &[u8], types: &mut dyn Write) {
    let asked = String::from_utf8_lossy(asked);
    let known = [
        ("\x1b]10;?", "\x1b]10;rgb:ffff/ffff/ffff\x07"),
        ("\x1b]11;?", "\x1b]11;rgb:0000/0000/0000\x07"),
        ("\x1b[?996n", "\x1b[?997;1n"),
        ("\x1b[?u", "\x1b[?0u"),
        ("\x1b[c", "\x1b[?62;c"),
    ];
    let mut answers: Vec<(usize, &str)> = known
        .iter()
        .flat_map(|(question, answer)| asked.match_indices(question).map(|(at, _)| (at, *answer)))
        .collect();
    answers.sort_unstable();
    for (_, answer) in answers {
        types.write_all(answer.as_bytes()).unwrap();
    }
    types.flush().unwrap();
}

/// Every mode that was turned on is off again, in the last word of the program on it.
pub fn assert_restored(written: &str) {
    for mode in ["1049", "2004", "1004", "1000", "1002", "1003", "1006", "2026", "2031"] {
        let on = written.rfind(&format!("\x1b[?{mode}h"));
        let off = written.rfind(&format!("\x1b[?{mode}l"));
        assert!(on < off, "mode {mode} is left on in {written:?}");
    }
    assert!(
        written.rfind("\x1b[?25l") < written.rfind("\x1b[?25h"),
        "the cursor is hidden in {written:?}"
    );
    let pushed = written.matches("\x1b[>1u").count();
    assert!(
        written.matches("\x1b[<1u").count() >= pushed,
        "the keyboard is left in another mode in {written:?}"
    );
    assert!(
        written.rfind("\x1b[>4;1m") <= written.rfind("\x1b[>4m"),
        "modified keys are left on in {written:?}"
    );
    let mut screen = vt100::Parser::default();
    screen.process(written.as_bytes());
    assert!(!screen.screen().alternate_screen());
}
