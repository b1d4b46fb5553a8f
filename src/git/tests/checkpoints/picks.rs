//! Staging, unstaging and discarding files, hunks and lines, beside what the real git says of the result.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;
use crate::model::Failure;
use crate::model::diff::{DiffBody, FileAsk, LineKind};
use crate::model::pick::{PickAct, PickedPart};
use crate::model::review::{FileChange, FileKind, InIndex, StageState};

mod discards;

const ALL: &[PickedPart] = &[];

fn hunk(hunk: usize) -> PickedPart {
    PickedPart { hunk, lines: None }
}

fn lines(hunk: usize, first: usize, last: usize) -> PickedPart {
    PickedPart {
        hunk,
        lines: Some((first, last)),
    }
}

impl SavedClone {
    fn now(&self) -> Snapshot {
        let cancel = CancelFlag::default();
        self.store.now(&self.dir(), &self.options(&[], &cancel)).unwrap()
    }

    fn uncommitted(&self, path: &str) -> FileAsk {
        self.store
            .uncommitted(&self.dir(), &self.now(), ("grove", path.as_ref()))
            .unwrap()
    }

    fn pick(&self, act: PickAct, path: &str, parts: &[PickedPart]) -> Result<(), Error> {
        let ask = self.uncommitted(path);
        self.store.pick(&self.dir(), &self.now(), &ask, parts, act)
    }

    fn picks(&self, act: PickAct, path: &str, parts: &[PickedPart]) {
        self.pick(act, path, parts).unwrap();
        self.clone.git(&["fsck", "--full", "--strict", "--no-dangling"]);
    }

    fn refuses(&self, act: PickAct, path: &str, parts: &[PickedPart]) -> String {
        self.pick(act, path, parts).unwrap_err().to_string()
    }

    /// What the index has of a file, with what git's output lacks at its end.
    fn staged(&self, path: &str) -> Vec<u8> {
        let output = std::process::Command::new("git")
            .current_dir(&self.clone.0)
            .args(["cat-file", "blob", &format!(":{path}")])
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    }

    fn status(&self) -> String {
        let said = self.clone.git(&["status", "--porcelain", "-uall"]);
        said.lines()
            .map(|line| line.trim().replace("  ", " "))
            .collect::<Vec<_>>()
            .join("|")
    }

    /// What is told of a file that differs.
    fn index(&self, path: &str) -> InIndex {
        let changes = self.uncommitted_files();
        let change = changes.iter().find(|change| change.path == Path::new(path));
        change.unwrap().index.clone().unwrap()
    }

    fn uncommitted_files(&self) -> Vec<FileChange> {
        let now = self.now();
        let committed = self.store.committed(&now).unwrap();
        let mut changes = self.store.changes(committed, now.files()).unwrap();
        self.store
            .tell_staged(&now, (committed, now.files()), &mut changes)
            .unwrap();
        changes
    }

    fn commit_files(&self, files: &[(&str, &[u8])]) {
        for (path, content) in files {
            fs::write(self.path(path), content).unwrap();
        }
        self.clone.git(&["add", "-A"]);
        self.clone.git(&["commit", "-q", "-m", "files"]);
    }
}

fn numbered(changed: &[(usize, &str)]) -> String {
    let line = |n: usize| match changed.iter().find(|(at, _)| *at == n) {
        Some((_, text)) => format!("{text}\n"),
        None => format!("line {n}\n"),
    };
    (1..=30).map(line).collect()
}

#[test]
fn a_hunk_is_staged_and_unstaged_without_the_others() {
    let saved = SavedClone::new();
    saved.commit_files(&[("a.txt", numbered(&[]).as_bytes())]);
    saved.write("a.txt", &numbered(&[(3, "three"), (25, "twenty-five")]));
    saved.picks(PickAct::Stage, "a.txt", &[hunk(1)]);
    assert_eq!(saved.staged("a.txt"), numbered(&[(25, "twenty-five")]).as_bytes());
    assert_eq!(saved.status(), "MM a.txt");
    assert_eq!(
        saved.refuses(PickAct::Stage, "a.txt", &[hunk(1)]),
        "a.txt: that is staged already"
    );
    saved.picks(PickAct::Stage, "a.txt", &[hunk(0)]);
    assert_eq!(saved.status(), "M a.txt");
    saved.picks(PickAct::Unstage, "a.txt", &[hunk(1)]);
    assert_eq!(saved.staged("a.txt"), numbered(&[(3, "three")]).as_bytes());
    saved.picks(PickAct::Unstage, "a.txt", ALL);
    assert_eq!(saved.staged("a.txt"), numbered(&[]).as_bytes());
    assert_eq!(
        saved.refuses(PickAct::Unstage, "a.txt", &[hunk(0)]),
        "a.txt: nothing of that is staged"
    );
    assert_eq!(saved.text("a.txt"), numbered(&[(3, "three"), (25, "twenty-five")]));
    assert_eq!(
        saved.refuses(PickAct::Stage, "a.txt", &[hunk(2)]),
        "a.txt: there is no such change in it"
    );
    assert_eq!(
        saved.refuses(PickAct::Stage, "a.txt", &[lines(0, 0, 1)]),
        "a.txt: there is no such change in it",
        "lines that did not change"
    );
}

#[test]
fn each_file_and_line_says_whether_it_is_staged() {
    let saved = SavedClone::new();
    saved.commit_files(&[
        ("a.txt", numbered(&[]).as_bytes()),
        ("b.txt", b"one\n"),
        ("gone.txt", b"x\n"),
    ]);
    saved.write("a.txt", &numbered(&[(3, "three"), (25, "twenty-five")]));
    saved.write("b.txt", "two\n");
    saved.write("new.txt", "new\n");
    fs::remove_file(saved.path("gone.txt")).unwrap();
    let staged = |path: &str| saved.index(path);
    for path in ["a.txt", "b.txt", "new.txt", "gone.txt"] {
        assert_eq!(staged(path).staged, StageState::No, "{path}");
    }
    saved.picks(PickAct::Stage, "a.txt", &[hunk(1)]);
    for path in ["b.txt", "new.txt", "gone.txt"] {
        saved.picks(PickAct::Stage, path, ALL);
        assert_eq!(staged(path).staged, StageState::Yes, "{path}");
    }
    let index = staged("a.txt");
    assert_eq!(index.staged, StageState::Partly);
    let ask = FileAsk {
        index: Some(index.content),
        ..saved.uncommitted("a.txt")
    };
    let DiffBody::Lines { hunks, .. } = saved.store.file_diff(&ask).unwrap().body else {
        panic!("it has lines");
    };
    let marked = hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.is_staged);
    let marked: Vec<&str> = marked.map(|line| &*line.text).collect();
    assert_eq!(marked, ["line 25", "twenty-five"]);
}

#[test]
fn lines_are_exact_to_the_byte() {
    let saved = SavedClone::new();
    saved.commit_files(&[("crlf.txt", b"one\r\ntwo\r\nthree"), ("plain.txt", b"one\ntwo")]);
    // -two -three(unended) +2 +3 +four(unended)
    saved.write("crlf.txt", "one\r\n2\r\n3\r\nfour");
    saved.picks(PickAct::Stage, "crlf.txt", &[lines(0, 5, 5)]);
    assert_eq!(
        saved.staged("crlf.txt"),
        b"one\r\ntwo\r\nthree\r\nfour",
        "a line that is not the last has an end"
    );
    saved.picks(PickAct::Unstage, "crlf.txt", ALL);
    saved.picks(PickAct::Stage, "crlf.txt", &[lines(0, 1, 1), lines(0, 3, 3)]);
    assert_eq!(
        saved.staged("crlf.txt"),
        b"one\r\nthree\r\n2\r\n",
        "as git orders them: what stays comes first"
    );
    saved.picks(PickAct::Stage, "crlf.txt", &[hunk(0)]);
    assert_eq!(saved.staged("crlf.txt"), b"one\r\n2\r\n3\r\nfour");

    saved.write("plain.txt", "one\ntwo\n");
    saved.picks(PickAct::Stage, "plain.txt", &[hunk(0)]);
    assert_eq!(saved.staged("plain.txt"), b"one\ntwo\n");
    saved.picks(PickAct::Discard, "plain.txt", &[hunk(0)]);
    assert_eq!(fs::read(saved.path("plain.txt")).unwrap(), b"one\ntwo");
}

#[test]
fn new_deleted_renamed_and_mode_changed_files_are_staged_whole() {
    let saved = SavedClone::new();
    let text = numbered(&[]);
    saved.commit_files(&[
        ("gone.txt", b"gone\n"),
        ("old.txt", text.as_bytes()),
        ("run.sh", b"#!/bin/sh\n"),
    ]);
    fs::remove_file(saved.path("gone.txt")).unwrap();
    fs::rename(saved.path("old.txt"), saved.path("new.txt")).unwrap();
    fs::set_permissions(saved.path("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    saved.write("fresh.txt", "a\nb\n");
    std::os::unix::fs::symlink("run.sh", saved.path("link")).unwrap();
    for path in ["gone.txt", "new.txt", "run.sh", "fresh.txt", "link"] {
        saved.picks(PickAct::Stage, path, ALL);
    }
    let all = "A fresh.txt|D gone.txt|A link|R old.txt -> new.txt|M run.sh";
    assert_eq!(saved.status(), all);
    for path in ["gone.txt", "new.txt", "run.sh", "fresh.txt", "link"] {
        saved.picks(PickAct::Unstage, path, ALL);
    }
    assert_eq!(saved.clone.git(&["diff", "--cached", "--raw"]), "");

    saved.picks(PickAct::Stage, "fresh.txt", &[lines(0, 1, 1)]);
    assert_eq!(saved.staged("fresh.txt"), b"b\n");
    saved.picks(PickAct::Unstage, "fresh.txt", &[hunk(0)]);
    assert!(
        saved.status().contains("?? fresh.txt"),
        "nothing of a new file is no file: {}",
        saved.status()
    );
    saved.picks(PickAct::Stage, "gone.txt", &[hunk(0)]);
    assert!(saved.status().contains("D gone.txt"), "{}", saved.status());
    assert_eq!(
        saved.refuses(PickAct::Stage, "link", &[hunk(0)]),
        "link: it has no lines: choose the whole file"
    );
}

#[test]
fn lines_of_a_renamed_file_are_staged_with_its_new_name() {
    let saved = SavedClone::new();
    saved.commit_files(&[("old.txt", numbered(&[]).as_bytes())]);
    fs::remove_file(saved.path("old.txt")).unwrap();
    saved.write("new.txt", &numbered(&[(3, "three"), (25, "twenty-five")]));
    saved.picks(PickAct::Stage, "new.txt", &[hunk(0)]);
    assert_eq!(saved.staged("new.txt"), numbered(&[(3, "three")]).as_bytes());
    assert_eq!(saved.status(), "RM old.txt -> new.txt");
    saved.picks(PickAct::Discard, "new.txt", &[hunk(1)]);
    assert_eq!(saved.text("new.txt"), numbered(&[(3, "three")]));
    saved.picks(PickAct::Unstage, "new.txt", ALL);
    saved.picks(PickAct::Discard, "new.txt", ALL);
    assert_eq!((saved.text("old.txt"), saved.status()), (numbered(&[]), String::new()));
}

#[test]
fn a_file_that_changed_since_it_was_shown_is_left_alone() {
    let saved = SavedClone::new();
    saved.commit_files(&[("a.txt", b"one\n")]);
    saved.write("a.txt", "two\n");
    let (ask, now) = (saved.uncommitted("a.txt"), saved.now());
    saved.write("a.txt", "three\n");
    for act in [PickAct::Stage, PickAct::Unstage, PickAct::Discard] {
        let error = saved
            .store
            .pick(&saved.dir(), &saved.now(), &ask, ALL, act)
            .unwrap_err();
        assert_eq!(error.to_string(), "a.txt changed since it was shown");
    }
    let error = saved
        .store
        .pick(&saved.dir(), &now, &ask, ALL, PickAct::Discard)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.txt changed since it was shown",
        "after it was saved, too"
    );
    assert_eq!(
        (saved.text("a.txt"), saved.status()),
        ("three\n".into(), "M a.txt".into())
    );
}

#[test]
fn nothing_that_the_clone_configures_runs_and_what_git_would_convert_is_left_to_git() {
    let saved = SavedClone::new();
    saved.commit_files(&[("a.txt", b"one\n"), ("b.bat", b"one\n"), ("c.big", b"pointer\n")]);
    let ran = saved.home.user().join("ran");
    let program = saved.home.user().join("bin/run");
    script(&program, &format!("touch {}; cat", ran.display()));
    let program = program.to_str().unwrap();
    for (key, value) in [
        ("core.fsmonitor", program),
        ("core.hooksPath", saved.home.user().join("bin").to_str().unwrap()),
        ("filter.x.clean", program),
        ("filter.x.process", program),
        ("diff.external", program),
    ] {
        saved.clone.git(&["config", key, value]);
    }
    saved.write(".gitattributes", "*.big filter=x\n*.bat text eol=crlf\n");
    saved.write("a.txt", "two\n");
    saved.write("b.bat", "two\r\n");
    saved.write("c.big", "content\n");
    for act in [PickAct::Stage, PickAct::Unstage, PickAct::Discard] {
        let _ = saved.pick(act, "a.txt", &[hunk(0)]);
        saved.write("a.txt", "two\n");
    }
    saved.pick(PickAct::Stage, "b.bat", ALL).unwrap();
    let big = saved.refuses(PickAct::Stage, "c.big", ALL);
    assert_eq!(big, "c.big: git stores it through a filter, which parlour does not run");
    assert!(saved.refuses(PickAct::Discard, "c.big", ALL).contains("filter"));
    assert!(!ran.exists(), "something of the clone was run");
    saved.clone.git(&["config", "--unset", "core.fsmonitor"]);
    assert_eq!(saved.staged("b.bat"), b"two\n");
    std::os::unix::fs::symlink(saved.home.user(), saved.path("elsewhere")).unwrap();
    fs::remove_dir_all(saved.path(".git/objects/pack")).unwrap();
    saved.write("a.txt", "three\n");
    fs::rename(saved.path(".git/objects"), saved.home.user().join("objects")).unwrap();
    std::os::unix::fs::symlink(saved.home.user().join("objects"), saved.path(".git/objects")).unwrap();
    assert!(saved.pick(PickAct::Stage, "a.txt", ALL).is_err(), "no link is followed");
}

#[test]
fn a_conflict_a_lock_and_an_index_of_another_kind_are_told() {
    let saved = SavedClone::new();
    saved.commit_files(&[("a.txt", b"one\n")]);
    saved.clone.git(&["checkout", "-q", "-b", "other"]);
    saved.commit_files(&[("a.txt", b"two\n")]);
    saved.clone.git(&["checkout", "-q", "-"]);
    saved.commit_files(&[("a.txt", b"three\n")]);
    let merged = std::process::Command::new("git")
        .current_dir(&saved.clone.0)
        .args(["-c", "user.name=T", "-c", "user.email=t@e.org", "merge", "-q", "other"])
        .output()
        .unwrap();
    assert!(!merged.status.success());
    assert!(
        saved
            .refuses(PickAct::Stage, "a.txt", &[hunk(0)])
            .contains("in conflict")
    );
    assert_eq!(saved.index("a.txt").staged, StageState::Conflict);
    let marked = saved.pick(PickAct::Stage, "a.txt", ALL).unwrap_err();
    assert!(marked.to_string().contains("has the marks of its conflict"), "{marked}");
    assert_eq!(marked.hint(), None, "it says itself what to do");
    saved.write("a.txt", "three\n");
    assert_eq!(saved.index("a.txt").staged, StageState::Conflict, "one side was taken");
    saved.write("a.txt", "two and three\n");
    fs::write(saved.path(".git/index.lock"), "").unwrap();
    let locked = saved.refuses(PickAct::Stage, "a.txt", ALL);
    assert!(locked.contains("git is at work"), "{locked}");
    fs::remove_file(saved.path(".git/index.lock")).unwrap();
    saved.picks(PickAct::Stage, "a.txt", ALL);
    assert_eq!(saved.status(), "M a.txt", "it is resolved");
    saved.clone.git(&["update-index", "--split-index"]);
    saved.write("a.txt", "four\n");
    let split = saved.refuses(PickAct::Stage, "a.txt", ALL);
    assert!(split.contains("only git itself"), "{split}");
}

#[test]
fn a_change_in_the_same_tick_as_the_index_still_shows() {
    let saved = SavedClone::new();
    for round in 0..20 {
        saved.commit_files(&[("a.txt", b"aaaa\n"), ("b.txt", format!("{round}\n").as_bytes())]);
        saved.write("a.txt", "bbbb\n");
        saved.write("b.txt", "other\n");
        saved.picks(PickAct::Stage, "b.txt", ALL);
        assert!(saved.status().contains("M a.txt"), "round {round}: {}", saved.status());
        saved.clone.git(&["reset", "-q", "--hard"]);
    }
}

/// Lines of few kinds, so that they repeat; some files lack a final newline, some end lines as on Windows.
fn random_text(random: &mut impl FnMut(usize) -> usize, end: &str) -> Vec<u8> {
    let mut text: String = (0..random(14))
        .map(|_| format!("{}{end}", ["a", "b", "c", "}"][random(4)]))
        .collect();
    if random(4) == 0 {
        text.push_str("last");
    }
    text.into_bytes()
}

#[test]
fn any_choice_of_lines_and_then_the_rest_is_the_whole() {
    let saved = SavedClone::new();
    let mut seed = 7u64;
    let mut random = move |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for round in 0..60 {
        let end = if round % 3 == 0 { "\r\n" } else { "\n" };
        let (old, new) = (random_text(&mut random, end), random_text(&mut random, end));
        if old == new || old.is_empty() || new.is_empty() {
            continue;
        }
        saved.commit_files(&[("a.txt", &old), ("round", round.to_string().as_bytes())]);
        fs::write(saved.path("a.txt"), &new).unwrap();
        let ask = saved.uncommitted("a.txt");
        let DiffBody::Lines { hunks, .. } = saved.store.file_diff(&ask).unwrap().body else {
            panic!("it is text");
        };
        let all: Vec<(usize, usize)> = hunks
            .iter()
            .enumerate()
            .flat_map(|(at, hunk)| (0..hunk.lines.len()).map(move |line| (at, line)))
            .filter(|(at, line)| hunks[*at].lines[*line].kind != LineKind::Context)
            .collect();
        let whole: Vec<PickedPart> = (0..hunks.len()).map(hunk).collect();
        let parts = |chosen: &[(usize, usize)]| -> Vec<PickedPart> {
            chosen.iter().map(|(at, line)| lines(*at, *line, *line)).collect()
        };
        let (some, rest): (Vec<_>, Vec<_>) = all.iter().copied().partition(|_| random(2) == 0);
        let pick = |act, parts: &[PickedPart]| {
            if !parts.is_empty() {
                // A choice may come to nothing, as two equal lines that change places do.
                let _ = saved.store.pick(&saved.dir(), &saved.now(), &ask, parts, act);
            }
        };
        pick(PickAct::Stage, &parts(&some));
        pick(PickAct::Stage, &whole);
        assert_eq!(saved.staged("a.txt"), new, "round {round}: staged in two steps");
        pick(PickAct::Unstage, &parts(&rest));
        pick(PickAct::Unstage, &whole);
        assert_eq!(saved.staged("a.txt"), old, "round {round}: unstaged in two steps");
        pick(PickAct::Discard, &parts(&all));
        assert_eq!(fs::read(saved.path("a.txt")).unwrap(), old, "round {round}: discarded");
    }
}

#[test]
fn a_hunk_of_another_comparison_is_staged_where_the_file_before_is_the_committed_one() {
    let saved = SavedClone::new();
    let text = |changed| numbered(changed).into_bytes();
    saved.commit_files(&[("a.txt", &text(&[])), ("b.txt", b"b\n")]);
    saved.write("b.txt", "other\n");
    let before = saved.now();
    saved.write("a.txt", &numbered(&[(3, "III"), (25, "twenty-five")]));
    let pick = |at| {
        let now = saved.now();
        let sides = (Some(before.files()), now.files());
        let ask = saved.store.difference(sides, ("grove", "a.txt".as_ref()), "").unwrap();
        saved.store.pick(&saved.dir(), &now, &ask, &[hunk(at)], PickAct::Stage)
    };
    pick(1).unwrap();
    assert_eq!(saved.staged("a.txt"), text(&[(25, "twenty-five")]));
    // Committed since, it is in neither side as it is in the commit.
    saved.clone.git(&["commit", "-q", "-m", "more"]);
    saved.write("a.txt", &numbered(&[(3, "III"), (25, "XXV")]));
    let refused = pick(1).unwrap_err().to_string();
    assert!(refused.contains("not all that changed in it was compared"), "{refused}");
}

#[test]
fn a_file_that_is_only_announced_is_staged_as_one_that_git_does_not_know() {
    let saved = SavedClone::new();
    saved.write("new.txt", "one\n");
    saved.write("empty.txt", "");
    saved.clone.git(&["add", "-N", "new.txt", "empty.txt"]);
    for path in ["new.txt", "empty.txt"] {
        assert_eq!(saved.index(path).staged, StageState::No, "{path}");
        saved.picks(PickAct::Stage, path, ALL);
        assert_eq!(saved.index(path).staged, StageState::Yes, "{path}");
    }
    assert_eq!(saved.staged("new.txt"), b"one\n");
    assert_eq!(saved.status(), "A empty.txt|A new.txt");
}

#[test]
fn a_staged_rename_of_the_same_content_is_a_rename() {
    let saved = SavedClone::new();
    saved.commit_files(&[("a.txt", numbered(&[]).as_bytes())]);
    saved.clone.git(&["mv", "a.txt", "b.txt"]);
    assert_eq!(saved.index("b.txt").staged, StageState::Yes);
    let shown = saved.store.file_diff(&saved.uncommitted("b.txt")).unwrap();
    assert_eq!((shown.kind, shown.body), (FileKind::Renamed, DiffBody::Equal));
}
