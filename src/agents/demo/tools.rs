//! The demo agent's side of MCP: parlour's tools over HTTP, one request a connection.

use std::time::Duration;

use serde_json::{Value, json};

use crate::agents::loopback;

/// `open_dir` may clone for a while.
const PATIENCE: Duration = Duration::from_secs(300);
const PROTOCOL: &str = "2025-06-18";

/// Where parlour's tools are.
#[derive(Clone)]
pub struct DemoTools {
    url: String,
    token: String,
}

impl DemoTools {
    /// As an agent is told: `PARLOUR_MCP_URL` and `PARLOUR_TOKEN`.
    pub fn from_env() -> Option<DemoTools> {
        let url = std::env::var("PARLOUR_MCP_URL").ok()?;
        let token = std::env::var("PARLOUR_TOKEN").ok()?;
        Some(DemoTools::new(url, token))
    }

    pub fn new(url: String, token: String) -> DemoTools {
        DemoTools { url, token }
    }

    /// Greets the server and lists its tools, as every MCP client does at its start.
    pub fn connect(&self) -> Result<usize, String> {
        let greeting = json!({
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "parlour-demo-agent", "version": env!("CARGO_PKG_VERSION")},
        });
        self.ask("initialize", greeting)?;
        self.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        let listed = self.ask("tools/list", json!({}))?;
        Ok(listed["tools"].as_array().map_or(0, Vec::len))
    }

    /// The tool's own words where it refuses.
    pub fn call(&self, name: &str, arguments: Value) -> Result<Value, String> {
        let result = self.ask("tools/call", json!({"name": name, "arguments": arguments}))?;
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        if result["isError"] == true {
            return Err(text.to_string());
        }
        match &result["structuredContent"] {
            Value::Null => serde_json::from_str(text).map_err(|_| text.to_string()),
            structured => Ok(structured.clone()),
        }
    }

    fn ask(&self, method: &str, params: Value) -> Result<Value, String> {
        let text = self.post(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))?;
        let answer = answer_in(&text).ok_or_else(|| format!("parlour's answer to {method} is no JSON-RPC"))?;
        match answer["error"]["message"].as_str() {
            Some(error) => Err(error.to_string()),
            None => Ok(answer["result"].clone()),
        }
    }

    fn post(&self, message: &Value) -> Result<String, String> {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("authorization", &*bearer), ("mcp-protocol-version", PROTOCOL)];
        let (status, text) = loopback::post(&self.url, &headers, message.to_string(), PATIENCE)
            .map_err(|error| format!("parlour cannot be reached: {error:#}"))?;
        match status.is_success() || answer_in(&text).is_some() {
            true => Ok(text),
            false => Err(format!("parlour answered {status}")),
        }
    }
}

/// The response in a body, which is JSON or a stream of events that holds it.
fn answer_in(text: &str) -> Option<Value> {
    let mut messages = std::iter::once(text).chain(text.lines().filter_map(|line| line.strip_prefix("data:")));
    messages.find_map(|message| {
        let message: Value = serde_json::from_str(message).ok()?;
        message.get("id").is_some().then_some(message)
    })
}
