//! The table says what the settings are.

use serde_json::{Value, json};

use super::*;

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| (*word).into()).collect()
}

fn place(key: &str) -> SettingPlace {
    match find(key) {
        Ok(FoundSetting::One(place)) => place,
        other => panic!("{key}: {other:?}"),
    }
}

/// The paths of all values, down to lists and maps of the table.
fn paths(value: &Value, before: &str, found: &mut Vec<String>) {
    let is_map = |path: &str| all().iter().any(|setting| setting.path == path);
    match value {
        Value::Object(members) if before.is_empty() || !is_map(before) => {
            for (name, value) in members {
                let path = if before.is_empty() {
                    name.clone()
                } else {
                    format!("{before}.{name}")
                };
                paths(value, &path, found);
            }
        }
        _ => found.push(before.into()),
    }
}

#[test]
fn every_setting_is_in_the_table_and_nothing_else() {
    let mut known = Vec::new();
    paths(&serde_json::to_value(Settings::default()).unwrap(), "", &mut known);
    let mut listed: Vec<String> = all().iter().map(|setting| setting.path.into()).collect();
    known.sort();
    listed.sort();
    assert_eq!(listed, known);
}

#[test]
fn each_default_can_be_meant_and_each_line_says_something() {
    for setting in all() {
        let default = setting.default_value();
        assert!(default.is_null() || setting.check(default).is_ok(), "{}", setting.path);
        assert!(setting.about.ends_with('.'), "{}", setting.path);
    }
    let sections: Vec<SettingSection> = all().iter().map(|setting| setting.section).collect();
    assert!(
        sections.is_sorted(),
        "a section stands together, in the order of the screen"
    );
}

#[test]
fn a_key_leads_to_a_setting_an_entry_or_a_group() {
    assert_eq!(place("limits.liveAgents").way(), ["limits", "liveAgents"]);
    assert_eq!(place("keys.schedules.new").way(), ["keys", "schedules.new"]);
    assert_eq!(place("prices.gpt-4.1.input").way(), ["prices", "gpt-4.1", "input"]);
    assert_eq!(place("prices.gpt-4.1").way(), ["prices", "gpt-4.1"]);
    assert_eq!(
        place("customLlms.mine.env.TOKEN").way(),
        ["customLlms", "mine", "env", "TOKEN"]
    );
    assert!(matches!(find("limits.budget"), Ok(FoundSetting::Group(all)) if all.len() == 4));
    let meant = |key: &str| find(key).unwrap_err();
    assert_eq!(meant("limits.liveAgnets"), "did you mean limits.liveAgents?");
    assert_eq!(meant("themes"), "did you mean theme?");
    assert_eq!(meant("copylimit"), "did you mean clone.copyLimit?");
    assert_eq!(meant("zzz"), "`parlour config list` shows all settings");
}

#[test]
fn words_become_the_value_that_they_mean_or_say_why_not() {
    let parsed = |key: &str, all: &[&str]| place(key).parse(&words(all));
    assert_eq!(parsed("resumeOnStart", &["on"]), Ok(json!(true)));
    assert_eq!(parsed("limits.liveAgents", &["3"]), Ok(json!(3)));
    assert_eq!(parsed("limits.budget.day", &["2.5"]), Ok(json!(2.5)));
    assert_eq!(
        parsed("permissions.deny", &["Read(**/.env)", "Bash(rm:*)"]),
        Ok(json!(["Read(**/.env)", "Bash(rm:*)"]))
    );
    assert_eq!(parsed("notify.on", &["[\"done\"]"]), Ok(json!(["done"])));
    assert_eq!(parsed("trust.claude", &["yes"]), Ok(json!(true)));
    assert_eq!(parsed("keys.newChat", &["9"]), Ok(json!("9")));
    assert_eq!(parsed("prices.m.input", &["1.5"]), Ok(json!(1.5)));
    assert_eq!(parsed("clone.copyLimit", &["2 GB"]), Ok(json!(2_000_000_000_u64)));
    assert_eq!(parsed("clone.copyLimit", &["1_024"]), Ok(json!(1024)));
    let refused = |key: &str, all: &[&str]| parsed(key, all).unwrap_err();
    assert_eq!(
        refused("limits.liveAgents", &["0"]),
        "0 is too small, it is a whole number of agents, 1 or more"
    );
    assert_eq!(
        refused("limits.liveAgents", &["1.5"]),
        "it is a whole number of agents, 1 or more, and 1.5 is not"
    );
    assert!(refused("limits.liveAgents", &["many"]).contains("is no number"));
    assert_eq!(
        refused("limits.historyBytes", &["big"]),
        "\"big\" is no size; write 512 MiB, 2 GB or a number of bytes"
    );
    assert!(refused("limits.historyBytes", &["-1"]).contains("is no size"));
    assert_eq!(
        refused("sandbox", &["strikt"]),
        "\"strikt\" is none of off, strict; did you mean strict?"
    );
    assert!(refused("notify.on", &["never"]).contains("is none of"));
    assert!(refused("resumeOnStart", &["maybe"]).contains("neither on nor off"));
    assert!(refused("globalMcpServers.db", &["{}"]).contains("needs a command"));
    assert!(refused("mcp.port", &["70000"]).contains("from 1 to 65535"));
    assert_eq!(
        refused("mcp.tools", &["open_dri"]),
        "there is no tool open_dri; did you mean open_dir?"
    );
    assert_eq!(
        refused("customLlms.claude", &["{\"command\": \"x\"}"]),
        "parlour has an agent of that name; give this one another"
    );
    assert_eq!(
        refused("customLlms.mine", &["{\"command\": \"x\", \"ready\": \"^> [\"}"]),
        "ready: the pattern cannot be read: unclosed character class"
    );
}

#[test]
fn settings_in_force_are_written_where_they_differ_from_the_defaults() {
    let written = json!({
        "clipboard": "allow", "limits": {"liveAgents": 3}, "keys": {"newChat": "ctrl+n"}, "mcp": {"port": 7000},
        "customLlms": {"mine": {"command": "x"}},
    });
    let settings: Settings = serde_json::from_value(written.clone()).unwrap();
    let mut shown = super::written(&settings);
    assert_eq!(shown["customLlms"]["mine"]["command"], "x");
    shown["customLlms"] = written["customLlms"].clone();
    assert_eq!(shown, written);
    assert_eq!(super::written(&Settings::default()), json!({}));
}

#[test]
fn the_schema_has_every_setting_with_what_it_does() {
    let schema = schema();
    for setting in all() {
        let way = setting.path.split('.');
        let found = way.fold(&schema, |schema, name| &schema["properties"][name]);
        let said = found["description"].as_str().unwrap_or_default();
        assert!(said.starts_with(setting.about), "{}", setting.path);
    }
    assert_eq!(
        schema["properties"]["limits"]["properties"]["liveAgents"]["default"],
        json!(20)
    );
}
