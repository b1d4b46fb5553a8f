//! The real Gemini CLI, and the home folder of somebody who uses it.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs};

use serde_json::json;

use super::npm::Package;

const GEMINI: Package = Package {
    name: "gemini",
    title: "Gemini CLI",
    package: "@google/gemini-cli",
    version: "0.61.0",
    script: None,
};

pub fn installed() -> Option<PathBuf> {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| GEMINI.install());
    GEMINI.found(&FOUND)
}

/// A home folder as it is after a person's first start: how to log in is chosen, and no directory is trusted.
pub fn home(scratch: &Path) -> PathBuf {
    let home = scratch.join("home");
    fs::create_dir_all(home.join(".gemini")).expect("a scratch directory");
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
        "privacy": { "usageStatisticsEnabled": false },
        "telemetry": { "enabled": false },
    });
    fs::write(home.join(".gemini/settings.json"), settings.to_string()).expect("a scratch directory");
    home
}

/// The whole environment: ours may come from another agent CLI.
pub fn environment(home: &Path, model: &str) -> Vec<(String, String)> {
    let ours = env::vars().filter(|(name, _)| matches!(name.as_str(), "PATH" | "LANG" | "TMPDIR"));
    let named = [
        ("HOME", home.to_string_lossy().as_ref()),
        ("TERM", "xterm-256color"),
        ("GOOGLE_GEMINI_BASE_URL", model),
        ("GEMINI_API_KEY", "scripted-and-checked-by-nobody"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    ours.chain(named).collect()
}
