//! Cursor's CLI, `cursor-agent`. It reads `.cursor/` in its directory, and `AGENTS.md`.

use std::ffi::OsStr;

use serde_json::json;

use super::start;
use crate::agents::servers;
use crate::agents::{Adapter, Prepared, Seat, merge};
use crate::fs::Dir;
use crate::model::{Installed, Manners, Problem};

const COMMAND: &str = "cursor-agent";
const SERVERS: &str = ".cursor/mcp.json";
const PERMISSIONS: &str = ".cursor/cli.json";

/// The adapter of Cursor's CLI.
pub struct Cursor;

impl Adapter for Cursor {
    fn name(&self) -> &str {
        "cursor"
    }

    fn title(&self) -> &str {
        "Cursor"
    }

    fn detect(&self, search_path: &OsStr) -> Option<Installed> {
        start::detect(self.name(), self.title(), COMMAND, search_path)
    }

    fn prepare(&self, seat: &Seat) -> Result<Prepared, Problem> {
        // The token itself stays in the environment.
        let headers = json!({"Authorization": format!("Bearer {}", reference("PARLOUR_TOKEN"))});
        let ours = json!({"url": seat.mcp_url, "headers": headers});
        let form = |server: &_| servers::common(server, "url", &json!({}), reference);
        let mut problems = start::write_servers(seat, SERVERS, ours, form);
        problems.extend(allow_our_tools(seat).err());
        start::prepared(seat, self.title(), COMMAND, problems)
    }

    fn takes_servers(&self) -> bool {
        true
    }

    fn manners(&self) -> Manners {
        start::manners()
    }
}

fn reference(name: &str) -> String {
    format!("${{env:{name}}}")
}

/// Its servers are approved by a person once, in its own dialog; then ours needs no further word.
fn allow_our_tools(seat: &Seat) -> Result<(), Problem> {
    let dir = Dir::open(seat.dir).map_err(|e| merge::refused(PERMISSIONS, &e))?;
    merge::edit(&dir, PERMISSIONS, |root| {
        merge::include(merge::object(root, "permissions")?, "allow", "Mcp(parlour:*)")
    })
}
