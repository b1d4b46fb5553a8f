//! What a clone is: its branch, its remote, its settings, and that it shares nothing.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::super::*;
use super::support::*;

#[test]
fn a_local_repository_opens_on_its_head_branch() {
    let home = home();
    let repo = home.repository("app");
    repo.git(&["checkout", "-q", "-b", "trunk"]);
    let tip = repo.commit("src/lib.rs", "code\n");
    let opened = home.open(&repo);
    let clone = Repo(opened.path.clone());
    assert_eq!(
        (opened.name.as_str(), opened.branch.as_str(), opened.created),
        ("app", "trunk", false)
    );
    assert_eq!(opened.commit, tip);
    assert_eq!(opened.offline, None);
    assert_eq!(clone.git(&["status", "--porcelain", "-b"]), "## trunk...origin/trunk");
    assert_eq!(fs::read(clone.0.join("src/lib.rs")).unwrap(), b"code\n");
    assert_eq!(clone.git(&["remote", "get-url", "origin"]), repo.text());
    assert_eq!(
        clone.git(&["symbolic-ref", "refs/remotes/origin/HEAD"]),
        "refs/remotes/origin/trunk"
    );
    assert_eq!(
        clone.git(&["rev-parse", "origin/main"]),
        repo.git(&["rev-parse", "main"])
    );
    clone.git(&["fsck", "--strict"]);
}

/// A container, a web server or another person may be meant to read them; who gets as far as that, the chat's directory says.
#[test]
fn the_files_of_a_clone_are_as_open_as_the_umask_has_them() {
    let home = home();
    let repo = home.repository("app");
    repo.commit("src/lib.rs", "code\n");
    let plain = repo.0.with_file_name("plain");
    repo.git(&["clone", "-q", repo.text(), plain.to_str().unwrap()]);
    let clone = home.open(&repo).path;
    for file in ["", "README.md", "src", "src/lib.rs"] {
        let mode = |root: &Path| fs::metadata(root.join(file)).unwrap().mode();
        assert_eq!(mode(&clone), mode(&plain), "{file}");
    }
    assert_eq!(fs::metadata(clone.join(".git")).unwrap().mode() & 0o077, 0);
}

#[test]
fn a_clone_that_is_taken_back_leaves_nothing() {
    let home = home();
    let repo = home.repository("app");
    for forbids_writing in [false, true] {
        let opened = home.open(&repo);
        if forbids_writing {
            home.projects.forbid_writing(&opened.name, ".git").unwrap();
        }
        take_back(&home.projects, &home.staging, &opened.name).unwrap();
        assert!(!opened.path.exists());
        assert!(home.staging.entries(".").unwrap().is_empty());
    }
    assert_eq!(home.open(&repo).name, "app");
}

#[test]
fn the_clones_origin_is_the_sources_own_remote_on_this_machine_too() {
    let home = home();
    let remote = home.repository("shared");
    let repo = home.repository("app");
    repo.git(&["remote", "add", "origin", remote.text()]);
    let clone = Repo(home.open(&repo).path);
    assert_eq!(clone.git(&["remote", "get-url", "origin"]), remote.text());
    repo.git(&["remote", "set-url", "origin", "/nowhere/at/all"]);
    let clone = Repo(home.open(&repo).path);
    assert_eq!(clone.git(&["remote", "get-url", "origin"]), "/nowhere/at/all");
    assert_eq!(clone.git(&["branch", "-r"]), "", "of that remote nothing was seen");
    // What has no files of its own is a remote itself, wherever it was copied from.
    let bare = Repo(home.user().join("bare.git"));
    repo.git(&["clone", "-q", "--bare", repo.text(), bare.text()]);
    let clone = Repo(home.open(&bare).path);
    assert_eq!(clone.git(&["remote", "get-url", "origin"]), bare.text());
}

#[test]
fn the_clones_origin_is_the_sources_own_remote_without_its_secrets() {
    let home = home();
    let repo = home.repository("app");
    repo.git(&["remote", "add", "origin", "https://ada:secret@Example.com/team/app.git"]);
    let clone = Repo(home.open(&repo).path);
    assert_eq!(
        clone.git(&["remote", "get-url", "origin"]),
        "https://example.com/team/app.git"
    );
}

#[test]
fn a_branch_that_exists_is_checked_out_and_followed() {
    let home = home();
    let repo = home.repository("app");
    repo.git(&["branch", "feature/login"]);
    let opened = home.open_on(&repo, Some("feature/login"), Some("ignored")).unwrap();
    assert!(!opened.created);
    let clone = Repo(opened.path);
    assert_eq!(
        clone.git(&["rev-parse", "--abbrev-ref", "@{u}"]),
        "origin/feature/login"
    );
    let by_remote_name = home.open_on(&repo, Some("origin/feature/login"), None).unwrap();
    assert_eq!(by_remote_name.branch.as_str(), "feature/login");
}

#[test]
fn a_branch_that_does_not_exist_is_made_from_the_base() {
    let home = home();
    let repo = home.repository("app");
    let first = repo.git(&["rev-parse", "HEAD"]);
    repo.git(&["tag", "-a", "v1", "-m", "one"]);
    repo.git(&["branch", "base"]);
    let tip = repo.commit("more", "x");
    for (name, base, commit) in [
        ("a", Some("base"), &first),
        ("b", Some("origin/base"), &first),
        ("c", Some("v1"), &first),
        ("d", Some(&first[..10]), &first),
        ("e", None, &tip),
    ] {
        let opened = home.open_on(&repo, Some(name), base).unwrap();
        assert_eq!(
            (opened.branch.as_str(), opened.created, &opened.commit),
            (name, true, commit)
        );
        assert_eq!(
            Repo(opened.path).git(&["status", "--porcelain", "-b"]),
            format!("## {name}")
        );
    }
}

#[test]
fn a_base_that_does_not_exist_names_the_nearest() {
    let home = home();
    let repo = home.repository("app");
    repo.git(&["branch", "release-2.0"]);
    let error = home.open_on(&repo, Some("new"), Some("relase-2.0")).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "there is no branch `relase-2.0` in {}; nearest: release-2.0",
            repo.text()
        )
    );
    assert_eq!(home.visible(), Vec::<String>::new());
}

#[test]
fn a_branch_that_only_the_sources_remote_has_can_be_named() {
    let home = home();
    let upstream = home.repository("upstream");
    upstream.git(&["branch", "theirs"]);
    let repo = Repo(home.user().join("src/app"));
    upstream.git(&["clone", "-q", upstream.text(), repo.text()]);
    let opened = home.open_on(&repo, Some("theirs"), None).unwrap();
    assert_eq!((opened.branch.as_str(), opened.created), ("theirs", false));
    assert!(home.open_on(&repo, Some("mine"), Some("theirs")).unwrap().created);
    let clone = Repo(opened.path);
    let refs = clone.git(&["for-each-ref", "--format=%(refname)"]);
    assert_eq!(
        refs.lines().collect::<Vec<_>>(),
        [
            "refs/heads/theirs",
            "refs/remotes/origin/HEAD",
            "refs/remotes/origin/main",
            "refs/remotes/origin/theirs"
        ]
    );
}

#[test]
fn nothing_is_shared_with_the_source_or_the_cache() {
    let home = home();
    let repo = home.repository("app");
    repo.git(&["gc", "-q"]);
    let before = manifest(&repo.0);
    let (one, two) = (Repo(home.open(&repo).path), Repo(home.open(&repo).path));
    let cache = manifest(home.caches.path());
    let mine = inodes(&one.0);
    assert!(mine.values().all(|(links, _)| *links == 1), "{mine:?}");
    for other in [&repo.0, &two.0, &home.caches.path().to_path_buf()] {
        let theirs = inodes(other);
        assert!(
            mine.keys().all(|inode| !theirs.contains_key(inode)),
            "{}",
            other.display()
        );
    }
    assert!(!one.0.join(".git/objects/info/alternates").exists());
    let other = manifest(&two.0);
    one.commit("new", "x");
    one.git(&["gc", "-q", "--prune=now"]);
    one.git(&["checkout", "-q", "-b", "elsewhere"]);
    assert_eq!(manifest(&repo.0), before);
    assert_eq!(manifest(&two.0), other);
    assert_eq!(manifest(home.caches.path()), cache);
}

#[test]
fn everything_written_is_private_but_for_the_files_of_clones() {
    let home = home();
    let repo = home.repository("app");
    script(&repo.0.join("run.sh"), "true");
    repo.git(&["add", "."]);
    repo.git(&["commit", "-q", "-m", "script"]);
    let opened = home.open(&repo);
    // Git makes its index as it makes the files; nobody else comes as far as that.
    let own = manifest(&opened.path.join(".git")).into_iter();
    let own = own.filter(|(path, _)| !path.ends_with("index"));
    assert_eq!(fs::metadata(opened.path.join(".git")).unwrap().mode() & 0o077, 0);
    for (path, (mode, ..)) in manifest(home.caches.path()).into_iter().chain(own) {
        assert_eq!(mode & 0o077, 0, "{} {mode:o}", path.display());
    }
    assert_eq!(fs::metadata(opened.path.join("run.sh")).unwrap().mode() & 0o700, 0o700);
}

#[test]
fn above_the_copy_limit_the_cache_lends_its_objects() {
    let home = home();
    let repo = home.repository("app");
    let origin = home.origin(repo.text());
    let mut job = home.job(&origin);
    job.copy_limit = 0;
    let opened = run(&job).unwrap();
    let clone = Repo(opened.path);
    clone.git(&["fsck", "--strict"]);
    clone.commit("new", "x");
    clone.git(&["gc", "-q", "--prune=now"]);
    home.open(&repo);
    // A file system that copies on write has no need to borrow.
    assert_eq!(opened.borrowed, clone.0.join(".git/objects/info/alternates").exists());
}

#[test]
fn what_is_new_in_the_source_is_in_the_next_clone_and_what_is_gone_is_not() {
    let home = home();
    let repo = home.repository("app");
    repo.git(&["branch", "a"]);
    home.open(&repo);
    repo.git(&["branch", "-D", "-q", "a"]);
    repo.git(&["branch", "a/b"]);
    repo.git(&["checkout", "-q", "a/b"]);
    let tip = repo.commit("more", "x");
    let opened = home.open(&repo);
    assert_eq!(
        (opened.name.as_str(), opened.branch.as_str(), opened.commit),
        ("app-2", "a/b", tip)
    );
    assert!(home.open_on(&repo, Some("a"), None).is_ok_and(|o| o.created));
}

#[test]
fn a_rewritten_branch_leaves_its_old_commits_in_the_cache() {
    let home = home();
    let repo = home.repository("app");
    let old = repo.commit("a", "old");
    home.open(&repo);
    repo.git(&["commit", "-q", "--amend", "-m", "rewritten"]);
    let opened = home.open(&repo);
    assert_ne!(opened.commit, old);
    assert_eq!(Repo(opened.path).git(&["cat-file", "-t", &old]), "commit");
}

#[test]
fn the_person_and_their_signing_come_along() {
    let home = home();
    let repo = home.repository("app");
    fs::write(
        home.user().join(".gitconfig"),
        "[user]\n\tname = Ada \\\"L\\\"\n\temail = ada@example.com\n[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tprogram = /opt/sign\n",
    )
    .unwrap();
    repo.git(&["config", "user.email", "ada@work.example"]);
    repo.git(&["config", "gpg.program", "/tmp/evil"]);
    repo.git(&["config", "alias.st", "!touch /tmp/evil"]);
    let clone = Repo(home.open(&repo).path);
    let get = |key| clone.git(&["config", "--local", "--default", "-", "--get", key]);
    assert_eq!(get("user.name"), "Ada \"L\"");
    assert_eq!(get("user.email"), "ada@work.example");
    assert_eq!(
        (get("gpg.format").as_str(), get("gpg.ssh.program").as_str()),
        ("ssh", "/opt/sign")
    );
    assert_eq!((get("gpg.program").as_str(), get("alias.st").as_str()), ("-", "-"));
}

#[test]
fn the_callers_finish_sees_the_whole_clone_before_anyone_else() {
    let home = home();
    let repo = home.repository("app");
    let origin = home.origin(repo.text());
    let opened = open(&home.job(&origin), &|_| {}, &CancelFlag::default(), |staged| {
        assert_eq!(fs::read(staged.join("README.md")).unwrap(), b"hello\n");
        assert_eq!(home.visible(), Vec::<String>::new());
        fs::write(staged.join(".env"), b"x").map_err(|e| Error::io("writing", staged, e))
    })
    .unwrap();
    assert_eq!(fs::read(opened.path.join(".env")).unwrap(), b"x");
    assert_eq!(names(&home.staging), Vec::<String>::new());
}

#[test]
fn a_finish_that_fails_leaves_no_clone() {
    let home = home();
    let repo = home.repository("app");
    let origin = home.origin(repo.text());
    let failed = open(&home.job(&origin), &|_| {}, &CancelFlag::default(), |_| {
        Err(Error::Cancelled)
    });
    assert!(failed.unwrap_err().is_cancelled());
    assert_eq!((home.visible(), names(&home.staging)), (vec![], vec![]));
    assert_eq!(home.open(&repo).name, "app");
}

#[test]
fn progress_is_told_in_order() {
    let home = home();
    let repo = home.repository("app");
    let origin = home.origin(repo.text());
    let stages = std::cell::RefCell::new(Vec::new());
    let note = |progress: GitProgress| stages.borrow_mut().push(progress.stage);
    open::<Error>(&home.job(&origin), &note, &CancelFlag::default(), |_| Ok(())).unwrap();
    let mut stages = stages.into_inner();
    stages.dedup();
    let copying = stages.iter().position(|s| *s == GitStage::Copying).unwrap();
    assert!(stages[..copying].iter().all(|s| *s == GitStage::Fetching), "{stages:?}");
    assert!(
        stages[copying + 1..].iter().all(|s| *s == GitStage::CheckingOut),
        "{stages:?}"
    );
}
