//! Reading a transcript from a place in it to its end, a line at a time, in bounded memory.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};

use memchr::memchr;

use super::line::{self, EVENTS, LONGEST, Line};
use super::load::read_record;
use super::tail_reader::TailReader;
use super::{Error, Home};
use crate::model::talk::HiddenEntries;
use crate::model::{ChatId, Entry};

/// The lines of one transcript, in order. An unfinished last line is not there yet. Reading changes nothing.
pub struct Lines {
    chat: ChatId,
    file: Option<BufReader<File>>,
    /// What was read already, and is still to be handed out.
    ahead: VecDeque<Line>,
    /// Entries that are left out.
    left_out: Vec<HiddenEntries>,
    /// The byte up to which the file was read.
    pub(super) at: u64,
    /// What lies behind this byte is not looked at, though damage may go on there.
    pub(super) until: u64,
}

impl Home {
    /// The whole transcript, from its first line, without what is hidden since somebody went back.
    pub fn lines(&self, chat: &ChatId) -> Result<Lines, Error> {
        Ok(self.all_lines_after(chat, 0)?.without(self.hidden(chat)))
    }

    /// The lines behind entry `after`, without what is hidden.
    pub fn lines_after(&self, chat: &ChatId, after: u64) -> Result<Lines, Error> {
        Ok(self.all_lines_after(chat, after)?.without(self.hidden(chat)))
    }

    /// The lines behind entry `after`.
    pub fn all_lines_after(&self, chat: &ChatId, after: u64) -> Result<Lines, Error> {
        let file = self.record_dir(chat)?.open_file(EVENTS)?;
        let start = file.as_ref().map_or(Ok(0), |file| start_after(file, after));
        let start = start.map_err(|e| self.reading(chat, e))?;
        let mut lines = Lines::new(chat, file);
        lines.seek(start).map_err(|e| self.reading(chat, e))?;
        lines.skip_to(after).map_err(|e| self.reading(chat, e))?;
        Ok(lines)
    }

    /// The last `most` lines, without what is hidden.
    pub fn tail(&self, chat: &ChatId, most: usize) -> Result<Vec<Line>, Error> {
        let hidden = self.hidden(chat);
        let left_out: u64 = hidden.iter().map(|entries| entries.to - entries.from + 1).sum();
        let all = most.saturating_add(usize::try_from(left_out).unwrap_or(usize::MAX));
        let mut lines = self.all_tail(chat, all)?;
        lines.retain(|line| !is_among(&hidden, line));
        let extra = lines.len().saturating_sub(most);
        Ok(lines.split_off(extra))
    }

    /// What going back has hidden of a transcript; nothing where its record cannot be read.
    fn hidden(&self, chat: &ChatId) -> Vec<HiddenEntries> {
        let record = self.record_dir(chat).and_then(|dir| read_record(&dir, chat));
        record.map(|record| record.origin.went_back.hidden).unwrap_or_default()
    }

    /// The last `most` lines.
    pub fn all_tail(&self, chat: &ChatId, most: usize) -> Result<Vec<Line>, Error> {
        let Some(file) = self.record_dir(chat)?.open_file(EVENTS)? else {
            return Ok(Vec::new());
        };
        let start = start_of_last(&file, most).map_err(|e| self.reading(chat, e))?;
        let mut lines = Lines::new(chat, Some(file));
        lines.seek(start).map_err(|e| self.reading(chat, e))?;
        let mut found = Vec::new();
        for line in lines {
            found.push(line.map_err(|e| self.reading(chat, e))?);
        }
        // The file may have grown while it was read.
        let extra = found.len().saturating_sub(most);
        Ok(found.split_off(extra))
    }

    /// What a line that cannot be read is said to be.
    pub fn reading(&self, chat: &ChatId, source: std::io::Error) -> Error {
        Error::Io {
            doing: "reading",
            path: self.record_path(chat).join(EVENTS),
            source,
        }
    }
}

impl Lines {
    pub(super) fn new(chat: &ChatId, file: Option<File>) -> Lines {
        Lines {
            chat: chat.clone(),
            file: file.map(BufReader::new),
            ahead: VecDeque::new(),
            left_out: Vec::new(),
            at: 0,
            until: u64::MAX,
        }
    }

    fn without(self, left_out: Vec<HiddenEntries>) -> Lines {
        Lines { left_out, ..self }
    }

    pub(super) fn seek(&mut self, start: u64) -> std::io::Result<()> {
        self.at = start;
        match &mut self.file {
            Some(file) => file.seek(SeekFrom::Start(start)).map(|_| ()),
            None => Ok(()),
        }
    }

    /// Something stands before this byte that was not handed out.
    pub(super) fn is_before(&self, byte: u64) -> bool {
        self.at < byte || !self.ahead.is_empty()
    }

    /// Leaves out all up to the entry `after`.
    fn skip_to(&mut self, after: u64) -> std::io::Result<()> {
        let mut gap = None;
        while let Some(line) = self.next() {
            match line? {
                Line::Entry(entry) if entry.seq <= after => gap = None,
                damage @ Line::Gap { .. } => gap = Some(damage),
                entry @ Line::Entry(_) => {
                    self.ahead = gap.into_iter().chain([entry]).collect();
                    return Ok(());
                }
            }
        }
        self.ahead.extend(gap);
        Ok(())
    }

    /// The next stretch up to a newline; `None` at the end, or before an unfinished line.
    fn stretch(&mut self) -> std::io::Result<Option<Result<Entry, u64>>> {
        let Some(file) = &mut self.file else {
            return Ok(None);
        };
        let mut kept = Vec::new();
        let mut bytes = 0u64;
        loop {
            let block = file.fill_buf()?;
            if block.is_empty() {
                self.file = None;
                return Ok(None);
            }
            let newline = memchr(b'\n', block);
            let taken = newline.map_or(block.len(), |at| at + 1);
            if kept.len() <= LONGEST {
                kept.extend_from_slice(&block[..newline.unwrap_or(taken)]);
            }
            bytes += taken as u64;
            file.consume(taken);
            if newline.is_some() {
                self.at += bytes;
                return Ok(Some(line::parse(&self.chat, &kept).ok_or(bytes)));
            }
        }
    }
}

impl Iterator for Lines {
    type Item = std::io::Result<Line>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.any()? {
                Ok(line) if is_among(&self.left_out, &line) => {}
                line => return Some(line),
            }
        }
    }
}

fn is_among(entries: &[HiddenEntries], line: &Line) -> bool {
    match line {
        Line::Entry(entry) => entries.iter().any(|entries| entries.has(entry.seq)),
        Line::Gap { .. } => false,
    }
}

impl Lines {
    fn any(&mut self) -> Option<std::io::Result<Line>> {
        if let Some(line) = self.ahead.pop_front() {
            return Some(Ok(line));
        }
        let mut gap = 0;
        loop {
            if gap > 0 && self.at >= self.until {
                return Some(Ok(Line::Gap { bytes: gap }));
            }
            match self.stretch() {
                Ok(Some(Err(bytes))) => gap += bytes,
                Ok(Some(Ok(entry))) if gap > 0 => {
                    self.ahead.push_back(Line::Entry(entry));
                    return Some(Ok(Line::Gap { bytes: gap }));
                }
                Ok(Some(Ok(entry))) => return Some(Ok(Line::Entry(entry))),
                Ok(None) if gap > 0 => return Some(Ok(Line::Gap { bytes: gap })),
                Ok(None) => return None,
                Err(e) => {
                    // A disk that fails here would fail forever: say it once.
                    self.file = None;
                    return Some(Err(e));
                }
            }
        }
    }
}

/// Where the first entry after `after` begins, or a place before it: exact near the end, where it matters.
pub(super) fn start_after(file: &File, after: u64) -> std::io::Result<u64> {
    if after == 0 {
        return Ok(0);
    }
    let mut half = None;
    for stretch in TailReader::new(file)? {
        let stretch = stretch?;
        let Some(seq) = stretch.line.as_deref().and_then(line::number) else {
            continue;
        };
        if seq <= after {
            return Ok(stretch.start);
        }
        // Nearer to the beginning than to the end: reading forward is shorter.
        if after < *half.get_or_insert(seq / 2) {
            return Ok(0);
        }
    }
    Ok(0)
}

fn start_of_last(file: &File, most: usize) -> std::io::Result<u64> {
    let mut start = None;
    let mut count = 0;
    let mut in_gap = false;
    for stretch in TailReader::new(file)? {
        let stretch = stretch?;
        let gap = stretch.line.as_deref().and_then(line::number).is_none();
        // Neighbouring damage is one gap.
        if !(gap && in_gap) {
            count += 1;
        }
        if count > most {
            break;
        }
        in_gap = gap;
        start = Some(stretch.start);
    }
    match start {
        Some(start) => Ok(start),
        None => Ok(file.metadata()?.len()),
    }
}
