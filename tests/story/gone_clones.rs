//! An agent removes a clone, or its git directory: going back to a checkpoint brings it back.

use std::fs;
use std::path::PathBuf;

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
}

#[test]
fn a_git_directory_that_was_removed_comes_back() {
    let removed = RemovedClone::new();
    fs::remove_dir_all(removed.clone.join(".git")).unwrap();
    fs::write(removed.clone.join("README.md"), "written since\n").unwrap();
    removed.parlour.json(&["revert", "work", &removed.saved, "--yes"]);
    removed.is_back();
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
