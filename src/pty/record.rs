//! The last megabytes that a terminal received, on disk: scrollback that outlives the engine.
//!
//! The file has two halves of 2 MiB and never grows beyond them. The newer half is appended to; when it is full the
//! older one is begun again. A half starts with a 16-byte head (`PLT1`, its number in the order of writing, the length of
//! what follows, 4 zero bytes) and goes on in chunks: length `u32`, time in Unix milliseconds `u64`, columns and rows
//! `u16`, then the bytes; one without bytes says that another program begins. All numbers are little-endian. The head is written after the chunk that it counts in, so a
//! crash costs a chunk and no more; what cannot be read is left out.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::term::{Effects, PastScreen, Setup, Terminal, TerminalSize};

const HALF: usize = 2 * 1024 * 1024;
const HEAD: usize = 16;
const CHUNK_HEAD: usize = 16;
const MAGIC: &[u8; 4] = b"PLT1";
/// What may be lost with the power.
const LATEST: Duration = Duration::from_millis(250);
/// A flood is written in pieces of this, so that none of it waits in memory.
const PIECE: usize = 256 * 1024;

/// Writes the record of one terminal. The file is the caller's to open, with whatever care its place needs.
pub struct PaneRecorder {
    file: File,
    number: u32,
    length: usize,
    pending: Vec<u8>,
    since: Option<(Instant, SystemTime)>,
    size: TerminalSize,
    /// The last write failed, as on a full disk, and so the record has a gap. Said once.
    failed: bool,
}

impl PaneRecorder {
    /// Goes on where the file ends. The file is open for reading and writing.
    pub fn new(file: File, size: TerminalSize) -> io::Result<PaneRecorder> {
        let mut recorder = PaneRecorder {
            file,
            number: 0,
            length: 0,
            pending: Vec::new(),
            since: None,
            size,
            failed: false,
        };
        let mut newest = None;
        for half in 0..2u32 {
            let mut head = [0; HEAD];
            if recorder.file.read_exact_at(&mut head, at(half)).is_ok() {
                newest = newest.max(read_head(&head));
            }
        }
        match newest {
            Some((number, length)) => {
                (recorder.number, recorder.length) = (number, length);
                recorder.write_chunk(&[], SystemTime::now())?;
            }
            None => recorder.write_head()?,
        }
        Ok(recorder)
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

    pub(super) fn resize(&mut self, size: TerminalSize) {
        self.flush();
        self.size = size;
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.since
            .filter(|_| !self.pending.is_empty())
            .map(|(since, _)| since + LATEST)
    }

    pub(super) fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let Some((_, time)) = self.since.take().filter(|_| !pending.is_empty()) else {
            return;
        };
        // After a gap what follows may be the middle of anything.
        let gap = if self.failed {
            self.write_chunk(&[], time)
        } else {
            Ok(())
        };
        match gap.and_then(|()| self.write_chunk(&pending, time)) {
            Ok(()) => self.failed = false,
            Err(error) if !self.failed => {
                tracing::warn!("recording a terminal: {error}; its scrollback after a restart will have a gap");
                self.failed = true;
            }
            Err(_) => {}
        }
    }

    fn write_chunk(&mut self, bytes: &[u8], time: SystemTime) -> io::Result<()> {
        if HEAD + self.length + CHUNK_HEAD + bytes.len() > HALF {
            self.number = self.number.wrapping_add(1);
            self.length = 0;
        }
        let time = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
        let mut chunk = Vec::with_capacity(CHUNK_HEAD + bytes.len());
        chunk.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        chunk.extend_from_slice(&time.to_le_bytes());
        chunk.extend_from_slice(&self.size.cols().to_le_bytes());
        chunk.extend_from_slice(&self.size.rows().to_le_bytes());
        chunk.extend_from_slice(bytes);
        self.file
            .write_all_at(&chunk, at(self.number) + (HEAD + self.length) as u64)?;
        self.length += chunk.len();
        self.write_head()
    }

    fn write_head(&self) -> io::Result<()> {
        let mut head = [0; HEAD];
        head[..4].copy_from_slice(MAGIC);
        head[4..8].copy_from_slice(&self.number.to_le_bytes());
        head[8..12].copy_from_slice(&(self.length as u32).to_le_bytes());
        self.file.write_all_at(&head, at(self.number))
    }
}

/// A terminal that received what the record says, left ready for another program. Its size is that of `setup`.
pub fn replay(record: &[u8], setup: Setup) -> Terminal {
    let size = setup.size;
    let mut terminal = Terminal::new(setup);
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
    terminal.settle(now);
    terminal
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

fn at(number: u32) -> u64 {
    u64::from(number % 2) * HALF as u64
}

fn read_head(head: &[u8]) -> Option<(u32, usize)> {
    let (magic, rest) = head.split_first_chunk::<4>()?;
    let (number, rest) = rest.split_first_chunk::<4>()?;
    let (length, _) = rest.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    (magic == MAGIC && length <= HALF - HEAD).then(|| (u32::from_le_bytes(*number), length))
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
