//! Branch and tally of working copies.

use std::fs;

use super::super::read::{Tally, branch, detached, tally};
use super::support::*;

#[test]
fn the_branch_is_read_from_files() {
    let home = home();
    let repo = home.repository("app");
    assert_eq!(branch(&repo.0).as_deref(), Some("main"));
    repo.git(&["checkout", "-q", "-b", "feature/x"]);
    assert_eq!(branch(&repo.0).as_deref(), Some("feature/x"));
    let tree = home.user().join("tree");
    repo.git(&["worktree", "add", "-q", "-b", "side", tree.to_str().unwrap()]);
    assert_eq!(branch(&tree).as_deref(), Some("side"));
    repo.git(&["checkout", "-q", "--detach"]);
    assert_eq!(branch(&repo.0), Some(repo.git(&["rev-parse", "HEAD"])[..7].to_string()));
    assert_eq!(detached(&repo.0), branch(&repo.0));
    assert_eq!(detached(&tree), None);
    assert_eq!(branch(&home.user()), None);
}

#[test]
fn a_fifo_for_a_head_does_not_hold_us_up() {
    let home = home();
    let repo = home.repository("app");
    let head = repo.0.join(".git/HEAD");
    fs::remove_file(&head).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&head)
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(branch(&repo.0), None);
}

#[test]
fn a_tally_counts_changes_and_distance() {
    let home = home();
    let repo = home.repository("app");
    let clone = Repo(home.open(&repo).path);
    assert_eq!(
        tally(&clone.0).unwrap(),
        Tally {
            branch: Some("main".into()),
            ..Tally::default()
        }
    );
    clone.commit("one", "1");
    clone.commit("two", "2");
    fs::write(clone.0.join("README.md"), b"changed").unwrap();
    fs::write(clone.0.join("untracked"), b"x").unwrap();
    fs::remove_file(clone.0.join("one")).unwrap();
    let counted = tally(&clone.0).unwrap();
    assert_eq!((counted.dirty, counted.ahead, counted.behind), (3, 2, 0));
    clone.git(&["checkout", "-q", "-f", "-b", "own"]);
    assert_eq!(
        tally(&clone.0).unwrap().ahead,
        2,
        "a branch that follows none is measured against the default"
    );
}

#[test]
fn a_tally_leaves_out_submodules_ignored_files_and_sparse_ones() {
    let home = home();
    let repo = home.repository("app");
    repo.commit(".gitignore", "ignored\n");
    repo.commit("in/file", "x");
    repo.commit("out/file", "x");
    let inner = home.repository("inner");
    repo.git(&["submodule", "--quiet", "add", inner.text(), "sub"]);
    repo.git(&["commit", "-q", "-m", "submodule"]);
    repo.git(&["sparse-checkout", "set", "in"]);
    fs::write(repo.0.join("ignored"), b"x").unwrap();
    fs::create_dir_all(repo.0.join("sub")).unwrap();
    fs::write(repo.0.join("sub/new"), b"x").unwrap();
    assert!(!repo.0.join("out/file").exists());
    assert_eq!(tally(&repo.0).unwrap().dirty, 0);
}

#[test]
fn a_repository_without_commits_has_a_tally() {
    let home = home();
    let repo = Repo(home.user().join("empty"));
    fs::create_dir(&repo.0).unwrap();
    repo.git(&["init", "-q", "-b", "main"]);
    fs::write(repo.0.join("new"), b"x").unwrap();
    assert_eq!(
        tally(&repo.0).unwrap(),
        Tally {
            branch: Some("main".into()),
            dirty: 1,
            ahead: 0,
            behind: 0
        }
    );
    assert!(tally(&home.user()).is_err());
}
