//! The last megabytes that a terminal received, on disk: scrollback that outlives the engine.
//!
//! The file has two halves of 2 MiB and never grows beyond them. The newer half is appended to; when it is full the
//! older one is begun again. A half starts with a 16-byte head (`PLT1`, its number in the order of writing, the length of
//! what follows, 4 zero bytes) and goes on in chunks: length `u32`, time in Unix milliseconds `u64`, columns and rows
//! `u16`, then the bytes; one without bytes says that another program begins. All numbers are little-endian. The head is written after the chunk that it counts in, so a
//! crash costs a chunk and no more; what cannot be read is left out.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use crate::term::{Effects, PastScreen, Setup, Terminal, TerminalSize};

use super::record_file::{Chunk, HEAD, RecordFile, at, read_head};
use super::record_writer::WrittenRecord;

/// What may be lost with the power.
const LATEST: Duration = Duration::from_millis(250);
/// A flood is written in pieces of this, so that none of it waits in memory.
const PIECE: usize = 256 * 1024;

/// Writes the record of one terminal. The file is the caller's to open, with whatever care its place needs.
pub struct PaneRecorder {
    record: Arc<WrittenRecord>,
    pending: Vec<u8>,
    since: Option<(Instant, SystemTime)>,
    size: TerminalSize,
}

impl PaneRecorder {
    /// Goes on where the file ends. The file is open for reading and writing.
    pub fn new(file: File, size: TerminalSize) -> io::Result<PaneRecorder> {
        Ok(PaneRecorder {
            record: WrittenRecord::new(RecordFile::new(file, size)?),
            pending: Vec::new(),
            since: None,
            size,
        })
    }

    /// Notes what arrived; it is written when it is due, or at once in a flood.
    pub(super) fn append(&mut self, bytes: &[u8], now: Instant) {
        self.since.get_or_insert_with(|| (now, SystemTime::now()));
        for piece in bytes.chunks(PIECE) {
            self.pending.extend_from_slice(piece);
            if self.pending.len() >= PIECE {
                self.flush();
                self.since = Some((now, SystemTime::now()));
            }
        }
    }

    /// So much waits that more would soon be handed over, which can take a moment.
    pub(super) fn is_behind(&self) -> bool {
        self.pending.len() > PIECE / 2
    }

    pub(super) fn resize(&mut self, size: TerminalSize) {
        self.flush();
        self.size = size;
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.since
            .filter(|_| !self.pending.is_empty())
            .map(|(since, _)| since + LATEST)
    }

    /// Hands over what has come; [`PaneRecorder::settle`] waits until it is written.
    pub(super) fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if let Some((_, time)) = self.since.take().filter(|_| !pending.is_empty()) {
            let size = self.size;
            self.record.write(Chunk {
                bytes: pending,
                time,
                size,
            });
        }
    }

    /// Whoever reads the record next finds all of it there, unless the disk gives no answer.
    pub(super) fn settle(&mut self) {
        self.flush();
        self.record.settle();
    }

    /// `terminal` as it stands, with the lines that it has let go of and that this has; nothing where what is written gives
    /// another screen than it shows, as where the start of its program is not there any more.
    pub(super) fn read_back(&mut self, terminal: &mut Terminal) -> Option<Terminal> {
        self.flush();
        let record = self.record.read()?;
        let mut again = terminal.anew();
        receive(&record, &mut again);
        again.succeeds(terminal).then_some(again)
    }
}

/// A terminal that received what the record says, left ready for another program. Its size is that of `setup`.
pub fn replay(record: &[u8], setup: Setup) -> Terminal {
    let mut terminal = Terminal::new(setup);
    receive(record, &mut terminal);
    terminal.settle(Instant::now());
    terminal
}

fn receive(record: &[u8], terminal: &mut Terminal) {
    let size = terminal.size();
    let mut out = Effects::default();
    let now = Instant::now();
    let mut halves: Vec<(u32, &[u8])> = (0..2).filter_map(|half| half_of(record, half)).collect();
    halves.sort_by_key(|(number, _)| *number);
    for (_, size, bytes) in halves.into_iter().flat_map(|(_, chunks)| Chunks(chunks)) {
        terminal.resize(size, &mut out);
        if bytes.is_empty() {
            terminal.settle(now);
        }
        terminal.advance(bytes, now, &mut out);
        out = Effects::default();
    }
    terminal.resize(size, &mut out);
}

/// What a terminal showed at this moment, in Unix milliseconds; none where the record does not go back so far.
pub fn screen_at(record: &[u8], setup: Setup, moment: u64) -> Option<PastScreen> {
    let mut terminal = Terminal::new(setup);
    let mut out = Effects::default();
    let now = Instant::now();
    let mut halves: Vec<(u32, &[u8])> = (0..2).filter_map(|half| half_of(record, half)).collect();
    halves.sort_by_key(|(number, _)| *number);
    let chunks = halves.into_iter().flat_map(|(_, chunks)| Chunks(chunks));
    let mut received = None;
    for (time, size, bytes) in chunks.take_while(|(time, ..)| *time <= moment) {
        terminal.resize(size, &mut out);
        if bytes.is_empty() {
            terminal.settle(now);
            continue;
        }
        terminal.advance(bytes, now, &mut out);
        out = Effects::default();
        received = Some(time);
    }
    // What a synchronized update holds back was about to be shown.
    terminal.settle(now);
    let screen = terminal.screen(&mut out);
    received.map(|received| PastScreen { received, screen })
}

fn half_of(record: &[u8], half: u32) -> Option<(u32, &[u8])> {
    let half = record.get(at(half) as usize..)?;
    let (number, length) = read_head(half)?;
    let chunks = &half[HEAD..];
    Some((number, &chunks[..length.min(chunks.len())]))
}

/// The chunks of one half, up to the first that is not whole.
struct Chunks<'a>(&'a [u8]);

impl<'a> Iterator for Chunks<'a> {
    /// When it came in Unix milliseconds, how large the terminal was, and what came.
    type Item = (u64, TerminalSize, &'a [u8]);

    fn next(&mut self) -> Option<(u64, TerminalSize, &'a [u8])> {
        let (length, rest) = self.0.split_first_chunk::<4>()?;
        let (time, rest) = rest.split_first_chunk::<8>()?;
        let (cols, rest) = rest.split_first_chunk::<2>()?;
        let (rows, rest) = rest.split_first_chunk::<2>()?;
        let bytes = rest.get(..u32::from_le_bytes(*length) as usize)?;
        self.0 = &rest[bytes.len()..];
        Some((
            u64::from_le_bytes(*time),
            TerminalSize::new(u16::from_le_bytes(*cols), u16::from_le_bytes(*rows)),
            bytes,
        ))
    }
}

#[cfg(test)]
mod tests;
