//! What is written for Gemini CLI, and which of its sessions are gone on with.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::agents::Adapter;
use crate::agents::gemini::Gemini;
use crate::agents::tests::{AgentsStage, SESSION, install};

fn place() -> AgentsStage {
    let place = AgentsStage::new();
    install(&place.at("bin/gemini"), "echo 0.61.0");
    place
}

/// A transcript of the session with these lines behind its header.
fn keep(place: &AgentsStage, session: &str, lines: &[Value]) -> PathBuf {
    let chats = place.at("person/.gemini/tmp/c/chats");
    fs::create_dir_all(&chats).unwrap();
    let text: String = [&header(session)]
        .into_iter()
        .chain(lines)
        .map(|line| format!("{line}\n"))
        .collect();
    let file = chats.join(format!("session-2026-11-21T13-38-{}.jsonl", &SESSION[..8]));
    fs::write(&file, text).unwrap();
    file
}

fn header(session: &str) -> Value {
    json!({"sessionId": session, "kind": "main"})
}

fn typed(id: &str, text: &str) -> Value {
    json!({"id": id, "type": "user", "content": [{"text": text}]})
}

#[test]
fn no_token_is_in_an_argument_or_in_the_chat() {
    let place = place();
    let prepared = place.prepare(&Gemini);
    assert_eq!(prepared.problems, []);
    assert_eq!(prepared.launch.program, place.at("bin/gemini"));
    assert_eq!(prepared.launch.args, ["--session-id", SESSION]);
    assert_eq!(prepared.launch.env["GEMINI_CLI_TRUST_WORKSPACE"], "true");
    assert_eq!(prepared.launch.env["PARLOUR_TOKEN"], "s3cret-token");
    let written = place.read("chats/c/.gemini/settings.json");
    assert!(!written.contains("s3cret"), "{written}");
    let settings: Value = serde_json::from_str(&written).unwrap();
    let server = &settings["mcpServers"]["parlour"];
    assert_eq!(server["httpUrl"], "http://127.0.0.1:20001/mcp?caller=7");
    assert_eq!(server["headers"]["Authorization"], "Bearer $PARLOUR_TOKEN");
    assert_eq!(server["trust"], true);
    assert_eq!(settings["context"]["fileName"], json!(["AGENTS.md", "GEMINI.md"]));
    let mode = fs::metadata(place.at("records/c/hook-token"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_hook_is_a_line_that_any_shell_reads_back() {
    let place = place();
    place.prepare(&Gemini);
    let settings = place.json("chats/c/.gemini/settings.json");
    let hook = &settings["hooks"]["BeforeTool"][0]["hooks"][0];
    assert_eq!((&hook["type"], &hook["timeout"]), (&json!("command"), &json!(10_000)));
    let token_file = place.at("records/c/hook-token").display().to_string();
    let words = [
        "/opt/my programs/parlour's",
        "hook",
        "gemini",
        "BeforeTool",
        "--token-file",
        &token_file,
    ];
    assert_eq!(shell_words::split(hook["command"].as_str().unwrap()).unwrap(), words);
}

#[test]
fn what_a_person_wrote_into_the_settings_stays() {
    let place = place();
    fs::create_dir(place.at("chats/c/.gemini")).unwrap();
    let theirs = json!({
        "theme": "Dracula",
        "context": {"fileName": "NOTES.md"},
        "general": {"sessionRetention": {"enabled": true}},
        "mcpServers": {"mine": {"command": "x"}, "parlour": {"includeTools": ["open_dir"], "trust": false, "httpUrl": "http://old"}},
        "hooks": {"BeforeTool": [{"matcher": "write_.*", "hooks": [{"type": "command", "command": "mine"}]}]},
    });
    fs::write(place.at("chats/c/.gemini/settings.json"), theirs.to_string()).unwrap();
    place.prepare(&Gemini);
    let once = place.json("chats/c/.gemini/settings.json");
    place.prepare(&Gemini);
    assert_eq!(place.json("chats/c/.gemini/settings.json"), once);
    assert_eq!(once["theme"], "Dracula");
    assert_eq!(
        once["context"]["fileName"],
        json!(["NOTES.md", "AGENTS.md", "GEMINI.md"])
    );
    assert_eq!(once["general"]["sessionRetention"]["enabled"], true);
    assert_eq!(once["mcpServers"]["mine"]["command"], "x");
    assert_eq!(once["mcpServers"]["parlour"]["includeTools"], json!(["open_dir"]));
    assert_eq!(once["mcpServers"]["parlour"]["trust"], false);
    assert_eq!(
        once["mcpServers"]["parlour"]["httpUrl"],
        "http://127.0.0.1:20001/mcp?caller=7"
    );
    let groups = once["hooks"]["BeforeTool"].as_array().unwrap();
    assert_eq!((groups.len(), &groups[0]), (2, &theirs["hooks"]["BeforeTool"][0]));
}

#[test]
fn what_cannot_be_written_is_said_and_the_agent_starts() {
    let broken = place();
    fs::create_dir(broken.at("chats/c/.gemini")).unwrap();
    fs::write(broken.at("chats/c/.gemini/settings.json"), "{ not json").unwrap();
    let prepared = broken.prepare(&Gemini);
    assert_eq!(prepared.problems.len(), 1);
    assert_eq!(broken.read("chats/c/.gemini/settings.json"), "{ not json");

    let linked = place();
    symlink("/tmp", linked.at("chats/c/.gemini")).unwrap();
    assert_eq!(linked.prepare(&Gemini).problems.len(), 1);
}

#[test]
fn a_session_is_gone_on_with_where_somebody_said_something() {
    let begun = place();
    keep(&begun, SESSION, &[typed("1", "hello")]);
    let prepared = begun.prepare(&Gemini);
    assert!(prepared.resumes);
    assert_eq!(prepared.launch.args, ["--resume", SESSION]);

    let another = place();
    keep(&another, "11111111-9999-4999-8999-999999999999", &[typed("1", "hello")]);
    assert_eq!(another.prepare(&Gemini).launch.args, ["--session-id", SESSION]);
}

#[test]
fn a_chat_that_was_moved_finds_what_was_said_under_its_old_path() {
    let moved = place();
    keep(&moved, SESSION, &[typed("1", "hello")]);
    let config = moved.at("person/.gemini");
    fs::create_dir_all(config.join("tmp/c")).unwrap();
    let real = moved.at("chats/c").canonicalize().unwrap().display().to_string();
    let register = |old: &Path| {
        let projects = json!({"projects": {old.display().to_string(): "c", "/other": "other"}});
        fs::write(config.join("projects.json"), projects.to_string()).unwrap();
    };
    register(Path::new("/old/home/chats/c"));
    moved.prepare(&Gemini);
    let known = &moved.json("person/.gemini/projects.json")["projects"];
    assert_eq!(*known, json!({real.clone(): "c", "/other": "other"}));
    assert_eq!(moved.read("person/.gemini/tmp/c/.project_root"), real);
    // What is still there was not moved.
    let copied = moved.at("bin");
    register(&copied);
    moved.prepare(&Gemini);
    let known = &moved.json("person/.gemini/projects.json")["projects"];
    assert_eq!(known[copied.display().to_string()], "c");
}

/// A start in the same minute goes on in the first one's file, and a kill came before it had put the conversation back.
#[test]
fn a_conversation_that_a_kill_cut_out_is_put_back() {
    let place = place();
    let context = typed("0", "<session_context>\nThis is the Gemini CLI.");
    let emptied = json!({"$set": {"messages": [context]}});
    let lines = [
        emptied.clone(),
        typed("1", "hello"),
        typed("2", "and then?"),
        header(SESSION),
        emptied,
    ];
    let file = keep(&place, SESSION, &lines);
    assert_eq!(place.prepare(&Gemini).launch.args, ["--resume", SESSION]);
    let written = fs::read_to_string(&file).unwrap();
    let last: Value = serde_json::from_str(written.lines().last().unwrap()).unwrap();
    let ids = last["$set"]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| &message["id"]);
    assert_eq!(ids.collect::<Vec<_>>(), ["0", "1", "2"]);
    place.prepare(&Gemini);
    assert_eq!(fs::read_to_string(&file).unwrap(), written);
}

/// It refuses to resume such a session, and to begin one of the same id.
#[test]
fn a_session_in_which_nothing_is_left_is_begun_anew_under_an_id_of_the_clis_own() {
    let context = typed("0", "<session_context>\nThis is the Gemini CLI.");
    let emptied = json!({"$set": {"messages": [context]}});
    let shells = [
        vec![emptied.clone()],
        vec![emptied.clone(), typed("1", "refused"), emptied],
        vec![typed("1", "taken back"), json!({"$rewindTo": "1"})],
        vec![typed("1", "/quit")],
    ];
    for lines in shells {
        let place = place();
        keep(&place, SESSION, &lines);
        let prepared = place.prepare(&Gemini);
        assert!(!prepared.resumes);
        assert!(prepared.launch.args.is_empty(), "{lines:?}");
    }
}

#[test]
fn a_version_that_was_not_tested_is_remarked() {
    let place = place();
    let found = |says: &str| {
        install(&place.at("bin/gemini"), says);
        Gemini.detect(place.at("bin").as_os_str())
    };
    let tested = found("echo 0.61.4").unwrap();
    assert_eq!(
        (tested.version.as_deref(), tested.remark.as_str()),
        (Some("0.61.4"), "")
    );
    assert_eq!(found("echo 0.7.0").unwrap().remark, "parlour was tested with 0.61");
    assert!(found("echo gemini protocol client").is_err());
}

#[test]
fn a_persons_servers_stand_beside_ours_and_leave_with_the_settings() {
    let mut place = place().with_servers(json!({
        "db": {"command": "db-mcp"},
        "web": {"url": "https://h/mcp", "headers": {"X-Key": "${KEY}"}},
    }));
    let written = |place: &AgentsStage| {
        assert_eq!(place.prepare(&Gemini).problems, []);
        let mut all = place.json("chats/c/.gemini/settings.json")["mcpServers"].clone();
        assert!(all.as_object_mut().unwrap().remove("parlour").is_some());
        all
    };
    let web = json!({"httpUrl": "https://h/mcp", "headers": {"X-Key": "${KEY}"}});
    let db = json!({"command": "db-mcp", "args": [], "env": {}});
    assert_eq!(written(&place), json!({"db": db, "web": web}));
    place.chat.disabled_servers = vec!["db".into()];
    assert_eq!(written(&place), json!({"web": web}));
    place.settings = Default::default();
    assert_eq!(written(&place), json!({}));
}

#[test]
fn whole_tools_that_a_person_allows_run_unasked_and_no_single_command_is_named() {
    let mut place = place();
    fs::create_dir_all(place.at("chats/c/.gemini")).unwrap();
    let theirs = json!({"tools": {"allowed": ["mine"]}});
    fs::write(place.at("chats/c/.gemini/settings.json"), theirs.to_string()).unwrap();
    place.settings.permissions.allow = ["Edit", "Bash(cargo test:*)", "mcp__db"].map(String::from).into();
    assert_eq!(place.prepare(&Gemini).problems, []);
    let allowed = |place: &AgentsStage| place.json("chats/c/.gemini/settings.json")["tools"]["allowed"].clone();
    assert_eq!(allowed(&place), json!(["mine", "write_file", "replace"]));
    let lost = Gemini.rules_lost(&place.settings.permissions);
    assert_eq!(lost.len(), 2, "{lost:?}");
    place.settings.permissions.allow.clear();
    place.prepare(&Gemini);
    assert_eq!(allowed(&place), json!(["mine"]));
}
