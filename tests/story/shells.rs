//! Chats that run a person's own shell: what is said of the commands in it.

use std::fs;
use std::path::Path;

use crate::support::parlour::{PATIENCE, Parlour, until};

/// Looks at how the command before ended, as prompts do.
const BASHRC: &str = "PROMPT_COMMAND='echo \"own $?\"'\n";

/// A chat with bash; `None` where there is none.
fn bash() -> Option<Parlour> {
    if !Path::new("/bin/bash").exists() {
        println!("bash is not installed");
        return None;
    }
    let parlour = Parlour::new().with([("SHELL".into(), "/bin/bash".into())]);
    fs::write(parlour.scratch().join("home/.bashrc"), BASHRC).unwrap();
    parlour.json(&["new", "Sh", "--llm", "shell"]);
    parlour.wait("sh", "idle");
    Some(parlour)
}

fn field(parlour: &Parlour, name: &str) -> String {
    let list = parlour.json(&["list"]);
    list["chats"][0][name].as_str().unwrap().to_owned()
}

#[test]
fn bash_tells_how_a_command_ended_and_reads_a_persons_own_file() {
    let Some(parlour) = bash() else { return };
    let waited = parlour.say(&["wait", "sh", "--for", "idle"]);
    assert!(waited.ends_with(": idle\n"), "nothing ran: {waited}");
    parlour.say(&["send", "sh", "sh -c 'sleep 2; exit 3'"]);
    until("its end is told", PATIENCE, || {
        field(&parlour, "preview").starts_with("exit 3 · sh · ")
    });
    let screen = parlour.say(&["screen", "sh"]);
    assert!(screen.contains("own 0") && screen.contains("own 3"), "{screen}");
    parlour.say(&["send", "sh", "sleep 2"]);
    until("its end is told", PATIENCE, || {
        field(&parlour, "preview").starts_with("exit 0 · sleep · ")
    });
    // The code is that of the line, of which sleep is all that is seen.
    parlour.say(&["send", "sh", "sleep 2; false"]);
    let waited = parlour.say(&["wait", "sh", "--for", "idle"]);
    assert!(waited.ends_with(": idle, exit 1\n"), "{waited}");
    assert!(field(&parlour, "preview").starts_with("exit 1 · sleep · "));
    assert_eq!(field(&parlour, "status"), "idle");
    let own = fs::read_to_string(parlour.scratch().join("home/.bashrc")).unwrap();
    assert_eq!(own, BASHRC);
}

#[test]
fn what_ran_in_a_shell_as_its_engine_was_killed_is_told_once_and_a_fresh_shell_is_idle() {
    let Some(parlour) = bash() else { return };
    parlour.say(&["send", "sh", "sleep 600"]);
    until("it runs", PATIENCE, || field(&parlour, "detail") == "sleep");
    parlour.kill_engine();
    let told = "sleep was cut off by the end of the engine";
    until("it is told", PATIENCE, || field(&parlour, "preview") == told);
    assert_eq!(field(&parlour, "detail"), "engine stopped");
    parlour.json(&["resume", "sh"]);
    parlour.wait("sh", "idle");
    assert_eq!(field(&parlour, "detail"), "");
    parlour.kill_engine();
    until("another engine runs", PATIENCE, || {
        field(&parlour, "status") == "exited"
    });
    let all = parlour.events("sh");
    let notes = all.iter().filter(|event| event["text"] == told);
    assert_eq!(notes.count(), 1, "{all:?}");
    // What runs first in the next shell is told, however quick it is and well it ends.
    parlour.json(&["resume", "sh"]);
    parlour.wait("sh", "idle");
    parlour.say(&["send", "sh", "true"]);
    until("it is told", PATIENCE, || {
        field(&parlour, "preview") == "last command exit 0"
    });
}

#[test]
fn a_shell_goes_on_where_it_was_while_that_is_there() {
    for shell in ["/bin/bash", "/usr/bin/zsh", "/usr/bin/fish"] {
        if !Path::new(shell).exists() {
            println!("{shell} is not installed");
            continue;
        }
        let parlour = Parlour::new().with([("SHELL".into(), shell.into())]);
        let place = parlour.scratch().join("it's a place");
        fs::create_dir(&place).unwrap();
        parlour.json(&["new", "Sh", "--llm", "shell"]);
        parlour.wait("sh", "idle");
        parlour.say(&["send", "sh", &format!("cd \"{}\"; pwd > first", place.display())]);
        until("it went there", PATIENCE, || place.join("first").exists());
        until("its prompt is back", PATIENCE, || {
            field(&parlour, "preview") == "last command exit 0"
        });
        parlour.kill_engine();
        let begins = |file: &str| {
            parlour.json(&["resume", "sh"]);
            parlour.wait("sh", "idle");
            parlour.say(&[
                "send",
                "sh",
                &format!("pwd > '{}'", parlour.scratch().join(file).display()),
            ]);
            let read = || fs::read_to_string(parlour.scratch().join(file)).unwrap_or_default();
            until("it says where it is", PATIENCE, || read().ends_with('\n'));
            read()
        };
        assert!(begins("second").trim().ends_with("it's a place"), "{shell}");
        parlour.kill_engine();
        fs::remove_dir_all(&place).unwrap();
        assert!(begins("third").contains("/chats/"), "{shell}");
    }
}

/// Saves what was typed as its terminal goes, which takes a moment. Another signal meanwhile ends it.
const EDITOR: &str = "trap 'sleep 0.4; echo unsaved > saved; exit' HUP
trap 'exit 1' TERM
echo > begun
while :; do sleep 0.1; done
";

#[test]
fn an_editor_may_save_what_was_typed_as_the_engine_is_killed() {
    let Some(parlour) = bash() else { return };
    let scratch = parlour.scratch().to_owned();
    fs::write(scratch.join("editor"), EDITOR).unwrap();
    parlour.say(&["send", "sh", &format!("cd '{}' && bash editor", scratch.display())]);
    until("it runs", PATIENCE, || scratch.join("begun").exists());
    parlour.kill_engine();
    until("nobody is left", PATIENCE, || parlour.agents().is_empty());
    assert!(scratch.join("saved").exists());
}

#[test]
fn what_ran_in_a_shell_that_is_stopped_is_told() {
    let Some(parlour) = bash() else { return };
    parlour.say(&["send", "sh", "sleep 600"]);
    until("it runs", PATIENCE, || field(&parlour, "detail") == "sleep");
    parlour.json(&["stop", "sh"]);
    let told = "sleep was cut off by the end of the shell";
    until("it is told", PATIENCE, || field(&parlour, "preview") == told);
    assert_eq!(field(&parlour, "status"), "exited");
}
