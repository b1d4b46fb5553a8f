//! How a chat comes into being: built aside, then moved into place, its record last.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::agents_md::{self, Block};
use super::load::ROLE;
use super::{Error, Home, Surroundings, todos};
use crate::fs::Dir;
use crate::model::{Chat, ChatId, Declared, DirectoryPlace, Handle, Record, Role, Timestamp};

/// Files by their paths in a chat.
type Templates = [(PathBuf, Vec<u8>)];

/// What parlour makes in a chat itself: no template goes there.
const OWN: [&str; 5] = ["projects", "molecules", "skills", "inbox.json", "status.json"];

/// A chat to be.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatCreation {
    pub id: ChatId,
    pub name: String,
    /// What the shell calls it; from its name where absent. A number is added where it is taken.
    pub handle: Option<Handle>,
    pub llm: String,
    pub role: Option<Role>,
    pub parent: Option<ChatId>,
    pub schedule: Option<String>,
    pub disabled_servers: Vec<String>,
    /// How many projects are opened in it before its agent starts: until then it is unfinished.
    pub to_open: usize,
    pub created: Timestamp,
    /// Files that its agent CLI is to find, by their paths in the chat.
    pub templates: Vec<(PathBuf, Vec<u8>)>,
    pub around: Surroundings,
    /// Name and text of each skill that it is to find.
    pub skills: Vec<(String, Vec<u8>)>,
}

#[cfg(test)]
impl ChatCreation {
    /// A chat of no project, of which nothing special is wanted.
    pub fn bare(id: ChatId, name: impl Into<String>, llm: &str, created: Timestamp) -> ChatCreation {
        ChatCreation {
            id,
            name: name.into(),
            handle: None,
            llm: llm.into(),
            role: None,
            parent: None,
            schedule: None,
            disabled_servers: Vec::new(),
            to_open: 0,
            created,
            templates: Vec::new(),
            around: Surroundings::default(),
            skills: Vec::new(),
        }
    }
}

impl Home {
    /// Makes a chat. Nothing of it is seen before all of it is there: its directory is moved into place first, its
    /// record decides. A crash between the two is undone by [`Home::settle`].
    pub fn create(&self, creation: ChatCreation) -> Result<Chat, Error> {
        self.writable()?;
        let _records = self.lock();
        let id = creation.id.clone();
        for taken in ["records", "chats", "trash", "staging"] {
            let path = Path::new(taken).join(id.as_str());
            if self.dir.metadata(&path)?.is_some() {
                return Err(Error::Exists(self.path().join(path)));
            }
        }
        let (around, templates) = (creation.around.clone(), creation.templates.clone());
        let (role, skills) = (creation.role.clone(), creation.skills.clone());
        let record = self.record_of(creation)?;
        let staged = self.dir.create_new_dir(Path::new("staging").join(id.as_str()))?;
        let built = self
            .build(&staged, &record, role.as_ref(), &around, &templates)
            .and_then(|()| lay_skills(&staged.dir("chat")?, &skills))
            .and_then(|()| self.appear(&staged, &id));
        // What is left of a failed birth must not keep the name; what cannot be removed now is at the next start.
        let removed = self.dir.remove_tree(Path::new("staging").join(id.as_str()));
        built?;
        removed?;
        self.load(&id)
    }

    /// Gives a chat whose directory vanished an empty one.
    pub fn recreate(&self, id: &ChatId, around: &Surroundings, templates: &Templates) -> Result<Chat, Error> {
        self.writable()?;
        let _records = self.lock();
        let chat = self.load(id)?;
        if chat.place == DirectoryPlace::Here {
            return Err(Error::Exists(self.chat_path(id)));
        }
        let staged = self.dir.create_dir(Path::new("staging").join(id.as_str()))?;
        staged.remove_tree("chat")?;
        let role = chat.record.role.as_deref();
        furnish(&staged, role, &Block::of(&chat, around), templates)?;
        staged.rename("chat", &self.dir, Path::new("chats").join(id.as_str()))?;
        self.dir.remove_tree(Path::new("staging").join(id.as_str()))?;
        self.load(id)
    }

    fn record_of(&self, creation: ChatCreation) -> Result<Record, Error> {
        let wished = creation.handle.or_else(|| Handle::from_name(&creation.name));
        let wished = wished.ok_or_else(|| Error::NoHandle(creation.name.clone()))?;
        let handle = self.free_handle(&creation.id, wished)?;
        let named = (creation.name, handle);
        Ok(Record {
            role: creation.role.map(|role| role.name),
            parent: creation.parent,
            schedule: creation.schedule,
            to_open: creation.to_open,
            disabled_servers: creation.disabled_servers,
            ..Record::new(creation.id, named, &creation.llm, creation.created)
        })
    }

    fn build(
        &self,
        staged: &Dir,
        record: &Record,
        role: Option<&Role>,
        around: &Surroundings,
        templates: &Templates,
    ) -> Result<(), Error> {
        let block = Block {
            chat: record.name.clone(),
            handle: record.handle.to_string(),
            directories: Vec::new(),
            role: agents_md::role_text(role, around),
            around: around.clone(),
            so_far: None,
        };
        furnish(staged, record.role.as_deref(), &block, templates)?;
        let folder = staged.create_dir("record")?;
        if let Some(role) = role {
            let text = serde_json::to_string_pretty(role).expect("a role has only text keys");
            folder.write_atomic(ROLE, format!("{text}\n"))?;
        }
        folder.write_atomic("chat.json", self::text(record))?;
        Ok(staged.sync()?)
    }

    fn appear(&self, staged: &Dir, id: &ChatId) -> Result<(), Error> {
        let chat = Path::new("chats").join(id.as_str());
        staged.rename("chat", &self.dir, &chat)?;
        let decided = staged.rename("record", &self.dir, Path::new("records").join(id.as_str()));
        if decided.is_err() {
            // Out again, so that the name is free; where even that fails, `settle` does it.
            self.dir.rename(&chat, staged, "chat").ok();
        }
        Ok(decided?)
    }
}

/// The directory of a chat as its agent first finds it, built as `chat`.
fn furnish(staged: &Dir, role: Option<&str>, block: &Block, templates: &Templates) -> Result<(), Error> {
    let chat = staged.create_dir("chat")?;
    for (path, bytes) in templates {
        lay(&chat, path, bytes)?;
    }
    for folder in ["molecules", "skills", "projects"] {
        chat.create_dir(folder)?;
    }
    let json = |value: serde_json::Value| format!("{value:#}\n");
    chat.write_atomic("inbox.json", json(json!({ "v": 1, "messages": [] })))?;
    let Declared { status, .. } = Declared::at_first(role);
    chat.write_atomic("status.json", json(json!({ "v": 1, "status": status })))?;
    if chat.metadata(todos::FILE)?.is_none() {
        chat.write_atomic(todos::FILE, "")?;
    }
    agents_md::write(&chat, block)?;
    Ok(chat.sync()?)
}

/// Lays skills into a chat where they are missing: what stands there may be the agent's or a person's own by now.
pub(super) fn lay_skills(chat: &Dir, skills: &[(String, Vec<u8>)]) -> Result<(), Error> {
    let folder = chat.create_dir("skills")?;
    for (name, text) in skills {
        let file = format!("{name}.md");
        if folder.metadata(&file)?.is_none() {
            folder.write_atomic(&file, text)?;
        }
    }
    Ok(())
}

/// Lays a template into a new chat, unless it would lie where parlour's own files are.
fn lay(chat: &Dir, path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let first = path.components().next();
    let is_own = |name: &&str| first.is_some_and(|first| first.as_os_str().eq_ignore_ascii_case(name));
    if OWN.iter().any(is_own) {
        return Ok(());
    }
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        chat.create_dir(parent)?;
    }
    Ok(chat.write_atomic(path, bytes)?)
}

/// `chat.json` as it is written: for people too.
pub(super) fn text(record: &Record) -> String {
    let text = serde_json::to_string_pretty(record).expect("a record has only text keys");
    format!("{text}\n")
}
