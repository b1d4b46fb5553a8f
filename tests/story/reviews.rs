//! Checkpoints, diffs and reverts of a chat, from a shell.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::parlour::{PATIENCE, Parlour, git, kill, until};

/// A chat of the demo agent in two clones, at rest after its first prompt.
struct Reviewed {
    parlour: Parlour,
    clones: [PathBuf; 2],
}

pub fn repository(dir: &Path) -> String {
    fs::create_dir_all(dir.join("src")).unwrap();
    fs::write(dir.join("README.md"), "hello\n").unwrap();
    fs::write(dir.join("src/main.rs"), "fn main() {}\n").unwrap();
    fs::write(dir.join(".gitignore"), "*.log\n").unwrap();
    git(dir, &["init", "-q", "-b", "main"]);
    git(dir, &["add", "-A"]);
    git(dir, &["commit", "-q", "-m", "first"]);
    dir.to_str().unwrap().to_owned()
}

impl Reviewed {
    fn new() -> Reviewed {
        let parlour = Parlour::new();
        let grove = repository(&parlour.scratch().join("grove"));
        let brook = repository(&parlour.scratch().join("brook"));
        let words = [
            "new",
            "work",
            "--llm",
            "demo",
            "--dir",
            &grove,
            "--dir",
            &brook,
            "-p",
            "noask hello",
        ];
        let made = parlour.json(&words);
        parlour.wait("work", "idle");
        let projects = parlour
            .home()
            .join("chats")
            .join(made["id"].as_str().unwrap())
            .join("projects");
        let reviewed = Reviewed {
            parlour,
            clones: [projects.join("grove"), projects.join("brook")],
        };
        until("the first turn has its checkpoint", PATIENCE, || {
            reviewed.numbers() == [1]
        });
        reviewed
    }

    fn numbers(&self) -> Vec<u64> {
        let listed = self.parlour.json(&["checkpoints", "work"]);
        let all = listed["checkpoints"].as_array().unwrap();
        all.iter().map(|one| one["number"].as_u64().unwrap()).collect()
    }

    fn write(&self, clone: usize, file: &str, text: &str) {
        fs::write(self.clones[clone].join(file), text).unwrap();
    }

    fn text(&self, clone: usize, file: &str) -> String {
        fs::read_to_string(self.clones[clone].join(file)).unwrap_or_default()
    }
}

#[test]
fn each_turn_begins_with_a_checkpoint_and_shows_what_it_did() {
    let reviewed = Reviewed::new();
    let parlour = &reviewed.parlour;
    parlour.say(&["diff", "work"]);
    reviewed.write(0, "second.txt", "made after turn one\n");
    parlour.json(&["send", "work", "noask again"]);
    until("the second turn has its checkpoint", PATIENCE, || {
        reviewed.numbers() == [1, 2, 3]
    });
    let listed = parlour.json(&["checkpoints", "work"]);
    let second = &listed["checkpoints"][2];
    assert_eq!((&second["turn"], &second["prompt"]), (&2.into(), &"noask again".into()));
    assert_eq!(second["changed"], serde_json::json!(["grove"]), "{second}");

    let first = parlour.say(&["diff", "work", "--turn", "1"]);
    assert!(
        first.contains("+++ b/grove/README.md") && first.contains("+A note by") && !first.contains("second.txt"),
        "{first}"
    );
    reviewed.write(1, "third.txt", "made in turn two\n");
    let now = parlour.say(&["diff", "work", "--stat"]);
    assert!(now.contains("brook/third.txt") && !now.contains("second.txt"), "{now}");
    let base = parlour.json(&["diff", "work", "--base"]);
    let files = base["changes"].as_array().unwrap();
    let paths: Vec<&str> = files
        .iter()
        .flat_map(|project| project["files"].as_array().unwrap())
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert!(paths.contains(&"second.txt") && paths.contains(&"third.txt"), "{base}");
    assert!(
        parlour
            .refusal(&["diff", "work", "--turn", "9"])
            .contains("there is no turn 9")
    );
    assert!(
        parlour
            .refusal(&["diff", "work", "--project", "x"])
            .contains("its clones: grove, brook")
    );

    // The row about the turn counts what is there now, also behind another comparison, in which it says that it is not shown.
    let mut terminal = parlour.attach(&["--", "work"]);
    terminal.wait_for_text(" AGENT ");
    terminal.press("\x11d");
    terminal.wait_for_text("since the last prompt");
    terminal.press("cu");
    terminal.wait_for_text("uncommitted");
    parlour.wait("work", "idle");
    parlour.say(&["diff", "work"]);
    reviewed.write(1, "fourth.txt", "made after turn two\n");
    let now = parlour.json(&["diff", "work"]);
    let clones = now["changes"].as_array().unwrap();
    let files: usize = clones
        .iter()
        .map(|clone| clone["files"].as_array().unwrap().len())
        .sum();
    assert!(files > 1, "{now}");
    terminal.wait_for_text(", not shown:");
    // That the turn has ended is known by now.
    terminal.press("]");
    terminal.wait_for_text(" after it");
}

#[test]
fn what_is_changed_between_two_turns_is_counted_to_neither() {
    let reviewed = Reviewed::new();
    let parlour = &reviewed.parlour;
    // The clones were looked at as the turn ended: that was asked before this.
    parlour.say(&["diff", "work"]);
    reviewed.write(0, "by-hand.txt", "made after turn one\n");
    let told = parlour.run(&["diff", "work", "--turn", "1"]);
    let (own, besides) = (
        String::from_utf8(told.stdout).unwrap(),
        String::from_utf8(told.stderr).unwrap(),
    );
    assert!(!own.contains("by-hand.txt"), "{own}");
    let says = "1 file +1 −0 changed after turn 1 had ended, by no turn: it is not among these changes";
    assert!(besides.contains(says), "{besides}");
    assert!(parlour.say(&["diff", "work"]).contains("+made after turn one"));
    let told = parlour.json(&["diff", "work", "--turn", "1"]);
    let after = serde_json::json!({"files": 1, "added": 1, "removed": 0, "apart": true});
    assert_eq!(told["after_turn"], after);
    // Another start of the engine still knows it.
    parlour.kill_engine();
    assert_eq!(parlour.json(&["diff", "work", "--turn", "1"])["after_turn"], after);
    parlour.json(&["send", "work", "noask again"]);
    until("the second turn has its checkpoint", PATIENCE, || {
        reviewed.numbers() == [1, 2, 3]
    });
    let listed = parlour.json(&["checkpoints", "work"]);
    assert_eq!(listed["checkpoints"][1]["cause"]["ended"], 1, "{listed}");
    let ended = &listed["checkpoints"][2]["ended"];
    assert_eq!(ended["after"]["files"], 1, "{listed}");
    assert_eq!(listed["checkpoints"][0]["ended"], serde_json::Value::Null);
    let told = parlour.run(&["diff", "work", "--turn", "1"]);
    let besides = String::from_utf8(told.stderr).unwrap();
    assert!(besides.contains(says), "{besides}");
    assert_eq!(parlour.json(&["diff", "work", "--turn", "1"])["after_turn"], after);
}

#[test]
fn what_is_restored_of_later_than_a_turns_end_is_none_of_its_work() {
    let reviewed = Reviewed::new();
    let parlour = &reviewed.parlour;
    parlour.json(&["send", "work", "noask look around"]);
    until("the second turn has its checkpoint", PATIENCE, || {
        reviewed.numbers() == [1, 2]
    });
    parlour.wait("work", "idle");
    // The clones were looked at as the turn ended: that was asked before this.
    parlour.say(&["diff", "work"]);
    let own = parlour.json(&["diff", "work", "--turn", "2"]);
    reviewed.write(0, "by-hand.txt", "made after turn two\n");
    parlour.say(&["checkpoint", "work"]);
    let by_hand = *reviewed.numbers().last().unwrap();
    reviewed.write(0, "more.txt", "more by hand\n");
    let later = |files: u64| {
        let told = parlour.json(&["diff", "work", "--turn", "2"]);
        assert_eq!(told["changes"], own["changes"], "{told}");
        assert_eq!(told["after_turn"]["files"], files, "{told}");
        assert_eq!(told["after_turn"]["apart"], true, "{told}");
    };
    later(2);
    parlour.say(&["revert", "work", &by_hand.to_string(), "--code", "--yes"]);
    later(1);
    parlour.say(&["undo-revert", "work", "--yes"]);
    later(2);
}

/// A person's editor, or a command behind a `!`, changes the clone between two turns.
#[test]
fn what_a_turn_left_is_a_checkpoint_if_it_is_changed_before_the_next() {
    let reviewed = Reviewed::new();
    let parlour = &reviewed.parlour;
    parlour.json(&["send", "work", "slow noask work on"]);
    until("the second turn has its checkpoint", PATIENCE, || {
        reviewed.numbers() == [1, 2]
    });
    reviewed.write(0, "note.txt", "by the turn\n");
    parlour.wait("work", "idle");
    // Looking at the clones comes behind that they were saved at the end.
    parlour.say(&["diff", "work"]);
    assert_eq!(reviewed.numbers(), [1, 2], "nothing was changed since");
    reviewed.write(0, "note.txt", "by hand\n");
    parlour.json(&["send", "work", "noask again"]);
    until("the third turn has its checkpoint", PATIENCE, || {
        reviewed.numbers() == [1, 2, 3, 4]
    });
    let listed = parlour.json(&["checkpoints", "work"]);
    assert_eq!(listed["checkpoints"][2]["cause"]["ended"], 2, "{listed}");
    assert_eq!(listed["checkpoints"][3]["turn"], 3);
    assert!(parlour.say(&["checkpoints", "work"]).contains("as turn 2 ended"));
    let own = parlour.say(&["diff", "work", "--turn", "2"]);
    assert!(own.contains("+by the turn") && !own.contains("by hand"), "{own}");
    assert_eq!(
        parlour.json(&["diff", "work", "--turn", "2"])["after_turn"]["apart"],
        true
    );
    parlour.wait("work", "idle");
    parlour.say(&["revert", "work", "3", "--code", "--yes"]);
    assert_eq!(reviewed.text(0, "note.txt"), "by the turn\n");
    parlour.say(&["undo-revert", "work", "--yes"]);
    assert_eq!(reviewed.text(0, "note.txt"), "by hand\n");
}

pub fn a_revert_takes_all_clones_back_and_its_undo_brings_everything_again() {
    let reviewed = Reviewed::new();
    let parlour = &reviewed.parlour;
    reviewed.write(0, "README.md", "changed\n");
    reviewed.write(1, "new.txt", "new\n");
    reviewed.write(1, "kept.log", "ignored\n");
    let refused = parlour.refusal(&["revert", "work", "1"]);
    let lines: Vec<&str> = refused.lines().collect();
    assert!(
        lines.contains(&"grove/README.md changes") && lines.contains(&"brook/new.txt goes"),
        "{refused}"
    );
    assert_eq!(
        lines.last(),
        Some(&"parlour: reverting work: nothing was changed; say `--yes` to do it")
    );
    assert_eq!(reviewed.text(0, "README.md"), "changed\n");

    parlour.json(&["revert", "work", "1", "--yes"]);
    assert_eq!(
        (reviewed.text(0, "README.md"), reviewed.text(1, "new.txt")),
        ("hello\n".into(), String::new())
    );
    assert_eq!(reviewed.text(1, "kept.log"), "ignored\n");
    parlour.wait("work", "idle");
    parlour.json(&["undo-revert", "work", "--yes"]);
    assert_eq!(reviewed.text(0, "README.md"), "changed\n");
    assert_eq!(reviewed.text(1, "new.txt"), "new\n");
    assert!(
        parlour
            .refusal(&["undo-revert", "work", "--yes"])
            .contains("there is no revert to take back")
    );

    parlour.json(&["revert", "work", "1", "--project", "brook", "--yes"]);
    assert_eq!(reviewed.text(0, "README.md"), "changed\n", "one clone alone");
    assert_eq!(reviewed.text(1, "new.txt"), "");
    let repeated = parlour.json(&["checkpoint", "work"]);
    assert_eq!(repeated["new"], true, "the revert changed something: {repeated}");
    assert_eq!(parlour.json(&["checkpoint", "work"])["new"], false);
}

#[test]
fn a_revert_that_a_kill_cut_off_is_carried_out_before_the_agent_runs_again() {
    let reviewed = Reviewed::new();
    let parlour = &reviewed.parlour;
    for number in 0..400 {
        reviewed.write(0, &format!("file{number}.txt"), &"x\n".repeat(200));
    }
    let saved = parlour.json(&["checkpoint", "work"])["id"].to_string();
    for number in 0..400 {
        reviewed.write(0, &format!("file{number}.txt"), "later\n");
    }
    reviewed.write(1, "README.md", "later\n");
    let mut revert = parlour.command(&["revert", "work", &saved, "--yes"]).spawn().unwrap();
    let records = parlour.home().join("records");
    let record = fs::read_dir(&records).unwrap().next().unwrap().unwrap().path();
    let under_way = record.join("checkpoints/revert.json");
    until("the revert has begun", PATIENCE, || {
        under_way.exists() || revert.try_wait().unwrap().is_some()
    });
    kill(parlour.engine_pid());
    revert.wait().unwrap();

    parlour.json(&["resume", "work"]);
    parlour.wait("work", "idle");
    assert!(!under_way.exists());
    let restored = (0..400).filter(|number| reviewed.text(0, &format!("file{number}.txt")).len() == 400);
    let (restored, readme) = (restored.count(), reviewed.text(1, "README.md"));
    assert!(
        (restored, readme.as_str()) == (400, "hello\n") || (restored, readme.as_str()) == (0, "later\n"),
        "old or new, never mixed: {restored} files, {readme:?}"
    );
    assert!(parlour.json(&["undo-revert", "work", "--yes"])["to"].is_u64());
    assert_eq!(reviewed.text(0, "file7.txt"), "later\n");
}

/// A newer parlour may have written the last line, and a disk may have damaged it: what it names stays.
#[test]
fn a_checkpoint_whose_line_cannot_be_read_is_not_replaced_by_the_next_one() {
    let reviewed = Reviewed::new();
    let parlour = &reviewed.parlour;
    let record = fs::read_dir(parlour.home().join("records")).unwrap().next().unwrap();
    let checkpoints = record.unwrap().path().join("checkpoints");
    let list = checkpoints.join("list.jsonl");
    let saved = |number: u64| {
        let name = format!("refs/parlour/{number:010}");
        git(&checkpoints.join("grove.git"), &["rev-parse", &name])
    };
    let take = |text: &str| {
        reviewed.write(0, "README.md", text);
        parlour.json(&["checkpoint", "work"])["id"].as_u64().unwrap()
    };
    // The clones are saved as the turn ends, before this is answered: the first one has a number below it.
    parlour.say(&["diff", "work"]);
    assert_eq!((take("two\n"), take("three\n")), (3, 4));
    let was = saved(4);
    let lines = fs::read_to_string(&list).unwrap();
    let newer = lines.lines().map(|line| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        if line["number"] != 1 {
            line["cause"] = "a cause of tomorrow".into();
        }
        format!("{line}\n")
    });
    fs::write(&list, newer.collect::<String>()).unwrap();
    assert_eq!(reviewed.numbers(), [1, 2, 3, 4], "what is saved is listed all the same");
    assert_eq!((take("four\n"), saved(4)), (5, was.clone()));

    let mut bytes = fs::read(&list).unwrap();
    let last = bytes.len() - 40;
    bytes[last..last + 30].fill(0xff);
    fs::write(&list, &bytes).unwrap();
    let four = saved(5);
    assert_eq!(take("five\n"), 6);
    assert_eq!((saved(4), saved(5)), (was, four));
    assert_eq!(reviewed.numbers(), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn parts_of_a_file_are_staged_and_discarded_and_what_was_discarded_comes_back() {
    let reviewed = Reviewed::new();
    let parlour = &reviewed.parlour;
    reviewed.write(0, ".gitignore", "*.log\nworld\nagain\n");
    let of = ["work", "--project", "grove", ".gitignore"];
    let say = |verb: &str, more: &[&str]| parlour.say(&[&[verb], &of[..], more].concat());
    say("stage", &["--hunk", "1", "--lines", "2"]);
    let staged = git(&reviewed.clones[0], &["diff", "--cached", "--no-color"]);
    assert!(staged.contains("+world") && !staged.contains("+again"), "{staged}");
    say("unstage", &[]);
    assert_eq!(git(&reviewed.clones[0], &["diff", "--cached"]), "");
    let discarded = parlour.json(&[&["discard"], &of[..], &["--hunk", "1"]].concat());
    assert_eq!(reviewed.text(0, ".gitignore"), "*.log\n");
    let saved = discarded["saved"].as_u64().expect("it was saved first").to_string();
    parlour.json(&["revert", "work", &saved, "--yes"]);
    assert_eq!(reviewed.text(0, ".gitignore"), "*.log\nworld\nagain\n");
    let refused = parlour.refusal(&["discard", "work", "--project", "x", "README.md"]);
    assert!(refused.contains("its clones: grove, brook"), "{refused}");
    let nothing = parlour.refusal(&["stage", "work", "--project", "grove", "src/main.rs"]);
    assert!(nothing.contains("does not differ from the last commit"), "{nothing}");
}

#[test]
fn remarks_stay_with_their_lines_and_go_to_the_agent_as_one_prompt() {
    let reviewed = Reviewed::new();
    let parlour = &reviewed.parlour;
    reviewed.write(
        0,
        "src/main.rs",
        "fn main() {\n    one();\n}\n\nfn two() {\n    three();\n}\n",
    );
    let remark = |place: &str, text: &str| parlour.say(&["remark", "work", "--project", "grove", place, text]);
    assert_eq!(remark("src/main.rs:6", "why three?"), "remark 1\n");
    assert_eq!(remark("src/main.rs:2-3", "one is enough"), "remark 2\n");
    reviewed.write(
        0,
        "src/main.rs",
        "// new\n\nfn main() {\n    1();\n}\n\nfn two() {\n    three();\n}\n",
    );
    let listed = parlour.say(&["remarks", "work"]);
    assert!(
        listed.contains("1 grove/src/main.rs:8 open\n  >     three();\n  why three?"),
        "{listed}"
    );
    assert!(listed.contains("2 grove/src/main.rs outdated"), "{listed}");
    let refused = parlour.refusal(&["remark", "work", "--project", "grove", "src/main.rs:90", "x"]);
    assert!(refused.contains("has 9 lines"), "{refused}");

    reviewed.write(0, "notes.bin", "\0\u{1}\0");
    assert_eq!(remark("notes.bin", "what is it for?"), "remark 3\n");
    assert!(
        parlour
            .say(&["remarks", "work"])
            .contains("3 grove/notes.bin open\n  what is it for?")
    );
    let refused = parlour.refusal(&["remark", "work", "--project", "grove", "nowhere.rs", "x"]);
    assert!(refused.contains("grove has no file nowhere.rs"), "{refused}");

    parlour.say(&["remarks", "work", "--send"]);
    let prompt = || {
        let told = parlour.say(&["events", "work", "--json"]);
        let mut prompts = told.lines().filter(|line| line.contains("Remarks on your changes"));
        prompts.next().map(str::to_owned)
    };
    until("the agent has the remarks", PATIENCE, || prompt().is_some());
    let prompt = prompt().unwrap();
    assert!(
        prompt.contains("Remark 1, grove/src/main.rs:8:") && prompt.contains(">     three();"),
        "{prompt}"
    );
    assert!(
        prompt.contains("Remark 3, grove/notes.bin (the whole file):"),
        "{prompt}"
    );
    assert!(
        prompt.contains("Remark 2, grove/src/main.rs (these lines have changed since)"),
        "{prompt}"
    );
    until("the agent answers each", PATIENCE, || {
        let listed = parlour.say(&["remarks", "work"]);
        listed.contains("1 grove/src/main.rs:8 answered") && listed.contains("3 grove/notes.bin answered")
    });
    assert!(
        parlour
            .refusal(&["remarks", "work", "--send"])
            .contains("no open remark")
    );
    parlour.say(&["remarks", "work", "--resolve", "1"]);
    assert!(
        parlour
            .say(&["remarks", "work"])
            .contains("1 grove/src/main.rs:8 resolved")
    );
    parlour.say(&["remarks", "work", "--reopen", "1"]);
    assert!(!parlour.say(&["remarks", "work"]).contains("resolved"));
    fs::remove_file(reviewed.clones[0].join("notes.bin")).unwrap();
    let listed = parlour.say(&["remarks", "work"]);
    assert!(listed.contains("3 grove/notes.bin outdated"), "{listed}");
}

#[test]
fn a_long_prompt_takes_no_more_than_a_line_of_the_list() {
    let parlour = Parlour::new();
    let grove = repository(&parlour.scratch().join("grove"));
    let prompt = format!("noask {}\nand more", "long words ".repeat(30));
    parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove, "-p", &prompt]);
    parlour.wait("work", "idle");
    until("the turn has its checkpoint", PATIENCE, || {
        let shown = parlour.say(&["checkpoints", "work"]);
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
        shown.contains("noask long words")
    });
}
