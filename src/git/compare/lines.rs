//! A content by its lines.

use memchr::memchr_iter;

/// Lines are numbered from 1, and each has its end.
pub struct TextLines<'a> {
    bytes: &'a [u8],
    /// Where each line begins, and where the last one ends.
    starts: Vec<usize>,
}

impl<'a> TextLines<'a> {
    pub fn of(bytes: &'a [u8]) -> TextLines<'a> {
        let ends = memchr_iter(b'\n', bytes).map(|at| at + 1);
        let mut starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
        if starts.last() != Some(&bytes.len()) {
            starts.push(bytes.len());
        }
        TextLines { bytes, starts }
    }

    /// Empty for a line that is not there.
    pub fn get(&self, number: u32) -> &'a [u8] {
        let at = number as usize;
        match at.checked_sub(1).and_then(|before| self.starts.get(before)) {
            Some(from) => &self.bytes[*from..self.starts.get(at).copied().unwrap_or(*from)],
            None => &[],
        }
    }

    /// Lines end as on Windows: the carriage return is no part of a line then.
    pub fn has_carriage_returns(&self) -> bool {
        self.get(1).ends_with(b"\r\n")
    }

    pub fn count(&self) -> u32 {
        u32::try_from(self.starts.len()).unwrap_or(u32::MAX)
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}
