//! The MCP servers of a chat: seen, switched, asked, and those of a project only after a person's word.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use crate::support::mcp::Server;
use crate::support::parlour::{PATIENCE, Parlour, git, install, until};
use crate::support::team::{self, Mate};

/// A server of one tool, `name`, that notes its start beside itself and leaves a child behind.
fn server(name: &str) -> String {
    format!(
        r#"#!/bin/sh
echo "$$ $PWD $KEY" >> started
sleep 600 &
echo $! >> children
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) printf '{{"jsonrpc":"2.0","id":%s,"result":{{"protocolVersion":"2025-06-18","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"1"}}}}}}\n' "$id" ;;
    *'"tools/list"'*) printf '{{"jsonrpc":"2.0","id":%s,"result":{{"tools":[{{"name":"{name}","inputSchema":{{"type":"object"}}}}]}}}}\n' "$id" ;;
  esac
done
"#
    )
}

/// A person with Cursor's CLI and a server of their own, and a project that brings one along.
fn parlour() -> Parlour {
    let parlour = Parlour::new();
    let bin = parlour.scratch().join("bin");
    fs::create_dir(&bin).unwrap();
    install(&bin.join("cursor-agent"), "#!/bin/sh\necho 1.0\nexec cat\n");
    install(&bin.join("db-mcp"), &server("query"));
    let project = parlour.scratch().join("grove");
    fs::create_dir(&project).unwrap();
    git(&project, &["init", "-q"]);
    install(&project.join("lint.sh"), &server("lint"));
    fs::write(project.join(".mcp.json"), brings(&["--fix"]).to_string()).unwrap();
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "a server"]);
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let parlour = parlour.with([("PATH".to_string(), path), ("LINT_KEY".to_string(), "k3y".to_string())]);
    parlour.configure(&json!({"globalMcpServers": {"db": {"command": "db-mcp"}}}).to_string());
    parlour.json(&["new", "Talk", "--llm", "cursor", "--dir", project.to_str().unwrap()]);
    parlour
}

fn brings(args: &[&str]) -> Value {
    json!({"mcpServers": {"lint": {"command": "./lint.sh", "args": args, "env": {"KEY": "${LINT_KEY}"}}}})
}

fn chat(parlour: &Parlour) -> PathBuf {
    let id = parlour.json(&["list"])["chats"][0]["id"].clone();
    parlour.home().join("chats").join(id.as_str().unwrap())
}

fn listed(told: &Value) -> Vec<(String, bool, String)> {
    let all = told["servers"].as_array().unwrap().iter();
    let word = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    all.map(|one| (word(one, "name"), one["on"] == true, word(one, "because")))
        .collect()
}

/// What the agent's settings name after a start again.
fn given(parlour: &Parlour) -> Vec<String> {
    parlour.json(&["restart", "talk"]);
    let text = fs::read_to_string(chat(parlour).join(".cursor/mcp.json")).unwrap();
    let settings: Value = serde_json::from_str(&text).unwrap();
    settings["mcpServers"].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn servers_are_listed_and_switched_and_a_projects_own_only_after_a_word() {
    let parlour = parlour();
    let clone = chat(&parlour).join("projects/grove");
    let row = |name: &str, on: bool, because: &str| (name.to_owned(), on, because.to_owned());
    assert_eq!(
        listed(&parlour.json(&["servers", "talk"])),
        [
            row("parlour", true, ""),
            row("db", true, ""),
            row("lint", false, "not agreed to"),
        ]
    );
    assert_eq!(given(&parlour), ["db", "parlour"]);

    parlour.json(&["servers", "talk", "off", "db"]);
    let refused = parlour.refusal(&["servers", "talk", "on", "lint"]);
    assert!(
        refused.contains("runs ./lint.sh --fix, in projects/grove, with KEY=${LINT_KEY}") && refused.contains("--yes"),
        "{refused}"
    );
    let said = parlour.agree(&["servers", "talk", "on", "lint"]);
    assert!(said.contains("`parlour restart talk`"), "{said}");
    assert_eq!(given(&parlour), ["parlour", "lint"]);
    assert!(!clone.join("started").exists(), "nobody asked for its tools yet");

    let tools = parlour.json(&["servers", "talk", "--tools"]);
    let of = |name: &str| {
        let all = tools["servers"].as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap()["tools"].clone()
    };
    assert_eq!(of("lint"), json!(["lint"]));
    assert_eq!(of("db"), Value::Null, "what is off is not started");
    let own = of("parlour");
    assert_eq!(
        own.as_array().unwrap()[..3],
        ["open_dir", "list_projects", "save_project_setup"]
    );
    let started = fs::read_to_string(clone.join("started")).unwrap();
    assert!(started.trim_end().ends_with("/projects/grove k3y"), "{started}");
    let child = fs::read_to_string(clone.join("children")).unwrap();
    let gone = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.trim()));
        !status.is_ok_and(|status| !status.contains("State:\tZ"))
    };
    until("what it started is gone", PATIENCE, gone);

    fs::write(clone.join(".mcp.json"), brings(&["--fix", "--all"]).to_string()).unwrap();
    let told = listed(&parlour.json(&["servers", "talk"]));
    assert_eq!(told[2], row("lint", false, "changed since you agreed to it"));
    assert_eq!(given(&parlour), ["parlour"]);
    let notes = parlour.events("talk");
    let said = |event: &Value| {
        event["text"]
            .as_str()
            .is_some_and(|text| text.contains("not what you agreed to"))
    };
    assert!(notes.iter().any(said), "{notes:?}");
}

/// About four letters to a token.
#[test]
fn an_agent_reads_less_than_4000_tokens_of_parlour_before_it_begins() {
    let parlour = team::parlour(json!({}));
    let boss = Mate::new(&parlour, "Boss", &[]);
    let listed = boss.server().ask("tools/list", &json!({})).unwrap();
    let tools = listed["tools"].as_array().unwrap();
    let is_usual = |tool: &&Value| tool["name"] != "add_remark";
    let tools: Vec<&Value> = tools.iter().filter(is_usual).collect();
    assert!(tools.len() > 20, "{tools:?}");
    let tools = serde_json::to_string(&tools).unwrap();
    let notes = fs::read_to_string(boss.dir.join("AGENTS.md")).unwrap();
    assert!(notes.contains("- `dispatch`:"));
    let letters = tools.len() + notes.len();
    assert!(letters < 4000 * 4, "{} of tools, {} of notes", tools.len(), notes.len());
}

#[test]
fn parlours_own_tools_are_switched_one_by_one_for_a_chat() {
    let parlour = team::parlour(json!({}));
    let boss = Mate::new(&parlour, "Boss", &[]);
    let notes = || fs::read_to_string(boss.dir.join("AGENTS.md")).unwrap();
    let has_dispatch = |mate: &Mate| {
        let listed = mate.server().ask("tools/list", &json!({})).unwrap();
        let tools = listed["tools"].as_array().unwrap().clone();
        tools.iter().any(|tool| tool["name"] == "dispatch")
    };
    assert!(notes().contains("- `dispatch`:") && has_dispatch(&boss));
    parlour.say(&["servers", "boss", "off", "parlour/dispatch"]);
    let off = ("parlour/dispatch".to_owned(), false, "left out of this chat".to_owned());
    assert!(listed(&parlour.json(&["servers", "boss"])).contains(&off));
    assert!(!notes().contains("- `dispatch`:") && !has_dispatch(&boss));
    let refused = boss.call("dispatch", json!({"prompt": "work"})).unwrap_err();
    assert!(refused.contains("a person switched it off for this chat"), "{refused}");
    // It stays so, in the record and for the next start; other chats have it.
    parlour.json(&["restart", "boss"]);
    assert!(!notes().contains("- `dispatch`:"));
    let other = Mate::new(&parlour, "Other", &[]);
    assert!(has_dispatch(&other));
    parlour.say(&["servers", "boss", "on", "parlour/dispatch"]);
    assert!(notes().contains("- `dispatch`:"));
    let refused = parlour.refusal(&["servers", "boss", "off", "parlour/nothing"]);
    assert!(refused.contains("no such MCP server"), "{refused}");
}

#[test]
fn a_person_switches_servers_and_tools_where_the_chat_is_shown() {
    let parlour = parlour();
    let mut terminal = parlour.attach_sized(&["--", "talk"], 120, 60);
    terminal.wait_for_text("Talk");
    terminal.press("\x11c");
    terminal.wait_for_text("1 Cards");
    terminal.press("5");
    terminal.wait_for_text("parlour's own tools");
    let is_off = |name: &str| {
        let off = (name.to_owned(), false, "left out of this chat".to_owned());
        listed(&parlour.json(&["servers", "talk"])).contains(&off)
    };
    // Past the model, what is unasked, the rules, the clone, another one, and the sandbox.
    terminal.press("jjjjjj\r");
    until("the server is off", PATIENCE, || is_off("db"));
    terminal.wait_for_text("off         db");
    // Past the servers of its clones.
    terminal.press("jj\r");
    until("the tool is off", PATIENCE, || is_off("parlour/open_dir"));
    terminal.wait_for_text("off         open_dir");
    terminal.press("\r");
    terminal.wait_for_text("on          open_dir");
    assert!(!is_off("parlour/open_dir") && is_off("db"));
}

#[test]
fn what_is_not_parlours_is_not_switched_and_an_agent_switches_nothing() {
    let parlour = parlour();
    let refused = parlour.refusal(&["servers", "talk", "off", "parlour"]);
    assert!(refused.contains("in every chat"), "{refused}");
    let refused = parlour.refusal(&["servers", "talk", "off", "nothing"]);
    assert!(refused.contains("no such MCP server"), "{refused}");

    let file = chat(&parlour).join(".cursor/mcp.json");
    let mut settings: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    settings["mcpServers"]["mine"] = json!({"command": "mine-mcp"});
    fs::write(&file, settings.to_string()).unwrap();
    let told = listed(&parlour.json(&["servers", "talk"]));
    assert!(told.contains(&("mine".into(), true, String::new())), "{told:?}");
    let refused = parlour.refusal(&["servers", "talk", "off", "mine"]);
    assert!(refused.contains(".cursor/mcp.json"), "{refused}");

    for words in [
        ["servers", "talk", "off", "db"].as_slice(),
        &["servers", "talk", "on", "lint", "--yes"],
        &["servers", "talk", "--tools"],
    ] {
        let output = parlour
            .command(words)
            .env("PARLOUR_CHAT", "aaaaaaaaaa")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && said.contains("for a person to decide"),
            "{said}"
        );
    }
}

#[test]
fn a_server_that_cannot_be_asked_says_why_in_time() {
    let parlour = parlour();
    let servers = json!({
        "gone": {"command": "no-such-mcp"},
        "deaf": {"command": "sleep", "args": ["600"]},
        "shut": {"url": "http://127.0.0.1:9/mcp"},
        "odd": {"command": "yes", "args": ["{}"]},
    });
    parlour.configure(&json!({"globalMcpServers": servers}).to_string());
    let all = || parlour.json(&["servers", "talk"])["servers"].as_array().unwrap().len() == 6;
    until("the settings are read", PATIENCE, all);
    let asked = Instant::now();
    let tools = parlour.json(&["servers", "talk", "--tools"]);
    assert!(asked.elapsed() < PATIENCE, "took {:?}", asked.elapsed());
    for name in ["gone", "deaf", "shut", "odd"] {
        let all = tools["servers"].as_array().unwrap();
        let one = all.iter().find(|one| one["name"] == name).unwrap();
        assert!(one["tools"].is_null() && one["tools_problem"].is_string(), "{one}");
    }
}

#[test]
fn cline_runs_every_tool_of_parlours_unasked_that_it_is_offered() {
    let parlour = Parlour::new().with_program("cline", "#!/bin/sh\nwhile read -r line; do :; done\n");
    let made = parlour.json(&["new", "Clines", "--llm", "cline"]);
    let file = Path::new(made["dir"].as_str().unwrap()).join(".cline/mcp_settings.json");
    until("its settings", PATIENCE, || file.exists());
    let settings: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let ours = &settings["mcpServers"]["parlour"];
    let token = ours["headers"]["Authorization"].as_str().unwrap();
    let server = Server {
        url: ours["url"].as_str().unwrap().into(),
        token: Some(token.trim_start_matches("Bearer ").into()),
    };
    let offered = server.ask("tools/list", &json!({})).unwrap();
    let names: Vec<&Value> = offered["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert!(names.len() > 10, "{names:?}");
    assert_eq!(ours["autoApprove"], json!(names));
    assert_eq!(ours["alwaysAllow"], json!(names));
}
