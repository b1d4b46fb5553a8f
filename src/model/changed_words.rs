//! Which words changed where one line replaces another.

use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::diff::LineKind;

/// Bytes of a line; in a longer one, words are not compared.
const LONGEST: usize = 1_000;
/// Pairs of lines that are compared in one file. A difference with more is not read word by word.
const MOST_PAIRS: usize = 4_000;
/// Added lines that are looked at for a removed one.
const NEAR: usize = 5;
/// Two lines with less than this part of their letters in common are two different lines.
const ALIKE: f64 = 0.5;

/// Finds the words that changed. Use one for all hunks of a file.
#[derive(Default)]
pub struct ChangedWords {
    compared: usize,
}

impl ChangedWords {
    /// For each of these lines, the parts of its text that differ from the line that it replaces or that replaces it.
    pub fn of(&mut self, lines: &[(LineKind, &str)]) -> Vec<Vec<Range<usize>>> {
        let mut changed = vec![Vec::new(); lines.len()];
        let mut at = 0;
        while at < lines.len() {
            let run = |from: usize, kind| from + lines[from..].iter().take_while(|line| line.0 == kind).count();
            let removed = at..run(at, LineKind::Removed);
            let added = removed.end..run(removed.end, LineKind::Added);
            self.pair(lines, removed, added.clone(), &mut changed);
            at = added.end.max(at + 1);
        }
        changed
    }

    fn pair(
        &mut self,
        lines: &[(LineKind, &str)],
        removed: Range<usize>,
        added: Range<usize>,
        changed: &mut [Vec<Range<usize>>],
    ) {
        let mut next = added.start;
        for old in removed {
            for new in (next..added.end).take(NEAR) {
                if self.compared >= MOST_PAIRS {
                    return;
                }
                self.compared += 1;
                if let Some((before, after)) = compare(lines[old].1, lines[new].1) {
                    changed[old] = before;
                    changed[new] = after;
                    next = new + 1;
                    break;
                }
            }
        }
    }
}

type ChangedParts = (Vec<Range<usize>>, Vec<Range<usize>>);

/// None where the two have too little in common.
fn compare(old: &str, new: &str) -> Option<ChangedParts> {
    if old.len() > LONGEST || new.len() > LONGEST {
        return None;
    }
    let (old_words, new_words) = (words(old), words(new));
    let all = letters(&old_words) + letters(&new_words);
    let is_alike = |common: usize| 2.0 * common as f64 >= ALIKE * all as f64;
    if all == 0 || !is_alike(common(&old_words, &new_words)) {
        return None;
    }
    let operations = capture_diff_slices(Algorithm::Myers, &old_words, &new_words);
    let mut kept = 0;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for operation in operations {
        match operation {
            DiffOp::Equal { old_index, len, .. } => kept += letters(&old_words[old_index..old_index + len]),
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                before.extend(part(old, &old_words, operation.old_range()));
                after.extend(part(new, &new_words, operation.new_range()));
            }
        }
    }
    is_alike(kept).then_some((before, after))
}

/// Words, runs of white space, and everything else character by character.
fn words(text: &str) -> Vec<&str> {
    #[derive(PartialEq)]
    enum Class {
        Word,
        Space,
        Other,
    }
    let class = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' => Class::Word,
        c if c.is_whitespace() => Class::Space,
        _ => Class::Other,
    };
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = class(first);
        let end = match kind {
            Class::Other => first.len_utf8(),
            Class::Word | Class::Space => rest.find(|c| class(c) != kind).unwrap_or(rest.len()),
        };
        let (word, after) = rest.split_at(end);
        words.push(word);
        rest = after;
    }
    words
}

fn letters(words: &[&str]) -> usize {
    words.iter().map(|word| word.trim().len()).sum()
}

/// What the two have in common in any order: never less than in order, and quick to tell.
fn common(old: &[&str], new: &[&str]) -> usize {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in old {
        *counts.entry(word).or_default() += 1;
    }
    let mut common = 0;
    for word in new {
        if let Some(count) = counts.get_mut(word).filter(|count| **count > 0) {
            *count -= 1;
            common += word.trim().len();
        }
    }
    common
}

fn part(text: &str, words: &[&str], range: Range<usize>) -> Option<Range<usize>> {
    let start = |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
    let (first, last) = (words.get(range.start)?, words[range.clone()].last()?);
    Some(start(first)..start(last) + last.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(lines: &[(LineKind, &str)]) -> Vec<String> {
        let changed = ChangedWords::default().of(lines);
        let mark = |((_, text), parts): (&(LineKind, &str), &Vec<Range<usize>>)| {
            let mut shown = (*text).to_owned();
            for part in parts.iter().rev() {
                shown.insert(part.end, ']');
                shown.insert(part.start, '[');
            }
            shown
        };
        lines.iter().zip(&changed).map(mark).collect()
    }

    #[test]
    fn words_are_marked_where_a_line_replaces_another() {
        use LineKind::{Added, Context, Removed};
        let lines = [
            (Context, "fn main() {"),
            (Removed, "    let grüße = count(1);"),
            (Removed, "    print(grüße);"),
            (Added, "    let grüße = count(20, 1);"),
            (Added, "    // something else"),
            (Added, "    println(grüße);"),
            (Context, "}"),
        ];
        assert_eq!(
            marked(&lines),
            [
                "fn main() {",
                "    let grüße = count(1);",
                "    [print](grüße);",
                "    let grüße = count([20, ]1);",
                "    // something else",
                "    [println](grüße);",
                "}",
            ]
        );
    }

    #[test]
    fn lines_that_have_nothing_in_common_are_not_marked() {
        use LineKind::{Added, Removed};
        let lines = [(Removed, "return null;"), (Added, "let total = sum(items)")];
        assert_eq!(marked(&lines), ["return null;", "let total = sum(items)"]);
        assert_eq!(marked(&[(Removed, "    "), (Added, "  ")]), ["    ", "  "]);
    }
}
