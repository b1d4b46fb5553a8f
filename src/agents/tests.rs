//! A chat's place to start agents in, and what holds for every adapter.

mod composers;
mod cuts;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::codex::Codex;
use super::custom::Custom;
use super::demo::DemoAdapter;
use super::shell::Shell;
use super::{Adapter, Fork, LaunchContext, LookedBack, Parent, Prepared, all, find};
use crate::model::built_in::title_of;
use crate::model::chat::Directory;
use crate::model::settings::PermissionSettings;
use crate::model::{
    Activity, AgentEntry, AreaMode, ChatId, EarlierPrompt, Handle, Kind, Problem, Ready, Record, Settings, Timestamp,
};

pub(super) const SESSION: &str = "11111111-2222-4333-8444-555555555555";

/// A person's rules.
pub(super) fn rules(allow: &[&str], ask: &[&str], deny: &[&str]) -> PermissionSettings {
    let own = |list: &[&str]| list.iter().map(|rule| rule.to_string()).collect();
    PermissionSettings {
        allow: own(allow),
        ask: own(ask),
        deny: own(deny),
        ..PermissionSettings::default()
    }
}

/// A home with one chat, an installed `claude`, and a person's own home beside it.
pub(super) struct AgentsStage {
    root: TempDir,
    pub env: BTreeMap<String, String>,
    pub settings: Settings,
    pub chat: Record,
}

impl AgentsStage {
    pub fn new() -> AgentsStage {
        let root = tempfile::tempdir().unwrap();
        for dir in ["person/.claude", "bin", "chats/c", "records/c"] {
            fs::create_dir_all(root.path().join(dir)).unwrap();
        }
        install(&root.path().join("bin/claude"), "echo '2.1.197 (Claude Code)'");
        let at = |dir: &str| root.path().join(dir).display().to_string();
        let env = BTreeMap::from([
            ("HOME".to_string(), at("person")),
            ("PATH".to_string(), at("bin")),
            ("ANTHROPIC_API_KEY".to_string(), "kept".to_string()),
            ("CLAUDECODE".to_string(), "1".to_string()),
            ("PARLOUR_TOKEN".to_string(), "another chat's".to_string()),
        ]);
        let named = ("a chat", Handle::parse("a-chat").unwrap());
        let chat = Record {
            sessions: vec![SESSION.into()],
            port: Some(30_120),
            ..Record::new(ChatId::from_bits(7), named, "claude", Timestamp(0))
        };
        let settings = Settings::default();
        AgentsStage {
            root,
            env,
            settings,
            chat,
        }
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.read(path)).unwrap()
    }

    /// With these servers in `config.json`.
    pub fn with_servers(mut self, servers: Value) -> AgentsStage {
        self.settings = serde_json::from_value(json!({"globalMcpServers": servers})).unwrap();
        self
    }

    pub fn prepare(&self, adapter: &dyn Adapter) -> Prepared {
        self.prepare_in(adapter, SESSION)
    }

    pub fn prepare_in(&self, adapter: &dyn Adapter, session: &str) -> Prepared {
        let context = LaunchContext {
            chat: &self.chat,
            role: None,
            dir: &self.at("chats/c"),
            record: &self.at("records/c"),
            home: self.root.path(),
            parlour: Path::new("/opt/my programs/parlour's"),
            session,
            mcp_url: "http://127.0.0.1:20001/mcp?caller=7",
            token: "s3cret-token",
            hook_token: "s3cret-hook",
            env: &self.env,
            settings: &self.settings,
            tools: &["open_dir", "list_projects", "brand_new"].map(String::from),
            sandboxed: false,
        };
        adapter.prepare(&context).unwrap()
    }
}

impl AgentsStage {
    /// The chat's conversation, up to this prompt of it.
    pub fn goes_back(&self, adapter: &dyn Adapter, session: &str, before: &EarlierPrompt) -> Result<Fork, Problem> {
        self.with((session, before), |parent| adapter.fork(parent))
    }

    /// Whether there is one.
    pub fn looks_back(
        &self,
        adapter: &dyn Adapter,
        session: &str,
        before: &EarlierPrompt,
    ) -> Result<LookedBack, Problem> {
        self.with((session, before), |parent| adapter.look_back(parent))
    }

    fn with<T>(&self, (session, before): (&str, &EarlierPrompt), run: impl FnOnce(&Parent<'_>) -> T) -> T {
        run(&Parent {
            session,
            record: &self.at("records/c"),
            into: &self.at("records/c"),
            dir: &self.at("chats/c"),
            before: Some(before),
            env: &self.env,
        })
    }
}

/// Written by a process of its own: a descriptor of ours that another test's child inherits would make it "busy".
pub(super) fn install(program: &Path, script: &str) {
    let wrote = std::process::Command::new("/bin/sh")
        .args([
            "-c",
            "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\" && chmod 755 \"$1\"",
            "sh",
        ])
        .arg(program)
        .arg(script)
        .status();
    assert!(wrote.unwrap().success());
}

fn entry(args: &[&str], ready: Option<&str>) -> AgentEntry {
    AgentEntry {
        command: "/bin/cat".into(),
        args: args.iter().map(|arg| arg.to_string()).collect(),
        env: BTreeMap::from([("MY_TOKEN".into(), "Bearer {{parlour_token}}".into())]),
        ready: ready.map(String::from),
        ..AgentEntry::default()
    }
}

#[test]
fn each_agent_is_called_the_same_everywhere() {
    for adapter in all(&Settings::default()) {
        assert_eq!(title_of(adapter.name()), adapter.title());
    }
}

#[test]
fn a_custom_cli_is_told_where_the_tools_are() {
    let place = AgentsStage::new();
    let custom = Custom::new("mine", &entry(&["--mcp", "{{parlour_mcp_url}}"], Some("^> $")));
    let launch = place.prepare(&custom).launch;
    assert_eq!(launch.program, Path::new("/bin/cat"));
    assert_eq!(launch.args, ["--mcp", "http://127.0.0.1:20001/mcp?caller=7"]);
    assert_eq!(launch.env["MY_TOKEN"], "Bearer s3cret-token");
    assert_eq!(launch.env["PARLOUR_TOKEN"], "s3cret-token");
    assert_eq!(launch.env["PARLOUR_CHAT_NAME"], place.chat.name);
    assert_eq!(launch.env["PARLOUR_PORT"], "30120");
    assert_eq!(custom.read_screen("hello\n> \n"), Some(Activity::Idle));
    assert_eq!(custom.read_screen("hello\n> x\n"), None);
}

#[test]
fn a_custom_cli_without_a_readable_pattern_is_never_typed_to() {
    let ready = |pattern| Custom::new("mine", &entry(&[], pattern)).capabilities().ready;
    assert_eq!(ready(Some("> $")), Ready::Screen);
    assert_eq!(ready(Some("(")), Ready::Nothing);
    assert_eq!(ready(None), Ready::Nothing);
    let remark = |entry: AgentEntry| Custom::new("mine", &entry).detect("/bin".as_ref()).unwrap().remark;
    assert!(remark(entry(&[], Some("("))).contains("cannot be read"));
    assert!(remark(entry(&["{{parlour_token}}"], Some(">"))).contains("can read"));
    assert_eq!(remark(entry(&[], Some(">"))), "");
}

#[test]
fn built_in_names_cannot_be_taken() {
    let custom_llms = BTreeMap::from([("demo".into(), entry(&[], None)), ("mine".into(), entry(&[], None))]);
    let settings = Settings {
        custom_llms,
        ..Settings::default()
    };
    let names: Vec<String> = all(&settings)
        .iter()
        .map(|adapter| adapter.name().to_string())
        .collect();
    assert_eq!(
        names,
        [
            "claude", "codex", "gemini", "opencode", "mine", "cursor", "cline", "windsurf", "demo", "shell"
        ]
    );
    assert_eq!(find("demo", &settings).unwrap().title(), "Demo agent");
    assert!(find("no-such", &settings).is_none());
}

#[test]
fn a_demo_agent_goes_on_where_it_left_off() {
    let place = AgentsStage::new();
    let token_file = place.at("records/c/hook-token").display().to_string();
    let fresh = place.prepare(&DemoAdapter);
    assert_eq!(
        fresh.launch.args,
        ["demo-agent", "--session-id", SESSION, "--hook-token-file", &token_file]
    );
    assert_eq!(fresh.launch.program, Path::new("/opt/my programs/parlour's"));
    fs::write(&fresh.launch.env["PARLOUR_DEMO_TRANSCRIPT"], "").unwrap();
    let again = place.prepare(&DemoAdapter);
    assert!(again.resumes);
    assert_eq!(again.launch.args[1..3], ["--resume", SESSION]);
}

#[test]
fn a_shell_starts_in_the_chat() {
    let place = AgentsStage::new();
    let launch = place.prepare(&Shell).launch;
    assert_eq!(launch.program, Path::new("/bin/sh"));
    assert_eq!(launch.cwd, place.at("chats/c"));
    assert_eq!(launch.env["PARLOUR_CHAT"], "haaaaaaaaa");
}

#[test]
fn the_sandbox_of_codex_lets_it_write_in_what_is_open_in_place() {
    let mut place = AgentsStage::new();
    install(&place.at("bin/codex"), "echo 'codex-cli 0.169.0'");
    let src = place.at("src");
    let dir = |name: &str, kind, mode, asks| {
        let origin = src.join(name);
        fs::create_dir_all(&origin).unwrap();
        Directory {
            name: "shop".into(),
            label: None,
            mode,
            kind,
            origin: origin.display().to_string(),
            key: None,
            subdir: None,
            asks,
        }
    };
    place.chat.dirs = vec![
        dir("shop", Kind::Local, AreaMode::Rw, false),
        dir("notes", Kind::Local, AreaMode::Ro, false),
        dir("cloned", Kind::Git, AreaMode::Rw, false),
        dir("own-idea", Kind::Local, AreaMode::Rw, true),
        dir("kept/lib", Kind::Local, AreaMode::Ro, false),
        dir("kept", Kind::Local, AreaMode::Rw, false),
        dir("partly/lib", Kind::Local, AreaMode::Ro, true),
        dir("partly", Kind::Local, AreaMode::Rw, false),
        dir("swapped", Kind::Local, AreaMode::Rw, false),
    ];
    fs::remove_dir(src.join("swapped")).unwrap();
    std::os::unix::fs::symlink("/", src.join("swapped")).unwrap();
    let args = place.prepare(&Codex).launch.args;
    let named = args.windows(2).filter(|pair| pair[0] == "--add-dir");
    let named: Vec<&String> = named.map(|pair| &pair[1]).collect();
    assert_eq!(named, [&src.join("shop").display().to_string()]);
}
