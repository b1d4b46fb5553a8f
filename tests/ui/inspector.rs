//! The tabs of the inspector beside the cards.

use parlour::domain::event::{DiskEvent, Event, Outcome};
use parlour::domain::work::{Read, ReadDone, Work};
use parlour::model::entry::{From, SubagentSaid, ToolStatus};
use parlour::model::todo::Todos;
use parlour::model::{Entry, Happened, Settings};
use serde_json::{Value, json};

use super::pictured;
use crate::support::events::works;
use crate::support::told::show_cards_of;
use crate::support::transcript::of_sub_agent;
use crate::support::usage::{used, used_by_sub_agent};
use crate::support::world::{World, noon};

fn call(id: &str, name: &str, input: Value) -> Happened {
    Happened::ToolStart {
        id: id.into(),
        name: name.into(),
        input,
        dir: Some("grove".into()),
        parent: None,
    }
}

fn ended(id: &str, status: ToolStatus, preview: &str, (lines, bytes): (u64, u64), whole: Option<&str>) -> Happened {
    Happened::ToolEnd {
        id: id.into(),
        status,
        preview: preview.into(),
        bytes,
        lines,
        output: whole.map(str::to_string),
        cut: None,
        whole: None,
        changed: None,
        ms: Some(1_240),
    }
}

/// A prompt, an edit, a command that failed with a long output, a call that a person allowed, and one that runs.
fn told() -> Vec<Happened> {
    let edit = json!({
        "file_path": "/home/mia/.parlour/chats/authaaaaaa/projects/grove/src/auth/session.rs",
        "old_string": "    let claims = decode(token).unwrap();",
        "new_string": "    let Ok(claims) = decode(token) else {\n        return Err(Denied::Expired);\n    };",
    });
    let failed: String = (1..=40)
        .map(|line| format!("test session::case_{line} ... ok\n"))
        .collect();
    let fetch =
        json!({"url": "https://ci.example/runs/7?log=full&from=0", "headers": {"Accept": "text/plain"}, "retries": 3});
    vec![
        Happened::Prompt {
            id: "p1".into(),
            text: "The login of expired sessions answers 500.\n\nFind out why, and fix it with a test.".into(),
            from: From::Person,
            sender: None,
            checkpoint: None,
            key: String::new(),
            steer: false,
        },
        call("t1", "Edit", edit),
        ended("t1", ToolStatus::Ok, "", (0, 0), None),
        call(
            "t2",
            "Bash",
            json!({"command": "cargo test session -- --nocapture", "description": "Run the tests"}),
        ),
        ended("t2", ToolStatus::Error, &failed, (9_000, 150_000), Some("outputs/t2")),
        call("t3", "mcp__ci__logs", fetch),
        Happened::Permission {
            id: "t3".into(),
            tool: "mcp__ci__logs".into(),
            input: json!({}),
            answer: "allowed".into(),
            by: "person".into(),
            reason: None,
            given_once_written: false,
            rule: Some("mcp__ci__*".into()),
        },
        ended("t3", ToolStatus::Ok, "run 7: 2 failures\n", (1, 18), None),
    ]
}

fn at_noon(seq: u64, what: Happened) -> Entry {
    Entry {
        v: 1,
        seq,
        ts: noon(),
        read: None,
        what,
    }
}

/// The card so many above the newest is selected, and has the keys.
fn beside(cols: u16, rows: u16, up: usize) -> World {
    let mut world = World::morning(cols, rows);
    let entries: Vec<Entry> = (1..).zip(told()).map(|(seq, what)| at_noon(seq, what)).collect();
    show_cards_of(&mut world, &entries);
    for _ in 0..=up {
        world.press("k");
    }
    world
}

#[test]
fn a_command_in_full() {
    let what = "A call that failed: what ran where and when, and the beginning of a long output with how long it is.";
    pictured("inspector.command", what, |cols, rows| {
        let mut world = beside(cols, rows, 1);
        world.press("enter");
        world
    });
}

#[test]
fn what_a_sub_agent_did() {
    let what = "A call that gave work to a sub-agent: what it was asked, what it used, its own calls, and its answer.";
    pictured("inspector.sub-agent", what, |cols, rows| {
        let mut world = beside(cols, rows, 0);
        let below = |id: &str, name: &str, input: Value| Happened::ToolStart {
            id: id.into(),
            name: name.into(),
            input,
            dir: Some("grove".into()),
            parent: Some("a1".into()),
        };
        let asked = json!({"subagent_type": "Explore", "description": "Find every unwrap",
            "prompt": "Look for every unwrap in src, and say which of them a request can reach."});
        let heard = |state: &str| Happened::Subagent {
            id: "a1".into(),
            name: "Explore".into(),
            state: state.into(),
        };
        let told = vec![
            call("s1", "Task", asked),
            heard("started"),
            of_sub_agent(
                "a1",
                SubagentSaid::Thought,
                "**Looking around**\n\nThe sources come first.",
            ),
            below("s2", "Grep", json!({"pattern": "unwrap\\("})),
            ended("s2", ToolStatus::Ok, "src/auth.rs:88\n", (1, 15), None),
            used_by_sub_agent("claude-haiku-4-5", [2_000, 300, 0, 9_000], "a1"),
            below("s3", "Read", json!({"file_path": "src/gone.rs"})),
            ended("s3", ToolStatus::Error, "no such file\n", (1, 13), None),
            of_sub_agent("a1", SubagentSaid::Answered, "**One** of them: `src/auth.rs`, line 88."),
            heard("ended"),
            ended(
                "s1",
                ToolStatus::Ok,
                "One of them: src/auth.rs, line 88.\n",
                (1, 35),
                None,
            ),
        ];
        let entries = (20..).zip(told).map(|(seq, what)| at_noon(seq, what));
        world.writes("auth", entries.collect());
        world.press("G k k k enter");
        world
    });
}

#[test]
fn an_edit_in_full() {
    let what = "An edit with the file that it touched, as a diff.";
    pictured("inspector.edit", what, |cols, rows| {
        let mut world = beside(cols, rows, 2);
        world.press("enter");
        world
    });
}

#[test]
fn a_call_of_a_server_as_json() {
    let what = "A call of a server that a person allowed by a rule: its input as JSON, and what came back.";
    pictured("inspector.json", what, |cols, rows| {
        let mut world = beside(cols, rows, 0);
        world.press("J");
        world
    });
}

#[test]
fn the_todos_beside_the_terminal() {
    let what = "The checklist and the agent's plan, to be read beside the terminal.";
    pictured("inspector.todos", what, |cols, rows| {
        let mut world = beside(cols, rows, 0);
        let mut chat = world.on_disk("auth");
        let text = "- [x] Read the old session code\n- [ ] Test the expired token, once with a clock that was set back\n  - [ ] \
                    期限切れ\n";
        chat.todos = Todos::parse(text.as_bytes());
        world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat))));
        let effects = world.press("3");
        let plan = json!({"todos": [
            {"content": "Reproduce it", "status": "completed"},
            {"content": "Mend the comparison", "status": "in_progress"},
            {"content": "Mend the docs", "status": "pending"},
        ]});
        let entry = at_noon(30, call("plan", "TodoWrite", plan));
        for (number, job) in works(&effects) {
            if let Work::Read(Read::Tail(chat)) = job {
                let done = ReadDone::Tail(chat, vec![entry.clone()]);
                world.happens(Event::Done(number, Outcome::Read(done)));
            }
        }
        world
    });
}

#[test]
fn the_usage_beside_the_terminal() {
    let what = "What the chat used: in all, its context, its cache, by model.";
    pictured("inspector.usage", what, |cols, rows| {
        let mut world = beside(cols, rows, 0);
        let told = vec![
            used("claude-sonnet-4-5", [400, 900, 12_000, 6_000]),
            used("claude-haiku-4-5", [2_000, 300, 0, 9_000]),
        ];
        world.begins("auth", noon(), told);
        world.press("4");
        world
    });
}

/// What is set for the chat is shown, and the one so far down is selected.
fn at_setting(cols: u16, rows: u16, downs: usize) -> World {
    let mut world = beside(cols, rows, 0);
    world.press("5");
    for _ in 0..downs {
        world.press("j");
    }
    world
}

#[test]
fn the_model_of_a_chat_is_typed() {
    let what = "A field with the model; below, what an empty one means, and when the change acts.";
    pictured("inspector.model", what, |cols, rows| {
        let mut world = at_setting(cols, rows, 0);
        world.press("enter o p u s");
        world
    });
}

#[test]
fn what_an_agent_does_unasked_is_chosen() {
    let what = "The profiles to choose from, what the chosen one means in words, and that a yes is needed.";
    pictured("inspector.unasked", what, |cols, rows| {
        let mut world = at_setting(cols, rows, 1);
        world.press("enter");
        world.later(600);
        world.press("right");
        world
    });
}

#[test]
fn what_is_set_for_the_chat() {
    let what = "Model, permissions with where each comes from, directories, sandbox, servers and parlour's own tools. \
                What Enter changes says whether that acts at once or at the next start.";
    pictured("inspector.chat", what, |cols, rows| {
        let mut world = beside(cols, rows, 0);
        world.sets(|settings| {
            settings.permissions.deny = vec!["Bash(git push *)".into()];
            settings.permissions.allow = vec!["Bash(cargo test *)".into(), "Read".into()];
            let servers = json!({"globalMcpServers": {"db": {"command": "db-mcp"}, "docs": {"command": "docs-mcp"}}});
            let written: Settings = serde_json::from_value(servers).unwrap();
            settings.global_mcp_servers = written.global_mcp_servers;
        });
        world.edits("auth", |chat| chat.record.disabled_servers = vec!["docs".into()]);
        world.press("5");
        world
    });
}
