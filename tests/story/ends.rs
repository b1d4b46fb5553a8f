//! What git has begun in a clone is gone on with or called off, without git there.

use std::fs;

use serde_json::Value;

use super::keep::Kept;
use super::merges::{diverged, try_git, under_way};
use crate::support::parlour::git;

fn resolve(kept: &Kept, content: &str) {
    kept.write("src/main.rs", content);
    git(&kept.clone, &["add", "src/main.rs"]);
}

fn refused(kept: &Kept, how: &str) -> String {
    kept.parlour.refusal(&["rebase", "work", how])
}

/// A rebase of two commits, each of which conflicts with what `side` has. Returns where the branch was.
fn rebasing() -> (Kept, String) {
    let kept = diverged();
    let author = ["-c", "user.name=Eve", "-c", "user.email=eve@localhost"];
    kept.write("src/main.rs", "fn main() { later() }\n");
    git(&kept.clone, &[&author[..], &["commit", "-qam", "Eve's work"]].concat());
    let tip = git(&kept.clone, &["rev-parse", "fix"]);
    try_git(&kept.clone, &["rebase", "side"]);
    (kept, tip)
}

#[test]
fn a_rebase_goes_on_conflict_by_conflict() {
    let (kept, _) = rebasing();
    let told = refused(&kept, "--continue");
    assert!(told.contains("it has conflicts: src/main.rs"), "{told}");
    resolve(&kept, "fn main() { both() }\n");
    let told = kept.parlour.say(&["rebase", "work", "--continue"]);
    assert!(
        told.contains("a rebase goes on; the next commit conflicts in src/main.rs"),
        "{told}"
    );
    assert_eq!(kept.status(), "UU src/main.rs");
    resolve(&kept, "fn main() { all() }\n");
    let told = kept.parlour.say(&["rebase", "work", "--continue"]);
    assert!(told.contains("a rebase is over; fix is at"), "{told}");
    assert_eq!(git(&kept.clone, &["branch", "--show-current"]), "fix");
    assert_eq!(
        git(&kept.clone, &["log", "--format=%an %cn %s", "side..fix"]),
        "Eve Ada Eve's work\nAda Ada src/main.rs"
    );
    assert_eq!(kept.status(), "");
    assert!(!kept.clone.join(".git/rebase-merge").exists());
    git(&kept.clone, &["fsck", "--strict"]);
    assert!(refused(&kept, "--continue").contains("nothing is under way"));
    assert!(refused(&kept, "--abort").contains("nothing is under way"));
}

#[test]
fn what_is_aborted_is_as_before_and_a_revert_brings_it_back() {
    let (kept, tip) = rebasing();
    let parlour = &kept.parlour;
    kept.write("src/main.rs", "fn main() { half() }\n");
    let told = parlour.json(&["rebase", "work", "--abort"]);
    let ended = &told["projects"][0];
    assert_eq!(
        (&ended["what"], &ended["aborted"], &ended["branch"], &ended["commit"]),
        (
            &Value::from("rebase"),
            &Value::from(true),
            &Value::from("fix"),
            &Value::from(tip.clone())
        )
    );
    assert_eq!(git(&kept.clone, &["branch", "--show-current"]), "fix");
    assert_eq!(git(&kept.clone, &["rev-parse", "HEAD"]), tip);
    assert_eq!(kept.status(), "");
    let listed = parlour.json(&["checkpoints", "work"]);
    let last = listed["checkpoints"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["prompt"], "aborting");
    parlour.json(&["revert", "work", &last["number"].to_string(), "--yes"]);
    assert_eq!(
        fs::read_to_string(kept.clone.join("src/main.rs")).unwrap(),
        "fn main() { half() }\n"
    );
    assert!(kept.clone.join(".git/rebase-merge/git-rebase-todo").exists());
    assert_eq!(kept.status(), "UU src/main.rs");
}

#[test]
fn a_merge_is_called_off_and_ended_by_a_commit_alone() {
    let kept = diverged();
    try_git(&kept.clone, &["merge", "-q", "side"]);
    let told = refused(&kept, "--continue");
    assert!(told.contains("a merge is under way, which a commit ends"), "{told}");
    let told = kept.parlour.say(&["rebase", "work", "--abort"]);
    assert!(told.contains("a merge is called off; fix is at"), "{told}");
    assert_eq!((under_way(&kept), kept.status().as_str()), (Vec::new(), ""));
    assert_eq!(
        fs::read_to_string(kept.clone.join("src/main.rs")).unwrap(),
        "fn main() { mine() }\n"
    );
}

#[test]
fn a_row_of_picks_goes_on_or_is_called_off() {
    let kept = diverged();
    git(&kept.clone, &["checkout", "-q", "side"]);
    kept.commit("src/main.rs", "fn main() { more() }\n");
    git(&kept.clone, &["checkout", "-q", "fix"]);
    let tip = git(&kept.clone, &["rev-parse", "fix"]);
    try_git(&kept.clone, &["cherry-pick", "side~1", "side"]);
    resolve(&kept, "fn main() { picked() }\n");
    let told = kept.parlour.say(&["rebase", "work", "--continue"]);
    assert!(told.contains("the next commit conflicts in src/main.rs"), "{told}");
    assert_eq!(git(&kept.clone, &["rev-list", "--count", &format!("{tip}..fix")]), "1");
    kept.parlour.say(&["rebase", "work", "--abort"]);
    assert_eq!(git(&kept.clone, &["rev-parse", "fix"]), tip);
    assert_eq!((under_way(&kept), kept.status().as_str()), (Vec::new(), ""));
    assert!(!kept.clone.join(".git/sequencer").exists());
}

/// An agent may have written the plan.
#[test]
fn a_plan_that_runs_something_is_left_to_a_persons_git() {
    let (kept, tip) = rebasing();
    let ran = kept.clone.join("ran");
    resolve(&kept, "fn main() { both() }\n");
    let plan = kept.clone.join(".git/rebase-merge/git-rebase-todo");
    let steps = fs::read_to_string(&plan).unwrap();
    for more in [
        format!("exec touch {}\n", ran.display()),
        "update-ref refs/heads/side\n".into(),
    ] {
        fs::write(&plan, format!("{more}{steps}")).unwrap();
        let told = refused(&kept, "--continue");
        assert!(
            told.contains("of which more comes than commits") && told.contains("git rebase --continue"),
            "{told}"
        );
        assert!(refused(&kept, "--abort").contains("git rebase --abort"));
    }
    fs::write(&plan, &steps).unwrap();
    fs::write(kept.clone.join(".git/rebase-merge/strategy"), "evil\n").unwrap();
    assert!(refused(&kept, "--continue").contains("more comes than commits"));
    fs::remove_file(kept.clone.join(".git/rebase-merge/strategy")).unwrap();
    fs::write(
        kept.clone.join(".git/rebase-merge/head-name"),
        "refs/heads/../../config\n",
    )
    .unwrap();
    assert!(refused(&kept, "--continue").contains("more comes than commits"));
    fs::write(kept.clone.join(".git/rebase-merge/head-name"), "refs/heads/fix\n").unwrap();
    // Nor does it go on over another branch.
    git(&kept.clone, &["symbolic-ref", "HEAD", "refs/heads/side"]);
    assert!(refused(&kept, "--continue").contains("more comes than commits"));
    assert!(!ran.exists());
    assert_eq!(git(&kept.clone, &["rev-parse", "fix"]), tip);
}
