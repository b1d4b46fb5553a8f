//! The page of why a status is what it is, and the status itself above the terminal.

use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{Read, ReadDone, ShownContent, ShownRead, Work};
use parlour::model::{HookEvent, Trouble, TroubleKind};
use serde_json::json;

use super::pictured;
use crate::support::events::{bash_began, submitted, tool_began, tool_ended, turn_ended, works};
use crate::support::world::World;

#[test]
fn a_running_chat_is_explained() {
    let what = "The verdict, what it rests on, directories and servers, and what each source said last.";
    pictured("explain.running", what, |cols, rows| {
        let mut world = World::morning(cols, rows);
        let effects = world.press("I");
        let read = json!({
            "servers": [
                {"name": "parlour", "on": true, "from": "parlour", "place": "http://127.0.0.1:4711/mcp"},
                {"name": "db", "on": false, "from": "config.json", "place": "db-mcp", "because": "left out of this chat"},
            ],
            "rules_lost": ["ask Bash(git push:*): its CLI knows no rule that asks"],
        });
        for (number, job) in works(&effects) {
            if let Work::Read(Read::Shown(ShownRead::Explain(chat))) = job {
                let shown = ShownContent::Explain(chat, read.clone());
                world.happens(Event::Done(number, Outcome::Read(ReadDone::Shown(shown))));
            }
        }
        world
    });
}

#[test]
fn a_chat_that_has_ended_is_explained() {
    let what = "No agent has run, and the page says so.";
    pictured("explain.ended", what, |cols, rows| {
        let mut world = World::morning(cols, rows);
        world.press("G I");
        world
    });
}

fn failed(kind: TroubleKind, message: &str) -> HookEvent {
    HookEvent::TurnFailed {
        error: "error".into(),
        message: message.into(),
        trouble: Trouble::of(kind),
    }
}

#[test]
fn the_status_says_when_a_limit_ends_and_that_nobody_is_logged_in() {
    pictured("header.limit", "The limit, and when it ends.", |cols, rows| {
        let mut world = World::morning(cols, rows);
        world.hook(failed(TroubleKind::Limit, "You've hit your limit · resets 3pm (UTC)"));
        world
    });
    pictured("header.logged-out", "Nobody is logged in.", |cols, rows| {
        let mut world = World::morning(cols, rows);
        world.hook(failed(TroubleKind::Login, "Please run /login"));
        world
    });
    let what = "Two tools run, of three that the turn has begun.";
    pictured("header.tally", what, |cols, rows| {
        let mut world = World::morning(cols, rows);
        world.hook(submitted("go"));
        for tool in ["t1", "t2", "t3"] {
            world.hook(tool_began(tool, "Bash"));
        }
        world.hook(tool_ended("t1", "Bash"));
        world
    });
}

#[test]
fn a_chat_that_is_done_says_that_its_last_command_failed() {
    let what = "The check sign of a chat that is done, and beside its name that its last command failed; the header has it too.";
    let build = |cols, rows| {
        let mut world = World::morning(cols, rows);
        // Somebody looks at another one meanwhile, and comes back.
        world.press("j");
        world.hook(submitted("fix it"));
        world.hook(bash_began("t1", "cargo test"));
        world.hook(HookEvent::ToolEnded {
            id: "t1".into(),
            name: "Bash".into(),
            output: "1 test failed".into(),
            failed: true,
            interrupted: false,
            ms: None,
            cwd: None,
        });
        world.hook(turn_ended(0));
        world.press("k");
        world
    };
    pictured("sidebar.command-failed", what, build);
}
