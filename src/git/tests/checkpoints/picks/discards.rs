//! Discarding, and what comes back of it.

use super::*;

#[test]
fn what_was_discarded_comes_back_unless_somebody_wrote_there_since() {
    let saved = SavedClone::new();
    saved.commit_files(&[("a.txt", b"one\ntwo\n"), ("old.txt", b"same\n")]);
    saved.write("a.txt", "one\n2\n");
    saved.write("new.txt", "new\n");
    saved.clone.git(&["mv", "old.txt", "named.txt"]);
    let before = saved.now();
    let back = |path: &str, also: &[&str]| {
        let paths: Vec<&Path> = [path].into_iter().chain(also.iter().copied()).map(Path::new).collect();
        let left = saved.store.left(&saved.dir(), &paths).unwrap();
        saved.store.bring_back(&saved.dir(), (&saved.now(), &before), &left)
    };
    for (path, also) in [("a.txt", &[][..]), ("new.txt", &[]), ("named.txt", &["old.txt"])] {
        saved.picks(PickAct::Discard, path, ALL);
        back(path, also).unwrap();
        assert_eq!(saved.now().files(), before.files(), "{path}");
    }
    saved.picks(PickAct::Discard, "a.txt", ALL);
    let left = saved.store.left(&saved.dir(), &[Path::new("a.txt")]).unwrap();
    saved.write("a.txt", "one\ntwo\nthree\n");
    let refused = saved.store.bring_back(&saved.dir(), (&saved.now(), &before), &left);
    assert!(refused.unwrap_err().to_string().contains("a.txt changed"));
    assert_eq!(fs::read(saved.path("a.txt")).unwrap(), b"one\ntwo\nthree\n");
}

#[test]
fn what_is_discarded_is_taken_by_no_commit() {
    let saved = SavedClone::new();
    saved.commit_files(&[("a.txt", numbered(&[]).as_bytes())]);
    saved.write("a.txt", &numbered(&[(3, "three"), (25, "twenty-five")]));
    saved.picks(PickAct::Stage, "a.txt", ALL);
    saved.picks(PickAct::Discard, "a.txt", &[hunk(0)]);
    assert_eq!(saved.staged("a.txt"), numbered(&[(25, "twenty-five")]).as_bytes());
    for (then, was) in [(numbered(&[(28, "more")]), "MM a.txt"), (numbered(&[]), "MM a.txt")] {
        saved.write("a.txt", &then);
        assert_eq!(saved.status(), was);
        saved.picks(PickAct::Discard, "a.txt", ALL);
        assert_eq!(saved.status(), "");
        saved.write("a.txt", "other\n");
        saved.picks(PickAct::Stage, "a.txt", ALL);
    }
}

#[test]
fn what_is_discarded_is_as_it_was_shown_and_nothing_else_changes() {
    let saved = SavedClone::new();
    saved.commit_files(&[
        ("a.txt", numbered(&[]).as_bytes()),
        ("gone.txt", b"gone\n"),
        ("run.sh", b"#!/bin/sh\n"),
    ]);
    saved.write("a.txt", &numbered(&[(3, "three"), (25, "twenty-five")]));
    fs::set_permissions(saved.path("a.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    saved.picks(PickAct::Discard, "a.txt", &[hunk(0)]);
    assert_eq!(saved.text("a.txt"), numbered(&[(25, "twenty-five")]));
    assert_eq!(
        fs::metadata(saved.path("a.txt")).unwrap().permissions().mode() & 0o777,
        0o640
    );
    // The removed line comes back, the added one stays.
    saved.picks(PickAct::Discard, "a.txt", &[lines(0, 3, 3)]);
    assert_eq!(saved.text("a.txt"), numbered(&[(25, "line 25\ntwenty-five")]));
    fs::remove_file(saved.path("gone.txt")).unwrap();
    saved.picks(PickAct::Discard, "gone.txt", ALL);
    assert_eq!(saved.text("gone.txt"), "gone\n");
    fs::set_permissions(saved.path("run.sh"), fs::Permissions::from_mode(0o700)).unwrap();
    saved.picks(PickAct::Discard, "run.sh", ALL);
    assert_eq!(
        fs::metadata(saved.path("run.sh")).unwrap().permissions().mode() & 0o777,
        0o600
    );
    saved.write("dir/new.txt", "new\n");
    saved.picks(PickAct::Discard, "dir/new.txt", ALL);
    assert!(!saved.path("dir/new.txt").exists());
}

#[test]
fn what_git_was_told_to_take_as_unchanged_is_nothing_to_commit() {
    let saved = SavedClone::new();
    saved.commit_files(&[("a.txt", b"a\n"), ("b.txt", b"b\n"), ("c.txt", b"c\n")]);
    saved.clone.git(&["update-index", "--assume-unchanged", "b.txt"]);
    for path in ["b.txt", "c.txt"] {
        saved.write(path, "mine\n");
    }
    let listed: Vec<_> = saved
        .uncommitted_files()
        .into_iter()
        .map(|change| change.path)
        .collect();
    assert_eq!(listed, [Path::new("c.txt")]);
}
