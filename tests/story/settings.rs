//! The settings, by keys alone, in the real binary.

use std::fs;

use serde_json::Value;

use crate::support::parlour::Parlour;
use crate::support::terminal::Terminal;

const MINE: &str = "{\n  // Few: this machine is small.\n  \"limits\": {\"liveAgents\": 3},\n  \"mine\": [1,2]\n}\n";

fn config(parlour: &Parlour) -> String {
    fs::read_to_string(parlour.home().join("config.json")).unwrap()
}

/// Opens the settings and looks for these words.
fn find(screen: &mut Terminal, words: &str) {
    screen.press("/");
    screen.wait_for_text("to the list");
    screen.paste(words);
    screen.press("\r");
    screen.wait_for_text("change");
}

fn leave_search(screen: &mut Terminal) {
    screen.press("\x1b");
    screen.wait_for_text("searches all settings");
}

#[test]
fn a_tour_by_keys_alone() {
    let parlour = Parlour::new();
    parlour.configure(MINE);
    let mut screen = parlour.attach(&[]);
    screen.wait_for_text("SIDEBAR");
    screen.press(",");
    screen.wait_for_text("defaultLlm");
    for section in ["Theme", "Agents", "Servers", "Keys", "Permissions", "Limits", "Sandbox"] {
        screen.wait_for_text(section);
    }

    // A number is typed; what it cannot be is said, and nothing is written.
    find(&mut screen, "limits.liveAgents");
    screen.press("\r");
    screen.wait_for_text("How many agents may run at once.");
    screen.press("\x150\r");
    screen.wait_for_text("1 or more");
    assert_eq!(config(&parlour), MINE);
    screen.press("\x157\r");
    screen.wait_for_text("is kept in config.json");
    assert_eq!(config(&parlour), MINE.replace(": 3}", ": 7}"));
    leave_search(&mut screen);

    // A theme is tried while it is chosen, and Esc gives back the old one.
    find(&mut screen, "theme");
    screen.press("\r");
    screen.wait_for_text("Nord: cold blues");
    screen.press("G\x1b");
    screen.wait_for_text("search");
    screen.press("\rG\r");
    screen.wait_for_text("is kept in config.json");
    assert_eq!(parlour.say(&["config", "get", "theme"]).trim(), "nord");
    screen.press("r");
    screen.wait_for_text("has its default again");
    leave_search(&mut screen);

    // A key is pressed for a command; it is taken from another one only after that was seen.
    find(&mut screen, "rename this chat");
    screen.press("\r");
    screen.wait_for_text("Press the key");
    screen.press("x");
    screen.wait_for_text("takes x from delete");
    screen.press("\x1b");
    screen.wait_for_text("search");
    screen.press("\r");
    screen.wait_for_text("Press the key");
    screen.press("\x0f");
    screen.wait_for_text("is kept in config.json");
    assert_eq!(parlour.say(&["config", "get", "keys.rename"]).trim(), "ctrl+o");
    leave_search(&mut screen);

    // A rule is added, and a command tried against it.
    find(&mut screen, "permissions.deny");
    screen.press("n");
    screen.wait_for_text("new in permissions.deny");
    screen.paste("Bash(deploy:*)");
    screen.press("\r");
    screen.wait_for_text("is kept in config.json");
    screen.press("G\r");
    screen.wait_for_text("the rules are asked as you type");
    screen.press("deploy now");
    screen.wait_for_text("It is denied");
    screen.wait_for_text("Bash(deploy:*)");
    screen.press("\x1b");
    screen.wait_for_text("search");
    leave_search(&mut screen);

    // Everything else stands as it was written.
    screen.press("\x1b");
    screen.wait_for_text("SIDEBAR");
    let text = config(&parlour);
    assert!(
        text.starts_with("{\n  // Few: this machine is small.\n  \"limits\": {\"liveAgents\": 7},\n  \"mine\": [1,2]"),
        "{text}"
    );
}

#[test]
fn a_broken_file_is_shown_with_its_place_and_left_alone() {
    let parlour = Parlour::new();
    parlour.configure("{}");
    let mut screen = parlour.attach(&[]);
    screen.wait_for_text("SIDEBAR");
    screen.press(",");
    screen.wait_for_text("defaultLlm");
    let broken = "{\n  \"theme\": \"nord\"\n  \"v\": 1\n}\n";
    fs::write(parlour.home().join("config.json"), broken).unwrap();
    screen.wait_for_text("config.json is broken in line 3, column 3");
    screen.press("\r");
    screen.wait_for_text("nothing is written into it");
    assert_eq!(config(&parlour), broken);
    fs::write(parlour.home().join("config.json"), "{\"theme\": \"nord\"}").unwrap();
    screen.wait_for("the file as it is now", |screen| {
        !screen.contents().contains("is broken")
    });
}

#[test]
fn a_server_is_tested_and_an_agent_kept_once_it_started() {
    let parlour = Parlour::new().with_program("my-agent", "#!/bin/sh\necho ready\nsleep 60\n");
    parlour.configure("{}");
    let mut screen = parlour.attach(&[]);
    screen.wait_for_text("SIDEBAR");
    screen.press(",");
    screen.wait_for_text("defaultLlm");
    find(&mut screen, "customLlms");
    screen.press("n");
    screen.wait_for_text("A new agent");
    screen.paste("mine");
    screen.press("\r");
    screen.paste("no-such-agent");
    screen.press("\x13");
    screen.wait_for_text("no-such-agent is not on your PATH");
    screen.press("\x15");
    screen.paste("my-agent");
    screen.press("\x13");
    screen.wait_for_text("is kept in config.json");
    screen.wait_for_text("it started, and waits: ready");
    let kept: Value = serde_json::from_str(&config(&parlour)).unwrap();
    assert_eq!(kept["customLlms"]["mine"]["command"], "my-agent");
}
