//! Reading a transcript only to see whether it can be read.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};

use serde::Deserialize;

/// A line of a transcript is never longer.
const LONGEST: usize = 1 << 20;

/// Lines that are no entries, or whose numbers go back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TranscriptDamage {
    /// Neighbouring lines count as one.
    pub stretches: u64,
    pub bytes: u64,
}

impl fmt::Display for TranscriptDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.stretches {
            1 => write!(f, "{} bytes of the transcript cannot be read", self.bytes),
            many => write!(
                f,
                "{} bytes of the transcript, in {many} places, cannot be read",
                self.bytes
            ),
        }
    }
}

/// What every entry has, whatever its kind.
#[derive(Deserialize)]
struct EntryHead {
    seq: u64,
}

/// Reads at most the last `most` bytes. An unfinished last line is being written, or is moved aside at the next write.
pub fn read(mut file: File, most: u64) -> io::Result<TranscriptDamage> {
    let length = file.metadata()?.len();
    let start = length.saturating_sub(most);
    file.seek(SeekFrom::Start(start))?;
    let mut file = BufReader::with_capacity(64 << 10, file);
    if start > 0 {
        next(&mut file, &mut Vec::new())?;
    }
    let mut damage = TranscriptDamage::default();
    let (mut last, mut whole) = (0, true);
    let mut line = Vec::new();
    while let Some(bytes) = next(&mut file, &mut line)? {
        match serde_json::from_slice::<EntryHead>(&line) {
            Ok(entry) if entry.seq > last => {
                last = entry.seq;
                whole = true;
            }
            Ok(_) | Err(_) => {
                damage.bytes += bytes;
                damage.stretches += u64::from(whole);
                whole = false;
            }
        }
    }
    Ok(damage)
}

/// The next line and how long it is; of one that is too long only the beginning is kept. None before a line without end.
fn next(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<u64>> {
    line.clear();
    let mut bytes = 0;
    loop {
        let block = file.fill_buf()?;
        if block.is_empty() {
            return Ok(None);
        }
        let newline = block.iter().position(|byte| *byte == b'\n');
        let taken = newline.map_or(block.len(), |at| at + 1);
        if line.len() <= LONGEST {
            line.extend_from_slice(&block[..taken]);
        }
        bytes += taken as u64;
        file.consume(taken);
        if newline.is_some() {
            return Ok(Some(bytes));
        }
    }
}
