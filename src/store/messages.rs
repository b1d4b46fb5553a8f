//! Counting the messages of a transcript, for whoever waits at a shell: of each line only its beginning is looked at, which
//! says what it is.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use memchr::{memchr, memmem};

use crate::model::talk::HiddenEntries;

const CHUNK: usize = 256 << 10;
/// Its number, its moment and its kind stand first, as `line.rs` writes it.
const HEAD: usize = 1 << 10;

/// The prompts and the answers, without those that are hidden. An unfinished last line is not there yet.
pub(super) fn count(file: &File, hidden: &[HiddenEntries]) -> io::Result<u64> {
    let mut reader = BufReader::with_capacity(CHUNK, file);
    let mut head = Vec::with_capacity(HEAD);
    let mut count = 0;
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(count);
        }
        let end = memchr(b'\n', chunk);
        let line = &chunk[..end.unwrap_or(chunk.len())];
        let room = HEAD - head.len();
        head.extend_from_slice(&line[..line.len().min(room)]);
        let used = line.len() + usize::from(end.is_some());
        if end.is_some() {
            count += u64::from(is_message(&head, hidden));
            head.clear();
        }
        reader.consume(used);
    }
}

fn is_message(head: &[u8], hidden: &[HiddenEntries]) -> bool {
    let kind = after(head, br#""kind":""#).unwrap_or_default();
    let is_message = kind.starts_with(b"prompt\"") || kind.starts_with(b"text\"");
    is_message && (hidden.is_empty() || !number(head).is_some_and(|seq| hidden.iter().any(|entries| entries.has(seq))))
}

fn number(head: &[u8]) -> Option<u64> {
    let rest = after(head, br#""seq":"#)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

fn after<'h>(head: &'h [u8], mark: &[u8]) -> Option<&'h [u8]> {
    memmem::find(head, mark).map(|at| &head[at + mark.len()..])
}
