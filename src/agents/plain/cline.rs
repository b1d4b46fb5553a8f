//! Cline's CLI, `cline`. Its servers stand in one file for all directories, unless a variable names another.

use std::ffi::OsStr;

use serde_json::json;

use super::start;
use crate::agents::servers;
use crate::agents::{Adapter, Prepared, Seat};
use crate::model::{Installed, Manners, Problem};

const COMMAND: &str = "cline";
const SERVERS: &str = ".cline/mcp_settings.json";
/// Names the file of servers to it, so that each chat has its own and the person's stays as it is.
const NAMES_SERVERS: &str = "CLINE_MCP_SETTINGS_PATH";

const TOOLS: [&str; 3] = ["open_dir", "list_projects", "save_project_setup"];

/// The adapter of Cline's CLI.
pub struct Cline;

impl Adapter for Cline {
    fn name(&self) -> &str {
        "cline"
    }

    fn title(&self) -> &str {
        "Cline"
    }

    fn detect(&self, search_path: &OsStr) -> Option<Installed> {
        start::detect(self.name(), self.title(), COMMAND, search_path)
    }

    /// Nothing says that it replaces references to variables: the token stands in the file, which is the owner's alone.
    fn prepare(&self, seat: &Seat) -> Result<Prepared, Problem> {
        let ours = json!({
            "type": "streamableHttp",
            "url": seat.mcp_url,
            "headers": {"Authorization": format!("Bearer {}", seat.token)},
            "disabled": false,
            // Two spellings of the same: Cline's, and that of its forks.
            "autoApprove": TOOLS,
            "alwaysAllow": TOOLS,
        });
        let http = json!({"type": "streamableHttp"});
        let form = |server: &_| servers::common(server, "url", &http, servers::as_written);
        let problems = start::write_servers(seat, SERVERS, ours, form);
        let mut prepared = start::prepared(seat, self.title(), COMMAND, problems)?;
        let file = seat.dir.join(SERVERS).to_string_lossy().into_owned();
        prepared.launch.env.insert(NAMES_SERVERS.into(), file);
        Ok(prepared)
    }

    fn takes_servers(&self) -> bool {
        true
    }

    fn manners(&self) -> Manners {
        start::manners()
    }
}
