//! Reverts that fail: the files, the conversation and what can be undone are as they were before.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::reviews::repository;
use crate::support::parlour::{PATIENCE, Parlour, git, until};

/// A chat of the demo agent in one clone, at rest after its first prompt.
struct RevertedChat {
    parlour: Parlour,
    clone: PathBuf,
    checkpoints: PathBuf,
}

impl RevertedChat {
    fn new() -> RevertedChat {
        let parlour = Parlour::new();
        let grove = repository(&parlour.scratch().join("grove"));
        let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove, "-p", "noask hello"]);
        parlour.wait("work", "idle");
        let id = made["id"].as_str().unwrap();
        let chat = RevertedChat {
            clone: parlour.home().join("chats").join(id).join("projects/grove"),
            checkpoints: parlour.home().join("records").join(id).join("checkpoints"),
            parlour,
        };
        until("the first turn has its checkpoint", PATIENCE, || chat.numbers() == [1]);
        chat
    }

    fn numbers(&self) -> Vec<u64> {
        let listed = self.parlour.json(&["checkpoints", "work"]);
        let all = listed["checkpoints"].as_array().unwrap();
        all.iter().map(|one| one["number"].as_u64().unwrap()).collect()
    }

    fn save(&self) -> u64 {
        let saved = self.parlour.json(&["checkpoint", "work"]);
        saved["id"].as_u64().unwrap()
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.clone.join(file), text).unwrap();
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.clone.join(file)).unwrap_or_default()
    }

    /// A checkpoint on a branch of its own, and the branch is gone again.
    fn save_on_branch(&self) -> u64 {
        git(&self.clone, &["checkout", "-q", "-b", "feature"]);
        self.write("README.md", "feature\n");
        git(&self.clone, &["commit", "-q", "-a", "-m", "feature"]);
        let saved = self.save();
        git(&self.clone, &["checkout", "-q", "main"]);
        git(&self.clone, &["branch", "-q", "-D", "feature"]);
        saved
    }

    /// What is no ref stands where the branch would be made: only when it is, that fails.
    fn block_branch(&self) -> PathBuf {
        let blocked = self.clone.join(".git/refs/heads/feature");
        fs::create_dir_all(&blocked).unwrap();
        fs::write(blocked.join("junk"), "no commit\n").unwrap();
        blocked
    }

    fn prompts(&self) -> usize {
        let told = self.parlour.events("work");
        told.iter().filter(|entry| entry["kind"] == "prompt").count()
    }

    /// Writes down that a revert to `to` is under way, as if the engine had been killed in it. Returns the state from
    /// which it began.
    fn cut_off(&self, to: u64, file: &str) -> u64 {
        let from = self.save();
        let list = self.checkpoints.join("list.jsonl");
        let lines = fs::read_to_string(&list).unwrap();
        let lines = lines.lines().map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            if line["number"] == from {
                (line["cause"], line["replaced"]) = (json!({"revert": to}), json!({"of": "code"}));
            }
            format!("{line}\n")
        });
        fs::write(&list, lines.collect::<String>()).unwrap();
        let under_way = json!({"v": 1, "from": from, "to": to, "projects": ["grove"]});
        fs::write(self.checkpoints.join(file), under_way.to_string()).unwrap();
        from
    }
}

#[test]
fn an_undo_that_fails_can_be_tried_again() {
    let chat = RevertedChat::new();
    let parlour = &chat.parlour;
    git(&chat.clone, &["checkout", "-q", "-b", "feature"]);
    chat.write("README.md", "feature\n");
    git(&chat.clone, &["commit", "-q", "-a", "-m", "feature"]);
    chat.write("new.txt", "new\n");
    parlour.json(&["revert", "work", "1", "--yes"]);
    parlour.wait("work", "idle");
    assert_eq!(
        (chat.text("README.md"), chat.text("new.txt")),
        ("hello\n".into(), String::new())
    );
    git(&chat.clone, &["branch", "-q", "-D", "feature"]);
    let numbers = chat.numbers();
    assert_eq!(chat.prompts(), 0, "the conversation went back too");

    let blocked = chat.block_branch();
    let refused = parlour.refusal(&["undo-revert", "work", "--yes"]);
    assert!(refused.contains("refs/heads/feature"), "{refused}");
    assert_eq!(
        (chat.text("README.md"), chat.text("new.txt")),
        ("hello\n".into(), String::new())
    );
    assert_eq!(git(&chat.clone, &["branch", "--show-current"]), "main");
    assert_eq!(chat.numbers(), numbers);
    assert_eq!(chat.prompts(), 0);

    fs::remove_dir_all(blocked).unwrap();
    parlour.json(&["undo-revert", "work", "--yes"]);
    assert_eq!(
        (chat.text("README.md"), chat.text("new.txt")),
        ("feature\n".into(), "new\n".into())
    );
    assert_eq!(git(&chat.clone, &["branch", "--show-current"]), "feature");
    assert_eq!(chat.prompts(), 1);
    let refused = parlour.refusal(&["undo-revert", "work", "--yes"]);
    assert!(refused.contains("there is no revert to take back"), "{refused}");
}

#[test]
fn after_a_revert_that_failed_the_one_before_it_is_undone() {
    let chat = RevertedChat::new();
    let parlour = &chat.parlour;
    let on_branch = chat.save_on_branch();
    chat.write("b.txt", "one\n");
    let one = chat.save();
    chat.write("b.txt", "two\n");
    let (one, on_branch) = (one.to_string(), on_branch.to_string());
    let saved = parlour.json(&["revert", "work", &one, "--code", "--yes"])["saved"].clone();
    assert_eq!(chat.text("b.txt"), "one\n");
    let (numbers, readme) = (chat.numbers(), chat.text("README.md"));

    chat.block_branch();
    let refused = parlour.refusal(&["revert", "work", &on_branch, "--code", "--yes"]);
    assert!(refused.contains("refs/heads/feature"), "{refused}");
    assert_eq!((chat.text("b.txt"), chat.text("README.md")), ("one\n".into(), readme));
    assert_eq!(chat.numbers(), numbers, "it left nothing");
    chat.write("c.txt", "since then\n");
    assert_eq!(parlour.json(&["undo-revert", "work", "--yes"])["to"], saved);
    assert_eq!(chat.text("b.txt"), "two\n");
}

#[test]
fn a_revert_that_was_cut_off_and_cannot_be_finished_leaves_the_one_before_it_to_undo() {
    let chat = RevertedChat::new();
    let parlour = &chat.parlour;
    let on_branch = chat.save_on_branch();
    chat.write("b.txt", "one\n");
    let one = chat.save().to_string();
    chat.write("b.txt", "two\n");
    let saved = parlour.json(&["revert", "work", &one, "--code", "--yes"])["saved"].clone();
    chat.write("c.txt", "since then\n");
    chat.block_branch();
    let readme = chat.text("README.md");
    let from = chat.cut_off(on_branch, "revert.json");
    chat.write("README.md", "feature\n");
    parlour.json(&["checkpoint", "work"]);
    assert_eq!(
        (chat.text("README.md"), chat.text("c.txt")),
        (readme, "since then\n".into())
    );
    assert!(!chat.checkpoints.join("revert.json").exists());
    assert!(!chat.numbers().contains(&from), "{:?}", chat.numbers());
    assert_eq!(parlour.json(&["undo-revert", "work", "--yes"])["to"], saved);
    assert_eq!(chat.text("b.txt"), "two\n");
}

#[test]
fn a_revert_that_failed_is_never_finished_later() {
    let chat = RevertedChat::new();
    let parlour = &chat.parlour;
    chat.write("b.txt", "one\n");
    let one = chat.save();
    chat.write("b.txt", "two\n");
    let from = chat.cut_off(one, "revert-called-off.json");
    // A part of it was done, and could not be taken back at once.
    chat.write("b.txt", "one\n");
    parlour.json(&["checkpoint", "work"]);
    assert_eq!(chat.text("b.txt"), "two\n");
    assert!(!chat.checkpoints.join("revert-called-off.json").exists());
    assert!(!chat.numbers().contains(&from), "{:?}", chat.numbers());
    let refused = parlour.refusal(&["undo-revert", "work", "--yes"]);
    assert!(refused.contains("there is no revert to take back"), "{refused}");
    let noted = parlour.say(&["events", "work"]);
    assert!(noted.contains("failed, and is called off now"), "{noted}");
}

#[test]
fn a_state_that_its_store_has_lost_is_not_taken_for_an_older_one_or_none() {
    let chat = RevertedChat::new();
    let parlour = &chat.parlour;
    chat.write("b.txt", "one\n");
    let one = chat.save();
    chat.write("b.txt", "two\n");
    let two = chat.save();
    chat.write("b.txt", "three\n");
    let saved = |number: u64| chat.checkpoints.join(format!("grove.git/refs/parlour/{number:010}"));
    let refuses = |words: &[&str], number: u64| {
        let refused = parlour.refusal(words);
        let why = format!("what grove was at checkpoint {number} is not in its store any more");
        assert!(refused.contains(&why) && refused.contains("grove.git"), "{refused}");
        assert_eq!(chat.text("b.txt"), "three\n");
    };
    // The one before it is there.
    let kept = fs::read(saved(two)).unwrap();
    fs::remove_file(saved(two)).unwrap();
    let (one, named) = (one.to_string(), two.to_string());
    refuses(&["revert", "work", &named, "--code", "--yes"], two);
    refuses(&["diff", "work", "--since", &named], two);
    assert_eq!(
        parlour.json(&["diff", "work", "--since", &one])["changes"][0]["files"][0]["path"],
        "b.txt"
    );
    fs::write(saved(two), kept).unwrap();
    parlour.json(&["revert", "work", &named, "--code", "--yes"]);
    assert_eq!(chat.text("b.txt"), "two\n");
    // What that revert replaced is gone too.
    chat.write("b.txt", "three\n");
    let replaced = chat.numbers().into_iter().max().unwrap();
    fs::rename(chat.checkpoints.join("grove.git"), chat.checkpoints.join("elsewhere")).unwrap();
    refuses(&["undo-revert", "work", "--yes"], replaced);
}

#[test]
fn an_agent_works_on_where_a_revert_is_refused_and_doctor_says_why_it_is() {
    let chat = RevertedChat::new();
    let parlour = &chat.parlour;
    chat.write("b.txt", "one\n");
    let one = chat.save().to_string();
    chat.write("b.txt", "two\n");
    let two = chat.save().to_string();
    let store = chat.checkpoints.join("grove.git/refs/parlour");
    fs::remove_file(store.join(format!("{one:0>10}"))).unwrap();
    let agents = parlour.agents();
    let refused = parlour.refusal(&["revert", "work", &one, "--yes"]);
    assert!(refused.contains("is not in its store any more"), "{refused}");
    assert_eq!(
        (chat.text("b.txt"), parlour.agents()),
        ("two\n".into(), agents),
        "nothing is touched, and it works on"
    );
    let doctor = parlour.run(&["doctor"]);
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(
        said.contains(&format!(
            "checkpoint {one} of grove is in the list and not in its store"
        )),
        "{said}"
    );
    parlour.json(&["revert", "work", &two, "--code", "--yes"]);
}

#[test]
fn what_was_saved_can_be_gone_back_to_where_its_line_cannot_be_read() {
    let chat = RevertedChat::new();
    let parlour = &chat.parlour;
    chat.write("b.txt", "one\n");
    let one = chat.save();
    chat.write("b.txt", "two\n");
    let two = chat.save();
    let known = chat.numbers();
    let list = chat.checkpoints.join("list.jsonl");
    let lines = fs::read_to_string(&list).unwrap();
    let damaged = lines.replace(&format!("\"number\":{one},"), "\"number\":x,");
    assert_ne!(damaged, lines);
    fs::write(&list, damaged).unwrap();
    assert_eq!(chat.numbers(), known);
    let shown = parlour.say(&["checkpoints", "work"]);
    assert!(shown.contains("its line in the list cannot be read"), "{shown}");
    parlour.json(&["revert", "work", &one.to_string(), "--code", "--yes"]);
    assert_eq!(chat.text("b.txt"), "one\n");
    fs::write(&list, "").unwrap();
    assert_eq!(chat.numbers(), [known, vec![two + 1]].concat());
}

#[test]
fn a_clone_that_cannot_be_saved_is_told_of_and_holds_up_no_other() {
    let chat = RevertedChat::new();
    let parlour = &chat.parlour;
    let other = repository(&parlour.scratch().join("meadow"));
    parlour.json(&["open-dir", "work", &other]);
    let meadow = chat.clone.parent().unwrap().join("meadow");
    fs::rename(meadow.join(".git/index"), meadow.join(".git/index2")).unwrap();
    std::os::unix::fs::symlink("index2", meadow.join(".git/index")).unwrap();
    let before = chat.numbers().len();
    parlour.json(&["send", "work", "noask again"]);
    parlour.wait("work", "idle");
    until("the second turn has its checkpoint", PATIENCE, || {
        chat.numbers().len() > before
    });
    let number = *chat.numbers().last().unwrap();
    let noted = parlour.say(&["events", "work"]);
    assert!(noted.contains("is without meadow, which could not be saved"), "{noted}");
    let shown = parlour.say(&["checkpoints", "work"]);
    assert!(shown.contains("; without meadow"), "{shown}");

    let agents = parlour.agents();
    let refused = parlour.refusal(&["revert", "work", &number.to_string(), "--yes"]);
    assert!(refused.contains("meadow was not saved at checkpoint"), "{refused}");
    assert_eq!(parlour.agents(), agents, "it works on");

    chat.write("README.md", "changed\n");
    parlour.json(&["commit", "work", "--project", "grove", "-m", "Change"]);
    assert_eq!(git(&chat.clone, &["log", "-1", "--format=%s"]), "Change");
    let refused = parlour.refusal(&["commit", "work", "--project", "meadow", "-m", "Change"]);
    assert!(
        refused.contains("committing in meadow: reading") && refused.contains("links are not followed"),
        "{refused}"
    );
}
