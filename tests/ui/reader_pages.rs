//! Tabs, settings and dialogs in lines, for a screen reader.

use parlour::domain::Event;
use parlour::model::{CallId, HookEvent};
use serde_json::json;

use super::reader::{heard, hears};
use crate::support::dialog::disk_use;
use crate::support::review::{answer, listed, reviewed};
use crate::support::world::{World, id};

fn changes(cols: u16, rows: u16, keys: &str) -> World {
    let mut world = hears(reviewed(cols, rows));
    world.press_each(keys, answer);
    world
}

#[test]
fn what_changed_in_lines() {
    heard(
        "changes",
        "The selected file with its kind and counts where the cursor stands; below it the turns and all files.",
        |cols, rows| changes(cols, rows, "j"),
    );
    heard(
        "diff",
        "The line under the cursor with its number and whether it was added; below it the lines around it.",
        |cols, rows| changes(cols, rows, "enter n j"),
    );
}

#[test]
fn checkpoints_in_lines() {
    heard(
        "checkpoints",
        "The selected checkpoint with its cause; below it all of them.",
        |cols, rows| {
            let mut world = hears(listed(cols, rows));
            world.press_each("j", answer);
            world
        },
    );
}

#[test]
fn settings_in_lines() {
    let written =
        || json!({"theme": "nord", "limits": {"liveAgents": 3}, "permissions": {"allow": ["Bash(cargo test:*)"]}});
    for (name, keys, what) in [
        (
            "settings",
            "down down",
            "The selected setting with its value; below it what it does, then the sections and the settings.",
        ),
        (
            "settings-sections",
            "left down down",
            "The selected section; below it its settings.",
        ),
        (
            "settings-choose",
            "/ t h e m e enter enter down",
            "The theme that the cursor is on, and what it is like; below it all themes.",
        ),
        (
            "settings-typed",
            "/ l i v e A g e n t s enter enter",
            "The value that is typed with its name, the cursor behind it.",
        ),
        (
            "settings-search",
            "/ k e e p",
            "What is searched for, with the cursor; below it the first setting that has it.",
        ),
        (
            "settings-form",
            "/ m c p S e r v e r s enter enter tab d b",
            "The focused field of a new server with what belongs there.",
        ),
    ] {
        heard(name, what, |cols, rows| {
            let mut world = hears(World::at_settings(cols, rows, written()));
            world.press(keys);
            world
        });
    }
}

fn asks(world: &mut World, chat: &str, call: u64, tool: &str, input: serde_json::Value) {
    let asked = HookEvent::PermissionAsked {
        reach: Vec::new(),
        tool: tool.into(),
        input,
    };
    world.happens(Event::Hook(CallId(call), id(chat), vec![asked]));
}

/// An edit and a command wait, and their dialog is open.
fn asked(cols: u16, rows: u16) -> World {
    let mut world = hears(World::morning(cols, rows));
    let edit = json!({
        "file_path": format!("/home/mia/.parlour/chats/{}/projects/ledger/src/report/dates.rs", id("dates")),
        "old_string": "    Date::of(next, 1) - Days(2)\n",
        "new_string": "    // The day before the first.\n    Date::of(next, 1) - Days(1)\n",
    });
    asks(&mut world, "dates", 22, "Edit", edit);
    world.later(60_000);
    asks(
        &mut world,
        "auth",
        23,
        "Bash",
        json!({"command": "cargo test && git push"}),
    );
    world.later(60_000);
    world.press("a");
    world
}

#[test]
fn approvals_in_lines() {
    heard(
        "approval-edit",
        "The focused button and the question; below it the edit with words for what is removed and added, then the queue.",
        |cols, rows| {
            let mut world = asked(cols, rows);
            world.press("up");
            world
        },
    );
    heard(
        "approval-always",
        "The rule that would be written, with the cursor in it; below it the question.",
        |cols, rows| {
            let mut world = asked(cols, rows);
            world.later(2_000);
            world.press("a");
            world
        },
    );
    heard(
        "approval-reason",
        "The reason for a no is typed, with the cursor behind it.",
        |cols, rows| {
            let mut world = asked(cols, rows);
            world.later(2_000);
            world.press("r n o");
            world
        },
    );
}

#[test]
fn what_lies_on_disk_in_lines() {
    heard(
        "disk",
        "The selected item with its size; below it all items.",
        |cols, rows| {
            let mut world = hears(World::morning(cols, rows));
            world.press("X d");
            world.measures(disk_use());
            world.later(1_000);
            world.press("down");
            world
        },
    );
}

#[test]
fn servers_of_a_chat_and_its_status_in_lines() {
    heard(
        "explain",
        "Why the status of the chat is what it is, one fact a line.",
        |cols, rows| {
            let mut world = hears(World::morning(cols, rows));
            world.press("I");
            world
        },
    );
}
