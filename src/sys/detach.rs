//! Starting a program that outlives us and our terminal.

use std::fs::{self, File};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};

/// Starts `command` in a session of its own, in `/`, with nothing to read and `log` for what it says. Its environment
/// is ours, less what the command takes away. The child need not be waited for.
pub fn start(command: &mut Command, log: File) -> io::Result<Child> {
    keep_descriptors_here();
    command
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    // SAFETY: between fork and exec only async-signal-safe calls are allowed; setsid is one, and allocates nothing.
    unsafe {
        command.pre_exec(|| Ok(rustix::process::setsid().map(drop)?));
    }
    command.spawn()
}

/// Whoever started us may have left descriptors open, such as a pipe that it reads until everyone closed it. A
/// program that lives for days must not hold them.
fn keep_descriptors_here() {
    let Ok(open) = fs::read_dir("/dev/fd") else {
        return;
    };
    let numbers = open
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|number| *number > 2)
        .collect::<Vec<i32>>();
    for number in numbers {
        // SAFETY: the number was listed as open a moment ago. If it was closed since, the call fails and changes
        // nothing; if it was opened again, closing it on exec is what Rust asks for anyway.
        let descriptor = unsafe { BorrowedFd::borrow_raw(number) };
        let _ = fcntl_setfd(descriptor, FdFlags::CLOEXEC);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_child_has_its_own_session_and_writes_to_the_log() {
        let home = tempfile::tempdir().unwrap();
        let log = home.path().join("log");
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "ps -o sid= -p $$; pwd; cat; echo $GREETING"]);
        command.env("GREETING", "hello");
        let mut child = start(&mut command, File::create(&log).unwrap()).unwrap();
        let pid = child.id();
        assert!(child.wait().unwrap().success());
        let said = fs::read_to_string(log).unwrap();
        let said: Vec<&str> = said.split_whitespace().collect();
        assert_eq!(said, [pid.to_string().as_str(), "/", "hello"]);
    }

    #[test]
    fn the_child_does_not_hold_descriptors_that_we_inherited() {
        let (mut reader, writer) = io::pipe().unwrap();
        let kept = rustix::io::dup(&writer).unwrap();
        let mut command = Command::new("/bin/sleep");
        command.arg("60");
        let log = tempfile::tempfile().unwrap();
        let mut child = start(&mut command, log).unwrap();
        drop((writer, kept));
        let read = io::Read::read(&mut reader, &mut [0]).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(read, 0, "the pipe ends while the child lives");
    }
}
