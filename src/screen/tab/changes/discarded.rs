//! What is to be discarded, in words: the files, or each line of one.

use crate::model::diff::{DiffLine, FileDiff, FileKind, LineKind};
use crate::model::pick::{Pick, PickedPart};
use crate::model::text::visible;

use super::data::ChangesView;
use super::file_key::FileKey;
use super::lines::hunks;
use super::timeline;

pub fn heading(picks: &[Pick]) -> String {
    let [pick] = picks else {
        return format!("All changes of these {} files:", picks.len());
    };
    let of = shown(pick);
    match pick.parts.as_slice() {
        [] => "All changes of this file:".into(),
        [PickedPart { lines: None, .. }] => format!("This hunk of {of}:"),
        [_] => format!("This changed line of {of}:"),
        lines => format!("These {} changed lines of {of}:", lines.len()),
    }
}

/// What becomes of them. A file that is new is deleted.
pub fn then(changes: &ChangesView, picks: &[Pick]) -> String {
    let when = timeline::before(changes);
    let new = picks.iter().filter(|pick| is_new(changes, pick)).count();
    match (new, picks.len()) {
        (0, _) => format!("Then it is as it was {when}."),
        (1, 1) => format!("This deletes the file: it was not there {when}."),
        (new, all) if new == all => format!("This deletes the files: they were not there {when}."),
        (1, _) => format!("Then they are as they were {when}; the one that was not there then is deleted."),
        (new, _) => format!("Then they are as they were {when}; the {new} that were not there then are deleted."),
    }
}

/// All of the file goes with it.
fn is_new(changes: &ChangesView, pick: &Pick) -> bool {
    let change = changes.change(&key_of(pick));
    pick.parts.is_empty() && change.is_some_and(|change| change.kind == FileKind::Added)
}

fn key_of(pick: &Pick) -> FileKey {
    FileKey {
        project: pick.of.project().to_owned(),
        path: pick.of.path().to_path_buf(),
    }
}

fn shown(pick: &Pick) -> String {
    visible(&format!("{}/{}", pick.of.project(), pick.of.path().to_string_lossy()))
}

/// Whole files are named, of others all lines that go or come back.
pub fn lines(changes: &ChangesView, picks: &[Pick]) -> Vec<String> {
    let lines = |pick: &Pick| match &changes.file {
        Some(file) if !pick.parts.is_empty() => chosen(file, &pick.parts),
        Some(_) | None => vec![whole(changes, pick)],
    };
    picks.iter().flat_map(lines).collect()
}

/// A file and how much of it changed.
fn whole(changes: &ChangesView, pick: &Pick) -> String {
    let new = if is_new(changes, pick) { "  new" } else { "" };
    match changes.change(&key_of(pick)) {
        Some(change) if change.added + change.removed > 0 => {
            format!("{}  +{} −{}{new}", shown(pick), change.added, change.removed)
        }
        Some(_) | None => format!("{}{new}", shown(pick)),
    }
}

fn chosen(file: &FileDiff, parts: &[PickedPart]) -> Vec<String> {
    let lines = parts.iter().flat_map(|part| {
        let all = hunks(file).get(part.hunk).map_or(&[][..], |hunk| &hunk.lines);
        let (first, last) = part.lines.unwrap_or((0, all.len().saturating_sub(1)));
        all.get(first..(last + 1).min(all.len())).unwrap_or_default()
    });
    let changed: Vec<&DiffLine> = lines.filter(|line| line.kind != LineKind::Context).collect();
    let number = |line: &DiffLine| line.new.or(line.old).unwrap_or(0);
    let highest = changed.iter().map(|line| number(line)).max().unwrap_or(0);
    let wide = highest.to_string().len();
    let told = |line: &&DiffLine| {
        let sign = match line.kind {
            LineKind::Added => '+',
            LineKind::Removed => '−',
            LineKind::Context => ' ',
        };
        let text = visible(&line.text.replace('\t', "    "));
        format!("{:>wide$} {sign} {text}", number(line))
    };
    changed.iter().map(told).collect()
}
