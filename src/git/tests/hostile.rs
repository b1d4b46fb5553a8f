//! Repositories that try to run something, or to be seen as something else.

use std::fs;

use super::super::*;
use super::support::*;

/// A repository that runs a program, which leaves `ran` behind, at every chance git gives it.
fn hostile(home: &GitHome) -> Repo {
    let repo = home.repository("hostile");
    let program = home.user().join("program");
    script(&program, &format!("touch {}\ncat", home.user().join("ran").display()));
    repo.commit(".gitattributes", "* filter=evil diff=evil\n");
    repo.commit("file.txt", "as committed\n");
    let inner = home.repository("inner");
    repo.git(&["submodule", "--quiet", "add", inner.text(), "sub"]);
    repo.git(&["commit", "-q", "-m", "submodule"]);
    let program = program.to_str().unwrap();
    for hook in [
        "post-checkout",
        "pre-auto-gc",
        "reference-transaction",
        "post-index-change",
        "post-merge",
        "update",
    ] {
        script(&repo.0.join(".git/hooks").join(hook), &format!("exec {program}"));
    }
    let settings = |path: &std::path::Path| {
        let mut text = fs::read_to_string(path).unwrap_or_default();
        text.push_str(&format!(
            "[core]\n\tfsmonitor = {program}\n\tsshCommand = {program}\n\tpager = {program}\n\talternateRefsCommand = {program}\n\
             [filter \"evil\"]\n\tsmudge = {program}\n\tclean = {program}\n\tprocess = {program}\n\trequired = true\n\
             [diff \"evil\"]\n\ttextconv = {program}\n[uploadpack]\n\tpackObjectsHook = {program}\n\
             [credential]\n\thelper = !{program}\n[submodule]\n\trecurse = true\n[alias]\n\tls-remote = !{program}\n"
        ));
        fs::write(path, text).unwrap();
    };
    settings(&repo.0.join(".git/config"));
    // The person's own filters must not run on a stranger's files either.
    settings(&home.user().join(".gitconfig"));
    let _ = fs::remove_file(home.user().join("ran"));
    repo
}

#[test]
fn nothing_that_a_source_configures_is_run() {
    let home = home();
    let repo = hostile(&home);
    let before = manifest(&repo.0);
    let first = home.open(&repo);
    let second = home.open_on(&repo, Some("new"), None).unwrap();
    for path in [first.path, second.path] {
        assert_eq!(fs::read(path.join("file.txt")).unwrap(), b"as committed\n");
        assert_eq!(
            fs::read_dir(path.join("sub")).unwrap().count(),
            0,
            "submodules stay empty"
        );
        assert!(!path.join(".git/hooks").exists());
        read::tally(&path).unwrap();
    }
    read::tally(&repo.0).unwrap();
    assert!(!home.user().join("ran").exists());
    assert_eq!(manifest(&repo.0), before);
}

#[test]
fn the_same_repository_runs_its_program_under_plain_git() {
    let home = home();
    let repo = hostile(&home);
    let copy = home.user().join("copy");
    let mut git = std::process::Command::new("git");
    git.env("HOME", home.user())
        .args(["clone", "-q", repo.text()])
        .arg(copy);
    git.output().unwrap();
    assert!(
        home.user().join("ran").exists(),
        "the trap of the test beside this one works"
    );
}

#[test]
fn odd_file_names_arrive_as_they_are() {
    let home = home();
    let repo = home.repository("app");
    let odd = [
        "bell\u{7}",
        "new\nline",
        "bidi\u{202E}txt",
        "-rf",
        "--help",
        "ends with space ",
        "quote\"'",
    ];
    for name in odd {
        repo.commit(name, name);
    }
    let opened = home.open(&repo);
    for name in odd {
        assert_eq!(fs::read(opened.path.join(name)).unwrap(), name.as_bytes());
    }
    assert_eq!(read::tally(&opened.path).unwrap().dirty, 0);
}

#[test]
fn branches_with_misleading_names_are_left_out() {
    let home = home();
    let repo = home.repository("app");
    repo.git(&["branch", "ma\u{200B}in"]);
    repo.git(&["branch", "evil\u{202E}"]);
    repo.git(&["branch", "honest"]);
    let clone = Repo(home.open(&repo).path);
    let refs = clone.git(&["for-each-ref", "--format=%(refname:short)", "refs/remotes"]);
    assert_eq!(
        refs.lines().collect::<Vec<_>>(),
        ["origin", "origin/honest", "origin/main"]
    );
    repo.git(&["checkout", "-q", "evil\u{202E}"]);
    assert_eq!(home.open(&repo).branch.as_str(), "main");
}

#[test]
fn a_source_that_names_a_program_as_its_remote_is_not_followed() {
    let home = home();
    let repo = home.repository("app");
    let ran = home.user().join("ran");
    repo.git(&["config", "remote.origin.url", &format!("ext::touch {}", ran.display())]);
    let clone = Repo(home.open(&repo).path);
    assert_eq!(clone.git(&["remote", "get-url", "origin"]), repo.text());
    fs::write(repo.0.join(".git/shallow"), repo.git(&["rev-parse", "HEAD"]) + "\n").unwrap();
    assert!(
        home.look(repo.text())
            .unwrap_err()
            .to_string()
            .contains("without a remote")
    );
    assert!(!ran.exists());
}

#[test]
fn a_source_cannot_borrow_history_from_another_chat() {
    let home = home();
    let other = Repo(home.open(&home.repository("other")).path);
    let repo = home.repository("app");
    repo.git(&["config", "remote.origin.url", other.text()]);
    fs::write(repo.0.join(".git/shallow"), repo.git(&["rev-parse", "HEAD"]) + "\n").unwrap();
    assert!(
        home.look(repo.text())
            .unwrap_err()
            .to_string()
            .contains("without a remote")
    );
}

#[test]
fn a_value_cannot_add_a_section_to_the_clones_settings() {
    let home = home();
    let repo = home.repository("app");
    repo.git(&["config", "user.name", "x\"\n[core]\n\tsshCommand = evil\n#"]);
    let clone = Repo(home.open(&repo).path);
    assert_eq!(
        clone.git(&["config", "--local", "--default", "none", "--get", "core.sshCommand"]),
        "none"
    );
    assert_eq!(
        clone.git(&["config", "--local", "--get", "user.name"]),
        "x\"\n[core]\n\tsshCommand = evil\n#"
    );
}

#[test]
fn variables_that_redirect_git_have_no_effect() {
    let home = home();
    let repo = home.repository("app");
    let other = home.repository("other");
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "git::tests::clones::a_local_repository_opens_on_its_head_branch",
        ])
        .env("GIT_DIR", other.0.join(".git"))
        .env("GIT_WORK_TREE", &other.0)
        .env("GIT_INDEX_FILE", other.0.join(".git/index"))
        .env("GIT_OBJECT_DIRECTORY", repo.0.join(".git/objects"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(other.git(&["rev-list", "--count", "--all"]), "1");
}
