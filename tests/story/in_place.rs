//! What differs in a person's own directories, which a chat works in where they lie.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// The leader, then the key of the Changes tab.
const CHANGES: &str = "\x11d";

fn repository(dir: &Path) -> String {
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("lines.txt"), "one\ntwo\nthree\n").unwrap();
    git(dir, &["init", "-q", "-b", "main"]);
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", "first"]);
    dir.to_str().unwrap().to_owned()
}

fn open(parlour: &Parlour, path: &str, mode: &str) {
    parlour.json(&["open-dir", "talk", path, "--in-place", "--mode", mode]);
}

/// Everything below, with its content and when it was written.
fn all_below(dir: &Path) -> BTreeMap<PathBuf, (i64, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let about = path.symlink_metadata().unwrap();
        match about.is_dir() {
            true => found.extend(all_below(&path)),
            false => {
                let content = fs::read(&path).unwrap();
                found.insert(path, (about.mtime(), about.mtime_nsec(), content));
            }
        }
    }
    found
}

fn project<'a>(told: &'a Value, name: &str) -> &'a Value {
    let mut all = told["changes"].as_array().unwrap().iter();
    all.find(|changes| changes["project"] == name).unwrap()
}

#[test]
fn a_place_that_was_away_and_is_back_is_what_it_was() {
    let parlour = Parlour::new();
    let (src, away) = (parlour.scratch().join("src"), parlour.scratch().join("away"));
    let grove = src.join("grove");
    parlour.json(&["new", "Talk", "--llm", "demo", "--no-project"]);
    open(&parlour, &repository(&grove), "ro");
    let branch = || parlour.json(&["list"])["chats"][0]["projects"][0]["branch"].clone();
    assert_eq!(branch(), "main");
    // Itself, then what it lies in.
    for place in [&grove, &src] {
        fs::rename(place, &away).unwrap();
        until("it is missed", PATIENCE, || branch().is_null());
        fs::rename(&away, place).unwrap();
        until("it is back", PATIENCE, || branch() == "main");
    }
    git(&grove, &["checkout", "-q", "-b", "other"]);
    until("its branch is followed", PATIENCE, || branch() == "other");
}

#[test]
fn a_comparison_shows_what_is_not_committed_in_each_place_and_leaves_it_alone() {
    let parlour = Parlour::new();
    let (grove, books) = (parlour.scratch().join("grove"), parlour.scratch().join("my books"));
    let plain = parlour.scratch().join("plain");
    fs::create_dir(&plain).unwrap();
    parlour.json(&["new", "Talk", "--llm", "demo", "--no-project"]);
    open(&parlour, &repository(&grove), "rw");
    open(&parlour, &repository(&books), "ro");
    open(&parlour, plain.to_str().unwrap(), "ro");
    let refused = parlour.refusal(&["diff", "talk", "--base"]);
    assert!(
        refused.contains("saves no checkpoints of it; `parlour diff"),
        "{refused}"
    );
    assert!(parlour.say(&["diff", "talk"]).contains("nothing changed"));

    fs::write(grove.join("lines.txt"), "one\n2\nthree\n").unwrap();
    fs::write(books.join("new.txt"), "mine\n").unwrap();
    let before = (all_below(&grove), all_below(&books));
    let patch = parlour.say(&["diff", "talk"]);
    for line in ["--- a/grove/lines.txt", "-two", "+2", "+++ b/my books/new.txt", "+mine"] {
        assert!(patch.contains(line), "{line}: {patch}");
    }
    let output = parlour.run(&["diff", "talk", "--stat"]);
    let (said, noted) = (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        String::from_utf8_lossy(&output.stderr).into_owned(),
    );
    assert!(
        said.contains("grove/lines.txt") && said.contains("my books/new.txt"),
        "{said}"
    );
    assert!(noted.contains("plain is no git repository"), "{noted}");
    let told = parlour.json(&["diff", "talk", "--uncommitted"]);
    assert_eq!(project(&told, "grove")["in_place"], true);
    assert_eq!(project(&told, "plain")["left_out"], "no-repository");
    assert!(
        before == (all_below(&grove), all_below(&books)),
        "something was written"
    );

    let refused = parlour.refusal(&["diff", "talk", "--base"]);
    assert!(refused.contains("with its last commit alone"), "{refused}");
    let refused = parlour.refusal(&["stage", "talk", "--project", "grove", "lines.txt"]);
    assert!(refused.contains("grove is your own directory"), "{refused}");
    let remark = parlour.json(&["remark", "talk", "--project", "grove", "lines.txt:2", "Why digits?"]);
    assert_eq!(remark["path"], "lines.txt");
    assert!(parlour.say(&["remarks", "talk"]).contains("lines.txt:2"));
}

#[test]
fn the_tab_shows_a_place_and_a_clone_and_the_end_of_a_turn_renews_it() {
    let parlour = Parlour::new();
    let (grove, oak) = (parlour.scratch().join("grove"), parlour.scratch().join("oak"));
    let (grove_path, oak_path) = (repository(&grove), repository(&oak));
    parlour.json(&["new", "Talk", "--llm", "demo", "--no-project"]);
    open(&parlour, &grove_path, "rw");
    fs::write(grove.join("lines.txt"), "one\n2\nthree\n").unwrap();
    parlour.wait("talk", "idle");
    let mut terminal = parlour.attach(&["--", "talk"]);
    terminal.wait_for_text("○ idle");
    terminal.press(CHANGES);
    terminal.wait_for_text("grove in place");
    terminal.wait_for_text("lines.txt");

    fs::write(grove.join("later.txt"), "later\n").unwrap();
    parlour.json(&["send", "talk", "noask say something"]);
    terminal.wait_for_text("later.txt");

    parlour.json(&["open-dir", "talk", &oak_path]);
    parlour.json(&["send", "talk", "noask say something"]);
    terminal.wait_for_text("in place: uncommitted");
    let patch = parlour.say(&["diff", "talk"]);
    assert!(patch.contains("+later"), "{patch}");
    let refused = parlour.refusal(&["discard", "talk", "--project", "grove", "lines.txt"]);
    assert!(
        refused.contains("and leaves changes to you; use git in that directory"),
        "{refused}"
    );
}

#[test]
fn what_parlour_does_not_keep_in_place_is_said() {
    let parlour = Parlour::new();
    let grove = parlour.scratch().join("grove");
    let dir = repository(&grove);
    let words = [
        "new",
        "Talk",
        "--llm",
        "demo",
        "--in-place",
        "--dir",
        &dir,
        "-p",
        "noask one",
    ];
    parlour.json(&words);
    parlour.wait("talk", "idle");
    let refused = parlour.refusal(&["home", "talk"]);
    assert!(
        refused.contains("grove is open in place, and this chat has no clones"),
        "{refused}"
    );
    let planned = parlour.refusal(&["revert", "talk", "--turn", "1"]);
    assert!(
        planned.contains("grove is open in place: its files stay as they are"),
        "{planned}"
    );
    let planned = parlour.refusal(&["revert", "talk", "--turn", "1", "--talk"]);
    assert!(!planned.contains("in place"), "{planned}");
}
