//! Which chat a directory is bound to: one file a directory in `dirs/`, found by a hash of its path, without a scan. Beside
//! them stands which chat the last query was in.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::load::read_record;
use super::{Error, Home};
use crate::fs::Dir;
use crate::model::role::ORCHESTRATOR;
use crate::model::talk::TalkOrigin;
use crate::model::{ChatId, Timestamp};

const FOLDER: &str = "dirs";
const LAST_QUERY: &str = "dirs/last-query.json";
const LARGEST: u64 = 4 << 10;
const VERSION: u32 = 1;

/// What the file of a directory says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirBinding {
    version: u32,
    dir_hash: String,
    #[serde(rename = "chat_id")]
    pub chat: ChatId,
    /// The chat that orchestrates the work on it. It stays when the directory gets another conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<ChatId>,
    /// It was bound by a query or a shell alone, which is not for the screen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    asked: bool,
    /// The chat that it was bound to before those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    before: Option<ChatId>,
    pub updated: Timestamp,
}

impl DirBinding {
    /// The chat that a screen shows here: none that a question from the shell has made.
    pub fn shown(&self) -> Option<&ChatId> {
        match self.asked {
            true => self.before.as_ref(),
            false => Some(&self.chat),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct LastQuery {
    version: u32,
    chat_id: ChatId,
    updated: Timestamp,
}

/// What is needed here of a record: it is read by whoever has no home open.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct BoundRecord {
    pub handle: String,
    #[serde(default)]
    pub llm: String,
    #[serde(default)]
    pub role: Option<String>,
    pub created: Timestamp,
    #[serde(flatten)]
    origin: TalkOrigin,
}

/// A chat that a directory is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundChat {
    Here(BoundRecord),
    /// It was deleted, and can be brought back.
    InTrash(BoundRecord),
    Gone,
}

impl BoundChat {
    pub fn record(&self) -> Option<&BoundRecord> {
        match self {
            BoundChat::Here(record) | BoundChat::InTrash(record) => Some(record),
            BoundChat::Gone => None,
        }
    }
}

impl Home {
    /// From now on this directory is the chat's. It is safe on disk on return.
    pub fn bind(&self, dir: &Path, chat: &ChatId, now: Timestamp) -> Result<(), Error> {
        let main = self.main_beside(dir, chat)?;
        self.keep_binding(&binding_of(dir, chat, main, now))
    }

    /// A query of this directory was answered in the chat. It is safe on disk on return.
    pub fn bind_asked(&self, dir: &Path, chat: &ChatId, now: Timestamp) -> Result<(), Error> {
        let main = self.main_beside(dir, chat)?;
        let before = binding_in(&self.dir, dir).ok().flatten();
        let binding = DirBinding {
            asked: true,
            before: before.and_then(|before| before.shown().cloned()),
            ..binding_of(dir, chat, main, now)
        };
        self.keep_binding(&binding)
    }

    /// The orchestrator of a directory that is to be bound to this chat.
    fn main_beside(&self, dir: &Path, chat: &ChatId) -> Result<Option<ChatId>, Error> {
        self.writable()?;
        let record = read_record(&self.record_dir(chat)?, chat)?;
        Ok(match record.role.as_deref() == Some(ORCHESTRATOR) {
            true => Some(chat.clone()),
            // A file that cannot be read says nothing of another one.
            false => binding_in(&self.dir, dir)
                .ok()
                .flatten()
                .and_then(|before| main_of(&self.dir, &before)),
        })
    }

    /// From now on this directory has no conversation, or that of its orchestrator.
    pub fn unbind(&self, dir: &Path, now: Timestamp) -> Result<(), Error> {
        self.writable()?;
        let before = binding_in(&self.dir, dir)?;
        let main = before.as_ref().and_then(|before| main_of(&self.dir, before));
        match main.filter(|main| before.is_some_and(|before| before.chat != *main)) {
            Some(main) => self.keep_binding(&binding_of(dir, &main.clone(), Some(main), now)),
            None => match self.dir.remove_for_good(file(&hash(dir))) {
                Err(error) if !error.is_missing() => Err(error.into()),
                Ok(()) | Err(_) => Ok(()),
            },
        }
    }

    fn keep_binding(&self, binding: &DirBinding) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(binding).expect("a binding has only text keys");
        self.dir.create_dir(FOLDER)?;
        Ok(self.dir.write_atomic(file(&binding.dir_hash), format!("{text}\n"))?)
    }

    /// The last query was in this chat.
    pub fn note_query(&self, chat: &ChatId, now: Timestamp) -> Result<(), Error> {
        self.writable()?;
        let last = LastQuery {
            version: VERSION,
            chat_id: chat.clone(),
            updated: now,
        };
        let text = serde_json::to_string_pretty(&last).expect("it has only text keys");
        self.dir.create_dir(FOLDER)?;
        Ok(self.dir.write_atomic(LAST_QUERY, format!("{text}\n"))?)
    }
}

fn binding_of(dir: &Path, chat: &ChatId, main: Option<ChatId>, now: Timestamp) -> DirBinding {
    DirBinding {
        version: VERSION,
        dir_hash: hash(dir),
        chat: chat.clone(),
        main,
        asked: false,
        before: None,
        updated: now,
    }
}

/// What a directory is bound to. It is asked from the shell, where nobody has the home open, and changes nothing.
pub fn binding(home: &Path, dir: &Path) -> Result<Option<DirBinding>, Error> {
    opened(home)?.map_or(Ok(None), |home| binding_in(&home, dir))
}

/// The chat that orchestrates the work on a directory.
pub fn bound_main(home: &Path, dir: &Path) -> Result<Option<ChatId>, Error> {
    let Some(home) = opened(home)? else {
        return Ok(None);
    };
    Ok(binding_in(&home, dir)?.and_then(|binding| main_of(&home, &binding)))
}

/// What there is of a chat that something is bound to.
pub fn bound_chat(home: &Path, chat: &ChatId) -> Result<BoundChat, Error> {
    opened(home)?.map_or(Ok(BoundChat::Gone), |home| chat_in(&home, chat))
}

/// The chat of the last query, wherever it was made.
pub fn last_query(home: &Path) -> Result<Option<ChatId>, Error> {
    let Some(home) = opened(home)? else {
        return Ok(None);
    };
    let last: Option<LastQuery> = read(&home, Path::new(LAST_QUERY), LARGEST)?;
    Ok(last.map(|last| last.chat_id))
}

/// How many messages a chat's conversation has, of its person and of its agent, without those that a revert has hidden.
pub fn count_messages(home: &Path, chat: &ChatId, record: &BoundRecord) -> Result<u64, Error> {
    let Some(home) = opened(home)? else {
        return Ok(0);
    };
    let events = Path::new("records").join(chat.as_str()).join(super::line::EVENTS);
    let Some(file) = home.open_file(&events)? else {
        return Ok(0);
    };
    super::messages::count(&file, &record.origin.went_back.hidden).map_err(|source| Error::Io {
        doing: "reading",
        path: home.path().join(&events),
        source,
    })
}

fn opened(home: &Path) -> Result<Option<Dir>, Error> {
    super::home::if_there(Dir::open(home))
}

fn binding_in(home: &Dir, dir: &Path) -> Result<Option<DirBinding>, Error> {
    read(home, &file(&hash(dir)), LARGEST)
}

/// Before it was written down, the orchestrator of a directory was the chat that it was bound to.
fn main_of(home: &Dir, binding: &DirBinding) -> Option<ChatId> {
    if binding.main.is_some() {
        return binding.main.clone();
    }
    let found = chat_in(home, &binding.chat).ok()?;
    let is_main = found.record()?.role.as_deref() == Some(ORCHESTRATOR);
    is_main.then(|| binding.chat.clone())
}

fn chat_in(home: &Dir, chat: &ChatId) -> Result<BoundChat, Error> {
    let here = Path::new("records").join(chat.as_str()).join("chat.json");
    if let Some(record) = read(home, &here, super::load::LARGEST)? {
        return Ok(BoundChat::Here(record));
    }
    let trashed = super::trash::bin_of(chat).join("record/chat.json");
    let record = read(home, &trashed, super::load::LARGEST)?;
    Ok(record.map_or(BoundChat::Gone, BoundChat::InTrash))
}

/// `None` where it is missing. What cannot be read is an error: nothing else is taken for it.
fn read<T: serde::de::DeserializeOwned>(home: &Dir, file: &Path, most: u64) -> Result<Option<T>, Error> {
    let bytes = match home.read(file, most) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Ok(None),
        Err(error) if error.is_missing() => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let read = serde_json::from_slice(&bytes).map_err(|error| Error::Damaged {
        path: home.path().join(file),
        why: error.to_string(),
    })?;
    Ok(Some(read))
}

fn file(hash: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{hash}.json"))
}

/// By its real path where it has one, else by the path as it is written.
fn hash(dir: &Path) -> String {
    let path: PathBuf = dir
        .canonicalize()
        .or_else(|_| std::path::absolute(dir))
        .unwrap_or_else(|_| dir.to_path_buf());
    data_encoding::HEXLOWER.encode(&Sha256::digest(path.as_os_str().as_encoded_bytes()))
}
