//! Changing a record: read, changed and replaced while nobody else does the same.

use std::sync::atomic::Ordering;

use super::create::text;
use super::load::read_record;
use super::{Error, Home};
use crate::model::chat::{Directory, UNNAMED};
use crate::model::{Chat, ChatId, Handle, Kind, Record};

impl Home {
    /// Changes a record as it is on disk at this moment, and loads the chat again. It is safe on disk on return.
    pub fn change(&self, id: &ChatId, with: impl FnOnce(&mut Record)) -> Result<Chat, Error> {
        let _records = self.lock();
        self.change_locked(id, with)
    }

    /// What a person has written and not sent. One that takes the place of another does so only while that stands there.
    pub fn draft(&self, id: &ChatId, text: String, instead_of: Option<&str>) -> Result<Chat, Error> {
        self.change(id, |record| {
            if instead_of.is_none_or(|before| record.set.draft == before) {
                record.set.draft = text;
            }
        })
    }

    /// A new name. The handle follows it where the old one came from the old name.
    pub fn rename(&self, id: &ChatId, name: &str) -> Result<Chat, Error> {
        self.name_as(id, |_| Some(name))
    }

    /// Names a chat that nobody has named yet.
    pub fn name(&self, id: &ChatId, name: &str) -> Result<Chat, Error> {
        self.name_as(id, |before| before.is_unnamed().then_some(name))
    }

    fn name_as<'n>(&self, id: &ChatId, name: impl FnOnce(&Record) -> Option<&'n str>) -> Result<Chat, Error> {
        let _records = self.lock();
        let before = read_record(&self.record_dir(id)?, id)?;
        let Some(name) = name(&before) else {
            return self.load(id);
        };
        let is_of_none = before.handle.is_made_of(UNNAMED);
        let followed = Handle::from_name(&before.name).is_some_and(|from_name| {
            before.handle == from_name || before.handle.as_str().starts_with(&format!("{from_name}-"))
        });
        let handle = match Handle::from_name(name).filter(|_| followed || is_of_none) {
            Some(wished) => self.free_handle(id, wished)?,
            None => before.handle.clone(),
        };
        self.change_locked(id, |record| {
            record.name = name.to_string();
            if handle != before.handle {
                let earlier = match is_of_none {
                    true => &mut record.origin.formerly,
                    false => &mut record.origin.before_renaming,
                };
                *earlier = Some(before.handle);
            }
            record.handle = handle;
        })
    }

    /// Notes a directory as opened, in the place of one of the same name. A person's own that is linked stays noted, under
    /// another name: its link is the agent's to remove, and the mode that it has is not.
    pub fn add_directory(&self, id: &ChatId, directory: Directory) -> Result<Chat, Error> {
        self.change(id, |record| {
            let taken = |name: &str| record.dirs.iter().any(|known| known.name == name);
            let other = (2..).map(|number| format!("{}-{number}", directory.name));
            let free = other.into_iter().find(|name| !taken(name)).unwrap_or_default();
            match record.dirs.iter_mut().find(|known| known.name == directory.name) {
                Some(known) if known.kind == Kind::Local && known.origin != directory.origin => {
                    known.name = free;
                    record.dirs.push(directory);
                }
                Some(known) => *known = directory,
                None => record.dirs.push(directory),
            }
        })
    }

    /// Notes the agent CLI's session id, before it is used. It is the current one from now on.
    pub fn set_session(&self, id: &ChatId, session: &str) -> Result<Chat, Error> {
        self.change(id, |record| {
            record.sessions.retain(|known| known != session);
            record.sessions.push(session.to_string());
        })
    }

    /// Lays skills into a chat that are not there.
    pub fn lay_skills(&self, id: &ChatId, skills: &[(String, Vec<u8>)]) -> Result<(), Error> {
        self.writable()?;
        super::create::lay_skills(&self.chat_dir(id)?, skills)
    }

    pub(super) fn change_locked(&self, id: &ChatId, with: impl FnOnce(&mut Record)) -> Result<Chat, Error> {
        self.writable()?;
        let dir = self.record_dir(id)?;
        let before = read_record(&dir, id)?;
        if before.v > Record::VERSION {
            return Err(Error::Newer {
                path: self.record_path(id).join("chat.json"),
                version: before.v.into(),
            });
        }
        let mut record = before.clone();
        with(&mut record);
        if record != before {
            dir.write_atomic("chat.json", text(&record))?;
            self.changes.fetch_add(1, Ordering::Release);
        }
        self.load(id)
    }

    /// `wished`, with the first number that makes it no other chat's. The caller holds the lock.
    pub(super) fn free_handle(&self, id: &ChatId, wished: Handle) -> Result<Handle, Error> {
        let mut taken = Vec::new();
        for other in self.ids()?.into_iter().filter(|other| other != id) {
            // A chat that cannot be read has no handle that could be looked up either.
            if let Ok(record) = self.record_dir(&other).and_then(|dir| read_record(&dir, &other)) {
                taken.extend(record.handles().cloned());
            }
        }
        let numbered = (2..).map(|number| wished.numbered(number));
        let mut candidates = std::iter::once(wished.clone()).chain(numbered);
        Ok(candidates
            .find(|handle| !handle.is_reserved() && !taken.contains(handle))
            .expect("there are more numbers than chats"))
    }
}
