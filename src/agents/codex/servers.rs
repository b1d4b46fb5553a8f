//! A person's servers as tables of Codex's settings.

use serde_json::{Map, Value, json};
use toml_edit::{DocumentMut, Item, Table};

use crate::agents::LaunchContext;
use crate::agents::servers::{self, WrittenServers};
use crate::model::Server;

/// Brings the tables of `mcp_servers`, ours aside, to what is wanted: read and compared as values, and only what
/// differs is written.
pub(super) fn place(
    file: &str,
    tables: &mut Table,
    context: &LaunchContext,
    ledger: &mut WrittenServers,
) -> Result<(), String> {
    let mut copy = DocumentMut::new();
    copy["all"] = Item::Table(tables.clone());
    let read: Value = toml::from_str(&copy.to_string()).map_err(|e| e.to_string())?;
    let before = read["all"].as_object().cloned().unwrap_or_default();
    let mut after = before.clone();
    ledger.place(file, &mut after, servers::each(context, |_, server| form(server)));
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        tables.remove(name);
    }
    for (name, entry) in after.iter().filter(|(name, entry)| before.get(*name) != Some(entry)) {
        tables.insert(name, item(name, entry)?);
    }
    Ok(())
}

fn item(name: &str, entry: &Value) -> Result<Item, String> {
    let text = toml::to_string(&json!({name: entry})).map_err(|e| e.to_string())?;
    let mut document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| e.to_string())?;
    document.remove(name).ok_or_else(|| format!("{name} is no table"))
}

/// It replaces no references in values, but takes names of variables in fields of their own. A reference within a longer
/// text stays as it is written.
fn form(server: &Server) -> Value {
    match server {
        Server::Stdio { command, args, env } => {
            // A variable of the same name is handed on; its value stays out of the file.
            let (handed, set): (Vec<_>, Vec<_>) = env.iter().partition(|(name, value)| reference(value) == Some(name));
            let set: Map<String, Value> = set
                .iter()
                .map(|(name, value)| (name.to_string(), value.as_str().into()))
                .collect();
            let mut form = json!({"command": command, "args": args, "env": set});
            if !handed.is_empty() {
                form["env_vars"] = handed.iter().map(|(name, _)| name.as_str()).collect();
            }
            form
        }
        Server::Http { url, headers } => {
            let (mut plain, mut named) = (Map::new(), Map::new());
            let mut form = json!({"url": url});
            for (name, value) in headers {
                let bearer = value.strip_prefix("Bearer ").and_then(reference);
                match (
                    bearer.filter(|_| name.eq_ignore_ascii_case("authorization")),
                    reference(value),
                ) {
                    (Some(variable), _) => form["bearer_token_env_var"] = variable.into(),
                    (None, Some(variable)) => drop(named.insert(name.clone(), variable.into())),
                    (None, None) => drop(plain.insert(name.clone(), value.as_str().into())),
                }
            }
            for (key, headers) in [("http_headers", plain), ("env_http_headers", named)] {
                if !headers.is_empty() {
                    form[key] = headers.into();
                }
            }
            form
        }
    }
}

/// The variable that a text is nothing but a reference to.
fn reference(text: &str) -> Option<&str> {
    let name = text.strip_prefix("${")?.strip_suffix('}')?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(plain)).then_some(name)
}
