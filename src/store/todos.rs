//! `todos.md` in a chat's directory: a checklist that its agent, a person and any editor may write.

use super::{Error, Home};
use crate::fs::Dir;
use crate::model::todo::{self, TodoChange, Todos};
use crate::model::{Chat, ChatId, Problem};

pub(super) const FILE: &str = "todos.md";
const LARGEST: u64 = 1 << 20;

/// What it holds. One that cannot be read says so, and holds up nothing else of the chat.
pub(super) fn read(chat: &Dir) -> Todos {
    match chat.read(FILE, LARGEST) {
        Ok(bytes) => Todos::parse(&bytes.unwrap_or_default()),
        Err(error) => Todos {
            items: Vec::new(),
            problem: Some(error.to_string()),
        },
    }
}

impl Home {
    /// Changes the list as it is on disk at this moment, all of the changes or none, and loads the chat again.
    pub fn change_todos(&self, id: &ChatId, changes: &[TodoChange]) -> Result<Result<Chat, Problem>, Error> {
        self.writable()?;
        let _todos = self.atoms.lock();
        let dir = self.chat_dir(id)?;
        let before = dir.read(FILE, LARGEST)?.unwrap_or_default();
        let after = match todo::change(&before, changes) {
            Ok(after) => after,
            Err(problem) => return Ok(Err(problem)),
        };
        if after != before {
            dir.write_atomic(FILE, &after)?;
        }
        Ok(Ok(self.load(id)?))
    }
}
