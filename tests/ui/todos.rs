//! The Todos tab.

use parlour::domain::event::{DiskEvent, Event, Outcome};
use parlour::domain::work::{Read, ReadDone, Work};
use parlour::model::Happened;
use parlour::model::todo::Todos;
use serde_json::json;

use super::pictured;
use crate::support::events::{entry, works};
use crate::support::world::World;

const LIST: &str = "# Before the release\n\n- [x] Read the old session code\n- [ ] Test the expired token\n  - [ ] with a clock \
                    that was set back by an hour, and once more with one that was set ahead of all others\n  - [x] \
                    期限切れのトークン\n- [ ] Write the \u{202e}changelog\n";

fn listed(cols: u16, rows: u16, text: &str) -> World {
    let mut world = World::morning(cols, rows);
    let mut chat = world.on_disk("auth");
    chat.todos = Todos::parse(text.as_bytes());
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat))));
    let effects = world.press("l");
    let input = json!({"todos": [
        {"content": "Reproduce it", "status": "completed"},
        {"content": "Mend the comparison", "status": "in_progress"},
        {"content": "Mend the docs", "status": "pending"},
        {"content": "Ask Mia", "status": "cancelled"},
    ]});
    let plan = entry(
        9,
        Happened::ToolStart {
            id: "t".into(),
            name: "TodoWrite".into(),
            input,
            dir: None,
            parent: None,
        },
    );
    for (number, job) in works(&effects) {
        if let Work::Read(Read::Tail(chat)) = job {
            let entries = if text.is_empty() {
                Vec::new()
            } else {
                vec![plan.clone()]
            };
            world.happens(Event::Done(number, Outcome::Read(ReadDone::Tail(chat, entries))));
        }
    }
    world
}

#[test]
fn the_checklist_stands_above_what_the_agent_plans() {
    pictured(
        "todos.list",
        "2 of 5 done; the second is selected; two are indented; the tab says 2/5; below it the plan of Claude Code.",
        |cols, rows| {
            let mut world = listed(cols, rows, LIST);
            world.press("j");
            world
        },
    );
}

#[test]
fn a_chat_without_todos_says_what_they_are_for() {
    pictured(
        "todos.none",
        "What todos are, and the keys to add one.",
        |cols, rows| listed(cols, rows, ""),
    );
}

#[test]
fn that_todos_come_first_is_said_and_a_push_offers_a_way_past() {
    pictured(
        "todos.first",
        "At the right of the heading: done, push and PR wait; the dialog adds a todo.",
        |cols, rows| {
            let mut world = listed(cols, rows, LIST);
            let mut chat = world.on_disk("auth");
            chat.record.set.todos_first = true;
            world.happens(Event::Disk(DiskEvent::Chat(Box::new(chat))));
            world.press("a");
            world.paste("Tell Jo");
            world
        },
    );
}
