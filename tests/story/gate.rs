//! The gate of the real engine: what an agent's hook is told, whatever has become of the engine.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::support::parlour::{PATIENCE, Parlour, until};

/// A chat of the demo agent, whose hooks are those of Claude Code, called here as its CLI would.
struct Agent<'a> {
    parlour: &'a Parlour,
    chat: String,
}

impl Agent<'_> {
    fn start<'a>(parlour: &'a Parlour, name: &str) -> Agent<'a> {
        let made = parlour.json(&["new", name, "--llm", "demo"]);
        parlour.wait(name, "idle");
        let chat = made["id"].as_str().unwrap().to_owned();
        Agent { parlour, chat }
    }

    fn calls(&self, line: &str) -> Child {
        self.hooks("PreToolUse", line)
    }

    /// Its dialog is open, and its hook waits for an answer from parlour; with that question's id.
    fn opens_a_dialog(&self, line: &str) -> (Child, String) {
        let hook = self.hooks("PermissionRequest", line);
        let asked = || self.parlour.json(&["approvals"])["approvals"][0]["id"].clone();
        until("it is asked", PATIENCE, || asked().is_string());
        (hook, asked().as_str().unwrap().to_owned())
    }

    fn hooks(&self, event: &str, line: &str) -> Child {
        let token = self.parlour.home().join("records").join(&self.chat).join("hook-token");
        let mut command: Command = self.parlour.command(&["hook", "demo", event, "--token-file"]);
        command.arg(token).env("PARLOUR_CHAT", &self.chat);
        let mut hook = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let payload = json!({
            "session_id": "one", "hook_event_name": event, "tool_name": "Bash", "tool_use_id": "call-1",
            "tool_input": { "command": line },
        });
        hook.stdin
            .take()
            .unwrap()
            .write_all(payload.to_string().as_bytes())
            .unwrap();
        hook
    }

    /// What its CLI is told of a command, and why.
    fn asks(&self, line: &str) -> (String, String) {
        told(self.calls(line))
    }
}

fn told(hook: Child) -> (String, String) {
    let said = hook.wait_with_output().unwrap().stdout;
    let said: Value = serde_json::from_slice(&said).unwrap();
    let word = |key: &str| {
        let value = said["hookSpecificOutput"][key].as_str();
        value.unwrap_or_else(|| panic!("{said}")).to_owned()
    };
    (word("permissionDecision"), word("permissionDecisionReason"))
}

/// What became of a dialog: how it was answered, and what the agent is told.
fn decided(hook: Child) -> (String, String) {
    let said = hook.wait_with_output().unwrap().stdout;
    let said: Value = serde_json::from_slice(&said).unwrap();
    let decision = &said["hookSpecificOutput"]["decision"];
    let word = |key: &str| decision[key].as_str().unwrap_or_default().to_owned();
    (word("behavior"), word("message"))
}

fn by_the_engine() -> (String, String) {
    ("ask".into(), "not all of it can be taken apart".into())
}

fn in_silence() -> (String, String) {
    ("ask".into(), "parlour did not answer in time, so you are asked".into())
}

#[test]
fn lines_that_take_long_to_read_are_asked_about_and_hold_up_nobody() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"permissions": {"allow": ["Bash(make:*)"]}}"#);
    let agent = Agent::start(&parlour, "talk");
    let other = Agent::start(&parlour, "other");
    let lines = [")".repeat(120 << 10), "ls|".repeat(40 << 10), "?(declare ".repeat(500)];
    let (begun, over) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        let flood = scope.spawn(|| {
            let mut answers = Vec::new();
            for line in lines.iter().cycle() {
                answers.push(agent.asks(line));
                begun.store(true, Ordering::Relaxed);
                if over.load(Ordering::Relaxed) && answers.len() >= lines.len() {
                    return answers;
                }
            }
            answers
        });
        until("the first line is answered", PATIENCE, || {
            begun.load(Ordering::Relaxed) || flood.is_finished()
        });
        let listed = [(); 5].map(|()| parlour.run(&["list", "--json"]).status.success());
        let others = [(); 3].map(|()| other.asks("make").0);
        over.store(true, Ordering::Relaxed);
        // That the engine says so itself, in the time that a hook has, is what it is about.
        let answers = flood.join().unwrap();
        assert!(answers.iter().all(|told| *told == by_the_engine()), "{answers:?}");
        assert_eq!(listed, [true; 5]);
        assert_eq!(others, ["allow"; 3]);
    });
}

/// A rule that allows all does not count where nobody is there to tell it.
pub fn nothing_runs_unasked_while_the_engine_is_frozen_or_gone() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"permissions": {"allow": ["Bash(make:*)"]}}"#);
    let agent = Agent::start(&parlour, "talk");
    assert_eq!(agent.asks("make").0, "allow");

    let pid = parlour.status()["engine"]["pid"].as_i64().unwrap();
    let engine = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    kill_process(engine, Signal::STOP).unwrap();
    let many: Vec<Child> = (0..20).map(|_| agent.calls("make")).collect();
    let answers: Vec<_> = many.into_iter().map(told).collect();
    kill_process(engine, Signal::CONT).unwrap();
    assert!(answers.iter().all(|told| *told == in_silence()), "{answers:?}");
    // It goes on as if nothing had been.
    assert_eq!(agent.asks("make").0, "allow");

    kill_process(engine, Signal::STOP).unwrap();
    let waits = agent.calls("make");
    kill_process(engine, Signal::KILL).unwrap();
    assert_eq!(told(waits), in_silence());
    assert_eq!(agent.asks("make"), in_silence());
    assert!(parlour.engines().is_empty());
}

/// What a person denied is not known then, and may be what an agent wants.
#[test]
fn an_engine_that_cannot_read_its_settings_at_its_start_asks_about_all() {
    let parlour = Parlour::new();
    let broken = r#"{"permissions": {"deny": ["Bash(make:*)"]}, "limits": {"liveAgents": "many"}}"#;
    parlour.configure(broken);
    let agent = Agent::start(&parlour, "talk");
    for line in ["make", "ls"] {
        let (word, why) = agent.asks(line);
        assert_eq!(word, "ask", "{line}");
        assert!(why.contains("config.json cannot be read"), "{why}");
    }
    assert_eq!(agent.asks("rm -rf /").0, "deny");
    let said = parlour.say(&["status"]);
    assert!(said.contains("agents ask about every call"), "{said}");
    let told = parlour.say(&["explain", "talk"]);
    assert!(told.contains("sandbox"), "it may have said strict: {told}");

    parlour.configure(r#"{"permissions": {"deny": ["Bash(make:*)"], "allow": ["Bash(ls)"]}}"#);
    until("the engine has read it", PATIENCE, || {
        parlour.status()["settings_problem"].is_null()
    });
    assert_eq!(agent.asks("make").0, "deny");
    assert_eq!(agent.asks("ls").0, "allow");
}

/// Which calls it is about nobody knows.
#[test]
fn a_misspelt_rule_that_denies_makes_agents_ask_about_all_and_is_named() {
    let parlour = Parlour::new();
    parlour.configure(r#"{"permissions": {"allow": ["Bash(ls)"], "deny": ["Bash(git push:*"]}}"#);
    let agent = Agent::start(&parlour, "talk");
    let (word, why) = agent.asks("ls");
    assert_eq!(word, "ask");
    assert!(why.contains("Bash(git push:*"), "{why}");
    let said = parlour.say(&["status"]);
    assert!(
        said.contains("Bash(git push:*") && said.contains("agents ask about every call"),
        "{said}"
    );
    let log = std::fs::read_to_string(parlour.home().join("run/engine.log")).unwrap();
    assert!(log.contains("config.json:1:66: permissions.deny.0"), "{log}");

    parlour.configure(r#"{"permissions": {"allow": ["Bash(ls)"], "deny": ["Bash(git push:*)"]}}"#);
    until("the engine has read it", PATIENCE, || {
        parlour.status()["settings_problem"].is_null()
    });
    assert_eq!(agent.asks("ls").0, "allow");
}

#[test]
fn what_is_always_allowed_is_not_asked_again() {
    let parlour = Parlour::new();
    let config = "{\n  \"mine\" : [1,2],\n  \"permissions\": {\"deny\": [\"Bash(rm:*)\"]}\n}\n";
    parlour.configure(config);
    let file = parlour.home().join("config.json");
    let agent = Agent::start(&parlour, "talk");
    let (hook, id) = agent.opens_a_dialog("cargo test a");
    let proposed = parlour.say(&["approve", &id, "--rules"]);
    assert_eq!(proposed, "Bash(cargo test:*)\nBash(cargo test a)\n");
    let said = parlour.say(&["approve", &id, "--always"]);
    assert_eq!(said, "config.json allows Bash(cargo test:*) from now on\n");
    assert_eq!(decided(hook).0, "allow");
    // It holds for what follows, at once.
    assert_eq!(agent.asks("cargo test -j2").0, "allow");
    let written = std::fs::read_to_string(&file).unwrap();
    // What is beside it stays as it was written; the object that gets a member has one a line now.
    let begins = "{\n  \"mine\" : [1,2],\n  \"permissions\": {\n    \"deny\": [\"Bash(rm:*)\"],\n";
    assert_eq!(
        written,
        format!("{begins}    \"allow\": [\"Bash(cargo test:*)\"]\n  }}\n}}\n")
    );

    let (hook, id) = agent.opens_a_dialog("cargo publish");
    let refused = parlour.refusal(&["approve", &id, "--always", "Bash(ls:*)"]);
    assert!(
        refused.contains("with Bash(ls:*) this call would still be asked about"),
        "{refused}"
    );
    let refused = parlour.refusal(&["approve", &id, "--always", "Bash(ls"]);
    assert!(refused.contains("is not a rule"), "{refused}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
    parlour.say(&["approve", &id, "--always", "Bash(cargo publish)"]);
    assert_eq!(decided(hook).0, "allow");

    // What nobody can read is never written over.
    let broken = "{\n  \"permissions\": [,\n}";
    let (hook, id) = agent.opens_a_dialog("make install");
    parlour.configure(broken);
    let refused = parlour.refusal(&["approve", &id, "--always"]);
    assert!(refused.contains("config.json:2:19"), "{refused}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
    let reason = "use the staging machine";
    assert_eq!(parlour.say(&["deny", &id, "--reason", reason]), "refused\n");
    assert_eq!(
        decided(hook),
        ("deny".into(), format!("The person refused this call: {reason}"))
    );
}
