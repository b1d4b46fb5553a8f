//! The home: one directory that holds all of parlour, and the layout of its top level.

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};

use super::Error;
use crate::fs::{self, Dir, DirEntryKind};
use crate::model::ChatId;

/// The version of the layout that this parlour writes.
const VERSION: u64 = 1;
/// A small file of ours; one that grew beyond this is damaged.
pub(super) const SMALL: u64 = 1 << 20;

/// What lies directly in a home.
pub const FOLDERS: [&str; 12] = [
    "chats",
    "records",
    "bare",
    "trash",
    "staging",
    "run",
    "project-setup",
    "cache",
    "schedules",
    "dirs",
    "llm-defaults",
    "themes",
];

/// Those between which something is moved by one rename.
const MOVED_BETWEEN: [&str; 4] = ["chats", "records", "trash", "staging"];

/// Whether this home may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    Writable,
    /// A newer parlour made it: what it holds is shown, nothing is changed.
    ReadOnly {
        version: u64,
    },
}

/// What was missing of a home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repaired {
    Nothing,
    Folders,
}

/// An open home. Its parts are reached by handle, so a home that is moved stays this home.
#[derive(Debug)]
pub struct Home {
    path: PathBuf,
    pub(super) dir: Dir,
    pub access: Access,
    /// Held while a record is read, changed and written back, and while a handle is chosen.
    records: Mutex<()>,
    /// How often one was changed since this home was opened.
    pub(super) changes: AtomicU64,
    /// Held while a work graph is read, changed and written back.
    pub(super) atoms: Mutex<()>,
}

impl Home {
    /// Opens the home at `path` and makes what is missing of its layout. Whoever holds the engine's lock calls
    /// [`Home::settle`] next.
    pub fn open(path: &Path) -> Result<Home, Error> {
        let dir = Dir::open_or_create(path)?;
        own(path)?;
        let access = match version(&dir)? {
            Some(version) if version > VERSION => Access::ReadOnly { version },
            Some(_) => Access::Writable,
            None => {
                let text = format!("{:#}\n", json!({ "v": VERSION }));
                dir.write_atomic("home.json", text)?;
                Access::Writable
            }
        };
        if access == Access::Writable {
            for folder in FOLDERS {
                let made = dir.create_dir(folder);
                made.map_err(|error| match elsewhere(&dir, folder) {
                    Some(why) => {
                        let path = path.join(folder);
                        Error::Elsewhere { path, why }
                    }
                    None => error.into(),
                })?;
                own(&path.join(folder))?;
            }
        }
        Ok(Home {
            path: path.to_path_buf(),
            dir,
            access,
            records: Mutex::new(()),
            changes: AtomicU64::new(0),
            atoms: Mutex::new(()),
        })
    }

    /// Makes the folders that somebody has removed since. Without one, a chat could not be made or a project opened until
    /// the next start.
    pub fn repair(&self) -> Result<Repaired, Error> {
        let mut repaired = Repaired::Nothing;
        for folder in FOLDERS.iter().filter(|_| self.access == Access::Writable) {
            if self.dir.metadata(folder)?.is_none() {
                self.dir.create_dir(folder)?;
                repaired = Repaired::Folders;
            }
        }
        Ok(repaired)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The handle of the home itself: for `config`, which reads themes and templates beneath it.
    pub fn dir(&self) -> &Dir {
        &self.dir
    }

    pub fn config(&self) -> PathBuf {
        self.path.join("config.json")
    }

    pub fn chats(&self) -> PathBuf {
        self.path.join("chats")
    }

    pub fn records(&self) -> PathBuf {
        self.path.join("records")
    }

    /// The cache of bare clones.
    pub fn bare(&self) -> PathBuf {
        self.path.join("bare")
    }

    pub fn trash(&self) -> PathBuf {
        self.path.join("trash")
    }

    /// Where things are built before one rename makes them appear.
    pub fn staging(&self) -> PathBuf {
        self.path.join("staging")
    }

    /// Lock, socket and log of the engine.
    pub fn run(&self) -> PathBuf {
        self.path.join("run")
    }

    pub fn project_setup(&self) -> PathBuf {
        self.path.join("project-setup")
    }

    pub fn cache(&self) -> PathBuf {
        self.path.join("cache")
    }

    pub fn chat_path(&self, chat: &ChatId) -> PathBuf {
        self.chats().join(chat.as_str())
    }

    pub fn record_path(&self, chat: &ChatId) -> PathBuf {
        self.records().join(chat.as_str())
    }

    /// The agent's directory. What lies in it is untrusted.
    pub fn chat_dir(&self, chat: &ChatId) -> Result<Dir, Error> {
        Ok(self.dir.dir(Path::new("chats").join(chat.as_str()))?)
    }

    /// What parlour keeps of a chat.
    pub fn record_dir(&self, chat: &ChatId) -> Result<Dir, Error> {
        match self.dir.dir(Path::new("records").join(chat.as_str())) {
            Ok(dir) => Ok(dir),
            Err(e) if e.is_missing() => Err(Error::NoChat(chat.clone())),
            Err(e) => Err(e.into()),
        }
    }

    /// For temporary files of what runs in a chat, in its record and deleted with it: in everybody's lie other chats'
    /// directories too, and what is open read-only.
    pub fn temporary(&self, chat: &ChatId) -> Result<Dir, Error> {
        Ok(self.record_dir(chat)?.create_dir("temporary")?)
    }

    /// An error where a newer parlour made this home: whoever writes asks first.
    pub fn writable(&self) -> Result<(), Error> {
        match self.access {
            Access::Writable => Ok(()),
            Access::ReadOnly { version } => Err(Error::Newer {
                path: self.path.clone(),
                version,
            }),
        }
    }

    /// A panic elsewhere leaves no record half written, since writes are atomic: the lock stays usable.
    pub(super) fn lock(&self) -> MutexGuard<'_, ()> {
        self.records.lock()
    }
}

/// Closes a directory to others. One that somebody else owns is theirs to change at any moment, so it is refused.
/// Why a part of a home cannot be one: chats are moved from one to another, and no link is followed.
pub fn elsewhere(home: &Dir, folder: &str) -> Option<&'static str> {
    let found = home.metadata(folder).ok()??;
    match found.kind {
        DirEntryKind::Link => Some("is a link"),
        DirEntryKind::File | DirEntryKind::Other => Some("is no directory"),
        DirEntryKind::Dir => {
            let whole = std::fs::metadata(home.path()).ok()?;
            (found.device != whole.dev() && MOVED_BETWEEN.contains(&folder)).then_some("is on another disk")
        }
    }
}

fn own(path: &Path) -> Result<(), Error> {
    let failed = |source| Error::Io {
        doing: "closing to others",
        path: path.to_path_buf(),
        source,
    };
    let found = std::fs::metadata(path).map_err(failed)?;
    if found.uid() != rustix::process::geteuid().as_raw() {
        return Err(Error::NotYours {
            path: path.to_path_buf(),
        });
    }
    match found.mode() & 0o7777 {
        0o700 => Ok(()),
        _ => std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(failed),
    }
}

fn version(dir: &Dir) -> Result<Option<u64>, Error> {
    let Some(bytes) = dir.read("home.json", SMALL)? else {
        return Ok(None);
    };
    let version = serde_json::from_slice::<Value>(&bytes)
        .ok()
        .and_then(|value| value.get("v")?.as_u64());
    match version {
        Some(version) => Ok(Some(version)),
        None => Err(Error::Damaged {
            path: dir.path().join("home.json"),
            why: "it names no version; it should read {\"v\": 1}".into(),
        }),
    }
}

/// Missing is an answer, everything else an error.
pub(super) fn if_there<T>(found: Result<T, fs::Error>) -> Result<Option<T>, Error> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(e) if e.is_missing() => Ok(None),
        Err(e) => Err(e.into()),
    }
}
