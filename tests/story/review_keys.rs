//! Changes are staged, discarded and remarked on by keys, in the clones of a chat whose agent is at rest.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::parlour::{PATIENCE, Parlour, git, until};
use crate::support::terminal::Terminal;

/// The leader, then the key of the Changes tab.
const CHANGES: &str = "\x11d";
const CTRL_S: &str = "\x13";

struct Looking {
    parlour: Parlour,
    terminal: Terminal,
    clone: PathBuf,
}

fn lines(changed: &[usize]) -> String {
    let line = |number| match changed.contains(&number) {
        true => format!("line {number}, changed\n"),
        false => format!("line {number}\n"),
    };
    (1..=40).map(line).collect()
}

fn repository(dir: &Path) -> String {
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("lines.txt"), lines(&[])).unwrap();
    git(dir, &["init", "-q", "-b", "main"]);
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", "first"]);
    dir.to_str().unwrap().to_owned()
}

/// Lines 3, 4 and 30 differ from the last commit; the Changes tab shows them, and the cursor is at the first line.
fn looking() -> Looking {
    let parlour = Parlour::new();
    let grove = repository(&parlour.scratch().join("grove"));
    let made = parlour.json(&["new", "look", "--llm", "demo", "--dir", &grove]);
    let chat = parlour.home().join("chats").join(made["id"].as_str().unwrap());
    let clone = chat.join("projects/grove");
    parlour.wait("look", "idle");
    fs::write(clone.join("lines.txt"), lines(&[3, 4, 30])).unwrap();
    let mut terminal = parlour.attach(&["--", "look"]);
    terminal.wait_for_text("○ idle");
    terminal.press(CHANGES);
    terminal.wait_for_text("lines.txt");
    Looking {
        parlour,
        terminal,
        clone,
    }
}

impl Looking {
    fn staged(&self) -> String {
        git(&self.clone, &["diff", "--cached", "--unified=0"])
    }

    fn is_staged(&self, what: &str, lines: &[&str]) {
        until(what, PATIENCE, || {
            let staged = self.staged();
            let added = staged.lines().filter(|line| line.starts_with("+line"));
            added.eq(lines.iter().copied())
        });
    }
}

#[test]
fn files_hunks_and_lines_are_staged_and_unstaged() {
    let mut looking = looking();
    looking.terminal.press(" ");
    looking.terminal.wait_for_text("uncommitted");
    looking.terminal.wait_for_text("+3 −3");
    looking.is_staged(
        "the whole file, which is the same there",
        &["+line 3, changed", "+line 4, changed", "+line 30, changed"],
    );
    looking.terminal.wait_for_text("●");
    looking.terminal.press(" ");
    looking.is_staged("nothing", &[]);
    // The next key means what is shown by then.
    looking
        .terminal
        .wait_for("nothing is staged", |screen| !screen.contents().contains('●'));
    looking.terminal.press("\r");
    looking.terminal.wait_for_text("line 30, changed");
    looking.terminal.press("n ");
    looking.is_staged("the second hunk", &["+line 30, changed"]);
    looking.terminal.wait_for_text("◐");
    looking.terminal.press("N");
    // The heading, two lines of context, two removed lines; then the first that was added.
    looking.terminal.press("jjjjjV ");
    looking.is_staged("a line", &["+line 3, changed", "+line 30, changed"]);
}

#[test]
fn a_folder_is_discarded_but_for_what_a_filter_or_a_repository_keeps() {
    let mut looking = looking();
    let clone = &looking.clone;
    fs::create_dir_all(clone.join("kept/inner")).unwrap();
    fs::write(clone.join("kept/.gitattributes"), "*.bin filter=pack\n").unwrap();
    for name in ["a.txt", "b.txt", "c.bin"] {
        fs::write(clone.join("kept").join(name), "before\n").unwrap();
    }
    git(clone, &["add", "-A"]);
    git(clone, &["commit", "-q", "-m", "kept"]);
    for name in ["a.txt", "b.txt", "c.bin"] {
        fs::write(clone.join("kept").join(name), "after\n").unwrap();
    }
    let read = |name: &str| fs::read_to_string(clone.join("kept").join(name)).unwrap();
    let terminal = &mut looking.terminal;
    terminal.press("cu");
    terminal.wait_for_text("c.bin");
    terminal.press("kkkkkkkkkkx");
    terminal.wait_for_text("Discard?");
    std::thread::sleep(std::time::Duration::from_secs(1));
    terminal.press("y");
    terminal.wait_for_text("Discarded in");
    terminal.wait_for_text("As before: grove/kept/c.bin");
    assert_eq!(
        (read("a.txt"), read("b.txt"), read("c.bin")),
        ("before\n".into(), "before\n".into(), "after\n".into())
    );
    let listed = looking.parlour.json(&["checkpoints", "look"]);
    let all = listed["checkpoints"].as_array().unwrap();
    let saved = all.iter().filter(|one| one["cause"] == "discard").count();
    assert_eq!(saved, 1, "one for all of them: {listed}");
    let terminal = &mut looking.terminal;
    terminal.press("u");
    terminal.wait_for_text("Undo the discard");
    let clone = &looking.clone;
    until("both are back", PATIENCE, || {
        terminal.press("y");
        let read = |name: &str| fs::read_to_string(clone.join("kept").join(name)).unwrap();
        (read("a.txt"), read("b.txt")) == ("after\n".into(), "after\n".into())
    });
}

#[test]
fn what_is_discarded_is_gone_and_in_a_checkpoint() {
    let mut looking = looking();
    looking.terminal.press("\r");
    looking.terminal.wait_for_text("line 30, changed");
    looking.terminal.press("nx");
    looking.terminal.wait_for_text("Discard?");
    until("the second hunk is gone", PATIENCE, || {
        // It takes no answer before it could be read.
        looking.terminal.press("y");
        fs::read_to_string(looking.clone.join("lines.txt")).unwrap() == lines(&[3, 4])
    });
    looking.terminal.wait_for_text("Discarded in grove/lines.txt");
    looking.terminal.press("u");
    looking.terminal.wait_for_text("Undo the discard?");
    until("the second hunk is back", PATIENCE, || {
        looking.terminal.press("y");
        fs::read_to_string(looking.clone.join("lines.txt")).unwrap() == lines(&[3, 4, 30])
    });
    fs::write(looking.clone.join("lines.txt"), lines(&[])).unwrap();
    let listed = looking.parlour.json(&["checkpoints", "look"]);
    let last = listed["checkpoints"].as_array().unwrap().last().unwrap();
    let number = last["number"].to_string();
    looking.parlour.json(&["revert", "look", &number, "--yes"]);
    assert_eq!(
        fs::read_to_string(looking.clone.join("lines.txt")).unwrap(),
        lines(&[3, 4, 30])
    );
}

#[test]
fn remarks_are_written_where_lines_are_read_and_sent_together() {
    let mut looking = looking();
    looking.terminal.press("\r");
    looking.terminal.wait_for_text("line 30, changed");
    for (keys, words) in [("jjjjj\r", "say why"), ("nj\r", "noask is this needed")] {
        looking.terminal.press(keys);
        looking.terminal.wait_for_text("what the agent is to know");
        looking.terminal.press(words);
        looking.terminal.wait_for_text(words);
        looking.terminal.press(CTRL_S);
        looking.terminal.wait_for("the remark among the lines", |screen| {
            let shown = screen.contents();
            shown.contains(words) && shown.contains("You · open") && !shown.contains("╭ Remark ")
        });
    }
    let places: Vec<(u64, String)> = looking.parlour.json(&["remarks", "look"])["remarks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|remark| {
            (
                remark["line"].as_u64().unwrap(),
                remark["text"].as_str().unwrap().into(),
            )
        })
        .collect();
    assert_eq!(places, [(3, "say why".into()), (27, "noask is this needed".into())]);
    looking.terminal.press("M");
    looking.terminal.wait_for_text("Send 2 remarks to the agent");
    looking.terminal.press("\r");
    until("the agent has them", PATIENCE, || {
        let events = looking.parlour.events("look");
        events.iter().any(|event| {
            event["text"]
                .as_str()
                .is_some_and(|text| text.contains("is this needed"))
        })
    });
    until("they count as sent", PATIENCE, || {
        let remarks = looking.parlour.json(&["remarks", "look"]);
        remarks["remarks"]
            .as_array()
            .unwrap()
            .iter()
            .all(|remark| remark["sent"] == true)
    });
}
