//! Checkpoints of real clones: what they save, what they leave alone, and the way back to the byte.

mod commits;
mod converted;
mod files;
mod hostile;
mod left_out;
mod patches;
mod picks;
mod random;
mod states;
mod submodules;
mod thinned;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::super::checkpoint::{Scope, Snapshot, Store, TakeOptions, Taken};
use super::super::*;
use super::support::*;
use crate::fs::Dir;
use crate::model::Timestamp;

const LARGEST: u64 = 1 << 20;

/// A clone with the store of its checkpoints.
pub struct SavedClone {
    pub home: GitHome,
    pub clone: Repo,
    pub store: Store,
    records: Dir,
    number: std::cell::Cell<u64>,
}

impl SavedClone {
    /// A clone of a repository with a commit or two.
    pub fn new() -> SavedClone {
        let home = home();
        let source = home.repository("grove");
        source.commit("src/main.rs", "fn main() {}\n");
        source.commit(".gitignore", "*.log\ntarget/\n");
        SavedClone::of(home, &source)
    }

    pub fn of(home: GitHome, source: &Repo) -> SavedClone {
        let opened = home.open(source);
        let records = Dir::open_or_create(home.user().join(".parlour/records/one/checkpoints")).unwrap();
        let cache = home
            .caches
            .root()
            .unwrap()
            .path()
            .join(&home.origin(source.text()).cache);
        let store = Store::open(&records, "grove", || Some(cache)).unwrap();
        SavedClone {
            clone: Repo(opened.path),
            home,
            store,
            records,
            number: std::cell::Cell::new(0),
        }
    }

    pub fn dir(&self) -> Dir {
        Dir::open(&self.clone.0).unwrap()
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.clone.0.join(file)
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    fn options<'a>(&self, also: &'a [&'a Snapshot], cancel: &'a CancelFlag) -> TakeOptions<'a> {
        self.number.set(self.number.get() + 1);
        TakeOptions {
            number: self.number.get(),
            at: Timestamp(1_700_000_000_000),
            largest: LARGEST,
            also,
            always: !also.is_empty(),
            cancel,
        }
    }

    pub fn try_take(&self) -> Result<Taken, Error> {
        self.store.take(&self.dir(), &self.options(&[], &CancelFlag::default()))
    }

    pub fn take(&self) -> Taken {
        self.try_take().unwrap()
    }

    /// Goes back as a revert does: after a checkpoint of now. Returns that one, to undo it by.
    pub fn try_restore(&self, to: &Snapshot) -> Result<Snapshot, Error> {
        self.go(to, &[to])
    }

    pub fn restore(&self, to: &Snapshot) -> Snapshot {
        self.try_restore(to).unwrap()
    }

    /// Undoes the restore of `undone`.
    pub fn undo(&self, to: &Snapshot, undone: &Snapshot) {
        self.go(to, &[to, undone]).unwrap();
    }

    fn go(&self, to: &Snapshot, also: &[&Snapshot]) -> Result<Snapshot, Error> {
        let cancel = CancelFlag::default();
        let now = self.store.take(&self.dir(), &self.options(also, &cancel))?.snapshot;
        self.store
            .restore(&self.dir(), (&now, to), Scope::FilesAndGit, &cancel)?;
        Ok(now)
    }

    /// Whether the store has an object, or can lend it from the cache.
    pub fn has(&self, id: git2::Oid) -> bool {
        let store = git2::Repository::open_bare(self.records.path().join("grove.git")).unwrap();
        store.odb().unwrap().exists(id)
    }

    /// As a comparison with now does.
    pub fn compare(&self) {
        let cancel = CancelFlag::default();
        self.store.now(&self.dir(), &self.options(&[], &cancel)).unwrap();
    }

    /// The store as another process would open it: nothing of it is open already.
    pub fn store_again(&self) -> Store {
        Store::open(&self.records, "grove", || None).unwrap()
    }

    pub fn store_path(&self) -> PathBuf {
        self.records.path().join("grove.git")
    }

    /// The real git finds nothing wrong with the store.
    pub fn check(&self) {
        let store = Repo(self.records.path().join("grove.git"));
        store.git(&["fsck", "--full", "--strict", "--no-dangling"]);
    }
}

/// A working tree, and what its git directory says: path to mode and content.
#[derive(PartialEq, Eq, Clone)]
pub struct Everything(BTreeMap<PathBuf, (u32, Vec<u8>)>);

/// Times are no part of it, nor are modes of git's own files.
pub fn everything(clone: &Path) -> Everything {
    let git = clone.join(".git");
    let state = ["HEAD", "index", "rebase-merge", "MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"];
    let mut found = BTreeMap::new();
    for (path, (mode, _, _, content)) in manifest(clone) {
        let shown = path.strip_prefix(clone).unwrap().to_path_buf();
        match path.strip_prefix(&git) {
            Ok(inside) if path.is_file() && state.iter().any(|name| inside.starts_with(name)) => {
                found.insert(shown, (0, content));
            }
            Err(_) if path != clone => drop(found.insert(shown, (mode, content))),
            Ok(_) | Err(_) => {}
        }
    }
    Everything(found)
}

impl Everything {
    pub fn only(&self, keep: impl Fn(&Path) -> bool) -> Everything {
        let kept = self.0.iter().filter(|(path, _)| keep(path));
        Everything(kept.map(|(path, what)| (path.clone(), what.clone())).collect())
    }

    /// One line for each path that differs.
    pub fn differences(&self, other: &Everything) -> String {
        let shown = |what: Option<&(u32, Vec<u8>)>| match what {
            Some((mode, content)) => format!("{mode:o} {:.40?}", String::from_utf8_lossy(content)),
            None => "nothing".to_owned(),
        };
        let mut paths: Vec<_> = self.0.keys().chain(other.0.keys()).collect();
        paths.sort();
        paths.dedup();
        let differ = paths.into_iter().filter(|path| self.0.get(*path) != other.0.get(*path));
        differ
            .map(|path| format!("{path:?}: {} / {}\n", shown(self.0.get(path)), shown(other.0.get(path))))
            .collect()
    }
}

#[track_caller]
pub fn assert_same(now: &Everything, wanted: &Everything, why: &str) {
    assert!(now == wanted, "{why}:\n{}", now.differences(wanted));
}

#[test]
fn what_did_not_change_adds_no_checkpoint() {
    let saved = SavedClone::new();
    let first = saved.take();
    assert!(first.is_new);
    assert!(!saved.take().is_new, "nothing happened");
    saved.clone.git(&["status"]);
    saved.clone.git(&["update-index", "-q", "--refresh"]);
    assert!(!saved.take().is_new, "git only looked");
    saved.write("new.txt", "new\n");
    assert!(saved.take().is_new, "a file came");
    fs::set_permissions(saved.path("new.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    assert!(saved.take().is_new, "its mode changed");
    saved.clone.git(&["add", "new.txt"]);
    assert!(saved.take().is_new, "it was staged");
    fs::create_dir(saved.path("empty")).unwrap();
    assert!(saved.take().is_new, "an empty directory came");
    saved.write("debug.log", "ignored\n");
    assert!(!saved.take().is_new, "ignored files are no part of it");
    assert_eq!(saved.store.snapshots().unwrap().len(), 5);
    saved.check();
}

#[test]
fn a_change_within_a_tick_of_the_clock_is_seen() {
    let saved = SavedClone::new();
    for round in 0..40 {
        saved.write("same.txt", &format!("{:04}", round));
        let taken = saved.take();
        saved.write("same.txt", &format!("{:04}", round + 1000));
        assert!(
            saved.take().is_new,
            "round {round}: the size is the same, and perhaps the time"
        );
        saved.restore(&taken.snapshot);
        assert_eq!(saved.text("same.txt"), format!("{:04}", round));
    }
}

#[test]
fn nothing_in_the_clone_changes_by_being_saved() {
    let saved = SavedClone::new();
    saved.write("src/main.rs", "fn main() { todo() }\n");
    saved.clone.git(&["add", "src/main.rs"]);
    saved.write("notes.txt", "mine\n");
    let before = manifest(&saved.clone.0);
    saved.take();
    saved.take();
    assert_eq!(manifest(&saved.clone.0), before, "times included");
}

#[test]
fn a_restore_brings_back_files_index_branch_and_modes_and_its_undo_all_of_it() {
    let saved = SavedClone::new();
    saved.write("run.sh", "#!/bin/sh\n");
    fs::set_permissions(saved.path("run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    std::os::unix::fs::symlink("src/main.rs", saved.path("link")).unwrap();
    fs::create_dir_all(saved.path("empty/deep")).unwrap();
    saved.clone.git(&["add", "run.sh"]);
    let was = everything(&saved.clone.0);
    let first = saved.take().snapshot;

    saved.clone.git(&["checkout", "-q", "-b", "other"]);
    let lost = saved.clone.commit("src/lib.rs", "pub fn lib() {}\n");
    fs::remove_file(saved.path("link")).unwrap();
    saved.write("link/now/a/directory", "x\n");
    fs::remove_dir_all(saved.path("empty")).unwrap();
    saved.write("README.md", "other\n");
    saved.write("target/keep.o", "ignored\n");
    let later = everything(&saved.clone.0);

    let undo = saved.restore(&first);
    assert_eq!(
        saved.text("target/keep.o"),
        "ignored\n",
        "ignored files are never touched"
    );
    let now = everything(&saved.clone.0).only(|path| !path.starts_with("target"));
    assert_same(&now, &was, "the restore");
    assert_eq!(saved.clone.git(&["rev-parse", "other"]), lost, "no branch is lost");

    saved.undo(&undo, &first);
    assert_same(&everything(&saved.clone.0), &later, "the undo");
    saved.clone.git(&["fsck", "--full"]);
    saved.check();
}
