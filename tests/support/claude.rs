//! The real Claude Code, and the home folder of somebody who uses it.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs};

use serde_json::{Value, json};

use super::npm::Package;

const CLAUDE: Package = Package {
    name: "claude",
    title: "Claude Code",
    package: "@anthropic-ai/claude-code",
    version: "2.1.197",
    script: Some("install.cjs"),
};

/// No server checks it. Claude Code asks about a key it has not seen, by its last twenty characters.
const KEY: &str = "sk-ant-scripted-0123456789abcdefghij";

pub fn installed() -> Option<PathBuf> {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| CLAUDE.install());
    CLAUDE.found(&FOUND)
}

/// A home folder as it is after a person's first start, with no directory trusted yet. `echo` is allowed everywhere.
pub fn home(scratch: &Path) -> PathBuf {
    let home = scratch.join("home");
    fs::create_dir_all(&home).expect("a scratch directory");
    let tail = &KEY[KEY.len() - 20..];
    let seed = json!({
        "hasCompletedOnboarding": true,
        "customApiKeyResponses": { "approved": [tail], "rejected": [] },
    });
    fs::write(home.join(".claude.json"), seed.to_string()).expect("a scratch directory");
    let settings = json!({ "permissions": { "allow": ["Bash(echo:*)"] } });
    fs::create_dir(home.join(".claude")).expect("a scratch directory");
    fs::write(home.join(".claude/settings.json"), settings.to_string()).expect("a scratch directory");
    home
}

/// As if the person had said yes to Claude Code's question about this directory. It asks no more about any below, but
/// what settings checked in with a project allow counts only where that project is trusted by name.
pub fn trust(home: &Path, directory: &Path) {
    let path = home.join(".claude.json");
    let mut seed: Value = serde_json::from_slice(&fs::read(&path).expect("a seeded home")).expect("our own JSON");
    let directory = directory.canonicalize().expect("an existing directory");
    seed["projects"][directory.to_string_lossy().as_ref()] = json!({ "hasTrustDialogAccepted": true });
    fs::write(path, seed.to_string()).expect("a seeded home");
}

/// The whole environment: ours may come from another agent CLI.
pub fn environment(home: &Path, model: &str) -> Vec<(String, String)> {
    let ours = env::vars().filter(|(name, _)| matches!(name.as_str(), "PATH" | "LANG" | "TMPDIR"));
    let named = [
        ("HOME", home.to_string_lossy().as_ref()),
        ("TERM", "xterm-256color"),
        ("ANTHROPIC_BASE_URL", model),
        ("ANTHROPIC_API_KEY", KEY),
        ("DISABLE_TELEMETRY", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    ours.chain(named).collect()
}
