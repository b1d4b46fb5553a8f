//! From a changed line to the turn and the card that wrote it, and from a card to its lines, by keys.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::terminal::Terminal;

/// The leader, then the key of the Changes tab.
const CHANGES: &str = "\x11d";

fn repository(dir: &Path) -> String {
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("README.md"), "# Grove\n").unwrap();
    fs::write(dir.join("list.txt"), list("two", "three")).unwrap();
    git(dir, &["init", "-q", "-b", "main"]);
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", "first"]);
    dir.to_str().unwrap().to_owned()
}

/// Ten lines, so that it is the same file by another name when two of them are others.
fn list(second: &str, third: &str) -> String {
    let rest: String = (4..=10).map(|number| format!("line {number}\n")).collect();
    format!("one\n{second}\n{third}\n{rest}")
}

struct Story {
    parlour: Parlour,
    clone: PathBuf,
}

impl Story {
    /// The demo agent has had its first prompt, and is at rest.
    fn begin() -> Story {
        let parlour = Parlour::new();
        let grove = repository(&parlour.scratch().join("grove"));
        let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove, "-p", "noask alpha"]);
        let chat = parlour.home().join("chats").join(made["id"].as_str().unwrap());
        let story = Story {
            parlour,
            clone: chat.join("projects/grove"),
        };
        story.rests_after(1);
        story
    }

    fn prompt(&self, text: &str, turn: usize) {
        self.parlour.json(&["send", "work", text]);
        self.rests_after(turn);
    }

    fn rests_after(&self, turns: usize) {
        until("the turn has its checkpoint", PATIENCE, || {
            let listed = self.parlour.json(&["checkpoints", "work"]);
            let all = listed["checkpoints"].as_array().unwrap();
            all.iter().filter(|one| one["turn"].is_u64()).count() == turns
        });
        self.parlour.wait("work", "idle");
        // What the clones are as the turn ends is known before they are compared.
        self.parlour.say(&["diff", "work"]);
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.clone.join(file), text).unwrap();
    }

    /// All that the branch has is shown, and the cursor at the first line of this file.
    fn look(&self, file: &str) -> Terminal {
        let mut terminal = self.parlour.attach_sized(&["--", "work"], 160, 45);
        terminal.wait_for_text("○ idle");
        terminal.press(CHANGES);
        terminal.wait_for_text("since the last prompt");
        terminal.press("cb");
        terminal.wait_for_text("against the base branch");
        // A narrow tree shortens it.
        terminal.wait_for_text(&file[..5]);
        terminal.press("f");
        terminal.wait_for_text("Files that differ");
        terminal.press(file);
        terminal.press("\r");
        terminal.wait_for_text(&format!("grove/{file}"));
        terminal.wait_for_text("@@ line");
        terminal
    }
}

#[test]
fn lines_lead_to_the_calls_that_wrote_them_and_back() {
    let story = Story::begin();
    story.prompt("noask beta", 2);
    let mut terminal = story.look("README.md");
    // What the agent adds for each prompt: a blank line, a heading, a blank line, a note.
    terminal.wait_for_text("## beta");
    terminal.press("/## alpha\r");
    terminal.wait_for_text("1 of 1 line");
    terminal.press("B");
    terminal.wait_for_text("Turn 1 wrote this line: Edit.");
    terminal.press("d\x1b");
    terminal.wait_for("the search is over", |screen| {
        !screen.contents().contains("1 of 1 line")
    });
    terminal.press("/## beta\r");
    terminal.wait_for_text("1 of 1 line");
    terminal.press("B");
    terminal.wait_for_text("Turn 2 wrote this line: Edit.");
    // On its card the same key leads back: to what turn 2 did.
    terminal.press("B");
    terminal.wait_for("what turn 2 did to the file", |screen| {
        let shown = screen.contents();
        shown.contains("since the last prompt") && shown.contains("+## beta") && !shown.contains("+## alpha")
    });
}

#[test]
fn lines_are_followed_through_renames_and_reverts_and_back_to_before_the_first_prompt() {
    let story = Story::begin();
    story.write("list.txt", &list("two, in turn 1", "three"));
    story.prompt("noask beta", 2);
    fs::rename(story.clone.join("list.txt"), story.clone.join("names.txt")).unwrap();
    story.write("names.txt", &list("two, in turn 1", "three, in turn 2"));
    story.prompt("noask gamma", 3);
    story.write("names.txt", "nothing is left\n");
    story
        .parlour
        .json(&["revert", "work", "--turn", "3", "--code", "--yes"]);
    story.parlour.wait("work", "idle");
    let mut terminal = story.look("names.txt");
    terminal.wait_for_text("three, in turn 2");
    let ask = |terminal: &mut Terminal, keys: &str, told: &str| {
        terminal.press(keys);
        terminal.press("B");
        terminal.wait_for_text(told);
    };
    // The heading; `one`, the removed `two` and `three`, and what came in their place.
    ask(&mut terminal, "gj", "This line is older than the first checkpoint.");
    // What a hand did between two prompts is of no turn.
    ask(&mut terminal, "j", "No turn removed this line: it went");
    ask(&mut terminal, "j", "No turn removed this line: it went");
    ask(&mut terminal, "j", "No turn wrote this line: it came");
    ask(&mut terminal, "j", "No turn wrote this line: it came");
}

#[test]
fn a_line_that_a_person_wrote_when_the_turn_was_over_is_of_no_turn() {
    let story = Story::begin();
    story.prompt("noask beta", 2);
    let readme = fs::read_to_string(story.clone.join("README.md")).unwrap();
    story.write("README.md", &format!("{readme}by hand\n"));
    let mut terminal = story.look("README.md");
    terminal.wait_for_text("by hand");
    terminal.press("/by hand\r");
    terminal.wait_for_text("1 of 1 line");
    terminal.press("B");
    terminal.wait_for_text("No turn wrote this line: it came");
}

#[test]
fn after_going_back_changes_shows_the_last_turn_in_force_and_charges_none_with_the_revert() {
    let story = Story::begin();
    story.prompt("noask beta", 2);
    story.prompt("noask gamma", 3);
    let amounts = |turn: &str| {
        let told = story.parlour.json(&["diff", "work", "--turn", turn]);
        let file = &told["changes"][0]["files"][0];
        format!("+{} −{}", file["added"], file["removed"])
    };
    let (first, third) = (amounts("1"), amounts("3"));
    story.parlour.json(&["revert", "work", "--turn", "2", "--yes"]);
    story.parlour.wait("work", "idle");
    assert_eq!(amounts("3"), third);
    let now = story.parlour.json(&["diff", "work"]);
    let file = &now["changes"][0]["files"][0];
    assert_eq!(format!("+{} −{}", file["added"], file["removed"]), first, "{now}");

    let mut terminal = story.parlour.attach_sized(&["--", "work"], 160, 45);
    terminal.wait_for_text("○ idle");
    terminal.press(CHANGES);
    terminal.wait_for_text("since the last prompt");
    terminal.wait_for_text(&format!("1 file {first}"));
    terminal.wait_for_text("## alpha");
    let shown = terminal.contents();
    assert!(shown.contains("Turn 1  noask alpha"), "{shown}");
    assert!(!shown.contains("after it"), "the revert did nothing to turn 1: {shown}");
    terminal.press("]]");
    terminal.wait_for_text("Turn 3  noask gamma");
    terminal.wait_for_text("turn 3 alone");
    let shown = terminal.contents();
    assert!(
        shown.contains(&format!("1 file {third} ")) && shown.contains("reverted"),
        "{shown}"
    );
    terminal.press("[[");
    terminal.wait_for_text("since the last prompt");
    let readme = fs::read_to_string(story.clone.join("README.md")).unwrap();
    story.write("README.md", &format!("{readme}by hand\n"));
    terminal.press("r");
    terminal.wait_for_text(&format!("1 file {first}, 1 file +1 −0 after it"));
}
