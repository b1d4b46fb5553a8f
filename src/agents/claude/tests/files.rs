//! What is written for Claude Code, and into its own state.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::json;

use crate::agents::claude::Claude;
use crate::agents::tests::{AgentsStage, SESSION, install};
use crate::agents::{Adapter, AgentAbsence, Trust};
use crate::model::{HookCall, Settings};

#[test]
fn secrets_are_in_no_argument_and_the_environment_is_ours() {
    let place = AgentsStage::new();
    let prepared = place.prepare(&Claude);
    let launch = &prepared.launch;
    assert_eq!(launch.program, place.at("bin/claude"));
    assert_eq!(launch.cwd, place.at("chats/c"));
    let settings = place.at("records/c/claude.json").display().to_string();
    assert_eq!(launch.args, ["--settings", &settings, "--session-id", SESSION]);
    let env = |name: &str| launch.env.get(name).map(String::as_str);
    assert_eq!(env("PARLOUR_TOKEN"), Some("s3cret-token"));
    assert_eq!(env("PARLOUR_CHAT"), Some("haaaaaaaaa"));
    assert_eq!(env("ANTHROPIC_API_KEY"), Some("kept"));
    assert_eq!(env("CLAUDECODE"), None);
    assert_eq!(env("TERM"), Some("xterm-256color"));
    assert_eq!(prepared.problems, []);
    for file in ["records/c/claude.json", "records/c/hook-token", "chats/c/.mcp.json"] {
        let mode = fs::metadata(place.at(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}

#[test]
fn a_hook_is_a_line_that_any_shell_reads_back() {
    let place = AgentsStage::new();
    place.prepare(&Claude);
    let settings = place.json("records/c/claude.json");
    let hook = &settings["hooks"]["PreToolUse"][0]["hooks"][0];
    let line = hook["command"].as_str().unwrap();
    let token_file = place.at("records/c/hook-token").display().to_string();
    let words = [
        "/opt/my programs/parlour's",
        "hook",
        "claude",
        "PreToolUse",
        "--token-file",
        &token_file,
    ];
    assert_eq!(shell_words::split(line).unwrap(), words);
    let printed = std::process::Command::new("/bin/sh")
        .args(["-c", &format!("printf '%s\\n' {line}")])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(printed.stdout).unwrap(), words.join("\n") + "\n");
    assert!(!line.contains("s3cret"));
    assert_eq!(place.read("records/c/hook-token"), "s3cret-hook");
    assert_eq!(settings["permissions"]["allow"], json!(["mcp__parlour"]));
}

#[test]
fn what_people_and_agents_changed_survives_the_next_start() {
    let place = AgentsStage::new();
    place.prepare(&Claude);
    assert_eq!(
        fs::read_link(place.at("chats/c/CLAUDE.md")).unwrap(),
        Path::new("AGENTS.md")
    );
    fs::remove_file(place.at("chats/c/CLAUDE.md")).unwrap();
    fs::write(place.at("chats/c/CLAUDE.md"), "Mine,\r\nall of it").unwrap();
    let local = json!({"zeta": 1.10, "permissions": {"deny": ["Bash(rm:*)"], "allow": ["Bash(ls:*)"]}, "a": [null, {"b": "ü"}]});
    fs::write(place.at("chats/c/.claude/settings.local.json"), local.to_string()).unwrap();
    let servers = json!({"mcpServers": {"mine": {"command": "x"}, "parlour": {"type": "http", "url": "http://old",
        "headers": {"Authorization": "Bearer old", "X-Mine": "1"}}}, "other": true});
    fs::write(place.at("chats/c/.mcp.json"), servers.to_string()).unwrap();

    for _ in 0..2 {
        assert_eq!(place.prepare(&Claude).problems, []);
        assert_eq!(place.read("chats/c/CLAUDE.md"), "Mine,\r\nall of it\n@AGENTS.md\n");
        let local = json!({"zeta": 1.10, "permissions": {"deny": ["Bash(rm:*)"], "allow": ["Bash(ls:*)"]},
            "a": [null, {"b": "ü"}], "enabledMcpjsonServers": ["parlour"]});
        assert_eq!(
            place.read("chats/c/.claude/settings.local.json"),
            format!("{local:#}\n")
        );
        let servers = json!({"mcpServers": {"mine": {"command": "x"}, "parlour": {"type": "http",
            "url": "http://127.0.0.1:20001/mcp?caller=7",
            "headers": {"Authorization": "Bearer s3cret-token", "X-Mine": "1"}, "timeout": 300000}}, "other": true});
        assert_eq!(place.read("chats/c/.mcp.json"), format!("{servers:#}\n"));
    }
}

#[test]
fn a_persons_servers_stand_beside_ours_and_leave_with_the_settings() {
    let servers = json!({"db": {"command": "db-mcp", "args": ["--ro"], "env": {"DB": "${DB_URL}"}},
                         "web": {"url": "https://h/mcp", "headers": {"Authorization": "Bearer ${WEB}"}}});
    let mut place = AgentsStage::new().with_servers(servers.clone());
    let own = json!({"mcpServers": {"mine": {"command": "x"}}});
    fs::write(place.at("chats/c/.mcp.json"), own.to_string()).unwrap();
    let written = |place: &AgentsStage| {
        assert_eq!(place.prepare(&Claude).problems, []);
        let mut all = place.json("chats/c/.mcp.json")["mcpServers"].clone();
        assert!(all.as_object_mut().unwrap().remove("parlour").is_some());
        all
    };
    let db = servers["db"].clone();
    let web = json!({"type": "http", "url": "https://h/mcp", "headers": {"Authorization": "Bearer ${WEB}"}});
    assert_eq!(written(&place), json!({"mine": {"command": "x"}, "db": db, "web": web}));
    let enabled = place.json("records/c/claude.json")["enabledMcpjsonServers"].clone();
    assert_eq!(enabled, json!(["parlour", "db", "web"]));

    place.chat.disabled_servers = vec!["web".into(), "mine".into()];
    assert_eq!(written(&place), json!({"mine": {"command": "x"}, "db": db}));
    let enabled = place.json("records/c/claude.json")["enabledMcpjsonServers"].clone();
    assert_eq!(enabled, json!(["parlour", "db"]));
    place.settings = Settings::default();
    assert_eq!(written(&place), json!({"mine": {"command": "x"}}));
}

#[test]
fn a_server_that_somebody_changed_is_theirs_from_then_on() {
    let mut place =
        AgentsStage::new().with_servers(json!({"db": {"command": "db-mcp"}, "web": {"command": "web-mcp"}}));
    place.prepare(&Claude);
    let mut all = place.json("chats/c/.mcp.json");
    all["mcpServers"]["db"]["args"] = json!(["--mine"]);
    fs::write(place.at("chats/c/.mcp.json"), all.to_string()).unwrap();
    let problems = place.prepare(&Claude).problems;
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].cause.contains("db in it is not as parlour wrote it"),
        "{}",
        problems[0]
    );
    place.settings = Settings::default();
    assert_eq!(place.prepare(&Claude).problems, []);
    let left = place.json("chats/c/.mcp.json")["mcpServers"].clone();
    assert_eq!(left["db"]["args"], json!(["--mine"]));
    assert!(left["web"].is_null());
}

#[test]
fn what_cannot_be_read_is_left_alone_and_said() {
    let place = AgentsStage::new();
    fs::write(place.at("chats/c/.mcp.json"), "{\"mcpServers\": oops").unwrap();
    fs::create_dir(place.at("chats/c/.claude")).unwrap();
    fs::write(
        place.at("chats/c/.claude/settings.local.json"),
        "{\"enabledMcpjsonServers\": {}}",
    )
    .unwrap();
    let said: Vec<String> = place
        .prepare(&Claude)
        .problems
        .iter()
        .map(|problem| problem.doing.clone())
        .collect();
    assert_eq!(said, ["writing .mcp.json", "writing .claude/settings.local.json"]);
    assert_eq!(place.read("chats/c/.mcp.json"), "{\"mcpServers\": oops");
    assert_eq!(
        place.read("chats/c/.claude/settings.local.json"),
        "{\"enabledMcpjsonServers\": {}}"
    );
}

#[test]
fn a_link_in_the_chat_leads_no_write_elsewhere() {
    let place = AgentsStage::new();
    fs::create_dir(place.at("outside")).unwrap();
    symlink(place.at("outside"), place.at("chats/c/.claude")).unwrap();
    fs::write(place.at("outside/mcp.json"), "{}").unwrap();
    symlink(place.at("outside/mcp.json"), place.at("chats/c/.mcp.json")).unwrap();
    symlink(place.at("outside/notes"), place.at("chats/c/CLAUDE.md")).unwrap();
    assert_eq!(place.prepare(&Claude).problems.len(), 3);
    assert_eq!(place.read("outside/mcp.json"), "{}");
    let left: Vec<_> = fs::read_dir(place.at("outside")).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn a_session_with_a_transcript_is_resumed() {
    let place = AgentsStage::new();
    let slug = place.at("person/.claude/projects/-some-where");
    fs::create_dir_all(&slug).unwrap();
    assert!(!place.prepare(&Claude).resumes);
    let write = |lines: &str| fs::write(slug.join(format!("{SESSION}.jsonl")), lines).unwrap();
    write("{\"type\":\"mode\"}\n{\"type\":\"user\",\"message\":{}}\n");
    let prepared = place.prepare(&Claude);
    assert!(prepared.resumes);
    assert_eq!(prepared.launch.args[2..], ["--resume", SESSION]);
    // From another directory it finds a session by its file alone.
    let ran_in = |dir: &str| write(&format!("{}\n", json!({"type": "user", "cwd": place.at(dir)})));
    ran_in("chats/c");
    assert_eq!(place.prepare(&Claude).launch.args[2..], ["--resume", SESSION]);
    ran_in("moved/from");
    let prepared = place.prepare(&Claude);
    let file = slug.join(format!("{SESSION}.jsonl")).display().to_string();
    assert!(prepared.resumes);
    assert_eq!(prepared.launch.args[2..], ["--resume", &file]);
    // The CLI resumes none of these, and calls their id taken.
    for nothing_said in [
        "",
        "{\"type\":\"mode\"}\n",
        "{\"type\":\"mode\"}\n{\"type\":\"user\",\"mess",
    ] {
        write(nothing_said);
        let prepared = place.prepare(&Claude);
        assert!(!prepared.resumes);
        assert_eq!(prepared.launch.args[2..], [""; 0], "{nothing_said}");
    }
}

#[test]
fn a_hook_names_a_transcript_only_where_transcripts_lie() {
    let env = BTreeMap::from([("HOME".to_string(), "/home/u".to_string())]);
    let named = |path: &str, session: &str| {
        Claude.transcript(
            &HookCall {
                agent: "claude".into(),
                event: "Stop".into(),
                payload: json!({"transcript_path": path, "session_id": session}),
            },
            &env,
        )
    };
    let right = format!("/home/u/.claude/projects/-home-u-chat/{SESSION}.jsonl");
    assert_eq!(named(&right, SESSION), Some(right.clone().into()));
    assert_eq!(named("/etc/shadow", SESSION), None);
    assert_eq!(
        named(&format!("/home/u/.claude/projects/../{SESSION}.jsonl"), SESSION),
        None
    );
    assert_eq!(named("/home/u/.claude/projects/x/../../a.jsonl", "../../a"), None);
}

#[test]
fn an_installed_claude_names_its_version_and_a_stub_does_not() {
    let place = AgentsStage::new();
    let path = place.at("bin");
    let found = Claude.detect(path.as_os_str()).unwrap();
    assert_eq!(found.version.as_deref(), Some("2.1.197"));
    assert_eq!(found.program, place.at("bin/claude"));
    install(&found.program, "echo 'Run npm install again'");
    let why = || match Claude.detect(path.as_os_str()) {
        Err(AgentAbsence::Unusable(agent)) => agent.told(),
        other => format!("{other:?}"),
    };
    assert_eq!(
        why(),
        "`claude --version` says \"Run npm install again\", so it is another program"
    );
    install(&found.program, "echo 'node: SyntaxError' >&2; exit 1");
    assert_eq!(why(), "`claude --version` failed: node: SyntaxError");
}

fn consent(answer: Option<bool>) -> Settings {
    let trust = answer
        .map(|answer| ("claude".to_string(), answer))
        .into_iter()
        .collect();
    Settings {
        trust,
        ..Settings::default()
    }
}

#[test]
fn trust_is_noted_after_consent_and_nothing_else_changes() {
    let place = AgentsStage::new();
    let chats = place.at("chats").canonicalize().unwrap();
    let settle = |answer| Claude.trust(&chats, &place.env, &consent(answer)).unwrap();
    assert_eq!(settle(Some(true)), Trust::NotNeeded);

    let mut state = json!({"zz": 0.1, "cost": 12.345678901234567, "big": u64::MAX, "projects": {"/b": {"x": 1}, "/a": {}}, "n": null});
    state["history"] = json!("é\u{1}\"".repeat(700_000));
    let before = format!("{state:#}");
    fs::write(place.at("person/.claude.json"), &before).unwrap();
    assert!(matches!(settle(None), Trust::Wanted(_)));
    assert_eq!(settle(Some(false)), Trust::Declined);
    assert!(place.read("person/.claude.json") == before);

    assert_eq!(settle(Some(true)), Trust::Given);
    state["projects"][chats.to_str().unwrap()] = json!({"hasTrustDialogAccepted": true});
    assert!(place.read("person/.claude.json") == format!("{state:#}"));
    assert_eq!(settle(None), Trust::Given);
    let left: Vec<_> = fs::read_dir(place.at("person"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_state_that_cannot_be_read_is_left_alone() {
    let place = AgentsStage::new();
    fs::write(place.at("person/.claude.json"), "{\"projects\": {").unwrap();
    Claude
        .trust(&place.at("chats"), &place.env, &consent(Some(true)))
        .unwrap_err();
    assert_eq!(place.read("person/.claude.json"), "{\"projects\": {");
}

#[test]
fn a_linked_state_is_changed_where_it_lies() {
    let place = AgentsStage::new();
    fs::create_dir(place.at("dotfiles")).unwrap();
    fs::write(place.at("dotfiles/claude.json"), "{}").unwrap();
    symlink(place.at("dotfiles/claude.json"), place.at("person/.claude.json")).unwrap();
    Claude
        .trust(&place.at("chats"), &place.env, &consent(Some(true)))
        .unwrap();
    assert!(place.at("person/.claude.json").is_symlink());
    assert!(place.read("dotfiles/claude.json").contains("hasTrustDialogAccepted"));
}
