//! Finding a program along a PATH, and asking it for its version without waiting for ever.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A CLI with a cold disk cache takes a second or two; beyond this it is not going to answer.
const PATIENCE: Duration = Duration::from_secs(5);
const MOST_OUTPUT: u64 = 64 << 10;

/// The executable file `name` on `search_path`, absolute. Relative entries of the path are skipped: they would mean
/// another program in every directory. A `name` with a slash is taken as it is, where it is absolute.
pub(super) fn on_path(name: &str, search_path: &OsStr) -> Option<PathBuf> {
    let name = Path::new(name);
    if name.is_absolute() {
        return is_executable(name).then(|| name.to_path_buf());
    }
    if name.components().count() != 1 {
        return None;
    }
    std::env::split_paths(search_path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|candidate| is_executable(candidate))
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// What `program --version` prints, where it ends well within five seconds. It gets no terminal, no input, and of our
/// environment only what a launcher script needs.
pub(super) fn version_output(program: &Path, search_path: &OsStr) -> Option<String> {
    version_within(PATIENCE, program, search_path)
}

fn version_within(patience: Duration, program: &Path, search_path: &OsStr) -> Option<String> {
    let deadline = Instant::now() + patience;
    let mut command = Command::new(program);
    command
        .arg("--version")
        .env_clear()
        .env("PATH", search_path)
        .envs(std::env::var_os("HOME").map(|home| ("HOME", home)))
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0);
    let mut child = command.spawn().ok()?;
    let stdout = child.stdout.take()?;
    let (said, heard) = mpsc::channel();
    // Ends with the child's output: at its exit, or when the whole group is killed below.
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.take(MOST_OUTPUT).read_to_end(&mut bytes);
        let _ = said.send(read.map(|_| bytes));
    });
    let output = heard.recv_timeout(patience);
    let ended = match output.is_ok() {
        true => exit_before(deadline, &mut child),
        false => None,
    };
    if ended.is_none() {
        kill_group(&child);
    }
    // Reaps it, whether it ended by itself or was killed just now.
    child.wait().ok()?;
    let bytes = output.ok()?.ok()?;
    ended?
        .success()
        .then(|| String::from_utf8_lossy(&bytes).trim().to_string())
}

/// Its output has ended, and with it, in all but odd cases, the program.
fn exit_before(deadline: Instant, child: &mut Child) -> Option<ExitStatus> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) | Err(_) => return None,
        }
    }
}

fn kill_group(child: &Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // It may have ended by itself in this moment.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::tests::install;

    #[test]
    fn a_program_is_found_only_where_the_path_is_absolute() {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("tool");
        std::fs::write(&program, "not executable").unwrap();
        assert_eq!(on_path("tool", home.path().as_os_str()), None);
        install(&program, "true");
        let path = std::env::join_paths(["bin".as_ref(), Path::new("/no/such"), home.path()]).unwrap();
        assert_eq!(on_path("tool", &path), Some(program.clone()));
        assert_eq!(on_path(program.to_str().unwrap(), OsStr::new("")), Some(program));
        assert_eq!(on_path("../tool", &path), None);
        assert_eq!(on_path("", &path), None);
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join("tool");
        let path = OsStr::new("/usr/bin:/bin");
        for script in ["sleep 60", "exec >&-; sleep 60", "sleep 60 & echo 1.0"] {
            install(&program, script);
            let started = Instant::now();
            assert_eq!(
                version_within(Duration::from_millis(100), &program, path),
                None,
                "{script}"
            );
            assert!(started.elapsed() < Duration::from_secs(10));
        }
        install(&program, "echo 1.0");
        assert_eq!(version_output(&program, path).as_deref(), Some("1.0"));
    }
}
