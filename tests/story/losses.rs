//! What deleting would lose is named whole, before a person decides.

use std::fs;

use serde_json::Value;

use crate::support::parlour::{Parlour, git};

fn clone(chat: &Value) -> std::path::PathBuf {
    chat["projects"][0]["path"].as_str().unwrap().into()
}

#[test]
fn all_that_would_be_lost_is_named_and_what_is_kept_is_not() {
    let parlour = Parlour::new();
    let source = parlour.scratch().join("grove");
    git(parlour.scratch(), &["init", "-q", "-b", "main", "grove"]);
    fs::write(source.join(".gitignore"), ".env\n").unwrap();
    git(&source, &["add", "."]);
    git(&source, &["commit", "-qm", "Begin"]);
    parlour.json(&["new", "Talk", "--llm", "demo", "-p", "noask hello"]);
    parlour.json(&["open-dir", "talk", source.to_str().unwrap()]);
    let chat = parlour.wait("talk", "idle");
    let told = parlour.refusal(&["rm", "talk"]);
    assert!(told.contains("nothing was deleted: it would go to the trash"), "{told}");

    let (clone, dir) = (clone(&chat), chat["dir"].as_str().unwrap());
    fs::write(clone.join(".gitignore"), ".env\n*.log\n").unwrap();
    git(&clone, &["stash", "-q"]);
    git(&clone, &["checkout", "-q", "-b", "aside"]);
    git(&clone, &["commit", "-q", "--allow-empty", "-m", "Not pushed"]);
    git(&clone, &["checkout", "-q", "main"]);
    fs::write(clone.join(".env"), "SECRET=1\n").unwrap();
    fs::create_dir(clone.parent().unwrap().join("scratch")).unwrap();
    git(
        &source,
        &[
            "clone",
            "-q",
            "--bare",
            ".",
            clone.with_file_name("store").to_str().unwrap(),
        ],
    );
    fs::write(format!("{dir}/answer.md"), "It is so.\n").unwrap();
    fs::write(format!("{dir}/todos.md"), "- [ ] all\n").unwrap();
    parlour.json(&["work", "add", "talk", "plan", "one", "--title", "One"]);
    let told = parlour.refusal(&["rm", "talk"]);
    for what in [
        "grove: 1 stash, ignored .env, 1 commit on aside that no remote has",
        "scratch: a directory that is no git repository",
        "store: a bare repository, 1 commit on main that no remote is known to have",
        "in the chat's own directory: answer.md, todos.md",
        "the plan of its tree: 1 item, 1 not done",
    ] {
        assert!(told.contains(what), "{what}: {told}");
    }
    let told = parlour.refusal(&["rm", "talk", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    let listed = told["error"]["lost"].as_array().unwrap();
    assert!(
        listed.contains(&"scratch: a directory that is no git repository".into()),
        "{told}"
    );
    assert_eq!(listed.len(), 5, "{told}");
    let mut terminal = parlour.attach_sized(&["--", "talk"], 120, 40);
    terminal.wait_for_text("Demo agent");
    terminal.press("\x11x");
    terminal.wait_for_text("This would be lost:");
    terminal.wait_for_text("1 commit on aside");
    terminal.wait_for_text("answer.md, todos.md");
}

#[test]
fn removing_for_good_names_what_is_gone_with_it() {
    let parlour = Parlour::new();
    for name in ["One", "Two"] {
        let chat = parlour.json(&["new", name, "--llm", "demo", "-p", "noask hello"]);
        fs::write(format!("{}/{name}.md", chat["dir"].as_str().unwrap()), "x\n").unwrap();
        let said = parlour.say(&["rm", &name.to_lowercase(), "--yes"]);
        let lost = format!("only in the trash now: in the chat's own directory: {name}.md");
        assert!(said.contains(&lost), "{said}");
    }
    let told = parlour.refusal(&["trash", "purge", "one"]);
    assert!(
        told.contains("nothing was removed: it would lose in the chat's own directory: One.md"),
        "{told}"
    );
    let told = parlour.refusal(&["trash", "purge"]);
    for what in [
        "of one: in the chat's own directory: One.md",
        "of two: in the chat's own directory: Two.md",
    ] {
        assert!(told.contains(what), "{told}");
    }
    let said = parlour.agree(&["trash", "purge"]);
    assert!(
        said.contains("gone with it: of two: ") && said.contains("2 chats removed for good"),
        "{said}"
    );
    assert_eq!(parlour.json(&["trash", "list"])["trash"], serde_json::json!([]));
}
