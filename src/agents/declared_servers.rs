//! The MCP servers that files name: those of a project for its own agents, and a person's own in the chat's file.
//!
//! They are told. A project's are merged only where a person agreed: a repository could start any program so.

use serde_json::{Map, Value};

use super::servers::written;
use crate::fs::Dir;
use crate::model::server;
use crate::model::text::one_line;

const MOST_BYTES: u64 = 1 << 20;
const MOST_SERVERS: usize = 50;
const LONGEST: usize = 100;

/// Files of agent CLIs in a project, each with the key that holds its servers.
const FILES: [(&str, &str); 7] = [
    (".mcp.json", "mcpServers"),
    (".cursor/mcp.json", "mcpServers"),
    (".gemini/settings.json", "mcpServers"),
    (".vscode/mcp.json", "servers"),
    (".cline/mcp_settings.json", "mcpServers"),
    ("opencode.json", "mcp"),
    (CODEX, "mcp_servers"),
];
const CODEX: &str = ".codex/config.toml";

/// A server that a project names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundServer {
    /// In the project.
    pub file: &'static str,
    pub name: String,
    /// What is started or called; empty where the file does not say.
    pub place: String,
    /// `stdio` or `http`; empty where the file does not say.
    pub transport: &'static str,
    /// Its entry, as JSON in one line.
    pub definition: String,
}

/// What the files of a project name. One that cannot be read names nothing.
pub fn found_servers(project: &Dir) -> Vec<FoundServer> {
    let all = FILES
        .iter()
        .flat_map(|(file, key)| found(file, servers(project, file, key).unwrap_or_default()));
    all.take(MOST_SERVERS).collect()
}

/// What `file` in the chat's directory names beside what parlour wrote there.
pub fn own_servers(chat: &Dir, record: &Dir, file: &str) -> Vec<FoundServer> {
    let Some((file, key)) = FILES.iter().find(|(known, _)| *known == file) else {
        return Vec::new();
    };
    let ours = written(record, file);
    let mut there = servers(chat, file, key).unwrap_or_default();
    there.retain(|name, entry| name != server::OURS && ours.get(name) != Some(entry));
    found(file, there).take(MOST_SERVERS).collect()
}

fn found(file: &'static str, servers: Map<String, Value>) -> impl Iterator<Item = FoundServer> {
    servers.into_iter().map(move |(name, entry)| {
        let (transport, place) = place(&entry);
        FoundServer {
            file,
            name: one_line(&name, LONGEST),
            place: one_line(&place, LONGEST),
            transport,
            definition: entry.to_string(),
        }
    })
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
fn place(entry: &Value) -> (&'static str, String) {
    let program = match &entry["command"] {
        Value::Array(words) => words.first().and_then(Value::as_str),
        other => other.as_str(),
    };
    let urls = ["url", "httpUrl", "serverUrl"];
    let url = urls.iter().find_map(|key| entry[key].as_str());
    match (program, url) {
        (Some(program), _) => ("stdio", program.into()),
        (None, Some(url)) => ("http", server::public(url)),
        (None, None) => ("", String::new()),
    }
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
