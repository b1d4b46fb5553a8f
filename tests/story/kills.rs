//! A checkpoint, a revert and its undo, a fork, a commit, a rebase and a way home, killed at their calls to storage: what
//! is found then is old or new, never mixed. Likewise where one call fails.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::promises;
use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::storage_calls::{Fault, FaultyEngine};

/// So many kills for each verb, spread over all its calls. A long run has one at each.
const KILLS: u64 = 12;

/// A stopped chat with two clones, saved once as they were.
struct Clones {
    parlour: Parlour,
    dirs: [PathBuf; 2],
    chat: String,
}

/// What a person finds in both clones: every file that is not git's own, and what git says of it.
type Found = Vec<(PathBuf, Vec<u8>)>;

impl Clones {
    fn new() -> Clones {
        let parlour = Parlour::new();
        let repository = |name: &str| {
            let dir = parlour.scratch().join(name);
            fs::create_dir_all(dir.join("src")).unwrap();
            for (file, text) in [
                ("README.md", "hello\n"),
                ("src/a.rs", "a\n"),
                ("src/b.rs", "b\n"),
                (".gitignore", "*.log\n"),
            ] {
                fs::write(dir.join(file), text).unwrap();
            }
            git(&dir, &["init", "-q", "-b", "main"]);
            git(&dir, &["add", "-A"]);
            git(&dir, &["commit", "-q", "-m", "first"]);
            dir.to_string_lossy().into_owned()
        };
        let (grove, brook) = (repository("grove"), repository("brook"));
        let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove, "--dir", &brook]);
        parlour.wait("work", "idle");
        parlour.say(&["stop", "work"]);
        parlour.wait("work", "exited");
        let chat = made["id"].as_str().unwrap().to_owned();
        let projects = parlour.home().join("chats").join(&chat).join("projects");
        let clones = Clones {
            dirs: [projects.join("grove"), projects.join("brook")],
            parlour,
            chat,
        };
        clones.parlour.json(&["checkpoint", "work"]);
        clones
    }

    /// The agent works: in both clones something is written, removed, made, staged and committed.
    fn work(&self, round: u64) {
        for dir in &self.dirs {
            fs::write(dir.join("README.md"), format!("round {round}\n")).unwrap();
            fs::write(dir.join("src/new.rs"), format!("new {round}\n")).unwrap();
            fs::write(dir.join("src/b.rs"), format!("staged {round}\n")).unwrap();
            git(dir, &["add", "src/b.rs"]);
            git(dir, &["commit", "-q", "-m", &format!("round {round}")]);
            fs::write(dir.join("src/b.rs"), "and changed again\n").unwrap();
            let _ = fs::remove_file(dir.join("src/a.rs"));
        }
    }

    fn found(&self, clone: usize) -> (Found, [String; 3]) {
        let dir = &self.dirs[clone];
        let mut files = Vec::new();
        walk(dir, dir, &mut files);
        files.sort();
        let said = [
            &["status", "--porcelain"][..],
            &["rev-parse", "HEAD"],
            &["symbolic-ref", "HEAD"],
        ];
        (files, said.map(|words| git(dir, words)))
    }

    fn both(&self) -> [(Found, [String; 3]); 2] {
        [self.found(0), self.found(1)]
    }

    fn stores(&self) -> Vec<PathBuf> {
        let dir = self.parlour.home().join("records").join(&self.chat).join("checkpoints");
        let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    }

    fn numbers(&self) -> Vec<u64> {
        let listed = self.parlour.json(&["checkpoints", "work"]);
        let all = listed["checkpoints"].as_array().unwrap().iter();
        all.map(|one| one["number"].as_u64().unwrap()).collect()
    }

    /// Runs a verb with an engine that dies in place of its `at`th call to storage. How many there were.
    fn killed_at(&self, at: u64, words: &[&str]) -> u64 {
        self.runs(Fault::KillAt(at), words)
    }

    /// Runs a verb on a disk that fails once, at the `at`th call.
    fn fails_at(&self, at: u64, words: &[&str]) {
        self.runs(Fault::FailAt(at, libc::EIO), words);
    }

    fn runs(&self, fault: Fault, words: &[&str]) -> u64 {
        let engine = FaultyEngine::start(&self.parlour);
        engine.begin(fault);
        let _ = self.parlour.run(words);
        engine.ended(&self.parlour)
    }
}

fn walk(root: &Path, dir: &Path, files: &mut Found) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.ends_with(".git") {
            continue;
        }
        match entry.file_type().unwrap().is_dir() {
            true => walk(root, &path, files),
            false => files.push((path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap())),
        }
    }
}

/// The numbers of the calls at which a verb of so many is killed.
fn chosen(calls: u64) -> impl Iterator<Item = u64> {
    let kills = promises::scaled(KILLS.min(calls), calls);
    (0..kills).map(move |kill| 1 + kill * calls / kills)
}

pub fn a_checkpoint_killed_anywhere_is_whole_or_not_there_and_leaves_the_clones_alone() {
    let clones = Clones::new();
    clones.work(0);
    let calls = clones.killed_at(u64::MAX, &["checkpoint", "work"]);
    println!("a checkpoint: {calls} calls to storage");
    for (round, at) in chosen(calls).enumerate() {
        clones.work(1 + round as u64);
        let (before, numbers) = (clones.both(), clones.numbers());
        clones.killed_at(at, &["checkpoint", "work"]);
        let after = clones.numbers();
        assert!(
            after == numbers || after[..numbers.len()] == numbers[..] && after.len() == numbers.len() + 1,
            "{after:?}"
        );
        assert_eq!(clones.both(), before, "killed at {at} of {calls}");
        clones.parlour.json(&["checkpoint", "work"]);
        let last = clones.numbers().last().unwrap().to_string();
        let diff: Value = clones.parlour.json(&["diff", "work", "--since", &last, "--stat"]);
        assert!(
            diff["changes"]
                .as_array()
                .unwrap()
                .iter()
                .all(|clone| clone["files"] == serde_json::json!([])),
            "{diff}"
        );
    }
    for store in clones.stores() {
        git(&store, &["fsck", "--strict"]);
    }
}

pub fn a_revert_and_its_undo_killed_anywhere_are_old_or_new_in_all_clones() {
    let clones = Clones::new();
    let old = clones.both();
    clones.work(0);
    let new = clones.both();
    let revert: &[&str] = &["revert", "work", "1", "--yes"];
    let undo: &[&str] = &["undo-revert", "work", "--yes"];
    let calls = clones.killed_at(u64::MAX, revert);
    assert_eq!(clones.both(), old);
    let undo_calls = clones.killed_at(u64::MAX, undo);
    assert_eq!(clones.both(), new);
    println!("a revert: {calls} calls to storage, its undo: {undo_calls}");
    for at in chosen(calls) {
        clones.killed_at(at, revert);
        // The next job of the chat finishes what was cut off.
        clones.parlour.json(&["checkpoint", "work"]);
        let is = clones.both();
        assert!(is == old || is == new, "revert killed at {at} of {calls}: {is:?}");
        if is == old {
            clones.parlour.json(undo);
        }
        assert_eq!(
            clones.both(),
            new,
            "undone after a revert that was killed at {at} of {calls}"
        );
    }
    for at in chosen(undo_calls) {
        clones.parlour.json(revert);
        assert_eq!(clones.both(), old);
        clones.killed_at(at, undo);
        clones.parlour.json(&["checkpoint", "work"]);
        let is = clones.both();
        assert!(is == old || is == new, "undo killed at {at} of {undo_calls}: {is:?}");
        if is == old {
            clones.parlour.json(undo);
        }
        assert_eq!(
            clones.both(),
            new,
            "undone after an undo that was killed at {at} of {undo_calls}"
        );
    }
    for store in clones.stores() {
        git(&store, &["fsck", "--strict"]);
    }
}

pub fn a_fork_killed_anywhere_is_whole_or_not_there_and_leaves_the_original_alone() {
    let clones = Clones::new();
    let then = [0, 1].map(|clone| clones.found(clone).0);
    clones.work(0);
    let now = clones.both();
    let fork: &[&str] = &["fork", "work", "1", "--name", "Fork"];
    let calls = clones.killed_at(u64::MAX, fork);
    println!("a fork: {calls} calls to storage");
    let forks = || -> Vec<String> {
        let listed = clones.parlour.json(&["list"]);
        let all = listed["chats"].as_array().unwrap().iter();
        let ids = all.map(|chat| chat["id"].as_str().unwrap().to_owned());
        ids.filter(|id| *id != clones.chat).collect()
    };
    let is_whole = |id: &str| {
        let projects = clones.parlour.home().join("chats").join(id).join("projects");
        for (clone, then) in ["grove", "brook"].iter().zip(&then) {
            let mut files = Vec::new();
            walk(&projects.join(clone), &projects.join(clone), &mut files);
            files.sort();
            assert_eq!(files, *then, "{clone} of {id}");
            git(&projects.join(clone), &["fsck", "--strict"]);
            assert_eq!(git(&projects.join(clone), &["status", "--porcelain"]), "");
        }
    };
    let whole = forks();
    assert_eq!(whole.len(), 1);
    // The next engine lets go of what was not made to its end.
    let is_finished = |id: &String| {
        let record = clones.parlour.home().join("records").join(id).join("chat.json");
        let record: Value = serde_json::from_slice(&fs::read(record).unwrap_or_default()).unwrap_or_default();
        record["to_open"] == 2 && record["dirs"].as_array().is_some_and(|dirs| dirs.len() == 2)
    };
    for at in chosen(calls).chain([0]) {
        until("what is there is finished", PATIENCE, || {
            forks().iter().all(is_finished)
        });
        for id in forks() {
            is_whole(&id);
            clones.parlour.json(&["rm", &id, "--yes"]);
        }
        if at > 0 {
            clones.killed_at(at, fork);
        }
        assert_eq!(clones.both(), now, "killed at {at} of {calls}");
        assert!(forks().len() <= 1, "killed at {at} of {calls}");
    }
    for store in clones.stores() {
        git(&store, &["fsck", "--strict"]);
    }
}

pub fn a_commit_killed_anywhere_loses_nothing_and_can_be_made_again() {
    let clones = Clones::new();
    clones.work(0);
    let commit: &[&str] = &["commit", "work", "-m", "kept"];
    let calls = clones.killed_at(u64::MAX, commit);
    println!("a commit: {calls} calls to storage");
    for (round, at) in chosen(calls).enumerate() {
        clones.work(1 + round as u64);
        let before = [0, 1].map(|clone| clones.found(clone).0);
        clones.killed_at(at, commit);
        let words = format!("killed at {at} of {calls}");
        assert_eq!([0, 1].map(|clone| clones.found(clone).0), before, "{words}");
        // All that is left of it is made up for by the next one.
        let said = clones.parlour.run(commit);
        let words = format!("{words}: {}", String::from_utf8_lossy(&said.stderr));
        for dir in &clones.dirs {
            assert_eq!(git(dir, &["status", "--porcelain"]), "", "{words}");
            assert_eq!(git(dir, &["log", "-1", "--format=%s"]), "kept", "{words}");
            git(dir, &["fsck", "--strict"]);
        }
    }
}

pub fn a_rebase_killed_anywhere_is_called_off_or_done_and_can_be_made_again() {
    rebase_survives(Fault::KillAt);
}

pub fn a_rebase_that_fails_anywhere_is_called_off_or_done_and_can_be_made_again() {
    rebase_survives(|at| Fault::FailAt(at, libc::EIO));
}

fn rebase_survives(fault: impl Fn(u64) -> Fault) {
    let clones = Clones::new();
    for (name, dir) in ["grove", "brook"].iter().zip(&clones.dirs) {
        fs::write(dir.join("src/own.rs"), "own\n").unwrap();
        git(dir, &["add", "-A"]);
        git(dir, &["commit", "-q", "-m", "own"]);
        let source = clones.parlour.scratch().join(name);
        for file in ["src/a.rs", "src/news.rs"] {
            fs::write(source.join(file), "news\n").unwrap();
        }
        fs::remove_file(source.join("src/b.rs")).unwrap();
        git(&source, &["add", "-A"]);
        git(&source, &["commit", "-q", "-m", "news"]);
    }
    clones.parlour.json(&["checkpoint", "work"]);
    let start = clones.numbers().last().unwrap().to_string();
    let rebase: &[&str] = &["rebase", "work"];
    let old = clones.both();
    let calls = clones.killed_at(u64::MAX, rebase);
    println!("a rebase: {calls} calls to storage");
    let new = [0, 1].map(|clone| clones.found(clone).0);
    let is_new = |clone: usize| {
        let said = |words: &[&str]| git(&clones.dirs[clone], words);
        let log = said(&["log", "--format=%s"]);
        clones.found(clone).0 == new[clone] && said(&["status", "--porcelain"]).is_empty() && log == "own\nnews\nfirst"
    };
    assert!((0..2).all(is_new));
    for at in chosen(calls) {
        clones.parlour.json(&["revert", "work", &start, "--yes"]);
        assert_eq!(clones.both(), old);
        let fault = fault(at);
        clones.runs(fault, rebase);
        // The next job of the chat calls off what was cut off.
        clones.parlour.json(&["checkpoint", "work"]);
        for (clone, before) in old.iter().enumerate() {
            let found = clones.found(clone);
            assert!(found == *before || is_new(clone), "{fault:?} of {calls}: {found:?}");
        }
        clones.parlour.json(rebase);
        assert!((0..2).all(is_new), "again after {fault:?} of {calls}");
        for dir in &clones.dirs {
            git(dir, &["fsck", "--strict"]);
        }
    }
}

/// The person's own branch must never be ahead of the files there: their next commit would take back the agent's work.
pub fn a_way_home_killed_anywhere_never_leaves_the_branch_ahead_of_its_files() {
    let clones = Clones::new();
    let home: &[&str] = &["home", "work", "--project", "grove", "--as", "fix", "--checkout"];
    let source = clones.parlour.scratch().join("grove");
    clones.work(0);
    clones.parlour.json(&["commit", "work", "-m", "kept"]);
    clones.parlour.json(home);
    let round = |number: u64| {
        clones.work(number);
        clones
            .parlour
            .json(&["commit", "work", "-m", &format!("kept {number}")]);
        git(&clones.dirs[0], &["rev-parse", "HEAD"])
    };
    round(1);
    let calls = clones.killed_at(u64::MAX, home);
    println!("a way home: {calls} calls to storage");
    for at in chosen(calls) {
        for fault in [Fault::KillAt(at), Fault::FailAt(at, libc::EIO)] {
            let (old, new) = (git(&source, &["rev-parse", "fix"]), round(2 + at));
            clones.runs(fault, home);
            let (is, status) = (
                git(&source, &["rev-parse", "fix"]),
                git(&source, &["status", "--porcelain"]),
            );
            let words = format!("{fault:?} of {calls}: {status:?}");
            assert!(is == old || is == new && status.is_empty(), "{words}");
            let _ = fs::remove_file(source.join(".git/index.lock"));
            git(&source, &["read-tree", "-u", "--reset", "HEAD"]);
            git(&source, &["clean", "-fdq"]);
            clones.parlour.json(home);
            assert_eq!(git(&source, &["rev-parse", "HEAD"]), new, "again after {words}");
            assert_eq!(git(&source, &["status", "--porcelain"]), "", "again after {words}");
        }
    }
}

pub fn a_revert_that_fails_anywhere_is_old_or_new_in_all_clones() {
    let clones = Clones::new();
    let old = clones.both();
    clones.work(0);
    let new = clones.both();
    let revert: &[&str] = &["revert", "work", "1", "--yes"];
    let calls = clones.killed_at(u64::MAX, revert);
    assert_eq!(clones.both(), old);
    for at in chosen(calls) {
        clones.parlour.json(&["undo-revert", "work", "--yes"]);
        assert_eq!(clones.both(), new);
        clones.fails_at(at, revert);
        clones.parlour.json(&["checkpoint", "work"]);
        let is = clones.both();
        assert!(is == old || is == new, "failed at {at} of {calls}: {is:?}");
        if is == new {
            clones.parlour.json(revert);
            assert_eq!(clones.both(), old, "again after a failure at {at} of {calls}");
        }
    }
}
