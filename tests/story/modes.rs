//! Directories with modes, opened by a person, and what becomes of them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::support::npm::skipped;
use crate::support::parlour::{PATIENCE, Parlour, git, until};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_read_only_clone_cannot_be_written_to_is_duplicated_and_goes_with_its_chat() {
    let parlour = Parlour::new();
    let source = parlour.scratch().join("shelf");
    fs::create_dir_all(source.join("src")).unwrap();
    git(&source, &["init", "-q", "-b", "main"]);
    fs::write(source.join("src/books"), "none\n").unwrap();
    git(&source, &["add", "."]);
    git(&source, &["commit", "-q", "-m", "Begin"]);
    let notes = parlour.scratch().join("notes");
    fs::create_dir(&notes).unwrap();
    fs::write(notes.join("today"), "rain\n").unwrap();
    let before = (mode(&notes), mode(&notes.join("today")));
    let shelf = format!("lib:{}:ro", source.display());
    let linked = format!("{}:ro", notes.display());
    let dirs = ["--dir", &shelf, "--dir", &linked];
    let new = ["new", "Talk", "--llm", "demo"];
    let made = parlour.json(&[&new[..], &dirs].concat());
    parlour.wait("talk", "idle");

    let clone = |chat: &str| parlour.home().join("chats").join(chat).join("projects/shelf");
    let work = clone(made["id"].as_str().unwrap());
    let bits = |work: &Path| ["", "src", "src/books", ".git"].map(|path| mode(&work.join(path)) & 0o222);
    assert_eq!(bits(&work), [0, 0, 0, 0o200]);
    assert_eq!(git(&work, &["status", "--porcelain"]), "");
    assert_eq!((mode(&notes), mode(&notes.join("today"))), before);

    let copy = parlour.json(&["duplicate", "talk"]);
    assert_eq!(bits(&clone(copy["id"].as_str().unwrap())), [0, 0, 0, 0o200]);
    parlour.json(&["rm", "talk", "--yes"]);
    assert!(!work.exists());
    parlour.json(&["undo-rm", "talk"]);
    assert_eq!(bits(&work), [0, 0, 0, 0o200]);
    assert_eq!(mode(&source.join("src/books")) & 0o200, 0o200);
}

#[test]
fn under_strict_a_temporary_directory_that_holds_the_home_is_not_written_in() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"sandbox": "strict"}"#);
    let outside = parlour.scratch().to_path_buf();
    assert!(outside.starts_with("/tmp"), "what this is about");
    let made = parlour.json(&["new", "Talk", "--llm", "shell"]);
    parlour.wait("talk", "idle");
    let explained = parlour.json(&["explain", "talk"]);
    let sandbox = &explained["sandbox"];
    if sandbox["in_force"] == false {
        skipped(&format!("SKIPPED: what an agent may write needs Landlock: {sandbox}\n"));
        return;
    }
    let (settings, away) = (parlour.home().join("config.json"), outside.join("away"));
    let line = format!(
        "echo x >> {}; echo x > {}; echo x > $TMPDIR/t && echo 5 > done",
        settings.display(),
        away.display()
    );
    parlour.json(&["send", "talk", &line]);
    let id = made["id"].as_str().unwrap();
    let chat = parlour.home().join("chats").join(id);
    until("the line was run", PATIENCE, || chat.join("done").exists());
    assert_eq!(fs::read_to_string(settings).unwrap(), r#"{"sandbox": "strict"}"#);
    assert!(!away.exists());
    assert!(parlour.home().join("records").join(id).join("temporary/t").exists());
    let said = parlour.say(&["events", "talk"]);
    assert!(said.contains("letting the agent write in /tmp: it holds"), "{said}");
}

#[test]
fn under_strict_an_agent_writes_in_its_chat_alone() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"sandbox": "strict"}"#);
    let outside = parlour.scratch().to_path_buf();
    let [notes, drafts, temporary] = ["notes", "drafts", "temporary"].map(|name| outside.join(name));
    for dir in [&notes, &drafts, &temporary] {
        fs::create_dir(dir).unwrap();
    }
    let parlour = parlour.with([("TMPDIR".to_string(), temporary.display().to_string())]);
    let (read_only, writable) = (format!("{}:ro", notes.display()), format!("{}:rw", drafts.display()));
    let made = parlour.json(&["new", "Talk", "--llm", "shell", "--dir", &read_only, "--dir", &writable]);
    parlour.wait("talk", "idle");
    let explained = parlour.json(&["explain", "talk"]);
    let sandbox = &explained["sandbox"];
    if sandbox["in_force"] == false {
        assert_eq!(sandbox["asked"], "strict", "{explained}");
        skipped(&format!("SKIPPED: what an agent may write needs Landlock: {sandbox}\n"));
        return;
    }
    let place = |name: &str| outside.join(name).join("x").display().to_string();
    let line = format!(
        "echo 1 > {}; echo 2 > projects/notes/y; echo 3 > projects/drafts/x; echo 4 > own; touch {}/z $TMPDIR/t; echo 5 > done",
        place("notes"),
        outside.display(),
    );
    parlour.json(&["send", "talk", &line]);
    let chat = parlour.home().join("chats").join(made["id"].as_str().unwrap());
    until("the line was run", PATIENCE, || chat.join("done").exists());
    assert_eq!(fs::read_to_string(drafts.join("x")).unwrap(), "3\n");
    assert_eq!(fs::read_to_string(chat.join("own")).unwrap(), "4\n");
    assert!(temporary.join("t").exists());
    assert_eq!(fs::read_dir(&notes).unwrap().count(), 0);
    assert!(!outside.join("z").exists());
    until("it is seen what was refused", PATIENCE, || {
        parlour.say(&["screen", "talk"]).contains("Permission denied")
    });
    let said = parlour.say(&["explain", "talk"]);
    let lines = [
        "in force",
        "projects/notes, read only, kept by gate, kernel\n",
        "projects/drafts, read and write\n",
    ];
    assert!(lines.iter().all(|line| said.contains(line)), "{said}");
}
