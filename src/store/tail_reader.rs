//! Reading a transcript from its end, a line at a time, in bounded memory.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::line::LONGEST;

const BLOCK: usize = 16 << 10;

/// The finished lines of a file, the last one first.
pub(super) struct TailReader<'f> {
    file: &'f File,
    /// Everything from here on has been handed out, or is an unfinished last line.
    end: u64,
    /// The bytes of the file from `from` on: up to `end`, or fewer where that is longer than a line.
    block: Vec<u8>,
    from: u64,
    /// Where the last newline ends: what lies behind it is unfinished.
    pub finished: u64,
    failed: bool,
}

pub(super) struct Stretch {
    pub start: u64,
    /// Without its newline; `None` where it is longer than a line may be.
    pub line: Option<Vec<u8>>,
}

impl<'f> TailReader<'f> {
    pub(super) fn new(file: &'f File) -> io::Result<TailReader<'f>> {
        let length = file.metadata()?.len();
        let mut tail_reader = TailReader {
            file,
            end: length,
            block: Vec::new(),
            from: length,
            finished: 0,
            failed: false,
        };
        tail_reader.finished = tail_reader.newline_before(length)?.map_or(0, |at| at + 1);
        tail_reader.end = tail_reader.finished;
        Ok(tail_reader)
    }

    /// The same of what ends at this byte, where a line ends.
    pub(super) fn before(file: &'f File, end: u64) -> io::Result<TailReader<'f>> {
        let end = end.min(file.metadata()?.len());
        Ok(TailReader {
            file,
            end,
            block: Vec::new(),
            from: end,
            finished: end,
            failed: false,
        })
    }

    /// The place of the last newline before `end`.
    fn newline_before(&mut self, end: u64) -> io::Result<Option<u64>> {
        let mut end = end;
        loop {
            let known = usize::try_from(end.saturating_sub(self.from)).unwrap_or(0);
            let seen = &self.block[..known.min(self.block.len())];
            if let Some(at) = memchr::memrchr(b'\n', seen) {
                return Ok(Some(self.from + at as u64));
            }
            if self.from == 0 {
                return Ok(None);
            }
            end = end.min(self.from);
            self.step_back()?;
        }
    }

    /// Takes one more block in front. What has grown beyond the longest line is dropped: nobody will want its bytes.
    fn step_back(&mut self) -> io::Result<()> {
        let from = self.from.saturating_sub(BLOCK as u64);
        let mut block = vec![0; usize::try_from(self.from - from).unwrap_or(BLOCK)];
        self.file.read_exact_at(&mut block, from)?;
        match usize::try_from(self.end.saturating_sub(self.from)) {
            Ok(wanted) if wanted <= LONGEST => self.block.truncate(wanted),
            _ => self.block.clear(),
        }
        block.append(&mut self.block);
        self.block = block;
        self.from = from;
        Ok(())
    }

    fn stretch(&mut self) -> io::Result<Option<Stretch>> {
        if self.end == 0 {
            return Ok(None);
        }
        let newline = self.end - 1;
        let start = self.newline_before(newline)?.map_or(0, |at| at + 1);
        let length = newline - start;
        let line = (length <= LONGEST as u64).then(|| {
            let at = usize::try_from(start - self.from).expect("a block is in memory");
            let length = usize::try_from(length).expect("a line is in memory");
            self.block[at..at + length].to_vec()
        });
        self.end = start;
        Ok(Some(Stretch { start, line }))
    }
}

impl Iterator for TailReader<'_> {
    type Item = io::Result<Stretch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let stretch = self.stretch();
        self.failed = stretch.is_err();
        stretch.transpose()
    }
}
