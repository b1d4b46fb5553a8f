//! parlour is never milder to a command than the agent CLI is alone, unless a rule of a person's says so.
//!
//! `tests/terminal/commands.rs` records what the CLIs say alone. OpenCode has no hook that parlour could answer: its
//! permissions, which ask about every command, are in `agents/opencode/tests/rules.rs`.

use parlour::agents;
use parlour::domain::Event;
use parlour::model::settings::PermissionSettings;
use parlour::model::{CallId, HookEvent, Settings};
use serde_json::{Value, json};

use crate::support::commands::{CLIS, Table, Verdict};
use crate::support::events::submitted;
use crate::support::world::{World, id};

/// A chat with a clone in it, under these rules.
fn chat(allow: &[&str]) -> World {
    let mut world = World::at_rest();
    let auth = id("auth");
    let mut other = World::unwatched(&[]);
    other.chat("auth", "auth", 1).project("grove", "main");
    let opened = other.state.domain.disk.chats.remove(&auth).unwrap();
    world.state.domain.disk.chats.change(&auth, |chat| {
        chat.projects = opened.projects;
        chat.record.dirs = opened.record.dirs;
    });
    let mut settings = world.state.domain.disk.settings.clone();
    settings.permissions = PermissionSettings {
        allow: allow.iter().map(|rule| rule.to_string()).collect(),
        ..PermissionSettings::default()
    };
    world.state.domain.disk.follow(settings);
    world.happens(Event::Hook(CallId(9), auth, vec![submitted("go on")]));
    world
}

/// What parlour makes of what a CLI says alone.
fn inside(world: &mut World, cli: &str, command: &str, alone: Verdict) -> Verdict {
    let (tool, event) = match cli {
        "gemini" => ("run_shell_command", "BeforeTool"),
        _ => ("Bash", "PreToolUse"),
    };
    let (_, answer) = world.hooked(HookEvent::ToolStarted {
        id: "t1".into(),
        name: tool.into(),
        input: json!({ "command": command }),
        parent: None,
        cwd: None,
    });
    let adapter = agents::find(cli, &Settings::default()).unwrap();
    let said = adapter.hook_answer(event, &answer.unwrap());
    let word = |value: &Value| value.as_str().map(String::from);
    let decision = word(&said["hookSpecificOutput"]["permissionDecision"]).or_else(|| word(&said["decision"]));
    match decision.as_deref() {
        Some("allow") => Verdict::Runs,
        Some("ask") => alone.max(Verdict::Asks),
        Some("deny") => Verdict::Refuses,
        None => alone,
        Some(other) => panic!("{other}"),
    }
}

/// The commands to which parlour is milder than the CLI.
fn milder(allow: &[&str]) -> Vec<(&'static str, String)> {
    let mut world = chat(allow);
    let mut milder = Vec::new();
    for line in Table::read().lines() {
        for (cli, alone) in CLIS.into_iter().zip(line.alone) {
            let alone = alone.unwrap_or_else(|| panic!("not recorded: {}", line.text));
            if inside(&mut world, cli, &line.text, alone) < alone {
                milder.push((cli, line.text.clone()));
            }
        }
    }
    milder
}

#[test]
fn parlour_is_never_milder_to_a_command_than_the_cli_alone() {
    let milder = milder(&[]);
    let told: Vec<String> = milder.iter().map(|(cli, line)| format!("{cli}: {line}")).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn a_rule_makes_milder_what_it_names_and_nothing_else() {
    let milder = milder(&["Bash(rm:*)"]);
    let names = |line: &str| line.split(|c: char| !c.is_alphanumeric()).any(|word| word == "rm");
    for (cli, line) in &milder {
        assert!(names(line), "{cli}: {line}");
    }
    assert!(milder.contains(&("claude", "rm -rf gone".into())), "{milder:?}");
    assert!(milder.contains(&("claude", "ls; rm -f gone".into())), "{milder:?}");
}
