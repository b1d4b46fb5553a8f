//! What a custom CLI is given, and what is read of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use super::Custom;
use super::placeholders::Values;
use crate::agents::Adapter;
use crate::agents::tests::{AgentsStage, SESSION};
use crate::model::chat::Pending;
use crate::model::entry::{From, ToolStatus};
use crate::model::{Happened, Timestamp};

const URL: &str = "http://127.0.0.1:20001/mcp?caller=7";

fn custom(mut entry: Value) -> Custom {
    entry["command"] = "/bin/cat".into();
    Custom::new("mine", &serde_json::from_value(entry).unwrap())
}

#[test]
fn placeholders_are_filled_once_and_what_looks_like_them_stays() {
    let values = Values {
        url: "{{parlour_token}}",
        token: "t",
        session: "s",
    };
    let filled = values.fill("{{parlour_mcp_url}} {{parlour_token}}{{parlour_session}} {{x}} {{{parlour_token}}} {{");
    assert_eq!(filled, "{{parlour_token}} ts {{x}} {t} {{");
}

#[test]
fn a_placeholder_that_is_none_is_named_before_and_at_each_start() {
    let place = AgentsStage::new();
    let template = json!({"a": ["{{parlour_url}}"], "b": "{{parlour_mcp_url}} {{{parlour_token}}} {{\n}} {{}}"});
    let mine = custom(json!({"mcpConfig": {"template": template}, "args": ["--id", "{{session}}"]}));
    let told: Vec<String> = place
        .prepare(&mine)
        .problems
        .iter()
        .map(|told| told.cause.clone())
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].starts_with("its template holds {{parlour_url}}, which is no placeholder"),
        "{told:?}"
    );
    assert!(told[1].starts_with("its args or env holds {{session}}"), "{told:?}");
    assert!(mine.detect("".as_ref()).unwrap().remark.contains("{{parlour_url}}"));
}

#[test]
fn a_json_template_is_merged_value_by_value() {
    let place = AgentsStage::new();
    let odd = "\"quoted\"\n{{parlour_token}} 'x' \\";
    let template = json!({"servers": {"parlour": {"url": "{{parlour_mcp_url}}", "auth": "Bearer {{parlour_token}}"}},
                          "odd": odd, "list": ["{{parlour_token}}"]});
    let mine = custom(json!({"mcpConfig": {"template": template, "file": ".mine/mcp.json"}}));
    fs::create_dir(place.at("chats/c/.mine")).unwrap();
    let own = json!({"servers": {"other": 1, "parlour": {"url": "old", "mine": true}}, "zeta": null});
    fs::write(place.at("chats/c/.mine/mcp.json"), own.to_string()).unwrap();
    for _ in 0..2 {
        assert_eq!(place.prepare(&mine).problems, []);
        let parlour = json!({"url": URL, "mine": true, "auth": "Bearer s3cret-token"});
        let wanted = json!({"servers": {"other": 1, "parlour": parlour}, "zeta": null,
            "odd": odd.replace("{{parlour_token}}", "s3cret-token"), "list": ["s3cret-token"]});
        assert_eq!(place.json("chats/c/.mine/mcp.json"), wanted);
    }
    let mode = fs::metadata(place.at("chats/c/.mine/mcp.json"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_toml_template_is_merged_and_comments_stay() {
    let place = AgentsStage::new();
    let text = "[mcp.parlour]\nurl = \"{{parlour_mcp_url}}\"\nheader = 'Bearer \"{{parlour_token}}\"'\nretries = 3\n";
    let mine = custom(json!({"mcpConfig": {"template": text, "file": "mine.toml"}}));
    fs::write(
        place.at("chats/c/mine.toml"),
        "# mine\ncolour = \"red\" # warm\n\n[mcp.other]\nx = 1\n",
    )
    .unwrap();
    for _ in 0..2 {
        assert_eq!(place.prepare(&mine).problems, []);
        let written = place.read("chats/c/mine.toml");
        assert!(written.starts_with("# mine\ncolour = \"red\" # warm\n"), "{written}");
        let read: Value = toml::from_str(&written).unwrap();
        let parlour = json!({"url": URL, "header": "Bearer \"s3cret-token\"", "retries": 3});
        assert_eq!(read["mcp"], json!({"other": {"x": 1}, "parlour": parlour}));
    }
}

#[test]
fn a_plain_text_is_parlours_until_somebody_changes_it() {
    let place = AgentsStage::new();
    let config = json!({"template": "url: {{parlour_mcp_url}}\ntoken: {{parlour_token}}\n", "file": "mine.yaml"});
    let mine = custom(json!({"mcpConfig": config}));
    for _ in 0..2 {
        assert_eq!(place.prepare(&mine).problems, []);
        assert_eq!(
            place.read("chats/c/mine.yaml"),
            format!("url: {URL}\ntoken: s3cret-token\n")
        );
    }
    fs::write(place.at("chats/c/mine.yaml"), "mine").unwrap();
    assert_eq!(place.prepare(&mine).problems.len(), 1);
    assert_eq!(place.read("chats/c/mine.yaml"), "mine");
}

#[test]
fn a_template_without_a_token_gets_it_in_the_address_and_says_so() {
    let place = AgentsStage::new();
    let mine =
        custom(json!({"mcpConfig": {"template": {"url": "{{parlour_mcp_url}}"}}, "args": ["{{parlour_mcp_url}}"]}));
    let launch = place.prepare(&mine).launch;
    let url = format!("{URL}&token=s3cret-token");
    assert_eq!(place.json("chats/c/mine.mcp.json"), json!({"url": url}));
    assert_eq!(launch.args, [URL]);
    assert!(mine.token_in_url());
    let remark = mine.detect("/bin".as_ref()).unwrap().remark;
    assert!(
        remark.contains("the address in mine.mcp.json carries the token"),
        "{remark}"
    );
}

#[test]
fn a_template_leads_nowhere_else_and_a_bad_one_is_said() {
    let place = AgentsStage::new();
    for (file, template) in [
        ("../x.json", json!({})),
        ("/tmp/x.json", json!({})),
        ("x.json", json!("{")),
        ("x.toml", json!({"a": null})),
        ("x.json", json!([1])),
    ] {
        let mine = custom(json!({"mcpConfig": {"template": template, "file": file}}));
        assert_eq!(place.prepare(&mine).problems.len(), 1, "{file}");
    }
    assert!(!place.at("chats/x.json").exists());
}

#[test]
fn its_instructions_are_the_chats() {
    let place = AgentsStage::new();
    let mine = custom(json!({"instructionsFile": "docs/MINE.md"}));
    for _ in 0..2 {
        assert_eq!(place.prepare(&mine).problems, []);
        assert_eq!(
            fs::read_link(place.at("chats/c/docs/MINE.md")).unwrap(),
            Path::new("../AGENTS.md")
        );
    }
    fs::remove_file(place.at("chats/c/docs/MINE.md")).unwrap();
    fs::write(place.at("chats/c/docs/MINE.md"), "mine").unwrap();
    assert_eq!(place.prepare(&mine).problems.len(), 1);
    assert_eq!(place.read("chats/c/docs/MINE.md"), "mine");
}

#[test]
fn the_second_start_resumes_and_a_waiting_prompt_goes_along() {
    let mut place = AgentsStage::new();
    let mine = custom(json!({"args": ["new"], "resumeArgs": ["resume", "{{parlour_session}}"], "promptArg": "-p"}));
    assert_eq!(place.prepare(&mine).launch.args, ["new"]);
    let prompt = Pending::new("-x {{parlour_token}}".into(), From::Person, Timestamp(0));
    place.chat.prompts.push(prompt);
    let again = place.prepare(&mine);
    assert!(again.resumes && mine.takes_first_prompt());
    assert_eq!(again.launch.args, ["resume", SESSION, "-p", "-x {{parlour_token}}"]);
}

#[test]
fn with_a_transcript_only_that_says_whether_there_is_something_to_resume() {
    let place = AgentsStage::new();
    let transcript = json!({"format": "jsonl", "file": "{{parlour_session}}/log.jsonl"});
    let mine = custom(json!({"resumeArgs": ["--continue"], "transcript": transcript}));
    let log = mine.own_transcripts(&place.at("chats/c"), SESSION, &place.env);
    assert_eq!(log, [place.at(&format!("chats/c/{SESSION}/log.jsonl"))]);
    assert!(!place.prepare(&mine).resumes && !place.prepare(&mine).resumes);
    fs::write(&log[0], "").unwrap();
    assert_eq!(place.prepare(&mine).launch.args, ["--continue"]);
    let home = custom(json!({"transcript": {"format": "jsonl", "file": "~/.mine/log"}}));
    let log = home.own_transcripts(&place.at("chats/c"), SESSION, &place.env);
    assert_eq!(log, [place.at("person/.mine/log")]);
}

#[test]
fn a_transcript_is_read_by_the_fields_that_are_named() {
    let fields = json!({"role": "m.role", "text": "m.content.0.text", "tool": "call.name", "input": "call.args",
                        "result": "call.out", "id": "call.id"});
    let mine = custom(json!({"transcript": {"format": "jsonl", "file": "log", "fields": fields}}));
    let mut reader = mine.transcript_reader();
    let mut read = |line: Value| -> Vec<Happened> {
        reader
            .line(&line.to_string())
            .into_iter()
            .map(|told| told.what)
            .collect()
    };
    let said = |role: &str| json!({"m": {"role": role, "content": [{"text": "hello"}]}});
    assert!(matches!(&read(said("User"))[..], [Happened::Prompt { text, .. }] if text == "hello"));
    let first = read(said("assistant"));
    let second = read(said("assistant"));
    assert!(matches!(&first[..], [Happened::Text { text, .. }] if text == "hello"));
    assert_ne!(first, second, "the same words twice are two");
    assert_eq!(read(said("system")), []);
    let began = read(json!({"call": {"name": "Bash", "args": {"command": "ls"}, "id": "c1"}}));
    assert!(matches!(&began[..], [Happened::ToolStart { id, name, input, .. }]
        if id == "c1" && name == "Bash" && input["command"] == "ls"));
    let ended = read(json!({"call": {"out": {"files": 2}}}));
    assert!(
        matches!(&ended[..], [Happened::ToolEnd { id, preview, status: ToolStatus::Ok, .. }]
        if id == "c1" && preview == "{\"files\":2}")
    );
    assert_eq!(read(json!({"other": 1})), []);
    let mut torn = mine.transcript_reader();
    assert!(matches!(torn.line("{ torn")[0].what, Happened::Unknown { .. }));
    assert_eq!(torn.line("  "), []);
}
