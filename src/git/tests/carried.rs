//! What a clone takes along from another clone of the same origin.

use std::fs;

use super::super::*;
use super::support::*;

/// Opens the origin of `repo` again, with the branches of the clone `from`.
fn carry(home: &GitHome, repo: &Repo, from: &Repo) -> Repo {
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
fn what_was_seen_of_the_remote_comes_along_where_it_is_newer() {
    let home = home();
    let repo = home.repository("app");
    let first = Repo(home.open(&repo).path);
    let theirs = first.commit("theirs.txt", "theirs\n");
    for name in ["main", "fix"] {
        first.git(&["update-ref", &format!("refs/remotes/origin/{name}"), &theirs]);
    }
    let second = carry(&home, &repo, &first);
    let seen = second.git(&["rev-parse", "origin/main", "origin/fix"]);
    assert_eq!(seen, format!("{theirs}\n{theirs}"));
    // What is newer here stays.
    let news = repo.commit("news.txt", "news\n");
    first.git(&["update-ref", "refs/remotes/origin/main", "main~1"]);
    let third = carry(&home, &repo, &first);
    assert_eq!(third.git(&["rev-parse", "origin/main"]), news);
    third.git(&["fsck", "--strict"]);
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

/// As [`carry`], on a branch that is asked for.
fn carry_on(home: &GitHome, repo: &Repo, from: &Repo, branch: &str, base: Option<&str>) -> Result<OpenedClone, Error> {
    let origin = home.origin(repo.text());
    let mut job = home.job(&origin);
    job.branch = Some(BranchName::parse(branch).unwrap());
    job.base = base.map(str::to_string);
    job.carried = Some(from.0.clone());
    run(&job)
}

#[test]
fn a_new_branch_starts_at_its_base_or_the_default_branch_as_they_are_in_the_carried_clone() {
    let home = home();
    let repo = home.repository("app");
    let first = Repo(home.open(&repo).path);
    let ahead = first.commit("more.txt", "more\n");
    first.git(&["checkout", "-q", "-b", "aside"]);
    let aside = first.commit("aside.txt", "aside\n");
    for (branch, base, commit) in [
        ("try/a", None, &ahead),
        ("try/b", Some("aside"), &aside),
        ("c", Some(&ahead[..8]), &ahead),
    ] {
        let opened = carry_on(&home, &repo, &first, branch, base).unwrap();
        assert_eq!((opened.branch.as_str(), opened.created), (branch, true));
        let second = Repo(opened.path);
        assert_eq!(second.git(&["symbolic-ref", "--short", "HEAD"]), branch);
        assert_eq!(&second.git(&["rev-parse", "HEAD"]), commit);
        assert_eq!(second.git(&["status", "--porcelain"]), "");
    }
    let there = carry_on(&home, &repo, &first, "aside", None).unwrap();
    assert_eq!((there.created, there.commit), (false, aside));
    let wrong = carry_on(&home, &repo, &first, "d", Some("asid")).unwrap_err();
    assert!(wrong.to_string().contains("aside"), "{wrong}");
}

#[test]
fn a_branch_that_only_the_origin_has_is_checked_out_as_it_is_there() {
    let home = home();
    let repo = home.repository("app");
    let first = Repo(home.open(&repo).path);
    repo.git(&["checkout", "-q", "-b", "theirs"]);
    let theirs = repo.commit("theirs.txt", "theirs\n");
    let opened = carry_on(&home, &repo, &first, "theirs", None).unwrap();
    assert_eq!((opened.created, opened.commit), (false, theirs));
    let second = Repo(opened.path);
    assert_eq!(
        second.git(&["rev-parse", "--abbrev-ref", "@{upstream}"]),
        "origin/theirs"
    );
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
