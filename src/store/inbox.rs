//! A chat's inbox: who sent what is kept in the record, out of its agent's reach; `inbox.json` in its directory shows it.
//!
//! `records/{id}/inbox.jsonl` is only appended to: a line for each message and a line for what was read. A line is synced
//! before anybody is told of it. One that grew long is written again when it is opened, with what still counts.
//! `inbox.json` is written after it, and read as anybody's: a message that stands there and not here was written by hand,
//! and is taken in once, as unverified.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Error, Home};
use crate::fs::Dir;
use crate::model::inbox::{InboxMessage, Which};
use crate::model::{ChatId, Timestamp};

pub(super) const FILE: &str = "inbox.jsonl";
const LARGEST: u64 = 256 << 20;

/// More unread messages than this, or more bytes of them, are a flood.
const MOST_UNREAD: usize = 1_000;
const MOST_BYTES: usize = 4 << 20;

/// A longer record is written again at the next opening, without read messages that nothing shows any more.
const COMPACTED: u64 = 16 << 20;

/// The newest read messages that stay in it, and their bytes: more than `inbox.json` shows, where one that the record
/// does not know would be taken for one written by hand.
const MOST_KEPT: usize = 3_000;
const MOST_KEPT_BYTES: usize = 8 << 20;

/// Messages told in one answer, and their bytes.
const TOLD: usize = 100;
const TOLD_BYTES: usize = 64 << 10;

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct InboxLine {
    v: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<InboxMessage>,
    /// Of one that was found in `inbox.json`: what tells it from others there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    read: Vec<String>,
}

/// The one writer of a chat's messages.
pub struct Inbox {
    record: Dir,
    file: File,
    /// Something was written and could be neither synced nor cut off.
    doubtful: bool,
    pub(super) chat: ChatId,
    pub(super) messages: Vec<InboxMessage>,
    /// Their places by id.
    places: HashMap<String, usize>,
    /// Bytes of the file.
    bytes: u64,
    /// By what was found in `inbox.json`, the message that was made of it.
    pub(super) found: BTreeMap<String, String>,
}

/// A message that was written into `inbox.json` by hand.
pub(super) struct FoundMessage {
    /// What tells it from others.
    pub print: String,
    /// Who it claims to be from.
    pub from: String,
    pub text: String,
    /// When it claims to be written, where that is a time.
    pub written: Option<String>,
}

impl Home {
    /// Reads a chat's inbox. A line that cannot be read counts as not there.
    pub fn inbox(&self, id: &ChatId) -> Result<Inbox, Error> {
        self.writable()?;
        let record = self.record_dir(id)?;
        let bytes = record.read(FILE, LARGEST)?.unwrap_or_default();
        let mut inbox = Inbox {
            file: record.append(FILE)?,
            record,
            doubtful: false,
            chat: id.clone(),
            messages: Vec::new(),
            places: HashMap::new(),
            bytes: bytes.len() as u64,
            found: BTreeMap::new(),
        };
        for line in bytes.split(|byte| *byte == b'\n') {
            if let Ok(line) = serde_json::from_slice::<InboxLine>(line) {
                inbox.take(line);
            }
        }
        if bytes.last().is_some_and(|last| *last != b'\n') {
            inbox.append(b"\n")?;
        }
        if inbox.is_long() {
            inbox.compact();
            let lines = inbox.lines();
            // Where that fails, as on a full disk, the long one is as good.
            let _ = inbox.record.write_atomic(FILE, &lines);
            inbox.file = inbox.record.append(FILE)?;
            inbox.bytes = inbox.file.metadata().map_err(failed)?.len();
        }
        Ok(inbox)
    }
}

impl Inbox {
    /// Whether it still writes into the chat's record: another may have been put in its place.
    pub fn is_in(&self, home: &Home) -> bool {
        home.record_dir(&self.chat)
            .is_ok_and(|there| there.is_same(&self.record))
    }

    /// Takes a message in; it is safe on disk on return.
    pub fn post(&mut self, message: InboxMessage) -> Result<(), Error> {
        if let Err(count) = self.has_room(message.message.len()) {
            return Err(Error::InboxFull { count });
        }
        self.write(InboxLine {
            v: 1,
            message: Some(message),
            found: None,
            read: Vec::new(),
        })
    }

    /// Whether another message of so many bytes is no flood yet; else how many are unread.
    fn has_room(&self, bytes: usize) -> Result<(), usize> {
        let unread = self.messages.iter().filter(|message| !message.read);
        let (count, sum) = unread.fold((0, bytes), |(count, sum), message| {
            (count + 1, sum + message.message.len())
        });
        match count >= MOST_UNREAD || sum > MOST_BYTES {
            true => Err(count),
            false => Ok(()),
        }
    }

    pub fn message(&self, id: &str) -> Option<&InboxMessage> {
        self.places.get(id).map(|at| &self.messages[*at])
    }

    /// Whether it is to be opened again, which makes it shorter.
    pub fn is_long(&self) -> bool {
        self.bytes > COMPACTED && self.kept().len() < self.messages.len()
    }

    /// Places of the messages that are to stay.
    fn kept(&self) -> Vec<usize> {
        let (mut count, mut bytes) = (0, 0);
        let mut stays = |message: &InboxMessage| {
            if message.read {
                count += 1;
                bytes += message.message.len();
            }
            !message.read || (count <= MOST_KEPT && bytes <= MOST_KEPT_BYTES)
        };
        let newest = self.messages.iter().enumerate().rev();
        let mut kept: Vec<usize> = newest.filter(|(_, message)| stays(message)).map(|(at, _)| at).collect();
        kept.reverse();
        kept
    }

    fn compact(&mut self) {
        let kept = self.kept().into_iter().map(|at| self.messages[at].clone());
        self.messages = kept.collect();
        let places = self.messages.iter().enumerate();
        self.places = places.map(|(at, message)| (message.id.clone(), at)).collect();
        let places = &self.places;
        self.found.retain(|_, id| places.contains_key(id));
    }

    /// The whole file again.
    fn lines(&self) -> Vec<u8> {
        let prints: HashMap<&str, &str> = self
            .found
            .iter()
            .map(|(print, id)| (id.as_str(), print.as_str()))
            .collect();
        let line = |message: &InboxMessage| InboxLine {
            v: 1,
            message: Some(message.clone()),
            found: prints.get(message.id.as_str()).map(ToString::to_string),
            read: Vec::new(),
        };
        self.messages.iter().flat_map(|message| line(message).text()).collect()
    }

    /// These were read.
    pub fn mark(&mut self, ids: &[String]) -> Result<(), Error> {
        let unread = |id: &&String| self.message(id).is_some_and(|message| !message.read);
        let read: Vec<String> = ids.iter().filter(unread).cloned().collect();
        if read.is_empty() {
            return Ok(());
        }
        self.write(InboxLine {
            v: 1,
            message: None,
            found: None,
            read,
        })
    }

    /// One that was written into `inbox.json` by hand; `None` where there are too many.
    pub(super) fn take_in(&mut self, found: FoundMessage, now: Timestamp) -> Result<Option<String>, Error> {
        if self.has_room(found.text.len()).is_err() {
            return Ok(None);
        }
        let id = uuid::Uuid::new_v4().simple().to_string()[..10].to_string();
        let message = InboxMessage {
            id: id.clone(),
            from: found.from,
            sender: None,
            unverified: true,
            bare: false,
            notice: false,
            message: found.text,
            read: false,
            ts: now,
            written: found.written,
        };
        self.write(InboxLine {
            v: 1,
            message: Some(message),
            found: Some(found.print),
            read: Vec::new(),
        })?;
        Ok(Some(id))
    }

    pub fn unread(&self) -> Vec<InboxMessage> {
        let unread = self.messages.iter().filter(|message| !message.read);
        unread.cloned().collect()
    }

    /// What one answer holds: of the unread ones the oldest first, of all of them the newest. Says whether there are more.
    pub fn tell(&self, which: &Which, except: &[String]) -> (Vec<InboxMessage>, bool) {
        let end = match which {
            Which::All | Which::Unread => self.messages.len(),
            Which::Before(id) => self.messages.iter().position(|message| message.id == *id).unwrap_or(0),
        };
        let wanted = |message: &&InboxMessage| match which {
            Which::All | Which::Before(_) => true,
            Which::Unread => !message.read && !except.contains(&message.id),
        };
        let mut bytes = 0;
        let mut fits = |message: &&InboxMessage| {
            bytes += message.message.len();
            bytes <= TOLD_BYTES || bytes == message.message.len()
        };
        let all: Vec<&InboxMessage> = self.messages[..end].iter().filter(wanted).collect();
        let mut told: Vec<InboxMessage> = match which {
            Which::Unread => all.iter().copied().take(TOLD).take_while(&mut fits).cloned().collect(),
            Which::All | Which::Before(_) => all
                .iter()
                .rev()
                .copied()
                .take(TOLD)
                .take_while(&mut fits)
                .cloned()
                .collect(),
        };
        if *which != Which::Unread {
            told.reverse();
        }
        let more = told.len() < all.len();
        (told, more)
    }

    fn write(&mut self, line: InboxLine) -> Result<(), Error> {
        self.append(&line.text())?;
        self.take(line);
        Ok(())
    }

    /// After an error nothing of it is in the file, or nothing more is written until it is out again.
    fn append(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.doubtful {
            self.go_back()?;
        }
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            self.doubtful = true;
            if let Err(why) = self.go_back() {
                tracing::warn!("{}: what was not synced is still in {FILE}: {why}", self.chat);
            }
            return Err(failed(error));
        }
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Cuts off what was written and not synced: it would be read as a message that was taken in. By a new handle, since a
    /// failed sync may be forgotten by the old one.
    fn go_back(&mut self) -> Result<(), Error> {
        let file = self.record.append(FILE)?;
        let there = file.metadata().map_err(failed)?.len();
        if there < self.bytes {
            return Err(Error::Unsafe {
                path: self.record.path().join(FILE),
            });
        }
        file.set_len(self.bytes)
            .and_then(|()| file.sync_all())
            .map_err(failed)?;
        (self.file, self.doubtful) = (file, false);
        Ok(())
    }

    /// Whether the file may hold what nobody was told of. Whoever reads it again would take that for told.
    pub fn is_doubtful(&self) -> bool {
        self.doubtful
    }

    fn take(&mut self, line: InboxLine) {
        if let Some(message) = line.message {
            if let Some(found) = line.found {
                self.found.insert(found, message.id.clone());
            }
            self.places.insert(message.id.clone(), self.messages.len());
            self.messages.push(message);
        }
        for id in line.read {
            if let Some(at) = self.places.get(&id) {
                self.messages[*at].read = true;
            }
        }
    }
}

impl InboxLine {
    fn text(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).expect("a line has only text keys");
        text.push(b'\n');
        text
    }
}

fn failed(source: std::io::Error) -> Error {
    Error::Io {
        doing: "writing",
        path: FILE.into(),
        source,
    }
}

/// What tells one message in `inbox.json` from another: what it says, from whom, and when.
pub(super) fn print(from: &str, text: &str, when: &str) -> String {
    let mut hash = Sha256::new();
    for part in [from, text, when] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    data_encoding::HEXLOWER.encode(&hash.finalize()[..16])
}
