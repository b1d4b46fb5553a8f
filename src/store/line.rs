//! One line of `events.jsonl`: how it is written, and what is made of it when it is read.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::model::{ChatId, Entry, Happened, Mark, Timestamp};

/// The transcript, in the record of a chat.
pub const EVENTS: &str = "events.jsonl";
/// A line is never longer; a longer one that is found is damage.
pub const LONGEST: usize = 1 << 20;
/// Numbers beyond what JSON readers agree on come from damage, and must not be counted on from.
const LAST: u64 = 1 << 53;

/// What a reader makes of a stretch of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    Entry(Entry),
    /// Bytes that are no entry: damaged, or too long.
    Gap {
        bytes: u64,
    },
}

/// The shape in which entries are written.
pub(super) const VERSION: u32 = 1;

/// Where an entry stands.
pub(super) struct LineHead<'e> {
    /// So that a line out of place is noticed.
    pub chat: &'e ChatId,
    pub seq: u64,
    pub ts: Timestamp,
    pub read: Option<&'e Mark>,
}

#[derive(Serialize)]
struct WrittenEntry<'e> {
    v: u32,
    seq: u64,
    ts: Timestamp,
    chat: &'e ChatId,
    #[serde(skip_serializing_if = "Option::is_none")]
    read: Option<&'e Mark>,
    #[serde(flatten)]
    what: &'e Happened,
}

/// Writes the line of an entry behind others, newline included.
pub(super) fn write(lines: &mut Vec<u8>, place: &LineHead, what: &Happened) {
    let written = WrittenEntry {
        v: VERSION,
        seq: place.seq,
        ts: place.ts,
        chat: place.chat,
        read: place.read,
        what,
    };
    serde_json::to_writer(&mut *lines, &written).expect("an entry has only text keys");
    lines.push(b'\n');
}

/// The entry in a line without its newline; `None` is damage. A kind or a shape that this version does not know is
/// an entry all the same, and keeps its number.
pub(super) fn parse(chat: &ChatId, line: &[u8]) -> Option<Entry> {
    if line.len() > LONGEST {
        return None;
    }
    let mut fields: Map<String, Value> = serde_json::from_slice(line).ok()?;
    match fields.shift_remove("chat") {
        Some(Value::String(of)) if of != chat.as_str() => return None,
        _ => {}
    }
    let seq = fields.get("seq")?.as_u64().filter(|seq| (1..LAST).contains(seq))?;
    if let Ok(entry) = serde_json::from_value::<Entry>(Value::Object(fields.clone())) {
        return Some(entry);
    }
    let v = fields.shift_remove("v")?.as_u64()?;
    let ts = serde_json::from_value(fields.shift_remove("ts")?).ok()?;
    fields.shift_remove("seq");
    let read = fields
        .shift_remove("read")
        .and_then(|read| serde_json::from_value(read).ok());
    // `kind` will say `unknown` for this entry; what it was stays readable.
    let was = fields.shift_remove("kind")?;
    fields.insert("was".into(), was);
    Some(Entry {
        v: u32::try_from(v).ok()?,
        seq,
        ts,
        read,
        what: Happened::Unknown { fields },
    })
}

/// Only the number of a line, for finding one's way in a long file.
pub(super) fn number(line: &[u8]) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Number {
        seq: u64,
    }
    let Number { seq } = serde_json::from_slice(line).ok()?;
    (1..LAST).contains(&seq).then_some(seq)
}
