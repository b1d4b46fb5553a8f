//! What OpenCode is started with.

use std::fs;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::rules::judged;
use crate::agents::opencode::OpenCode;
use crate::agents::tests::{AgentsStage, install, rules};
use crate::agents::{Adapter, Env, Prepared};
use crate::model::Login;

fn place() -> AgentsStage {
    let mut place = AgentsStage::new();
    let program = place.at("opencode");
    install(&program, "echo 1.18.33");
    place.env.insert("PATH".into(), place.at("").display().to_string());
    place
}

fn config(prepared: &Prepared) -> Value {
    serde_json::from_str(&prepared.launch.env["OPENCODE_CONFIG_CONTENT"]).unwrap()
}

#[test]
fn its_tools_are_allowed_and_everything_that_changes_something_asks() {
    let prepared = place().prepare(&OpenCode);
    let config = config(&prepared);
    assert_eq!(config["mcp"]["parlour"]["url"], "http://127.0.0.1:20001/mcp?caller=7");
    assert_eq!(
        config["mcp"]["parlour"]["headers"]["Authorization"],
        "Bearer {env:PARLOUR_TOKEN}"
    );
    assert_eq!(prepared.launch.env["PARLOUR_TOKEN"], "s3cret-token");
    let rules: Vec<&String> = config["permission"].as_object().unwrap().keys().collect();
    assert_eq!((rules[0].as_str(), &config["permission"]["**"]), ("**", &json!("ask")));
    assert_eq!(config["permission"]["parlour_**"], "allow");
    for changes in ["bas*h", "edi*t", "webfetc*h"] {
        assert_eq!(config["permission"][changes], "ask", "{changes}");
    }
    assert_eq!(
        config["permission"]["external_directory"],
        Value::Null,
        "it asks as all do"
    );
    assert_eq!(
        (&config["autoupdate"], &config["share"]),
        (&json!(false), &json!("disabled"))
    );
    assert_eq!(prepared.problems, []);
}

#[test]
fn nobody_reads_a_password_among_its_arguments_and_each_start_has_its_own() {
    let place = place();
    let (one, other) = (place.prepare(&OpenCode), place.prepare(&OpenCode));
    let password = |prepared: &Prepared| prepared.launch.env["OPENCODE_SERVER_PASSWORD"].clone();
    assert_ne!(password(&one), password(&other));
    assert!(!one.launch.args.concat().contains(&password(&one)));
    assert_eq!(one.launch.args[0], "--port");
    let port: u16 = one.launch.args[1].parse().unwrap();
    assert!(port > 20_000);
}

#[test]
fn a_session_of_a_chat_that_was_moved_belongs_to_its_new_directory() {
    let place = place();
    let data = place.at("person/.local/share/opencode");
    fs::create_dir_all(&data).unwrap();
    let database = Connection::open(data.join("opencode.db")).unwrap();
    let made = "CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT);
        INSERT INTO session VALUES ('ses_1', NULL, '/old/chats/c'), ('ses_2', 'ses_1', '/old/chats/c'),
            ('ses_3', NULL, '/old/chats/c'), ('ses_4', NULL, '/old/elsewhere');";
    database.execute_batch(made).unwrap();
    let real = place.at("chats/c").canonicalize().unwrap().display().to_string();
    let all = || -> Vec<String> {
        let mut statement = database.prepare("SELECT directory FROM session ORDER BY id").unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(place.prepare_in(&OpenCode, "ses_1").problems, []);
    place.prepare_in(&OpenCode, "ses_4");
    assert_eq!(all(), [&*real, &*real, "/old/chats/c", "/old/elsewhere"]);
    // What is still there was not moved.
    let there = place.at("other/c");
    fs::create_dir_all(&there).unwrap();
    let there = there.display().to_string();
    database.execute("UPDATE session SET directory = ?", [&there]).unwrap();
    place.prepare_in(&OpenCode, "ses_1");
    assert_eq!(all()[0], there);
}

#[test]
fn a_configuration_that_a_person_keeps_in_the_environment_goes_on_to_count() {
    let mut place = place();
    let theirs = json!({"model": "a/b", "share": "auto", "mcp": {"mine": {"type": "local"}}, "permission": "allow"});
    place.env.insert("OPENCODE_CONFIG_CONTENT".into(), theirs.to_string());
    let prepared = place.prepare(&OpenCode);
    let config = config(&prepared);
    assert_eq!(
        (&config["model"], &config["share"]),
        (&json!("a/b"), &json!("disabled"))
    );
    assert_eq!(config["mcp"]["mine"], json!({"type": "local"}));
    assert_eq!(config["permission"]["**"], "ask");
    assert_eq!(prepared.problems, []);
}

#[test]
fn one_that_cannot_be_read_is_said_and_it_starts_all_the_same() {
    for theirs in ["{", r#"{"mcp": 3}"#] {
        let mut place = place();
        place.env.insert("OPENCODE_CONFIG_CONTENT".into(), theirs.into());
        let prepared = place.prepare(&OpenCode);
        assert_eq!(prepared.problems.len(), 1, "{theirs}");
        assert_eq!(config(&prepared)["permission"]["**"], "ask");
    }
}

#[test]
fn another_version_is_said_to_be_one() {
    let place = place();
    let path = place.env["PATH"].clone();
    let found = OpenCode.detect(path.as_ref()).unwrap();
    assert_eq!((found.version.as_deref(), found.remark.as_str()), (Some("1.18.33"), ""));
    install(&place.at("opencode"), "echo 2.0.1");
    assert_ne!(OpenCode.detect(path.as_ref()).unwrap().remark, "");
    install(&place.at("opencode"), "echo postinstall did not run");
    assert!(OpenCode.detect(path.as_ref()).is_err());
}

#[test]
fn a_persons_servers_come_along_but_for_those_the_chat_leaves_out() {
    let mut place = place().with_servers(json!({
        "db": {"command": "db-mcp", "args": ["--ro"], "env": {"DB": "x ${DB}"}},
        "web": {"url": "https://h/mcp", "headers": {"X-Key": "${KEY}"}},
        "off": {"command": "x"},
    }));
    place.chat.disabled_servers = vec!["off".into()];
    let theirs = json!({"mcp": {"web": {"type": "remote", "url": "theirs"}}});
    let program = |place: &AgentsStage| config(&place.prepare(&OpenCode))["mcp"].clone();
    let all = program(&place);
    let db =
        json!({"type": "local", "command": ["db-mcp", "--ro"], "environment": {"DB": "x {env:DB}"}, "enabled": true});
    assert_eq!(all["db"], db);
    let web = json!({"type": "remote", "url": "https://h/mcp", "headers": {"X-Key": "{env:KEY}"}, "enabled": true});
    assert_eq!(all["web"], web);
    assert_eq!(all["off"], Value::Null);
    place.env.insert("OPENCODE_CONFIG_CONTENT".into(), theirs.to_string());
    assert_eq!(program(&place)["web"]["url"], "theirs");
}

/// As the CLI does it: what is passed comes over a file, and a key of both keeps its place in the file.
fn merged(file: &Value, passed: &Value) -> Value {
    let (Some(file), Some(passed)) = (file.as_object(), passed.as_object()) else {
        return passed.clone();
    };
    let mut all = file.clone();
    for (key, value) in passed {
        let value = all.get(key).map_or_else(|| value.clone(), |below| merged(below, value));
        all.insert(key.clone(), value);
    }
    all.into()
}

#[test]
fn what_a_person_asks_about_or_denies_in_its_own_settings_is_not_lifted() {
    let mut place = place();
    let own = r#"{
        // mine
        "tools": {"webfetch": false},
        "permission": {
            "bash": {"*": "deny", "git status": "allow"},
            "edit": "allow",
            "read": {"*": "allow", "secret/*": "deny", "draft/*": "ask"},
            "glob": "ask",
        },
    }"#;
    std::fs::create_dir_all(place.at("person/.config/opencode")).unwrap();
    std::fs::write(place.at("person/.config/opencode/opencode.jsonc"), own).unwrap();
    place.settings.permissions = rules(&["Bash(git:*)", "Edit"], &[], &["Edit(~/.ssh/**)", "Bash(rm:*)"]);
    let prepared = place.prepare(&OpenCode);
    assert_eq!(prepared.problems, []);
    let file = json!({
        "bash": {"*": "deny", "git status": "allow"},
        "edit": "allow",
        "read": {"*": "allow", "secret/*": "deny", "draft/*": "ask"},
        "glob": "ask",
    });
    let all = merged(&file, &config(&prepared)["permission"]);
    for (key, text, wanted) in [
        ("bash", "make", "deny"),
        ("bash", "rm x", "deny"),
        ("bash", "git status", "ask"),
        ("edit", "notes.md", "ask"),
        ("edit", "/home/ada/.ssh/config", "deny"),
        ("read", "notes.md", "allow"),
        ("read", "secret/key", "deny"),
        ("read", "draft/one", "ask"),
        ("glob", "x", "ask"),
        ("grep", "x", "allow"),
        ("webfetch", "https://docs.rs/", "deny"),
        ("websearch", "x", "ask"),
        ("parlour_open_dir", "*", "allow"),
        ("unheard_of", "*", "ask"),
    ] {
        assert_eq!(judged(&all, key, text), wanted, "{key} {text} in {all:#}");
    }
}

#[test]
fn everything_is_asked_about_beside_settings_that_cannot_be_read() {
    let place = place();
    std::fs::create_dir_all(place.at("person/.config/opencode")).unwrap();
    std::fs::write(place.at("person/.config/opencode/opencode.json"), "{\"permission\": {").unwrap();
    let prepared = place.prepare(&OpenCode);
    assert!(
        prepared.problems[0].to_string().contains("opencode.json"),
        "{:?}",
        prepared.problems
    );
    let permission = &config(&prepared)["permission"];
    assert_eq!(judged(permission, "read", "x"), "ask");
    assert_eq!(judged(permission, "parlour_open_dir", "*"), "allow");
}

/// Its key stands there, or it needs none.
#[test]
fn with_a_provider_of_ones_own_it_is_unknown_whether_somebody_is_logged_in() {
    let home = tempfile::tempdir().unwrap();
    let env = Env::from([("HOME".to_string(), home.path().display().to_string())]);
    let config = home.path().join(".config/opencode");
    std::fs::create_dir_all(&config).unwrap();
    let missing = if cfg!(target_os = "macos") {
        Login::Unknown
    } else {
        Login::Missing
    };
    for (settings, login) in [
        (r#"{"model": "a/b", "provider": {}}"#, missing),
        (
            r#"{"provider": {"mine": {"options": {"apiKey": "{env:MINE}"}}}, /* and more */}"#,
            Login::Unknown,
        ),
        ("no settings", missing),
    ] {
        std::fs::write(config.join("opencode.jsonc"), settings).unwrap();
        assert_eq!(OpenCode.login(&env), login, "{settings}");
    }
    std::fs::create_dir_all(home.path().join(".local/share/opencode")).unwrap();
    std::fs::write(home.path().join(".local/share/opencode/auth.json"), "{}").unwrap();
    assert_eq!(OpenCode.login(&env), Login::Found);
}
