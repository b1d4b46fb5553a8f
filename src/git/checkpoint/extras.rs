//! What git has no words for, beside the files of a checkpoint: permission bits, directories without files, what was left out.
//!
//! Stored as records that end in a zero byte, each a letter, its values and, last, a path: paths are bytes.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::left_out::{Omission, Reason};
use super::scan::{Scan, bytes};
use crate::fs::DirEntryKind;

/// Permission bits by path, written as the few paths that differ from the usual ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Extras {
    /// Of files that are no programs, programs, and directories.
    usual: [u32; 3],
    unusual: BTreeMap<PathBuf, u32>,
    /// Directories without a saved file beneath them: empty ones, and those where all is ignored.
    pub bare_dirs: BTreeSet<PathBuf>,
    pub left_out: Vec<Omission>,
}

const FILE: usize = 0;
const PROGRAM: usize = 1;
const DIR: usize = 2;
/// Where nothing says otherwise.
const DEFAULT: [u32; 3] = [0o644, 0o755, 0o755];

fn class(kind: DirEntryKind, mode: u32) -> usize {
    match kind {
        DirEntryKind::Dir => DIR,
        _ if mode & 0o100 != 0 => PROGRAM,
        _ => FILE,
    }
}

fn bare_dirs(scan: &Scan) -> BTreeSet<PathBuf> {
    let mut holding: HashSet<&Path> = HashSet::new();
    for found in &scan.files {
        for dir in found.path.ancestors().skip(1) {
            // What is above a known one is known too.
            if !holding.insert(dir) {
                break;
            }
        }
    }
    let dirs = scan.dirs.iter().map(|dir| &dir.path);
    dirs.filter(|dir| !holding.contains(dir.as_path())).cloned().collect()
}

impl Extras {
    pub fn of(scan: &Scan) -> Extras {
        let files = scan.files.iter().filter(|found| found.stamp.kind == DirEntryKind::File);
        let files = files.map(|found| (&found.path, DirEntryKind::File, found.stamp.mode));
        let dirs = scan.dirs.iter().map(|dir| (&dir.path, DirEntryKind::Dir, dir.mode));
        let all: Vec<_> = files.chain(dirs).collect();
        let mut counts: [BTreeMap<u32, usize>; 3] = Default::default();
        for (_, kind, mode) in &all {
            *counts[class(*kind, *mode)].entry(*mode).or_default() += 1;
        }
        let usual = [FILE, PROGRAM, DIR].map(|class| {
            let most = counts[class].iter().max_by_key(|(_, count)| **count);
            most.map_or(DEFAULT[class], |(mode, _)| *mode)
        });
        let unusual = all
            .iter()
            .filter(|(_, kind, mode)| usual[class(*kind, *mode)] != *mode)
            .map(|(path, _, mode)| ((*path).clone(), *mode));
        Extras {
            usual,
            unusual: unusual.collect(),
            bare_dirs: bare_dirs(scan),
            left_out: scan.left_out.clone(),
        }
    }

    /// The permission bits of the file at `path`, which git calls a program or not.
    pub fn mode_of_file(&self, path: &Path, is_program: bool) -> u32 {
        let usual = self.usual[if is_program { PROGRAM } else { FILE }];
        self.unusual.get(path).copied().unwrap_or(usual)
    }

    pub fn mode_of_dir(&self, path: &Path) -> u32 {
        self.unusual.get(path).copied().unwrap_or(self.usual[DIR])
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut record = |head: &str, path: &[u8]| {
            text.extend_from_slice(head.as_bytes());
            text.extend_from_slice(path);
            text.push(0);
        };
        let [file, program, dir] = self.usual;
        record(&format!("usual {file:o} {program:o} {dir:o}"), b"");
        for (path, mode) in &self.unusual {
            record(&format!("mode {mode:o} "), bytes(path));
        }
        for path in &self.bare_dirs {
            record("bare ", bytes(path));
        }
        for Omission { path, reason } in &self.left_out {
            record(&format!("out {} ", char::from(reason.letter())), bytes(path));
        }
        text
    }

    /// What cannot be read in it is passed over: a later version may say more.
    pub fn parse(text: &[u8]) -> Extras {
        let mut extras = Extras {
            usual: DEFAULT,
            ..Extras::default()
        };
        for record in text.split(|byte| *byte == 0) {
            let mut words = record.splitn(2, |byte| *byte == b' ');
            let (Some(kind), Some(rest)) = (words.next(), words.next()) else {
                continue;
            };
            extras.read(kind, rest);
        }
        extras
    }

    fn read(&mut self, kind: &[u8], rest: &[u8]) {
        let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
        let octal = |bytes: &[u8]| u32::from_str_radix(std::str::from_utf8(bytes).ok()?, 8).ok();
        let mut parts = rest.splitn(2, |byte| *byte == b' ');
        match kind {
            b"usual" => {
                for (slot, mode) in self.usual.iter_mut().zip(rest.split(|byte| *byte == b' ')) {
                    *slot = octal(mode).unwrap_or(*slot);
                }
            }
            b"bare" => drop(self.bare_dirs.insert(path(rest))),
            b"mode" => {
                if let (Some(mode), Some(name)) = (parts.next().and_then(octal), parts.next()) {
                    self.unusual.insert(path(name), mode);
                }
            }
            b"out" => {
                let letter = parts.next().and_then(|word| word.first().copied());
                if let (Some(letter), Some(name)) = (letter, parts.next()) {
                    // A newer parlour may have more reasons; what was left out counts, whatever the reason.
                    let reason = Reason::of_letter(letter).unwrap_or(Reason::Unreadable);
                    self.left_out.push(Omission {
                        path: path(name),
                        reason,
                    });
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_for_a_reason_of_tomorrow_counts_as_left_out() {
        let extras = Extras::parse(b"out z new/thing\0out l huge.bin\0");
        let left_out: Vec<_> = extras
            .left_out
            .iter()
            .map(|out| (out.path.to_str(), out.reason))
            .collect();
        assert_eq!(
            left_out,
            [
                (Some("new/thing"), Reason::Unreadable),
                (Some("huge.bin"), Reason::Large)
            ]
        );
    }
}
