//! Git as an agent uses it: the program on the PATH, in its own clone.

use std::path::Path;
use std::process::{Command, Stdio};

/// What `git ARGS` prints. Never waits for a person: no terminal, no signing, no hooks.
pub fn git(clone: &Path, args: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .args([
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "commit.gpgSign=false",
            "-c",
            "color.ui=false",
        ])
        .args(args)
        .current_dir(clone)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_PAGER", "cat")
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("git cannot be run: {e}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_string();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&output.stderr)),
    }
}

/// A new file is in no diff until git is told of it.
pub fn announce(clone: &Path, file: &Path) -> Result<(), String> {
    git(clone, &["add", "--intent-to-add", "--", &file.to_string_lossy()]).map(drop)
}

/// Commits one file, by the person's identity where there is one.
pub fn commit(clone: &Path, file: &Path, message: &str) -> Result<String, String> {
    let file = file.to_string_lossy();
    git(clone, &["add", "--", &file])?;
    let mut args = Vec::new();
    if git(clone, &["config", "user.email"]).is_err() {
        args.extend(["-c", "user.name=parlour demo agent", "-c", "user.email=demo@localhost"]);
    }
    args.extend(["commit", "-q", "-m", message, "--", &file]);
    git(clone, &args)?;
    git(clone, &["log", "-1", "--format=%h %s"])
}
