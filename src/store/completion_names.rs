//! What there is to be named on a command line, read from a home as it lies there: nothing is opened, made or fixed.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::load::LARGEST;
use crate::fs::{Dir, DirEntry};

/// Something that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionNames {
    pub id: String,
    /// What it goes by.
    pub word: String,
    /// What a person calls it.
    pub title: String,
}

#[derive(Deserialize)]
struct Called {
    id: String,
    #[serde(default)]
    handle: Option<String>,
    name: String,
}

/// The chats of a home. What cannot be read is left out.
pub fn chats_named(home: &Path) -> Vec<CompletionNames> {
    each(home, "records", |folder| Some(folder.join("chat.json")))
}

/// The chats in its trash.
pub fn deleted_named(home: &Path) -> Vec<CompletionNames> {
    each(home, "trash", |folder| Some(folder.join("record/chat.json")))
}

/// Its schedules.
pub fn schedules_named(home: &Path) -> Vec<CompletionNames> {
    each(home, "schedules", |file| {
        (file.extension()? == "json").then(|| file.to_path_buf())
    })
}

fn each(home: &Path, folder: &str, file: fn(&Path) -> Option<PathBuf>) -> Vec<CompletionNames> {
    let Ok(home) = Dir::open(home) else {
        return Vec::new();
    };
    let read = |entry: DirEntry| {
        let file = file(&Path::new(folder).join(&entry.name))?;
        let called: Called = serde_json::from_slice(&home.read(file, LARGEST).ok()??).ok()?;
        Some(CompletionNames {
            word: called.handle.unwrap_or_else(|| called.name.clone()),
            id: called.id,
            title: called.name,
        })
    };
    let entries = home.entries(folder).unwrap_or_default().into_iter();
    let mut all: Vec<CompletionNames> = entries.filter_map(read).collect();
    all.sort_by(|one, other| one.word.cmp(&other.word));
    all
}
