//! The store over real directories: what is shared by its tests.

mod approved;
mod atoms;
mod bindings;
mod chats;
mod checkouts;
mod checkpoints;
mod inbox;
mod instructions;
mod kept_output;
mod pages;
mod ports;
mod preferences;
mod reviewed;
mod schedules;
mod transcript;
mod trash;
mod unfinished;
mod watching;
mod written_on;

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::*;
use crate::model::{ChatId, Happened, Timestamp};

const NOW: Timestamp = Timestamp(1_771_146_000_000);

struct StoreStage {
    folder: tempfile::TempDir,
    home: Home,
}

fn place() -> StoreStage {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open(&folder.path().join("home")).unwrap();
    StoreStage { folder, home }
}

impl StoreStage {
    /// As after the end of the engine.
    fn reopened(self) -> StoreStage {
        let home = Home::open(self.home.path()).unwrap();
        StoreStage { home, ..self }
    }

    fn chat(&self, name: &str, bits: u64) -> ChatId {
        let chat = self.home.create(creation(name, bits)).unwrap();
        chat.record.id
    }
}

fn creation(name: &str, bits: u64) -> ChatCreation {
    ChatCreation::bare(ChatId::from_bits(bits), name, "demo", NOW)
}

fn said(text: &str) -> Happened {
    Happened::Text {
        id: "m1".into(),
        text: text.into(),
    }
}

fn prompt(text: &str) -> Happened {
    Happened::Prompt {
        id: "p1".into(),
        text: text.into(),
        from: crate::model::entry::From::Person,
        sender: None,
        checkpoint: None,
        key: String::new(),
        steer: false,
    }
}

/// Every path beneath, with its mode and what it holds or points to.
fn manifest(root: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = std::fs::symlink_metadata(&path).unwrap();
            let holds = if meta.is_symlink() {
                std::fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else if meta.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                std::fs::read(&path).unwrap()
            };
            let name = path.strip_prefix(root).unwrap().display().to_string();
            found.insert(name, (meta.mode(), holds));
        }
    }
    found
}
