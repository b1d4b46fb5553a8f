//! Cline's CLI, `cline`. Its servers stand in one file for all directories, unless a variable names another.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::json;

use super::{rules, start};
use crate::agents::{Adapter, AgentAbsence, LaunchContext, Prepared, program, servers};
use crate::model::settings::PermissionSettings;
use crate::model::{Capabilities, Installed, Problem};

const COMMAND: &str = "cline";
const SERVERS: &str = ".cline/mcp_settings.json";
/// Names the file of servers to it, so that each chat has its own and the person's stays as it is.
const NAMES_SERVERS: &str = "CLINE_MCP_SETTINGS_PATH";

/// The adapter of Cline's CLI.
pub struct Cline;

impl Adapter for Cline {
    fn name(&self) -> &str {
        "cline"
    }

    fn title(&self) -> &str {
        "Cline"
    }

    fn detect(&self, search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        start::detect(self.name(), self.title(), COMMAND, search_path)
    }

    fn program(&self, search_path: &OsStr) -> Result<Option<PathBuf>, Problem> {
        program::installed(self.title(), COMMAND, search_path).map(Some)
    }

    /// Nothing says that it replaces references to variables: the token stands in the file, which is the owner's alone.
    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        let runs = |tool: &&String| rules::ours_runs(&context.settings.permissions, tool);
        let tools: Vec<&String> = context.tools.iter().filter(runs).collect();
        let ours = json!({
            "type": "streamableHttp",
            "url": context.mcp_url,
            "headers": {"Authorization": format!("Bearer {}", context.token)},
            "disabled": false,
            // Two spellings of the same: Cline's, and that of its forks.
            "autoApprove": tools,
            "alwaysAllow": tools,
        });
        let http = json!({"type": "streamableHttp"});
        let rules = &context.settings.permissions;
        let form = |name: &str, server: &_| {
            let mut entry = servers::common(server, "url", &http, servers::as_written);
            let allowed = rules::cline(rules, name);
            if !allowed.is_empty() {
                entry["autoApprove"] = allowed.clone().into();
                entry["alwaysAllow"] = allowed.into();
            }
            entry
        };
        let problems = start::write_servers(context, SERVERS, ours, form);
        let mut prepared = start::prepared(context, self.title(), COMMAND, problems)?;
        let file = context.dir.join(SERVERS).to_string_lossy().into_owned();
        prepared.launch.env.insert(NAMES_SERVERS.into(), file);
        Ok(prepared)
    }

    fn takes_servers(&self) -> bool {
        true
    }

    fn rules_lost(&self, rules: &PermissionSettings) -> Vec<String> {
        rules::lost_in_cline(rules)
    }

    fn servers_file(&self) -> Option<&'static str> {
        Some(SERVERS)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::unknown()
    }
}
