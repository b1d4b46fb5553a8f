//! What a commit takes in: what Changes shows, and nothing else.

use std::fs::{self, File};
use std::path::PathBuf;

use super::reviews::repository;
use crate::support::parlour::{Parlour, git};

fn chat() -> (Parlour, PathBuf) {
    let parlour = Parlour::new();
    let grove = repository(&parlour.scratch().join("grove"));
    parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove, "-p", "noask hello"]);
    let chat = parlour.wait("work", "idle");
    let clone = chat["projects"][0]["path"].as_str().unwrap().into();
    (parlour, clone)
}

#[test]
fn a_large_file_gets_into_a_commit_only_where_it_was_staged() {
    let (parlour, clone) = chat();
    let large = File::create(clone.join("dump.bin")).unwrap();
    large.set_len(51 << 20).unwrap();
    fs::write(clone.join("README.md"), "changed\n").unwrap();
    let told = parlour.json(&["diff", "work", "--uncommitted", "--stat"]);
    let left_out = &told["changes"][0]["left_out"]["omitted"]["paths"][0];
    assert_eq!(left_out["path"], "dump.bin", "{told}");
    let made = parlour.json(&["commit", "work", "-m", "The words"]);
    assert_eq!(
        (&made["projects"][0]["files"], &made["projects"][0]["too_large"][0]),
        (&1.into(), &"dump.bin".into()),
        "{made}"
    );
    assert_eq!(git(&clone, &["status", "--porcelain"]), "?? dump.bin");
    let refused = parlour.refusal(&["commit", "work", "-m", "The rest"]);
    assert!(refused.contains("untracked and large: dump.bin"), "{refused}");
    git(&clone, &["add", "dump.bin"]);
    parlour.json(&["commit", "work", "-m", "The rest"]);
    assert_eq!(git(&clone, &["status", "--porcelain"]), "");
}

#[test]
fn what_is_staged_alone_is_shown_before_it_is_committed() {
    let (parlour, clone) = chat();
    git(&clone, &["rm", "-q", "--cached", "src/main.rs"]);
    fs::write(clone.join("README.md"), "changed\n").unwrap();
    let told = parlour.json(&["diff", "work", "--uncommitted", "--stat"]);
    let files = told["changes"][0]["files"].as_array().unwrap();
    let files: Vec<_> = files.iter().map(|file| (&file["path"], &file["kind"])).collect();
    assert_eq!(
        files,
        [
            (&"README.md".into(), &"modified".into()),
            (&"src/main.rs".into(), &"staged".into()),
        ],
        "{told}"
    );
    parlour.json(&["commit", "work", "-m", "As staged"]);
    let changed = git(&clone, &["show", "--name-status", "--format="]);
    assert_eq!(changed, "D\tsrc/main.rs");
}

#[test]
fn nobody_said_what_a_shell_commits() {
    let parlour = Parlour::new();
    let grove = repository(&parlour.scratch().join("grove"));
    parlour.json(&["new", "sh", "--llm", "shell", "--dir", &grove]);
    let chat = parlour.wait("sh", "idle");
    let clone = PathBuf::from(chat["projects"][0]["path"].as_str().unwrap());
    fs::write(clone.join("README.md"), "changed\n").unwrap();
    let refused = parlour.refusal(&["commit", "sh"]);
    assert!(refused.contains("write one, in a shell with -m"), "{refused}");
    parlour.json(&["commit", "sh", "-m", "The words"]);
    assert_eq!(git(&clone, &["status", "--porcelain"]), "");
}

/// As `git add -N` announces it, so that `git add -p` can take parts of it.
#[test]
fn a_file_that_is_only_announced_to_git_is_not_staged() {
    let (parlour, clone) = chat();
    fs::write(clone.join("new.txt"), "hi\n").unwrap();
    git(&clone, &["add", "-N", "new.txt"]);
    fs::write(clone.join("README.md"), "changed\n").unwrap();
    git(&clone, &["add", "README.md"]);
    let made = parlour.json(&["commit", "work", "-m", "The words"]);
    assert_eq!(made["projects"][0]["files"], 1, "{made}");
    let changed = |clone: &PathBuf| git(clone, &["show", "--name-status", "--format="]);
    assert_eq!(changed(&clone), "M\tREADME.md");
    let status = git(&clone, &["status", "--porcelain"]);
    assert_eq!(status.trim(), "A new.txt", "it is announced still");
    assert_eq!(git(&clone, &["diff", "--cached", "--name-only"]), "");
    // Nothing is staged, so all is taken.
    fs::write(clone.join("README.md"), "changed again\n").unwrap();
    parlour.json(&["commit", "work", "-m", "All"]);
    assert_eq!(changed(&clone), "M\tREADME.md\nA\tnew.txt");
    assert_eq!(git(&clone, &["show", "HEAD:new.txt"]), "hi");
    assert_eq!(git(&clone, &["status", "--porcelain"]), "");
}

#[test]
fn a_patch_in_a_file_is_byte_by_byte_what_git_applies() {
    let (parlour, clone) = chat();
    for (file, content) in [
        ("crlf.txt", b"x\r\ny\r\n".as_slice()),
        ("latin.txt", b"caf\xe9\n"),
        ("control.txt", b"\x1b[31m\x0c\n"),
    ] {
        fs::write(clone.join(file), content).unwrap();
    }
    let told = parlour.run(&["diff", "work", "--uncommitted"]);
    let place = parlour.scratch().join("p.patch");
    fs::write(&place, &told.stdout).unwrap();
    let fresh = repository(&parlour.scratch().join("fresh"));
    git(fresh.as_ref(), &["apply", "-p2", place.to_str().unwrap()]);
    for file in ["crlf.txt", "latin.txt", "control.txt"] {
        let applied = fs::read(PathBuf::from(&fresh).join(file)).unwrap();
        assert_eq!(applied, fs::read(clone.join(file)).unwrap(), "{file}");
    }
}
