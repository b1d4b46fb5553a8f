//! Remarks among the lines that they are about. One is never shown at a line that does not say what it was made on.

use super::data::ChangesView;
use super::file_key::FileKey;
use super::lines::{self, DiffRow};
use crate::model::diff::{DiffLine, FileDiff, Hunk, LineKind};
use crate::model::remark::{PlacedRemark, Remark, RemarkAuthor, RemarkSide, RemarkState};
use crate::model::text::visible;
use crate::screen::way::StepWay;
use crate::screen::wrap::wrap;

/// Columns left of a remark's words.
pub const INDENT: u16 = 6;

/// A row of a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkRow {
    /// Who says it, and how it stands.
    Head(String),
    Words(String),
    Answer(String),
}

pub fn of_file<'c>(changes: &'c ChangesView, key: &FileKey) -> impl Iterator<Item = (usize, &'c PlacedRemark)> {
    let (project, path) = (key.project.clone(), key.path.clone());
    let remarks = changes.remarks.iter().enumerate();
    remarks.filter(move |(_, placed)| placed.remark.project == project && placed.remark.path == path)
}

/// How many remarks wait for an answer or for being read.
pub fn open_count(changes: &ChangesView, key: &FileKey) -> usize {
    let open = of_file(changes, key).filter(|(_, placed)| placed.remark.state != RemarkState::Resolved);
    open.count()
}

/// How many such remarks stand on files that are not among those that are compared.
pub fn open_elsewhere(changes: &ChangesView) -> usize {
    let is_compared = |remark: &Remark| {
        let clones = changes.overview.iter().flat_map(|overview| &overview.changes);
        let mut files = clones
            .filter(|clone| clone.project == remark.project)
            .flat_map(|clone| &clone.files);
        files.any(|file| file.path == remark.path)
    };
    let open = changes.remarks.iter().map(|placed| &placed.remark);
    let open = open.filter(|remark| remark.state != RemarkState::Resolved);
    open.filter(|remark| !is_compared(remark)).count()
}

fn author(author: RemarkAuthor) -> &'static str {
    match author {
        RemarkAuthor::Person => "You",
        RemarkAuthor::Agent => "The agent",
        RemarkAuthor::Reviewer => "The reviewer",
    }
}

/// What is shown of a remark of this file in so many columns. Of one that is resolved, its first line.
pub fn words(file: &FileDiff, placed: &PlacedRemark, width: usize) -> Vec<RemarkRow> {
    let remark = &placed.remark;
    let about = if remark.anchor.is_none() {
        " · the whole file"
    } else {
        ""
    };
    let is_there = is_shown(file, placed);
    let lines = match placed.line.zip(placed.last_line()).or(placed.first_place()) {
        Some((first, last)) if last > first => format!("lines {first}-{last}"),
        Some((first, _)) => format!("line {first}"),
        None => "the whole file".into(),
    };
    let span = match placed.quoted().len() {
        2.. if is_there => format!(" · {lines}"),
        _ => String::new(),
    };
    let head = format!("{}{about}{span} · {}", author(remark.author), placed.standing());
    if remark.state == RemarkState::Resolved {
        let first = remark.text.lines().next().unwrap_or_default();
        return vec![RemarkRow::Head(format!("{head} · {}", visible(first)))];
    }
    let mut shown = vec![RemarkRow::Head(head)];
    let quoted = placed.quoted().iter().map(|line| line.trim());
    let quoted = quoted.clone().find(|line| !line.is_empty()).map(visible);
    let about = match (placed.outdated, line_elsewhere(file, placed)) {
        (true, _) if is_there => None,
        (true, _) => Some(match quoted {
            Some(quoted) => format!("It was about {lines}: {quoted}"),
            None => format!("It was about {lines}"),
        }),
        (false, Some(line)) => Some(format!(
            "Line {line}, not in this comparison: {}",
            quoted.unwrap_or_default()
        )),
        (false, None) => None,
    };
    shown.extend(about.iter().flat_map(|words| wrap(words, width)).map(RemarkRow::Answer));
    let text = |text: &str| wrap(&text.lines().map(visible).collect::<Vec<_>>().join("\n"), width);
    shown.extend(text(remark.text.trim_end()).into_iter().map(RemarkRow::Words));
    for answer in &remark.answers {
        let said = format!("{}: {}", author(answer.author), answer.text.trim_end());
        shown.extend(text(&said).into_iter().map(RemarkRow::Answer));
    }
    shown
}

/// The rows of a file with the remarks below the lines that they are about. Those on the whole file come first, those
/// whose lines are not compared stand between the changes where these lines would, and those whose lines are gone last.
pub fn with_remarks(changes: &ChangesView, file: &FileDiff, rows: Vec<DiffRow>, width: usize) -> Vec<DiffRow> {
    let key = FileKey {
        project: file.ask.project.clone(),
        path: file.ask.path.clone(),
    };
    if of_file(changes, &key).next().is_none() {
        return rows;
    }
    let last = rows.last().map_or(0, |row| row.hunk());
    let mut all = Vec::with_capacity(rows.len() + 8);
    let mut above: Vec<(usize, Vec<DiffRow>)> = Vec::new();
    let mut below: Vec<(usize, Vec<DiffRow>)> = Vec::new();
    for (number, placed) in of_file(changes, &key) {
        let count = words(file, placed, width).len();
        if placed.remark.anchor.is_none() {
            all.extend((0..count).map(|line| DiffRow::Remark(0, number, line)));
            continue;
        }
        let at_line = last_line(file, placed);
        let is_last = |row: &DiffRow| lines::lines_of(file, *row).any(|(_, line)| is_about(placed, at_line, line));
        let at = rows.iter().position(is_last);
        if at.is_none() && is_shown(file, placed) {
            // Its hunk is folded.
            continue;
        }
        let next = line_elsewhere(file, placed).and_then(|line| hunk_behind(file, placed.remark.side, line));
        let hunk = at.map(|at| rows[at].hunk()).or(next).unwrap_or(last);
        let shown = (0..count).map(|line| DiffRow::Remark(hunk, number, line)).collect();
        match next {
            Some(next) => above.push((next, shown)),
            None => below.push((at.unwrap_or(usize::MAX), shown)),
        }
    }
    for (at, row) in rows.into_iter().enumerate() {
        if let DiffRow::Hunk(hunk) = row {
            let before = above.iter().filter(|(place, _)| *place == hunk);
            all.extend(before.flat_map(|(_, rows)| rows));
        }
        all.push(row);
        let here = below.iter().filter(|(place, _)| *place == at);
        all.extend(here.flat_map(|(_, rows)| rows));
    }
    let elsewhere = below.iter().filter(|(place, _)| *place == usize::MAX);
    all.extend(elsewhere.flat_map(|(_, rows)| rows));
    all
}

/// The line of a remark that is there, and is not compared.
fn line_elsewhere(file: &FileDiff, placed: &PlacedRemark) -> Option<u32> {
    placed.line.filter(|_| !placed.outdated && !is_shown(file, placed))
}

/// The first change behind this line.
fn hunk_behind(file: &FileDiff, side: RemarkSide, line: u32) -> Option<usize> {
    let begins = |hunk: &Hunk| match side {
        RemarkSide::After => hunk.new.0,
        RemarkSide::Before => hunk.old.0,
    };
    lines::hunks(file).iter().position(|hunk| begins(hunk) > line)
}

/// The number of the last line that a remark is about. The lines of one that is outdated may be where they were as it was
/// made, in a comparison of that time: then all of them are.
fn last_line(file: &FileDiff, placed: &PlacedRemark) -> Option<u32> {
    if !placed.outdated {
        return placed.last_line();
    }
    let (first, last) = placed.first_place()?;
    let has = |(number, says): (u32, &String)| {
        let mut all = lines::hunks(file).iter().flat_map(|hunk| &hunk.lines);
        all.any(|line| line.new == Some(number) && line.text.trim_end_matches('\r') == says.trim_end_matches('\r'))
    };
    (first..).zip(placed.quoted()).all(has).then_some(last)
}

/// Some hunk has that line, be it folded or not.
fn is_shown(file: &FileDiff, placed: &PlacedRemark) -> bool {
    let last = last_line(file, placed);
    let mut all = lines::hunks(file).iter().flat_map(|hunk| &hunk.lines);
    all.any(|line| is_about(placed, last, line))
}

/// This is the last of the lines that a remark is about, by its number and by what it says.
fn is_about(placed: &PlacedRemark, number: Option<u32>, line: &DiffLine) -> bool {
    let (Some(_), Some(says)) = (number, placed.quoted().last()) else {
        return false;
    };
    let has_number = match placed.remark.side {
        RemarkSide::After => line.new == number,
        RemarkSide::Before => line.old == number && line.kind == LineKind::Removed,
    };
    has_number && line.text.trim_end_matches('\r') == says.trim_end_matches('\r')
}

/// The remark that a row belongs to.
pub fn at_row(changes: &ChangesView, rows: &[DiffRow], row: usize) -> Option<usize> {
    match rows.get(row)? {
        DiffRow::Remark(_, number, _) => Some(*number).filter(|number| *number < changes.remarks.len()),
        DiffRow::Hunk(_) | DiffRow::Line(..) | DiffRow::Pair(..) => None,
    }
}

/// The row at which the next remark of this file begins, or the one before.
pub fn step(rows: &[DiffRow], at: usize, way: StepWay) -> Option<usize> {
    let begins = |(_, row): &(usize, &DiffRow)| matches!(row, DiffRow::Remark(_, _, 0));
    let found = match way {
        StepWay::Forward => rows.iter().enumerate().skip(at + 1).find(begins),
        StepWay::Back => rows.iter().enumerate().take(at).rev().find(begins),
    };
    found.map(|(at, _)| at)
}
