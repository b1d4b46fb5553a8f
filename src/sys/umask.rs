//! How open the files are that a program makes, set between its fork and its start.

use rustix::fs::Mode;
use rustix::process::umask;

/// What others may not do with a file of parlour's own.
const OTHERS: Mode = Mode::from_raw_mode(0o077);

/// What this process makes is for its user alone.
pub fn private() {
    umask(OTHERS);
}

/// What this process makes is as open as it was told when it was started, and never shut to its own user.
pub fn of_persons_files() {
    let told = umask(OTHERS);
    umask(told & OTHERS);
}
