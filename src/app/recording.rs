//! What `parlour engine --record` writes and `parlour replay` reads: a header line with all that state was made of, then a
//! line for each event, with all else that `update` reads.
//!
//! Secrets are masked before they are written ([`mask`]), so a recording can go along with a bug report. Prompts and what
//! agents show are in it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::Event;
use crate::model::Timestamp;
use crate::screen::State;

use super::start::Start;
use super::update;

/// Grows with each change after which older recordings cannot be read. The last one: what is read for a screen is one kind.
pub const FORMAT: u32 = 6;

/// The first line.
#[derive(Serialize, Deserialize)]
pub struct Header {
    /// Its [`FORMAT`].
    pub recording: u32,
    /// The version of parlour that wrote it.
    pub parlour: String,
    pub start: Start,
}

/// Any other line.
#[derive(Serialize, Deserialize)]
pub struct RecordedLine {
    /// From 1 on.
    pub number: u64,
    /// What state's clock says when the event is taken in.
    pub at: Timestamp,
    /// The engine's memory, which `update` reads beside the event.
    pub rss_bytes: u64,
    pub event: Event,
}

impl Header {
    pub fn new(start: Start) -> Header {
        Header {
            recording: FORMAT,
            parlour: env!("CARGO_PKG_VERSION").into(),
            start,
        }
    }
}

impl RecordedLine {
    /// Brings state to where the engine's was after this event. What was to be done about it was done then.
    pub fn take_in(self, state: &mut State) {
        state.domain.tell_time(self.at);
        state.domain.live.facts.rss_bytes = self.rss_bytes;
        update(state, self.event);
    }
}

/// As one line of a file, without secrets.
pub fn written(line: &impl Serialize) -> serde_json::Result<String> {
    let mut value = serde_json::to_value(line)?;
    mask(&mut value);
    let mut text = value.to_string();
    text.push('\n');
    Ok(text)
}

const MASKED: &str = "***";

/// Takes out the values of environments and headers, the arguments of MCP servers, tokens, and logins in URLs. Names stay.
pub fn mask(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(mask),
        Value::Object(fields) => {
            for (key, value) in fields {
                mask_field(key, value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn mask_field(key: &str, value: &mut Value) {
    match (key, value) {
        // `Began` holds the engine's own environment.
        ("env" | "headers" | "Began", value @ Value::Object(_)) => mask_all(value),
        ("token", value @ Value::String(_)) => mask_all(value),
        ("url" | "path_or_url" | "origin", Value::String(url)) => *url = without_login(url),
        // What a clone says of its server is kept as the text of that.
        ("definition", Value::String(text)) => {
            if let Ok(mut server @ Value::Object(_)) = serde_json::from_str(text) {
                mask_server(&mut server);
                *text = server.to_string();
            }
        }
        ("globalMcpServers", Value::Object(servers)) => servers.values_mut().for_each(mask_server),
        (_, value) => mask(value),
    }
}

fn mask_server(server: &mut Value) {
    if let Some(arguments) = server.get_mut("args") {
        mask_all(arguments);
    }
    if let Some(Value::String(url)) = server.get_mut("url") {
        *url = crate::model::server::public(url);
    }
    mask(server);
}

fn mask_all(value: &mut Value) {
    match value {
        Value::String(text) => *text = MASKED.into(),
        Value::Array(values) => values.iter_mut().for_each(mask_all),
        Value::Object(fields) => fields.values_mut().for_each(mask_all),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn without_login(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.into();
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{MASKED}@{host}{path}"),
        None => url.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_masked_and_names_stay() {
        let mut value = json!({
            "Client": [1, {"Attached": {"chat": "fix", "env": {"HOME": "/home/ada", "KEY": "s3cret"}}}],
            "Disk": {"Began": {"TOKEN": "s3cret"}},
            "settings": {
                "customLlms": {"mine": {"command": "mine", "env": {"A": "s3cret"}}},
                "globalMcpServers": {
                    "docs": {"command": "npx", "args": ["--key", "s3cret"], "env": {"A": "s3cret"}},
                    "web": {"url": "https://u:s3cret@h/x?k=s3cret", "headers": {"Authorization": "s3cret"}},
                },
            },
            "agreed": [{"definition": r#"{"command":"npx","args":["s3cret"],"env":{"B":"s3cret"}}"#}],
            "token": "s3cret",
            "open": {"path_or_url": "https://me:s3cret@host/grove.git"},
            "prompt": "env is a word",
        });
        mask(&mut value);
        let written = value.to_string();
        assert!(!written.contains("s3cret"), "{written}");
        for name in [
            "KEY",
            "TOKEN",
            "npx",
            "Authorization",
            "\\\"B\\\"",
            "host/grove.git",
            "env is a word",
            "fix",
        ] {
            assert!(written.contains(name), "{name} in {written}");
        }
    }
}
