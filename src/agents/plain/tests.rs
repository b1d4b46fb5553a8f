//! The files that each is given. None of the three can be run here.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use super::{Cline, CursorAdapter, Windsurf, rules};
use crate::agents::Adapter;
use crate::agents::tests::{AgentsStage, install, rules};
use crate::model::{Ready, Settings};

const URL: &str = "http://127.0.0.1:20001/mcp?caller=7";

fn place() -> AgentsStage {
    let place = AgentsStage::new().with_servers(json!({
        "db": {"command": "db-mcp", "args": ["${DB}"]},
        "web": {"url": "https://h/mcp", "headers": {"X-Key": "${KEY}"}},
    }));
    for command in ["cursor-agent", "cline"] {
        install(&place.at(&format!("bin/{command}")), "echo 1.2.3");
    }
    place
}

fn servers(place: &AgentsStage, file: &str) -> Value {
    let mode = fs::metadata(place.at(file)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    place.json(file)["mcpServers"].clone()
}

#[test]
fn cursor_has_its_servers_and_the_token_only_by_reference() {
    let place = place();
    fs::create_dir(place.at("chats/c/.cursor")).unwrap();
    fs::write(
        place.at("chats/c/.cursor/cli.json"),
        r#"{"permissions": {"deny": ["Shell(rm)"]}}"#,
    )
    .unwrap();
    let prepared = place.prepare(&CursorAdapter);
    assert_eq!(prepared.problems, []);
    assert_eq!(prepared.launch.program, place.at("bin/cursor-agent"));
    let wanted = json!({
        "db": {"command": "db-mcp", "args": ["${env:DB}"], "env": {}},
        "web": {"url": "https://h/mcp", "headers": {"X-Key": "${env:KEY}"}},
        "parlour": {"url": URL, "headers": {"Authorization": "Bearer ${env:PARLOUR_TOKEN}"}},
    });
    assert_eq!(servers(&place, "chats/c/.cursor/mcp.json"), wanted);
    assert_eq!(prepared.launch.env["PARLOUR_TOKEN"], "s3cret-token");
    let permissions = json!({"permissions": {"deny": ["Shell(rm)"], "allow": ["Mcp(parlour:*)"]}});
    assert_eq!(place.json("chats/c/.cursor/cli.json"), permissions);
}

#[test]
fn cline_reads_the_file_of_its_chat_and_not_the_persons() {
    let place = place();
    let prepared = place.prepare(&Cline);
    assert_eq!(prepared.problems, []);
    let file = "chats/c/.cline/mcp_settings.json";
    let named = &prepared.launch.env["CLINE_MCP_SETTINGS_PATH"];
    assert_eq!(Path::new(named), place.at(file));
    let all = servers(&place, file);
    assert_eq!(
        all["web"],
        json!({"type": "streamableHttp", "url": "https://h/mcp", "headers": {"X-Key": "${KEY}"}})
    );
    assert_eq!(all["parlour"]["url"], URL);
    assert_eq!(all["parlour"]["headers"]["Authorization"], "Bearer s3cret-token");
    assert!(!place.at("person/.cline").exists());
}

#[test]
fn windsurf_keeps_what_is_in_its_one_file_and_the_chat_says_that_it_is_one() {
    let mut place = place();
    let missing = place.prepare(&Windsurf).problems;
    assert!(missing[0].hint.contains("start Windsurf once"), "{missing:?}");
    let own = "person/.codeium/windsurf/mcp_config.json";
    fs::create_dir_all(place.at("person/.codeium/windsurf")).unwrap();
    fs::write(
        place.at(own),
        r#"{"mcpServers": {"mine": {"command": "x"}}, "zeta": 1}"#,
    )
    .unwrap();
    let prepared = place.prepare(&Windsurf);
    assert!(
        prepared.problems[0].cause.starts_with("one chat at a time"),
        "{:?}",
        prepared.problems
    );
    let parlour = json!({"serverUrl": URL, "headers": {"Authorization": "Bearer s3cret-token"}});
    let wanted = json!({"mcpServers": {"mine": {"command": "x"}, "parlour": parlour}, "zeta": 1});
    assert_eq!(place.json(own), wanted);
    let in_chat = "chats/c/.codeium/windsurf/mcp_config.json";
    assert_eq!(servers(&place, in_chat)["web"]["serverUrl"], "https://h/mcp");
    place.settings = Settings::default();
    place.prepare(&Windsurf);
    assert_eq!(servers(&place, in_chat), json!({"parlour": parlour}));
    fs::write(place.at(own), "{ torn").unwrap();
    assert_eq!(place.prepare(&Windsurf).problems.len(), 1);
    assert_eq!(place.read(own), "{ torn");
}

#[test]
fn nothing_is_typed_into_them_and_they_say_that_they_are_untried() {
    let place = place();
    install(&place.at("bin/windsurf"), "exit 1");
    let all: [&dyn Adapter; 3] = [&CursorAdapter, &Cline, &Windsurf];
    for adapter in all {
        assert_eq!(adapter.capabilities().ready, Ready::Nothing);
        let found = adapter.detect(place.at("bin").as_os_str()).unwrap();
        assert!(found.remark.contains("not tested"), "{found:?}");
    }
    assert_eq!(
        CursorAdapter
            .detect(place.at("bin").as_os_str())
            .unwrap()
            .version
            .as_deref(),
        Some("1.2.3")
    );
}

#[test]
fn cursor_is_told_what_it_has_words_for_and_denies_rather_too_much() {
    let table: [[&[&str]; 5]; 6] = [
        [
            &["Read(docs/**)", "Edit(src/**)"],
            &[],
            &[],
            &["Read(docs/**)", "Write(src/**)"],
            &[],
        ],
        [&["Edit(src/**)"], &["Edit(src/x)"], &[], &[], &[]],
        [
            &["WebFetch(domain:docs.rs)", "mcp__db__query"],
            &["mcp__db__drop"],
            &[],
            &["WebFetch(docs.rs)"],
            &[],
        ],
        [&["Bash(make:*)", "Bash"], &[], &["Bash(rm:*)"], &[], &["Shell(rm)"]],
        [
            &[],
            &[],
            &["Bash(git push:*)", "Bash(* --force)", "Bash"],
            &[],
            &["Shell(git)", "Shell(*)"],
        ],
        [
            &["mcp__db"],
            &[],
            &["Read(**/.env)", "Edit", "mcp__web"],
            &["Mcp(db:*)"],
            &["Read(**/.env)", "Write(**)", "Mcp(web:*)"],
        ],
    ];
    for [allow, ask, deny, allowed, denied] in table {
        let told = rules::cursor(&rules(allow, ask, deny));
        assert_eq!(
            (&told.allow[..], &told.deny[..]),
            (
                &allowed.iter().map(|w| w.to_string()).collect::<Vec<_>>()[..],
                &denied.iter().map(|w| w.to_string()).collect::<Vec<_>>()[..]
            ),
            "{allow:?} {ask:?} {deny:?}"
        );
    }
    let mut place = place();
    place.settings.permissions = rules(&["Read(docs/**)"], &[], &["Bash(rm:*)"]);
    place.prepare(&CursorAdapter);
    let told = || place.json("chats/c/.cursor/cli.json")["permissions"].clone();
    assert_eq!(
        told(),
        json!({"allow": ["Mcp(parlour:*)", "Read(docs/**)"], "deny": ["Shell(rm)"]})
    );
    assert_eq!(
        CursorAdapter
            .rules_lost(&rules(&["Bash(make:*)"], &[], &["Bash(git push:*)"]))
            .len(),
        2
    );
}

#[test]
fn cline_runs_unasked_what_a_rule_names_and_none_speaks_against() {
    let mut place = place();
    place.settings.permissions = rules(
        &["mcp__db__query", "mcp__db__drop", "mcp__db__*", "mcp__web", "Bash(ls)"],
        &["mcp__db__d*"],
        &["mcp__parlour__open_dir"],
    );
    assert_eq!(place.prepare(&Cline).problems, []);
    let all = servers(&place, "chats/c/.cline/mcp_settings.json");
    assert_eq!(all["db"]["alwaysAllow"], json!(["query"]));
    assert_eq!(all["db"]["autoApprove"], json!(["query"]));
    assert_eq!(all["web"]["alwaysAllow"], Value::Null);
    assert_eq!(all["parlour"]["alwaysAllow"], json!(["list_projects", "brand_new"]));
    assert_eq!(all["parlour"]["autoApprove"], json!(["list_projects", "brand_new"]));
    assert_eq!(Cline.rules_lost(&place.settings.permissions).len(), 2);
    assert_eq!(Windsurf.rules_lost(&place.settings.permissions).len(), 7);
}
