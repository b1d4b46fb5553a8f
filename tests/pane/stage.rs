//! A pane on a stage: a shell script in a real terminal, and what it did so far.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use parlour::model::PaneEvent;
use parlour::pty::{Pane, PaneLaunch, PaneRecorder, PaneTap};
use parlour::sys::spawn::{SpawnLimits, Spec, Streams};
use parlour::term::{Screen, Setup, TerminalPalette, TerminalSize};

/// Long enough for a loaded machine; no test that passes waits this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// How the thread of a pane on a stage is called.
pub const OWN_THREAD: &str = "pane-test";

pub struct Stage {
    pub pane: Pane,
    events: Receiver<PaneEvent>,
    seen: Vec<PaneEvent>,
    screen: Arc<Screen>,
    /// Which threads told of a new screen.
    told_by: Arc<Mutex<BTreeSet<String>>>,
}

pub fn supervisor() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_parlour"))
}

pub fn setup() -> Setup {
    Setup {
        size: TerminalSize::new(80, 24),
        palette: TerminalPalette::default(),
        history_lines: 2000,
    }
}

pub fn shell(script: &str) -> Spec {
    let env = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("TERM", "xterm-256color"),
        ("LC_ALL", "C.UTF-8"),
    ];
    Spec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: env
            .map(|(name, value)| (OsString::from(name), OsString::from(value)))
            .into(),
        cwd: "/".into(),
        streams: Streams::Terminal,
        limits: SpawnLimits::default(),
        writable: None,
    }
}

impl Stage {
    pub fn shell(script: &str) -> Stage {
        Stage::run(shell(script))
    }

    pub fn run(spec: Spec) -> Stage {
        Stage::launch(Some(spec), Vec::new(), None, None)
    }

    pub fn tapped(script: &str, tap: PaneTap) -> Stage {
        Stage::launch(Some(shell(script)), Vec::new(), None, Some(tap))
    }

    /// The record goes on where it ends.
    pub fn recorded(script: &str, record: &Path) -> Stage {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(record)
            .unwrap();
        let recorder = PaneRecorder::new(file, setup().size).unwrap();
        Stage::launch(
            Some(shell(script)),
            std::fs::read(record).unwrap(),
            Some(recorder),
            None,
        )
    }

    fn launch(spec: Option<Spec>, record: Vec<u8>, recorder: Option<PaneRecorder>, tap: Option<PaneTap>) -> Stage {
        let (sender, events) = channel();
        let sender = Mutex::new(sender);
        let told_by = Arc::new(Mutex::new(BTreeSet::new()));
        let telling = told_by.clone();
        let pane = Pane::spawn(PaneLaunch {
            chat: "test".into(),
            program: spec.map(|spec| (supervisor(), spec)),
            setup: setup(),
            record,
            tap,
            recorder,
            notify: Arc::new(move |event| {
                if event == PaneEvent::Changed {
                    telling.lock().insert(thread_name());
                }
                drop(sender.lock().send(event));
            }),
        });
        Stage {
            pane: pane.unwrap(),
            events,
            seen: Vec::new(),
            screen: Arc::new(Screen::blank(80, 24)),
            told_by,
        }
    }

    /// Waits until the screen is as wanted, and returns its text.
    pub fn wait_for(&mut self, what: &str, done: impl Fn(&Screen) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        while !done(&self.screen) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(event) => self.take(event),
                Err(_) => panic!(
                    "never saw {what}; events {:?}; screen:\n{}",
                    self.seen,
                    self.screen.text()
                ),
            }
        }
        self.screen.text()
    }

    pub fn wait_for_text(&mut self, text: &str) -> String {
        self.wait_for(text, |screen| screen.text().contains(text))
    }

    /// Waits for an event; those that came before count.
    pub fn wait_for_event<T>(&mut self, what: &str, wanted: impl Fn(&PaneEvent) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(found) = self.seen.iter().find_map(&wanted) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(event) => self.take(event),
                Err(_) => panic!(
                    "never heard {what}; events {:?}; screen:\n{}",
                    self.seen,
                    self.screen.text()
                ),
            }
        }
    }

    pub fn wait_for_pid(&mut self) -> u32 {
        self.wait_for_event("the start", |event| match event {
            PaneEvent::Started { pid } => Some(*pid),
            _ => None,
        })
    }

    pub fn wait_for_exit(&mut self) -> (Option<i32>, Option<i32>) {
        self.wait_for_event("the exit", |event| match event {
            PaneEvent::Exited { code, signal } => Some((*code, *signal)),
            _ => None,
        })
    }

    /// Whether another thread than the pane's own has told of a screen.
    pub fn was_read_elsewhere(&self) -> bool {
        self.told_by.lock().iter().any(|name| name != OWN_THREAD)
    }

    /// What the screen shows once all that was told by now is taken in.
    pub fn text_now(&mut self) -> String {
        while let Ok(event) = self.events.try_recv() {
            self.take(event);
        }
        self.screen.text()
    }

    fn take(&mut self, event: PaneEvent) {
        if event == PaneEvent::Changed {
            self.screen = self.pane.take_screen().expect("a change was announced");
            self.pane.want();
        } else {
            self.seen.push(event);
        }
    }
}

pub fn thread_name() -> String {
    std::thread::current().name().unwrap_or_default().to_string()
}

/// Whether the process is there and not merely waiting to be noticed.
pub fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Waits on something that nobody announces.
pub fn wait_until(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !done() {
        assert!(Instant::now() < deadline, "{what}: not so after {PATIENCE:?}");
        std::thread::yield_now();
    }
}

/// Runs ignored tests of this binary one by one in a process of their own: memory is a process's, and many other tests
/// run in this one.
pub fn pass_alone(tests: &[&str]) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "--test-threads=1"])
        .args(tests)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let passed = said.contains(&format!("{} passed", tests.len()));
    assert!(output.status.success() && passed, "{said}");
}

pub fn resident_megabytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4 / 1024
}
