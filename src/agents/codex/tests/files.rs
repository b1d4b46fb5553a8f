//! What is written for Codex, and where its transcripts are looked for.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use serde_json::json;

use crate::agents::Adapter;
use crate::agents::codex::Codex;
use crate::agents::tests::{AgentsStage, SESSION, install};
use crate::model::HookCall;

/// A home with an installed `codex`.
pub(super) fn place() -> AgentsStage {
    let place = AgentsStage::new();
    install(&place.at("bin/codex"), "echo 'codex-cli 0.169.0'");
    place
}

#[test]
fn it_starts_without_a_dialog_and_with_no_secret_in_an_argument() {
    let place = place();
    let prepared = place.prepare(&Codex);
    let launch = &prepared.launch;
    assert_eq!(prepared.problems, []);
    assert_eq!(launch.program, place.at("bin/codex"));
    assert_eq!(launch.cwd, place.at("chats/c"));
    assert_eq!(launch.args[0], "--no-daemon");
    let trust = launch.args.last().unwrap().strip_prefix("projects=").unwrap();
    let trusted: toml::Value = toml::from_str(&format!("projects={trust}")).unwrap();
    let chat = place.at("chats/c").display().to_string();
    assert_eq!(trusted["projects"][&chat]["trust_level"].as_str(), Some("trusted"));
    assert_eq!(launch.env["PARLOUR_TOKEN"], "s3cret-token");
    let config = place.read("chats/c/.codex/config.toml");
    assert_eq!(
        config,
        "[mcp_servers.parlour]\nurl = \"http://127.0.0.1:20001/mcp?caller=7\"\n\
         bearer_token_env_var = \"PARLOUR_TOKEN\"\ndefault_tools_approval_mode = \"approve\"\ntool_timeout_sec = 300\n"
    );
    let hooks = place.read("chats/c/.codex/hooks.json");
    let shown = format!("{:?}{config}{hooks}", launch.args);
    assert!(!shown.contains("s3cret"), "{shown}");
    let mode = fs::metadata(place.at("records/c/hook-token"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_template_says_when_it_asks_and_a_file_of_the_chat_does_not() {
    let place = place();
    let set = |place: &AgentsStage, key: &str| {
        let args = place.prepare(&Codex).launch.args;
        let said = args
            .iter()
            .find_map(|arg| arg.strip_prefix(&format!("{key}=")).map(String::from));
        said.unwrap()
    };
    let both = |place: &AgentsStage| (set(place, "approval_policy"), set(place, "sandbox_mode"));
    assert_eq!(both(&place), ("\"on-request\"".into(), "\"workspace-write\"".into()));

    let chats = "approval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n";
    fs::write(place.at("chats/c/.codex/config.toml"), chats).unwrap();
    assert_eq!(both(&place), ("\"on-request\"".into(), "\"workspace-write\"".into()));
    let told: Vec<String> = place
        .prepare(&Codex)
        .problems
        .into_iter()
        .map(|told| told.cause)
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].starts_with("approval_policy in .codex/config.toml is not used"),
        "{told:?}"
    );

    fs::create_dir_all(place.at("llm-defaults/codex")).unwrap();
    fs::write(place.at("llm-defaults/codex/config.toml"), chats).unwrap();
    assert_eq!(both(&place), ("\"never\"".into(), "\"danger-full-access\"".into()));
    assert_eq!(place.prepare(&Codex).problems, []);

    fs::create_dir_all(place.at("llm-defaults/codex/.codex")).unwrap();
    let table = "[approval_policy.granular]\nrules = true\n";
    fs::write(place.at("llm-defaults/codex/.codex/config.toml"), table).unwrap();
    let said: toml::Table = format!("a = {}", set(&place, "approval_policy")).parse().unwrap();
    assert_eq!(said["a"]["granular"]["rules"].as_bool(), Some(true));
}

#[test]
fn what_people_changed_survives_the_next_start() {
    let place = place();
    fs::create_dir(place.at("chats/c/.codex")).unwrap();
    let config = "# mine\nmodel = 'big' # the best\n\n[mcp_servers.mine]\ncommand = \"x\"\n\n\
                  [mcp_servers.parlour] # kept\nurl = \"http://old\"\nenabled_tools = [\"open_dir\"]\n";
    fs::write(place.at("chats/c/.codex/config.toml"), config).unwrap();
    let mine = json!({"matcher": "Bash", "hooks": [{"type": "command", "command": "parlour hook codex Stop my own"}]});
    fs::write(
        place.at("chats/c/.codex/hooks.json"),
        json!({"hooks": {"Stop": [mine], "Odd": 1}, "other": true}).to_string(),
    )
    .unwrap();
    for _ in 0..2 {
        assert_eq!(place.prepare(&Codex).problems, []);
        let config = place.read("chats/c/.codex/config.toml");
        assert_eq!(
            config,
            "# mine\nmodel = 'big' # the best\n\n[mcp_servers.mine]\ncommand = \"x\"\n\n\
             [mcp_servers.parlour] # kept\nurl = \"http://127.0.0.1:20001/mcp?caller=7\"\nenabled_tools = [\"open_dir\"]\n\
             bearer_token_env_var = \"PARLOUR_TOKEN\"\ndefault_tools_approval_mode = \"approve\"\ntool_timeout_sec = 300\n"
        );
        let hooks = place.json("chats/c/.codex/hooks.json");
        assert_eq!((&hooks["other"], &hooks["hooks"]["Odd"]), (&json!(true), &json!(1)));
        let stop = hooks["hooks"]["Stop"].as_array().unwrap();
        assert_eq!((stop.len(), &stop[0]), (2, &mine));
        let line = stop[1]["hooks"][0]["command"].as_str().unwrap();
        let token_file = place.at("records/c/hook-token").display().to_string();
        let words = [
            "/opt/my programs/parlour's",
            "hook",
            "codex",
            "Stop",
            "--token-file",
            &token_file,
        ];
        assert_eq!(shell_words::split(line).unwrap(), words);
    }
}

#[test]
fn what_cannot_be_read_is_left_alone_and_said() {
    let place = place();
    fs::create_dir(place.at("chats/c/.codex")).unwrap();
    let broken = [
        ("chats/c/.codex/config.toml", "mcp_servers = ["),
        ("chats/c/.codex/hooks.json", "{\"hooks\": 1}"),
    ];
    for (file, text) in broken {
        fs::write(place.at(file), text).unwrap();
    }
    let problems = place.prepare(&Codex).problems;
    let said: Vec<_> = problems.iter().map(|problem| problem.doing.as_str()).collect();
    assert_eq!(said, ["writing .codex/config.toml", "writing .codex/hooks.json"]);
    for (file, text) in broken {
        assert_eq!(place.read(file), text);
    }
}

#[test]
fn a_link_in_the_chat_leads_no_write_elsewhere() {
    let place = place();
    fs::create_dir(place.at("outside")).unwrap();
    symlink(place.at("outside"), place.at("chats/c/.codex")).unwrap();
    assert!(!place.prepare(&Codex).problems.is_empty());
    assert_eq!(fs::read_dir(place.at("outside")).unwrap().count(), 0);
}

#[test]
fn a_session_with_a_transcript_is_resumed() {
    let place = place();
    assert!(!place.prepare(&Codex).resumes);
    let day = place.at("person/.codex/sessions/2026/11/21");
    fs::create_dir_all(&day).unwrap();
    fs::write(day.join(format!("rollout-2026-11-21T13-35-59-{SESSION}.jsonl")), "").unwrap();
    let prepared = place.prepare(&Codex);
    assert!(prepared.resumes);
    assert!(prepared.launch.args.ends_with(&["resume".into(), SESSION.into()]));
}

#[test]
fn a_hook_names_a_transcript_only_where_transcripts_lie() {
    let named = |payload, env: &[(&str, &str)]| {
        let env = env.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        let call = HookCall {
            agent: "codex".into(),
            event: "Stop".into(),
            payload,
        };
        Codex.transcript(&call, &env.collect::<BTreeMap<_, _>>())
    };
    let home = [("HOME", "/home/u")];
    let moved = [("HOME", "/home/u"), ("CODEX_HOME", "/elsewhere")];
    let file = format!("sessions/2026/11/21/rollout-2026-11-21T13-35-59-{SESSION}.jsonl");
    let payload = |path: &str| json!({"transcript_path": path, "session_id": SESSION});
    let right = format!("/home/u/.codex/{file}");
    assert_eq!(named(payload(&right), &home), Some(right.clone().into()));
    assert_eq!(named(payload(&right), &moved), None);
    let there = format!("/elsewhere/{file}");
    assert_eq!(named(payload(&there), &moved), Some(there.into()));
    assert_eq!(named(payload("/etc/shadow"), &home), None);
    let up = format!("/home/u/.codex/sessions/../../11/rollout-a-{SESSION}.jsonl");
    assert_eq!(named(payload(&up), &home), None);
    assert_eq!(named(json!({"transcript_path": right, "session_id": "a"}), &home), None);
    let of_another = json!({"transcript_path": right, "session_id": SESSION, "agent_id": "sub"});
    assert_eq!(named(of_another, &home), None);
}

#[test]
fn an_installed_codex_names_its_version_and_one_of_tomorrow_is_remarked_on() {
    let place = place();
    let path = place.at("bin");
    let found = Codex.detect(path.as_os_str()).unwrap();
    assert_eq!((found.version.as_deref(), found.remark.as_str()), (Some("0.169.0"), ""));
    install(&found.program, "echo 'codex-cli 0.170.1'");
    let newer = Codex.detect(path.as_os_str()).unwrap();
    assert_eq!(newer.remark, "not tested in this version; 0.169.0 and 0.171.0 are");
    install(&found.program, "echo 'codex-cli 0.171.2'");
    assert_eq!(Codex.detect(path.as_os_str()).unwrap().remark, "");
    install(&found.program, "echo 'something else'");
    assert!(Codex.detect(path.as_os_str()).is_err());
}

#[test]
fn a_persons_servers_are_tables_and_leave_with_the_settings() {
    let mut place = place().with_servers(json!({
        "db": {"command": "db-mcp", "args": ["--ro"], "env": {"DB": "${DB}", "MODE": "a \"b\"\n"}},
        "web": {"url": "https://h/mcp", "headers": {"Authorization": "Bearer ${WEB}", "X-Key": "${KEY}", "X-Plain": "1"}},
    }));
    fs::create_dir(place.at("chats/c/.codex")).unwrap();
    let own = "# mine\n[mcp_servers.mine]\ncommand = \"x\" # theirs\n";
    fs::write(place.at("chats/c/.codex/config.toml"), own).unwrap();
    let written = |place: &AgentsStage| {
        assert_eq!(place.prepare(&Codex).problems, []);
        let text = place.read("chats/c/.codex/config.toml");
        assert!(text.starts_with(own), "{text}");
        let mut read: serde_json::Value = toml::from_str(&text).unwrap();
        let all = read["mcp_servers"].as_object_mut().unwrap();
        assert!(all.remove("parlour").is_some() && all.remove("mine").is_some());
        read["mcp_servers"].clone()
    };
    let db = json!({"command": "db-mcp", "args": ["--ro"], "env": {"MODE": "a \"b\"\n"}, "env_vars": ["DB"]});
    let web = json!({"url": "https://h/mcp", "bearer_token_env_var": "WEB", "http_headers": {"X-Plain": "1"},
                     "env_http_headers": {"X-Key": "KEY"}});
    for _ in 0..2 {
        assert_eq!(written(&place), json!({"db": db, "web": web}));
    }
    place.chat.disabled_servers = vec!["db".into(), "mine".into()];
    assert_eq!(written(&place), json!({"web": web}));
    place.settings = Default::default();
    assert_eq!(written(&place), json!({}));
}
