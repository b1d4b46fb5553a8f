//! The real OpenCode, at one version, installed from npm beside the build's output.
//!
//! Where it cannot be installed a test says so on stderr and returns. `PARLOUR_REQUIRE_AGENTS=1` makes it fail instead.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use serde_json::json;

use super::claude::{agents, run, skipped};

pub const VERSION: &str = "1.18.33";

/// The executable, or nothing, said aloud, where Node or the registry is missing.
pub fn installed() -> Option<PathBuf> {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(install);
    match &*FOUND {
        Ok(opencode) => Some(opencode.clone()),
        Err(why) => {
            let why = format!("SKIPPED: needs OpenCode {VERSION}: {why}\n");
            assert!(std::env::var_os("PARLOUR_REQUIRE_AGENTS").is_none(), "{why}");
            skipped(&why);
            None
        }
    }
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

/// Test processes share the installation; the lock is held while one of them looks or installs.
fn install() -> Result<PathBuf, String> {
    let folder = agents().join(format!("opencode-{VERSION}"));
    fs::create_dir_all(&folder).map_err(|error| format!("creating {}: {error}", folder.display()))?;
    let lock = File::create(folder.join("lock")).map_err(|error| format!("locking {}: {error}", folder.display()))?;
    lock.lock()
        .map_err(|error| format!("locking {}: {error}", folder.display()))?;
    let opencode = folder.join("node_modules/.bin/opencode");
    if !answers(&opencode) {
        fetch(&folder)?;
    }
    if answers(&opencode) {
        Ok(opencode)
    } else {
        Err(format!("{} does not run here", opencode.display()))
    }
}

/// The package's install script puts the program for this machine in place; npm is told to run no scripts.
fn fetch(folder: &Path) -> Result<(), String> {
    let package = format!("opencode-ai@{VERSION}");
    let npm = [
        "install",
        "--prefix",
        ".",
        "--no-save",
        "--no-package-lock",
        "--ignore-scripts",
        "--no-audit",
    ];
    run(Command::new("npm").args(npm).arg(package).current_dir(folder))?;
    run(Command::new("node")
        .arg("postinstall.mjs")
        .current_dir(folder.join("node_modules/opencode-ai")))
}

/// It makes folders in its home even when it only says its version.
fn answers(opencode: &Path) -> bool {
    let Ok(home) = tempfile::tempdir() else {
        return false;
    };
    let said = Command::new(opencode)
        .arg("--version")
        .env("HOME", home.path())
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CACHE_HOME")
        .output();
    said.is_ok_and(|output| output.stdout.starts_with(VERSION.as_bytes()))
}
