//! Settings, themes and templates, over real files.

use std::path::PathBuf;

use ratatui::style::Color;
use serde_json::json;

use super::theme::{NAMES, Theme};
use super::*;
use crate::fs::{Dir, SafeName};
use crate::model::setting::SettingEdit;

mod colours;
mod limits;

struct ConfigPlace {
    _folder: tempfile::TempDir,
    path: PathBuf,
    home: Dir,
}

fn place() -> ConfigPlace {
    let folder = tempfile::tempdir().unwrap();
    ConfigPlace {
        path: folder.path().join("config.json"),
        home: Dir::open(folder.path()).unwrap(),
        _folder: folder,
    }
}

fn set(path: &std::path::Path, key: &str, value: serde_json::Value) -> Result<Loaded, Unwritten> {
    edit(path, &[SettingEdit::of(key, value)])
}

fn unknown(loaded: &Loaded) -> Vec<&str> {
    loaded.unknown.iter().map(|unknown| unknown.key.as_str()).collect()
}

fn said(text: &str) -> String {
    let place = place();
    std::fs::write(&place.path, text).unwrap();
    let said = load(&place.path).unwrap_err().to_string();
    assert_eq!(std::fs::read_to_string(&place.path).unwrap(), text);
    said
}

#[test]
fn without_a_file_the_defaults_hold() {
    assert_eq!(load(&place().path).unwrap(), Loaded::default());
}

#[test]
fn what_is_set_is_read_and_the_rest_keeps_its_default() {
    let place = place();
    let text = r#"{"v":1,"defaultLlm":"claude","limits":{"liveAgents":3},"colour":"red","prices":{}}"#;
    std::fs::write(&place.path, text).unwrap();
    let loaded = load(&place.path).unwrap();
    assert_eq!(loaded.settings.default_llm.as_deref(), Some("claude"));
    assert_eq!(loaded.settings.limits.live_agents, 3);
    assert_eq!(loaded.settings.limits.history_lines, 10_000);
    assert_eq!(unknown(&loaded), ["colour"]);
}

#[test]
fn a_broken_file_is_said_with_line_column_and_key_and_left_alone() {
    assert_eq!(
        said("{\n  \"limits\": {\n    \"liveAgents\": \"many\"\n  }\n}"),
        "config.json:3:24: limits.liveAgents: invalid type: string \"many\", expected a number"
    );
    assert_eq!(said("{\n  \"theme\": \"dark\",\n}"), "config.json:3:1: trailing comma");
    assert_eq!(
        said("{\"limits\": {\"liveAgents\": 5,}}"),
        "config.json:1:29: limits: trailing comma"
    );
    assert_eq!(
        said("{\"keys\": {\n \"newChat\": \"hyper+n\"}}"),
        "config.json:2:21: keys.newChat: \"hyper+n\" is not a key: \"hyper\" is no modifier; \
         write it like \"ctrl+q\", \"alt+enter\", \"f5\" or \"n\""
    );
    assert_eq!(
        said("{\"checkpoints\": {\"keep\": {\"number\": 0}}}"),
        "config.json:1:37: checkpoints.keep.number: 0 would keep no checkpoint to go back to; the least is 1"
    );
    assert!(said("{\"checkpoints\": {\"keep\": {\"days\": -1}}}").contains("checkpoints.keep.days: invalid value"));
    assert!(said("{\"checkpoints\": {\"keep\": {\"days\": 99999}}}").contains("the most is 36500"));
    assert!(said("{\"theme\": \"../../etc/x\"}").starts_with("config.json:1:23: theme: "));
    assert!(said("{} {}").starts_with("config.json:1:4: trailing characters"));
    assert!(said("").starts_with("config.json:1:1: it is empty"));
    assert!(said("{\n \"theme\": \"dark\n}").starts_with("config.json:2:16: theme: a quotation mark is missing"));
    assert!(said("{").starts_with("config.json:1:1: the file ends within an object"));
    assert!(said("{\"limits\": 3}").contains("invalid type: integer `3`, expected an object, {…}"));
    assert!(said("{\"permissions\": {\"allow\": 1}}").contains("expected a list, […]"));
    assert!(said("[1]").starts_with("config.json:1:"));
}

#[test]
fn a_list_in_an_objects_place_is_not_taken_for_the_defaults() {
    let cases = [
        ("[]", ""),
        ("[null]", ""),
        ("{\"permissions\": []}", "permissions: "),
        ("{\"permissions\": [[], [], []]}", "permissions: "),
        ("{\"limits\": []}", "limits: "),
        ("{\"limits\": [3]}", ""),
        ("{\"mcp\": []}", "mcp: "),
        ("{\"checkpoints\": []}", "checkpoints: "),
        ("{\"checkpoints\": {\"keep\": [7]}}", "checkpoints.keep: "),
        ("{\"clone\": []}", "clone: "),
        ("{\"customLlms\": {\"mine\": []}}", ""),
        ("{\"trust\": []}", "trust: "),
        ("{\"permissions\": {\"deny\": {}}}", "permissions.deny: "),
        ("{\"permissions\": \"none\"}", "permissions: "),
        ("{\"permissions\": null}", "permissions: "),
        ("null", ""),
        ("true", ""),
        ("", ""),
    ];
    for (text, key) in cases {
        let told = said(text);
        assert!(
            told.starts_with("config.json:1:") && told.contains(&format!(" {key}")),
            "{text}: {told}"
        );
    }
    assert_eq!(
        said("[]"),
        "config.json:1:2: an object, {…}, is expected here, not a list"
    );
}

#[test]
fn bytes_that_are_no_text_are_said_with_their_line() {
    let place = place();
    std::fs::write(&place.path, b"{\n  \"theme\": \"\xff\"}").unwrap();
    assert_eq!(load(&place.path).unwrap_err().at, Some((2, 13)));
}

#[test]
fn a_rule_that_is_none_is_said_with_its_place_and_the_others_hold() {
    let place = place();
    let text = "{\"permissions\": {\n \"deny\": [\"Bash(make:*)\",\n  \"Bash(ls\"],\n \"soon\": 1}}";
    std::fs::write(&place.path, text).unwrap();
    let loaded = load(&place.path).unwrap();
    let misfits: Vec<String> = loaded.misfits.iter().map(ToString::to_string).collect();
    let wanted = "config.json:3:11: permissions.deny.1: \"Bash(ls\" is not a rule: \
                  the last character is not the ) of its (; it is left out, \
                  and agents ask about every call until it is right";
    assert_eq!(misfits, [wanted]);
    assert_eq!(loaded.settings.permissions.deny[0], "Bash(make:*)");
    set(&place.path, "permissions.allow", json!(["mcp__github__*"])).unwrap();
    let kept = std::fs::read_to_string(&place.path).unwrap();
    assert!(kept.contains("\"soon\": 1") && kept.contains("Bash(ls"), "{kept}");
    let list = said(r#"{"permissions": {"allow": "Bash"}}"#);
    assert!(list.contains(" permissions.allow: invalid type"), "{list}");
}

#[test]
fn a_key_that_no_setting_has_is_named_wherever_it_stands() {
    let place = place();
    let text = "{\"themee\": \"dark\",\n \"limits\": {\"liveagents\": 5, \"budget\": {\"days\": 3}},\n \
                \"customLlms\": {\"mine\": {\"command\": \"cat\", \"redy\": \"^> $\"}},\n \
                \"prices\": {\"m.1\": {\"input\": 1, \"output\": 2}}, \"keys\": {}, \"permissions\": {\"soon\": 1}}";
    std::fs::write(&place.path, text).unwrap();
    let loaded = load(&place.path).unwrap();
    assert_eq!(loaded.misfits, []);
    let said: Vec<String> = loaded.unknown.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "config.json:1:17: no such setting: themee; did you mean theme?",
            "config.json:2:27: no such setting: limits.liveagents; did you mean limits.liveAgents?",
            "config.json:2:49: no such setting: limits.budget.days; did you mean limits.budget.day or checkpoints.keep.days?",
            "config.json:3:57: no such setting: customLlms.mine.redy; did you mean ready?",
            "config.json:4:84: no such setting: permissions.soon; did you mean permissions.allow or permissions.ask or permissions.deny?",
        ]
    );
}

#[test]
fn a_list_under_no_name_of_a_list_of_rules_may_forbid_anything() {
    let place = place();
    std::fs::write(&place.path, r#"{"permissions": {"denny": ["Bash(git push:*)"]}}"#).unwrap();
    let loaded = load(&place.path).unwrap();
    assert_eq!(loaded.settings.permissions.unknown_lists, ["denny"]);
    assert_eq!(
        loaded.misfits[0].to_string(),
        "config.json:1:27: permissions.denny: there is no such list of rules (did you mean permissions.deny?); \
         it is left out, and agents ask about every call until it is right"
    );
    set(&place.path, "theme", json!("dark")).unwrap();
}

#[test]
fn a_server_that_is_none_is_said_with_its_place_and_the_others_are_there() {
    let place = place();
    let text = "{\"globalMcpServers\": {\n \"db\": {\"command\": \"db-mcp\", \"soon\": 1},\n \"web\": {\"url\": 7},\n \
                \"parlour\": {\"command\": \"x\"}}}";
    std::fs::write(&place.path, text).unwrap();
    let loaded = load(&place.path).unwrap();
    let names: Vec<_> = loaded.settings.global_mcp_servers.keys().collect();
    assert_eq!(names, ["db"]);
    assert_eq!(unknown(&loaded), ["globalMcpServers.db.soon"]);
    let said: Vec<String> = loaded.misfits.iter().map(ToString::to_string).collect();
    assert!(said[0].starts_with("config.json:3:"), "{said:?}");
    assert!(said[0].contains("globalMcpServers.web: invalid type"), "{said:?}");
    assert_eq!(
        said[1],
        "config.json:4:13: globalMcpServers.parlour: this name is parlour's own; it is left out, the other servers are there"
    );
    set(&place.path, "theme", json!("dark")).unwrap();
    let kept = std::fs::read_to_string(&place.path).unwrap();
    assert!(kept.contains("\"soon\": 1") && kept.contains("\"url\": 7"), "{kept}");
}

#[test]
fn setting_a_key_keeps_every_other_one_and_their_order() {
    let place = place();
    std::fs::write(&place.path, r#"{"zeta":[1],"theme":"dark","limits":{"soon":true}}"#).unwrap();
    set(&place.path, "limits.liveAgents", json!(5)).unwrap();
    let text = std::fs::read_to_string(&place.path).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        value.to_string(),
        r#"{"zeta":[1],"theme":"dark","limits":{"soon":true,"liveAgents":5}}"#
    );
}

#[test]
fn setting_what_cannot_be_meant_changes_nothing() {
    let place = place();
    for (key, value) in [
        ("limits.liveAgents", json!("x")),
        ("keys.quit", json!("nope+q")),
        ("theme.x", json!(1)),
        ("", json!(1)),
    ] {
        std::fs::write(&place.path, r#"{"theme":"dark"}"#).unwrap();
        set(&place.path, key, value).unwrap_err();
        assert_eq!(std::fs::read_to_string(&place.path).unwrap(), r#"{"theme":"dark"}"#);
    }
    std::fs::write(&place.path, "{ mine").unwrap();
    set(&place.path, "theme", json!("light")).unwrap_err();
    assert_eq!(std::fs::read_to_string(&place.path).unwrap(), "{ mine");
}

#[test]
fn a_rule_that_allows_is_added_and_all_else_stays_as_it_is_written() {
    let place = place();
    let text = "{\n    \"zeta\" : [1,2] ,\n    \"permissions\": {\n        \"allow\": [\"Read\"]\n    }\n}";
    std::fs::write(&place.path, text).unwrap();
    for _ in 0..2 {
        let loaded = allow(&place.path, "Bash(make:*)").unwrap();
        assert_eq!(loaded.settings.permissions.allow, ["Read", "Bash(make:*)"]);
    }
    let kept = std::fs::read_to_string(&place.path).unwrap();
    assert_eq!(kept, text.replace("\"Read\"", "\"Read\", \"Bash(make:*)\""));
    std::fs::remove_file(&place.path).unwrap();
    allow(&place.path, "Edit").unwrap();
    let made = std::fs::read_to_string(&place.path).unwrap();
    assert_eq!(
        made,
        "{\n  \"$schema\": \"config.schema.json\",\n  \"v\": 1,\n  \"permissions\": {\n    \"allow\": [\"Edit\"]\n  }\n}\n"
    );
}

#[test]
fn a_rule_is_never_written_into_a_file_that_cannot_be_read() {
    let place = place();
    for text in ["{\n \"permissions\": [,", "{\"permissions\": {\"allow\": 3}}", "[]"] {
        std::fs::write(&place.path, text).unwrap();
        let unwritten = allow(&place.path, "Edit").unwrap_err();
        assert!(
            matches!(&unwritten, Unwritten::Broken(broken) if broken.at.is_some()),
            "{unwritten}"
        );
        assert_eq!(std::fs::read_to_string(&place.path).unwrap(), text);
    }
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_key_and_other_slips_are_not_in_the_way() {
    let place = place();
    let text = "{\n  // mine\n  \"permissions\": {\"deny\": [\"Bash(ls\"]}\n}\n";
    std::fs::write(&place.path, text).unwrap();
    let refused = |edit: SettingEdit| super::edit(&place.path, &[edit]).unwrap_err().to_string();
    let push = |list: &str, rule: &str| SettingEdit::Push(vec!["permissions".into(), list.into()], rule.into());
    assert!(refused(push("ask", "Bash(x")).starts_with("permissions.ask.0: \"Bash(x\" is not a rule"));
    assert!(
        refused(SettingEdit::of("theme", "drak".into())).contains("theme: there is no theme drak; did you mean dark")
    );
    assert!(refused(SettingEdit::of("defaultLlm", "cluade".into())).contains("did you mean claude"));
    let ready = ["customLlms", "mine", "ready"].map(String::from).to_vec();
    let command = ["customLlms", "mine", "command"].map(String::from).to_vec();
    let edits = [
        SettingEdit::Set(command, "cat".into()),
        SettingEdit::Set(ready, "^> [".into()),
    ];
    assert_eq!(
        super::edit(&place.path, &edits).unwrap_err().to_string(),
        "customLlms.mine.ready: the pattern cannot be read: unclosed character class"
    );
    let price = vec!["prices".into(), "m".into(), "input".into()];
    assert!(refused(SettingEdit::Set(price, 1.into())).starts_with("prices.m: "));
    assert_eq!(std::fs::read_to_string(&place.path).unwrap(), text);
    super::edit(
        &place.path,
        &[push("ask", "Bash(x)"), SettingEdit::of("theme", "nord".into())],
    )
    .unwrap();
    let loaded = load(&place.path).unwrap();
    assert_eq!(loaded.settings.permissions.ask, ["Bash(x)"]);
    assert_eq!(loaded.settings.theme.as_deref(), Some("nord"));
    let kept = std::fs::read_to_string(&place.path).unwrap();
    assert!(kept.starts_with("{\n  // mine\n"), "{kept}");
}

#[test]
fn the_schema_lies_beside_a_file_that_was_written() {
    let place = place();
    begin(&place.path).unwrap();
    let text = std::fs::read_to_string(&place.path).unwrap();
    assert!(text.contains("\"$schema\": \"config.schema.json\""));
    assert_eq!(load(&place.path).unwrap().unknown, []);
    let schema = std::fs::read_to_string(place.path.with_file_name("config.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema, crate::model::setting::schema());
}

#[test]
fn a_linked_settings_file_stays_linked() {
    let place = place();
    let kept = tempfile::tempdir().unwrap();
    let target = kept.path().join("parlour.json");
    std::fs::write(&target, "{}").unwrap();
    std::os::unix::fs::symlink(&target, &place.path).unwrap();
    set(&place.path, "theme", json!("light")).unwrap();
    assert!(place.path.is_symlink());
    assert_eq!(load(&place.path).unwrap().settings.theme.as_deref(), Some("light"));
    assert!(std::fs::read_to_string(target).unwrap().contains("light"));
}

#[test]
fn the_theme_follows_the_setting_then_the_background() {
    let place = place();
    let picked = |setting, background| theme_for(&place.home, setting, background).0;
    assert_eq!(picked(None, Some((255, 255, 255))), Theme::light());
    assert_eq!(picked(None, Some((30, 30, 30))), Theme::dark());
    assert_eq!(picked(None, None), Theme::terminal());
    assert_eq!(picked(Some("light"), Some((0, 0, 0))), Theme::light());
}

#[test]
fn the_terminals_theme_uses_nothing_but_its_sixteen_colours() {
    let mut theme = Theme::terminal();
    for name in NAMES {
        let style = theme.slot(name).unwrap();
        let is_own = |colour: Option<Color>| !matches!(colour, Some(Color::Rgb(..) | Color::Indexed(_)));
        assert!(is_own(style.fg) && is_own(style.bg), "{name}: {style:?}");
    }
    assert_eq!(theme.background.bg, None);
}

#[test]
fn a_plain_theme_has_no_colour_but_tells_things_apart() {
    let mut plain = Theme::plain();
    for name in NAMES {
        let style = plain.slot(name).unwrap();
        assert_eq!((style.fg, style.bg), (None, None), "{name}");
    }
    assert_ne!(plain.selection, plain.text);
    assert_ne!(plain.mode.agent, plain.mode.outside);
}

#[test]
fn a_users_theme_changes_what_it_names_and_wins_over_the_shipped_one() {
    let place = place();
    place.home.create_dir("themes").unwrap();
    let text = "base = \"light\"\nwaiting = { fg = \"#ff0000\", bold = true }\n";
    place.home.write_atomic("themes/mine.toml", text).unwrap();
    let theme = load_theme(&place.home, "mine").unwrap();
    assert_eq!(theme.waiting.fg, Some(ratatui::style::Color::Rgb(255, 0, 0)));
    assert_eq!(theme.text, Theme::light().text);
    place.home.write_atomic("themes/dark.toml", "text = \"white\"").unwrap();
    assert_ne!(load_theme(&place.home, "dark").unwrap(), Theme::dark());
}

#[test]
fn a_broken_theme_is_said_and_a_shipped_one_drawn() {
    let place = place();
    place.home.create_dir("themes").unwrap();
    let said = |text: &str| {
        place.home.write_atomic("themes/mine.toml", text).unwrap();
        let (theme, broken) = theme_for(&place.home, Some("mine"), None);
        assert_eq!(theme, Theme::terminal());
        broken.unwrap().to_string()
    };
    assert!(said("\ntxet = \"red\"").starts_with("mine.toml:2:8: txet: it is none of background, text"));
    assert!(
        said("text = \"reddish\"").starts_with("mine.toml:1:8: text: a colour like"),
        "{}",
        said("text = \"reddish\"")
    );
    assert!(said("text = ").starts_with("mine.toml:1:"));
    assert!(theme_for(&place.home, Some("../x"), None).1.is_some());
    assert!(theme_for(&place.home, Some("nowhere"), None).1.is_some());
}

#[test]
fn a_users_template_wins_over_the_shipped_one() {
    let place = place();
    let claude = SafeName::parse("claude").unwrap();
    let shipped = templates(&claude, &place.home).unwrap();
    assert_eq!(shipped[0].0, PathBuf::from(".claude/settings.local.json"));
    place.home.create_dir("llm-defaults/claude/.claude").unwrap();
    place
        .home
        .write_atomic("llm-defaults/claude/.claude/settings.local.json", "{\"mine\":1}")
        .unwrap();
    place
        .home
        .write_atomic("llm-defaults/claude/notes.md", "hello")
        .unwrap();
    place.home.symlink("/etc/passwd", "llm-defaults/claude/link").unwrap();
    let own = templates(&claude, &place.home).unwrap();
    let schema = "https://json.schemastore.org/claude-code-settings.json";
    let settings = format!("{{\n  \"$schema\": \"{schema}\",\n  \"mine\": 1\n}}\n");
    assert_eq!(
        own,
        [
            (
                PathBuf::from(".claude/settings.local.json"),
                settings.as_bytes().to_vec()
            ),
            (PathBuf::from("notes.md"), b"hello".to_vec()),
        ]
    );
}

#[test]
fn settings_at_the_top_of_a_clis_folder_come_to_where_it_reads_them() {
    let place = place();
    let cases = [
        (
            "claude",
            "settings.local.json",
            ".claude/settings.local.json",
            "{\"mine\": 1}",
        ),
        ("gemini", "settings.json", ".gemini/settings.json", "{\"mine\": 1}"),
        ("codex", "config.toml", ".codex/config.toml", "mine = 1\n"),
        ("opencode", "opencode.json", "opencode.json", "{\"mine\": 1}"),
    ];
    for (cli, file, read, text) in cases {
        let name = SafeName::parse(cli).unwrap();
        let shipped = templates(&name, &place.home).unwrap();
        assert!(
            shipped
                .iter()
                .any(|(path, _)| path.as_path() == std::path::Path::new(read)),
            "{cli}: {shipped:?}"
        );
        place.home.create_dir(format!("llm-defaults/{cli}")).unwrap();
        place
            .home
            .write_atomic(format!("llm-defaults/{cli}/{file}"), text)
            .unwrap();
        let laid = templates(&name, &place.home).unwrap();
        let [(path, bytes)] = laid.as_slice() else {
            panic!("{cli}: {laid:?}");
        };
        assert_eq!(*path, PathBuf::from(read));
        assert!(String::from_utf8_lossy(bytes).contains("mine"), "{cli}: {bytes:?}");
        assert_eq!(idle(&name, &place.home), []);
    }
    place.home.create_dir("llm-defaults/gemini/.gemini").unwrap();
    let both = "{\"mine\": 2, \"more\": 3}";
    place
        .home
        .write_atomic("llm-defaults/gemini/.gemini/settings.json", both)
        .unwrap();
    place
        .home
        .write_atomic("llm-defaults/gemini/setings.json", "{}")
        .unwrap();
    let gemini = SafeName::parse("gemini").unwrap();
    let laid = templates(&gemini, &place.home).unwrap();
    let settings: serde_json::Value = serde_json::from_slice(&laid[0].1).unwrap();
    assert_eq!((&settings["mine"], &settings["more"]), (&json!(2), &json!(3)));
    let said = idle(&gemini, &place.home);
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!(said[0].0, PathBuf::from("llm-defaults/gemini/setings.json"));
}
