//! What parlour needs of the machine: git, and room on the disk.

use std::env;
use std::io::{self, IsTerminal};
use std::path::Path;

use rustix::fs::Access;

use super::report::DoctorReport;
use crate::client::{self, Keyboard};
use crate::git::{Program, keep};

/// The oldest git that parlour is tested with.
const GIT: (u32, u32) = (2, 39);
/// A clone or two, and the transcripts of a day.
const ROOM: u64 = 512 << 20;

pub fn check(home: &Path, report: &mut DoctorReport) {
    git(report);
    forge(report);
    keyboard(report);
    writable(home, report);
    if let Some((place, free)) = free(home)
        && free < ROOM
    {
        let what = format!("only {} MB are free on this disk", free >> 20);
        report.problem(what, place, "make room: clones and transcripts need it");
    }
}

fn git(report: &mut DoctorReport) {
    let hint = format!("install git {}.{} or newer", GIT.0, GIT.1);
    match Program::find().and_then(|git| git.version()) {
        Ok(said) => match version(&said) {
            Some(version) if version < GIT => report.problem(format!("git is too old: {said}"), Path::new(""), hint),
            Some(_) => {}
            None => report.remark(
                format!("git says only this of its version: {said}"),
                Path::new(""),
                hint,
            ),
        },
        Err(error) => report.problem(error.to_string(), Path::new(""), hint),
    }
}

/// Nothing else lacks it: only pull requests are neither shown nor opened.
fn forge(report: &mut DoctorReport) {
    let lacks = |git: Program| keep::check_forge(&git).is_err();
    if Program::find().is_ok_and(lacks) {
        let what = "gh is not on your PATH: no pull requests are opened or shown; get it from https://cli.github.com";
        report.remark(what, Path::new(""), "");
    }
}

/// Which keys a terminal does not tell, where there is one to ask.
fn keyboard(report: &mut DoctorReport) {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return;
    }
    let is_tmux = env::var_os("TMUX").is_some();
    let (what, hint) = match client::told_keys() {
        Ok(Keyboard::Kitty) | Err(_) => return,
        // xterm tells them by itself.
        Ok(Keyboard::Modified) if !is_tmux => return,
        Ok(Keyboard::Modified) => (
            "tmux tells Shift+Enter, Ctrl+Enter and Ctrl+Shift with a letter only if you let it",
            "`set -s extended-keys on` in ~/.tmux.conf, unless it is there",
        ),
        Ok(Keyboard::Plain) if is_tmux => (
            "tmux does not tell Shift+Enter, Ctrl+Enter and Ctrl+Shift with a letter from the keys without Shift",
            "a new line in a prompt is Ctrl+J",
        ),
        Ok(Keyboard::Plain) => (
            "this terminal does not tell Shift+Enter and Ctrl+Enter from Enter, Ctrl+I from Tab, and Ctrl+Shift with a \
             letter from Ctrl with it",
            "kitty, Ghostty, WezTerm, foot, Alacritty and iTerm2 do; elsewhere a new line in a prompt is Ctrl+J",
        ),
    };
    report.remark(what, Path::new(""), hint);
}

/// Major and minor of `git version 2.47.1 (Apple Git-1)`.
fn version(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.strip_prefix("git version ")?.split('.');
    let mut number = || numbers.next()?.parse().ok();
    Some((number()?, number()?))
}

/// Nothing can be made or kept where it is not.
fn writable(home: &Path, report: &mut DoctorReport) {
    let Some(there) = place(home) else { return };
    let Err(error) = rustix::fs::access(there, Access::WRITE_OK | Access::EXEC_OK) else {
        return;
    };
    let what = match there == home {
        true => format!("you cannot write there: {error}"),
        false => format!("your home {} cannot be made there: {error}", home.display()),
    };
    report.problem(
        what,
        there,
        "make that writable for you, or name another place by PARLOUR_HOME",
    );
}

/// Where the home is or will be.
fn place(home: &Path) -> Option<&Path> {
    home.ancestors().find(|place| place.exists())
}

/// The same, and the bytes that we may still write there.
fn free(home: &Path) -> Option<(&Path, u64)> {
    let there = place(home)?;
    let disk = rustix::fs::statvfs(there).ok()?;
    Some((there, disk.f_bavail.saturating_mul(disk.f_frsize)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_forbids_writing_is_a_problem() {
        let temp = tempfile::tempdir().unwrap();
        let judged = |home: &Path| {
            let mut report = DoctorReport::default();
            writable(home, &mut report);
            report.problems.into_iter().map(|found| found.what).collect::<Vec<_>>()
        };
        assert_eq!(judged(&temp.path().join("not/yet")), [""; 0]);
        // Root may write into every directory, but a file is none.
        let file = temp.path().join("file");
        std::fs::write(&file, "").unwrap();
        let closed = judged(&file.join("home"));
        assert!(closed[0].contains("cannot be made there"), "{closed:?}");
    }

    #[test]
    fn gits_of_all_makers_tell_their_version() {
        assert_eq!(version("git version 2.47.1"), Some((2, 47)));
        assert_eq!(version("git version 2.39.5 (Apple Git-154)"), Some((2, 39)));
        assert_eq!(version("git version 2.45.windows.1"), Some((2, 45)));
        assert_eq!(version("hub"), None);
    }
}
