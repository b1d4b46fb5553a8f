//! What the setup files that are kept for projects hold of secrets: it is masked wherever transcripts are shown to others.

use std::collections::BTreeSet;

use super::Home;
use crate::fs::{Dir, DirEntryKind};
use crate::model::secret::known::secrets_of_lines;

/// A file of variables is far shorter.
const LARGEST: u64 = 1 << 20;

/// Folders within folders that are looked into.
const DEEPEST: usize = 16;

impl Home {
    /// The values in saved setup files that look secret. What cannot be read holds none.
    pub fn saved_secrets(&self) -> BTreeSet<String> {
        let mut secrets = BTreeSet::new();
        let Ok(setups) = self.dir().dir("project-setup") else {
            return secrets;
        };
        for project in setups.entries(".").unwrap_or_default() {
            let files = setups.dir(&project.name).and_then(|project| project.dir("files"));
            if let Ok(files) = files {
                gather(&files, DEEPEST, &mut secrets);
            }
        }
        secrets
    }
}

fn gather(dir: &Dir, deeper: usize, secrets: &mut BTreeSet<String>) {
    for entry in dir.entries(".").unwrap_or_default() {
        match entry.kind {
            DirEntryKind::File => {
                if let Ok(Some(bytes)) = dir.read(&entry.name, LARGEST) {
                    secrets.extend(secrets_of_lines(&String::from_utf8_lossy(&bytes)));
                }
            }
            DirEntryKind::Dir if deeper > 0 => {
                if let Ok(inner) = dir.dir(&entry.name) {
                    gather(&inner, deeper - 1, secrets);
                }
            }
            DirEntryKind::Dir | DirEntryKind::Link | DirEntryKind::Other => {}
        }
    }
}
