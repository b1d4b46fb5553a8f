//! An agent removes a clone, or its git directory: going back to a checkpoint brings it back.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::reviews::repository;
use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// A chat in one clone with a commit that nobody else has, a branch beside, and a change that is not committed.
struct RemovedClone {
    parlour: Parlour,
    clone: PathBuf,
    saved: String,
}

impl RemovedClone {
    fn new() -> RemovedClone {
        let parlour = Parlour::new();
        let grove = repository(&parlour.scratch().join("grove"));
        let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove, "-p", "noask hello"]);
        parlour.wait("work", "idle");
        let id = made["id"].as_str().unwrap();
        let clone = parlour.home().join("chats").join(id).join("projects/grove");
        git(&clone, &["branch", "beside"]);
        fs::write(clone.join("README.md"), "committed\n").unwrap();
        git(&clone, &["commit", "-q", "-a", "-m", "agent's work"]);
        fs::write(clone.join("README.md"), "not committed\n").unwrap();
        let saved = parlour.json(&["checkpoint", "work"])["id"].to_string();
        RemovedClone { parlour, clone, saved }
    }

    fn is_back(&self) {
        let git = |args: &[&str]| git(&self.clone, args);
        assert_eq!(
            fs::read_to_string(self.clone.join("README.md")).unwrap(),
            "not committed\n"
        );
        assert_eq!(git(&["log", "-1", "--format=%s"]), "agent's work");
        assert_eq!(git(&["status", "--porcelain"]), "M README.md");
        assert_eq!(
            git(&["branch", "--list", "beside", "--format=%(refname:short)"]),
            "beside"
        );
        assert!(git(&["remote", "get-url", "origin"]).ends_with("grove"));
        assert!(!git(&["config", "user.name"]).is_empty());
        git(&["fsck", "--full", "--strict"]);
        let listed = self.parlour.json(&["list"]);
        assert_eq!(listed["chats"][0]["projects"][0]["branch"], "main", "{listed}");
    }
}

#[test]
fn a_clone_that_was_removed_comes_back_with_its_commits() {
    let removed = RemovedClone::new();
    fs::remove_dir_all(&removed.clone).unwrap();
    let refused = removed.parlour.refusal(&["diff", "work"]);
    assert!(refused.contains("projects/grove is gone"), "{refused}");
    let asked = removed.parlour.run(&["revert", "work", &removed.saved]);
    assert!(!asked.status.success());
    assert!(!removed.clone.exists(), "looking makes nothing");
    removed.parlour.json(&["revert", "work", &removed.saved, "--yes"]);
    removed.is_back();
    git(&removed.clone, &["checkout", "-q", "-b", "next"]);
    until("its branch is followed", PATIENCE, || {
        removed.parlour.json(&["list"])["chats"][0]["projects"][0]["branch"] == "next"
    });
}

#[test]
fn a_git_directory_that_was_removed_comes_back() {
    let removed = RemovedClone::new();
    fs::remove_dir_all(removed.clone.join(".git")).unwrap();
    fs::write(removed.clone.join("README.md"), "written since\n").unwrap();
    removed.parlour.json(&["revert", "work", &removed.saved, "--yes"]);
    removed.is_back();
}

fn is_writable(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o222 != 0
}

#[test]
fn a_read_only_clone_that_comes_back_is_read_only() {
    let parlour = Parlour::new();
    let grove = repository(&parlour.scratch().join("grove"));
    let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", &format!("{grove}:ro")]);
    parlour.wait("work", "idle");
    let clone = parlour
        .home()
        .join("chats")
        .join(made["id"].as_str().unwrap())
        .join("projects/grove");
    assert!(!is_writable(&clone));
    let saved = parlour.json(&["checkpoint", "work"])["id"].to_string();
    let open = || {
        for path in [&clone, &clone.join("README.md")] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
    };
    open();
    fs::remove_dir_all(&clone).unwrap();
    parlour.json(&["revert", "work", &saved, "--yes"]);
    assert!(clone.join("README.md").exists() && clone.join(".git/HEAD").exists());
    assert!(!is_writable(&clone) && !is_writable(&clone.join("README.md")));
    assert!(
        is_writable(&clone.join(".git")),
        "git's own folder is written to by git"
    );
    // Of a git directory its own entry stays where the clone forbids writing.
    fs::remove_dir_all(clone.join(".git")).unwrap();
    fs::create_dir(clone.join(".git")).unwrap();
    parlour.json(&["revert", "work", &saved, "--yes"]);
    assert_eq!(git(&clone, &["status", "--porcelain"]), "");
    assert!(!is_writable(&clone));
}

#[test]
fn branches_that_do_not_come_back_are_named_before_and_after() {
    let removed = RemovedClone::new();
    let told = git(
        &removed.clone,
        &["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "aside"],
    );
    git(&removed.clone, &["branch", "aside", &told]);
    let saved = removed.parlour.json(&["checkpoint", "work"])["id"].to_string();
    fs::remove_dir_all(removed.clone.join(".git")).unwrap();
    let words = "the last commits of aside were not kept, and do not come back";
    let asked = removed.parlour.refusal(&["revert", "work", &saved]);
    assert!(asked.contains(words), "{asked}");
    let done = removed.parlour.say(&["revert", "work", &saved, "--yes"]);
    assert!(done.contains(words), "{done}");
    removed.is_back();
}

#[test]
fn a_branch_that_was_checked_out_once_comes_back_beside() {
    let removed = RemovedClone::new();
    git(&removed.clone, &["checkout", "-q", "-b", "later"]);
    git(&removed.clone, &["commit", "-q", "-a", "-m", "later work"]);
    removed.parlour.json(&["checkpoint", "work"]);
    fs::remove_dir_all(&removed.clone).unwrap();
    removed.parlour.json(&["revert", "work", &removed.saved, "--yes"]);
    removed.is_back();
    assert_eq!(
        git(&removed.clone, &["log", "-1", "--format=%s", "later"]),
        "later work"
    );
}

#[test]
fn undoing_it_brings_files_back_and_takes_nothing_away() {
    let removed = RemovedClone::new();
    let read = || fs::read_to_string(removed.clone.join("README.md")).unwrap();
    fs::remove_dir_all(removed.clone.join(".git")).unwrap();
    fs::write(removed.clone.join("README.md"), "written since\n").unwrap();
    removed.parlour.json(&["revert", "work", &removed.saved, "--yes"]);
    let undone = removed.parlour.say(&["undo-revert", "work", "--yes"]);
    assert!(
        undone.contains("its .git was gone then: the one that is there now stays"),
        "{undone}"
    );
    assert_eq!(read(), "written since\n");
    assert_eq!(git(&removed.clone, &["log", "-1", "--format=%s"]), "agent's work");

    fs::remove_dir_all(&removed.clone).unwrap();
    removed.parlour.json(&["revert", "work", &removed.saved, "--yes"]);
    removed.is_back();
    let asked = removed.parlour.refusal(&["undo-revert", "work"]);
    let words = "grove: nothing of this clone was there then: it stays as it is now";
    assert!(asked.contains(words), "{asked}");
    let undone = removed.parlour.say(&["undo-revert", "work", "--yes"]);
    assert!(undone.contains(words), "{undone}");
    removed.is_back();
}

#[test]
fn a_fork_has_the_clone_that_is_gone_as_the_checkpoint_had_it() {
    let removed = RemovedClone::new();
    let fork = |name: &str| {
        let made = removed.parlour.json(&["fork", "work", &removed.saved, "--name", name]);
        let clone = Path::new(made["dir"].as_str().unwrap()).join("projects/grove");
        assert_eq!(
            fs::read_to_string(clone.join("README.md")).unwrap(),
            "not committed\n",
            "{made}"
        );
        assert_eq!(git(&clone, &["log", "-1", "--format=%s main"]), "agent's work main");
        assert_eq!(
            git(&clone, &["status", "--porcelain", "--branch"]).lines().nth(1),
            Some(" M README.md")
        );
        git(&clone, &["fsck", "--full", "--strict"]);
    };
    fs::remove_dir_all(removed.clone.join(".git")).unwrap();
    fork("without git");
    fs::remove_dir_all(&removed.clone).unwrap();
    fork("without all");
    assert!(!removed.clone.exists());
}

impl RemovedClone {
    /// Writes down that a revert has failed and could not be called off at once, as if the engine had been killed then.
    fn cut_off(&self, from: u64, made: &Value) {
        let records = self.parlour.home().join("records");
        let record = fs::read_dir(records).unwrap().next().unwrap().unwrap().path();
        let to: u64 = self.saved.parse().unwrap();
        let what = json!({"v": 1, "from": from, "to": to, "projects": ["grove"], "made": made});
        fs::write(record.join("checkpoints/revert-called-off.json"), what.to_string()).unwrap();
    }
}

#[test]
fn a_revert_that_is_called_off_takes_away_the_git_directory_that_it_made_and_no_other() {
    for made_by_hand in [true, false] {
        let removed = RemovedClone::new();
        let own = removed.clone.join(".git");
        fs::remove_dir_all(&own).unwrap();
        fs::write(removed.clone.join("README.md"), "written since\n").unwrap();
        let from = removed.parlour.json(&["checkpoint", "work"])["id"].as_u64().unwrap();
        git(&removed.clone, &["init", "-q", "-b", "mine"]);
        git(&removed.clone, &["commit", "-q", "--allow-empty", "-m", "by hand"]);
        let here = fs::metadata(&own).unwrap();
        let made = match made_by_hand {
            true => json!({}),
            false => json!({"grove": [here.dev(), here.ino()]}),
        };
        removed.cut_off(from, &made);
        removed.parlour.json(&["checkpoint", "work"]);
        assert_eq!(own.exists(), made_by_hand);
        if made_by_hand {
            assert_eq!(git(&removed.clone, &["log", "--format=%s"]), "by hand");
        }
    }
}

#[test]
fn a_clone_that_was_gone_before_a_revert_that_is_called_off_is_gone_again() {
    let removed = RemovedClone::new();
    fs::remove_dir_all(&removed.clone).unwrap();
    let saved = removed.parlour.json(&["revert", "work", &removed.saved, "--yes"])["saved"].clone();
    removed.is_back();
    fs::remove_dir_all(removed.clone.join(".git")).unwrap();
    removed.cut_off(saved.as_u64().unwrap(), &json!({}));
    let refused = removed.parlour.refusal(&["checkpoint", "work"]);
    assert!(refused.contains("projects/grove is gone"), "{refused}");
    assert!(!removed.clone.exists());
    until("it is missed", PATIENCE, || {
        removed.parlour.say(&["list"]).contains("projects/grove is gone")
    });
}

#[test]
fn a_clone_that_vanishes_is_missed_on_the_screen_and_in_the_list() {
    let removed = RemovedClone::new();
    let screen = removed.parlour.attach(&[]);
    screen.wait_for_text("grove · main");
    fs::remove_dir_all(&removed.clone).unwrap();
    screen.wait_for_text("projects/grove is gone");
    let listed = removed.parlour.say(&["list"]);
    assert!(listed.contains("projects/grove is gone"), "{listed}");
    assert_eq!(removed.parlour.json(&["list"])["chats"][0]["gone"][0], "grove");
}

#[test]
fn a_conversation_without_clones_is_taken_back_again_and_again() {
    let parlour = Parlour::new();
    parlour.json(&["new", "talk", "--llm", "demo", "--no-project", "-p", "noask one"]);
    parlour.wait("talk", "idle");
    let says = |words: &str, turns: usize| {
        parlour.say(&["send", "talk", words]);
        until("the turn has ended", PATIENCE, || {
            let told = parlour.events("talk");
            let prompts = told.iter().filter(|entry| entry["kind"] == "prompt").count();
            prompts == turns && parlour.wait("talk", "idle")["status"] == "idle"
        });
    };
    says("noask two", 2);
    says("noask three", 3);
    for turn in ["3", "2"] {
        let reverted = parlour.json(&["revert", "talk", "--turn", turn, "--yes"]);
        assert_eq!(reverted["projects"].as_array().map(Vec::len), Some(0), "{reverted}");
        parlour.wait("talk", "idle");
    }
}
