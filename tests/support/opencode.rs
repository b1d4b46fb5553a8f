//! The real OpenCode, and the home folder of somebody who uses it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::json;

use super::npm::Package;

const OPENCODE: Package = Package {
    name: "opencode",
    title: "OpenCode",
    package: "opencode-ai",
    version: "1.18.33",
    script: Some("postinstall.mjs"),
};

pub fn installed() -> Option<PathBuf> {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| OPENCODE.install());
    OPENCODE.found(&FOUND)
}

/// A home folder of somebody who uses it with this model server.
pub fn home(scratch: &Path, model: &str) -> PathBuf {
    let home = scratch.join("home");
    let folder = home.join(".config/opencode");
    fs::create_dir_all(&folder).expect("a scratch directory");
    let provider = json!({
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "options": { "baseURL": format!("{model}/v1"), "apiKey": "unchecked" },
        "models": { "scripted": { "name": "Scripted", "limit": { "context": 100_000, "output": 8_000 } } },
    });
    let config = json!({
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "provider": { "scripted": provider },
    });
    fs::write(folder.join("opencode.json"), config.to_string()).expect("a scratch directory");
    home
}
