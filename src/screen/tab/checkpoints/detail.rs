//! What is told of the selected checkpoint, as rows.

use std::path::Path;

use super::data::DetailPart;
use super::words::{amount, cause};
use crate::model::review::{Amount, Checkpoint, FileChange};
use crate::model::text::count;
use crate::model::text::visible;
use crate::screen::view::View;
use crate::screen::wrap::wrap;

/// Rows of a prompt before the rest of it is left away.
const PROMPT: usize = 4;

pub enum DetailRow<'v> {
    /// What the rows below are about.
    Heading(String),
    Words(String),
    Note(String),
    /// A clone, and how much of it differs.
    Project(&'v str, Amount),
    File(&'v FileChange),
    LeftOut {
        project: &'v str,
        path: &'v Path,
        why: &'v str,
    },
    Gap,
}

pub fn rows(view: &View, width: usize) -> Vec<DetailRow<'_>> {
    let points = &view.checkpoints;
    let Some((_, checkpoint)) = points.selected() else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    let (what, rest) = cause(checkpoint);
    rows.push(DetailRow::Heading(format!("Checkpoint {}  {what}", checkpoint.number)));
    let wide = width.saturating_sub(2).max(1);
    let lines = wrap(&visible(&rest), wide);
    rows.extend(
        lines
            .into_iter()
            .filter(|line| !line.is_empty())
            .take(PROMPT)
            .map(DetailRow::Words),
    );
    if points.gone_back.contains(&checkpoint.number) {
        let words = "This turn was taken back: what it did is not in the clones.";
        rows.extend(wrap(words, wide).into_iter().map(DetailRow::Note));
    }
    rows.push(DetailRow::Gap);
    match points.part {
        DetailPart::Files => push_files(view, checkpoint, wide, &mut rows),
        DetailPart::LeftOut => push_left_out(checkpoint, wide, &mut rows),
    }
    rows
}

fn push_files<'v>(view: &'v View, checkpoint: &Checkpoint, wide: usize, rows: &mut Vec<DetailRow<'v>>) {
    let points = &view.checkpoints;
    let Some(before) = points.before() else {
        let words = "The first one: there is none before it to compare with.";
        rows.extend(wrap(words, wide).into_iter().map(DetailRow::Note));
        push_count(checkpoint, rows);
        return;
    };
    let Some(changes) = points.differs_by() else {
        let words = match &points.problem {
            Some(problem) => problem.to_string(),
            None => "Comparing…".into(),
        };
        rows.extend(wrap(&words, wide).into_iter().map(DetailRow::Note));
        return;
    };
    let amounts = changes.iter().map(|clone| Amount::of(&clone.files));
    let all = amounts.fold(Amount::default(), |sum, amount| sum + amount);
    let words = match all.files {
        0 => format!("No file differs from checkpoint {}.", before.number),
        _ => format!("Since checkpoint {}: {}", before.number, amount(all)),
    };
    rows.push(DetailRow::Note(words));
    push_count(checkpoint, rows);
    for clone in changes.iter().filter(|clone| !clone.files.is_empty()) {
        rows.push(DetailRow::Project(&clone.project, Amount::of(&clone.files)));
        rows.extend(clone.files.iter().map(DetailRow::File));
    }
}

fn push_count(checkpoint: &Checkpoint, rows: &mut Vec<DetailRow<'_>>) {
    let left_out = checkpoint.left_out.len();
    if left_out > 0 {
        rows.push(DetailRow::Note(format!(
            "It does not hold {}.",
            count(left_out, "path")
        )));
    }
}

fn push_left_out<'v>(checkpoint: &'v Checkpoint, wide: usize, rows: &mut Vec<DetailRow<'v>>) {
    if checkpoint.left_out.is_empty() {
        let words = "It holds all that the clones held, but for what is ignored. Linked directories are never saved.";
        rows.extend(wrap(words, wide).into_iter().map(DetailRow::Note));
        return;
    }
    rows.push(DetailRow::Note("It does not hold:".into()));
    rows.extend(checkpoint.left_out.iter().map(|left| DetailRow::LeftOut {
        project: &left.project,
        path: &left.path,
        why: &left.why,
    }));
}
