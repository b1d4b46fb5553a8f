//! Reading a transcript stretch by stretch, as somebody scrolls through it: never more than a page is held at once.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use memchr::memmem;

use super::line::{self, EVENTS, LONGEST, Line};
use super::lines::{Lines, start_after};
use super::messages;
use super::tail_reader::TailReader;
use super::{Error, Home};
use crate::model::entry::From;
use crate::model::transcript::{PageAt, PageLine, TranscriptPage};
use crate::model::{ChatId, Happened};

/// A page ends with the line that reaches this, or with so many lines.
const BYTES: u64 = 512 << 10;
const LINES: usize = 400;

/// The beginning of a line that tells what kind of entry it is.
const HEAD: usize = 1 << 10;

impl Home {
    /// A stretch of a transcript, with what is hidden of it. Empty where there is none yet.
    pub fn page(&self, chat: &ChatId, at: PageAt) -> Result<TranscriptPage, Error> {
        let Some(file) = self.record_dir(chat)?.open_file(EVENTS)? else {
            return Ok(TranscriptPage {
                at,
                lines: Vec::new(),
                from: 0,
                to: 0,
                whole: 0,
                prompts_before: Some(0),
            });
        };
        page(chat, file, at).map_err(|error| self.reading(chat, error))
    }
}

impl Home {
    /// What people asked in a chat, the newest first, at most so many. The same twice in a row is told once.
    pub fn prompts(&self, chat: &ChatId, most: usize) -> Result<Vec<String>, Error> {
        let Some(file) = self.record_dir(chat)?.open_file(EVENTS)? else {
            return Ok(Vec::new());
        };
        prompts(chat, &file, most).map_err(|error| self.reading(chat, error))
    }
}

fn prompts(chat: &ChatId, file: &File, most: usize) -> io::Result<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    for stretch in TailReader::new(file)? {
        let Some(line) = stretch?.line.filter(|line| is_prompt(&line[..line.len().min(HEAD)])) else {
            continue;
        };
        let prompt = line::parse(chat, &line).map(|entry| entry.what);
        if let Some(Happened::Prompt {
            text,
            from: From::Person,
            ..
        }) = prompt
            && found.last() != Some(&text)
        {
            found.push(text);
        }
        if found.len() >= most {
            break;
        }
    }
    Ok(found)
}

fn page(chat: &ChatId, file: File, at: PageAt) -> io::Result<TranscriptPage> {
    let whole = TailReader::new(&file)?.finished;
    let (from, to, behind) = match at {
        PageAt::End => (start_before(&file, whole, (BYTES, LINES))?, Some(whole), 0),
        PageAt::Before(end) => {
            let end = end.min(whole);
            (start_before(&file, end, (BYTES, LINES))?, Some(end), 0)
        }
        PageAt::Start => (0, None, 0),
        PageAt::After(start) => (start.min(whole), None, 0),
        PageAt::Around(seq) => {
            let there = start_of(&file, seq)?;
            // One long line before it may be all that a page holds.
            let from = start_before(&file, there, (BYTES / 2, LINES / 2))?;
            (from, None, there + BYTES / 2)
        }
    };
    let prompts_before = match at {
        PageAt::End | PageAt::Start | PageAt::Around(_) => Some(prompts_before(&file, from)?),
        PageAt::Before(_) | PageAt::After(_) => None,
    };
    let mut lines = Lines::new(chat, Some(file));
    lines.seek(from)?;
    lines.until = to.unwrap_or(u64::MAX);
    let mut read = Vec::new();
    loop {
        let until = match to {
            Some(to) => to,
            None if read.len() >= LINES => lines.at,
            None => behind.max(from + BYTES),
        };
        if !lines.is_before(until) {
            break;
        }
        let Some(line) = lines.next() else { break };
        read.push(match line? {
            Line::Entry(entry) => PageLine::Entry(entry.into()),
            Line::Gap { bytes } => PageLine::Gap(bytes),
        });
    }
    Ok(TranscriptPage {
        at,
        lines: read,
        from,
        to: lines.at,
        whole: whole.max(lines.at),
        prompts_before,
    })
}

/// Where a page begins that ends at this byte.
fn start_before(file: &File, end: u64, (bytes, lines): (u64, usize)) -> io::Result<u64> {
    let mut start = end;
    for stretch in TailReader::before(file, end)?.take(lines) {
        start = stretch?.start;
        if end - start >= bytes {
            break;
        }
    }
    Ok(start)
}

/// Where the entry of this number begins, or the first behind it.
fn start_of(file: &File, seq: u64) -> io::Result<u64> {
    let mut start = start_after(file, seq.saturating_sub(1))?;
    let mut reader = file;
    reader.seek(SeekFrom::Start(start))?;
    let mut lines = BufReader::with_capacity(256 << 10, reader);
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line is never longer; what is left of one that is has no number.
        let read = lines.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line)?;
        if read == 0 || line::number(&line).is_some_and(|number| number >= seq) {
            return Ok(start);
        }
        start += read as u64;
    }
}

/// How many prompts with which turns began stand before this byte.
fn prompts_before(file: &File, end: u64) -> io::Result<u32> {
    let mut reader = file;
    reader.seek(SeekFrom::Start(0))?;
    let count = messages::turns(reader.take(end), &[])?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Its first kind is the entry's own; one within an input comes later.
fn is_prompt(head: &[u8]) -> bool {
    let kind = memmem::find(head, b"\"kind\":");
    kind.is_some_and(|at| head[at..].starts_with(b"\"kind\":\"prompt\""))
}
