//! The thread that reads what agents' CLIs write of themselves: session files whole, transcripts as they grow.
//!
//! A transcript is read in pieces, and the next piece only when the loop has taken the last: a huge one is never held
//! in memory. Where to begin stands in our own transcript.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::agents::{Adapter, ReadTranscript};
use crate::app::Event;
use crate::app::event::Heard;
use crate::model::{ChatId, Mark, Signal, Source, Timestamp, Told};
use crate::store::{Home, SoFar};

use super::inbound::{Inbound, Sender};
use super::journals::now;

/// A session file is a few hundred bytes; one that is longer is no such file.
const SESSION_FILE: u64 = 64 << 10;

/// The longest transcript line that is read; a longer one is skipped whole.
const LINE: usize = 8 << 20;

/// How much of a transcript is read before the loop is told.
const PIECE: u64 = 256 << 10;

/// Between two readings of a file.
const APART: Duration = Duration::from_millis(40);

/// What stands before the place where reading goes on, and is read again for the reader's memory.
const REMINDER: u64 = 256 << 10;

/// What the thread is told.
pub(super) enum Order {
    Listen {
        chat: ChatId,
        path: PathBuf,
        what: Kind,
        adapter: Box<dyn Adapter>,
    },
    Forget(ChatId),
    Touched(PathBuf),
    /// Reads the chat's transcripts, then tells the loop.
    Then(ChatId, Event),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    SessionFile,
    Transcript,
}

/// The thread.
pub(super) struct Reader {
    home: Arc<Home>,
    sender: Sender,
    files: HashMap<PathBuf, Listened>,
}

struct Listened {
    chat: ChatId,
    adapter: Box<dyn Adapter>,
    what: What,
    /// When it was read last, and when it has to be read for what was written since.
    read: Option<Instant>,
    due: Option<Instant>,
}

enum What {
    SessionFile,
    Transcript(Tail),
}

/// A transcript that is followed.
struct Tail {
    /// Where the next unread line begins.
    offset: u64,
    reader: Box<dyn ReadTranscript>,
    /// What ours holds already of the lines to come.
    told: HashSet<String>,
}

impl Reader {
    pub(super) fn new(home: Arc<Home>, sender: Sender) -> Reader {
        Reader {
            home,
            sender,
            files: HashMap::new(),
        }
    }

    pub(super) fn run(mut self, inbox: &Receiver<Order>) {
        loop {
            let next = self.files.values().filter_map(|file| file.due).min();
            let order = match next {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            let order = match order {
                Ok(order) => order,
                Err(RecvTimeoutError::Timeout) => {
                    self.read_due();
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            };
            match order {
                Order::Listen {
                    chat,
                    path,
                    what,
                    adapter,
                } => {
                    self.listen(chat, &path, what, adapter);
                    self.read(&path);
                }
                // A transcript is there after its agent; the next agent of the chat may go on in it.
                Order::Forget(chat) => self
                    .files
                    .retain(|_, file| file.chat != chat || matches!(file.what, What::Transcript(_))),
                Order::Touched(path) => self.touched(&path),
                Order::Then(chat, event) => {
                    self.read_transcripts(&chat);
                    self.sender.send(Inbound::Event(event));
                }
            }
        }
    }

    fn listen(&mut self, chat: ChatId, path: &Path, what: Kind, adapter: Box<dyn Adapter>) {
        if self.files.get(path).is_some_and(|known| known.chat == chat) {
            return;
        }
        let what = match what {
            Kind::SessionFile => What::SessionFile,
            Kind::Transcript => {
                let so_far = self.home.so_far(&chat, &name_of(path)).unwrap_or_else(|error| {
                    tracing::warn!("what was read of {chat}'s agent before is not known: {error}");
                    SoFar::default()
                });
                What::Transcript(Tail::new(path, so_far, adapter.transcript_reader()))
            }
        };
        let listened = Listened {
            chat,
            adapter,
            what,
            read: None,
            due: None,
        };
        self.files.insert(path.into(), listened);
    }

    /// A file that grows line by line is read a few times a second, not once a line.
    fn touched(&mut self, path: &Path) {
        let now = Instant::now();
        let Some(file) = self.files.get_mut(path) else {
            return;
        };
        match file.read {
            Some(read) if now < read + APART => file.due = Some(read + APART),
            Some(_) | None => self.read(path),
        }
    }

    fn read_due(&mut self) {
        let now = Instant::now();
        let due = self
            .files
            .iter()
            .filter(|(_, file)| file.due.is_some_and(|due| due <= now));
        let paths: Vec<PathBuf> = due.map(|(path, _)| path.clone()).collect();
        for path in paths {
            self.read(&path);
        }
    }

    fn read_transcripts(&mut self, chat: &ChatId) {
        let is_one = |file: &Listened| file.chat == *chat && matches!(file.what, What::Transcript(_));
        let paths = self.files.iter().filter(|(_, file)| is_one(file));
        let paths: Vec<PathBuf> = paths.map(|(path, _)| path.clone()).collect();
        for path in paths {
            self.read(&path);
        }
    }

    fn read(&mut self, path: &Path) {
        let Some(file) = self.files.get_mut(path) else {
            return;
        };
        file.due = None;
        file.read = Some(Instant::now());
        let mut more = false;
        let heard = match &mut file.what {
            What::SessionFile => session_file(file.adapter.as_ref(), path),
            What::Transcript(tail) => {
                let before = tail.offset;
                let happened = tail.read_piece(path).unwrap_or_default();
                more = tail.offset - before >= PIECE;
                let mark = Mark {
                    file: name_of(path),
                    to: tail.offset,
                };
                (!happened.is_empty()).then_some(Heard::Transcript(happened, mark))
            }
        };
        // The loop asks for the next piece before it works on this one, and both work at once.
        if more {
            file.read = None;
            self.sender.send(Inbound::Touched(path.into()));
        }
        if let Some(heard) = heard {
            self.sender.send(Inbound::Event(Event::Heard(file.chat.clone(), heard)));
        }
    }
}

impl Tail {
    fn new(path: &Path, so_far: SoFar, reader: Box<dyn ReadTranscript>) -> Tail {
        let mut tail = Tail {
            offset: so_far.to,
            reader,
            told: so_far.told,
        };
        // Without it the reader has forgotten, and tells at most what the keys of our own entries catch.
        let _ = tail.remember(path);
        tail
    }

    /// Reads a little of what was read before, for what the reader keeps in mind from line to line.
    fn remember(&mut self, path: &Path) -> Option<()> {
        let from = self.offset.saturating_sub(REMINDER);
        let mut lines = open_at(path, from)?;
        let mut line = Vec::new();
        let mut at = from;
        // The first line is a whole one only at the file's beginning.
        let mut whole = from == 0;
        while at < self.offset
            && let Ok(Some(bytes)) = next_line(&mut lines, &mut line)
        {
            at += bytes;
            if whole && at <= self.offset {
                self.reader.line(&String::from_utf8_lossy(&line));
            }
            whole = true;
        }
        Some(())
    }

    /// What the lines say that were added since the last reading, up to about a piece of them.
    fn read_piece(&mut self, path: &Path) -> Option<Vec<Told>> {
        let length = std::fs::symlink_metadata(path)
            .ok()
            .filter(|meta| meta.is_file())?
            .len();
        if length < self.offset {
            // It was replaced by a shorter one, and where the old one ended means nothing in it.
            self.offset = length;
            return None;
        }
        let mut lines = open_at(path, self.offset)?;
        let (mut happened, mut line, mut read) = (Vec::new(), Vec::new(), 0);
        while read < PIECE
            && let Ok(Some(bytes)) = next_line(&mut lines, &mut line)
        {
            read += bytes;
            if line.len() <= LINE {
                happened.extend(self.reader.line(&String::from_utf8_lossy(&line)));
            }
        }
        self.offset += read;
        happened.retain(|told: &Told| told.what.key().is_none_or(|key| !self.told.remove(&key)));
        Some(happened)
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn open_at(path: &Path, offset: u64) -> Option<BufReader<File>> {
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(offset)).ok()?;
    Some(BufReader::with_capacity(64 << 10, file))
}

/// Puts the next finished line into `line`, a little more than the longest at most, and says how many bytes it had.
fn next_line(lines: &mut BufReader<File>, line: &mut Vec<u8>) -> io::Result<Option<u64>> {
    line.clear();
    let mut bytes = 0;
    loop {
        let block = lines.fill_buf()?;
        if block.is_empty() {
            return Ok(None);
        }
        let newline = block.iter().position(|b| *b == b'\n');
        let taken = newline.map_or(block.len(), |at| at + 1);
        if line.len() <= LINE {
            line.extend_from_slice(&block[..newline.unwrap_or(taken)]);
        }
        bytes += taken as u64;
        lines.consume(taken);
        if newline.is_some() {
            return Ok(Some(bytes));
        }
    }
}

fn session_file(adapter: &dyn Adapter, path: &Path) -> Option<Heard> {
    let meta = std::fs::symlink_metadata(path).ok().filter(|meta| meta.is_file())?;
    let bytes = (meta.len() <= SESSION_FILE)
        .then(|| std::fs::read(path).ok())
        .flatten()?;
    let said = adapter.read_session_file(&bytes)?;
    let signal = Signal {
        source: Source::SessionFile,
        because: format!("it says {}", said.activity),
        activity: said.activity,
        // It may not claim to know what is still to come: that would outweigh every other source.
        at: said.since.unwrap_or_else(|| written(&meta)).min(now()),
    };
    Some(Heard::Signals(vec![signal]))
}

/// When the CLI wrote the file: it is read a moment later, when a hook may have told of something newer.
fn written(meta: &std::fs::Metadata) -> Timestamp {
    let since = meta
        .modified()
        .ok()
        .and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    since
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .map_or_else(now, Timestamp)
}
