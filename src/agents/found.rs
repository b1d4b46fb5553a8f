//! The MCP servers that a project brings along for its own agents.
//!
//! They are told, never merged: a repository could start any program so.

use serde_json::{Map, Value};

use crate::fs::Dir;
use crate::model::server;
use crate::model::text::one_line;

const MOST_BYTES: u64 = 1 << 20;
const MOST_SERVERS: usize = 50;
const LONGEST: usize = 100;

/// Files of agent CLIs in a project, each with the key that holds its servers.
const FILES: [(&str, &str); 6] = [
    (".mcp.json", "mcpServers"),
    (".cursor/mcp.json", "mcpServers"),
    (".gemini/settings.json", "mcpServers"),
    (".vscode/mcp.json", "servers"),
    ("opencode.json", "mcp"),
    (CODEX, "mcp_servers"),
];
const CODEX: &str = ".codex/config.toml";

/// A server that a project names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// In the project.
    pub file: &'static str,
    pub name: String,
    /// What is started or called; empty where the file does not say.
    pub place: String,
}

/// What the files of a project name. One that cannot be read names nothing.
pub fn found_servers(project: &Dir) -> Vec<Found> {
    let mut found = Vec::new();
    for (file, key) in FILES {
        for (name, entry) in servers(project, file, key).unwrap_or_default() {
            found.push(Found {
                file,
                name: one_line(&name, LONGEST),
                place: one_line(&place(&entry), LONGEST),
            });
        }
    }
    found.truncate(MOST_SERVERS);
    found
}

fn servers(project: &Dir, file: &str, key: &str) -> Option<Map<String, Value>> {
    let bytes = project.read(file, MOST_BYTES).ok()??;
    let text = String::from_utf8(bytes).ok()?;
    let root: Value = match file {
        CODEX => toml::from_str(&text).ok()?,
        _ => serde_json::from_str(&text).ok()?,
    };
    root[key].as_object().cloned()
}

/// Arguments, variables and headers may be secrets.
fn place(entry: &Value) -> String {
    let program = match &entry["command"] {
        Value::Array(words) => words.first().and_then(Value::as_str),
        other => other.as_str(),
    };
    let urls = ["url", "httpUrl", "serverUrl"];
    let url = urls.iter().find_map(|key| entry[key].as_str());
    program
        .map(String::from)
        .or(url.map(server::public))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_of_a_project_are_told_without_their_secrets() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            ".mcp.json",
            r#"{"mcpServers": {"db": {"command": "npx", "args": ["--key", "s3cret"]}}}"#,
        );
        write(
            ".gemini/settings.json",
            r#"{"mcpServers": {"web": {"httpUrl": "https://me:s3cret@h/x?k=s3cret"}}}"#,
        );
        write(
            "opencode.json",
            r#"{"mcp": {"oc": {"type": "local", "command": ["bun", "s3cret"]}}}"#,
        );
        write(CODEX, "[mcp_servers.cx]\ncommand = \"cx\"\n");
        write(".cursor/mcp.json", "{ torn");
        write(".vscode/mcp.json", r#"{"servers": ["odd"]}"#);
        let found = found_servers(&Dir::open(folder.path()).unwrap());
        let told: Vec<_> = found
            .iter()
            .map(|f| (f.file, f.name.as_str(), f.place.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (".mcp.json", "db", "npx"),
                (".gemini/settings.json", "web", "https://h/x"),
                ("opencode.json", "oc", "bun"),
                (CODEX, "cx", "cx"),
            ]
        );
    }
}
