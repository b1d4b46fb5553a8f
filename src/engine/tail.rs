//! One transcript of an agent CLI as it grows, read a piece at a time.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use memchr::memchr;

use crate::agents::ReadTranscript;
use crate::fs::Dir;
use crate::model::Reported;
use crate::store::ReadOffset;

/// The longest transcript line that is read; a longer one is skipped whole.
const LINE: usize = 8 << 20;

/// How much of a transcript is read before the loop is told.
pub(super) const PIECE: u64 = 256 << 10;

/// How much is read of the file at once.
const BLOCK: u64 = 64 << 10;

/// What stands before the place where reading goes on, and is read again for the reader's memory.
const REMINDER: u64 = 256 << 10;

/// A transcript that is followed.
pub(super) struct Tail {
    /// Where the next unread line begins.
    pub offset: u64,
    reader: Box<dyn ReadTranscript>,
    /// What ours holds already of the lines to come.
    told: HashSet<String>,
    /// The file is shorter than what was read of it: its CLI has cut it, or another one lies in its place.
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
            is_cut: false,
            again: false,
            is_news: true,
        };
        // Without it the reader has forgotten, and tells at most what the keys of our own entries catch.
        let _ = tail.remember(path);
        tail
    }

    /// Reads a little of what was read before, for what the reader keeps in mind from line to line.
    fn remember(&mut self, path: &Path) -> Option<()> {
        let from = self.offset.saturating_sub(REMINDER);
        let mut block = Vec::new();
        let mut lines = TailLines::of(regular(path)?, from, &mut block)?;
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

    /// Where the old one ended means nothing in the new one, which may repeat what was told of the old one.
    pub fn begin_again(&mut self, told: HashSet<String>) {
        self.offset = 0;
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
        if length < self.offset {
            self.is_cut = true;
            return None;
        }
        let mut lines = TailLines::of(file, self.offset, block)?;
        let (mut happened, mut read) = (Vec::new(), 0);
        while read < PIECE
            && let Ok(Some((line, bytes))) = lines.next()
        {
            read += bytes;
            if line.len() <= LINE {
                happened.extend(self.reader.line(&text(line)));
            }
        }
        self.offset += read;
        if self.again {
            happened.retain(|told: &Reported| {
                if let Some(key) = told.what.key() {
                    self.is_news = !self.told.contains(&key);
                }
                self.is_news
            });
        } else if !self.told.is_empty() {
            happened.retain(|told: &Reported| told.what.key().is_none_or(|key| !self.told.remove(&key)));
        }
        Some(happened)
    }
}

/// The file of that name, where it is one. An agent can put anything there, and to open a pipe can take for ever: all
/// agents' files are read by one thread. Links on the way are a person's own, who may keep a CLI's home elsewhere.
pub(super) fn regular(path: &Path) -> Option<File> {
    Dir::open(path.parent()?).ok()?.open_file(path.file_name()?).ok()?
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
}
