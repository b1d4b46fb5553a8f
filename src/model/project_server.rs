//! A server that a clone brings along in a file for its own agents, and what a person agreed to of it.
//!
//! Such a file could start any program. So one is used only where a person said yes to exactly this text of it, from
//! exactly this project; whatever differs from that is another server.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Server;
use super::text::visible;

/// What a person can be asked to read.
const LONGEST_DEFINITION: usize = 8 << 10;

/// A server as a clone names it. In a chat's record, one that a person agreed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectServer {
    pub name: String,
    /// In `projects/`.
    pub project: String,
    /// Which repository that is a clone of.
    pub origin: String,
    /// Below the chat's directory.
    pub file: String,
    /// Its entry in the file, as JSON in one line.
    pub definition: String,
}

impl ProjectServer {
    /// The server as an agent CLI is to get it: a program is started in its clone, where its own agents would start it.
    pub fn server(&self, clone: &Path) -> Result<Server, String> {
        Ok(match self.parsed()? {
            Server::Stdio { command, args, env } => {
                let dir = clone.to_str().ok_or("its directory has a name that is no text")?;
                let start = ["-c", "cd \"$0\" && exec \"$@\"", dir, &command].map(String::from);
                Server::Stdio {
                    command: "/bin/sh".into(),
                    args: start.into_iter().chain(args).collect(),
                    env,
                }
            }
            http => http,
        })
    }

    /// As it stands in its file.
    pub fn parsed(&self) -> Result<Server, String> {
        if self.definition.len() > LONGEST_DEFINITION {
            return Err(format!("it is longer than {} KB", LONGEST_DEFINITION >> 10));
        }
        let entry = serde_json::from_str(&self.definition).map_err(|e| e.to_string())?;
        Server::parse(&self.name, &common(&entry))
    }

    /// All that it starts or calls, a line each, with nothing in it hidden: what a person agrees to.
    pub fn spelled_out(&self) -> Vec<String> {
        let all = |pairs: &BTreeMap<String, String>, what: &str| -> Vec<String> {
            pairs
                .iter()
                .map(|(name, value)| format!("{what} {name}={value}"))
                .collect()
        };
        let lines = match self.parsed() {
            Ok(Server::Stdio { command, args, env }) => {
                let words = std::iter::once(&command).chain(&args);
                let start = vec![
                    format!("runs {}", shell_words::join(words)),
                    format!("in projects/{}", self.project),
                ];
                [start, all(&env, "with")].concat()
            }
            Ok(Server::Http { url, headers }) => [vec![format!("calls {url}")], all(&headers, "with header")].concat(),
            Err(why) => vec![format!("cannot be used: {why}")],
        };
        lines.iter().map(|line| visible(line)).collect()
    }
}

/// An entry in the form of `config.json`, whichever CLI it was written for. Keys that have no meaning there are left
/// out, and so are never agreed to.
fn common(entry: &Value) -> Value {
    let mut plain = Map::new();
    let words: Vec<Value> = match &entry["command"] {
        Value::Array(words) => words.clone(),
        Value::Null => Vec::new(),
        other => vec![other.clone()],
    };
    if let Some((command, first)) = words.split_first() {
        let more = entry["args"].as_array().into_iter().flatten();
        plain.insert("command".into(), command.clone());
        plain.insert("args".into(), first.iter().chain(more).cloned().collect());
    }
    if let Some(url) = ["url", "httpUrl", "serverUrl"].iter().find_map(|key| entry.get(*key)) {
        plain.insert("url".into(), url.clone());
    }
    let named = |key: &str| entry[key].as_object().into_iter().flatten();
    let mut env: Map<String, Value> = Map::new();
    env.extend(["env", "environment"].iter().flat_map(|key| named(key)).map(pair));
    let handed = entry["env_vars"].as_array().into_iter().flatten();
    env.extend(
        handed
            .filter_map(Value::as_str)
            .map(|name| (name.into(), variable(name))),
    );
    let mut headers: Map<String, Value> = Map::new();
    headers.extend(["headers", "http_headers"].iter().flat_map(|key| named(key)).map(pair));
    let from_env = named("env_http_headers").filter_map(|(name, value)| Some((name, value.as_str()?)));
    headers.extend(from_env.map(|(name, value)| (name.clone(), variable(value))));
    if let Some(name) = entry["bearer_token_env_var"].as_str() {
        headers.insert("Authorization".into(), format!("Bearer ${{{name}}}").into());
    }
    plain.insert("env".into(), env.into());
    plain.insert("headers".into(), headers.into());
    let transport = match entry["type"].as_str() {
        Some("local") => Some("stdio"),
        Some("remote" | "streamableHttp" | "streamable-http") => Some("http"),
        other => other,
    };
    plain.insert("type".into(), json!(transport));
    let mut plain = Value::Object(plain);
    each_text(&mut plain, &|text| text.replace("${env:", "${").replace("{env:", "${"));
    plain
}

fn pair((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

fn variable(name: &str) -> Value {
    format!("${{{name}}}").into()
}

fn each_text(value: &mut Value, change: &impl Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(all) => all.iter_mut().for_each(|one| each_text(one, change)),
        Value::Object(all) => all.values_mut().for_each(|one| each_text(one, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brought(definition: Value) -> ProjectServer {
        ProjectServer {
            name: "db".into(),
            project: "grove".into(),
            origin: "/src/grove".into(),
            file: "projects/grove/.mcp.json".into(),
            definition: definition.to_string(),
        }
    }

    #[test]
    fn each_clis_form_is_read_and_spelled_out_whole() {
        let table = [
            (
                json!({"command": "npx", "args": ["-y", "a b\u{202e}c"], "env": {"K": "${env:KEY}"}}),
                "runs npx -y 'a b\\u{202e}c'; in projects/grove; with K=${KEY}",
            ),
            (
                json!({"type": "local", "command": ["bun", "x"], "environment": {"K": "{env:KEY}"}, "enabled": true}),
                "runs bun x; in projects/grove; with K=${KEY}",
            ),
            (
                json!({"command": "cx", "env_vars": ["HOME"]}),
                "runs cx; in projects/grove; with HOME=${HOME}",
            ),
            (
                json!({"url": "https://h/x?k=1", "bearer_token_env_var": "T", "http_headers": {"X": "y"}}),
                "calls https://h/x?k=1; with header Authorization=Bearer ${T}; with header X=y",
            ),
            (json!({"httpUrl": "http://h"}), "calls http://h"),
            (
                json!({"type": "sse", "url": "http://h"}),
                "cannot be used: its type is \"sse\", and with a url only \"http\" is known",
            ),
            (
                json!({"command": {"a": 1}}),
                "cannot be used: invalid type: map, expected a string",
            ),
            (json!("x"), "cannot be used: it needs a command, or a url"),
        ];
        for (definition, expected) in table {
            assert_eq!(brought(definition).spelled_out().join("; "), expected);
        }
    }

    #[test]
    fn a_program_is_started_in_its_clone_and_its_words_stay_words() {
        let server = brought(json!({"command": "./run; rm", "args": ["$(x)"]})).server(Path::new("/c/projects/grove"));
        let Ok(Server::Stdio { command, args, .. }) = server else {
            panic!("{server:?}");
        };
        assert_eq!(command, "/bin/sh");
        assert_eq!(
            args,
            [
                "-c",
                "cd \"$0\" && exec \"$@\"",
                "/c/projects/grove",
                "./run; rm",
                "$(x)"
            ]
        );
    }

    #[test]
    fn what_nobody_can_read_is_not_used() {
        let long = brought(json!({"command": "x".repeat(LONGEST_DEFINITION)}));
        assert!(long.server(Path::new("/c")).unwrap_err().contains("longer"));
    }
}
