//! Hunks of which only the heading is shown.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::diff::{FileDiff, Hunk, LineKind};

use super::file_key::FileKey;

/// Each hunk is known by where its first change is in the file before: that stays while an agent works.
#[derive(Default)]
pub struct HunkFolds(BTreeMap<FileKey, BTreeSet<(u32, bool)>>);

impl HunkFolds {
    pub fn is_folded(&self, file: &FileDiff, hunk: &Hunk) -> bool {
        let folded = self.0.get(&key(file));
        folded.is_some_and(|folded| folded.contains(&anchor(hunk)))
    }

    pub fn set(&mut self, file: &FileDiff, hunk: &Hunk, folded: bool) {
        let hunks = self.0.entry(key(file)).or_default();
        match folded {
            true => hunks.insert(anchor(hunk)),
            false => hunks.remove(&anchor(hunk)),
        };
    }
}

fn key(file: &FileDiff) -> FileKey {
    FileKey {
        project: file.ask.project.clone(),
        path: file.ask.path.clone(),
    }
}

/// The number of the last old line before its first change, and whether that change adds.
fn anchor(hunk: &Hunk) -> (u32, bool) {
    let same = hunk.lines.iter().take_while(|line| line.kind == LineKind::Context);
    let count = u32::try_from(same.count()).unwrap_or(u32::MAX);
    let adds = hunk
        .lines
        .get(count as usize)
        .is_some_and(|line| line.kind == LineKind::Added);
    (hunk.old.0.saturating_add(count), adds)
}

/// How many lines of a hunk were added and removed.
pub fn amount(hunk: &Hunk) -> (usize, usize) {
    let count = |kind| hunk.lines.iter().filter(|line| line.kind == kind).count();
    (count(LineKind::Added), count(LineKind::Removed))
}
