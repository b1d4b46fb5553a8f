//! The picture and the recording that the documents show: real screens of the demo, made again by
//! `PARLOUR_WRITE_DOCS=1 cargo test --test main pictures`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::cast::asciicast;
use crate::support::parlour::{PATIENCE, Parlour, let_it_be_read, until};
use crate::support::picture::svg;
use crate::support::terminal::Terminal;

/// The leader, then the key of the Changes tab.
const CHANGES: &str = "\x11d";
/// Milliseconds between what the demo agent does, as a person can follow it.
const TO_BE_FOLLOWED: &str = "250";

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/images").join(name)
}

fn is_to_be_written() -> bool {
    std::env::var_os("PARLOUR_WRITE_DOCS").is_some()
}

/// Nothing of where the test ran is in it.
fn keep(name: &str, parlour: &Parlour, text: &str) {
    let scratch = parlour.scratch().file_name().unwrap().to_str().unwrap();
    let temporary = std::env::temp_dir();
    for told in [scratch, ".tmp", temporary.to_str().unwrap()] {
        let place = text
            .find(told)
            .map(|at| text[..at].chars().rev().take(60).collect::<String>());
        let before = place.map(|before| before.chars().rev().collect::<String>());
        assert_eq!(before, None, "{name} tells of {told} behind this");
    }
    if is_to_be_written() {
        fs::create_dir_all(place("")).unwrap();
        fs::write(place(name), text).unwrap();
    }
    assert!(place(name).is_file(), "{name}: run it with PARLOUR_WRITE_DOCS=1");
}

fn parlour(pace: &str) -> Parlour {
    let more = [("COLORTERM", "truecolor"), ("PARLOUR_DEMO_PACE_MS", pace)];
    let parlour = Parlour::new().with(more.map(|(name, value)| (name.into(), value.into())));
    parlour.configure("{\"theme\": \"dark\"}");
    parlour
}

/// A team of four at rest, a chat whose change was remarked on and answered, and one that asks.
fn desk() -> Parlour {
    let parlour = parlour("10");
    parlour.json(&["demo", "team"]);
    until("the team is at rest", PATIENCE, || {
        let chats = parlour.json(&["list"])["chats"].clone();
        let rests = |chat: &Value| chat["status"] == "idle";
        chats
            .as_array()
            .is_some_and(|all| all.len() == 4 && all.iter().all(rests))
    });
    let new = |name: &str, prompt: &str| {
        parlour.json(&[
            "new", name, "--llm", "demo", "--dir", "tally", "--branch", "fix", "-p", prompt,
        ]);
        parlour.wait(&name.to_lowercase().replace(' ', "-"), "needs-you")
    };
    new("Count words", "Count the words that are not empty");
    parlour.answer("approve");
    parlour.wait("count-words", "idle");
    let said = "Is a line of blanks a word? Say so in the comment, and test it.";
    parlour.say(&["remark", "count-words", "--project", "tally", "src/lib.rs:12", said]);
    parlour.say(&["remarks", "count-words", "--send"]);
    until("the remark is answered", PATIENCE, || {
        parlour.say(&["remarks", "count-words"]).contains("answered")
    });
    parlour.wait("count-words", "idle");
    new("Fix the release notes", "Say in the notes what changed");
    parlour
}

#[test]
fn the_picture_shows_what_an_agent_changed() {
    let parlour = desk();
    let mut screen = parlour.attach_sized(&["--", "count-words"], 120, 34);
    screen.wait_for_text("○ idle");
    screen.press(CHANGES);
    screen.wait_for_text("1± ─ 2");
    screen.press("[");
    screen.wait_for_text("Turn 1");
    screen.wait_for_text("M lib.rs");
    screen.press("\r");
    screen.wait_for_text("The agent:");
    let picture = screen.look(|screen| svg(screen, "parlour: what an agent changed, with a remark and its answer"));
    for said in ["Changes", "Demo", "lib.rs"] {
        assert!(picture.contains(said), "{said}");
    }
    keep("changes.svg", &parlour, &picture);
}

/// From an empty home to what was changed, and out.
#[test]
fn the_recording_shows_a_first_minute() {
    let pace = if is_to_be_written() { TO_BE_FOLLOWED } else { "10" };
    let parlour = parlour(pace);
    let mut screen = parlour.attach_sized(&[], 110, 28);
    let tape = screen.record();
    screen.wait_for_text("No chats yet");
    rest();
    screen.press("D");
    screen.wait_for_text("❯ 1. Yes");
    rest();
    screen.press("\r");
    screen.wait_for_text("● Done:");
    rest();
    screen.press(CHANGES);
    screen.wait_for_text("lib.rs");
    rest();
    screen.press("\r");
    screen.wait_for_text("n N change");
    rest();
    leave(screen);
    let folder = parlour.scratch().to_str().unwrap();
    let recording = asciicast(&tape, "parlour: a first minute", folder);
    assert!(recording.lines().count() > 10, "{recording}");
    assert!(recording.contains("/home/mia/"), "the repository of the demo is shown");
    keep("demo.cast", &parlour, &recording);
}

fn leave(mut screen: Terminal) {
    screen.press("\x11q");
    assert_eq!(screen.wait_for_end(), 0);
}

/// As long as a person looks, where somebody is to see it.
fn rest() {
    if is_to_be_written() {
        let_it_be_read();
        let_it_be_read();
    }
}
