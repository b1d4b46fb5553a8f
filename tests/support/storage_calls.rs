//! A program whose calls to storage are at a test's mercy: it is traced, and what would change a file is counted, kills
//! it, fails, or is held up.
//!
//! Linux's `ptrace(2)`: all threads stop before each system call. One that creates, writes, renames, removes or syncs
//! counts.

use std::collections::HashMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use nix::sys::ptrace::{self, Options};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use parking_lot::Mutex;

use super::parlour::{PATIENCE, Parlour, until};

/// Between two looks at whether the disk is back, while calls are held up.
const LOOK: Duration = Duration::from_millis(2);

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

const SYNCS: [i64; 2] = [libc::SYS_fsync, libc::SYS_fdatasync];

/// What a call to storage comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fault {
    #[default]
    None,
    /// In place of the call with this number the whole process gets SIGKILL.
    KillAt(u64),
    /// The one with this number fails with this error, and no other.
    FailAt(u64, i32),
    /// Each fails with this error.
    Fail(Calls, i32),
    /// Each is held up until there is no fault any more, as on a disk that has gone away.
    Hold,
}

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    All,
    Syncs,
}

/// The disk as a traced program has it.
#[derive(Default)]
pub struct FaultyDisk {
    pub fault: Mutex<Fault>,
    /// Calls count from then on, and come to what the fault says.
    pub armed: AtomicBool,
    pub counted: AtomicU64,
    /// Threads that are held up.
    pub held: AtomicU64,
}

/// An engine on such a disk. The tracer ends with it.
pub struct FaultyEngine {
    pub disk: Arc<FaultyDisk>,
    tracer: Option<thread::JoinHandle<()>>,
}

impl FaultyEngine {
    /// In the place of the engine that runs.
    pub fn start(parlour: &Parlour) -> FaultyEngine {
        let _ = parlour.run(&["kill-engine"]);
        // One that was killed leaves it behind.
        let socket = parlour.home().join("run/engine.sock");
        let _ = fs::remove_file(&socket);
        let disk = Arc::new(FaultyDisk::default());
        let (send, began) = mpsc::channel();
        let engine = parlour.command(&["engine"]);
        let (home, traced) = (parlour.home(), disk.clone());
        let tracer = thread::spawn(move || run_traced(engine, &home, &traced, &send));
        let pid = began.recv().unwrap();
        until("the traced engine answers", PATIENCE, || {
            socket.exists() && parlour.engine_pid() == pid
        });
        FaultyEngine {
            disk,
            tracer: Some(tracer),
        }
    }

    pub fn begin(&self, fault: Fault) {
        *self.disk.fault.lock() = fault;
        self.disk.armed.store(true, Ordering::SeqCst);
    }

    pub fn end(&self) {
        self.disk.armed.store(false, Ordering::SeqCst);
    }

    /// How many calls there were while there was a fault.
    pub fn ended(mut self, parlour: &Parlour) -> u64 {
        self.end();
        let _ = parlour.run(&["kill-engine"]);
        self.tracer.take().into_iter().for_each(|tracer| tracer.join().unwrap());
        self.disk.counted.load(Ordering::SeqCst)
    }
}

impl Drop for FaultyEngine {
    fn drop(&mut self) {
        // Else nobody can end it.
        self.end();
    }
}

/// Runs the program until it ends. Its id is sent as soon as it runs. The calling thread waits: children of other
/// threads are not touched.
#[expect(clippy::zombie_processes, reason = "`waitpid` waits for it")]
fn run_traced(mut program: Command, home: &Path, disk: &FaultyDisk, began: &Sender<i32>) {
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
    let mut held: Vec<Pid> = Vec::new();
    let mut failing: HashMap<Pid, i32> = HashMap::new();
    let any = WaitPidFlag::__WALL | WaitPidFlag::__WNOTHREAD;
    loop {
        if !disk.armed.load(Ordering::SeqCst) {
            held.drain(..).for_each(go_on);
        }
        disk.held.store(held.len() as u64, Ordering::SeqCst);
        let flags = match held.is_empty() {
            true => any,
            false => any | WaitPidFlag::WNOHANG,
        };
        let status = match waitpid(None::<Pid>, Some(flags)) {
            Ok(WaitStatus::StillAlive) => {
                thread::sleep(LOOK);
                continue;
            }
            Ok(status) => status,
            Err(nix::errno::Errno::ECHILD) => return,
            Err(error) => panic!("waiting for {main}: {error}"),
        };
        match status {
            WaitStatus::Exited(pid, _) | WaitStatus::Signaled(pid, _, _) if pid == main => return,
            WaitStatus::PtraceSyscall(pid) => {
                if let Some(error) = failing.remove(&pid) {
                    answer(pid, error);
                } else if disk.armed.load(Ordering::SeqCst)
                    && let Some(call) = call_to_storage(pid, home)
                {
                    let number = disk.counted.fetch_add(1, Ordering::SeqCst) + 1;
                    match *disk.fault.lock() {
                        Fault::KillAt(at) if at == number => {
                            kill(main, Signal::SIGKILL).unwrap();
                            continue;
                        }
                        Fault::FailAt(at, error) if at == number => {
                            skip(pid);
                            failing.insert(pid, error);
                        }
                        Fault::Fail(which, error) if which == Calls::All || SYNCS.contains(&call) => {
                            skip(pid);
                            failing.insert(pid, error);
                        }
                        Fault::Hold => {
                            held.push(pid);
                            continue;
                        }
                        Fault::None | Fault::KillAt(_) | Fault::FailAt(..) | Fault::Fail(..) => {}
                    }
                }
                go_on(pid);
            }
            // A thread that a kill has already ended cannot go on.
            WaitStatus::Stopped(pid, Signal::SIGSTOP) | WaitStatus::PtraceEvent(pid, ..) => go_on(pid),
            WaitStatus::Stopped(pid, signal) => drop(ptrace::syscall(pid, signal)),
            _ => {}
        }
    }
}

/// A thread that a kill has already ended cannot go on.
fn go_on(thread: Pid) {
    let _ = ptrace::syscall(thread, None);
}

/// The kernel is asked for a call that there is not, in place of this one.
#[cfg(target_arch = "x86_64")]
fn skip(thread: Pid) {
    if let Ok(mut registers) = ptrace::getregs(thread) {
        registers.orig_rax = u64::MAX;
        let _ = ptrace::setregs(thread, registers);
    }
}

/// What the thread hears of the call that was skipped.
#[cfg(target_arch = "x86_64")]
fn answer(thread: Pid, error: i32) {
    if let Ok(mut registers) = ptrace::getregs(thread) {
        registers.rax = i64::from(-error).cast_unsigned();
        let _ = ptrace::setregs(thread, registers);
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn skip(_: Pid) {
    panic!("calls fail only on x86-64");
}

#[cfg(not(target_arch = "x86_64"))]
fn answer(_: Pid, _: i32) {}

/// The call with which the thread is about to change something below this directory.
fn call_to_storage(thread: Pid, home: &Path) -> Option<i64> {
    let info = ptrace::syscall_info(thread).ok()?;
    if info.op != libc::PTRACE_SYSCALL_INFO_ENTRY {
        return None;
    }
    // SAFETY: the kernel says that it filled in this one of the variants.
    let entry = unsafe { info.u.entry };
    let call = i64::try_from(entry.nr).unwrap_or(-1);
    changes_storage(thread, call, &entry.args, home).then_some(call)
}

fn changes_storage(thread: Pid, call: i64, args: &[u64], home: &Path) -> bool {
    if CHANGES.contains(&call) || OLD_CHANGES.contains(&call) {
        return true;
    }
    let creates = |flags: u64| flags & (libc::O_CREAT | libc::O_TRUNC) as u64 != 0;
    if call == libc::SYS_openat {
        return creates(args[2]);
    }
    #[cfg(target_arch = "x86_64")]
    if call == libc::SYS_open {
        return creates(args[1]);
    }
    WRITES.contains(&call) && target(thread, args[0]).is_some_and(|file| file.starts_with(home))
}

fn target(thread: Pid, descriptor: u64) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{thread}/fd/{descriptor}")).ok()
}
