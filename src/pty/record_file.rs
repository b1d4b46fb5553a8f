//! The file of a terminal's record as it is written; `record.rs` says what is in it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::term::TerminalSize;

pub const HALF: usize = 2 * 1024 * 1024;
pub const HEAD: usize = 16;
const CHUNK_HEAD: usize = 16;
const MAGIC: &[u8; 4] = b"PLT1";

/// The file of a record, and where it is written on.
pub struct RecordFile {
    file: File,
    number: u32,
    length: usize,
    /// The last write failed, as on a full disk, and so the record has a gap. Said once.
    failed: bool,
}

/// What came together, when, and how large the terminal was.
pub struct Chunk {
    pub bytes: Vec<u8>,
    pub time: SystemTime,
    pub size: TerminalSize,
}

impl Chunk {
    /// What follows is of another program, or the middle of anything.
    pub fn gap(time: SystemTime, size: TerminalSize) -> Chunk {
        Chunk {
            bytes: Vec::new(),
            time,
            size,
        }
    }
}

impl RecordFile {
    pub fn new(file: File, size: TerminalSize) -> io::Result<RecordFile> {
        let mut record = RecordFile {
            file,
            number: 0,
            length: 0,
            failed: false,
        };
        let mut newest = None;
        for half in 0..2u32 {
            let mut head = [0; HEAD];
            if record.file.read_exact_at(&mut head, at(half)).is_ok() {
                newest = newest.max(read_head(&head));
            }
        }
        match newest {
            Some((number, length)) => {
                (record.number, record.length) = (number, length);
                record.write_chunk(&Chunk::gap(SystemTime::now(), size))?;
            }
            None => record.write_head()?,
        }
        Ok(record)
    }

    /// Writes what came. If what came before is not there, it begins anew: it may be the middle of anything.
    pub fn write(&mut self, chunk: &Chunk, follows: bool) {
        let gap = if self.failed || !follows {
            self.write_chunk(&Chunk::gap(chunk.time, chunk.size))
        } else {
            Ok(())
        };
        match gap.and_then(|()| self.write_chunk(chunk)) {
            Ok(()) => self.failed = false,
            Err(error) if !self.failed => {
                tracing::warn!("recording a terminal: {error}; its scrollback after a restart will have a gap");
                self.failed = true;
            }
            Err(_) => {}
        }
    }

    /// All of it, as [`super::record::replay`] takes it.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let length = self.file.metadata()?.len().min(2 * HALF as u64);
        let mut record = vec![0; length as usize];
        self.file.read_exact_at(&mut record, 0)?;
        Ok(record)
    }

    fn write_chunk(&mut self, piece: &Chunk) -> io::Result<()> {
        let bytes = &piece.bytes;
        if HEAD + self.length + CHUNK_HEAD + bytes.len() > HALF {
            self.number = self.number.wrapping_add(1);
            self.length = 0;
        }
        let time = piece.time.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
        let mut chunk = Vec::with_capacity(CHUNK_HEAD + bytes.len());
        chunk.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        chunk.extend_from_slice(&time.to_le_bytes());
        chunk.extend_from_slice(&piece.size.cols().to_le_bytes());
        chunk.extend_from_slice(&piece.size.rows().to_le_bytes());
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

pub fn at(number: u32) -> u64 {
    u64::from(number % 2) * HALF as u64
}

pub fn read_head(head: &[u8]) -> Option<(u32, usize)> {
    let (magic, rest) = head.split_first_chunk::<4>()?;
    let (number, rest) = rest.split_first_chunk::<4>()?;
    let (length, _) = rest.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length) as usize;
    (magic == MAGIC && length <= HALF - HEAD).then(|| (u32::from_le_bytes(*number), length))
}
