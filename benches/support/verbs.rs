//! Calling verbs of what is measured, each in surroundings of its own.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::proc;

/// How long a host may take to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// Variables that would change what is measured, by where the benchmark was started from.
pub fn cleared() -> Vec<OsString> {
    let changes = |name: &str| {
        ["TMUX", "PARLOUR_", "CLAUDE", "SSH_"]
            .iter()
            .any(|start| name.starts_with(start))
            || ["NO_COLOR", "COLORTERM", "TERM_PROGRAM"].contains(&name)
    };
    std::env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| changes(&name.to_string_lossy()))
        .collect()
}

pub fn settled(home: &Path) -> [(&'static str, OsString); 4] {
    [
        ("PARLOUR_HOME", home.into()),
        ("HOME", home.into()),
        ("TERM", "xterm-256color".into()),
        ("LC_ALL", "C.UTF-8".into()),
    ]
}

/// Runs a verb, with `more` in its environment, and returns what it printed.
pub fn run<A: AsRef<OsStr>>(
    line: &[OsString],
    home: &Path,
    more: &[(&str, OsString)],
    args: &[A],
) -> anyhow::Result<String> {
    let words: Vec<_> = args.iter().map(|arg| arg.as_ref().to_string_lossy()).collect();
    let words = words.join(" ");
    let mut command = Command::new(&line[0]);
    command
        .args(&line[1..])
        .args(args)
        .stdin(Stdio::null())
        .current_dir(home);
    for name in cleared() {
        command.env_remove(name);
    }
    let said = command
        .envs(settled(home))
        .envs(more.iter().cloned())
        .output()
        .with_context(|| format!("running `{words}`"))?;
    if !said.status.success() {
        bail!("`{words}` failed: {}", String::from_utf8_lossy(&said.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

/// Waits until a process is gone that was told to end, which went as in `asked`.
pub fn wait_for_end(pid: u32, asked: &anyhow::Result<String>) -> anyhow::Result<()> {
    let deadline = Instant::now() + PATIENCE;
    while proc::is_alive(pid) {
        if Instant::now() > deadline {
            kill(pid);
            bail!("the server did not end when it was told to, and was killed: {asked:?}");
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

fn kill(pid: u32) {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // It may have ended in this moment.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
}
