//! A person's own repository, compared where it lies: real repositories, and the real git beside.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::Command;

use super::super::checkpoint::{PlaceStates, Store, forget_old};
use super::super::*;
use super::support::*;
use crate::fs::Dir;
use crate::model::diff::{DiffBody, FileAsk};
use crate::model::review::{FileChange, FileKind, StageState};

/// A repository in which a person works, with the store for what differs there.
struct OwnCheckout {
    home: GitHome,
    repo: Repo,
}

fn as_text(patch: &[u8]) -> String {
    String::from_utf8(patch.to_vec()).unwrap()
}

impl OwnCheckout {
    fn new() -> OwnCheckout {
        let home = home();
        let repo = home.repository("grove");
        repo.commit("src/main.rs", "fn main() {}\n");
        repo.commit(".gitignore", "*.log\n");
        OwnCheckout { home, repo }
    }

    fn records(&self) -> Dir {
        Dir::open_or_create(self.home.user().join(".parlour/records/one/in-place")).unwrap()
    }

    fn store(&self) -> Option<Store> {
        Store::of_place(&self.records(), "grove", &self.repo.0).unwrap()
    }

    fn states(&self) -> (Store, PlaceStates) {
        let store = self.store().expect("a repository");
        let dir = Dir::open(&self.repo.0).unwrap();
        let states = store.in_place(&dir, &CancelFlag::default()).unwrap();
        (store, states)
    }

    fn differs(&self) -> Vec<FileChange> {
        let (store, states) = self.states();
        let mut changes = store.changes(states.committed, states.now).unwrap();
        store.tell_staged_in_place(&states, &mut changes).unwrap();
        changes
    }

    /// Each path that differs, with the letter that git uses.
    fn letters(&self) -> BTreeMap<String, char> {
        let letter = |change: &FileChange| match change.kind {
            FileKind::Added => 'A',
            FileKind::Deleted => 'D',
            FileKind::Renamed => 'R',
            FileKind::Modified => 'M',
            FileKind::Mode => 'm',
            FileKind::Submodule => 'S',
            FileKind::Staged => 'I',
        };
        let changes = self.differs();
        let shown = changes
            .iter()
            .map(|c| (c.path.to_string_lossy().into_owned(), letter(c)));
        shown.collect()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.repo.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn letters<const N: usize>(expected: [(&str, char); N]) -> BTreeMap<String, char> {
    expected.map(|(path, letter)| (path.to_owned(), letter)).into()
}

#[test]
fn tracked_and_untracked_files_differ_from_the_last_commit_and_ignored_ones_do_not() {
    let place = OwnCheckout::new();
    assert_eq!(place.letters(), letters([]));
    place.repo.commit("docs/a.md", "one\ntwo\nthree\nfour\nfive\n");
    place.repo.commit("run.sh", "#!/bin/sh\n");
    place.write("src/main.rs", "fn main() {\n    begin();\n}\n");
    place.write("new/notes.md", "mine\n");
    place.write("trace.log", "noise\n");
    fs::remove_file(place.repo.0.join("README.md")).unwrap();
    fs::rename(place.repo.0.join("docs/a.md"), place.repo.0.join("docs/b.md")).unwrap();
    fs::set_permissions(place.repo.0.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("src/main.rs", place.repo.0.join("link")).unwrap();
    let expected = letters([
        ("src/main.rs", 'M'),
        ("new/notes.md", 'A'),
        ("README.md", 'D'),
        ("docs/b.md", 'R'),
        ("run.sh", 'm'),
        ("link", 'A'),
    ]);
    assert_eq!(place.letters(), expected);
    // As it was remembered, too.
    assert_eq!(place.letters(), expected);
    let changes = place.differs();
    let main = changes.iter().find(|change| change.path.ends_with("main.rs")).unwrap();
    assert_eq!((main.added, main.removed), (3, 1));

    place.repo.git(&["add", "-A"]);
    place.repo.git(&["commit", "-q", "-m", "all"]);
    assert_eq!(place.letters(), letters([]));
}

#[test]
fn the_lines_of_a_file_are_shown_and_what_is_staged_is_told() {
    let place = OwnCheckout::new();
    place.write("README.md", "hello\nthere\n");
    place.repo.git(&["add", "README.md"]);
    place.write("src/main.rs", "fn main() { staged(); }\n");
    place.repo.git(&["add", "src/main.rs"]);
    place.write("src/main.rs", "fn main() { later(); }\n");
    place.write("own.txt", "x\n");
    let changes = place.differs();
    let staged: Vec<(PathBuf, StageState)> = changes
        .iter()
        .map(|change| (change.path.clone(), change.index.as_ref().unwrap().staged))
        .collect();
    let expected = [
        ("README.md".into(), StageState::Yes),
        ("own.txt".into(), StageState::No),
        ("src/main.rs".into(), StageState::Partly),
    ];
    assert_eq!(staged, expected);
    let (store, states) = place.states();
    let ask = FileAsk {
        project: "grove".into(),
        before: states.committed.map(|files| files.tree()),
        after: states.now.tree(),
        path: "README.md".into(),
        from: None,
        context: 3,
        ignore_whitespace: false,
        index: changes[0].index.as_ref().map(|index| index.content.clone()),
    };
    let DiffBody::Lines { hunks, .. } = store.file_diff(&ask).unwrap().body else {
        panic!("it has lines");
    };
    let lines: Vec<(&str, bool)> = hunks[0].lines.iter().map(|l| (l.text.as_str(), l.is_staged)).collect();
    assert_eq!(lines, [("hello", false), ("there", true)]);
    let patch = as_text(&store.patch(states.committed, states.now, "grove/").unwrap());
    assert!(patch.contains("+++ b/grove/src/main.rs\n"), "{patch}");
}

#[test]
fn a_look_changes_nothing_in_the_repository() {
    let place = OwnCheckout::new();
    // Contents that its git has under another path or stamp: what is stored anew there would be touched.
    place.write("copy.md", "hello\n");
    place.write("README.md", "hello\n");
    place.write("src/main.rs", "fn main() { changed(); }\n");
    place.repo.git(&["gc", "-q"]);
    place.repo.commit("later", "loose\n");
    place.write("again", "loose\n");
    let before = manifest(&place.repo.0);
    assert_eq!(
        place.letters(),
        letters([("copy.md", 'A'), ("again", 'A'), ("src/main.rs", 'M')])
    );
    place.write("src/main.rs", "fn main() {}\n");
    fs::remove_file(place.repo.0.join("copy.md")).unwrap();
    fs::remove_file(place.repo.0.join("again")).unwrap();
    assert_eq!(place.letters(), letters([]));
    let git = |all: BTreeMap<PathBuf, (u32, u32, i64, Vec<u8>)>| -> BTreeMap<_, _> {
        let git = place.repo.0.join(".git");
        all.into_iter().filter(|(path, _)| path.starts_with(&git)).collect()
    };
    assert!(
        git(before) == git(manifest(&place.repo.0)),
        "files, times or contents of .git changed"
    );
}

#[test]
fn nothing_that_the_repository_configures_is_run() {
    let place = OwnCheckout::new();
    let ran = place.home.user().join("ran");
    let program = place.home.user().join("program");
    script(&program, &format!("touch {}\ncat", ran.display()));
    let program = program.to_str().unwrap();
    place.write(".gitattributes", "* filter=evil diff=evil\n");
    let text = format!(
        "[core]\n\tfsmonitor = {program}\n\thooksPath = hooks\n\tpager = {program}\n\
         [filter \"evil\"]\n\tsmudge = {program}\n\tclean = {program}\n\tprocess = {program}\n\trequired = true\n\
         [diff \"evil\"]\n\ttextconv = {program}\n\tcommand = {program}\n"
    );
    let config = place.repo.0.join(".git/config");
    fs::write(&config, fs::read_to_string(&config).unwrap() + &text).unwrap();
    for hook in ["post-index-change", "reference-transaction", "fsmonitor-watchman"] {
        script(&place.repo.0.join(".git/hooks").join(hook), &format!("exec {program}"));
    }
    place.write("README.md", "changed\n");
    let (store, states) = place.states();
    assert!(as_text(&store.patch(states.committed, states.now, "").unwrap()).contains("+changed"));
    assert_eq!(place.letters(), letters([(".gitattributes", 'A'), ("README.md", 'M')]));
    assert!(!ran.exists());
}

#[test]
fn line_ends_and_git_lfs_are_compared_as_git_stores_them() {
    let place = OwnCheckout::new();
    place.repo.commit(".gitattributes", "*.txt text\n*.bin filter=lfs\n");
    place.repo.commit("a.txt", "one\ntwo\n");
    let oid = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    place.repo.commit(
        "big.bin",
        &format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 5\n"),
    );
    place.write("a.txt", "one\r\ntwo\r\n");
    place.write("big.bin", "hello");
    let before = manifest(&place.repo.0);
    assert_eq!(place.letters(), letters([]));
    place.write("a.txt", "one\r\nthree\r\n");
    let changes = place.differs();
    assert_eq!((changes.len(), changes[0].added, changes[0].removed), (1, 1, 1));
    place.write("a.txt", "one\r\ntwo\r\n");
    let git = |path: &&PathBuf| path.starts_with(place.repo.0.join(".git"));
    let after = manifest(&place.repo.0);
    for path in before.keys().filter(git) {
        assert_eq!(before.get(path), after.get(path), "{}", path.display());
    }
}

#[test]
fn worktrees_and_repositories_without_commits_are_compared_and_plain_directories_are_none() {
    let mut place = OwnCheckout::new();
    let tree = place.home.user().join("tree");
    place
        .repo
        .git(&["worktree", "add", "-q", "-b", "side", tree.to_str().unwrap()]);
    place.repo.0 = tree;
    place.write("src/main.rs", "fn main() { side(); }\n");
    assert_eq!(place.letters(), letters([("src/main.rs", 'M')]));

    let mut place = OwnCheckout::new();
    place.repo.0 = place.home.user().join("fresh");
    fs::create_dir(&place.repo.0).unwrap();
    place.repo.git(&["init", "-q", "-b", "main"]);
    place.write("new", "x\n");
    assert_eq!(place.letters(), letters([("new", 'A')]));

    let inside = place.repo.0.join("inside");
    fs::create_dir(&inside).unwrap();
    for plain in [inside, place.home.user()] {
        place.repo.0 = plain;
        assert!(place.store().is_none(), "no repository above it counts");
    }
}

#[test]
fn what_git_leaves_alone_is_no_change() {
    let place = OwnCheckout::new();
    place.repo.commit("in/file", "x");
    place.repo.commit("out/file", "x");
    place.repo.commit("held", "x");
    let inner = place.home.repository("inner");
    place.repo.git(&["submodule", "--quiet", "add", inner.text(), "sub"]);
    place.repo.git(&["commit", "-q", "-m", "submodule"]);
    place.repo.git(&["sparse-checkout", "set", "--no-cone", "/*", "!/out"]);
    place.repo.git(&["update-index", "--assume-unchanged", "held"]);
    place.write("held", "mine");
    assert!(!place.repo.0.join("out/file").exists());
    assert_eq!(place.letters(), letters([]));
    Repo(place.repo.0.join("sub")).commit("more", "x");
    assert_eq!(place.letters(), letters([("sub", 'S')]));
}

#[test]
fn a_conflict_shows_the_file_as_it_lies_there() {
    let place = OwnCheckout::new();
    place.repo.git(&["checkout", "-q", "-b", "side"]);
    place.repo.commit("README.md", "side\n");
    place.repo.git(&["checkout", "-q", "main"]);
    place.repo.commit("README.md", "main\n");
    let merge = std::process::Command::new("git")
        .current_dir(&place.repo.0)
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "merge", "-q", "side"])
        .output()
        .unwrap();
    assert!(!merge.status.success());
    assert_eq!(place.letters(), letters([("README.md", 'M')]));
    let (store, states) = place.states();
    let patch = as_text(&store.patch(states.committed, states.now, "").unwrap());
    assert!(patch.contains("+<<<<<<< HEAD"), "{patch}");
}

#[test]
fn untracked_files_without_end_are_counted_and_not_stored() {
    let place = OwnCheckout::new();
    let large = fs::File::create(place.repo.0.join("data.bin")).unwrap();
    large.set_len(40 << 20).unwrap();
    for number in 0..5_010 {
        fs::write(place.repo.0.join(format!("z{number}")), "").unwrap();
    }
    let (store, states) = place.states();
    let shown = store.changes(states.committed, states.now).unwrap().len();
    assert_eq!(states.left_out + shown, 5_011);
    assert!((4_990..=5_000).contains(&shown), "{shown}");
}

#[test]
fn what_is_committed_under_another_stamp_is_not_stored_again() {
    let place = OwnCheckout::new();
    let later = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    for file in ["README.md", "src/main.rs"] {
        fs::File::open(place.repo.0.join(file))
            .unwrap()
            .set_modified(later)
            .unwrap();
    }
    let before = manifest(&place.repo.0.join(".git"));
    assert_eq!(place.letters(), letters([]));
    let objects = place.records().path().join("grove.git/objects");
    let stored: Vec<_> = fs::read_dir(objects)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(stored.iter().all(|name| name == "info" || name == "pack"), "{stored:?}");
    assert!(before == manifest(&place.repo.0.join(".git")));
}

#[test]
fn what_was_stored_is_forgotten_after_a_day() {
    let place = OwnCheckout::new();
    place.write("README.md", "changed\n");
    let (store, states) = place.states();
    let head = store.path().join("HEAD");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(25 * 60 * 60);
    fs::File::open(&head).unwrap().set_modified(old).unwrap();
    forget_old(&place.records(), "grove").unwrap();
    let again = place.store().unwrap();
    assert!(again.content(&states.now.tree(), "README.md".as_ref()).is_err());
    assert_eq!(place.letters(), letters([("README.md", 'M')]));
}

/// Where the directory lies under its name.
#[test]
fn a_patch_with_a_renamed_file_is_applied_by_git() {
    let place = OwnCheckout::new();
    place.repo.git(&["mv", "README.md", "READ.md"]);
    let (store, states) = place.states();
    let patch = as_text(&store.patch(states.committed, states.now, "grove/").unwrap());
    assert!(
        patch.contains("rename from grove/README.md\nrename to grove/READ.md\n"),
        "{patch}"
    );
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("grove");
    fs::create_dir(&there).unwrap();
    fs::write(there.join("README.md"), "hello\n").unwrap();
    fs::write(folder.path().join("patch"), patch).unwrap();
    let applied = Command::new("git")
        .args(["apply", "patch"])
        .env("GIT_CEILING_DIRECTORIES", folder.path())
        .current_dir(folder.path())
        .status();
    assert!(applied.unwrap().success());
    assert!(there.join("READ.md").is_file() && !there.join("README.md").exists());
}

#[test]
fn a_file_that_is_only_announced_is_not_staged() {
    let place = OwnCheckout::new();
    place.write("new.txt", "one\n");
    place.repo.git(&["add", "-N", "new.txt"]);
    let changes = place.differs();
    let staged = |change: &FileChange| change.index.as_ref().unwrap().staged;
    let told: Vec<_> = changes.iter().map(|change| (change.kind, staged(change))).collect();
    assert_eq!(told, [(FileKind::Added, StageState::No)]);
}
