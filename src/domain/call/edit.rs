//! The changes in files that a call asks for, line by line.

use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

use crate::model::changed_words::ChangedWords;
use crate::model::diff::{DiffLine, FileKind, Hunk, LineKind};
use crate::permission::{Sort, WholeLines, sort_of};

use super::file_edit::{FileEdit, hunk, line, marked};
use super::input::patch_in;
use super::patch;

/// Unchanged lines around each change.
const CONTEXT: usize = 3;
/// Lines of either side; of more, which of them are alike is not looked for.
const MOST_COMPARED: usize = 2_000;
const PATHS: [&str; 6] = [
    "file_path",
    "filePath",
    "absolute_path",
    "notebook_path",
    "path",
    "file",
];
/// All of a file.
const CONTENTS: [&str; 3] = ["content", "contents", "file_text"];
const EVERYWHERE: [&str; 3] = ["replace_all", "replaceAll", "allow_multiple"];

/// The changes that an input asks for, file by file, and the names of what of it they are made of; none where it is no edit
/// that can be read.
pub(super) fn read(input: &Value) -> (Vec<FileEdit>, Vec<&'static str>) {
    if let Some((files, name)) = patched(input) {
        return (files, vec![name]);
    }
    let Some((path, path_name)) = text_named(input, &PATHS) else {
        return (Vec::new(), Vec::new());
    };
    if let Some(parts) = input.get("edits").and_then(Value::as_array) {
        let mut edit = FileEdit::new(path, FileKind::Modified);
        let read: Option<Vec<_>> = parts.iter().map(replacement).collect();
        for ((old, new, _), part) in read.into_iter().flatten().zip(parts) {
            edit.hunks.extend(compared(old, new));
            edit.is_everywhere |= is_everywhere(part);
        }
        let names = if edit.hunks.is_empty() {
            vec![]
        } else {
            vec![path_name, "edits"]
        };
        return (vec![edit], names);
    }
    if let Some((old, new, names)) = replacement(input) {
        let kind = if old.is_empty() {
            FileKind::Added
        } else {
            FileKind::Modified
        };
        let mut edit = FileEdit::new(path, kind);
        edit.hunks = if old.is_empty() { whole(new) } else { compared(old, new) };
        edit.is_everywhere = is_everywhere(input);
        return (vec![edit], [&[path_name], &names[..], &EVERYWHERE].concat());
    }
    let Some((content, name)) = text_named(input, &["content", "contents", "new_source", "file_text"]) else {
        return (Vec::new(), Vec::new());
    };
    let mut edit = FileEdit::new(path, FileKind::Added);
    edit.hunks = whole(content);
    (vec![edit], vec![path_name, name])
}

fn patched(input: &Value) -> Option<(Vec<FileEdit>, &'static str)> {
    let is_patch =
        |text: &str| text.starts_with("*** Begin Patch") || text.contains("\n+++ ") || text.starts_with("--- ");
    let given = input.as_str().map(|text| (text, ""));
    let given = given.or_else(|| text_named(input, &["input", "patch", "patchText", "diff", "command"]));
    if let Some((patch, name)) = given.filter(|(text, _)| is_patch(text)) {
        return Some((patch::files(patch), name));
    }
    let found = patch_in(input)?;
    let mut files = patch::files(&found.patch);
    if let Some(dir) = found.dir {
        let within = |path: &str| match path.starts_with('/') {
            true => path.to_string(),
            false => format!("{}/{path}", dir.trim_end_matches('/')),
        };
        for file in &mut files {
            (file.path, file.to) = (within(&file.path), file.to.as_deref().map(within));
        }
    }
    let name = if input.get("command").is_some() {
        "command"
    } else {
        "cmd"
    };
    Some((files, name))
}

/// Text before and after, and the names under which they stand.
fn replacement(input: &Value) -> Option<(&str, &str, [&'static str; 2])> {
    let (old, old_name) = text_named(input, &["old_string", "oldString", "old_str", "oldText"])?;
    let (new, new_name) = text_named(input, &["new_string", "newString", "new_str", "newText"])?;
    Some((old, new, [old_name, new_name]))
}

/// The file in which an input replaces a piece of text by another.
pub fn replaced_in(input: &Value) -> Option<&str> {
    replacement(input)?;
    text_named(input, &PATHS).map(|(path, _)| path)
}

/// The file that an input writes as a whole.
pub fn written_whole<'v>(tool: &str, input: &'v Value) -> Option<&'v str> {
    text_named(input, &CONTENTS).filter(|_| sort_of(tool) == Sort::Write)?;
    text_named(input, &PATHS).map(|(path, _)| path)
}

/// The input of an edit that makes of a file what this one writes.
pub fn over_file(input: &Value, file: &str) -> Option<WholeLines> {
    let (content, name) = text_named(input, &CONTENTS)?;
    let mut edit = input.clone();
    edit.as_object_mut()?.remove(name);
    (edit["old_string"], edit["new_string"]) = (file.into(), content.into());
    Some(WholeLines { input: edit, first: 1 })
}

/// The same input with whole lines, and some around them, as they stand in the file: an agent names as little as it may. `None`
/// where that piece is not there, or in several places.
pub fn in_whole_lines(input: &Value, file: &str) -> Option<WholeLines> {
    let (old, new, [old_name, new_name]) = replacement(input)?;
    let mut places = file.match_indices(old);
    let (at, _) = places.next().filter(|_| !old.is_empty() && !is_everywhere(input))?;
    if places.next().is_some() {
        return None;
    }
    let (before, after) = (&file[..at], &file[at + old.len()..]);
    let start = before.rmatch_indices('\n').nth(CONTEXT).map_or(0, |(end, _)| end + 1);
    // The line that it ends in is not over, unless it ends with it.
    let lines = CONTEXT + usize::from(!old.ends_with('\n'));
    let end = after
        .match_indices('\n')
        .nth(lines - 1)
        .map_or(after.len(), |(end, _)| end + 1);
    let above = before[..start].matches('\n').count();
    let (before, after) = (&before[start..], &after[..end]);
    let mut whole = input.clone();
    whole[old_name] = [before, old, after].concat().into();
    whole[new_name] = [before, new, after].concat().into();
    Some(WholeLines {
        input: whole,
        first: u32::try_from(above + 1).unwrap_or(u32::MAX),
    })
}

fn is_everywhere(input: &Value) -> bool {
    EVERYWHERE
        .iter()
        .any(|name| input.get(name) == Some(&Value::Bool(true)))
}

fn text_named<'v>(input: &'v Value, names: &[&'static str]) -> Option<(&'v str, &'static str)> {
    names.iter().find_map(|name| Some((input.get(name)?.as_str()?, *name)))
}

/// A file as it becomes: all of its lines.
fn whole(content: &str) -> Vec<Hunk> {
    let lines: Vec<DiffLine> = (1..)
        .zip(content.lines())
        .map(|(number, text)| DiffLine {
            new: Some(number),
            ..line(LineKind::Added, text)
        })
        .collect();
    match lines.is_empty() {
        true => Vec::new(),
        false => vec![hunk("", lines)],
    }
}

/// The hunks of an edit in whole lines of a file, with their numbers there; `first` is that of the first.
pub fn numbered(input: &Value, first: u32) -> Option<Vec<Hunk>> {
    let (old, new, _) = replacement(input)?;
    let hunks = compared_at(old, new).into_iter().map(|((before, after), mut hunk)| {
        let from = |at: usize| first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        let (mut before, mut after) = (from(before), from(after));
        for line in &mut hunk.lines {
            if line.kind != LineKind::Added {
                line.old = Some(before);
                before = before.saturating_add(1);
            }
            if line.kind != LineKind::Removed {
                line.new = Some(after);
                after = after.saturating_add(1);
            }
        }
        hunk
    });
    Some(hunks.collect())
}

/// What differs between two pieces of a file.
fn compared(old: &str, new: &str) -> Vec<Hunk> {
    compared_at(old, new).into_iter().map(|(_, hunk)| hunk).collect()
}

/// The same, with how many lines stand before each in either.
fn compared_at(old: &str, new: &str) -> Vec<((usize, usize), Hunk)> {
    let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let is_long = before.len().max(after.len()) > MOST_COMPARED;
    let operations = match is_long {
        true => vec![DiffOp::Replace {
            old_index: 0,
            old_len: before.len(),
            new_index: 0,
            new_len: after.len(),
        }],
        false => capture_diff_slices(Algorithm::Myers, &before, &after),
    };
    let mut words = ChangedWords::default();
    let groups = group_diff_ops(operations, CONTEXT).into_iter();
    let hunks = groups.map(|group| {
        let first = group.first().map_or((0, 0), |operation| {
            (operation.old_range().start, operation.new_range().start)
        });
        let mut lines = Vec::new();
        for operation in group {
            let (old, new) = (&before[operation.old_range()], &after[operation.new_range()]);
            match operation {
                DiffOp::Equal { .. } => lines.extend(old.iter().map(|text| (LineKind::Context, *text))),
                DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                    lines.extend(old.iter().map(|text| (LineKind::Removed, *text)));
                    lines.extend(new.iter().map(|text| (LineKind::Added, *text)));
                }
            }
        }
        (first, marked("", &lines, &mut words))
    });
    hunks.collect()
}
