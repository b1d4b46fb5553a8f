//! Chats stopped, renamed, deleted and brought back, from a shell.

use std::collections::BTreeSet;
use std::fs;

use crate::support::parlour::{PATIENCE, Parlour, git, let_it_be_read, until};

#[test]
fn deleting_needs_a_yes_and_can_be_undone() {
    let parlour = Parlour::new();
    let made = parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    let refused = parlour.refusal(&["rm", "demo"]);
    assert!(
        refused.contains("nothing was deleted") && refused.contains("uncommitted"),
        "{refused}"
    );
    assert_eq!(parlour.json(&["list"])["chats"][0]["status"], "needs-you");

    parlour.json(&["rm", "demo", "--yes"]);
    assert_eq!(parlour.json(&["list"])["chats"], serde_json::json!([]));
    assert!(parlour.agents().is_empty());
    // One that is named nearly like it is not proposed in its place.
    parlour.json(&["new", "demi", "--llm", "shell"]);
    for words in [&["explain", "demo"][..], &["diff", "demo"], &["export", "demo"]] {
        let ended = parlour.run(words);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(3), "{words:?}: {said}");
        assert!(
            said.contains("is in the trash; `parlour undo-rm demo` brings it back"),
            "{words:?}: {said}"
        );
    }
    parlour.json(&["rm", "demi", "--yes"]);
    parlour.json(&["trash", "purge", "demi", "--yes"]);

    let trash = parlour.json(&["trash", "list"]);
    assert_eq!(trash["trash"][0]["handle"], "demo", "{trash}");
    assert!(parlour.say(&["trash", "list"]).contains("KEPT UNTIL"));
    assert!(
        parlour
            .refusal(&["trash", "purge", "demo"])
            .contains("nothing was removed: it would lose")
    );
    parlour.json(&["undo-rm", "demo"]);
    let back = &parlour.json(&["list"])["chats"][0];
    assert_eq!(back["id"], made["id"]);
    assert_eq!(back["projects"][0]["name"], "tally");
    let readme = parlour.home().join("chats").join(made["id"].as_str().unwrap());
    assert!(fs::exists(readme.join("projects/tally/README.md")).unwrap());
    parlour.json(&["resume", "demo"]);
    parlour.wait("demo", "idle");
}

#[test]
fn each_verb_knows_a_chat_by_its_name_and_by_the_beginning_of_its_handle() {
    let parlour = Parlour::new();
    parlour.json(&["new", "Fix the login", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("fix-the-login", "idle");
    for name in ["fix-the-login", "fix the LOGIN", "fix-the"] {
        let todos = parlour.json(&["todos", name]);
        assert_eq!(todos["todos"], serde_json::json!([]), "{name}");
        assert!(parlour.say(&["export", name]).contains("Fix the login"), "{name}");
    }
    let refused = parlour.refusal(&["export", "fix-the-lgin"]);
    assert!(refused.contains("did you mean fix-the-login?"), "{refused}");
    // Whoever deletes twice what another is called like means the first one: before it is asked, too.
    for rm in [&["rm", "fix-the"][..], &["rm", "fix-the", "--yes"]] {
        let refused = parlour.refusal(rm);
        assert!(refused.contains("fix-the-login begins like it"), "{refused}");
    }
    let said = parlour.say(&["rm", "Fix the login", "--yes"]);
    assert!(
        said.contains("`parlour undo-rm fix-the-login` brings it back"),
        "{said}"
    );
    // The second time it may be meant for the one that is gone.
    let refused = parlour.refusal(&["trash", "purge", "fix-the", "--yes"]);
    assert!(refused.contains("fix-the-login begins like it"), "{refused}");
    parlour.json(&["undo-rm", "fix-the"]);
    assert_eq!(parlour.json(&["list"])["chats"][0]["handle"], "fix-the-login");
}

#[test]
fn the_handle_of_a_chat_without_a_name_follows_its_first_prompt_and_the_old_one_still_finds_it() {
    let parlour = Parlour::new();
    let made = parlour.json(&["new", "--llm", "demo"]);
    assert_eq!(made["handle"], "new-chat");
    parlour.json(&["send", "new-chat", "noask count the gulls"]);
    let handle = || parlour.json(&["list"])["chats"][0]["handle"].clone();
    until("its handle follows", PATIENCE, || handle() == "noask-count-the-gulls");
    let waited = parlour.json(&["wait", "new-chat", "--for", "idle"]);
    assert_eq!(waited["id"], made["id"]);
    assert!(parlour.say(&["export", "new-chat"]).contains("noask count the gulls"));
    let next = parlour.json(&["new", "--llm", "demo"]);
    assert_eq!(next["handle"], "new-chat-2");
}

#[test]
fn a_renamed_chat_goes_by_its_new_name_and_a_stopped_one_keeps_its_screen() {
    let parlour = Parlour::new();
    let made = parlour.json(&["new", "First name", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("first-name", "idle");
    let renamed = parlour.json(&["rename", "first-name", "Second name"]);
    assert_eq!(
        (&renamed["handle"], &renamed["id"]),
        (&"second-name".into(), &made["id"])
    );
    // A script that knew it before finds it still.
    let stopped = parlour.json(&["stop", "first-name"]);
    assert_eq!(stopped["handle"], "second-name");
    assert_eq!(
        (&stopped["status"], &stopped["detail"]),
        (&"exited".into(), &"stopped".into())
    );
    assert!(parlour.agents().is_empty());
    assert!(parlour.say(&["screen", "second-name"]).contains("Name a repository"));
    assert_eq!(
        parlour.json(&["stop", made["id"].as_str().unwrap()])["status"],
        "exited"
    );
}

#[test]
fn the_log_of_a_chat_tells_what_became_of_it() {
    let parlour = Parlour::new();
    let made = parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    parlour.say(&["stop", "demo"]);
    let log = parlour.say(&["log", "demo"]);
    let steps = ["made as demo", "its agent runs, pid ", "opened ", " ended"];
    let mut rest = log.as_str();
    for step in steps {
        let (_, after) = rest
            .split_once(step)
            .unwrap_or_else(|| panic!("{step:?} is missing in\n{log}"));
        rest = after;
    }
    let id = made["id"].as_str().unwrap();
    assert!(log.lines().all(|line| line.contains(id)), "{log}");
    assert_eq!(parlour.say(&["log", "demo", "-n", "1"]).lines().count(), 1);
}

#[test]
fn a_shell_is_given_no_prompt_and_starts_in_its_only_clone() {
    let parlour = Parlour::new();
    let said = parlour.refusal(&["new", "Sh", "--llm", "shell", "-p", "Tidy: up"]);
    assert!(said.contains("would run the prompt as a command"), "{said}");
    assert_eq!(parlour.json(&["list"])["chats"], serde_json::json!([]));

    let project = parlour.scratch().join("grove");
    fs::create_dir(&project).unwrap();
    git(&project, &["init", "-q", "-b", "main"]);
    git(&project, &["commit", "-q", "--allow-empty", "-m", "Begin"]);
    parlour.json(&["new", "Sh", "--llm", "shell", "--dir", project.to_str().unwrap()]);
    parlour.wait("sh", "idle");
    parlour.say(&["send", "sh", "pwd"]);
    until("it is in its clone", PATIENCE, || {
        parlour.say(&["screen", "sh"]).contains("/projects/grove")
    });

    fs::create_dir(project.join("src")).unwrap();
    fs::write(project.join("src/main.rs"), "fn main() {}\n").unwrap();
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "Add src"]);
    let part = project.join("src");
    parlour.json(&["new", "Part", "--llm", "shell", "--dir", part.to_str().unwrap()]);
    parlour.wait("part", "idle");
    parlour.say(&["send", "part", "pwd"]);
    until("it is in that part of it", PATIENCE, || {
        parlour.say(&["screen", "part"]).contains("/projects/grove/src")
    });
    let made = parlour.json(&["new", "Agent", "--llm", "demo", "--dir", part.to_str().unwrap()]);
    let record = parlour.home().join("records").join(made["id"].as_str().unwrap());
    until("it is said where its agent starts", PATIENCE, || {
        let said = fs::read_to_string(record.join("events.jsonl")).unwrap_or_default();
        said.contains("AGENTS.md sends it here")
    });
}

#[test]
fn whoever_deleted_a_chat_it_can_be_restored_from_the_trash_on_screen() {
    let parlour = Parlour::new();
    parlour.json(&["demo"]);
    parlour.wait("demo", "needs-you");
    parlour.json(&["new", "Second", "--llm", "demo", "-p", "noask hello"]);
    parlour.wait("second", "idle");
    parlour.json(&["rm", "demo", "--yes"]);
    parlour.json(&["rm", "second", "--yes"]);
    let mut terminal = parlour.attach(&[]);
    terminal.wait_for_text("No chats yet");
    terminal.press("X");
    terminal.wait_for_text("Nothing would be lost.");
    terminal.press("j");
    terminal.wait_for_text("uncommitted");
    terminal.press("\r");
    terminal.wait_for_text("Restored \"Demo\".");
    assert_eq!(parlour.json(&["list"])["chats"][0]["handle"], "demo");

    let_it_be_read();
    terminal.press("X");
    terminal.wait_for_text("Nothing would be lost.");
    terminal.press("x");
    terminal.wait_for_text("Nothing brings it back after that.");
    let_it_be_read();
    terminal.press("y");
    terminal.wait_for_text("The trash is empty");
    assert_eq!(parlour.json(&["trash", "list"])["trash"], serde_json::json!([]));
}

#[test]
fn a_new_chat_that_is_refused_leaves_nothing_to_bring_back() {
    let parlour = Parlour::new();
    for dir in ["git://example.org/x.git", "./nothing-here"] {
        parlour.refusal(&["new", "Slow", "--llm", "shell", "--dir", dir]);
    }
    assert_eq!(parlour.json(&["list"])["chats"], serde_json::json!([]));
    assert_eq!(parlour.json(&["trash", "list"])["trash"], serde_json::json!([]));
    assert!(fs::read_dir(parlour.home().join("chats")).unwrap().next().is_none());
}

#[test]
fn what_was_archived_or_deleted_comes_back_the_last_first_also_after_an_engine_has_ended() {
    let parlour = Parlour::new();
    for name in ["One", "Two", "Three", "Four"] {
        parlour.json(&["new", name, "--llm", "shell"]);
    }
    parlour.json(&["archive", "one"]);
    parlour.json(&["rm", "two", "--yes"]);
    parlour.json(&["archive", "three"]);
    parlour.kill_engine();
    let mut terminal = parlour.attach(&["four"]);
    terminal.wait_for_text("Four");
    let mut listed = vec!["four"];
    for back in ["three", "two", "one"] {
        terminal.press("\x11u");
        listed.push(back);
        until("the next is back", PATIENCE, || {
            let chats = parlour.json(&["list"])["chats"].clone();
            let shown = chats.as_array().unwrap().iter().filter(|chat| chat["archived"] != true);
            let shown: BTreeSet<_> = shown.map(|chat| chat["handle"].as_str().unwrap().to_owned()).collect();
            shown == listed.iter().map(|chat| (*chat).to_owned()).collect()
        });
    }
    terminal.press("\x11u");
    terminal.wait_for_text("Nothing is left to bring back");
}
