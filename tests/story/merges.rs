//! What git has begun in a clone and not ended is ended by the commit, where one commit ends it.

use std::path::Path;
use std::process::Command;

use super::keep::Kept;
use crate::support::parlour::git;

/// Runs git where it may fail, as it does at a conflict.
pub fn try_git(at: &Path, args: &[&str]) {
    let person = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    let done = Command::new("git").arg("-C").arg(at).args(person).args(args).output();
    assert!(!done.unwrap().status.success(), "{args:?} conflicts");
}

/// A clone whose branch and `side` change the same line, and both have come to it.
pub fn diverged() -> Kept {
    let kept = Kept::new();
    git(&kept.clone, &["checkout", "-q", "--", "."]);
    git(&kept.clone, &["clean", "-fdq"]);
    git(&kept.clone, &["checkout", "-q", "-b", "side"]);
    kept.commit("src/main.rs", "fn main() { side() }\n");
    git(&kept.clone, &["checkout", "-q", "fix"]);
    kept.commit("src/main.rs", "fn main() { mine() }\n");
    kept
}

pub fn under_way(kept: &Kept) -> Vec<String> {
    let names = [
        "MERGE_HEAD",
        "MERGE_MSG",
        "MERGE_MODE",
        "CHERRY_PICK_HEAD",
        "REVERT_HEAD",
    ];
    let is_there = |name: &&str| kept.clone.join(".git").join(name).exists();
    names.into_iter().filter(is_there).map(String::from).collect()
}

#[test]
fn a_merge_is_ended_by_the_commit_once_its_conflicts_are_resolved() {
    let kept = diverged();
    let parlour = &kept.parlour;
    try_git(&kept.clone, &["merge", "-q", "side"]);
    let told = parlour.refusal(&["commit", "work"]);
    assert!(told.contains("it has conflicts: src/main.rs"), "{told}");
    kept.write("src/main.rs", "fn main() { both() }\n");
    git(&kept.clone, &["add", "src/main.rs"]);
    let told = parlour.refusal(&["commit", "work", "--amend"]);
    assert!(told.contains("a merge is under way"), "{told}");
    let told = parlour.say(&["commit", "work"]);
    assert!(told.contains("Merge branch 'side' into fix"), "{told}");
    assert_eq!(under_way(&kept), [""; 0]);
    let parents = git(&kept.clone, &["rev-parse", "HEAD^1", "HEAD^2"]);
    assert!(
        parents.ends_with(&git(&kept.clone, &["rev-parse", "side"])),
        "{parents}"
    );
    assert_eq!(git(&kept.clone, &["show", "HEAD:src/main.rs"]), "fn main() { both() }");
    assert_eq!(
        git(&kept.clone, &["log", "-1", "--format=%B"]),
        "Merge branch 'side' into fix"
    );
    assert_eq!(kept.status(), "");
    git(&kept.clone, &["fsck", "--strict"]);
}

#[test]
fn a_merge_that_comes_to_what_is_there_is_a_commit_too() {
    let kept = diverged();
    try_git(&kept.clone, &["merge", "-q", "side"]);
    kept.write("src/main.rs", "fn main() { mine() }\n");
    git(&kept.clone, &["add", "src/main.rs"]);
    kept.parlour.say(&["commit", "work", "-m", "Ours"]);
    assert_eq!(
        git(&kept.clone, &["rev-list", "--count", "--min-parents=2", "HEAD"]),
        "1"
    );
    assert_eq!(under_way(&kept), [""; 0]);
}

#[test]
fn a_cherry_pick_keeps_its_author_and_a_revert_its_message() {
    let kept = diverged();
    let parlour = &kept.parlour;
    let author = ["-c", "user.name=Eve", "-c", "user.email=eve@localhost"];
    git(&kept.clone, &["checkout", "-q", "side"]);
    kept.write("src/main.rs", "fn main() { eve() }\n");
    git(&kept.clone, &[&author[..], &["commit", "-qam", "Eve's work"]].concat());
    git(&kept.clone, &["checkout", "-q", "fix"]);
    try_git(&kept.clone, &["cherry-pick", "side"]);
    kept.write("src/main.rs", "fn main() { both() }\n");
    git(&kept.clone, &["add", "src/main.rs"]);
    parlour.say(&["commit", "work"]);
    let made = git(&kept.clone, &["log", "-1", "--format=%an %cn %s %p"]);
    assert!(made.starts_with("Eve Ada Eve's work"), "{made}");
    assert_eq!(under_way(&kept), [""; 0]);

    kept.commit("src/main.rs", "fn main() { later() }\n");
    try_git(&kept.clone, &["revert", "--no-edit", "HEAD~1"]);
    kept.write("src/main.rs", "fn main() {}\n");
    git(&kept.clone, &["add", "src/main.rs"]);
    let told = parlour.say(&["commit", "work"]);
    assert!(told.contains("Revert \"Eve's work\""), "{told}");
    assert_eq!(under_way(&kept), [""; 0]);
    // A row of picks is git's to end.
    git(&kept.clone, &["checkout", "-q", "side"]);
    kept.commit("src/main.rs", "fn main() { more() }\n");
    git(&kept.clone, &["checkout", "-q", "fix"]);
    try_git(&kept.clone, &["cherry-pick", "side~1", "side"]);
    kept.write("src/main.rs", "fn main() { picked() }\n");
    git(&kept.clone, &["add", "src/main.rs"]);
    let told = parlour.refusal(&["commit", "work"]);
    assert!(told.contains("`parlour rebase work --continue` a row"), "{told}");
}

/// A kill behind the commit leaves the signs of the merge.
#[test]
fn what_a_commit_has_ended_already_is_ended_once() {
    let kept = diverged();
    let parlour = &kept.parlour;
    try_git(&kept.clone, &["merge", "-q", "side"]);
    kept.write("src/main.rs", "fn main() { both() }\n");
    git(&kept.clone, &["add", "src/main.rs"]);
    let side = git(&kept.clone, &["rev-parse", "side"]);
    let message = std::fs::read_to_string(kept.clone.join(".git/MERGE_MSG")).unwrap();
    parlour.say(&["commit", "work"]);
    std::fs::write(kept.clone.join(".git/MERGE_HEAD"), format!("{side}\n")).unwrap();
    std::fs::write(kept.clone.join(".git/MERGE_MSG"), message).unwrap();
    let told = parlour.refusal(&["commit", "work"]);
    assert!(told.contains("there is nothing to commit"), "{told}");
    kept.commit("more.txt", "more\n");
    assert_eq!(
        git(&kept.clone, &["rev-list", "--count", "--min-parents=2", "HEAD"]),
        "1"
    );
    assert_eq!(git(&kept.clone, &["log", "-1", "--format=%s"]), "more.txt");
    assert_eq!(under_way(&kept), [""; 0]);
    // Nor does a file that names nothing end anything.
    std::fs::write(kept.clone.join(".git/MERGE_HEAD"), "").unwrap();
    kept.write("more.txt", "again\n");
    assert!(parlour.refusal(&["commit", "work"]).contains("a merge is under way"));
}
