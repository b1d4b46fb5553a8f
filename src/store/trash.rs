//! Deleting a chat so that it can be undone: `trash/{id}` holds its record, its directory, and when it was deleted.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::home::{SMALL, if_there};
use super::load::read_record;
use super::{Error, Home, atoms, create};
use crate::fs::Dir;
use crate::model::{Chat, ChatId, Record, Timestamp};

const NOTE: &str = "trash.json";

/// What the name of a chat in `staging/` begins with that is on its way out.
const PURGED: &str = "purged-";

/// So long a deleted chat can be brought back.
pub const TRASH_DAYS: u64 = 7;

/// A deleted chat.
#[derive(Clone, Debug, PartialEq)]
pub struct Trashed {
    pub id: ChatId,
    /// `None` where its record cannot be read.
    pub record: Option<Record>,
    /// `None` where the note of it is lost: such a chat is never purged by age.
    pub deleted: Option<Timestamp>,
}

#[derive(Deserialize, Serialize)]
struct Note {
    v: u32,
    deleted: Timestamp,
}

impl Home {
    /// Deletes a chat into the trash. Moving the record decides; the directory follows, at the latest at the next start.
    /// The agent has been stopped before. Where the directory could not follow now, the answer says why.
    pub fn trash_chat(&self, id: &ChatId, now: Timestamp) -> Result<Option<String>, Error> {
        self.writable()?;
        let _records = self.lock();
        let bin = self.note_deletion(id, now)?;
        self.dir
            .rename(Path::new("records").join(id.as_str()), &bin, "record")?;
        Ok(self.follow(id).err().map(|e| e.to_string()))
    }

    /// Makes a chat's place in the trash beforehand. As long as no record lies in it, nothing is deleted.
    pub fn ready_trash(&self, id: &ChatId, now: Timestamp) -> Result<(), Error> {
        self.writable()?;
        let _records = self.lock();
        self.note_deletion(id, now).map(drop)
    }

    fn note_deletion(&self, id: &ChatId, now: Timestamp) -> Result<Dir, Error> {
        self.record_dir(id)?;
        let bin = self.dir.create_dir(bin_of(id))?;
        let note = serde_json::to_string(&Note { v: 1, deleted: now });
        bin.write_atomic(NOTE, note.expect("a note has only text keys"))?;
        Ok(bin)
    }

    /// Undoes a deletion. The directory goes first: cut off between the two, the chat is still deleted.
    pub fn restore(&self, id: &ChatId) -> Result<Chat, Error> {
        self.writable()?;
        let _records = self.lock();
        let bin = if_there(self.dir.dir(bin_of(id)))?;
        let bin = bin.ok_or_else(|| Error::NotInTrash(id.clone()))?;
        let folder = if_there(bin.dir("record"))?.ok_or_else(|| Error::NotInTrash(id.clone()))?;
        if self.dir.metadata(Path::new("records").join(id.as_str()))?.is_some() {
            return Err(Error::Exists(self.record_path(id)));
        }
        if let Ok(mut record) = read_record(&folder, id) {
            let free = self.free_handle(id, record.handle.clone())?;
            let taken = record.port.is_some_and(|port| self.has_port(port));
            if free != record.handle || taken {
                record.handle = free;
                record.port = record.port.filter(|_| !taken);
                folder.write_atomic("chat.json", create::text(&record))?;
            }
        }
        let chat = Path::new("chats").join(id.as_str());
        if bin.metadata("chat")?.is_some() {
            if self.dir.metadata(&chat)?.is_some() {
                return Err(Error::Exists(self.chat_path(id)));
            }
            bin.rename("chat", &self.dir, &chat)?;
        }
        bin.rename("record", &self.dir, Path::new("records").join(id.as_str()))?;
        // Only the note is left, and perhaps what an agent made again after the deletion: that stays for a person.
        if bin.entries(".")?.iter().all(|entry| entry.name == NOTE) {
            self.dir.remove_tree(bin_of(id))?;
        }
        self.load(id)
    }

    /// A deleted chat as it was, and its directory, where that is here.
    pub fn deleted(&self, id: &ChatId) -> Result<(Chat, Option<Dir>), Error> {
        let bin = if_there(self.dir.dir(bin_of(id)))?.ok_or_else(|| Error::NotInTrash(id.clone()))?;
        let folder = if_there(bin.dir("record"))?.ok_or_else(|| Error::NotInTrash(id.clone()))?;
        let dir = if_there(bin.dir("chat"))?;
        let mut chat = self.with_record(Some(&folder), read_record(&folder, id)?);
        chat.work = dir.as_ref().and_then(|dir| atoms::read(dir).ok()).flatten();
        Ok((chat, dir))
    }

    pub fn list_trash(&self) -> Result<Vec<Trashed>, Error> {
        let mut found = Vec::new();
        for id in self.trashed_ids()? {
            match self.in_trash(&id) {
                Ok(trashed) => found.extend(trashed),
                // What cannot be opened keeps none of the others from being listed.
                Err(error) => {
                    tracing::warn!("{} in the trash cannot be read: {error}", id);
                    found.push(Trashed {
                        id,
                        record: None,
                        deleted: None,
                    });
                }
            }
        }
        Ok(found)
    }

    /// `None` where a note has no record: a deletion that never happened.
    fn in_trash(&self, id: &ChatId) -> Result<Option<Trashed>, Error> {
        let Some(bin) = if_there(self.dir.dir(bin_of(id)))? else {
            return Ok(None);
        };
        let folder = if_there(bin.dir("record"))?;
        Ok(folder.map(|folder| Trashed {
            record: read_record(&folder, id).ok(),
            deleted: deleted(&bin),
            id: id.clone(),
        }))
    }

    /// Removes for good what was deleted more than `older` ago, and says what could not be removed.
    pub fn purge_trash(&self, now: Timestamp, older: Duration) -> Result<Vec<String>, Error> {
        self.writable()?;
        let mut kept: Vec<String> = self.finish_purges()?.iter().map(ToString::to_string).collect();
        for trashed in self.list_trash()? {
            let old = trashed
                .deleted
                .is_some_and(|deleted| u128::from(now.ms_since(deleted)) >= older.as_millis());
            if old && let Err(e) = self.purge(&trashed.id) {
                kept.push(e.to_string());
            }
        }
        Ok(kept)
    }

    /// Out of the trash first, in one step: a removal cut off in the middle leaves no half chat to restore.
    pub fn purge(&self, id: &ChatId) -> Result<(), Error> {
        let away = Path::new("staging").join(format!("{PURGED}{id}"));
        {
            let _records = self.lock();
            self.dir.rename(bin_of(id), &self.dir, &away)?;
        }
        Ok(self.dir.remove_tree(&away)?)
    }

    /// Removes what is left of chats whose purge came to no end, and says what is still in the way.
    pub fn finish_purges(&self) -> Result<Vec<Error>, Error> {
        self.writable()?;
        let mut kept = Vec::new();
        for entry in self.dir.entries("staging")? {
            if entry.name.to_string_lossy().starts_with(PURGED) {
                let removed = self.dir.remove_tree(Path::new("staging").join(&entry.name));
                kept.extend(removed.err().map(Error::from));
            }
        }
        Ok(kept)
    }

    /// Moves the directory of a chat whose record is in the trash after it. The caller holds the lock, or is alone.
    pub(super) fn follow(&self, id: &ChatId) -> Result<(), Error> {
        let chat = Path::new("chats").join(id.as_str());
        if self.dir.metadata(&chat)?.is_none() {
            return Ok(());
        }
        let bin = self.dir.dir(bin_of(id))?;
        let mut name = "chat".to_string();
        let mut number = 2;
        // A process that outlived its chat may have made the directory again: both are kept.
        while bin.metadata(&name)?.is_some() {
            name = format!("chat-{number}");
            number += 1;
        }
        Ok(self.dir.rename(chat, &bin, name)?)
    }

    pub(super) fn trashed_ids(&self) -> Result<Vec<ChatId>, Error> {
        let entries = if_there(self.dir.entries("trash"))?.unwrap_or_default();
        let names = entries.iter().filter_map(|entry| entry.name.to_str());
        Ok(names.filter_map(ChatId::parse).collect())
    }
}

pub(super) fn bin_of(id: &ChatId) -> PathBuf {
    Path::new("trash").join(id.as_str())
}

fn deleted(bin: &Dir) -> Option<Timestamp> {
    let bytes = bin.read(NOTE, SMALL).ok()??;
    let note: Note = serde_json::from_slice(&bytes).ok()?;
    Some(note.deleted)
}
