//! Repositories within a clone: submodules, fetched or not, and what differs in the index alone.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::support::{Repo, home};
use super::SavedClone;
use crate::git::CancelFlag;
use crate::model::pick::PickAct;
use crate::model::review::{FileChange, FileKind, StageState};

const COMMIT: &str = "62051dda8e0f62051dda8e0f62051dda8e0f6205";

fn with_submodule() -> SavedClone {
    let home = home();
    let source = home.repository("grove");
    source.commit("src/main.rs", "fn main() {}\n");
    source.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("160000,{COMMIT},vendor/lib"),
    ]);
    source.git(&["commit", "-q", "-m", "A submodule"]);
    SavedClone::of(home, &source)
}

/// What differs from the last commit, by path and kind.
fn uncommitted(saved: &SavedClone) -> Vec<FileChange> {
    let cancel = CancelFlag::default();
    let now = saved.store.now(&saved.dir(), &saved.options(&[], &cancel)).unwrap();
    let committed = saved.store.committed(&now).unwrap();
    let stored = saved.store.as_stored(&saved.dir(), &now, committed).unwrap();
    let stored = saved.store.with_unfetched(&now, stored).unwrap();
    let mut changes = saved.store.changes(committed, stored).unwrap();
    saved
        .store
        .tell_staged(&now, (committed, stored), &mut changes)
        .unwrap();
    changes
}

fn kinds(changes: &[FileChange]) -> Vec<(&Path, FileKind)> {
    changes
        .iter()
        .map(|change| (change.path.as_path(), change.kind))
        .collect()
}

#[test]
fn a_submodule_that_was_not_fetched_is_unchanged_until_it_is_removed() {
    let saved = with_submodule();
    fs::create_dir_all(saved.path("vendor/lib")).unwrap();
    assert_eq!(uncommitted(&saved), []);
    saved.write("README.md", "changed\n");
    assert_eq!(
        kinds(&uncommitted(&saved)),
        [(Path::new("README.md"), FileKind::Modified)]
    );
    saved.clone.git(&["rm", "-q", "--cached", "vendor/lib"]);
    let lib = (Path::new("vendor/lib"), FileKind::Submodule);
    assert!(kinds(&uncommitted(&saved)).contains(&lib));
}

#[test]
fn a_repository_within_a_clone_is_there_in_each_checkpoint() {
    let saved = SavedClone::new();
    saved.write("vendor/lib/code.c", "int x;\n");
    let lib = Repo(saved.path("vendor/lib"));
    lib.git(&["init", "-q"]);
    lib.commit("code.c", "int y;\n");
    let first = saved.take();
    for number in 2..5 {
        saved.compare();
        let next = saved.take();
        assert!(!next.is_new, "checkpoint {number}");
    }
    saved.write("README.md", "changed\n");
    let next = saved.take().snapshot;
    let changes = saved.store.changes(Some(first.snapshot.files()), next.files()).unwrap();
    assert_eq!(kinds(&changes), [(Path::new("README.md"), FileKind::Modified)]);
    lib.commit("code.c", "int z;\n");
    let moved = saved.take().snapshot;
    let changes = saved.store.changes(Some(next.files()), moved.files()).unwrap();
    assert_eq!(kinds(&changes), [(Path::new("vendor/lib"), FileKind::Submodule)]);
    fs::remove_dir_all(saved.path("vendor")).unwrap();
    let gone = saved.take().snapshot;
    let changes = saved.store.changes(Some(moved.files()), gone.files()).unwrap();
    assert_eq!(kinds(&changes), [(Path::new("vendor/lib"), FileKind::Submodule)]);
}

#[test]
fn what_differs_in_the_index_alone_is_told() {
    let saved = SavedClone::new();
    saved.write("README.md", "changed\n");
    saved.clone.git(&["rm", "-q", "--cached", "src/main.rs"]);
    let blob = saved.clone.git(&["hash-object", "-w", "README.md"]);
    saved.clone.git(&[
        "update-index",
        "--add",
        "--cacheinfo",
        &format!("100644,{blob},gone.txt"),
    ]);
    let changes = uncommitted(&saved);
    assert_eq!(
        kinds(&changes),
        [
            (Path::new("README.md"), FileKind::Modified),
            (Path::new("gone.txt"), FileKind::Staged),
            (Path::new("src/main.rs"), FileKind::Staged),
        ]
    );
    let staged: Vec<_> = changes
        .iter()
        .map(|change| change.index.clone().unwrap().staged)
        .collect();
    assert_eq!(staged, [StageState::No, StageState::Partly, StageState::Partly]);
    saved.clone.git(&["reset", "-q"]);
    assert_eq!(uncommitted(&saved)[0].path, PathBuf::from("README.md"));
    assert_eq!(uncommitted(&saved).len(), 1);
}

#[test]
fn a_rename_that_is_discarded_is_not_staged_either() {
    let saved = SavedClone::new();
    saved.clone.git(&["mv", "src/main.rs", "src/start.rs"]);
    let cancel = CancelFlag::default();
    let now = saved.store.now(&saved.dir(), &saved.options(&[], &cancel)).unwrap();
    let renamed = saved
        .store
        .uncommitted(&saved.dir(), &now, ("grove", Path::new("src/start.rs")))
        .unwrap();
    assert_eq!(renamed.from.as_deref(), Some(Path::new("src/main.rs")));
    saved
        .store
        .pick(&saved.dir(), &now, &renamed, &[], PickAct::Discard)
        .unwrap();
    assert_eq!(saved.clone.git(&["status", "--porcelain"]), "");
    let names = [Path::new("src/start.rs"), Path::new("src/main.rs")];
    let left = saved.store.left(&saved.dir(), &names).unwrap();
    let before = now;
    let now = saved.store.now(&saved.dir(), &saved.options(&[], &cancel)).unwrap();
    saved.store.bring_back(&saved.dir(), (&now, &before), &left).unwrap();
    let staged = saved.clone.git(&["status", "--porcelain"]);
    assert_eq!(staged, "R  src/main.rs -> src/start.rs");
}

#[test]
fn what_is_staged_and_not_in_the_file_goes_with_the_file_and_comes_back() {
    let saved = SavedClone::new();
    saved.write("README.md", "staged\n");
    saved.clone.git(&["add", "README.md"]);
    saved.write("README.md", "only in the file\n");
    let cancel = CancelFlag::default();
    let now = saved.store.now(&saved.dir(), &saved.options(&[], &cancel)).unwrap();
    let changed = saved
        .store
        .uncommitted(&saved.dir(), &now, ("grove", Path::new("README.md")))
        .unwrap();
    saved
        .store
        .pick(&saved.dir(), &now, &changed, &[], PickAct::Discard)
        .unwrap();
    assert_eq!(saved.text("README.md"), "hello\n");
    assert_eq!(saved.clone.git(&["show", ":README.md"]), "hello");
    let left = saved.store.left(&saved.dir(), &[Path::new("README.md")]).unwrap();
    let before = now;
    let now = saved.store.now(&saved.dir(), &saved.options(&[], &cancel)).unwrap();
    saved.store.bring_back(&saved.dir(), (&now, &before), &left).unwrap();
    assert_eq!(saved.text("README.md"), "only in the file\n");
    assert_eq!(saved.clone.git(&["show", ":README.md"]), "staged");
}

#[test]
fn what_is_staged_alone_can_be_staged_as_the_file_is() {
    let saved = SavedClone::new();
    saved.clone.git(&["rm", "-q", "--cached", "src/main.rs"]);
    let cancel = CancelFlag::default();
    let now = saved.store.now(&saved.dir(), &saved.options(&[], &cancel)).unwrap();
    let shown = saved
        .store
        .uncommitted(&saved.dir(), &now, ("grove", Path::new("src/main.rs")))
        .unwrap();
    assert_eq!(saved.store.file_diff(&shown).unwrap().kind, FileKind::Staged);
    saved
        .store
        .pick(&saved.dir(), &now, &shown, &[], PickAct::Stage)
        .unwrap();
    assert_eq!(saved.clone.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_staged_rename_without_other_changes_is_a_rename() {
    let saved = SavedClone::new();
    saved.clone.git(&["mv", "src/main.rs", "src/moved.rs"]);
    let cancel = CancelFlag::default();
    let now = saved.store.now(&saved.dir(), &saved.options(&[], &cancel)).unwrap();
    let shown = saved
        .store
        .uncommitted(&saved.dir(), &now, ("grove", Path::new("src/moved.rs")))
        .unwrap();
    assert_eq!(saved.store.file_diff(&shown).unwrap().kind, FileKind::Renamed);
}
