//! Patches as calls bring them: Codex's own form, and unified diffs. What is odd in one is shown as it stands.

use crate::model::changed_words::ChangedWords;
use crate::model::diff::{FileKind, LineKind};

use super::file_edit::{FileEdit, marked};

/// The files that a patch changes, in its order.
pub(super) fn files(patch: &str) -> Vec<FileEdit> {
    let mut reader = PatchReader::default();
    match patch.find("*** Begin Patch") {
        Some(at) => patch[at..]
            .lines()
            .skip(1)
            .take_while(|line| reader.codex(line))
            .count(),
        None => patch.lines().map(|line| reader.unified(line)).count(),
    };
    reader.end_hunk();
    reader.files
}

#[derive(Default)]
struct PatchReader<'p> {
    files: Vec<FileEdit>,
    heading: &'p str,
    lines: Vec<(LineKind, &'p str)>,
    /// Numbers of the next line on each side, where a unified diff tells them.
    numbers: Option<(u32, u32)>,
    /// Lines of a unified hunk that are still to come, on each side.
    left: (u32, u32),
    /// The file that a unified diff says it was.
    was: &'p str,
    words: ChangedWords,
}

impl<'p> PatchReader<'p> {
    /// False at the patch's end.
    fn codex(&mut self, line: &'p str) -> bool {
        if line.starts_with("*** End Patch") {
            return false;
        }
        let is_file = |mark| line.strip_prefix(mark).map(str::trim);
        if let Some(path) = is_file("*** Add File: ") {
            self.begin(FileEdit::new(path, FileKind::Added));
        } else if let Some(path) = is_file("*** Update File: ") {
            self.begin(FileEdit::new(path, FileKind::Modified));
        } else if let Some(path) = is_file("*** Delete File: ") {
            self.begin(FileEdit::new(path, FileKind::Deleted));
        } else if let Some(path) = is_file("*** Move to: ") {
            if let Some(file) = self.files.last_mut() {
                file.to = Some(path.into());
            }
        } else if let Some(heading) = line.strip_prefix("@@") {
            self.end_hunk();
            self.heading = heading.trim();
        } else if line != "*** End of File" {
            self.take(line);
        }
        true
    }

    fn unified(&mut self, line: &'p str) {
        if self.left != (0, 0) {
            return self.counted(line);
        }
        if let Some(was) = line.strip_prefix("--- ") {
            self.was = path(was, "a/");
        } else if let Some(becomes) = line.strip_prefix("+++ ") {
            let becomes = path(becomes, "b/");
            let edit = match (self.was, becomes) {
                ("/dev/null", path) => FileEdit::new(path, FileKind::Added),
                (path, "/dev/null") => FileEdit::new(path, FileKind::Deleted),
                (was, path) => FileEdit {
                    to: (was != path).then(|| path.into()),
                    ..FileEdit::new(was, FileKind::Modified)
                },
            };
            self.begin(edit);
        } else if let Some(head) = line.strip_prefix("@@ -")
            && let Some((place, heading)) = head.split_once(" @@")
        {
            self.end_hunk();
            let (old, new) = place.split_once(" +").unwrap_or((place, ""));
            let (old, new) = (range(old), range(new));
            self.heading = heading.trim();
            self.numbers = Some((old.0, new.0));
            self.left = (old.1, new.1);
        }
    }

    fn counted(&mut self, line: &'p str) {
        let (old, new) = match line.as_bytes().first() {
            Some(b'-') => (1, 0),
            Some(b'+') => (0, 1),
            Some(b'\\') => return,
            Some(_) | None => (1, 1),
        };
        self.left = (self.left.0.saturating_sub(old), self.left.1.saturating_sub(new));
        self.take(line);
    }

    fn begin(&mut self, file: FileEdit) {
        self.end_hunk();
        self.numbers = None;
        self.files.push(file);
    }

    fn take(&mut self, line: &'p str) {
        let kind = match line.as_bytes().first() {
            Some(b'+') => LineKind::Added,
            Some(b'-') => LineKind::Removed,
            Some(_) | None => LineKind::Context,
        };
        let has_sign = line.starts_with(['+', '-', ' ']);
        self.lines.push((kind, if has_sign { &line[1..] } else { line }));
    }

    fn end_hunk(&mut self) {
        let (lines, heading) = (std::mem::take(&mut self.lines), std::mem::take(&mut self.heading));
        let Some(file) = self.files.last_mut().filter(|_| !lines.is_empty()) else {
            return;
        };
        let mut hunk = marked(heading, &lines, &mut self.words);
        let mut numbers = match file.kind == FileKind::Added {
            true => Some((0, 1)),
            false => self.numbers.take(),
        };
        for line in &mut hunk.lines {
            if let Some((old, new)) = &mut numbers {
                if line.kind != LineKind::Added {
                    line.old = Some(*old);
                    *old += 1;
                }
                if line.kind != LineKind::Removed {
                    line.new = Some(*new);
                    *new += 1;
                }
            }
        }
        file.hunks.push(hunk);
    }
}

/// Without the time behind it and the folder that git puts before it.
fn path<'p>(words: &'p str, folder: &str) -> &'p str {
    let path = words.split('\t').next().unwrap_or(words).trim();
    path.strip_prefix(folder).unwrap_or(path)
}

/// `12,3` or `12`: the first line, and how many.
fn range(words: &str) -> (u32, u32) {
    let (first, count) = words.split_once(',').unwrap_or((words, "1"));
    (first.trim().parse().unwrap_or(1), count.trim().parse().unwrap_or(1))
}
