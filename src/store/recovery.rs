//! After a start: what a crash cut off is finished or undone, so that no half thing is ever shown.

use std::ffi::OsString;
use std::path::Path;

use super::home::if_there;
use super::trash::bin_of;
use super::{Error, Home};
use crate::model::ChatId;

/// What settling found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// What was finished, undone, or could not be, in words.
    pub said: Vec<String>,
    /// What lay in `staging/`: nobody's. Removing it may take long, see [`Home::sweep`].
    pub leftovers: Vec<OsString>,
}

impl Home {
    /// Finishes deletions, undoes births, and lists what else was left. Renames only, so it is quick. To be called once,
    /// by whoever holds the engine's lock, before anything else is done in this home.
    pub fn settle(&self) -> Result<Recovered, Error> {
        self.writable()?;
        let _records = self.lock();
        let mut recovered = Recovered::default();
        for id in self.trashed_ids()? {
            match self.finish_deletion(&id) {
                Ok(None) => {}
                Ok(Some(done)) => recovered.said.push(done),
                Err(e) => recovered.said.push(format!("finishing the deletion of {id}: {e}")),
            }
        }
        for entry in self.dir.entries("staging")? {
            if let Some(id) = entry.name.to_str().and_then(ChatId::parse) {
                match self.undo_creation(&id) {
                    Ok(None) => {}
                    Ok(Some(done)) => recovered.said.push(done),
                    Err(e) => recovered.said.push(format!("undoing the making of {id}: {e}")),
                }
            }
            recovered.leftovers.push(entry.name);
        }
        Ok(recovered)
    }

    /// Removes leftovers, and says which would not go.
    pub fn sweep(&self, leftovers: &[OsString]) -> Vec<String> {
        let remove = |name: &OsString| self.dir.remove_tree(Path::new("staging").join(name));
        let failed = leftovers.iter().filter_map(|name| remove(name).err());
        failed.map(|e| e.to_string()).collect()
    }

    /// A record in the trash means deleted, wherever the directory still is.
    fn finish_deletion(&self, id: &ChatId) -> Result<Option<String>, Error> {
        let recorded = self.dir.metadata(Path::new("records").join(id.as_str()))?.is_some();
        let trashed = self.dir.metadata(bin_of(id).join("record"))?.is_some();
        let here = self.dir.metadata(Path::new("chats").join(id.as_str()))?.is_some();
        if trashed && here && !recorded {
            self.follow(id)?;
            return Ok(Some(format!("the deletion of {id} was finished")));
        }
        let bin = self.dir.entries(bin_of(id))?;
        if !trashed && bin.iter().all(|entry| entry.name == "trash.json") {
            self.dir.remove_tree(bin_of(id))?;
        }
        Ok(None)
    }

    /// A staged record whose directory is in place already: the chat was never seen, its directory goes back.
    fn undo_creation(&self, id: &ChatId) -> Result<Option<String>, Error> {
        let staged = self.dir.dir(Path::new("staging").join(id.as_str()))?;
        let recorded = self.dir.metadata(Path::new("records").join(id.as_str()))?.is_some();
        let chat = Path::new("chats").join(id.as_str());
        let placed = if_there(self.dir.dir(&chat))?.is_some();
        let half = staged.metadata("record")?.is_some() && staged.metadata("chat")?.is_none();
        if recorded || !placed || !half {
            return Ok(None);
        }
        self.dir.rename(&chat, &staged, "chat")?;
        Ok(Some(format!(
            "the chat {id} was not made to its end; what there was of it is removed"
        )))
    }
}
