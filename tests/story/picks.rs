//! Files and lines that are staged, discarded and remarked on from a shell: which clone and which file is meant.

use std::fs;

use super::reviews::repository;
use crate::support::parlour::{Parlour, git};

#[test]
fn the_only_clone_needs_no_name_and_one_of_several_does() {
    let parlour = Parlour::new();
    let dir = repository(&parlour.scratch().join("grove"));
    let made = parlour.json(&["new", "Work", "--llm", "shell", "--dir", &dir]);
    let clone = std::path::PathBuf::from(made["projects"][0]["path"].as_str().unwrap());
    fs::write(clone.join("README.md"), "changed\n").unwrap();
    let staged = parlour.json(&["stage", "work", "./README.md"]);
    assert_eq!(
        (&staged["project"], &staged["path"]),
        (&"grove".into(), &"README.md".into()),
        "{staged}"
    );
    assert_eq!(git(&clone, &["status", "--porcelain"]), "M  README.md");
    parlour.json(&["unstage", "work", "README.md"]);
    parlour.json(&["remark", "work", "README.md:1", "say more"]);
    parlour.json(&["discard", "work", "README.md"]);
    assert_eq!(git(&clone, &["status", "--porcelain"]), "");

    let brook = repository(&parlour.scratch().join("brook"));
    parlour.say(&["open-dir", "work", &brook]);
    for words in [
        &["stage", "work", "README.md"][..],
        &["remark", "work", "README.md", "say more"],
    ] {
        let ended = parlour.run(words);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(
            said.contains("the chat has 2 clones: grove, brook; say which: `--project NAME`"),
            "{said}"
        );
    }
}

#[test]
fn a_path_outside_of_the_clone_is_a_wrong_argument_and_a_file_that_is_not_there_is_missing() {
    let parlour = Parlour::new();
    let dir = repository(&parlour.scratch().join("grove"));
    parlour.say(&["new", "Work", "--llm", "shell", "--dir", &dir]);
    for (path, code, cause) in [
        (
            "../../x",
            1,
            "../../x is no path in the clone; name the file by its path in the clone",
        ),
        ("/etc/hosts", 1, "/etc/hosts is no path in the clone"),
        (".", 1, ". is no path in the clone"),
        ("src/nope.js", 3, "there is no file src/nope.js"),
        ("README.md", 1, "it does not differ from the last commit"),
    ] {
        for verb in ["stage", "unstage", "discard"] {
            let ended = parlour.run(&[verb, "work", "--project", "grove", path]);
            let said = String::from_utf8(ended.stderr).unwrap();
            assert_eq!(ended.status.code(), Some(code), "{verb} {path}: {said}");
            assert!(said.contains(cause), "{verb} {path}: {said}");
        }
    }
}
