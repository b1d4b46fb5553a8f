//! What somebody asks for who wants a chat: a person at a shell or a screen, an agent, a schedule.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::open_dir::OpenDir;
use super::{ChatId, PermissionProfile, atom};

/// A chat to be made. Its agent starts in the environment of whoever asked.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewChat {
    pub name: Option<String>,
    pub prompt: Option<String>,
    /// Its sender's own name for the prompt, as of [`ChatRequest::Send`](super::request::ChatRequest::Send).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub prompt_id: String,
    pub llm: Option<String>,
    /// Somebody waits for the answer to its prompt: neither the demo's script stands in for that where no agent CLI is there,
    /// nor is it a CLI that nobody can ask.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub wants_answer: bool,
    pub role: Option<String>,
    pub dirs: Vec<OpenDir>,
    pub without_mcp: Vec<String>,
    /// What its agent does unasked; for a person alone to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permissions: Option<PermissionProfile>,
    /// The chat that it is put below.
    pub parent: Option<ChatId>,
    /// As of a prompt that is sent (`ChatRequest::Send`). What an agent makes is below its own chat, and within its limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender: Option<ChatId>,
    /// The directory that it is bound to.
    #[serde(with = "super::path_text::option", default)]
    pub bind: Option<PathBuf>,
    #[serde(with = "super::path_text")]
    pub cwd: PathBuf,
    pub env: BTreeMap<String, String>,
    /// Only a person at a screen hands work out like this: it never comes over the wire.
    #[serde(skip)]
    pub handed: Option<Handed>,
    /// What its maker is to know of the directories that are open already.
    #[serde(skip)]
    pub notes: Option<Box<OpeningNotes>>,
}

/// A line for each directory of which there is something to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningNotes(pub Vec<String>);

/// A new chat is put below another one, and takes on an atom of their tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handed {
    pub parent: ChatId,
    pub atom: atom::AtomKey,
}

/// The environment holds a person's credentials: it is never printed.
impl std::fmt::Debug for NewChat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewChat")
            .field("name", &self.name)
            .field("llm", &self.llm)
            .field("dirs", &self.dirs)
            .finish_non_exhaustive()
    }
}
