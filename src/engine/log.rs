//! The engine's log: `run/engine.log`, three files of 10 MB, with what is secret masked. Warnings also go to the log
//! screen. A thread writes it, so that the loop logs without waiting for a disk that gives no answer.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use file_rotate::compression::Compression;
use file_rotate::suffix::AppendCount;
use file_rotate::{ContentLimit, FileRotate};
use tracing::field::{Field, Visit};
use tracing::{Event as Traced, Subscriber};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use crate::domain::Event;
use crate::domain::event::{DiskEvent, Level, LogLine};

use super::clock::now;
use super::inbound::{Inbound, Sender};
use crate::model::secret::without_secrets;
use crate::model::text::mask_words;

const NAME: &str = "engine.log";
const BYTES: usize = 10 << 20;
/// Old files beside the current one.
const OLDER: usize = 2;
/// Lines that wait to be written. What comes beyond them is left out.
const QUEUED: usize = 1024;
/// How long a reader waits for what was logged before, at most.
const SETTLES: Duration = Duration::from_secs(1);

/// The way to the thread.
static LINES: OnceLock<SyncSender<LogOrder>> = OnceLock::new();

enum LogOrder {
    Line(Vec<u8>),
    /// Say when all before this is written.
    Reached(SyncSender<()>),
}

/// The files of the log, the newest first.
pub fn names() -> impl Iterator<Item = String> {
    let older = (1..=OLDER).map(|number| format!("{NAME}.{number}"));
    std::iter::once(NAME.to_owned()).chain(older)
}

/// Starts logging for the life of the process.
pub fn start(run: &Path, sender: Sender) -> io::Result<()> {
    let (orders, lines) = sync_channel(QUEUED);
    let files = Masked(Files::open(run));
    let thread = std::thread::Builder::new().name("log".into());
    thread.spawn(move || write_all(files, &lines))?;
    let writer = Mutex::new(Queued(orders.clone()));
    // Whoever logs in this process has the one log.
    let _ = LINES.set(orders);
    let filter = EnvFilter::try_from_env("PARLOUR_LOG").unwrap_or_else(|_| EnvFilter::new("parlour=info,warn"));
    let file = tracing_subscriber::fmt::layer()
        .with_writer(writer)
        .with_ansi(false)
        .with_target(false)
        .with_filter(filter);
    let screen = ToScreen { sender }.with_filter(LevelFilter::INFO);
    tracing_subscriber::registry()
        .with(file)
        .with(screen)
        .try_init()
        .map_err(io::Error::other)
}

/// Returns when all that was logged before is in the file, or the disk gives no answer.
pub fn settle() {
    let (done, is_done) = sync_channel(1);
    if let Some(lines) = LINES.get()
        && lines.try_send(LogOrder::Reached(done)).is_ok()
    {
        let _ = is_done.recv_timeout(SETTLES);
    }
}

fn write_all(mut files: impl Write, lines: &Receiver<LogOrder>) {
    for order in lines {
        match order {
            // A log that cannot be written has nowhere to say so.
            LogOrder::Line(line) => drop(files.write_all(&line)),
            LogOrder::Reached(done) => drop(done.send(())),
        }
    }
}

/// Hands each line to the thread.
struct Queued(SyncSender<LogOrder>);

impl Write for Queued {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.try_send(LogOrder::Line(bytes.to_vec()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The current file and older ones.
struct Files {
    path: PathBuf,
    rotate: FileRotate<AppendCount>,
}

impl Files {
    fn open(run: &Path) -> Files {
        use std::os::unix::fs::OpenOptionsExt;
        let mut options = std::fs::OpenOptions::new();
        options.create(true).append(true).read(true).mode(0o600);
        let path = run.join(NAME);
        let rotate = FileRotate::new(
            &path,
            AppendCount::new(OLDER),
            ContentLimit::BytesSurpassed(BYTES),
            Compression::None,
            Some(options),
        );
        Files { path, rotate }
    }
}

impl Write for Files {
    /// Where somebody has removed the file, nobody would ever read what is written to it.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(run) = self.path.parent().filter(|run| run.is_dir() && !self.path.exists()) {
            let anew = Files::open(run);
            *self = anew;
        }
        self.rotate.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.rotate.flush()
    }
}

/// Masks whatever looks like a token or a credential: a line is written whole, so one look at each
/// is enough.
struct Masked<W: Write>(W);

impl<W: Write> Write for Masked<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.write_all(mask(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Tokens are 43 characters of base64; nothing that we log on purpose has that shape.
pub fn mask(text: &str) -> String {
    mask_words(&without_secrets(text), |word| word.len() >= 40)
}

/// Lines for the log screen.
struct ToScreen {
    sender: Sender,
}

impl<S: Subscriber> Layer<S> for ToScreen {
    fn on_event(&self, event: &Traced<'_>, _: Context<'_, S>) {
        if !event.metadata().target().starts_with("parlour") {
            return;
        }
        let level = match *event.metadata().level() {
            tracing::Level::ERROR => Level::Error,
            tracing::Level::WARN => Level::Warn,
            _ => Level::Info,
        };
        let mut message = LogMessage::default();
        event.record(&mut message);
        let line = LogLine {
            at: now(),
            level,
            text: mask(&message.0),
        };
        self.sender.send(Inbound::Event(Event::Disk(DiskEvent::Log(line))));
    }
}

#[derive(Default)]
struct LogMessage(String);

impl Visit for LogMessage {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn a_token_never_reaches_the_log() {
        let token = "q".repeat(43);
        assert_eq!(mask(&format!("Bearer {token}, ok")), "Bearer •••, ok");
        assert_eq!(mask("to https://ada:s3cret@host/x"), "to https://ada:•••@host/x");
        assert_eq!(mask("chat abcdefghij started größe"), "chat abcdefghij started größe");
    }
}
