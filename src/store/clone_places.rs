//! Whether a directory lies in the clone of a chat, and what that was cloned from: read from the record, which its agent
//! cannot change.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::load::LARGEST;
use crate::fs::Dir;
use crate::model::chat::Directory;

/// A directory in `projects` of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginOfClone {
    pub name: String,
    /// Absent if the record is gone, or does not have it: somebody cloned it there without parlour.
    pub origin: Option<String>,
    /// Where in the clone the directory is; empty for the clone itself.
    pub below: PathBuf,
}

#[derive(Deserialize)]
struct OpenedIn {
    #[serde(default)]
    dirs: Vec<Directory>,
}

/// The clone around a directory. It is asked from the shell, where nobody has the home open, and changes nothing.
pub fn clone_place(home: &Path, dir: &Path) -> Option<OriginOfClone> {
    let (own, dir) = (home.canonicalize().ok()?, dir.canonicalize().ok()?);
    let mut parts = dir.strip_prefix(own.join("chats")).ok()?.iter();
    let (chat, projects, name) = (parts.next()?, parts.next()?, parts.next()?);
    if projects != "projects" {
        return None;
    }
    let name = name.to_str()?.to_owned();
    let origin = || {
        let record = Path::new("records").join(chat).join("chat.json");
        let record = Dir::open(&own).ok()?.read(record, LARGEST).ok()??;
        let opened: OpenedIn = serde_json::from_slice(&record).ok()?;
        let found = opened.dirs.into_iter().find(|opened| opened.name == name);
        found.map(|found| found.origin)
    };
    let (origin, below) = (origin(), parts.collect());
    Some(OriginOfClone { name, origin, below })
}
