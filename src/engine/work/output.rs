//! What a script writes, as a file to be read.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use crate::model::text::one_line;

/// Of a script's output so much is kept at least, and twice as much at most.
const KEPT: u64 = 2 << 20;
/// Of its end, for the lines that an event says of what failed.
const END: usize = 8 << 10;
const LAST_LINES: usize = 5;
const LAST_LINE: usize = 200;

/// The output of a script as a file that does not grow for ever: without control sequences, a line a line.
pub struct OutputFile {
    file: File,
    length: u64,
    filter: PlainTextFilter,
    /// What was written last, for saying how it went.
    last: VecDeque<u8>,
}

impl OutputFile {
    pub fn new(file: File) -> OutputFile {
        OutputFile {
            file,
            length: 0,
            filter: PlainTextFilter::default(),
            last: VecDeque::new(),
        }
    }

    /// On a full disk a script runs on, and its output is lost.
    pub fn take(&mut self, bytes: &[u8]) {
        let bytes = self.filter.pass(bytes);
        self.last.extend(&bytes);
        self.last.drain(..self.last.len().saturating_sub(END));
        if self.file.write_all(&bytes).is_ok() {
            self.length += bytes.len() as u64;
        }
        if self.length > 2 * KEPT && self.shorten().is_err() {
            // It could not be made shorter, so it begins again.
            drop(self.file.set_len(0).and_then(|()| self.file.rewind()));
            self.length = 0;
        }
    }

    /// The last lines that say something.
    pub fn last_lines(&self) -> Vec<String> {
        let (one, other) = self.last.as_slices();
        let text = String::from_utf8_lossy(&[one, other].concat()).into_owned();
        let lines = text.lines().map(|line| one_line(line, LAST_LINE));
        let mut last: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        last.drain(..last.len().saturating_sub(LAST_LINES));
        last
    }

    fn shorten(&mut self) -> std::io::Result<()> {
        let mut last = Vec::new();
        self.file.seek(SeekFrom::Start(self.length - KEPT))?;
        self.file.read_to_end(&mut last)?;
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(b"(what came before was dropped)\n")?;
        self.file.write_all(&last)?;
        self.length = self.file.stream_position()?;
        Ok(())
    }
}

/// Leaves out control sequences, and makes each end of a line one. It is for reading, so what is cut short is no harm.
#[derive(Default)]
pub struct PlainTextFilter {
    at: OutputAt,
    /// The last was a carriage return.
    returned: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum OutputAt {
    #[default]
    Text,
    Escape,
    /// CSI: up to its final byte.
    Sequence,
    /// OSC and the like: up to BEL or ST.
    Words,
}

impl PlainTextFilter {
    pub fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut kept = Vec::with_capacity(bytes.len());
        for &byte in bytes {
            self.at = match (self.at, byte) {
                (_, 0x1b) => OutputAt::Escape,
                (OutputAt::Text, b'\n') if self.returned => OutputAt::Text,
                (OutputAt::Text, b'\r' | b'\n') => {
                    kept.push(b'\n');
                    OutputAt::Text
                }
                (OutputAt::Text, byte) => {
                    if byte >= b' ' || byte == b'\t' {
                        kept.push(byte);
                    }
                    OutputAt::Text
                }
                (OutputAt::Escape, b'[') => OutputAt::Sequence,
                (OutputAt::Escape, b']' | b'P' | b'_' | b'^' | b'X') => OutputAt::Words,
                (OutputAt::Escape, b' '..=b'/') => OutputAt::Escape,
                (OutputAt::Escape, _) => OutputAt::Text,
                (OutputAt::Sequence, 0x40..=0x7e) => OutputAt::Text,
                (OutputAt::Sequence, _) => OutputAt::Sequence,
                (OutputAt::Words, 0x07) => OutputAt::Text,
                (OutputAt::Words, _) => OutputAt::Words,
            };
            self.returned = byte == b'\r';
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_kept_as_plain_lines() {
        let mut filter = PlainTextFilter::default();
        let pieces = [
            "\u{1b}[1",
            ";32mok\u{1b}[0m\r",
            "\n\u{1b}]0;title\u{7}a\rb\t\u{8}c\u{1b}(B\n",
        ];
        let kept: Vec<u8> = pieces.iter().flat_map(|piece| filter.pass(piece.as_bytes())).collect();
        assert_eq!(String::from_utf8(kept).unwrap(), "ok\na\nb\tc\n");
    }

    #[test]
    fn output_without_end_stays_bounded_and_ends_with_the_newest() {
        let mut output = OutputFile::new(tempfile::tempfile().unwrap());
        let line = format!("{}\n", "x".repeat(999));
        (0..9_000).for_each(|_| output.take(line.as_bytes()));
        output.take(b"the end\n");
        assert!(output.length <= 2 * KEPT && output.file.metadata().unwrap().len() == output.length);
        let mut text = String::new();
        output.file.rewind().unwrap();
        output.file.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("(what came before was dropped)\n") && text.ends_with("the end\n"));
    }
}
