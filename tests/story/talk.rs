//! The conversation taken back, with the code or alone, and through a kill: the demo agent, from a shell.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::reviews::repository;
use crate::support::parlour::{PATIENCE, Parlour, kill, until};

const PROMPTS: [&str; 3] = ["noask one", "noask two", "noask three"];

/// A chat of the demo agent with three turns behind it.
struct Talk {
    parlour: Parlour,
    record: PathBuf,
    file: PathBuf,
}

impl Talk {
    fn new() -> Talk {
        let parlour = Parlour::new();
        let grove = repository(&parlour.scratch().join("grove"));
        let made = parlour.json(&["new", "work", "--llm", "demo", "--dir", &grove]);
        let id = made["id"].as_str().unwrap();
        let talk = Talk {
            record: parlour.home().join("records").join(id),
            file: parlour.home().join("chats").join(id).join("projects/grove/turns.txt"),
            parlour,
        };
        talk.parlour.wait("work", "idle");
        for (number, prompt) in PROMPTS.iter().enumerate() {
            talk.say(prompt);
            fs::write(&talk.file, format!("{}\n", number + 1)).unwrap();
        }
        talk
    }

    fn say(&self, prompt: &str) {
        let before = self.turns();
        self.parlour.json(&["send", "work", prompt, "--wait"]);
        self.parlour.wait("work", "idle");
        until("the turn has its checkpoint", PATIENCE, || self.turns() > before);
    }

    fn turns(&self) -> usize {
        let listed = self.parlour.json(&["checkpoints", "work"]);
        let all = listed["checkpoints"].as_array().unwrap().iter();
        all.filter(|one| !one["turn"].is_null()).count()
    }

    fn code(&self) -> String {
        fs::read_to_string(&self.file).unwrap_or_default()
    }

    fn entries(&self, more: &[&str]) -> Vec<Value> {
        let told = self.parlour.say(&[&["events", "work"], more].concat());
        told.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn prompts(&self, more: &[&str]) -> Vec<String> {
        let entries = self.entries(more).into_iter();
        let prompts = entries.filter(|entry| entry["kind"] == "prompt");
        prompts.map(|entry| entry["text"].as_str().unwrap().into()).collect()
    }

    /// What the agent itself has of the conversation, in the session that it goes on with.
    fn session(&self) -> String {
        let record: Value = serde_json::from_slice(&fs::read(self.record.join("chat.json")).unwrap()).unwrap();
        let session = record["sessions"]
            .as_array()
            .unwrap()
            .last()
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned();
        let own = self.record.join(format!("demo-{session}.jsonl"));
        fs::read_to_string(own).unwrap_or_else(|_| fs::read_to_string(self.record.join("demo.jsonl")).unwrap())
    }
}

#[test]
fn code_and_conversation_go_back_together_or_alone() {
    let talk = Talk::new();
    let parlour = &talk.parlour;
    let refused = parlour.refusal(&["revert", "work", "--turn", "2"]);
    assert!(refused.contains("hidden: noask two\nhidden: noask three"), "{refused}");
    assert_eq!(talk.code(), "3\n");

    parlour.json(&["revert", "work", "--turn", "2", "--code", "--yes"]);
    assert_eq!((talk.code().as_str(), talk.prompts(&[]).len()), ("1\n", 3));
    parlour.json(&["undo-revert", "work", "--yes"]);
    assert_eq!((talk.code().as_str(), talk.prompts(&[]).len()), ("3\n", 3));

    parlour.json(&["revert", "work", "--turn", "3", "--talk", "--yes"]);
    assert_eq!(
        (talk.code().as_str(), talk.prompts(&[])),
        ("3\n", vec![PROMPTS[0].into(), PROMPTS[1].into()])
    );
    assert!(talk.session().contains("noask two") && !talk.session().contains("noask three"));
    let told = talk.entries(&[]);
    let revert = told
        .iter()
        .find(|entry| entry["kind"] == "revert" && entry["of"] == "talk")
        .unwrap();
    assert!(revert["hides"]["from"].is_u64(), "{revert}");
    parlour.json(&["undo-revert", "work", "--yes"]);
    assert_eq!(talk.prompts(&[]).len(), 3);
    assert!(talk.session().contains("noask three"));

    let words = "its agent begins an empty conversation: nothing is left ahead of that prompt in its CLI";
    let planned = parlour.refusal(&["revert", "work", "--turn", "1"]);
    assert!(planned.contains(words), "{planned}");
    let planned = parlour.refusal(&["revert", "work", "--turn", "2"]);
    assert!(!planned.contains("its agent begins"), "{planned}");
    let reverted = parlour.say(&["revert", "work", "--turn", "1", "--yes"]);
    assert!(reverted.contains(words), "{reverted}");
    assert_eq!((talk.code().as_str(), talk.prompts(&[]).len()), ("", 0));
    assert!(!talk.session().contains("noask"));
    parlour.wait("work", "idle");
    talk.say("noask four");
    assert_eq!(talk.prompts(&[]), ["noask four"]);
    let hint = parlour.refusal(&["revert", "work", "--turn", "2", "--talk", "--yes"]);
    assert!(hint.contains("no part of the conversation"), "{hint}");
    parlour.json(&["undo-revert", "work", "--yes"]);
    assert_eq!(talk.prompts(&[]), PROMPTS, "what was said since is hidden");
    assert_eq!(talk.prompts(&["--all"]).len(), 4, "and stays on disk");
    assert_eq!(talk.code(), "3\n");
}

#[test]
fn a_conversation_without_clones_goes_back() {
    let parlour = Parlour::new();
    parlour.json(&["new", "plain", "--llm", "demo"]);
    parlour.wait("plain", "idle");
    for prompt in PROMPTS {
        parlour.json(&["send", "plain", prompt, "--wait"]);
        parlour.wait("plain", "idle");
    }
    parlour.json(&["stop", "plain"]);
    let reverted = parlour.json(&["revert", "plain", "--turn", "2", "--yes"]);
    assert_eq!(
        reverted["talk"]["hidden"],
        json!([PROMPTS[1], PROMPTS[2]]),
        "{reverted}"
    );
    let shown = parlour.say(&["events", "plain"]);
    assert!(shown.contains("noask one") && !shown.contains("noask two"), "{shown}");
    parlour.json(&["undo-revert", "plain", "--yes"]);
    assert!(parlour.say(&["events", "plain"]).contains("noask three"));
}

#[test]
fn an_engine_that_is_killed_while_it_goes_back_leaves_code_and_conversation_together() {
    let talk = Talk::new();
    let parlour = &talk.parlour;
    let under_way = talk.record.join("checkpoints/revert.json");
    for wait in [0, 1, 3, 8, 20, 50] {
        let mut revert = parlour
            .command(&["revert", "work", "--turn", "2", "--yes"])
            .spawn()
            .unwrap();
        until("the revert has begun", PATIENCE, || {
            under_way.exists() || revert.try_wait().unwrap().is_some()
        });
        std::thread::sleep(Duration::from_millis(wait));
        kill(parlour.engine_pid());
        revert.wait().unwrap();

        parlour.json(&["resume", "work"]);
        parlour.wait("work", "idle");
        assert!(!under_way.exists());
        let found = (
            talk.code(),
            talk.prompts(&[]).len(),
            talk.session().contains("noask two"),
        );
        let (old, new) = (("3\n".to_owned(), 3, true), ("1\n".to_owned(), 1, false));
        assert!(found == old || found == new, "killed after {wait} ms: {found:?}");
        if found == new {
            parlour.json(&["undo-revert", "work", "--yes"]);
        }
        let found = (
            talk.code(),
            talk.prompts(&[]).len(),
            talk.session().contains("noask two"),
        );
        assert_eq!(found, old, "killed after {wait} ms, and undone");
        parlour.wait("work", "idle");
    }
    let told = talk.entries(&["--all"]);
    let reverts: Vec<&Value> = told.iter().filter(|entry| entry["kind"] == "revert").collect();
    let mut saved: Vec<u64> = reverts.iter().map(|entry| entry["saved"].as_u64().unwrap()).collect();
    saved.dedup();
    assert_eq!(saved.len(), reverts.len(), "each is told once");
}
