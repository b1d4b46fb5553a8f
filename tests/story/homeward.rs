//! Branches of chats come into the checkout of their person.

use std::fs;

use super::keep::Kept;
use crate::support::parlour::{git, install};

#[test]
fn hooks_of_the_checkout_do_not_run_and_are_named() {
    let kept = Kept::new();
    let parlour = &kept.parlour;
    let ran = parlour.scratch().join("ran");
    for hook in ["reference-transaction", "post-checkout", "post-merge", "pre-push"] {
        let script = format!("#!/bin/sh\necho {hook} >> '{}'\n", ran.display());
        install(&kept.checkout.join(".git/hooks").join(hook), &script);
    }
    kept.commit("one.txt", "1\n");
    let told = parlour.say(&["home", "work"]);
    assert!(told.contains("that did not run: reference-transaction\n"), "{told}");
    kept.commit("two.txt", "2\n");
    let told = parlour.say(&["home", "work", "--checkout"]);
    assert!(
        told.contains("that did not run: reference-transaction, post-checkout, post-merge\n"),
        "{told}"
    );
    assert!(!ran.exists(), "{:?}", fs::read_to_string(&ran));
    let json = parlour.json(&["home", "work", "--as", "third"]);
    assert!(
        json.to_string()
            .contains(r#""skipped_hooks":["reference-transaction"]"#),
        "{json}"
    );
}

#[test]
fn a_branch_comes_home_and_nothing_else_there_changes() {
    let kept = Kept::new();
    let parlour = &kept.parlour;
    fs::write(kept.checkout.join("src/main.rs"), "mine\n").unwrap();
    let (status, head) = (["status", "--porcelain"], ["rev-parse", "HEAD"]);
    let before = (git(&kept.checkout, &status), git(&kept.checkout, &head));
    let commit = kept.commit("one.txt", "1\n");
    let told = parlour.say(&["home", "work"]);
    assert!(told.contains("fix is new in"), "{told}");
    assert_eq!(git(&kept.checkout, &["rev-parse", "fix"]), commit);
    assert_eq!((git(&kept.checkout, &status), git(&kept.checkout, &head)), before);
    git(&kept.checkout, &["fsck", "--strict"]);

    let told = parlour.refusal(&["home", "work", "--checkout"]);
    assert!(told.contains("has changes that are not committed"), "{told}");
    git(&kept.checkout, &["checkout", "-q", "--", "."]);
    let second = kept.commit("two.txt", "2\n");
    let told = parlour.say(&["home", "work", "--checkout"]);
    assert!(told.contains("and is checked out"), "{told}");
    assert_eq!(git(&kept.checkout, &["rev-parse", "HEAD"]), second);
    assert_eq!(git(&kept.checkout, &["branch", "--show-current"]), "fix");
    assert_eq!(git(&kept.checkout, &status), "");
    assert_eq!(fs::read_to_string(kept.checkout.join("two.txt")).unwrap(), "2\n");

    let third = kept.commit("three.txt", "3\n");
    let told = parlour.say(&["home", "work"]);
    assert!(told.contains("work is new in"), "named as the chat is: {told}");
    assert_eq!(git(&kept.checkout, &["rev-parse", "work"]), third);
    let told = parlour.refusal(&["home", "work", "--as", "fix"]);
    assert!(told.contains("fix is checked out in"), "{told}");
    assert!(told.contains("`--as NAME`"), "{told}");
    let told = parlour.refusal(&["home", "work", "--as", "..no"]);
    assert!(told.contains("..no is no name for a branch"), "{told}");
    parlour.say(&["home", "work", "--as", "review/three"]);
    assert_eq!(git(&kept.checkout, &["rev-parse", "review/three"]), third);
    assert_eq!(git(&kept.checkout, &head), second);
    fs::write(kept.checkout.join("two.txt"), "mine\n").unwrap();
    let told = parlour.refusal(&["home", "work", "--checkout"]);
    assert!(told.contains("has changes that are not committed"), "{told}");
    assert_eq!(git(&kept.checkout, &head), second);
    git(&kept.checkout, &["checkout", "-q", "--", "."]);
    parlour.say(&["home", "work", "--checkout"]);
    assert_eq!(git(&kept.checkout, &head), third);
    assert_eq!(git(&kept.checkout, &["branch", "--show-current"]), "fix");
    assert_eq!(git(&kept.checkout, &status), "");
    git(&kept.checkout, &["commit", "-q", "--allow-empty", "-m", "Mine"]);
    git(&kept.checkout, &["checkout", "-q", "main"]);
    let told = parlour.refusal(&["home", "work"]);
    assert!(
        told.contains("has another branch fix, with commits that this one lacks"),
        "{told}"
    );
}

#[test]
fn a_branch_at_home_that_nobody_named_moves_only_if_the_chat_brought_it() {
    let kept = Kept::new();
    let (parlour, checkout) = (&kept.parlour, &kept.checkout);
    kept.commit("one.txt", "1\n");
    parlour.say(&["home", "work", "--checkout"]);
    kept.commit("two.txt", "2\n");
    let main = git(checkout, &["rev-parse", "main"]);
    parlour.say(&["rename", "work", "Main"]);
    let told = parlour.refusal(&["home", "main"]);
    assert!(
        told.contains("fix is checked out in") && told.contains("`--as NAME`"),
        "{told}"
    );
    assert_eq!(git(checkout, &["rev-parse", "main"]), main);

    parlour.say(&["rename", "main", "Work"]);
    parlour.say(&["home", "work"]);
    git(checkout, &["merge", "-q", "work"]);
    let third = kept.commit("three.txt", "3\n");
    parlour.say(&["home", "work"]);
    assert_eq!(git(checkout, &["rev-parse", "work"]), third);
    // It has that name there by now, whatever the chat is called.
    parlour.say(&["rename", "work", "Main"]);
    let fourth = kept.commit_in("main", "four.txt", "4\n");
    parlour.say(&["home", "main"]);
    assert_eq!(git(checkout, &["rev-parse", "work"]), fourth);
    assert_eq!(git(checkout, &["rev-parse", "main"]), main);
}

#[test]
fn a_rebased_branch_replaces_what_was_brought_home_before_and_nothing_else() {
    let kept = Kept::new();
    let (parlour, checkout) = (&kept.parlour, &kept.checkout);
    kept.commit("one.txt", "1\n");
    parlour.say(&["home", "work", "--checkout"]);
    kept.commit("two.txt", "2\n");
    let told = parlour.say(&["home", "work"]);
    assert!(told.contains("work is new in"), "{told}");
    let commit_on = |parent: &str| {
        let tree = format!("{parent}^{{tree}}");
        git(checkout, &["commit-tree", &tree, "-p", parent, "-m", "News"])
    };
    let rebase = |base: &str| {
        let news = commit_on(base);
        git(checkout, &["push", "-q", "origin", &format!("{news}:refs/heads/main")]);
        let told = parlour.say(&["rebase", "work"]);
        assert!(told.contains("on main"), "{told}");
        (news, git(&kept.clone, &["rev-parse", "fix"]))
    };
    let (news, rebased) = rebase("main");
    let told = parlour.say(&["home", "work"]);
    assert!(told.contains("and replaces what was brought before"), "{told}");
    assert_eq!(git(checkout, &["rev-parse", "work"]), rebased);

    let mine = commit_on("work");
    git(checkout, &["branch", "-f", "work", &mine]);
    rebase(&news);
    let told = parlour.refusal(&["home", "work"]);
    assert!(
        told.contains("has another branch work, with commits that this one lacks"),
        "{told}"
    );
    assert_eq!(git(checkout, &["rev-parse", "work"]), mine);
}

/// The branch is checked out there already: it moves with its files, or not at all.
#[test]
fn a_branch_that_cannot_be_checked_out_at_home_stays_where_it_was() {
    let kept = Kept::new();
    let parlour = &kept.parlour;
    let checkout = &kept.checkout;
    let first = kept.commit("one.txt", "1\n");
    parlour.say(&["home", "work", "--checkout"]);
    let second = kept.commit("two.txt", "2\n");
    let git_dir = checkout.join(".git");
    let in_the_way = [
        (checkout.join("two.txt"), "two.txt"),
        (git_dir.join("index.lock"), "index.lock"),
        (git_dir.join("HEAD.lock"), "HEAD.lock"),
        (git_dir.join("refs/heads/fix.lock"), "fix.lock"),
    ];
    for (path, named) in in_the_way {
        fs::write(&path, "mine\n").unwrap();
        // What the first try did not do, the second does not call done.
        for _ in 0..2 {
            let told = parlour.refusal(&["home", "work", "--checkout"]);
            assert!(told.contains(named), "{told}");
            assert_eq!(git(checkout, &["rev-parse", "fix"]), first, "{named}");
            assert_eq!(git(checkout, &["diff", "--cached", "--name-only"]), "", "{named}");
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n");
        fs::remove_file(&path).unwrap();
        assert_eq!(git(checkout, &["status", "--porcelain"]), "", "{named}");
    }
    // As an older parlour may have left it: the branch ahead of its files.
    let ahead = ["update-ref", "refs/heads/fix", &second];
    git(checkout, &["fetch", "-q", kept.clone.to_str().unwrap(), "fix"]);
    git(checkout, &ahead);
    let told = parlour.refusal(&["home", "work", "--checkout"]);
    assert!(told.contains("has changes that are not committed"), "{told}");
    git(checkout, &["reset", "-q", "--hard"]);
    let told = parlour.say(&["home", "work", "--checkout"]);
    assert!(told.contains("is checked out"), "{told}");
    assert_eq!(git(checkout, &["status", "--porcelain"]), "");
    assert_eq!(git(checkout, &["rev-parse", "HEAD"]), second);
}
