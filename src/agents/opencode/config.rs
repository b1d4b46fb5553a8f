//! What OpenCode is told at its start, all of it by its environment: no file of anybody's is written.
//!
//! What is said there comes last, over the person's own configuration and over an `opencode.json` in the chat's
//! directory, which the agent could write itself; what of that would count more nevertheless is refused by `own`. No plugin is used: with one the CLI asks the npm registry at every
//! start, and hangs where that cannot be reached.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{own_rules, rules};
use crate::agents::adapter::Env;
use crate::agents::{LaunchContext, merge, servers};
use crate::model::{Problem, Server, server};

const CONTENT: &str = "OPENCODE_CONFIG_CONTENT";

/// A call of our tools may clone, and the CLI would give up after some seconds.
const TOOL_TIMEOUT_MS: u64 = 300_000;

/// What it would do behind a person's back, or fetch from afar before it shows anything.
pub(super) const QUIET: &[&str] = &[
    "OPENCODE_DISABLE_AUTOUPDATE",
    "OPENCODE_DISABLE_LSP_DOWNLOAD",
    "OPENCODE_DISABLE_MODELS_FETCH",
];

/// Puts the configuration into the environment, over one that the person keeps there.
pub(super) fn put(env: &mut Env, context: &LaunchContext) -> Vec<Problem> {
    for name in QUIET {
        env.insert(name.to_string(), "1".into());
    }
    let theirs = env.get(CONTENT).filter(|text| !text.trim().is_empty());
    let (mut config, unread) = match theirs.map(|text| serde_json::from_str::<Map<String, Value>>(text)) {
        None => (Map::new(), None),
        Some(Ok(config)) => (config, None),
        Some(Err(error)) => (Map::new(), Some(left_out(&error))),
    };
    let (own, unknown) = own_rules::of(context.dir, env, &config);
    let permission = rules::permissions(&context.settings.permissions, &own).0;
    let misshapen = over(&mut config, context).err().map(|why| left_out(&why));
    if misshapen.is_some() {
        config = Map::new();
        over(&mut config, context).expect("an empty configuration has no other shape");
    }
    config.insert("permission".into(), permission);
    env.insert(CONTENT.into(), Value::Object(config).to_string());
    unread.into_iter().chain(misshapen).chain(unknown).collect()
}

fn left_out(why: &dyn std::fmt::Display) -> Problem {
    let hint = "correct it where your shell sets it, then start parlour from there again";
    Problem::new(format!("reading {CONTENT}"), why, hint)
}

fn over(config: &mut Map<String, Value>, context: &LaunchContext) -> Result<(), String> {
    config.insert("autoupdate".into(), false.into());
    config.insert("share".into(), "disabled".into());
    if let Some(model) = context.model() {
        config.insert("model".into(), model.into());
    }
    let server = json!({
        "type": "remote",
        "url": context.mcp_url,
        // Named, not written out: the whole configuration can be asked of the CLI.
        "headers": {"Authorization": "Bearer {env:PARLOUR_TOKEN}"},
        "enabled": true,
        "oauth": false,
        "timeout": TOOL_TIMEOUT_MS,
    });
    let all = merge::object(config, "mcp")?;
    for (name, entry) in servers::each(context, |_, server| form(server)) {
        all.entry(name).or_insert(entry);
    }
    all.insert("parlour".into(), server);
    Ok(())
}

/// A person's server; a reference to a variable is the CLI's own.
fn form(server: &Server) -> Value {
    let spelled = |text: &String| server::spell(text, |name| format!("{{env:{name}}}"));
    let all = |map: &BTreeMap<String, String>| -> Map<String, Value> {
        map.iter()
            .map(|(key, text)| (key.clone(), spelled(text).into()))
            .collect()
    };
    match server {
        Server::Stdio { command, args, env } => {
            let words: Vec<String> = std::iter::once(command).chain(args).map(spelled).collect();
            json!({"type": "local", "command": words, "environment": all(env), "enabled": true})
        }
        Server::Http { url, headers } => {
            json!({"type": "remote", "url": spelled(url), "headers": all(headers), "enabled": true})
        }
    }
}
