//! Repositories of parlour's own: whether what was fetched or saved can be read back.

use std::path::{Path, PathBuf};

use super::report::DoctorReport;
use crate::fs::{Dir, DirEntry, DirEntryKind};
use crate::git::damaged_files;

/// What is fetched can be fetched again.
pub fn check_caches(home: &Dir, report: &mut DoctorReport) {
    let hint = "if opening its repository fails for that, it is fetched anew";
    let mut folders = vec![PathBuf::from("bare")];
    while let Some(folder) = folders.pop() {
        for entry in home.entries(&folder).unwrap_or_default() {
            let path = folder.join(&entry.name);
            if is_repository(&entry) {
                check(home, &path, hint, report);
            } else if entry.kind == DirEntryKind::Dir {
                folders.push(path);
            }
        }
    }
}

/// Nothing else has what was saved. One that has no `HEAD` is made again with the next checkpoint.
pub fn check_stores(stores: &Dir, report: &mut DoctorReport) {
    let hint = "no checkpoint that needs it can be restored: bring it back from a backup, or move the whole store away, \
                and the next checkpoint saves all files again";
    for entry in stores.entries(".").unwrap_or_default() {
        let path = Path::new(&entry.name);
        if is_repository(&entry) && matches!(stores.metadata(path.join("HEAD")), Ok(Some(_))) {
            check(stores, path, hint, report);
        }
    }
}

fn is_repository(entry: &DirEntry) -> bool {
    entry.name.as_encoded_bytes().ends_with(b".git")
}

fn check(parent: &Dir, path: &Path, hint: &str, report: &mut DoctorReport) {
    let place = parent.path().join(path);
    let repository = match parent.dir(path) {
        Ok(repository) => repository,
        Err(error) if error.is_missing() => return,
        Err(error) => return report.problem(error.to_string(), &place, hint),
    };
    match damaged_files(&repository) {
        Ok(files) => {
            let what = match files.len() {
                1 => "an object cannot be read back".to_owned(),
                many => format!("{many} objects cannot be read back; this is the first"),
            };
            if let Some(first) = files.first() {
                report.problem(what, first, hint);
            }
        }
        Err(error) => report.problem(error.to_string(), &place, hint),
    }
}
