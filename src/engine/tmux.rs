//! Copying for a person whose screen is in tmux. Left alone, tmux takes no text from the program in a pane
//! (`set-clipboard external`), so it gets it by its own command, and hands it on to the terminal around it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::Shutdown;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::sys::spawn::{Exit, conversation};

/// How long tmux may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What it needs of the client's environment to find its server, and itself.
const NEEDED: [&str; 6] = ["TMUX", "TMUX_PANE", "PATH", "HOME", "LANG", "LC_ALL"];

/// Copies beside the loop, where a client with this environment runs in tmux. What fails is told in the log.
pub fn copy(env: &BTreeMap<String, String>, text: &str) {
    if env.get("TMUX").is_none_or(|tmux| tmux.is_empty()) {
        return;
    }
    let (command, text) = (load_buffer(env), text.to_owned());
    tokio::task::spawn_blocking(move || match hand_over(command, &text) {
        Ok(Some(exit)) if exit.is_success() => {}
        Ok(Some(_)) => tracing::warn!("tmux did not take what was copied: `tmux load-buffer -w -` failed"),
        Ok(None) => tracing::warn!("tmux did not take what was copied within {PATIENCE:?}"),
        Err(error) => tracing::warn!("tmux cannot be given what was copied: {error}"),
    });
}

fn load_buffer(env: &BTreeMap<String, String>) -> Command {
    let mut shell = Command::new("/bin/sh");
    let needed = env.iter().filter(|(name, _)| NEEDED.contains(&name.as_str()));
    shell
        .args(["-c", "exec tmux load-buffer -w -"])
        .env_clear()
        .envs(needed)
        .current_dir("/");
    shell
}

fn hand_over(command: Command, text: &str) -> io::Result<Option<Exit>> {
    let (mut helper, mut stream) = conversation(command)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(text.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    helper.wait_until(Instant::now() + PATIENCE)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn tmux_gets_the_text_and_the_way_to_its_server() {
        let scratch = tempfile::tempdir().unwrap();
        let told = scratch.path().join("told");
        let script = format!(
            "#!/bin/sh\necho \"$TMUX $* ${{SECRET-none}}\" > {0}\ncat >> {0}\n",
            told.display()
        );
        let program = scratch.path().join("tmux");
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", scratch.path().display());
        let env = [("TMUX", "/tmp/tmux-0/x,1,0"), ("PATH", &path), ("SECRET", "s")];
        let env = env.map(|(name, value)| (name.to_string(), value.to_string())).into();
        let exit = hand_over(load_buffer(&env), "one\ntwo").unwrap();
        assert!(exit.is_some_and(Exit::is_success));
        assert_eq!(
            fs::read_to_string(&told).unwrap(),
            "/tmp/tmux-0/x,1,0 load-buffer -w - none\none\ntwo"
        );
    }
}
