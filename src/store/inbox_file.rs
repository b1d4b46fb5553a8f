//! `inbox.json`: a chat's messages as its agent sees them, and may write them.
//!
//! The agent's own file, so anything may be in it. What parlour did not send is taken in as unverified; what it did send
//! says what the record says. Unknown keys and what is no message stay. A file that cannot be read is left alone.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value, json};

use super::inbox::{FoundMessage, Inbox, print};
use super::{Error, Home};
use crate::fs::Dir;
use crate::model::Timestamp;
use crate::model::inbox::InboxMessage;
use crate::model::text::one_line;

const FILE: &str = "inbox.json";
const LARGEST: u64 = 16 << 20;

/// Bytes of messages that the file shows, and how many read ones, for how long: read ones beyond that are in the record
/// alone, the oldest first. Unread ones always stay.
const SHOWN: usize = 6 << 20;
const MOST_READ: usize = 200;
const READ_DAYS: u64 = 30;
const DAY_MS: u64 = 86_400_000;

/// No file of parlour's making has as many entries: they are not walked while other chats wait.
const MOST_ENTRIES: usize = 5_000;

/// Messages taken in at a time, and the longest of them: the rest waits until the file is changed again.
const MOST_FOUND: usize = 100;
const LONGEST: usize = 64 << 10;

/// Letters of a time with its zone.
const LONGEST_TIME: usize = 40;

/// How the messages stand in the file: as whoever wrote it last wants it.
enum InboxForm {
    Object,
    List,
}

impl Inbox {
    /// Takes in what was written into the file by hand, and shows in it what came and what was read. An error in words
    /// where the file is broken.
    pub fn settle(&mut self, home: &Home, now: Timestamp) -> Result<Result<(), String>, Error> {
        let Ok(dir) = home.chat_dir(&self.chat) else {
            return Ok(Ok(()));
        };
        let before = match dir.read(FILE, LARGEST) {
            Ok(before) => before,
            Err(e) => return Ok(Err(e.to_string())),
        };
        let parsed = match &before {
            Some(bytes) => serde_json::from_slice(bytes).map_err(|e| format!("{FILE} is not JSON: {e}")),
            None => Ok(json!({})),
        };
        let (mut file, form) = match parsed {
            Ok(Value::Object(file)) => (file, InboxForm::Object),
            // Agents write it as a list of messages too.
            Ok(Value::Array(entries)) => {
                let messages = ("messages".to_string(), Value::Array(entries));
                (Map::from_iter([messages]), InboxForm::List)
            }
            Ok(_) => return Ok(Err(format!("{FILE} holds neither an object nor a list of messages"))),
            Err(why) => return Ok(Err(why)),
        };
        let entries = match file.remove("messages") {
            None => Vec::new(),
            Some(Value::Array(entries)) if entries.len() > MOST_ENTRIES => {
                return Ok(Err(format!("{FILE} holds more than {MOST_ENTRIES} messages")));
            }
            Some(Value::Array(entries)) => entries,
            Some(_) => return Ok(Err(format!("{FILE}: messages is no list"))),
        };
        let complaint = complaint(&entries);
        let messages = Value::Array(self.merge(entries, now)?);
        let after = match form {
            InboxForm::Object => {
                file.entry("v").or_insert(json!(1));
                file.insert("messages".into(), messages);
                Value::Object(file)
            }
            InboxForm::List => messages,
        };
        let after = format!("{after:#}\n");
        if before.as_deref() == Some(after.as_bytes()) {
            return Ok(complaint);
        }
        // What came is safe in the record; that it is not shown here is said.
        Ok(dir.write_atomic(FILE, after).map_err(|e| e.to_string()).and(complaint))
    }

    /// The entries as they are to stand there.
    fn merge(&mut self, entries: Vec<Value>, now: Timestamp) -> Result<Vec<Value>, Error> {
        let carried: HashSet<String> = entries.iter().filter_map(|entry| id(entry).map(String::from)).collect();
        let mut shown: Vec<(Option<String>, Value)> = Vec::new();
        let (mut there, mut read) = (HashMap::new(), Vec::new());
        let mut room = MOST_FOUND;
        for entry in entries {
            let (known, own) = match self.known(&entry, &carried) {
                Some(known) => (Some(known), true),
                None => match found(&entry).filter(|_| room > 0) {
                    Some(found) => {
                        room -= 1;
                        // Of a copy of another entry, what is new in it was not read.
                        (self.take_in(found, now)?, id(&entry).is_none())
                    }
                    None => (None, false),
                },
            };
            if let Some(id) = &known {
                if there.contains_key(id) {
                    continue;
                }
                if own && entry["read"] == true {
                    read.push(id.clone());
                }
                there.insert(id.clone(), shown.len());
            }
            shown.push((known, entry));
        }
        self.mark(&read)?;
        let hidden = self.hidden(now);
        for message in &self.messages {
            match there.get(&message.id) {
                Some(at) => fill(&mut shown[*at].1, message),
                None if hidden.contains(&message.id) => {}
                None => {
                    let mut entry = json!({});
                    fill(&mut entry, message);
                    shown.push((None, entry));
                }
            }
        }
        shown.retain(|(id, _)| id.as_ref().is_none_or(|id| !hidden.contains(id)));
        Ok(shown.into_iter().map(|(_, entry)| entry).collect())
    }

    /// The message that an entry shows. One with the id of another and a text of its own is new, and so is one that says
    /// what an entry said that still stands there.
    fn known(&self, entry: &Value, carried: &HashSet<String>) -> Option<String> {
        let found = found(entry);
        let same = |message: &&InboxMessage| found.as_ref().is_none_or(|found| found.text == cut(&message.message));
        if let Some(message) = id(entry).and_then(|id| self.message(id)).filter(same) {
            return Some(message.id.clone());
        }
        self.found
            .get(&found.as_ref()?.print)
            .filter(|id| !carried.contains(*id))
            .cloned()
    }

    /// Read ones that are old, or that there is no room for.
    fn hidden(&self, now: Timestamp) -> HashSet<String> {
        let (mut read, mut bytes) = (0, 0);
        let beyond = |message: &&InboxMessage| {
            bytes += message.message.len() + 200;
            read += usize::from(message.read);
            let is_old = now.ms_since(message.ts) > READ_DAYS * DAY_MS;
            message.read && (bytes > SHOWN || read > MOST_READ || is_old)
        };
        let newest = self.messages.iter().rev();
        newest.filter(beyond).map(|message| message.id.clone()).collect()
    }
}

/// The first entry that is no message, which would otherwise be passed over without a word.
fn complaint(entries: &[Value]) -> Result<(), String> {
    let is_message = |entry: &Value| entry["message"].is_string() || id(entry).is_some();
    match entries.iter().position(|entry| !is_message(entry)) {
        None => Ok(()),
        Some(at) => Err(format!("{FILE}: entry {} has no text in `message`", at + 1)),
    }
}

fn id(entry: &Value) -> Option<&str> {
    entry["id"].as_str()
}

/// Another number for each change of the file.
pub(super) fn stamp(chat: &Dir) -> u64 {
    let Ok(Some(found)) = chat.metadata(FILE) else {
        return 0;
    };
    let mut stamp = DefaultHasher::new();
    (found.inode, found.len, found.modified).hash(&mut stamp);
    stamp.finish().max(1)
}

/// What a hand-written entry says, if it is a message.
fn found(entry: &Value) -> Option<FoundMessage> {
    let text = |key: &str| entry[key].as_str().unwrap_or_default();
    let message = text("message");
    if message.trim().is_empty() {
        return None;
    }
    let written = text("ts").to_string();
    let is_time = written.len() <= LONGEST_TIME && Timestamp::try_from(written.clone()).is_ok();
    Some(FoundMessage {
        print: print(text("from"), message, &written),
        from: one_line(text("from"), 60),
        text: cut(message).to_string(),
        written: Some(written).filter(|_| is_time),
    })
}

fn cut(message: &str) -> &str {
    let end = (0..=LONGEST.min(message.len()))
        .rev()
        .find(|at| message.is_char_boundary(*at));
    &message[..end.unwrap_or(0)]
}

/// What the record says of a message; other keys stay.
fn fill(entry: &mut Value, message: &InboxMessage) {
    entry["id"] = json!(message.id);
    entry["from"] = json!(message.from);
    if let Some(chat) = &message.sender {
        entry["chat"] = json!(chat);
    }
    match message.unverified {
        true => entry["unverified"] = json!(true),
        false => drop(entry.as_object_mut().map(|entry| entry.remove("unverified"))),
    }
    entry["message"] = json!(message.message);
    entry["read"] = json!(message.read);
    entry["ts"] = json!(message.when());
}
