//! What a clone takes along from another clone of the same origin.

use std::fs;

use super::super::*;
use super::support::*;

/// Opens the origin of `repo` again, with the branches of the clone `from`.
fn carry(home: &Home, repo: &Repo, from: &Repo) -> Repo {
    let origin = home.origin(repo.text());
    let mut job = home.job(&origin);
    job.branch = branch_of(&from.0).unwrap();
    job.carried = Some(from.0.clone());
    Repo(run(&job).unwrap().path)
}

#[test]
fn unpushed_commits_of_every_branch_come_along_and_count_as_unpushed() {
    let home = home();
    let repo = home.repository("app");
    let first = Repo(home.open(&repo).path);
    let ahead = first.commit("more.txt", "more\n");
    first.git(&["checkout", "-q", "-b", "aside"]);
    let aside = first.commit("aside.txt", "aside\n");
    fs::write(first.0.join("aside.txt"), "not committed\n").unwrap();

    let second = carry(&home, &repo, &first);
    assert_eq!(second.git(&["symbolic-ref", "--short", "HEAD"]), "aside");
    assert_eq!(second.git(&["rev-parse", "HEAD", "main"]), format!("{aside}\n{ahead}"));
    assert_eq!(
        second.git(&["rev-parse", "origin/main"]),
        repo.git(&["rev-parse", "main"])
    );
    assert_eq!(second.git(&["status", "--porcelain"]), "");
    assert_eq!(second.git(&["branch", "-r", "--list", "origin/aside"]), "");
    second.git(&["fsck", "--strict"]);
}

#[test]
fn a_commit_that_no_branch_has_is_checked_out_as_it_was() {
    let home = home();
    let repo = home.repository("app");
    let first = Repo(home.open(&repo).path);
    first.git(&["checkout", "-q", "--detach"]);
    let loose = first.commit("loose.txt", "loose\n");
    let second = carry(&home, &repo, &first);
    assert_eq!(second.git(&["rev-parse", "HEAD"]), loose);
    assert_eq!(second.git(&["branch", "--show-current"]), "");
    assert!(second.0.join("loose.txt").exists());
}

#[test]
fn nothing_that_the_carried_clone_configures_is_run() {
    let home = home();
    let repo = home.repository("app");
    let first = Repo(home.open(&repo).path);
    let trap = home.user().join("trap");
    script(&trap, &format!("touch {}", home.user().join("sprung").display()));
    let trap = trap.to_str().unwrap();
    for key in [
        "core.fsmonitor",
        "uploadpack.packObjectsHook",
        "filter.x.smudge",
        "core.sshCommand",
    ] {
        first.git(&["config", key, trap]);
    }
    script(&first.0.join(".git/hooks/post-checkout"), trap);
    first.git(&[
        "-c",
        "core.fsmonitor=false",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "go on",
    ]);
    carry(&home, &repo, &first);
    assert!(!home.user().join("sprung").exists());
}
