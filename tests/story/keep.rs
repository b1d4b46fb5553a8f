//! What an agent did is committed, rebased, pushed and brought home, from a shell.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// A chat of the demo agent in a clone of a checkout, whose remote is a bare repository.
pub(super) struct Kept {
    pub parlour: Parlour,
    remote: PathBuf,
    pub checkout: PathBuf,
    pub clone: PathBuf,
}

fn with_remote(checkout: &Path, remote: &Path) {
    let remote = remote.to_str().unwrap();
    git(checkout, &["clone", "-q", "--bare", ".", remote]);
    git(checkout, &["remote", "add", "origin", remote]);
    git(checkout, &["fetch", "-q", "origin"]);
    git(checkout, &["remote", "set-head", "origin", "main"]);
}

impl Kept {
    pub fn new() -> Kept {
        let kept = Kept::of(Parlour::new(), with_remote);
        assert_eq!(
            git(&kept.clone, &["remote", "get-url", "origin"]),
            kept.remote.to_str().unwrap()
        );
        kept
    }

    pub fn of(parlour: Parlour, prepare: impl FnOnce(&Path, &Path)) -> Kept {
        let checkout = parlour.scratch().join("grove");
        fs::create_dir_all(checkout.join("src")).unwrap();
        fs::write(checkout.join("src/main.rs"), "fn main() {}\n").unwrap();
        fs::write(checkout.join(".gitignore"), "*.log\n").unwrap();
        git(&checkout, &["init", "-q", "-b", "main"]);
        git(&checkout, &["add", "-A"]);
        git(&checkout, &["commit", "-q", "-m", "first"]);
        let remote = parlour.scratch().join("grove.git");
        prepare(&checkout, &remote);
        let dir = checkout.to_str().unwrap();
        let words = ["new", "work", "--llm", "demo", "--dir", dir, "--branch", "fix"];
        let made = parlour.json(&[&words[..], &["-p", "noask Fix the login"]].concat());
        let chat = parlour.wait("work", "idle");
        assert_eq!(chat["id"], made["id"]);
        let clone = chat["projects"][0]["path"].as_str().unwrap().into();
        Kept {
            parlour,
            remote,
            checkout,
            clone,
        }
    }

    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.clone.join(file), text).unwrap();
    }

    pub fn status(&self) -> String {
        git(&self.clone, &["status", "--porcelain"])
    }

    pub fn commit(&self, file: &str, text: &str) -> String {
        self.commit_in("work", file, text)
    }

    pub fn commit_in(&self, chat: &str, file: &str, text: &str) -> String {
        self.write(file, text);
        let made = self.parlour.json(&["commit", chat, "-m", file]);
        made["projects"][0]["commit"].as_str().unwrap().to_owned()
    }
}

#[test]
fn all_changes_are_committed_or_what_is_staged() {
    let kept = Kept::new();
    let parlour = &kept.parlour;
    git(&kept.clone, &["checkout", "-q", "--", "."]);
    git(&kept.clone, &["clean", "-fdq"]);
    assert!(
        parlour
            .refusal(&["commit", "work"])
            .contains("there is nothing to commit")
    );

    kept.write("src/main.rs", "fn main() { run() }\n");
    kept.write("new file.txt", "new\n");
    kept.write("noise.log", "ignored\n");
    let told = parlour.say(&["commit", "work"]);
    assert!(told.contains("on fix: noask Fix the login (2 files)"), "{told}");
    assert_eq!(kept.status(), "");
    assert_eq!(
        git(&kept.clone, &["log", "-1", "--format=%an %ae %s"]),
        "Ada ada@localhost noask Fix the login"
    );
    git(&kept.clone, &["fsck", "--strict"]);

    kept.write("staged.txt", "one\n");
    kept.write("src/main.rs", "fn main() {}\n");
    git(&kept.clone, &["add", "staged.txt"]);
    let made = parlour.json(&["commit", "work", "-m", "Only this\n\nBecause."]);
    assert_eq!(made["projects"][0]["files"], 1);
    assert_eq!(kept.status(), "M src/main.rs");
    // With nothing staged it is for the message.
    let told = parlour.refusal(&["commit", "work", "--amend"]);
    assert!(told.contains("nothing is staged"), "{told}");
    let made = parlour.json(&["commit", "work", "--amend", "-m", "That alone"]);
    assert_eq!(made["projects"][0]["files"], 1);
    assert_eq!(kept.status(), "M src/main.rs");
    let made = parlour.json(&["commit", "work", "--amend", "--all"]);
    assert_eq!(made["projects"][0]["subject"], "That alone");
    assert_eq!(made["projects"][0]["files"], 2);
    assert_eq!(kept.status(), "");
    assert_eq!(git(&kept.clone, &["rev-list", "--count", "origin/main..fix"]), "3");
}

#[test]
fn a_commit_that_the_remote_has_is_not_amended_unless_that_is_meant() {
    let kept = Kept::new();
    git(&kept.clone, &["switch", "-q", "-C", "other", "origin/main"]);
    let told = kept.parlour.refusal(&["commit", "work", "--amend"]);
    assert!(told.contains("a remote has the last commit already"), "{told}");
    kept.parlour
        .json(&["commit", "work", "--amend", "--despite-remote", "-m", "Mine"]);
    assert_eq!(git(&kept.clone, &["rev-list", "--count", "origin/main..other"]), "1");
}

#[test]
fn a_revert_brings_back_what_was_before_a_commit() {
    let kept = Kept::new();
    let before = git(&kept.clone, &["rev-parse", "fix"]);
    kept.write("new.txt", "new\n");
    let status = kept.status();
    // What it finds is saved already, and is looked for under the commit's name all the same.
    kept.parlour.json(&["checkpoint", "work"]);
    kept.parlour.json(&["commit", "work", "-m", "Kept"]);
    let listed = kept.parlour.json(&["checkpoints", "work"]);
    let last = listed["checkpoints"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["prompt"], "committing");
    let last = last["number"].to_string();
    kept.parlour.json(&["revert", "work", &last, "--yes"]);
    assert_eq!(git(&kept.clone, &["rev-parse", "fix"]), before);
    assert_eq!(kept.status(), status);
}

#[test]
fn what_is_refused_leaves_no_checkpoint_behind() {
    let kept = Kept::new();
    kept.commit("one.txt", "1\n");
    let numbers = || {
        let listed = kept.parlour.json(&["checkpoints", "work"]);
        listed["checkpoints"].as_array().unwrap().len()
    };
    let before = numbers();
    let refused = kept.parlour.refusal(&["commit", "work"]);
    assert!(refused.contains("there is nothing to commit"), "{refused}");
    // It has no news to go on top of.
    kept.parlour.say(&["rebase", "work"]);
    kept.write("one.txt", "2\n");
    let refused = kept.parlour.refusal(&["rebase", "work"]);
    assert!(refused.contains("not committed"), "{refused}");
    fs::create_dir(kept.clone.join(".git/rebase-merge")).unwrap();
    kept.write(".git/rebase-merge/head-name", "refs/heads/fix\n");
    let refused = kept.parlour.refusal(&["commit", "work"]);
    assert!(refused.contains("rebase"), "{refused}");
    assert_eq!(numbers(), before);
    fs::remove_dir_all(kept.clone.join(".git/rebase-merge")).unwrap();
    kept.parlour.say(&["commit", "work"]);
    assert_eq!(numbers(), before + 1);
}

#[test]
fn nothing_that_a_clone_configures_runs_for_a_commit() {
    let kept = Kept::new();
    let witness = kept.parlour.scratch().join("ran");
    let program = kept.clone.join(".git/hooks/pre-commit");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    for name in [
        "pre-commit",
        "post-commit",
        "reference-transaction",
        "post-index-change",
    ] {
        let hook = program.with_file_name(name);
        fs::write(&hook, format!("#!/bin/sh\necho {name} >> {}\n", witness.display())).unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let program = program.to_str().unwrap();
    for key in ["core.fsmonitor", "filter.evil.clean", "gpg.program", "core.editor"] {
        git(&kept.clone, &["config", key, program]);
    }
    git(&kept.clone, &["config", "commit.gpgsign", "true"]);
    kept.write("new.txt", "new\n");
    let told = kept.parlour.say(&["commit", "work", "-m", "Kept"]);
    assert!(
        told.contains("hooks that did not run: pre-commit, post-commit"),
        "{told}"
    );
    kept.parlour.json(&["push", "work"]);
    kept.parlour.json(&["home", "work"]);

    kept.write(".gitattributes", "*.bin filter=evil\n");
    kept.write("a.bin", "raw\n");
    let told = kept.parlour.refusal(&["commit", "work"]);
    assert!(told.contains("a.bin goes through the filter evil"), "{told}");
    assert!(
        !witness.exists(),
        "{}",
        fs::read_to_string(&witness).unwrap_or_default()
    );
}

#[test]
fn a_branch_is_pushed_to_the_real_remote_and_never_over_others_work() {
    let kept = Kept::new();
    let parlour = &kept.parlour;
    let first = kept.commit("one.txt", "1\n");
    let told = parlour.say(&["push", "work"]);
    assert!(told.contains("fix is at"), "{told}");
    assert_eq!(git(&kept.remote, &["rev-parse", "fix"]), first);
    assert_eq!(git(&kept.clone, &["rev-parse", "fix@{upstream}"]), first);
    assert_eq!(parlour.json(&["push", "work"])["projects"][0]["up_to_date"], true);
    kept.write("late.txt", "not committed\n");
    for verb in ["push", "home"] {
        let told = parlour.say(&[verb, "work"]);
        let last = told.lines().last();
        assert_eq!(last, Some("grove: 1 file is not committed: `parlour commit work`"));
    }

    let other = parlour.scratch().join("other");
    git(
        parlour.scratch(),
        &["clone", "-q", "-b", "fix", kept.remote.to_str().unwrap(), "other"],
    );
    git(&other, &["commit", "-q", "--allow-empty", "-m", "Theirs"]);
    git(&other, &["push", "-q", "origin", "fix"]);
    kept.commit("two.txt", "2\n");
    let told = parlour.refusal(&["push", "work"]);
    assert!(told.contains("it has commits that this branch lacks"), "{told}");
    assert!(told.contains("--force-with-lease"), "{told}");
    let told = parlour.refusal(&["push", "work", "--force-with-lease"]);
    assert!(told.contains("it has changed since this clone saw it last"), "{told}");
    assert_eq!(git(&kept.remote, &["log", "-1", "--format=%s", "fix"]), "Theirs");

    git(&kept.clone, &["fetch", "-q", "origin"]);
    parlour.json(&["push", "work", "--force-with-lease"]);
    assert_eq!(git(&kept.remote, &["log", "-1", "--format=%s", "fix"]), "two.txt");

    git(&other, &["fetch", "-q", "origin"]);
    git(&other, &["reset", "-q", "--hard", "origin/fix"]);
    git(&other, &["commit", "-q", "--allow-empty", "-m", "Theirs again"]);
    git(&other, &["push", "-q", "origin", "fix"]);
    kept.commit("three.txt", "3\n");
    let told = parlour.refusal(&["push", "work"]);
    assert!(told.contains("`parlour rebase work --upstream` takes up"), "{told}");
    let told = parlour.say(&["rebase", "work", "--upstream"]);
    assert!(told.contains(" on origin/fix ("), "{told}");
    parlour.json(&["push", "work"]);
    let log = git(&kept.remote, &["log", "-2", "--format=%s", "fix"]);
    assert_eq!(log, "three.txt\nTheirs again");
}

#[test]
fn a_push_of_which_the_clone_cannot_be_told_is_one_all_the_same() {
    let kept = Kept::new();
    let parlour = &kept.parlour;
    let first = kept.commit("one.txt", "1\n");
    let lock = kept.clone.join(".git/config.lock");
    fs::write(&lock, "").unwrap();
    let told = parlour.say(&["push", "work"]);
    assert!(told.contains("fix is at") && told.contains("config.lock"), "{told}");
    assert_eq!(git(&kept.remote, &["rev-parse", "fix"]), first);
    fs::remove_file(&lock).unwrap();
    let again = parlour.json(&["push", "work"])["projects"][0].clone();
    assert_eq!(again["up_to_date"], true);
    assert!(again["untold"].is_null(), "{again}");
    assert_eq!(git(&kept.clone, &["rev-parse", "fix@{upstream}"]), first);
}

#[test]
fn a_checkout_without_a_remote_is_no_remote() {
    let kept = Kept::of(Parlour::new(), |_, _| {});
    let commit = kept.commit("one.txt", "1\n");
    let told = kept.parlour.refusal(&["push", "work"]);
    assert!(told.contains("it has no remote"), "{told}");
    assert!(told.contains("`parlour home work`"), "{told}");
    kept.parlour.json(&["home", "work"]);
    assert_eq!(git(&kept.checkout, &["rev-parse", "fix"]), commit);
    let told = kept.parlour.refusal(&["push", "work", "--project", "brook"]);
    assert!(told.contains("the chat has no clone brook"), "{told}");
    assert!(told.contains("its clones: grove"), "{told}");
}

impl Kept {
    /// Somebody else's commit on the remote's main branch.
    fn news(&self, file: &str, text: &str) {
        let other = self.parlour.scratch().join("news");
        if !other.exists() {
            let remote = self.remote.to_str().unwrap();
            git(self.parlour.scratch(), &["clone", "-q", "-b", "main", remote, "news"]);
        }
        fs::write(other.join(file), text).unwrap();
        git(&other, &["add", "-A"]);
        git(&other, &["commit", "-q", "-m", "News"]);
        git(&other, &["push", "-q", "origin", "main"]);
    }
}

#[test]
fn a_branch_is_put_on_top_of_the_bases_news() {
    let kept = Kept::new();
    let parlour = &kept.parlour;
    kept.commit("one.txt", "1\n");
    kept.news("news.txt", "new\n");
    let told = parlour.say(&["rebase", "work"]);
    assert!(told.contains("grove: fix is at"), "{told}");
    assert_eq!(git(&kept.clone, &["log", "--format=%s", "-2"]), "one.txt\nAdd a note");
    assert_eq!(fs::read_to_string(kept.clone.join("news.txt")).unwrap(), "new\n");
    assert_eq!(kept.status(), "");
    assert_eq!(
        git(&kept.clone, &["merge-base", "fix", "origin/main"]),
        git(&kept.remote, &["rev-parse", "main"])
    );
    git(&kept.clone, &["fsck", "--strict"]);
    assert_eq!(parlour.json(&["rebase", "work"])["projects"][0]["up_to_date"], true);

    let mine = kept.commit("src/main.rs", "fn main() { mine() }\n");
    kept.news("src/main.rs", "fn main() { theirs() }\n");
    kept.write("src/main.rs", "fn main() { unsaved() }\n");
    let told = parlour.refusal(&["rebase", "work"]);
    assert!(told.contains("the clone has changes that are not committed"), "{told}");
    git(&kept.clone, &["checkout", "-q", "--", "."]);
    let told = parlour.refusal(&["rebase", "work"]);
    assert!(
        told.contains("src/main.rs conflicts in src/main.rs; nothing was changed"),
        "{told}"
    );
    let prompt = "In projects/grove, fetch origin and rebase the branch fix onto origin/main. It conflicts in src/main.rs: \
                  resolve that so that what both sides mean is kept, and end the rebase.";
    let command = format!("`parlour send work \"{prompt}\"` has the agent do it");
    assert!(told.contains(&command), "{told}");
    let output = parlour.run(&["rebase", "work", "--json"]);
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(error["error"]["prompt"], prompt);
    assert_eq!(
        (kept.status().as_str(), git(&kept.clone, &["rev-parse", "fix"])),
        ("", mine.clone())
    );

    let told = parlour.say(&["rebase", "work", "--keep-conflicts"]);
    assert!(
        told.contains("is under way; src/main.rs conflicts in src/main.rs"),
        "{told}"
    );
    assert_eq!(kept.status(), "UU src/main.rs");
    let told = parlour.refusal(&["commit", "work"]);
    assert!(told.contains("a rebase is under way"), "{told}");
    assert!(parlour.refusal(&["push", "work"]).contains("a rebase is under way"));
    let stands = || parlour.json(&["list"])["chats"][0]["projects"][0]["under_way"].clone();
    until("the list says so", PATIENCE, || stands() == "rebasing fix");
    kept.write("src/main.rs", "fn main() { both() }\n");
    git(&kept.clone, &["add", "-A"]);
    parlour.say(&["rebase", "work", "--continue"]);
    assert_eq!(git(&kept.clone, &["branch", "--show-current"]), "fix");
    assert_eq!(git(&kept.clone, &["rev-list", "--count", "origin/main..fix"]), "3");
}

const GH: &str = r##"#!/bin/sh
case "$1 $2" in
"pr create")
    { echo "$@"; git remote get-url origin; git branch --show-current; } >> "$HOME/gh.log"
    while [ $# -gt 0 ]; do [ "$1" = --body-file ] && cat "$2" >> "$HOME/gh.log"; shift; done
    echo https://forge.example/pull/7 ;;
"pr view")
    [ -f "$HOME/gh.log" ] || { echo "no pull requests found for branch" >&2; exit 1; }
    echo '{"number": 7, "url": "https://forge.example/pull/7", "title": "Fix", "state": "OPEN", "isDraft": true,
        "statusCheckRollup": [{"conclusion": "SUCCESS"}, {"state": "PENDING"}]}' ;;
esac
"##;

#[test]
fn a_pull_request_is_opened_by_gh_with_the_talk_as_its_text() {
    let kept = Kept::of(Parlour::new().with_program("gh", GH), with_remote);
    let parlour = &kept.parlour;
    let told = parlour.refusal(&["pr", "work", "--status"]);
    assert!(told.contains("fix has no pull request"), "{told}");
    let told = parlour.say(&["pr", "work", "--draft"]);
    assert!(
        told.contains("grove: #7 draft: Fix; checks: 1 passed, 1 pending"),
        "{told}"
    );
    let log = fs::read_to_string(parlour.scratch().join("home/gh.log")).unwrap();
    assert!(
        log.contains("pr create --head fix --title noask Fix the login --body-file"),
        "{log}"
    );
    assert!(
        log.contains(&format!(
            "{}\nfix\n- **noask Fix the login**\n  Done: ",
            kept.remote.display()
        )),
        "{log}"
    );
    let own = git(&kept.clone, &["rev-parse", "fix"]);
    assert_eq!(git(&kept.remote, &["rev-parse", "fix"]), own, "it is pushed first");
    let status = parlour.json(&["pr", "work", "--status"]);
    assert_eq!(status["projects"][0]["checks"]["pending"], 1);

    let token = ["ghp_", "0123456789abcdefghij"].concat();
    let (title, body) = (format!("Use {token}"), format!("It is {token}.\n"));
    parlour.say(&["pr", "work", "--title", &title, "--body", &body]);
    let log = fs::read_to_string(parlour.scratch().join("home/gh.log")).unwrap();
    assert!(!log.contains(&token) && log.contains("--title Use •••"), "{log}");
    assert!(log.contains("It is •••."), "{log}");
}

#[test]
fn the_radar_names_chats_whose_branches_conflict() {
    let kept = Kept::new();
    let parlour = &kept.parlour;
    let dir = kept.checkout.to_str().unwrap();
    for (name, branch) in [("rival", "rival"), ("calm", "calm")] {
        parlour.json(&["new", name, "--llm", "demo", "--dir", dir, "--branch", branch]);
    }
    let write = |chat: &str, file: &str, text: &str| {
        let known = parlour.wait(chat, "idle");
        let clone = PathBuf::from(known["projects"][0]["path"].as_str().unwrap());
        fs::write(clone.join(file), text).unwrap();
        parlour.json(&["commit", chat, "-m", "Change"]);
    };
    let none = "No commits conflict. What is not committed was not compared.\n";
    assert_eq!(parlour.say(&["radar"]), none);
    write("work", "src/main.rs", "fn main() { one() }\n");
    write("rival", "src/main.rs", "fn main() { two() }\n");
    write("calm", "other.txt", "calm\n");
    let found = parlour.json(&["radar"]);
    let found = found["collisions"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["files"], serde_json::json!(["src/main.rs"]));
    let mut chats = [0, 1].map(|side| found[0]["sides"][side]["chat"].as_str().unwrap());
    chats.sort_unstable();
    assert_eq!(chats, ["rival", "work"]);
    assert_eq!(parlour.say(&["radar", "calm"]), none);
}

#[test]
fn a_branch_that_two_chats_have_is_told_of_and_so_is_what_a_refused_push_asks_for() {
    let kept = Kept::new();
    let parlour = &kept.parlour;
    let dir = kept.checkout.to_str().unwrap();
    let words = ["new", "again", "--llm", "shell", "--dir", dir, "--branch", "fix"];
    let said = parlour.say(&words);
    assert!(said.contains("work has a branch fix too"), "{said}");
    let again = parlour.wait("again", "idle");
    let clone = PathBuf::from(again["projects"][0]["path"].as_str().unwrap());
    kept.commit("one.txt", "1\n");
    parlour.json(&["push", "work"]);
    fs::write(clone.join("two.txt"), "2\n").unwrap();
    parlour.json(&["commit", "again", "-m", "two.txt"]);
    let refused = parlour.refusal(&["push", "again"]);
    assert!(refused.contains("`parlour rebase again --upstream`"), "{refused}");
}
