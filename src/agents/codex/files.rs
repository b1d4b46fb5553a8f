//! What Codex reads at its start: its settings and hooks in the chat's directory, where a person's own stay.
//!
//! Its sandbox keeps agents from writing there.

use std::time::Duration;

use serde_json::{Map, Value, json};
use toml_edit::{DocumentMut, Item, Table, value};

use super::rules;
use crate::agents::servers::WrittenServers;
use crate::agents::{LaunchContext, hook_command, merge};
use crate::fs::Dir;
use crate::model::{Problem, ResultExt};

/// A call of our tools may clone; the tools say "still running" well before.
pub(super) const TOOL_TIMEOUT: Duration = Duration::from_secs(300);

/// The events that matter, with the seconds the CLI waits for each: it warns on the screen where the last has more than
/// three. Not here: `SessionEnd`, which comes a minute after `/new` for the session that was left.
const HOOKS: &[(&str, u32)] = &[
    ("SessionStart", 10),
    ("UserPromptSubmit", 30),
    ("PreToolUse", 10),
    ("PermissionRequest", 10),
    ("PostToolUse", 10),
    ("SubagentStart", 5),
    ("SubagentStop", 5),
    ("PreCompact", 5),
    ("Stop", 10),
    ("Interrupt", 3),
];

const CONFIG: &str = ".codex/config.toml";
const HOOKS_FILE: &str = ".codex/hooks.json";

pub(super) fn write_record(context: &LaunchContext) -> Result<(), Problem> {
    let record = Dir::open(context.record).doing("preparing Codex CLI")?;
    hook_command::write_token(&record, context)
}

/// What cannot be written is said, and the agent starts all the same.
pub(super) fn write_chat(context: &LaunchContext) -> Result<Vec<Problem>, Problem> {
    let hint = "the chat's directory is gone: recreate the chat or delete it";
    let dir = Dir::open(context.dir).doing_or("starting Codex CLI", hint)?;
    if let Err(refused) = dir.create_dir(".codex") {
        return Ok(vec![merge::refused(".codex", &refused)]);
    }
    let mut ledger = WrittenServers::open(context)?;
    let written = [
        merge::edit_toml(&dir, CONFIG, |root| write_servers(root, context, &mut ledger)),
        merge::edit(&dir, HOOKS_FILE, |root| write_hooks(root, context)),
        rules::write(&dir, &context.settings.permissions),
    ];
    Ok(written
        .into_iter()
        .filter_map(Result::err)
        .chain(ledger.close())
        .collect())
}

/// Our server, with its token by the name of a variable; of all tools only ours run unasked.
fn write_servers(root: &mut DocumentMut, context: &LaunchContext, ledger: &mut WrittenServers) -> Result<(), String> {
    let servers = table(root, "mcp_servers")?;
    servers.set_implicit(true);
    super::servers::place(CONFIG, servers, context, ledger)?;
    let ours = table(servers, "parlour")?;
    let seconds = i64::try_from(TOOL_TIMEOUT.as_secs()).unwrap_or(i64::MAX);
    let settings: [(&str, toml_edit::Value); 4] = [
        ("url", context.mcp_url.into()),
        ("bearer_token_env_var", "PARLOUR_TOKEN".into()),
        ("default_tools_approval_mode", "approve".into()),
        ("tool_timeout_sec", seconds.into()),
    ];
    for (key, setting) in settings {
        let entry = ours.entry(key).or_insert_with(|| value(setting.clone()));
        // Only what differs is replaced: a comment behind the old value goes with it.
        if entry.as_value().map(ToString::to_string).unwrap_or_default().trim() != setting.to_string() {
            *entry = value(setting);
        }
    }
    Ok(())
}

fn table<'a>(parent: &'a mut Table, key: &str) -> Result<&'a mut Table, String> {
    parent
        .entry(key)
        .or_insert_with(|| Item::Table(Table::new()))
        .as_table_mut()
        .ok_or_else(|| format!("`{key}` is not a table"))
}

/// One group of ours for each event, beside those of others.
fn write_hooks(root: &mut Map<String, Value>, context: &LaunchContext) -> Result<(), String> {
    let hooks = merge::object(root, "hooks")?;
    for (event, seconds) in HOOKS {
        let groups = hooks.entry(*event).or_insert_with(|| json!([]));
        let groups = groups
            .as_array_mut()
            .ok_or_else(|| format!("`{event}` is not a list"))?;
        groups.retain(|group| !is_ours(group, event));
        let command = hook_command::line(context, "codex", event);
        groups.push(json!({"hooks": [{"type": "command", "command": command, "timeout": seconds}]}));
    }
    Ok(())
}

/// Of an earlier start, maybe by a parlour that lay elsewhere.
fn is_ours(group: &Value, event: &str) -> bool {
    let Some([hook]) = group["hooks"].as_array().map(Vec::as_slice) else {
        return false;
    };
    let words = shell_words::split(hook["command"].as_str().unwrap_or_default()).unwrap_or_default();
    matches!(&words[..], [_, hook, codex, of, flag, _]
        if [hook, codex, of, flag] == ["hook", "codex", event, "--token-file"])
}
