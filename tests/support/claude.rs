//! The real Claude Code, at one version, installed from npm beside the build's output.
//!
//! Where it cannot be installed a test says so on stderr and returns. `PARLOUR_REQUIRE_AGENTS=1` makes it fail instead.

use std::{
    env,
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use serde_json::{Value, json};

pub const VERSION: &str = "2.1.197";

/// No server checks it. Claude Code asks about a key it has not seen, by its last twenty characters.
const KEY: &str = "sk-ant-scripted-0123456789abcdefghij";

/// The executable, or nothing, said aloud, where Node or the registry is missing.
pub fn installed() -> Option<PathBuf> {
    static FOUND: LazyLock<Result<PathBuf, String>> = LazyLock::new(install);
    match &*FOUND {
        Ok(claude) => Some(claude.clone()),
        Err(why) => {
            let why = format!("SKIPPED: needs Claude Code {VERSION}: {why}\n");
            assert!(env::var_os("PARLOUR_REQUIRE_AGENTS").is_none(), "{why}");
            skipped(&why);
            None
        }
    }
}

/// A home folder as it is after a person's first start, with no directory trusted yet.
pub fn home(scratch: &Path) -> PathBuf {
    let home = scratch.join("home");
    fs::create_dir_all(&home).expect("a scratch directory");
    let tail = &KEY[KEY.len() - 20..];
    let seed = json!({
        "hasCompletedOnboarding": true,
        "customApiKeyResponses": { "approved": [tail], "rejected": [] },
    });
    fs::write(home.join(".claude.json"), seed.to_string()).expect("a scratch directory");
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

/// Test processes share the installation; the lock is held while one of them looks or installs.
fn install() -> Result<PathBuf, String> {
    let folder = agents().join(format!("claude-{VERSION}"));
    fs::create_dir_all(&folder).map_err(|error| format!("creating {}: {error}", folder.display()))?;
    let lock = File::create(folder.join("lock")).map_err(|error| format!("locking {}: {error}", folder.display()))?;
    lock.lock()
        .map_err(|error| format!("locking {}: {error}", folder.display()))?;
    let claude = folder.join("node_modules/.bin/claude");
    if !answers(&claude) {
        fetch(&folder)?;
    }
    if answers(&claude) {
        Ok(claude)
    } else {
        Err(format!("{} does not run here", claude.display()))
    }
}

/// The package's install script puts the executable in place. npm is told to run no scripts, as a person's own settings
/// may tell it, and this one is run by name.
fn fetch(folder: &Path) -> Result<(), String> {
    let package = format!("@anthropic-ai/claude-code@{VERSION}");
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
        .arg("install.cjs")
        .current_dir(folder.join("node_modules/@anthropic-ai/claude-code")))
}

pub(super) fn run(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| format!("starting {program}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{program}: {said}"))
    }
}

/// An installation that was cut short leaves a stand-in that prints instructions.
fn answers(claude: &Path) -> bool {
    let said = Command::new(claude).arg("--version").output();
    said.is_ok_and(|output| output.stdout.starts_with(VERSION.as_bytes()))
}

/// Past the test harness, which swallows what a passing test prints, and into a file for those who only see the end.
pub(super) fn skipped(why: &str) {
    let _ = std::io::stderr().write_all(why.as_bytes());
    let file = File::options().create(true).append(true).open(agents().join("skipped"));
    let _ = file.and_then(|mut file| file.write_all(why.as_bytes()));
}

pub(super) fn agents() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("agents")
}
