//! One transcript of an agent CLI as it grows, read a piece at a time.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

use memchr::memchr;
use serde_json::Map;

use crate::agents::ReadTranscript;
use crate::fs::Dir;
use crate::model::talk::OwnRewind;
use crate::model::{Happened, Reported};
use crate::store::ReadOffset;

/// The longest transcript line that is read; a longer one is skipped whole, which is told.
const LINE: usize = 32 << 20;

/// How much of a transcript is read before the loop is told.
pub(super) const PIECE: u64 = 256 << 10;

/// How much is read of the file at once.
const BLOCK: u64 = 64 << 10;

/// What stands before the place where reading goes on, and is read again for the reader's memory.
const REMINDER: u64 = 256 << 10;

/// So many bytes ahead of the place where reading goes on tell whether the file is still the same.
const AHEAD: usize = 64;

/// A transcript that is followed.
pub(super) struct Tail {
    /// Where the next unread line begins.
    pub offset: u64,
    reader: Box<dyn ReadTranscript>,
    /// What ours holds already of the lines to come.
    told: HashSet<String>,
    /// The same for several that are followed from the same moment.
    told_of_many: Arc<HashSet<String>>,
    /// What stands ahead of that place: the end of what was read.
    ahead: Vec<u8>,
    /// The file does not hold what was read of it: its CLI has cut it, or another one lies in its place.
    pub is_cut: bool,
    /// It was cut and is read from its beginning: what has no key is news where what stands before it is.
    again: bool,
    is_news: bool,
}

impl Tail {
    pub fn new(path: &Path, read_offset: ReadOffset, reader: Box<dyn ReadTranscript>) -> Tail {
        let mut tail = Tail {
            offset: read_offset.to,
            reader,
            told: read_offset.told,
            told_of_many: Arc::default(),
            ahead: Vec::new(),
            is_cut: false,
            again: false,
            is_news: true,
        };
        // Without it the reader has forgotten, and tells at most what the keys of our own entries catch.
        let _ = tail.remember(path);
        tail.take_silence();
        tail.begin_process();
        tail
    }

    /// One of several that are followed from this moment on, read up to this byte.
    pub fn of_many(path: &Path, to: u64, told: Arc<HashSet<String>>, reader: Box<dyn ReadTranscript>) -> Tail {
        let read_offset = ReadOffset {
            to,
            ..ReadOffset::default()
        };
        Tail {
            told_of_many: told,
            ..Tail::new(path, read_offset, reader)
        }
    }

    /// What is written from now on is another process's.
    pub fn begin_process(&mut self) {
        self.reader.begin_process();
    }

    /// Reads a little of what was read before, for what the reader keeps in mind from line to line.
    fn remember(&mut self, path: &Path) -> Option<()> {
        let from = self.offset.saturating_sub(REMINDER);
        let mut block = Vec::new();
        let file = regular(path)?;
        // A line ends there, or it is another file than was read.
        self.ahead = ahead(&file, self.offset).filter(|bytes| bytes.ends_with(b"\n"))?;
        let mut lines = TailLines::of(file, from, &mut block)?;
        let mut at = from;
        // The first line is a whole one only at the file's beginning.
        let mut whole = from == 0;
        while at < self.offset
            && let Ok(Some((line, bytes))) = lines.next()
        {
            at += bytes;
            if whole && at <= self.offset {
                self.reader.line(&text(line));
            }
            whole = true;
        }
        Some(())
    }

    /// Takes the news that the CLI has resumed its session; see [`ReadTranscript::take_resumed`].
    pub fn take_resumed(&mut self) -> bool {
        self.reader.take_resumed()
    }

    /// See [`ReadTranscript::take_silence`].
    pub fn take_silence(&mut self) -> bool {
        self.reader.take_silence()
    }

    /// See [`ReadTranscript::take_rewinds`].
    pub fn take_rewinds(&mut self, path: &Path) -> Vec<OwnRewind> {
        self.reader.take_rewinds(path)
    }

    /// See [`ReadTranscript::kept_output`].
    pub fn kept_output(&self, text: String) -> String {
        self.reader.kept_output(text)
    }

    /// Where the old one ended means nothing in the new one, which may repeat what was told of the old one.
    pub fn begin_again(&mut self, told: HashSet<String>) {
        self.offset = 0;
        self.ahead = Vec::new();
        self.told_of_many = Arc::default();
        self.is_cut = false;
        self.again = true;
        self.is_news = told.is_empty();
        self.told = told;
    }

    /// What the lines say that were added since the last reading, up to about a piece of them, read
    /// into `block`.
    pub fn read_piece(&mut self, path: &Path, block: &mut Vec<u8>) -> Option<Vec<Reported>> {
        let file = regular(path)?;
        let length = file.metadata().ok()?.len();
        if length < self.offset || ahead(&file, self.offset)? != self.ahead {
            self.is_cut = true;
            return None;
        }
        let mut lines = TailLines::of(file, self.offset, block)?;
        let (mut happened, mut read) = (Vec::new(), 0);
        while read < PIECE
            && let Ok(Some((line, bytes))) = lines.next()
        {
            read += bytes;
            match line.len() <= LINE {
                true => happened.extend(self.reader.line(&text(line))),
                false => happened.push(left_out(bytes)),
            }
        }
        self.offset += read;
        if read > 0 {
            self.ahead = ahead(&lines.file, self.offset).unwrap_or_default();
        }
        if self.again {
            happened.retain(|told: &Reported| {
                if let Some(key) = told.what.key() {
                    self.is_news = !self.told.contains(&key);
                }
                self.is_news
            });
        } else if !self.told.is_empty() || !self.told_of_many.is_empty() {
            let (told, of_many) = (&mut self.told, &self.told_of_many);
            let mut is_told = |key: &String| told.remove(key) || of_many.contains(key);
            happened.retain(|told: &Reported| told.what.key().is_none_or(|key| !is_told(&key)));
        }
        Some(happened)
    }
}

/// The file of that name, where it is one. An agent can put anything there, and to open a pipe can take for ever: all
/// agents' files are read by one thread. Links on the way are a person's own, who may keep a CLI's home elsewhere.
pub(super) fn regular(path: &Path) -> Option<File> {
    Dir::open(path.parent()?).ok()?.open_file(path.file_name()?).ok()?
}

/// What stands right ahead of that byte.
fn ahead(file: &File, byte: u64) -> Option<Vec<u8>> {
    let from = byte.saturating_sub(AHEAD as u64);
    let mut bytes = vec![0; usize::try_from(byte - from).ok()?];
    file.read_exact_at(&mut bytes, from).ok()?;
    Some(bytes)
}

/// A line that is too long to be read, as it is told.
fn left_out(bytes: u64) -> Reported {
    let why = format!("a line of {} MB of its transcript is too long to be read", bytes >> 20);
    let fields = Map::from_iter([("why".into(), why.into())]);
    Reported::from(Happened::Unknown { fields })
}

/// Whole lines are nearly always UTF-8, and then nothing has to be looked at twice.
fn text(line: &[u8]) -> Cow<'_, str> {
    str::from_utf8(line).map_or_else(|_| String::from_utf8_lossy(line), Cow::Borrowed)
}

/// The finished lines of a file from some place on, each where it was read to.
struct TailLines<'b> {
    file: File,
    block: &'b mut Vec<u8>,
    /// Where in the block the next line begins, and how far its end was looked for.
    begins: usize,
    looked: usize,
    /// What was dropped of a line that is too long.
    dropped: u64,
}

impl<'b> TailLines<'b> {
    fn of(mut file: File, offset: u64, block: &'b mut Vec<u8>) -> Option<TailLines<'b>> {
        file.seek(SeekFrom::Start(offset)).ok()?;
        block.clear();
        Some(TailLines {
            file,
            block,
            begins: 0,
            looked: 0,
            dropped: 0,
        })
    }

    /// The next finished line, cut a little beyond the longest, and how many bytes it had in the file.
    fn next(&mut self) -> io::Result<Option<(&[u8], u64)>> {
        let end = loop {
            if let Some(end) = memchr(b'\n', &self.block[self.looked..]) {
                break self.looked + end;
            }
            self.block.drain(..self.begins);
            self.begins = 0;
            let kept = self.block.len().min(LINE + 1);
            self.dropped += (self.block.len() - kept) as u64;
            self.block.truncate(kept);
            self.looked = kept;
            if self.file.by_ref().take(BLOCK).read_to_end(self.block)? == 0 {
                return Ok(None);
            }
        };
        let line = self.begins..end;
        (self.begins, self.looked) = (end + 1, end + 1);
        let bytes = (line.len() + 1) as u64 + std::mem::take(&mut self.dropped);
        Ok(Some((&self.block[line], bytes)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;
    use crate::agents;
    use crate::model::Settings;

    #[test]
    fn a_pipe_or_a_link_in_the_place_of_a_transcript_holds_nobody_up() {
        let home = tempfile::tempdir().unwrap();
        let (pipe, link) = (home.path().join("pipe.jsonl"), home.path().join("link.jsonl"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        let (done, read) = mpsc::channel();
        std::thread::spawn(move || {
            let adapter = agents::find("claude", &Settings::default()).unwrap();
            for path in [pipe, link] {
                let mut tail = Tail::new(&path, ReadOffset::default(), adapter.transcript_reader());
                done.send(tail.read_piece(&path, &mut Vec::new())).unwrap();
            }
        });
        for _ in 0..2 {
            assert_eq!(read.recv_timeout(Duration::from_secs(10)), Ok(None));
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_told_as_left_out() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("s.jsonl");
        let mut lines = vec![b'x'; LINE + (2 << 20)];
        lines.extend_from_slice(b"\n");
        let message = serde_json::json!({"id": "m", "role": "assistant", "content": [{"type": "text", "text": "on"}]});
        let line = serde_json::json!({"type": "assistant", "uuid": "u", "message": message});
        lines.extend_from_slice(format!("{line}\n").as_bytes());
        std::fs::write(&path, &lines).unwrap();
        let adapter = agents::find("claude", &Settings::default()).unwrap();
        let mut tail = Tail::new(&path, ReadOffset::default(), adapter.transcript_reader());
        let mut happened = Vec::new();
        for _ in 0..3 {
            happened.extend(
                tail.read_piece(&path, &mut Vec::new())
                    .expect("it is still the same file"),
            );
        }
        let kinds = happened.iter().map(|told| match &told.what {
            Happened::Unknown { fields } => fields["why"].to_string(),
            Happened::Text { text, .. } => text.clone(),
            other => format!("{other:?}"),
        });
        let kinds: Vec<String> = kinds.filter(|kind| !kind.starts_with("Usage")).collect();
        let left_out = "\"a line of 34 MB of its transcript is too long to be read\"";
        assert_eq!(kinds, [left_out, "on"]);
    }
}
