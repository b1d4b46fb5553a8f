//! What the settings screen changes, and when.

use parlour::app::update;
use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::{SettingDone, SettingWork, TrialOf};
use parlour::domain::{Effect, Event, Work};
use parlour::model::Problem;
use parlour::model::setting::{BrokenSettings, SettingEdit, SettingsFile};
use parlour::screen::dialog::Dialog;
use serde_json::{Value, json};

use crate::support::settings::{edits, settings_file};
use crate::support::world::{ME, World};

fn open() -> World {
    World::at_settings(120, 40, json!({"theme": "nord", "limits": {"liveAgents": 3}}))
}

/// The first setting that has these words.
fn at(words: &str) -> World {
    let mut world = open();
    world.press("/");
    world.paste(words);
    world.press("enter");
    world
}

fn is_open(world: &World) -> bool {
    let view = &world.state.views[&ME];
    matches!(view.over.dialog, Some(Dialog::Settings(_)))
}

#[test]
fn a_switch_is_turned_by_one_key_and_holds_at_once() {
    let mut world = at("reducedMotion");
    let effects = world.press("space");
    assert_eq!(edits(&effects), [SettingEdit::of("reducedMotion", true.into())]);
    world.wrote_settings(json!({"reducedMotion": true, "keys": {"newChat": "c"}}));
    assert!(world.state.domain.disk.settings.reduced_motion);
    assert!(
        world
            .state
            .keymap
            .action(
                parlour::screen::surface::Surface::Sidebar(parlour::screen::surface::InPane::Agent),
                parlour::term::key::parse("c").unwrap()
            )
            .is_some()
    );
    let effects = world.press("space");
    assert_eq!(
        edits(&effects),
        [SettingEdit::of("reducedMotion", false.into())],
        "and back"
    );
}

#[test]
fn the_last_change_is_undone_by_one_key() {
    let rules = |words: &[&str]| json!({"theme": "nord", "permissions": {"deny": words}});
    let mut world = World::at_settings(120, 40, rules(&["Read(a)", "Read(b)"]));
    assert_eq!(edits(&world.press("u")), []);
    assert!(world.picture().contains("nothing has been changed here"));
    world.press("/");
    world.paste("permissions.deny");
    world.press("enter down x");
    world.wrote_settings(rules(&["Read(b)"]));
    world.press("esc /");
    world.paste("reducedMotion");
    world.press("enter space");
    let still = json!({"theme": "nord", "permissions": {"deny": ["Read(b)"]}, "reducedMotion": true});
    world.wrote_settings(still.clone());
    let reset = SettingEdit::Unset(vec!["reducedMotion".into()]);
    assert_eq!(edits(&world.press("u")), [reset], "it was not set before");
    world.wrote_settings(rules(&["Read(b)"]));
    assert!(
        world.picture().contains("reducedMotion is as it was."),
        "{}",
        world.picture()
    );
    let way = ["permissions", "deny"].map(String::from).to_vec();
    // What is set to its default by hand is a change as any other.
    world.press("space");
    world.wrote_settings(still.clone());
    world.press("r");
    world.wrote_settings(rules(&["Read(b)"]));
    assert!(world.picture().contains("has its default again"), "{}", world.picture());
    assert_eq!(
        edits(&world.press("u")),
        [SettingEdit::of("reducedMotion", true.into())]
    );
    world.wrote_settings(still);
    world.press("u");
    world.wrote_settings(rules(&["Read(b)"]));
    // Also when the page was left meanwhile.
    for _ in 0..3 {
        world.press("esc");
        world.calm();
    }
    assert!(!is_open(&world));
    world.press(",");
    world.reads_settings(settings_file(rules(&["Read(b)"])));
    let whole = SettingEdit::Set(way, json!(["Read(a)", "Read(b)"]));
    assert_eq!(edits(&world.press("u")), [whole], "where it stood");
    world.wrote_settings(rules(&["Read(a)", "Read(b)"]));
    assert_eq!(edits(&world.press("u")), []);
}

#[test]
fn what_is_typed_is_checked_before_it_is_written() {
    let mut world = at("limits.liveAgents");
    assert_eq!(edits(&world.press("enter ctrl+u 0 enter")), []);
    let effects = world.press("ctrl+u 7 enter");
    assert_eq!(edits(&effects), [SettingEdit::of("limits.liveAgents", 7.into())]);
    assert_eq!(edits(&world.press("enter")), [], "it is being written");
    world.fails(Problem::new("changing the settings", "the disk is full", "make room"));
    assert!(is_open(&world));
    let effects = world.press("enter");
    assert_eq!(
        edits(&effects),
        [SettingEdit::of("limits.liveAgents", 7.into())],
        "what was typed is kept"
    );
}

#[test]
fn a_theme_is_tried_while_it_is_chosen_and_esc_gives_back_the_old() {
    let mut world = at("theme");
    let tried = |world: &World| world.state.previewed_themes().get(&ME).cloned();
    world.press("enter");
    assert_eq!(tried(&world), Some(Some("nord".into())));
    world.press("up");
    assert_eq!(tried(&world), Some(Some("light".into())));
    world.press("home");
    assert_eq!(tried(&world), Some(None), "as the background is");
    world.press("n");
    assert_eq!(tried(&world), Some(Some("nord".into())), "by its first letter");
    world.press("esc");
    assert_eq!(tried(&world), None);
    world.press("enter up");
    let effects = world.press("enter");
    assert_eq!(edits(&effects), [SettingEdit::of("theme", "light".into())]);
    world.wrote_settings(json!({"theme": "light"}));
    assert_eq!(tried(&world), None);
    assert_eq!(edits(&world.press("r")), [SettingEdit::reset("theme")]);
}

#[test]
fn entries_of_lists_are_added_changed_and_removed() {
    let mut world = World::at_settings(120, 40, json!({"permissions": {"deny": ["Read(**/.env)"]}}));
    world.press("/");
    world.paste("permissions.deny");
    world.press("enter n");
    world.paste("Bash(rm");
    assert_eq!(edits(&world.press("enter")), [], "it is no rule");
    world.paste(":*)");
    let push = SettingEdit::Push(vec!["permissions".into(), "deny".into()], "Bash(rm:*)".into());
    assert_eq!(edits(&world.press("enter")), [push]);
    world.wrote_settings(json!({"permissions": {"deny": ["Read(**/.env)", "Bash(rm:*)"]}}));
    let way = |at: &str| ["permissions", "deny", at].map(String::from).to_vec();
    let effects = world.press("down down x");
    assert_eq!(edits(&effects), [SettingEdit::Unset(way("1"))]);
    world.wrote_settings(json!({"permissions": {"deny": ["Read(**/.env)"]}}));
    world.press("up enter ctrl+u");
    world.paste("Read(.env)");
    assert_eq!(
        edits(&world.press("enter")),
        [SettingEdit::Set(way("0"), "Read(.env)".into())]
    );
}

#[test]
fn a_broken_file_is_never_written() {
    let mut world = World::morning(120, 40);
    world.press(",");
    world.reads_settings(SettingsFile {
        broken: Some(BrokenSettings {
            at: Some((3, 5)),
            why: "expected `,` or `}`".into(),
        }),
        ..settings_file(json!({}))
    });
    for keys in ["enter", "down space", "r", "n", "x"] {
        assert_eq!(edits(&world.press(keys)), [], "{keys}");
    }
    world.press("e");
    world.comes(Outcome::Setting(SettingDone::Begun("config.json".into())));
    assert!(!is_open(&world), "the editor is shown");
}

#[test]
fn a_broken_file_is_told_with_what_holds_meanwhile() {
    let mut world = World::morning(120, 40);
    let problem = || Problem::new("reading config.json", "config.json:1:2: expected value", "correct it");
    let broken = |world: &mut World| {
        world.happens(Event::Disk(DiskEvent::Settings(Box::new(Err(problem())))));
        let told = world.state.domain.disk.settings_problem.clone();
        told.expect("it is told").cause
    };
    let good = "config.json:1:2: expected value; the last good settings stay active";
    assert_eq!(broken(&mut world), good);
    // There were none yet.
    world.state.domain.disk.keep_settings_problem(problem());
    let none =
        "config.json:1:2: expected value; agents ask about every call and start in the sandbox until it can be read";
    assert_eq!(broken(&mut world), none);
}

#[test]
fn a_change_by_somebody_else_is_read_again() {
    let mut world = open();
    let settings = serde_json::from_value(json!({"theme": "light"})).unwrap();
    let effects = update(
        &mut world.state,
        Event::Disk(DiskEvent::Settings(Box::new(Ok(settings)))),
    );
    assert!(matches!(effects[0], Effect::Work(..)), "{effects:?}");
    world.reads_settings(settings_file(json!({"theme": "light"})));
    let now = world.state.domain.now;
    let again = update(&mut world.state, Event::Clock(now));
    assert!(
        !again.iter().any(|effect| matches!(effect, Effect::Work(..))),
        "{again:?}"
    );
}

#[test]
fn esc_leaves_a_search_first_and_then_the_screen() {
    let mut world = at("theme");
    world.press("esc");
    assert!(is_open(&world));
    world.press("esc");
    assert!(!is_open(&world));
    world.press(",");
    assert!(is_open(&world));
    world.press(",");
    assert!(!is_open(&world), "the key that opens it closes it too");
}

#[test]
fn a_key_that_is_free_is_kept_at_once_and_one_of_another_command_after_enter() {
    let named = |key: &str| SettingEdit::Set(vec!["keys".into(), "rename".into()], key.into());
    let mut world = at("rename this chat");
    assert_eq!(edits(&world.press("enter ctrl+o")), [named("ctrl+o")]);
    world.wrote_settings(json!({"keys": {"rename": "ctrl+o"}}));
    assert_eq!(edits(&world.press("enter x")), [], "x deletes");
    assert_eq!(edits(&world.press("enter")), [named("x")]);
    world.wrote_settings(json!({"keys": {"rename": "x"}}));
    assert_eq!(edits(&world.press("enter g esc")), []);
    assert_eq!(
        edits(&world.press("r")),
        [SettingEdit::Unset(vec!["keys".into(), "rename".into()])]
    );
    world.wrote_settings(json!({}));
    world.press("enter ,");
    assert!(is_open(&world), "the key was caught");
}

#[test]
fn what_has_several_entries_is_emptied_by_the_second_key() {
    let written = json!({"keys": {"rename": "x", "todos": "ctrl+y"}});
    let mut world = World::at_settings(120, 40, written);
    world.press("/");
    world.paste("rename this chat");
    // A key named like what is sought stands above the command once it is written.
    world.press("enter end enter ctrl+o");
    world.wrote_settings(json!({"keys": {"rename": "ctrl+o", "todos": "ctrl+y"}}));
    assert_eq!(
        edits(&world.press("r")),
        [SettingEdit::Unset(vec!["keys".into(), "rename".into()])],
        "what was changed stays chosen"
    );
    let written = json!({"permissions": {"deny": ["Read(**/.env)", "Bash(rm:*)"]}});
    let mut world = World::at_settings(120, 40, written);
    world.press("/");
    world.paste("permissions.deny");
    world.press("enter home");
    let all = SettingEdit::Unset(vec!["permissions".into(), "deny".into()]);
    assert_eq!(edits(&world.press("r")), []);
    assert!(world.picture().contains("2 entries of permissions.deny would go."));
    world.press("down up");
    assert_eq!(edits(&world.press("r")), [], "it was asked about something else");
    assert_eq!(edits(&world.press("r")), [all]);
}

#[test]
fn a_call_is_judged_while_it_is_typed() {
    let mut world = at("permissions.deny");
    world.press("G enter");
    let judged = |effects: &[Effect]| {
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Work(_, Work::Approval(_))))
    };
    assert!(judged(&world.press("l")));
    assert!(judged(&world.press("s")));
    assert!(!judged(&world.press("esc")));
}

#[test]
fn when_a_cli_asks_is_written_into_its_own_file() {
    let mut world = World::at_settings(120, 40, json!({}));
    let wanted = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Work(_, Work::Setting(SettingWork::Policy(path, value))) => {
                Some((path.display().to_string(), value.clone()))
            }
            _ => None,
        })
    };
    world.press("/");
    world.paste("codex approval");
    world.press("esc /");
    world.paste("approval policy");
    // Claude Code's file, its mode, Codex's file, its policy.
    world.press("enter down down down enter down down");
    let effects = world.press("enter");
    let path = "llm-defaults/codex/config.toml".to_string();
    assert_eq!(wanted(&effects), Some((path.clone(), Some("on-request".into()))));
    world.wrote_settings(json!({}));
    world.press("up up");
    let claude = "llm-defaults/claude/settings.local.json".to_string();
    assert_eq!(
        wanted(&world.press("r")),
        Some((claude, None)),
        "as the CLI does by itself"
    );
}

#[test]
fn a_server_is_tested_by_one_key_and_an_agent_is_kept_once_it_started() {
    let written = json!({"globalMcpServers": {"db": {"command": "db-mcp"}}});
    let mut world = World::at_settings(120, 40, written);
    world.press("/");
    world.paste("globalMcpServers");
    let effects = world.press("enter down t");
    let trial = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Work(_, Work::Setting(SettingWork::Try(trial))) => Some((trial.what, trial.name.clone())),
            _ => None,
        })
    };
    assert_eq!(trial(&effects), Some((TrialOf::Server, "db".into())));
    world.started("db", Err("it did not answer".into()));
    world.press("esc /");
    world.paste("customLlms");
    world.press("enter n");
    world.paste("mine");
    world.press("enter");
    world.paste("my-agent");
    let effects = world.press("ctrl+s");
    assert_eq!(trial(&effects), Some((TrialOf::Agent, "mine".into())));
    world.started("mine", Err("my-agent is not on your PATH".into()));
    assert_eq!(
        trial(&world.press("ctrl+s")),
        Some((TrialOf::Agent, "mine".into())),
        "again"
    );
    let way = vec!["customLlms".to_string(), "mine".to_string()];
    let effects = world.started("mine", Ok("it started, and waits".into()));
    assert_eq!(edits(&effects), [SettingEdit::Set(way, json!({"command": "my-agent"}))]);
}

#[test]
fn a_tool_is_left_out_for_all_chats_and_given_back() {
    let mut world = World::at_settings(120, 40, json!({"mcp": {"tools": ["open_dir", "of_another_version"]}}));
    world.press("/");
    world.paste("mcp.tools");
    world.press("enter down");
    assert_eq!(
        edits(&world.press("enter")),
        [SettingEdit::of("mcp.tools", json!(["of_another_version"]))],
        "open_dir was on"
    );

    let mut world = World::at_settings(120, 40, json!({}));
    world.press("/");
    world.paste("mcp.tools");
    world.press("enter down");
    let Some(SettingEdit::Set(way, value)) = edits(&world.press("space")).pop() else {
        panic!("nothing is written")
    };
    assert_eq!(way, ["mcp", "tools"]);
    let left: Vec<&str> = value.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(
        !left.contains(&"open_dir") && left.contains(&"list_projects"),
        "{left:?}"
    );
    world.wrote_settings(json!({"mcp": {"tools": left}}));
    assert_eq!(
        edits(&world.press("enter")),
        [SettingEdit::reset("mcp.tools")],
        "all are on"
    );
}

#[test]
fn each_chat_leads_to_its_own_servers_and_tools() {
    let mut world = World::morning(120, 40);
    world.edits("auth", |chat| {
        chat.record.disabled_servers = vec!["parlour/dispatch".into()]
    });
    world.press(",");
    world.reads_settings(settings_file(json!({})));
    world.press("/");
    world.paste("chat fix auth");
    world.press("enter");
    assert!(world.picture().contains("parlour/dispatch off"), "{}", world.picture());
    world.press("enter");
    let Some(Dialog::Servers(servers)) = &world.view().over.dialog else {
        panic!("{}", world.picture())
    };
    assert_eq!(servers.name(), "Fix auth bug");
}

#[test]
fn when_opencode_asks_is_not_in_its_file_and_leads_to_the_rules() {
    let mut world = at("approval policy opencode");
    world.press("down");
    assert!(world.picture().contains("by parlour's rules"), "{}", world.picture());
    world.press("enter");
    let picture = world.picture();
    assert!(
        is_open(&world) && picture.contains("▌ permissions.profile"),
        "{picture}"
    );
}

#[test]
fn a_policy_is_found_by_its_name_in_the_file_of_its_cli() {
    for (name, cli) in [("permissions.defaultMode", "claude"), ("approval_policy", "codex")] {
        let world = at(name);
        let picture = world.picture();
        // In the field, and in its row.
        let named = picture.matches(name).count();
        assert!(named > 1 && picture.contains(cli), "{picture}");
    }
}

#[test]
fn it_is_said_in_which_chats_another_policy_holds() {
    for (cli, holds) in [
        ("claude", "in chats that are made from now on"),
        ("codex", "in every chat, from the next start of its agent on"),
    ] {
        let mut world = at(&format!("approval policy {cli}"));
        world.press("down");
        let shown = world
            .picture()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace("│ │ ", "");
        assert!(shown.contains(holds), "{cli}: {shown}");
    }
}

#[test]
fn where_a_call_is_tried_is_found_by_what_its_row_says() {
    for words in ["try what", "what a call would get", "try"] {
        let world = at(words);
        assert!(
            world.picture().contains("? try what a call would get"),
            "{}",
            world.picture()
        );
    }
    let mut world = at("try what");
    world.press("enter");
    assert!(!world.press("l").is_empty(), "{}", world.picture());
}
