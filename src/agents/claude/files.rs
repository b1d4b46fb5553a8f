//! What Claude Code reads at its start.
//!
//! What is parlour's alone lies in the chat's record and is passed by flag, since the CLI rewrites the settings in its
//! own directory. The files there belong to the agent as much as to us: merged, never made again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::agents::servers::{self, WrittenServers};
use crate::agents::{LaunchContext, hook_command, merge};
use crate::fs::{Dir, DirEntryKind};
use crate::model::{Problem, ResultExt, Server};

/// A call of our tools may clone; the tools say "still running" well before.
pub(super) const TOOL_TIMEOUT: Duration = Duration::from_secs(300);

/// A question waits for a person, in the CLI's dialog as here.
pub const QUESTION_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// The events that matter, with the seconds the CLI waits for each. `parlour hook` answers sooner, by a deadline of its
/// own. A prompt waits for its checkpoint. Not here: `MessageDisplay` (a process a line of text), `WorktreeCreate`
/// (would replace the CLI's own doing).
const HOOKS: &[(&str, u32)] = &[
    ("SessionStart", 10),
    ("SessionEnd", 5),
    ("UserPromptSubmit", 30),
    ("PreToolUse", 10),
    ("PermissionRequest", QUESTION_TIMEOUT.as_secs() as u32),
    ("PostToolUse", 10),
    ("PostToolUseFailure", 10),
    ("Notification", 5),
    ("Stop", 10),
    ("StopFailure", 10),
    ("SubagentStart", 5),
    ("SubagentStop", 5),
    ("CwdChanged", 5),
];

const ROLE: &str = "role.md";
const SERVERS: &str = ".mcp.json";
const INSTRUCTIONS: &str = "AGENTS.md";
const ITS_INSTRUCTIONS: &str = "CLAUDE.md";
const INCLUDE: &str = "@AGENTS.md";
/// Far above what anybody wants an agent to read at every start.
const MOST_INSTRUCTIONS: u64 = 4 << 20;

/// Writes the settings that parlour owns and says where they are.
pub(super) fn write_record(context: &LaunchContext) -> Result<PathBuf, Problem> {
    let doing = "preparing Claude Code";
    let record = Dir::open(context.record).doing(doing)?;
    hook_command::write_token(&record, context)?;
    let hooks: Map<String, Value> = HOOKS
        .iter()
        .map(|(event, seconds)| {
            let command = hook_command::line(context, "claude", event);
            let hook = json!({"type": "command", "command": command, "timeout": seconds});
            (event.to_string(), json!([{"hooks": [hook]}]))
        })
        .collect();
    let enabled: Vec<&str> = std::iter::once("parlour")
        .chain(context.servers().map(|(name, _)| name))
        .collect();
    let settings = json!({
        "hooks": hooks,
        "enabledMcpjsonServers": enabled,
        "permissions": {"allow": ["mcp__parlour"]},
    });
    merge::write(&record, "claude.json", &settings)?;
    Ok(context.record.join("claude.json"))
}

/// Writes the text of the chat's role where a flag can name it: as an argument every user of the machine could read it.
pub(super) fn write_role(context: &LaunchContext) -> Result<Option<PathBuf>, Problem> {
    let Some(role) = context.role.filter(|role| !role.text.is_empty()) else {
        return Ok(None);
    };
    let record = Dir::open(context.record).doing("preparing Claude Code")?;
    record.write_atomic(ROLE, &role.text).doing("preparing Claude Code")?;
    Ok(Some(context.record.join(ROLE)))
}

/// Writes what the CLI looks for in its directory. What cannot be written there is said, and the agent starts all the
/// same.
pub(super) fn write_chat(context: &LaunchContext) -> Result<Vec<Problem>, Problem> {
    let hint = "the chat's directory is gone: recreate the chat or delete it";
    let dir = Dir::open(context.dir).doing_or("starting Claude Code", hint)?;
    let mut ledger = WrittenServers::open(context)?;
    let written = [
        link_instructions(&dir),
        write_servers(&dir, context, &mut ledger),
        write_choice(&dir),
    ];
    Ok(written
        .into_iter()
        .filter_map(Result::err)
        .chain(ledger.close())
        .collect())
}

fn link_instructions(dir: &Dir) -> Result<(), Problem> {
    let refused = |e| merge::refused(ITS_INSTRUCTIONS, &e);
    let Some(found) = dir.metadata(ITS_INSTRUCTIONS).map_err(refused)? else {
        return dir.symlink(INSTRUCTIONS, ITS_INSTRUCTIONS).map_err(refused);
    };
    let problem = |why: &str| {
        let hint = "remove it, and it becomes a link to AGENTS.md at the next start";
        Err(Problem::fault("writing CLAUDE.md", why).hinted(hint))
    };
    match found.kind {
        DirEntryKind::File => include_instructions(dir),
        DirEntryKind::Link
            if dir.read_link(ITS_INSTRUCTIONS).map_err(refused)?.as_deref() == Some(Path::new(INSTRUCTIONS)) =>
        {
            Ok(())
        }
        DirEntryKind::Link => problem("it is a link that leads elsewhere"),
        DirEntryKind::Dir | DirEntryKind::Other => problem("it is not a file"),
    }
}

/// A `CLAUDE.md` of its own keeps every byte and gets one line more, once.
fn include_instructions(dir: &Dir) -> Result<(), Problem> {
    let refused = |e| merge::refused(ITS_INSTRUCTIONS, &e);
    let mut bytes = dir
        .read(ITS_INSTRUCTIONS, MOST_INSTRUCTIONS)
        .map_err(refused)?
        .unwrap_or_default();
    let is_there = bytes
        .split(|b| *b == b'\n')
        .any(|line| line.trim_ascii() == INCLUDE.as_bytes());
    if is_there {
        return Ok(());
    }
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(INCLUDE.as_bytes());
    bytes.push(b'\n');
    dir.write_atomic(ITS_INSTRUCTIONS, bytes).map_err(refused)
}

/// The CLI itself replaces `${NAME}` in this file.
fn write_servers(dir: &Dir, context: &LaunchContext, ledger: &mut WrittenServers) -> Result<(), Problem> {
    merge::edit(dir, SERVERS, |root| {
        let all = merge::object(root, "mcpServers")?;
        let http = json!({"type": "http"});
        let form = |_: &str, server: &Server| servers::common(server, "url", &http, servers::as_written);
        ledger.place(SERVERS, all, servers::each(context, form));
        let ours = merge::object(all, "parlour")?;
        ours.insert("type".into(), "http".into());
        ours.insert("url".into(), context.mcp_url.into());
        let bearer = format!("Bearer {}", context.token);
        merge::object(ours, "headers")?.insert("Authorization".into(), bearer.into());
        let timeout = u64::try_from(TOOL_TIMEOUT.as_millis()).unwrap_or(u64::MAX);
        ours.insert("timeout".into(), timeout.into());
        Ok(())
    })
}

/// Only that our server may be used. That its tools are allowed stands in the settings of the record: here the CLI
/// ignores it, and complains on the screen, unless this very directory is trusted.
fn write_choice(dir: &Dir) -> Result<(), Problem> {
    dir.create_dir(".claude").map_err(|e| merge::refused(".claude", &e))?;
    merge::edit(dir, ".claude/settings.local.json", |root| {
        merge::include(root, "enabledMcpjsonServers", "parlour")
    })
}
