//! P13, P14, P15: clones appear whole, go back and forth to the byte, and go without anything else.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

use super::{Dice, scaled};
use crate::story;
use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::team::{self, Mate};

/// All below a directory: kind and mode, and the bytes of a file or where a link leads.
fn manifest(root: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut left = vec![root.to_path_buf()];
    while let Some(dir) = left.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let is = fs::symlink_metadata(&path).unwrap();
            let holds = match is.file_type() {
                kind if kind.is_dir() => {
                    left.push(path.clone());
                    Vec::new()
                }
                kind if kind.is_symlink() => fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
                _ => fs::read(&path).unwrap(),
            };
            found.insert(path, (is.mode(), holds));
        }
    }
    found
}

/// A repository on a server that answers nothing, and the same call once it is there.
#[test]
fn p13_a_clone_that_is_interrupted_is_never_seen_and_the_same_call_works_then() {
    let parlour = Parlour::new();
    let grove = story::reviews::repository(&parlour.scratch().join("grove"));
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/grove.git", silent.local_addr().unwrap());
    let made = parlour.json(&["new", "Talk", "--llm", "demo"]);
    parlour.wait("talk", "idle");
    let projects = parlour
        .home()
        .join("chats")
        .join(made["id"].as_str().unwrap())
        .join("projects");
    let seen = || -> Vec<String> {
        let entries = fs::read_dir(&projects).into_iter().flatten();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    for dir in [url.as_str(), grove.as_str()] {
        let mut verb = parlour.command(&["open-dir", "talk", dir]);
        let mut verb = verb.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        if dir == url {
            drop(silent.accept().unwrap());
        }
        parlour.kill_engine();
        verb.wait().unwrap();
        assert!(seen().is_empty() || dir == grove, "{:?}", seen());
        parlour.status();
    }
    parlour.json(&["resume", "talk"]);
    if seen().is_empty() {
        parlour.json(&["open-dir", "talk", &grove]);
    }
    assert_eq!(seen(), ["grove"]);
    git(&projects.join("grove"), &["fsck", "--strict"]);
    assert_eq!(git(&projects.join("grove"), &["status", "--porcelain"]), "");
    until("nothing half made is left", PATIENCE, || {
        fs::read_dir(parlour.home().join("staging")).unwrap().next().is_none()
    });
}

#[test]
fn p14_a_revert_takes_all_clones_back_and_its_undo_brings_everything_again() {
    story::reviews::a_revert_takes_all_clones_back_and_its_undo_brings_everything_again();
}

/// Whatever lay there, staged or not, ignored or not, with modes and links.
#[test]
fn p14_a_revert_and_its_undo_are_the_same_to_the_byte() {
    let parlour = Parlour::new();
    let grove = story::reviews::repository(&parlour.scratch().join("grove"));
    let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove]);
    parlour.wait("work", "idle");
    parlour.say(&["stop", "work"]);
    parlour.json(&["checkpoint", "work"]);
    let clone = parlour
        .home()
        .join("chats")
        .join(made["id"].as_str().unwrap())
        .join("projects/grove");
    let mut dice = Dice(3);
    for round in 0..scaled(4, 100) {
        for _ in 0..12 {
            scatter(&clone, &mut dice);
        }
        let without_git = |mut all: BTreeMap<PathBuf, (u32, Vec<u8>)>| {
            all.retain(|path, _| !path.starts_with(clone.join(".git")));
            all
        };
        let (before, staged) = (without_git(manifest(&clone)), git(&clone, &["ls-files", "--stage"]));
        let ignored: Vec<_> = before
            .iter()
            .filter(|(path, _)| path.extension().is_some_and(|e| e == "log"))
            .collect();
        parlour.json(&["revert", "work", "1", "--yes"]);
        let back = without_git(manifest(&clone));
        assert!(
            ignored.iter().all(|(path, is)| back.get(*path) == Some(is)),
            "round {round}"
        );
        let kept = git(&clone, &["status", "--porcelain"]);
        assert_eq!(kept, "", "round {round}");
        parlour.json(&["undo-revert", "work", "--yes"]);
        assert_eq!(without_git(manifest(&clone)), before, "round {round}");
        assert_eq!(git(&clone, &["ls-files", "--stage"]), staged, "round {round}");
    }
}

fn scatter(clone: &Path, dice: &mut Dice) {
    let names = [
        "README.md",
        "src/main.rs",
        "src/new.rs",
        "kept.log",
        "deep/er/file",
        "run.sh",
        "src/links",
    ];
    let path = clone.join(names[dice.below(names.len() as u64) as usize]);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match dice.below(5) {
        0 => drop(fs::remove_file(&path)),
        1 => {
            let _ = fs::remove_file(&path);
            symlink("../README.md", &path).unwrap();
        }
        2 => drop(git(clone, &["add", "-A"])),
        _ => {
            let _ = fs::remove_file(&path);
            let size = dice.below(3000) as usize;
            let bytes: Vec<u8> = (0..size).map(|_| dice.below(256) as u8).collect();
            fs::write(&path, bytes).unwrap();
            use std::os::unix::fs::PermissionsExt;
            let mode = if dice.below(2) == 0 { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
    }
}

/// Links out of it, a repository that it came from, a directory that it links: all stay.
#[test]
fn p15_a_deleted_chat_takes_nothing_along_that_is_outside_of_it() {
    let parlour = Parlour::new();
    let outside = parlour.scratch().join("outside");
    let grove = story::reviews::repository(&outside.join("grove"));
    fs::create_dir(outside.join("notes")).unwrap();
    fs::write(outside.join("notes/today"), "rain\n").unwrap();
    let notes = format!("{}:rw", outside.join("notes").display());
    let other = parlour.json(&["new", "Other", "--llm", "demo", "--dir", &grove]);
    let made = parlour.json(&["new", "Talk", "--llm", "demo", "--dir", &grove, "--dir", &notes]);
    parlour.wait("talk", "idle");
    parlour.wait("other", "idle");
    parlour.say(&["stop", "other"]);
    let chats = parlour.home().join("chats");
    let own = chats.join(made["id"].as_str().unwrap());
    let others = chats.join(other["id"].as_str().unwrap());
    symlink(&outside, own.join("out")).unwrap();
    symlink(&others, own.join("projects/grove/others")).unwrap();
    symlink("/", own.join("root")).unwrap();
    let (before, beside) = (manifest(&outside), manifest(&others));
    parlour.say(&["rm", "talk", "--yes"]);
    assert!(!own.exists());
    assert_eq!((&manifest(&outside), &manifest(&others)), (&before, &beside));
    parlour.say(&["undo-rm", "talk"]);
    assert!(own.join("out").is_symlink() && own.join("projects/grove/README.md").exists());
    parlour.say(&["rm", "talk", "--yes"]);
    parlour.say(&["trash", "purge", "--yes"]);
    assert_eq!((&manifest(&outside), &manifest(&others)), (&before, &beside));
}

/// A chat whose agent runs, with a clone that was saved twice and has changed since.
fn saved_twice(parlour: &Parlour) -> PathBuf {
    let grove = story::reviews::repository(&parlour.scratch().join("grove"));
    let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove]);
    parlour.wait("work", "idle");
    let chats = parlour.home().join("chats");
    let clone = chats.join(made["id"].as_str().unwrap()).join("projects/grove");
    for text in ["one\n", "two\n"] {
        fs::write(clone.join("README.md"), text).unwrap();
        parlour.json(&["checkpoint", "work"]);
    }
    fs::write(clone.join("README.md"), "three\n").unwrap();
    clone
}

/// Each hears of its own revert, one is carried out after the other, and undoing all brings back what there was.
#[test]
fn p14_two_that_revert_at_once_are_both_told_and_nothing_is_lost() {
    for _ in 0..scaled(3, 30) {
        let parlour = Parlour::new();
        let clone = saved_twice(&parlour);
        let listed = parlour.json(&["checkpoints", "work"]);
        let all = listed["checkpoints"].as_array().unwrap();
        let newest: Vec<String> = all.iter().rev().take(2).map(|one| one["number"].to_string()).collect();
        let begin = |number: &str| {
            let mut verb = parlour.command(&["revert", "work", number, "--yes", "--json"]);
            verb.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let verbs: Vec<_> = newest.iter().map(|number| begin(number)).collect();
        let mut done = 0;
        for verb in verbs {
            let output = verb.wait_with_output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            done += usize::from(output.status.success());
            assert!(output.status.success() || told.trim().lines().count() == 1, "{told}");
        }
        assert!(done > 0);
        let text = || fs::read_to_string(clone.join("README.md")).unwrap();
        assert!(["one\n", "two\n"].contains(&text().as_str()), "{:?}", text());
        parlour.wait("work", "idle");
        for _ in 0..done {
            parlour.json(&["undo-revert", "work", "--yes"]);
        }
        assert_eq!(text(), "three\n", "after {done} reverts");
    }
}

/// A child that its agent made works in clones of its own: they stay as they are, and its agent goes on.
#[test]
fn p14_a_revert_while_a_child_works_leaves_the_child_alone() {
    let parlour = team::parlour(json!({}));
    let grove = story::reviews::repository(&parlour.scratch().join("grove"));
    let boss = Mate::new(&parlour, "Boss", &["--dir", &grove]);
    boss.begins();
    let clone = boss.dir.join("projects/grove");
    parlour.json(&["checkpoint", "boss"]);
    fs::write(clone.join("README.md"), "two\n").unwrap();
    let asked = json!({"prompt": "work", "project": "grove", "branch": "try", "name": "Child"});
    let (child, _) = boss.dispatch(&parlour, asked);
    child.begins();
    let own = child.dir.join("projects/grove");
    fs::write(own.join("README.md"), "the child's\n").unwrap();
    let (before, pid) = (manifest(&own), pid_of(&parlour, "child"));
    parlour.json(&["revert", "boss", "1", "--yes"]);
    assert_eq!(fs::read_to_string(clone.join("README.md")).unwrap(), "hello\n");
    assert_eq!((manifest(&own), pid_of(&parlour, "child")), (before, pid));
    assert!(child.call("list_projects", json!({})).is_ok());
    parlour.json(&["undo-revert", "boss", "--yes"]);
    assert_eq!(fs::read_to_string(clone.join("README.md")).unwrap(), "two\n");
}

fn pid_of(parlour: &Parlour, handle: &str) -> Value {
    let agents = parlour.status()["agents"].clone();
    let own = agents
        .as_array()
        .unwrap()
        .iter()
        .find(|agent| agent["handle"] == handle);
    own.unwrap()["pid"].clone()
}
