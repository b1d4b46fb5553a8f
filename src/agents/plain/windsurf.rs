//! Windsurf, an editor without a CLI of its own: its agent runs in its window, and a chat holds its files.
//!
//! It reads one file of servers for all directories, so it can be parlour's agent in one chat at a time. In that file,
//! which is the person's, only parlour's entry is set.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::start;
use crate::agents::adapter::{Env, no_rule_holds};
use crate::agents::shell::shell_of;
use crate::agents::{Adapter, AgentAbsence, LaunchContext, Prepared, merge, program, servers};
use crate::fs::Dir;
use crate::model::settings::PermissionSettings;
use crate::model::{Capabilities, Installed, Login, Problem, ResultExt};

const COMMAND: &str = "windsurf";
/// In the chat: what the editor would read, were it to read there.
const SERVERS: &str = ".codeium/windsurf/mcp_config.json";
/// What it does read, in the person's home.
const FOLDER: &str = ".codeium/windsurf";
const FILE: &str = "mcp_config.json";

/// The adapter of Windsurf.
pub struct Windsurf;

impl Adapter for Windsurf {
    fn name(&self) -> &str {
        "windsurf"
    }

    fn title(&self) -> &str {
        "Windsurf"
    }

    fn detect(&self, search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        Ok(Installed {
            llm: self.name().into(),
            title: self.title().into(),
            program: program::found(COMMAND, search_path)?,
            version: None,
            remark: "an editor: one chat at a time, your shell in its terminal; not tested".into(),
            login: Login::Unknown,
        })
    }

    /// The terminal of the chat is the person's shell: the editor is opened from it, or from anywhere else.
    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        let ours = json!({
            "serverUrl": context.mcp_url,
            "headers": {"Authorization": format!("Bearer {}", context.token)},
        });
        let form = |_: &str, server: &_| servers::common(server, "serverUrl", &json!({}), servers::as_written);
        let mut problems = start::write_servers(context, SERVERS, ours.clone(), form);
        problems.push(write_own(context.env, context.dir, ours).unwrap_or_else(|problem| problem));
        Ok(start::started(shell_of(context.env), context, problems))
    }

    fn takes_servers(&self) -> bool {
        true
    }

    fn rules_lost(&self, rules: &PermissionSettings) -> Vec<String> {
        no_rule_holds(self.title(), rules)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::unknown()
    }
}

/// Sets our entry where the editor reads it, and says what follows from that.
fn write_own(env: &Env, chat: &Path, ours: Value) -> Result<Problem, Problem> {
    let folder = PathBuf::from(env.get("HOME").map_or("/", String::as_str)).join(FOLDER);
    let doing = format!("writing {}", folder.join(FILE).display());
    let hint = "start Windsurf once, then start this agent again";
    let dir = Dir::open(&folder).doing_or(&doing, hint)?;
    merge::edit(&dir, FILE, |root| {
        start::put(merge::object(root, "mcpServers")?, ours);
        Ok(())
    })
    .map_err(|problem| Problem {
        doing: doing.clone(),
        ..problem
    })?;
    let cause = "one chat at a time: Windsurf reads one file for all directories, and parlour's tools in it are now this \
                 chat's";
    Ok(Problem::new(
        doing,
        cause,
        format!("open {} in Windsurf", chat.display()),
    ))
}
