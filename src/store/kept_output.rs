//! Reading of a whole output by some of its lines. It is never held whole, and neither is a line that is very long.

use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use memchr::{memchr, memchr_iter, memrchr};
use regex::bytes::{Regex, RegexBuilder};

use super::{Error, Home};
use crate::fs::SafeName;
use crate::model::ChatId;
use crate::model::output::{LinesAt, OutputLine, OutputPage};

/// A page ends with the line that reaches this, or with so many lines.
const BYTES: u64 = 64 << 10;
const LINES: usize = 400;
/// What is shown of a line.
const LONGEST: usize = 4 << 10;
/// Of a line in which words were found, so much stands before them.
const BEFORE: u64 = 1 << 10;
/// Read at once.
const BLOCK: usize = 256 << 10;

/// An output that lies beside a transcript.
pub struct KeptOutput {
    file: File,
    whole: u64,
    /// By which it is known again.
    pub identity: (u64, u64),
}

/// How many lines end before each block of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LineIndex {
    before: Vec<u64>,
    pub lines: u64,
}

/// What an editor is shown of an output, while it is open.
const COPY: &str = "output-copy";

impl Home {
    /// The name comes from a transcript: it leads to an output or nowhere.
    pub fn output(&self, chat: &ChatId, file: &str) -> Result<KeptOutput, Error> {
        let name = file
            .strip_prefix("outputs/")
            .and_then(|name| SafeName::parse(name).ok());
        let path = self.record_path(chat).join(file);
        let missing = || Error::Io {
            doing: "opening",
            path: path.clone(),
            source: io::ErrorKind::NotFound.into(),
        };
        let name = name.ok_or_else(missing)?;
        let found = self.record_dir(chat)?.open_file(Path::new("outputs").join(name))?;
        let file = found.ok_or_else(missing)?;
        let found = file.metadata().map_err(|source| reading(&path, source))?;
        Ok(KeptOutput {
            whole: found.len(),
            identity: (found.ino(), found.len()),
            file,
        })
    }

    /// A copy of it for a program that might write: what the record says happened is not to be changed.
    pub fn put_copy(&self, chat: &ChatId, output: &KeptOutput) -> Result<PathBuf, Error> {
        self.writable()?;
        let dir = self.record_dir(chat)?;
        dir.remove_file(COPY)?;
        dir.copy_file_in(&output.file, COPY, 0o400)?;
        Ok(self.record_path(chat).join(COPY))
    }

    pub fn remove_copy(&self, chat: &ChatId) -> Result<(), Error> {
        Ok(self.record_dir(chat)?.remove_file(COPY)?)
    }
}

pub(super) fn reading(path: &Path, source: io::Error) -> Error {
    Error::Io {
        doing: "reading",
        path: path.into(),
        source,
    }
}

impl KeptOutput {
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// The lines that are wanted. Numbers are known with an index; a line's number leads nowhere without. Ends early with
    /// nothing found when nobody waits any more.
    pub fn page(
        &self,
        at: &LinesAt,
        index: Option<&LineIndex>,
        is_cancelled: &dyn Fn() -> bool,
    ) -> io::Result<OutputPage> {
        let mut page = match at {
            LinesAt::After(from) => self.lines((*from).min(self.whole), self.whole, None)?,
            LinesAt::Before(to) => {
                let to = (*to).min(self.whole);
                self.lines(self.start_before(to, (BYTES, LINES))?, to, None)?
            }
            LinesAt::Line(line) => {
                let start = index.map_or(Ok(0), |index| self.start_of(*line, index))?;
                self.around(start, None)?
            }
            LinesAt::Next(words, from) => self.found(self.next(words, *from, is_cancelled)?)?,
            LinesAt::Last(words, to) => self.found(self.last(words, *to, is_cancelled)?)?,
        };
        page.whole = self.whole;
        page.number = match index {
            Some(index) => Some(self.number_of(page.from, index)?),
            None => (page.from == 0).then_some(0),
        };
        Ok(page)
    }

    fn found(&self, found: Option<u64>) -> io::Result<OutputPage> {
        let Some(at) = found else {
            return Ok(OutputPage::default());
        };
        let start = self.start_before(at + 1, (1, 1))?;
        let page = self.around(start, Some(at))?;
        Ok(OutputPage {
            found: Some(at),
            ..page
        })
    }

    /// Half of the page stands before it.
    fn around(&self, start: u64, seen: Option<u64>) -> io::Result<OutputPage> {
        let from = self.start_before(start, (BYTES / 2, LINES / 2))?;
        self.lines(from, self.whole, seen)
    }

    /// Whole lines from a line's beginning on. In the line with the byte `seen`, that is in what is shown of it.
    fn lines(&self, from: u64, until: u64, seen: Option<u64>) -> io::Result<OutputPage> {
        let mut page = OutputPage {
            from,
            to: from,
            ..OutputPage::default()
        };
        let mut shown = 0;
        let mut block = ReadBlock::default();
        while page.to < until && page.lines.len() < LINES && shown < BYTES {
            let end = self.end_of(page.to, until, &mut block)?;
            let (mut text_end, next) = match end {
                Some(newline) => (newline, newline + 1),
                None => (until, until),
            };
            if text_end > page.to && self.byte(text_end - 1, &mut block)? == Some(b'\r') {
                text_end -= 1;
            }
            let line = self.line((page.to, text_end), seen.filter(|seen| (page.to..next).contains(seen)))?;
            shown += line.text.len() as u64 + 1;
            page.lines.push(line);
            page.to = next;
        }
        Ok(page)
    }

    fn line(&self, (at, end): (u64, u64), seen: Option<u64>) -> io::Result<OutputLine> {
        let before = match seen {
            Some(seen) if seen - at > LONGEST as u64 / 2 => seen - at - BEFORE,
            Some(_) | None => 0,
        };
        let length = usize::try_from(end - at - before).unwrap_or(LONGEST).min(LONGEST);
        let mut bytes = vec![0; length];
        let read = read_at(&self.file, at + before, &mut bytes)?;
        bytes.truncate(read);
        // Not in the middle of a character.
        let skipped = if before > 0 {
            bytes.iter().take_while(|byte| is_inside(**byte)).count()
        } else {
            0
        };
        let is_cut = (before + bytes.len() as u64) < end - at;
        let kept = if is_cut { whole_characters(&bytes) } else { bytes.len() };
        let kept = kept.max(skipped);
        Ok(OutputLine {
            at,
            text: String::from_utf8_lossy(&bytes[skipped..kept]).into_owned(),
            before: before + skipped as u64,
            after: (end - at).saturating_sub(before + kept as u64),
        })
    }

    /// Where the line that begins there ends.
    fn end_of(&self, from: u64, until: u64, block: &mut ReadBlock) -> io::Result<Option<u64>> {
        let mut at = from;
        while at < until {
            let bytes = self.bytes(at, block)?;
            if bytes.is_empty() {
                return Ok(None);
            }
            if let Some(newline) = memchr(b'\n', bytes) {
                return Ok(Some(at + newline as u64).filter(|newline| *newline < until));
            }
            at += bytes.len() as u64;
        }
        Ok(None)
    }

    fn byte(&self, at: u64, block: &mut ReadBlock) -> io::Result<Option<u8>> {
        Ok(self.bytes(at, block)?.first().copied())
    }

    /// What is there from this byte on, as far as it is held or read at once.
    fn bytes<'b>(&self, at: u64, block: &'b mut ReadBlock) -> io::Result<&'b [u8]> {
        let is_held = (block.from..block.from + block.bytes.len() as u64).contains(&at);
        if !is_held {
            block
                .bytes
                .resize(BLOCK.min(usize::try_from(BYTES * 2).unwrap_or(BLOCK)), 0);
            let read = read_at(&self.file, at, &mut block.bytes)?;
            block.bytes.truncate(read);
            block.from = at;
        }
        let skipped = usize::try_from(at - block.from).unwrap_or_default();
        Ok(block.bytes.get(skipped..).unwrap_or_default())
    }

    /// The beginning of the line that is so many lines, or bytes, before this place.
    fn start_before(&self, end: u64, (bytes, lines): (u64, usize)) -> io::Result<u64> {
        // An end of a line there is that of the last line.
        let mut limit = end.min(self.whole).saturating_sub(1);
        let mut count = 0;
        let mut block = vec![0; BLOCK / 4];
        let mut to = limit;
        while to > 0 {
            let from = to.saturating_sub(block.len() as u64);
            let length = usize::try_from(to - from).unwrap_or(block.len());
            let read = read_at(&self.file, from, &mut block[..length])?;
            let mut seen = read;
            while let Some(newline) = memrchr(b'\n', &block[..seen]) {
                let start = from + newline as u64 + 1;
                count += 1;
                limit = start;
                if count >= lines || end - start >= bytes {
                    return Ok(start);
                }
                seen = newline;
            }
            to = from;
            // One line that is longer than a page is a page.
            if count > 0 && end - from >= bytes {
                return Ok(limit);
            }
        }
        Ok(0)
    }

    fn next(&self, words: &str, from: u64, is_cancelled: &dyn Fn() -> bool) -> io::Result<Option<u64>> {
        let Some(pattern) = pattern(words) else { return Ok(None) };
        // What lies over the edge of two blocks is in both.
        let overlap = words.len() * 4;
        let mut block = vec![0; 4 * BLOCK + overlap];
        let mut at = from;
        while at < self.whole && !is_cancelled() {
            let read = read_at(&self.file, at, &mut block)?;
            if let Some(found) = pattern.find(&block[..read]) {
                return Ok(Some(at + found.start() as u64));
            }
            if read < block.len() {
                break;
            }
            at += (read - overlap) as u64;
        }
        Ok(None)
    }

    fn last(&self, words: &str, to: u64, is_cancelled: &dyn Fn() -> bool) -> io::Result<Option<u64>> {
        let Some(pattern) = pattern(words) else { return Ok(None) };
        let overlap = words.len() * 4;
        let mut block = vec![0; 4 * BLOCK + overlap];
        let mut end = to.min(self.whole);
        while end > 0 && !is_cancelled() {
            let from = end.saturating_sub(4 * BLOCK as u64);
            let length = usize::try_from(end - from).unwrap_or(0) + overlap;
            let read = read_at(&self.file, from, &mut block[..length])?;
            let before = |found: &usize| from + (*found as u64) < end;
            let found = pattern
                .find_iter(&block[..read])
                .map(|found| found.start())
                .filter(before)
                .last();
            if let Some(found) = found {
                return Ok(Some(from + found as u64));
            }
            end = from;
        }
        Ok(None)
    }

    /// Counts the lines of all of it.
    pub fn index(&self, is_cancelled: &dyn Fn() -> bool) -> io::Result<LineIndex> {
        let mut index = LineIndex::default();
        let mut block = vec![0; BLOCK];
        let (mut at, mut last) = (0u64, b'\n');
        while !is_cancelled() {
            let read = read_at(&self.file, at, &mut block)?;
            if read == 0 {
                break;
            }
            index.before.push(index.lines);
            index.lines += memchr_iter(b'\n', &block[..read]).count() as u64;
            last = block[read - 1];
            at += read as u64;
        }
        index.lines += u64::from(last != b'\n');
        Ok(index)
    }

    /// The number of the line that begins there.
    pub fn number_of(&self, start: u64, index: &LineIndex) -> io::Result<u64> {
        let block = usize::try_from(start / BLOCK as u64).unwrap_or(usize::MAX);
        let Some(before) = index.before.get(block) else {
            return Ok(index.lines);
        };
        let mut bytes = vec![0; usize::try_from(start % BLOCK as u64).unwrap_or(0)];
        let read = read_at(&self.file, block as u64 * BLOCK as u64, &mut bytes)?;
        Ok(before + memchr_iter(b'\n', &bytes[..read]).count() as u64)
    }

    /// Where a line begins; the last one, where there are not so many.
    fn start_of(&self, line: u64, index: &LineIndex) -> io::Result<u64> {
        let line = line.min(index.lines.saturating_sub(1));
        if line == 0 {
            return Ok(0);
        }
        // The end of the line before it is in this block.
        let block = index.before.partition_point(|before| *before < line).saturating_sub(1);
        let mut rest = line - index.before[block];
        let mut bytes = vec![0; BLOCK];
        let from = block as u64 * BLOCK as u64;
        let read = read_at(&self.file, from, &mut bytes)?;
        for newline in memchr_iter(b'\n', &bytes[..read]) {
            rest -= 1;
            if rest == 0 {
                return Ok(from + newline as u64 + 1);
            }
        }
        Ok(from)
    }

    /// A stretch of it, as far as that is wanted, and whether that is all of the stretch.
    pub fn text(&self, (from, to): (u64, u64), most: usize) -> io::Result<(String, bool)> {
        let to = to.min(self.whole);
        let length = usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; length.min(most)];
        let read = read_at(&self.file, from, &mut bytes)?;
        bytes.truncate(read);
        let is_whole = bytes.len() == length;
        if !is_whole {
            bytes.truncate(whole_characters(&bytes));
        }
        Ok((String::from_utf8_lossy(&bytes).into_owned(), is_whole))
    }

    /// Writes all of it into a new file, for its owner alone. None is left where that fails.
    pub fn save(&self, path: &Path) -> io::Result<u64> {
        let mut options = File::options();
        let mut to = options.write(true).create_new(true).mode(0o600).open(path)?;
        let copied = self.copy(&mut to);
        if copied.is_err() {
            // What matters is why it could not be written.
            let _ = std::fs::remove_file(path);
        }
        copied
    }

    fn copy(&self, to: &mut File) -> io::Result<u64> {
        // Read from its beginning, wherever that was before.
        let mut from = &self.file;
        io::Seek::seek(&mut from, io::SeekFrom::Start(0))?;
        io::copy(&mut from, to)
    }
}

/// What was read last.
#[derive(Default)]
struct ReadBlock {
    from: u64,
    bytes: Vec<u8>,
}

/// Case counts only if the words have a capital letter.
fn pattern(words: &str) -> Option<Regex> {
    let has_capital = words.chars().any(char::is_uppercase);
    let pattern = RegexBuilder::new(&regex::escape(words))
        .case_insensitive(!has_capital)
        .build();
    pattern.ok().filter(|_| !words.is_empty())
}

/// As many as there are.
fn read_at(file: &File, from: u64, bytes: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < bytes.len() {
        match file.read_at(&mut bytes[read..], from + read as u64) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

/// How many of these bytes are not the beginning of a character that goes on behind them.
fn whole_characters(bytes: &[u8]) -> usize {
    let begins = bytes.iter().rev().take(4).position(|byte| !is_inside(*byte));
    match begins {
        Some(back) if bytes[bytes.len() - 1 - back] >= 0xc0 => {
            let start = bytes.len() - 1 - back;
            let wanted = match bytes[start] {
                0xf0.. => 4,
                0xe0.. => 3,
                _ => 2,
            };
            if bytes.len() - start >= wanted {
                bytes.len()
            } else {
                start
            }
        }
        Some(_) | None => bytes.len(),
    }
}

fn is_inside(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}
