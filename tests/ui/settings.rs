//! The settings screen.

use parlour::model::setting::{BrokenSettings, SettingsFile};
use serde_json::{Value, json};

use super::pictured;
use crate::support::settings::settings_file;
use crate::support::world::World;

fn mine() -> Value {
    json!({
        "defaultLlm": "claude",
        "theme": "nord",
        "keys": {"newChat": "c"},
        "trust": {"claude": true},
        "limits": {"liveAgents": 3, "budget": {"day": 20}},
        "notify": {"on": ["needs-you", "failed"]},
        "prices": {"my-model": {"input": 1.0, "output": 4.0}},
        "permissions": {"allow": ["Bash(cargo test:*)", "Edit(src/**)"], "deny": ["Read(**/.env)"]},
        "globalMcpServers": {
            "db": {"command": "db-mcp", "args": ["--read-only"], "env": {"DB_URL": "secret"}},
            "docs": {"url": "https://example.org/mcp"}
        },
        "customLlms": {"mine": {"command": "my-agent", "args": ["chat"]}}
    })
}

/// A section, so many below the first.
fn section(name: &str, what: &str, below: usize) {
    pictured(&format!("settings.{name}"), what, |cols, rows| {
        let mut world = World::at_settings(cols, rows, mine());
        world.press("left");
        for _ in 0..below {
            world.press("down");
        }
        world.press("right");
        world
    });
}

#[test]
fn each_section_shows_its_settings_with_values_and_where_they_come_from() {
    section(
        "general",
        "The sections at the left; the default agent is set, the rest are defaults.",
        0,
    );
    section("theme", "Theme and motion.", 1);
    section("agents", "An agent of one's own, and trust for each CLI.", 2);
    section(
        "servers",
        "Two servers, by their command or address; no secret is shown.",
        3,
    );
    section(
        "keys",
        "Every command with its keys; one has another key than usual.",
        4,
    );
    section("permissions", "Rules in three lists, each with a line to add one.", 5);
    section("limits", "All limits with the budget.", 6);
    section("sandbox", "Whether the kernel holds agents in.", 7);
    section("notifications", "What one is called for, word by word, and how.", 8);
    section("prices", "A price of one's own.", 9);
    section("checkpoints", "Sizes and times, each with its unit.", 10);
    section("mcp", "Port and tools.", 11);
}

#[test]
fn a_number_is_typed_and_what_it_cannot_be_is_said() {
    pictured(
        "settings.typed",
        "A limit is typed below the list; 0 was refused with what it may be.",
        |cols, rows| {
            let mut world = World::at_settings(cols, rows, mine());
            world.press("/");
            world.paste("liveAgents");
            world.press("enter enter ctrl+u 0 enter");
            world
        },
    );
}

#[test]
fn a_theme_is_chosen_from_a_list() {
    pictured(
        "settings.choose",
        "The themes with what each is like; the one that is set is chosen.",
        |cols, rows| {
            let mut world = World::at_settings(cols, rows, mine());
            world.press("/");
            world.paste("theme");
            world.press("enter enter");
            world
        },
    );
}

#[test]
fn all_settings_are_searched_as_one_types() {
    pictured(
        "settings.search",
        "Settings of several sections that have the word; the cursor is in the field.",
        |cols, rows| {
            let mut world = World::at_settings(cols, rows, mine());
            world.press("/");
            world.paste("agents run");
            world
        },
    );
}

#[test]
fn a_broken_file_is_shown_with_its_place_and_nothing_is_written() {
    pictured(
        "settings.broken",
        "Line and column, what holds meanwhile, and the key that opens the file; the change was refused.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            world.press(",");
            world.reads_settings(SettingsFile {
                broken: Some(BrokenSettings {
                    at: Some((3, 5)),
                    why: "expected `,` or `}`".into(),
                }),
                ..settings_file(json!({}))
            });
            world.press("enter");
            world
        },
    );
}

#[test]
fn a_key_is_pressed_for_a_command_and_what_it_is_taken_from_is_shown() {
    pictured(
        "settings.catch",
        "A key that deletes chats was pressed for another command: it says so, and waits for Enter.",
        |cols, rows| {
            let mut world = World::at_settings(cols, rows, mine());
            world.press("/");
            world.paste("rename this chat");
            world.press("enter enter x");
            world
        },
    );
}

#[test]
fn a_call_is_tried_against_the_rules() {
    pictured(
        "settings.tried",
        "The verdict with the rule below what is typed.",
        |cols, rows| {
            let mut world = World::at_settings(cols, rows, mine());
            world.press("/");
            world.paste("permissions.deny");
            world.press("enter G enter");
            world.paste("git push --forc");
            world.press("e");
            world
        },
    );
}

#[test]
fn when_an_agent_cli_asks_is_chosen_from_what_it_knows() {
    pictured(
        "settings.policy",
        "What Claude Code may do unasked, each with what it means; the one that holds is chosen.",
        |cols, rows| {
            let mut world = World::at_settings(cols, rows, mine());
            world.press("/");
            world.paste("approval policy");
            world.press("enter down enter");
            world
        },
    );
}

#[test]
fn the_form_of_an_agent_says_all_that_would_be_written() {
    pictured(
        "settings.agent-form",
        "The fields of an agent of one's own; below them what config.json gets, whole where there is room.",
        |cols, rows| {
            let mut world = World::at_settings(cols, rows, mine());
            world.press("/");
            world.paste("customLlms");
            world.press("enter n");
            for part in [
                "mine-2",
                "my-agent",
                "chat --model 'large one'",
                "chat --resume",
                "^> $",
                "A=1 B=2",
                "AGENT.md",
            ] {
                world.paste(part);
                world.press("tab");
            }
            world
        },
    );
}

#[test]
fn a_server_has_a_field_for_each_part_and_is_tested() {
    pictured(
        "settings.form",
        "The fields of a server, what came of testing it, and what config.json gets.",
        |cols, rows| {
            let mut world = World::at_settings(cols, rows, mine());
            world.press("/");
            world.paste("globalMcpServers");
            world.press("enter down enter down ctrl+t");
            world.started("db", Ok("3 tools in 120 ms: query, tables, schema".into()));
            world
        },
    );
}
