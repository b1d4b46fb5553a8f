//! A chat in the trash, as it is listed.

use serde::{Deserialize, Serialize};

use super::{ChatId, Handle, Timestamp};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deleted {
    pub id: ChatId,
    /// `None` of all that its record says, where that cannot be read.
    pub handle: Option<Handle>,
    pub name: Option<String>,
    pub projects: Option<Vec<String>>,
    /// `None` where the note of it is lost: such a chat is kept until somebody removes it.
    pub deleted: Option<Timestamp>,
    /// When it is removed for good.
    pub until: Option<Timestamp>,
    /// What it takes on disk.
    #[serde(default)]
    pub bytes: u64,
}

impl Deleted {
    /// Its name; its id where its record cannot be read.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(self.id.as_str())
    }
}
