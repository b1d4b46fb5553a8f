//! Diffs: the list of files, the first of them in colour, and one file of 50 MB.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, ensure};

use parlour::fs::Dir;
use parlour::git::CancelFlag;
use parlour::git::checkpoint::SavedFiles;
use parlour::model::diff::{DiffBody, FileAsk};

use crate::table::Row;
use crate::{Venue, file, git, options, row, timed};

/// Milliseconds until the list is there, and until the first file is there after that.
const LIST: f64 = 100.0;
const FIRST: f64 = 50.0;
/// Nobody takes it for hung.
const LARGE: f64 = 3_000.0;

impl Venue {
    /// 300 files and 20,000 lines of difference to the last checkpoint.
    pub fn diffs(&self, rounds: usize) -> anyhow::Result<[Row; 2]> {
        let store = self.store("diffs")?;
        self.take(&store, 0)?;
        for number in 0..300 {
            let mut text = String::new();
            for line in 0..36 {
                writeln!(text, "let changed_{line} = \"{number}\" + {line}; // as {line}")?;
            }
            fs::write(self.clone.join(file(number * 7 % self.files)), text)?;
        }
        let from = store.snapshot(0)?.context("it was taken")?.files();
        let clone = Dir::open(&self.clone)?;
        let (cancel, mut after) = (CancelFlag::default(), None);
        let (mut stat, mut list, mut patch, mut first) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for round in 1..=rounds {
            stat.push(timed(|| git(&self.clone, &["diff", "--numstat"]))?);
            list.push(timed(|| {
                let now = store.now(&clone, &options(round as u64, &cancel))?.files();
                let changes = store.changes(Some(from), now)?;
                let lines: usize = changes.iter().map(|change| change.added + change.removed).sum();
                ensure!(
                    changes.len() == 300 && lines > 19_000,
                    "{} files, {lines} lines",
                    changes.len()
                );
                after = Some(now);
                Ok(())
            })?);
            let path = file(round * 7);
            patch.push(timed(|| git(&self.clone, &["diff", "--word-diff", "--", &path]))?);
            let ask = asked(&path, from, after.context("the list was made")?);
            first.push(timed(|| {
                let diff = store.file_diff(&ask)?;
                let DiffBody::Lines { hunks, .. } = diff.body else {
                    anyhow::bail!("{path} is text");
                };
                ensure!(
                    hunks[0].lines.iter().any(|line| !line.spans.is_empty()),
                    "it is in colour"
                );
                Ok(())
            })?);
        }
        let cold = first[0];
        Ok([
            row("list of 300 files, 20,000 lines | git diff --numstat", stat, list, 0.0).at_most(LIST),
            row(
                &format!("a file of them in colour, the first {cold:.0} ms | git diff"),
                patch,
                first,
                0.0,
            )
            .at_most(FIRST),
        ])
    }

    /// A file of 50 MB, every tenth line of which changed.
    pub fn large(&self, rounds: usize) -> anyhow::Result<Row> {
        let store = self.store("large")?;
        let path = "large.csv";
        let mut snapshots = Vec::new();
        for version in 0..2 {
            let mut text = String::with_capacity(60 << 20);
            let mut line = 0;
            while text.len() < 50 << 20 {
                line += 1;
                let changed = if line % 10 == 0 { version } else { 0 };
                writeln!(
                    text,
                    "{line},a record of {changed},{},and what else there is",
                    line * 7919
                )?;
            }
            fs::write(self.clone.join(path), text)?;
            self.take(&store, version)?;
            snapshots.push(store.snapshot(version)?.context("it was taken")?.files());
            if version == 0 {
                git(&self.clone, &["add", path])?;
            }
        }
        let ask = asked(path, snapshots[0], snapshots[1]);
        let (mut peer, mut own) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            peer.push(timed(|| git(&self.clone, &["diff", "--", path]))?);
            own.push(timed(|| {
                store.file_diff(&ask)?;
                Ok(())
            })?);
        }
        Ok(row("one file of 50 MB | git diff", peer, own, 0.0).at_most(LARGE))
    }
}

fn asked(path: &str, from: SavedFiles, to: SavedFiles) -> FileAsk {
    FileAsk {
        project: "clone".into(),
        before: Some(from.tree()),
        after: to.tree(),
        path: path.into(),
        from: None,
        context: 3,
        ignore_whitespace: false,
        index: None,
    }
}
