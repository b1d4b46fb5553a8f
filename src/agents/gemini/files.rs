//! What Gemini CLI reads at its start: one settings file in the chat's directory.
//!
//! That file belongs to the agent and the person as much as to us: merged, never made again. No token is in it: the CLI
//! puts the one of its environment into the header, and the hooks name a file of the record.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::rules;
use crate::agents::servers::{self, WrittenServers};
use crate::agents::{LaunchContext, hook_command, merge};
use crate::fs::Dir;
use crate::model::{Problem, ResultExt, Server};

/// A call of our tools may clone; the tools say "still running" well before.
pub(super) const TOOL_TIMEOUT: Duration = Duration::from_secs(300);

const SETTINGS: &str = ".gemini/settings.json";

/// The events that matter, with the seconds the CLI waits for each; it counts in milliseconds. `parlour hook` answers
/// sooner, by a deadline of its own. Not here: those around each call of the model, one of which is a process for every
/// piece of text, and `PreCompress`, which comes before calls that compress nothing.
const HOOKS: &[(&str, u32)] = &[
    ("SessionStart", 10),
    ("SessionEnd", 5),
    ("BeforeAgent", 30),
    ("AfterAgent", 10),
    ("BeforeTool", 10),
    ("AfterTool", 10),
    ("Notification", 5),
];

/// Each is read where it is there: ours is a link in every chat, the CLI's own may be made by a person.
const INSTRUCTIONS: &[&str] = &["AGENTS.md", "GEMINI.md"];

/// Writes what parlour owns.
pub(super) fn write_record(context: &LaunchContext) -> Result<(), Problem> {
    let record = Dir::open(context.record).doing("preparing Gemini CLI")?;
    hook_command::write_token(&record, context)
}

/// Writes what the CLI looks for in its directory. What cannot be written there is said, and the agent starts all the
/// same.
pub(super) fn write_chat(context: &LaunchContext) -> Result<Vec<Problem>, Problem> {
    let hint = "the chat's directory is gone: recreate the chat or delete it";
    let dir = Dir::open(context.dir).doing_or("starting Gemini CLI", hint)?;
    let mut ledger = WrittenServers::open(context)?;
    let written = dir
        .create_dir(".gemini")
        .map_err(|e| merge::refused(".gemini", &e))
        .and_then(|_| merge::edit(&dir, SETTINGS, |root| settle(root, context, &mut ledger)));
    Ok(written.err().into_iter().chain(ledger.close()).collect())
}

fn settle(root: &mut Map<String, Value>, context: &LaunchContext, ledger: &mut WrittenServers) -> Result<(), String> {
    let all = merge::object(root, "mcpServers")?;
    // It replaces references to variables itself.
    let form = |_: &str, server: &Server| servers::common(server, "httpUrl", &json!({}), servers::as_written);
    ledger.place(SETTINGS, all, servers::each(context, form));
    let ours = merge::object(all, "parlour")?;
    ours.insert("httpUrl".into(), context.mcp_url.into());
    // It knows only settings of folders that are trusted, and this one is: our tools are not asked about, unless a person
    // wants that.
    if ours.get("trust") != Some(&Value::Bool(false)) {
        ours.insert("trust".into(), true.into());
    }
    let timeout = u64::try_from(TOOL_TIMEOUT.as_millis()).unwrap_or(u64::MAX);
    ours.insert("timeout".into(), timeout.into());
    merge::object(ours, "headers")?.insert("Authorization".into(), "Bearer $PARLOUR_TOKEN".into());

    let allowed = rules::allowed(&context.settings.permissions);
    if !allowed.is_empty() || root.contains_key("tools") {
        ledger.place_words(SETTINGS, merge::object(root, "tools")?, "allowed", &allowed)?;
    }

    let named = merge::object(root, "context")?;
    if let Some(Value::String(name)) = named.get("fileName").cloned() {
        named.insert("fileName".into(), json!([name]));
    }
    for name in INSTRUCTIONS {
        merge::include(named, "fileName", name)?;
    }

    // Whether a chat is kept is decided in parlour. The CLI deletes what it counts as expired, and with a start that
    // came to nothing the whole session of the same name.
    let retention = merge::object(merge::object(root, "general")?, "sessionRetention")?;
    retention.entry("enabled").or_insert(false.into());

    let hooks = merge::object(root, "hooks")?;
    HOOKS
        .iter()
        .try_for_each(|(event, seconds)| register(hooks, context, event, *seconds))
}

/// Puts our hook in the place of an older one of ours, or behind those of others.
fn register(hooks: &mut Map<String, Value>, context: &LaunchContext, event: &str, seconds: u32) -> Result<(), String> {
    let name = format!("parlour-{event}");
    let hook = json!({
        "type": "command",
        "name": name,
        "command": hook_command::line(context, "gemini", event),
        "timeout": seconds * 1000,
    });
    let groups = hooks
        .entry(event)
        .or_insert_with(|| json!([]))
        .as_array_mut()
        .ok_or_else(|| format!("`hooks.{event}` is not a list"))?;
    let all = groups
        .iter_mut()
        .filter_map(|group| group["hooks"].as_array_mut())
        .flatten();
    match all.into_iter().find(|there| there["name"] == name.as_str()) {
        Some(there) => *there = hook,
        None => groups.push(json!({"matcher": "*", "hooks": [hook]})),
    }
    Ok(())
}
