//! Counting the messages and the turns of a transcript, for whoever waits: of each line only its beginning and its end are
//! looked at, which say what it is.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use memchr::{memchr, memmem};

use super::line::EVENTS;
use super::{Error, Home};
use crate::model::Chat;
use crate::model::talk::HiddenEntries;

const CHUNK: usize = 256 << 10;
/// Its number, its moment and its kind stand first, as `line.rs` writes it.
const HEAD: usize = 1 << 10;
/// What is said of a prompt beside its text stands last.
const TAIL: usize = 32;

impl Home {
    /// The turns of a chat, also those that it has of the one that it was forked from, without those that are hidden.
    pub fn turns(&self, chat: &Chat) -> Result<u64, Error> {
        let Some(file) = self.record_dir(chat.id())?.open_file(EVENTS)? else {
            return Ok(0);
        };
        let turns = turns(file, &chat.record.origin.went_back.hidden);
        turns.map_err(|error| self.reading(chat.id(), error))
    }
}

/// The turns that begin in these lines, without those that are hidden.
pub(super) fn turns(lines: impl Read, hidden: &[HiddenEntries]) -> io::Result<u64> {
    count_if(lines, hidden, |line| is_prompt(&line.head) && !line.is_steer())
}

/// The prompts and the answers, without those that are hidden.
pub(super) fn count(file: &File, hidden: &[HiddenEntries]) -> io::Result<u64> {
    count_if(file, hidden, |line| is_message(&line.head))
}

/// The beginning and the end of a line.
struct HeadAndTail {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl HeadAndTail {
    fn add(&mut self, part: &[u8]) {
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&part[..part.len().min(room)]);
        self.tail.extend_from_slice(&part[part.len().saturating_sub(TAIL)..]);
        let extra = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..extra);
    }

    /// It stands behind the text, in which quotes are other ones.
    fn is_steer(&self) -> bool {
        memmem::find(&self.tail, br#""steer":true"#).is_some()
    }
}

/// An unfinished last line is not there yet.
fn count_if(lines: impl Read, hidden: &[HiddenEntries], is_meant: impl Fn(&HeadAndTail) -> bool) -> io::Result<u64> {
    let mut reader = BufReader::with_capacity(CHUNK, lines);
    let mut ends = HeadAndTail {
        head: Vec::with_capacity(HEAD),
        tail: Vec::with_capacity(2 * TAIL),
    };
    let mut count = 0;
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            return Ok(count);
        }
        let end = memchr(b'\n', chunk);
        let line = &chunk[..end.unwrap_or(chunk.len())];
        ends.add(line);
        let used = line.len() + usize::from(end.is_some());
        if end.is_some() {
            count += u64::from(is_meant(&ends) && !is_hidden(&ends.head, hidden));
            ends.head.clear();
            ends.tail.clear();
        }
        reader.consume(used);
    }
}

fn is_message(head: &[u8]) -> bool {
    is_prompt(head) || after(head, br#""kind":""#).is_some_and(|kind| kind.starts_with(b"text\""))
}

fn is_prompt(head: &[u8]) -> bool {
    after(head, br#""kind":""#).is_some_and(|kind| kind.starts_with(b"prompt\""))
}

fn is_hidden(head: &[u8], hidden: &[HiddenEntries]) -> bool {
    !hidden.is_empty() && number(head).is_some_and(|seq| hidden.iter().any(|entries| entries.has(seq)))
}

fn number(head: &[u8]) -> Option<u64> {
    let rest = after(head, br#""seq":"#)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

fn after<'h>(head: &'h [u8], mark: &[u8]) -> Option<&'h [u8]> {
    memmem::find(head, mark).map(|at| &head[at + mark.len()..])
}
