//! Calling parlour's MCP server as an agent does.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use parlour::agents::loopback;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(300);

/// Where an agent was told that the server is.
pub struct Server {
    pub url: String,
    /// Not where the address carries it.
    pub token: Option<String>,
}

impl Server {
    /// As a file of the chat says it: `{"url": …, "token": …}`.
    pub fn named_in(file: &Path) -> Server {
        let said: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        Server {
            url: said["url"].as_str().unwrap().into(),
            token: said["token"].as_str().map(str::to_owned),
        }
    }

    /// The result of a request; `None` where nobody answers.
    pub fn ask(&self, method: &str, params: &Value) -> Option<Value> {
        let bearer = self.token.as_ref().map(|token| format!("Bearer {token}"));
        let headers: Vec<_> = bearer.iter().map(|bearer| ("authorization", &**bearer)).collect();
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        // Also where the test itself is asynchronous, which may not block.
        let asked = || loopback::post(&self.url, &headers, body, PATIENCE);
        let (status, said) = thread::scope(|scope| scope.spawn(asked).join().unwrap()).ok()?;
        if !status.is_success() {
            return None;
        }
        // An answer that comes with progress is the last of several events.
        let mut json = said
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line.strip_prefix("data:").unwrap_or(line).trim()).ok());
        Some(json.next_back()?["result"].clone())
    }

    /// What a tool answers, or the words of its error.
    pub fn call(&self, tool: &str, arguments: &Value) -> Option<Result<Value, String>> {
        let result = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        Some(match result["isError"] == true || result.is_null() {
            true => Err(result["content"][0]["text"].as_str().unwrap_or_default().to_owned()),
            false => Ok(result["structuredContent"].clone()),
        })
    }
}
