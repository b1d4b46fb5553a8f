//! Which MCP servers a chat has, and which its projects would bring along.

use serde_json::{Value, json};

use crate::agents::{self, Found};
use crate::app::event::Outcome;
use crate::fs::Dir;
use crate::model::{Chat, ChatId, Kind, Settings, server};

use super::super::hands::Hands;

/// Adds them to what is explained of a chat already. A chat that cannot be read is explained without.
pub fn explain(hands: &Hands, id: &ChatId, mut told: Value) -> Outcome {
    if let Ok(chat) = hands.home.load(id) {
        told["servers"] = servers(hands, &chat).into();
        told["found_servers"] = found(&chat).into();
    }
    Outcome::Value(told)
}

fn servers(hands: &Hands, chat: &Chat) -> Vec<Value> {
    let settings = hands.settings();
    let mut all = vec![json!({"name": server::OURS, "on": true, "transport": "http", "place": hands.mcp_url})];
    for (name, server) in &settings.global_mcp_servers {
        let (transport, place) = server.told();
        let off = why_off(chat, name, &settings);
        all.push(json!({"name": name, "on": off.is_none(), "transport": transport, "place": place, "because": off}));
    }
    all
}

fn why_off(chat: &Chat, name: &str, settings: &Settings) -> Option<String> {
    if chat.record.disabled_servers.iter().any(|off| off == name) {
        return Some("left out of this chat".into());
    }
    let llm = &chat.record.llm;
    let takes = agents::find(llm, settings).is_some_and(|adapter| adapter.takes_servers());
    (!takes).then(|| format!("parlour writes no servers for {llm}"))
}

fn found(chat: &Chat) -> Vec<Value> {
    let mut all = Vec::new();
    for project in chat.projects.iter().filter(|project| project.kind == Kind::Git) {
        let Ok(dir) = Dir::open(&project.path) else {
            continue;
        };
        for Found { file, name, place } in agents::found_servers(&dir) {
            let file = format!("projects/{}/{file}", project.name);
            all.push(json!({"name": name, "place": place, "file": file, "because": "a project's own are not merged"}));
        }
    }
    all
}
