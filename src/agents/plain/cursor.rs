//! Cursor's CLI, `cursor-agent`. It reads `.cursor/` in its directory, and `AGENTS.md`.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::json;

use super::{rules, start};
use crate::agents::servers::{self, WrittenServers};
use crate::agents::{Adapter, AgentAbsence, LaunchContext, Prepared, merge, program};
use crate::fs::Dir;
use crate::model::settings::PermissionSettings;
use crate::model::{Capabilities, Installed, Problem};

const COMMAND: &str = "cursor-agent";
const SERVERS: &str = ".cursor/mcp.json";
const PERMISSIONS: &str = ".cursor/cli.json";

/// The adapter of Cursor's CLI.
pub struct CursorAdapter;

impl Adapter for CursorAdapter {
    fn name(&self) -> &str {
        "cursor"
    }

    fn title(&self) -> &str {
        "Cursor"
    }

    fn detect(&self, search_path: &OsStr) -> Result<Installed, AgentAbsence> {
        start::detect(self.name(), self.title(), COMMAND, search_path)
    }

    fn program(&self, search_path: &OsStr) -> Result<Option<PathBuf>, Problem> {
        program::installed(self.title(), COMMAND, search_path).map(Some)
    }

    fn prepare(&self, context: &LaunchContext) -> Result<Prepared, Problem> {
        // The token itself stays in the environment.
        let headers = json!({"Authorization": format!("Bearer {}", reference("PARLOUR_TOKEN"))});
        let ours = json!({"url": context.mcp_url, "headers": headers});
        let form = |_: &str, server: &_| servers::common(server, "url", &json!({}), reference);
        let mut problems = start::write_servers(context, SERVERS, ours, form);
        problems.extend(write_permissions(context));
        start::prepared(context, self.title(), COMMAND, problems)
    }

    fn takes_servers(&self) -> bool {
        true
    }

    fn rules_lost(&self, rules: &PermissionSettings) -> Vec<String> {
        rules::cursor(rules).lost
    }

    fn servers_file(&self) -> Option<&'static str> {
        Some(SERVERS)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::unknown()
    }
}

fn reference(name: &str) -> String {
    format!("${{env:{name}}}")
}

/// Its servers are approved by a person once, in its own dialog; then ours needs no further word.
fn write_permissions(context: &LaunchContext) -> Vec<Problem> {
    let write = || {
        let dir = Dir::open(context.dir).map_err(|e| merge::refused(PERMISSIONS, &e))?;
        let mut ledger = WrittenServers::open(context)?;
        let told = rules::cursor(&context.settings.permissions);
        let edited = merge::edit(&dir, PERMISSIONS, |root| {
            let permissions = merge::object(root, "permissions")?;
            merge::include(permissions, "allow", "Mcp(parlour:*)")?;
            for (key, words) in [("allow", &told.allow), ("deny", &told.deny)] {
                ledger.place_words(PERMISSIONS, permissions, key, words)?;
            }
            Ok(())
        });
        Ok(edited.err().into_iter().chain(ledger.close()).collect())
    };
    write().unwrap_or_else(|problem: Problem| vec![problem])
}
