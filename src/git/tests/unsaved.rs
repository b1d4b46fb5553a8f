//! What a working copy has that no remote has.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::super::read::tally;
use super::super::*;
use super::support::*;

fn judged_beside(home: &GitHome, clone: &Repo, staying: &[PathBuf]) -> Unsaved {
    let beside = UnsavedContext {
        chats: &home.user().join(".parlour/chats"),
        no_remotes: staying,
        staying,
        cache: None,
        is_kept: &|path| path == Path::new("kept.env"),
    };
    unsaved(&clone.0, &beside).unwrap()
}

fn judged(home: &GitHome, clone: &Repo) -> Unsaved {
    judged_beside(home, clone, &[])
}

fn commits(unsaved: &Unsaved) -> Vec<(&str, usize)> {
    let commits = unsaved.commits.iter();
    commits.map(|found| (found.on.as_str(), found.count)).collect()
}

/// A repository with a remote of its own, and one commit that was not pushed there.
fn source(home: &GitHome) -> (Repo, String) {
    let upstream = home.repository("upstream");
    let repo = Repo(home.user().join("src/app"));
    upstream.git(&["clone", "-q", upstream.text(), repo.text()]);
    let pushed = repo.git(&["rev-parse", "HEAD"]);
    repo.commit("local.txt", "not pushed\n");
    (repo, pushed)
}

#[test]
fn of_the_remote_is_known_what_the_source_has_seen_of_it() {
    let home = home();
    let (repo, pushed) = source(&home);
    repo.git(&["branch", "aside"]);
    repo.git(&["branch", "merged-long-ago", "origin/main"]);
    repo.git(&["checkout", "-q", "-b", "feature"]);
    repo.commit("more.txt", "more\n");
    let clone = Repo(home.open_on(&repo, Some("main"), None).unwrap().path);
    assert_eq!(clone.git(&["rev-parse", "origin/main"]), pushed);
    assert_eq!(
        clone.git(&["symbolic-ref", "refs/remotes/origin/HEAD"]),
        "refs/remotes/origin/main",
        "whatever the source stands on"
    );
    assert_eq!(clone.git(&["rev-parse", "main"]), repo.git(&["rev-parse", "main"]));
    assert_eq!(
        clone.git(&["branch", "--list", "--format=%(refname:short)"]),
        "aside\nfeature\nmain"
    );
    assert_eq!(tally(&clone.0).unwrap().ahead, 1);
    assert_eq!(
        clone.git(&["status", "-sb", "--porcelain"]),
        "## main...origin/main [ahead 1]"
    );

    let own = Repo(home.open_on(&repo, Some("aside"), None).unwrap().path);
    assert_eq!(
        own.git(&["status", "-sb", "--porcelain"]),
        "## aside",
        "its remote has none to follow"
    );
    assert_eq!(commits(&judged(&home, &own)), [("aside", 1), ("feature", 1)]);
}

#[test]
fn what_only_the_source_has_is_not_pushed_though_the_clone_calls_it_a_remote() {
    let home = home();
    let (repo, _) = source(&home);
    let clone = Repo(home.open(&repo).path);
    clone.commit("mine.txt", "mine\n");
    clone.git(&["remote", "add", "home", repo.text()]);
    clone.git(&["push", "-q", "home", "HEAD:refs/heads/there"]);
    clone.git(&["fetch", "-q", "home"]);
    let staying = std::slice::from_ref(&repo.0);
    let found = judged_beside(&home, &clone, staying);
    assert_eq!(commits(&found), [("main", 2)]);
    assert_eq!(found.commits[0].also_in.as_ref(), Some(&repo.0));
}

#[test]
fn commits_that_the_source_has_are_said_to_be_kept_there() {
    let home = home();
    let (repo, _) = source(&home);
    let clone = Repo(home.open(&repo).path);
    let found = judged_beside(&home, &clone, std::slice::from_ref(&repo.0));
    assert_eq!(commits(&found), [("main", 1)]);
    assert_eq!(found.commits[0].also_in.as_ref(), Some(&repo.0));
    clone.commit("own.txt", "own\n");
    let found = judged_beside(&home, &clone, std::slice::from_ref(&repo.0));
    assert_eq!((commits(&found), &found.commits[0].also_in), (vec![("main", 2)], &None));
    // Brought into the source, which went on.
    repo.git(&["pull", "-q", clone.text(), "main"]);
    repo.commit("on.txt", "on\n");
    let found = judged_beside(&home, &clone, std::slice::from_ref(&repo.0));
    assert_eq!(found.commits[0].also_in.as_ref(), Some(&repo.0));
}

#[test]
fn what_is_in_no_remote_is_named_by_kind() {
    let home = home();
    let repo = home.repository("app");
    repo.commit(".gitignore", "*.env\nbuild/\n");
    repo.git(&["tag", "v1"]);
    let clone = Repo(home.open(&repo).path);
    assert!(judged(&home, &clone).commits.is_empty());
    fs::write(clone.0.join("README.md"), "stashed\n").unwrap();
    clone.git(&["stash", "-q"]);
    clone.git(&["checkout", "-q", "-b", "aside"]);
    clone.commit("aside.txt", "1\n");
    clone.git(&["checkout", "-q", "--detach"]);
    clone.commit("loose.txt", "1\n");
    clone.git(&["tag", "mark"]);
    clone.git(&["checkout", "-q", "main"]);
    fs::write(clone.0.join("README.md"), "changed\n").unwrap();
    for file in [".env", "kept.env", "new.txt", "notes/deep/a.md", "build/out"] {
        fs::create_dir_all(clone.0.join(file).parent().unwrap()).unwrap();
        fs::write(clone.0.join(file), "x\n").unwrap();
    }
    let found = judged(&home, &clone);
    assert_eq!((found.changed, found.stashes), (1, 1));
    assert_eq!(found.untracked, ["new.txt", "notes/"]);
    assert_eq!(found.ignored, [".env", "build/"]);
    assert_eq!(commits(&found), [("aside", 1), ("the tag mark", 1)]);
}

#[test]
fn changes_that_git_was_told_not_to_see_are_named() {
    let home = home();
    let repo = home.repository("app");
    for file in ["assumed.txt", "skipped.txt", "left.txt", "same.txt"] {
        repo.commit(file, "one\n");
    }
    let clone = Repo(home.open(&repo).path);
    clone.git(&["update-index", "--assume-unchanged", "assumed.txt", "same.txt"]);
    clone.git(&["update-index", "--skip-worktree", "skipped.txt", "left.txt"]);
    fs::remove_file(clone.0.join("left.txt")).unwrap();
    fs::create_dir(clone.0.join("empty")).unwrap();
    assert_eq!(judged(&home, &clone), Unsaved::default());
    fs::write(clone.0.join("assumed.txt"), "two\n").unwrap();
    assert_eq!(judged(&home, &clone).changed, 1);
    fs::write(clone.0.join("skipped.txt"), "two\n").unwrap();
    assert_eq!(judged(&home, &clone).changed, 2);
    clone.git(&["notes", "add", "-m", "remember"]);
    assert_eq!(commits(&judged(&home, &clone)), [("the notes commits", 1)]);
}

#[test]
fn commits_of_any_ref_are_named_and_a_mode_that_git_does_not_look_at_is() {
    let home = home();
    let repo = home.repository("app");
    repo.commit("run.sh", "echo\n");
    let clone = Repo(home.open(&repo).path);
    clone.git(&["config", "core.fileMode", "false"]);
    clone.git(&["update-ref", "refs/prefetch/remotes/origin/main", "HEAD"]);
    assert_eq!(judged(&home, &clone), Unsaved::default());
    let program = |file: &str, mode: u32| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(clone.0.join(file), mode).unwrap();
    };
    program("run.sh", 0o755);
    assert_eq!(judged(&home, &clone).changed, 1);
    program(".git/index", 0o755);
    assert_eq!(judged(&home, &clone).changed, 0, "this file system knows no modes");
    program(".git/index", 0o644);
    fs::write(clone.0.join("run.sh"), "echo two\n").unwrap();
    assert_eq!(judged(&home, &clone).changed, 1, "it is one file");
    clone.git(&["checkout", "-q", "--", "run.sh"]);
    program("run.sh", 0o644);
    clone.git(&["commit", "-q", "--allow-empty", "-m", "aside"]);
    clone.git(&["update-ref", "refs/custom/x", "HEAD"]);
    clone.git(&["reset", "-q", "--hard", "HEAD~1"]);
    assert_eq!(commits(&judged(&home, &clone)), [("the ref refs/custom/x", 1)]);
}

#[test]
fn a_commit_that_several_refs_reach_counts_with_the_first() {
    let home = home();
    let (repo, _) = source(&home);
    repo.git(&["checkout", "-q", "-b", "side", "origin/main"]);
    repo.commit("side.txt", "side\n");
    repo.git(&["checkout", "-q", "-b", "merged", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "both", "side"]);
    repo.git(&["checkout", "-q", "main"]);
    for at in 0..50 {
        repo.git(&["update-ref", &format!("refs/heads/also/{at}"), "merged"]);
    }
    // Of the one that nobody else has: the tip's own commits, which lie above what the others have.
    repo.git(&["checkout", "-q", "-b", "last", "merged"]);
    repo.commit("last.txt", "last\n");
    repo.git(&["checkout", "-q", "main"]);
    let found = judged(&home, &repo);
    assert_eq!(commits(&found), [("main", 1), ("also/0", 2), ("last", 1)]);

    let other = Repo(home.user().join("other"));
    repo.git(&["clone", "-q", repo.text(), other.text()]);
    other.git(&["branch", "-r", "-d", "origin/last"]);
    let found = judged_beside(&home, &repo, std::slice::from_ref(&other.0));
    let also: Vec<bool> = found.commits.iter().map(|of| of.also_in.is_some()).collect();
    assert_eq!(
        also,
        [true, true, false],
        "what it holds without a branch may be thrown away there"
    );
}

#[test]
fn a_bare_repository_is_read_without_files() {
    let home = home();
    let repo = home.repository("app");
    let bare = Repo(home.user().join("store.git"));
    repo.git(&["clone", "-q", "--bare", repo.text(), bare.text()]);
    let found = judged(&home, &bare);
    assert_eq!((found.bare, commits(&found)), (true, vec![("main", 1)]));
}

#[test]
fn a_remote_that_is_another_chats_clone_is_none() {
    let home = home();
    let repo = home.repository("app");
    let (one, two) = (Repo(home.open(&repo).path), Repo(home.open(&repo).path));
    one.commit("own.txt", "own\n");
    assert_eq!(commits(&judged(&home, &one)), [("main", 1)]);
    one.git(&["remote", "add", "beside", two.text()]);
    one.git(&["push", "-q", "beside", "main:theirs"]);
    assert_eq!(commits(&judged(&home, &one)), [("main", 1)]);
    one.git(&["push", "-q", "origin", "main:theirs"]);
    assert_eq!(commits(&judged(&home, &one)), []);
}

#[test]
fn work_in_submodules_is_found_and_nothing_of_them_is_run() {
    let home = home();
    let inner = home.repository("inner");
    let repo = home.repository("app");
    repo.git(&["submodule", "--quiet", "add", inner.text(), "sub"]);
    repo.git(&["commit", "-q", "-m", "submodule"]);
    let clone = Repo(home.open(&repo).path);
    clone.git(&["submodule", "--quiet", "update", "--init"]);
    assert!(judged(&home, &clone).is_empty());
    let sub = Repo(clone.0.join("sub"));
    sub.commit("own.txt", "own\n");
    fs::write(sub.0.join("new.txt"), "x").unwrap();
    let (trap, sprung) = (home.user().join("trap"), home.user().join("sprung"));
    script(&trap, &format!("touch {}", sprung.display()));
    for place in [&clone, &sub] {
        for key in ["core.fsmonitor", "filter.x.clean", "diff.external"] {
            place.git(&["config", key, trap.to_str().unwrap()]);
        }
        fs::write(place.0.join(".gitattributes"), "* filter=x\n").unwrap();
    }
    let found = judged(&home, &clone);
    let (name, inside) = &found.submodules[0];
    assert_eq!((name.as_str(), inside.untracked.len()), ("sub", 2));
    assert_eq!(inside.commits.len(), 1);
    assert!(!sprung.exists());
}

#[test]
fn a_repository_of_the_agents_own_has_pushed_nothing() {
    let home = home();
    let repo = home.repository("made-by-itself");
    repo.commit("two", "2");
    assert_eq!(tally(&repo.0).unwrap().ahead, 2);
    assert_eq!(commits(&judged(&home, &repo)), [("main", 2)]);
}
