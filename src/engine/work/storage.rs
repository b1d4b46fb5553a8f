//! What chats, caches and deleted chats take on disk, and the removal of caches that no chat uses.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use crate::domain::work::{StorageDone, StorageWork};
use crate::git::{self, CachedOrigin, alternates};
use crate::history::History;
use crate::model::chat::Directory;
use crate::model::storage::{DiskItem, DiskPlace, DiskUse};
use crate::model::{Problem, ResultExt};
use crate::store::bytes_at;

use super::super::services::Services;
use super::setups;

pub fn carry_out(services: &Services, work: StorageWork) -> Result<StorageDone, Problem> {
    match work {
        StorageWork::Measure => measure(services).map(StorageDone::Used),
        StorageWork::Prune { index } => prune(services, index),
        StorageWork::ListSetup => setups::list(services),
        StorageWork::AddSetup { from, files } => setups::add(services, &from, &files),
        StorageWork::RemoveSetup { project, files } => setups::remove(services, &project, &files),
    }
}

fn measure(services: &Services) -> Result<DiskUse, Problem> {
    const DOING: &str = "measuring what lies on disk";
    let home = &services.home;
    let mut items = Vec::new();
    for id in home.ids().doing(DOING)? {
        let (bytes, more) = home.bytes_of(&id);
        let name = home.shown(&id).map_or_else(|| id.to_string(), |chat| chat.record.name);
        let place = DiskPlace::Chat { chat: id };
        items.push(DiskItem {
            place,
            name,
            bytes,
            more,
        });
    }
    for deleted in home.list_trash().doing(DOING)? {
        let name = deleted
            .record
            .map_or_else(|| deleted.id.to_string(), |record| record.name);
        items.push(item(
            &home.trash().join(deleted.id.as_str()),
            DiskPlace::Trash { chat: deleted.id },
            name,
        ));
    }
    let uses = CacheUses::read(services);
    for cached in services.caches.origins() {
        let place = DiskPlace::Repository {
            chats: uses.count(&cached, services.caches.path()),
            path: cached.path.clone(),
        };
        let name = match &cached.source {
            Some(source) => source.to_string_lossy().into_owned(),
            None => git::shown(&cached.url),
        };
        items.push(item(&services.caches.path().join(&cached.path), place, name));
    }
    let mut index = 0;
    for entry in fs::read_dir(home.cache()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if History::is_part(&name) {
            index += bytes_at(&entry.path()).0;
            continue;
        }
        items.push(item(&entry.path(), DiskPlace::Cache, called(&name)));
    }
    if index > 0 {
        items.push(DiskItem {
            place: DiskPlace::SearchIndex,
            name: "search index".into(),
            bytes: index,
            more: false,
        });
    }
    items.sort_by_key(|item| Reverse(item.bytes));
    Ok(DiskUse { items, freed: 0 })
}

/// What parlour keeps in its cache, by what it is; what it does not know by its path.
fn called(name: &str) -> String {
    match name {
        "agents.json" => "versions of agent CLIs".into(),
        "usage" => "sums of usage".into(),
        "demo" => "repository of the demo".into(),
        _ => format!("cache/{name}"),
    }
}

fn item(path: &Path, place: DiskPlace, name: String) -> DiskItem {
    let (bytes, more) = bytes_at(path);
    DiskItem {
        place,
        name,
        bytes,
        more,
    }
}

/// The index is made again with the next search or entry. Which caches are used is found out again once nobody can begin to use one.
fn prune(services: &Services, index: bool) -> Result<StorageDone, Problem> {
    const DOING: &str = "removing unused caches";
    let before = measure(services)?.bytes();
    let staging = services.home.dir().dir("staging").doing(DOING)?;
    let uses = OnceCell::new();
    let is_unused = |cached: &CachedOrigin| {
        let uses = uses.get_or_init(|| CacheUses::read(services));
        uses.count(cached, services.caches.path()) == 0
    };
    services.caches.remove(&staging, is_unused).doing(DOING)?;
    if index {
        services.history.forget()?;
    }
    let now = measure(services)?;
    let freed = before.saturating_sub(now.bytes());
    Ok(StorageDone::Used(DiskUse { freed, ..now }))
}

/// What chats, deleted ones too, have of cached repositories.
struct CacheUses(Vec<ChatClones>);

#[derive(Default)]
struct ChatClones {
    dirs: Vec<Directory>,
    /// The object stores that its clones and checkpoints read in place.
    borrowed: Vec<PathBuf>,
}

impl CacheUses {
    fn read(services: &Services) -> CacheUses {
        let home = &services.home;
        let mut uses = Vec::new();
        for id in home.ids().unwrap_or_default() {
            uses.push(ChatClones {
                dirs: home.shown(&id).map(|chat| chat.record.dirs).unwrap_or_default(),
                borrowed: borrowed(&[
                    home.chat_path(&id).join("projects"),
                    home.record_path(&id).join("checkpoints"),
                ]),
            });
        }
        for deleted in home.list_trash().unwrap_or_default() {
            let bin = home.trash().join(deleted.id.as_str());
            uses.push(ChatClones {
                dirs: deleted.record.map(|record| record.dirs).unwrap_or_default(),
                borrowed: borrowed(&[bin.join("chat/projects"), bin.join("record/checkpoints")]),
            });
        }
        CacheUses(uses)
    }

    fn count(&self, cached: &CachedOrigin, caches: &Path) -> usize {
        let objects = caches.join(&cached.path).join("objects");
        let source = cached.source.as_deref();
        let is_of = |dir: &Directory| dir.origin == cached.url || source.is_some() && dir.source() == source;
        let uses = |one: &&ChatClones| one.dirs.iter().any(is_of) || one.borrowed.contains(&objects);
        self.0.iter().filter(uses).count()
    }
}

/// The object stores of others that the repositories in these folders name.
fn borrowed(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            for objects in ["objects", ".git/objects"] {
                all.extend(alternates(&entry.path().join(objects)));
            }
        }
    }
    all
}
