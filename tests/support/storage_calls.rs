//! A program that is killed at one of its calls to storage: it is traced, and what would change a file is counted.
//!
//! Linux's `ptrace(2)`: all threads stop before each system call. One that creates, writes, renames, removes or syncs
//! counts; at the one with the wanted number the whole process gets SIGKILL instead of it.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;

use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// Calls that change a directory or a file by its path or descriptor.
const CHANGES: [i64; 15] = [
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_unlinkat,
    libc::SYS_mkdirat,
    libc::SYS_symlinkat,
    libc::SYS_linkat,
    libc::SYS_ftruncate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_utimensat,
    libc::SYS_copy_file_range,
    libc::SYS_fallocate,
    libc::SYS_truncate,
];

/// The older names of some of them, which other processors do not have.
#[cfg(target_arch = "x86_64")]
const OLD_CHANGES: [i64; 8] = [
    libc::SYS_rename,
    libc::SYS_unlink,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_symlink,
    libc::SYS_link,
    libc::SYS_chmod,
    libc::SYS_creat,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_CHANGES: [i64; 0] = [];

/// Calls that write to a descriptor, which may be a socket as well.
const WRITES: [i64; 4] = [libc::SYS_write, libc::SYS_writev, libc::SYS_pwrite64, libc::SYS_pwritev];

/// When the program dies, and what became of it.
#[derive(Default)]
pub struct Doom {
    /// Calls count from then on.
    pub armed: AtomicBool,
    pub counted: AtomicU64,
}

/// Runs the program until it ends, and kills it in place of its `at`th call to storage below `home`. Its id is sent as
/// soon as it runs. The calling thread waits: children of other threads are not touched.
#[expect(clippy::zombie_processes, reason = "`waitpid` waits for it")]
pub fn run_until(mut program: Command, home: &Path, at: u64, doom: &Doom, began: &Sender<i32>) {
    // SAFETY: between fork and exec this asks the kernel for one thing, and allocates nothing.
    unsafe {
        program.pre_exec(|| ptrace::traceme().map_err(Into::into));
    }
    let child = program.spawn().unwrap();
    let main = Pid::from_raw(i32::try_from(child.id()).unwrap());
    let options = Options::PTRACE_O_TRACESYSGOOD | Options::PTRACE_O_TRACECLONE | Options::PTRACE_O_EXITKILL;
    waitpid(main, None).unwrap();
    ptrace::setoptions(main, options).unwrap();
    ptrace::syscall(main, None).unwrap();
    began.send(main.as_raw()).unwrap();
    loop {
        let status = match waitpid(None::<Pid>, Some(WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD)) {
            Ok(status) => status,
            Err(nix::errno::Errno::ECHILD) => return,
            Err(error) => panic!("waiting for {main}: {error}"),
        };
        let (stopped, signal) = match status {
            WaitStatus::Exited(pid, _) | WaitStatus::Signaled(pid, _, _) if pid == main => return,
            WaitStatus::PtraceSyscall(pid) => {
                if doom.armed.load(Ordering::SeqCst)
                    && changes_storage(pid, home)
                    && doom.counted.fetch_add(1, Ordering::SeqCst) + 1 == at
                {
                    kill(main, Signal::SIGKILL).unwrap();
                    continue;
                }
                (pid, None)
            }
            WaitStatus::Stopped(pid, Signal::SIGSTOP) => (pid, None),
            WaitStatus::Stopped(pid, signal) => (pid, Some(signal)),
            WaitStatus::PtraceEvent(pid, ..) => (pid, None),
            _ => continue,
        };
        // A thread that a kill has already ended cannot go on.
        let _ = ptrace::syscall(stopped, signal);
    }
}

/// Whether the thread is about to change something below this directory.
fn changes_storage(thread: Pid, home: &Path) -> bool {
    let Ok(info) = ptrace::syscall_info(thread) else {
        return false;
    };
    if info.op != libc::PTRACE_SYSCALL_INFO_ENTRY {
        return false;
    }
    // SAFETY: the kernel says that it filled in this one of the variants.
    let entry = unsafe { info.u.entry };
    let call = i64::try_from(entry.nr).unwrap_or(-1);
    if CHANGES.contains(&call) || OLD_CHANGES.contains(&call) {
        return true;
    }
    let creates = |flags: u64| flags & (libc::O_CREAT | libc::O_TRUNC) as u64 != 0;
    if call == libc::SYS_openat {
        return creates(entry.args[2]);
    }
    #[cfg(target_arch = "x86_64")]
    if call == libc::SYS_open {
        return creates(entry.args[1]);
    }
    WRITES.contains(&call) && target(thread, entry.args[0]).is_some_and(|file| file.starts_with(home))
}

fn target(thread: Pid, descriptor: u64) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{thread}/fd/{descriptor}")).ok()
}
