//! Which chat a directory is bound to: one file a directory in `dirs/`, found by a hash of its path, without a scan.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Error, Home};
use crate::fs::Dir;
use crate::model::{ChatId, Timestamp};

const LARGEST: u64 = 4 << 10;
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Binding {
    version: u32,
    dir_hash: String,
    chat_id: ChatId,
    updated: Timestamp,
}

/// What is needed of a record here.
#[derive(Deserialize)]
struct BoundRecord {
    #[serde(default)]
    role: Option<String>,
}

/// A chat that a directory is bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundChat {
    pub chat: ChatId,
    pub role: Option<String>,
    /// It was deleted, and can be brought back.
    pub in_trash: bool,
}

impl Home {
    /// From now on this directory is the chat's. It is safe on disk on return.
    pub fn bind(&self, dir: &Path, chat: &ChatId, now: Timestamp) -> Result<(), Error> {
        self.writable()?;
        let hash = hash(dir);
        let binding = Binding {
            version: VERSION,
            dir_hash: hash.clone(),
            chat_id: chat.clone(),
            updated: now,
        };
        let text = serde_json::to_string_pretty(&binding).expect("a binding has only text keys");
        let folder = self.dir.create_dir("dirs")?;
        Ok(folder.write_atomic(format!("{hash}.json"), format!("{text}\n"))?)
    }
}

/// The chat that a directory is bound to, where there still is anything of it. It is asked from the shell, where nobody
/// has the home open, and changes nothing.
pub fn bound(home: &Path, dir: &Path) -> Option<BoundChat> {
    let home = Dir::open(home).ok()?;
    let file = Path::new("dirs").join(format!("{}.json", hash(dir)));
    let binding: Binding = serde_json::from_slice(&home.read(file, LARGEST).ok()??).ok()?;
    let chat = binding.chat_id;
    let here = Path::new("records").join(chat.as_str());
    let trashed = super::trash::bin_of(&chat).join("record");
    [(here, false), (trashed, true)]
        .into_iter()
        .find_map(|(folder, in_trash)| {
            let record = home.read(folder.join("chat.json"), super::load::LARGEST).ok()??;
            let part: BoundRecord = serde_json::from_slice(&record).ok()?;
            Some(BoundChat {
                chat: chat.clone(),
                role: part.role,
                in_trash,
            })
        })
}

/// By its real path where it has one, else by the path as it is written.
fn hash(dir: &Path) -> String {
    let path: PathBuf = dir
        .canonicalize()
        .or_else(|_| std::path::absolute(dir))
        .unwrap_or_else(|_| dir.to_path_buf());
    data_encoding::HEXLOWER.encode(&Sha256::digest(path.as_os_str().as_encoded_bytes()))
}
