//! What a path on this machine is taken for, and what is never opened.

use std::fs;
use std::path::Path;

use super::super::*;
use super::support::*;
use crate::fs::Dir;

fn refusal(home: &GitHome, path: &Path) -> String {
    home.look(path.to_str().unwrap())
        .expect_err(path.to_str().unwrap())
        .to_string()
}

#[test]
fn a_path_below_a_root_opens_the_repository_and_notes_the_rest() {
    let home = home();
    let repo = home.repository("app");
    repo.commit("crates/core/lib.rs", "x");
    let origin = home.origin(repo.0.join("crates/core").to_str().unwrap());
    assert_eq!(origin.subdir.as_deref(), Some(Path::new("crates/core")));
    assert_eq!(
        (origin.name.as_str(), &origin.key),
        ("app", &home.origin(repo.text()).key)
    );
    assert_eq!(home.origin(repo.0.join(".git").to_str().unwrap()).name.as_str(), "app");
}

#[test]
fn a_linked_worktree_opens_on_its_own_branch() {
    let home = home();
    let repo = home.repository("app");
    let tree = home.user().join("src/tree");
    repo.git(&["worktree", "add", "-q", "-b", "side", tree.to_str().unwrap()]);
    let opened = home.open(&Repo(tree));
    assert_eq!((opened.name.as_str(), opened.branch.as_str()), ("tree", "side"));
    assert!(opened.path.join(".git").is_dir());
}

#[test]
fn a_bare_repository_opens() {
    let home = home();
    let repo = home.repository("app");
    let bare = Repo(home.user().join("app.git"));
    repo.git(&["clone", "-q", "--bare", repo.text(), bare.text()]);
    assert_eq!(home.open(&bare).name, "app");
}

#[test]
fn a_source_with_alternates_opens_whole() {
    let home = home();
    let repo = home.repository("app");
    let borrower = Repo(home.user().join("src/borrower"));
    repo.git(&["clone", "-q", "--shared", repo.text(), borrower.text()]);
    let opened = home.open(&borrower);
    fs::remove_dir_all(&repo.0).unwrap();
    Repo(opened.path).git(&["fsck", "--strict"]);
}

#[test]
fn a_plain_directory_is_to_be_linked() {
    let home = home();
    let plain = home.user().join("notes");
    fs::create_dir(&plain).unwrap();
    assert_eq!(home.look("notes").unwrap(), LocalTarget::Directory(plain));
}

#[test]
fn a_home_that_is_a_repository_does_not_swallow_what_is_beneath() {
    let home = home();
    let plain = home.user().join("notes");
    fs::create_dir(&plain).unwrap();
    Repo(home.user()).git(&["init", "-q"]);
    assert_eq!(home.look("notes").unwrap(), LocalTarget::Directory(plain));
    assert!(refusal(&home, &home.user()).contains("the whole home directory"));
}

#[test]
fn broad_and_secret_places_are_refused() {
    let home = home();
    let user = home.user();
    for (path, why) in [
        (Path::new("/").to_path_buf(), "root of the file system"),
        (user.clone(), "whole home"),
        (user.parent().unwrap().to_path_buf(), "too broad"),
        ("/etc".into(), "too broad"),
        ("/var/lib".into(), "too broad"),
        ("/home".into(), "too broad"),
        (user.join(".config"), "keys or passwords"),
        (user.join(".local/share"), "keys or passwords"),
        (user.join(".cargo"), "keys or passwords"),
        (user.join(".claude"), "keys or passwords"),
        (user.join(".codex/sessions"), "keys or passwords"),
        (user.join(".ssh"), "keys or passwords"),
        (user.join(".gnupg/private"), "keys or passwords"),
        (user.join(".config/gh"), "keys or passwords"),
        (user.join(".parlour"), "parlour's own home"),
        (user.join(".parlour/chats/one"), "parlour's own home"),
        (user.join(".parlour/chats/two/projects/x"), "parlour's own home"),
    ] {
        let existed = path.exists();
        if !existed {
            fs::create_dir_all(&path).unwrap();
        }
        assert!(
            refusal(&home, &path).contains(why),
            "{}: {}",
            path.display(),
            refusal(&home, &path)
        );
    }
    std::os::unix::fs::symlink(user.join(".ssh"), user.join("innocent")).unwrap();
    assert!(refusal(&home, &user.join("innocent")).contains("keys or passwords"));
    fs::create_dir(user.join(".config/editor")).unwrap();
    assert!(matches!(home.look(".config/editor"), Ok(LocalTarget::Directory(_))));
}

#[test]
fn a_repository_of_sha_256_names_is_refused_before_anything_is_fetched() {
    let home = home();
    let long = Repo(home.user().join("src/long"));
    fs::create_dir_all(&long.0).unwrap();
    long.git(&["init", "-q", "--object-format=sha256"]);
    assert!(refusal(&home, &long.0).ends_with("names its objects by SHA-256, which parlour cannot read yet"));
}

#[test]
fn a_chat_may_be_opened_from_only_where_it_is_allowed() {
    let home = home();
    let repo = home.repository("app");
    let clone = Repo(home.open(&repo).path);
    let local = clone.commit("unpushed", "x");
    assert!(refusal(&home, &clone.0).contains("parlour's own home"));
    let guard = SourceGuard {
        allowed: vec![clone.0.clone()],
        ..home.guard()
    };
    let source = CloneSource::parse(clone.text(), Path::new("/")).unwrap();
    let LocalTarget::Repository(origin) = look(&source, &guard, &home.program).unwrap() else {
        panic!("no repository")
    };
    assert_eq!(run(&home.job(&origin)).unwrap().commit, local);
}

#[test]
fn a_missing_path_and_a_file_say_so() {
    let home = home();
    fs::write(home.user().join("file"), b"x").unwrap();
    assert!(refusal(&home, &home.user().join("nothing")).ends_with("there is no such directory"));
    assert!(refusal(&home, &home.user().join("file")).contains("it is a file"));
}

#[test]
fn what_cannot_be_read_or_is_another_users_is_refused() {
    let home = home();
    let repo = home.repository("app");
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(repo.0.join(".git"), Some(12345), None).unwrap();
        assert!(refusal(&home, &repo.0).contains("another user"));
    } else {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&repo.0, fs::Permissions::from_mode(0o000)).unwrap();
        assert!(refusal(&home, &repo.0).contains("permission denied"));
        fs::set_permissions(&repo.0, fs::Permissions::from_mode(0o700)).unwrap();
    }
}

#[test]
fn a_repository_without_commits_says_so() {
    let home = home();
    let repo = Repo(home.user().join("src/empty"));
    fs::create_dir_all(&repo.0).unwrap();
    repo.git(&["init", "-q"]);
    let error = home.open_on(&repo, None, None).unwrap_err();
    assert!(error.to_string().contains("has no commits yet"), "{error}");
    assert_eq!(names(&home.staging), Vec::<String>::new());
    repo.commit("first", "x");
    assert_eq!(home.open(&repo).name, "empty");
}

#[test]
fn a_detached_head_falls_back_to_the_main_branch() {
    let home = home();
    let repo = home.repository("app");
    repo.git(&["branch", "another"]);
    repo.git(&["checkout", "-q", "--detach"]);
    assert_eq!(home.open(&repo).branch.as_str(), "main");
}

#[test]
fn a_shallow_or_partial_source_is_fetched_whole() {
    let home = home();
    let upstream = home.repository("upstream");
    upstream.commit("a", "1");
    upstream.commit("a", "2");
    upstream.git(&["config", "uploadpack.allowFilter", "true"]);
    for (name, how) in [("shallow", "--depth=1"), ("partial", "--filter=blob:none")] {
        let repo = Repo(home.user().join("src").join(name));
        upstream.git(&["clone", "-q", how, &format!("file://{}", upstream.text()), repo.text()]);
        let local = repo.commit("local", "x");
        let opened = home.open(&repo);
        assert_eq!(opened.commit, local, "{name}");
        let clone = Repo(opened.path);
        clone.git(&["fsck", "--strict"]);
        assert_eq!(clone.git(&["rev-list", "--count", "HEAD"]), "4", "{name}");
        let more = repo.commit("local", "y");
        assert_eq!(home.open(&repo).commit, more, "{name}");
        repo.git(&["remote", "remove", "origin"]);
        repo.git(&["config", "extensions.partialclone", "gone"]);
        assert!(refusal(&home, &repo.0).contains("without a remote"), "{name}");
    }
}

#[test]
fn leftovers_are_swept() {
    let home = home();
    let repo = home.repository("app");
    home.staging.create_dir("clone-old/.git").unwrap();
    std::os::unix::fs::symlink(&repo.0, home.staging.path().join("clone-old/link")).unwrap();
    let before = manifest(&repo.0);
    sweep(&home.staging).unwrap();
    assert_eq!(names(&home.staging), Vec::<String>::new());
    assert_eq!(manifest(&repo.0), before);
    sweep(&Dir::open(home.staging.path()).unwrap()).unwrap();
}
