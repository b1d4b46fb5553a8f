//! Commands that are completed only when they run, from what `xargs`, `find` and `parallel` read: where they say what is run,
//! a variable stands for what nobody knows.

use std::borrow::Cow;

use super::word::ShellWord;

const GIVEN: &str = "$_";

/// The words of such a command. `mark` is in the place of what is read, which otherwise stands behind them.
pub(super) fn completed<'w>(
    words: &'w [ShellWord],
    mark: Option<&str>,
    runs_more: fn(&str) -> bool,
) -> Cow<'w, [ShellWord]> {
    let Some(first) = words.first() else {
        return words.into();
    };
    let program = first.text.rsplit('/').next().unwrap_or_default();
    let is_marked = mark.is_some_and(|mark| first.text.contains(mark));
    if !runs_more(program) && !is_marked {
        return words.into();
    }
    let given = |word: &ShellWord, mark: &str| match word.text.contains([' ', '\n', ';']) {
        // A line of its own.
        true => ShellWord {
            text: marked(&word.text, mark, runs_more),
            ..word.clone()
        },
        false => ShellWord {
            known: word.known && !word.text.contains(mark),
            text: word.text.replace(mark, GIVEN),
            globs: word.globs,
            braces: false,
        },
    };
    let words = words.iter();
    match mark {
        Some(mark) => words.map(|word| given(word, mark)).collect(),
        None => words.cloned().chain([unknown()]).collect(),
    }
}

fn unknown() -> ShellWord {
    ShellWord {
        text: GIVEN.into(),
        known: false,
        globs: false,
        braces: false,
    }
}

/// A text with a variable in the place of each mark that may stand for a program, or say what a program does.
pub(super) fn marked(text: &str, mark: &str, runs_more: fn(&str) -> bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(mark) {
        out.push_str(before);
        let head = out.trim_end_matches([' ', '\t', '"', '\'']);
        let last = head
            .rsplit([' ', '\t', '\n', ';', '|', '&', '(', '`', '/'])
            .next()
            .unwrap_or_default();
        let leads = head.is_empty() || head.ends_with([';', '|', '&', '(', '{', '\n', '`']) || runs_more(last);
        let given = match out.ends_with('\'') {
            true => "'$_'",
            false => GIVEN,
        };
        out.push_str(if leads { given } else { mark });
        rest = behind;
    }
    out + rest
}

/// What `xargs` is told to replace: `-I {}`, `-I{}`, `-i`, `--replace=R`.
pub(super) fn mark(options: &[ShellWord]) -> Option<&str> {
    let mut options = options.iter();
    let mut found = None;
    while let Some(option) = options.next() {
        let text = option.text.as_str();
        let named = text.strip_prefix("--replace").or_else(|| text.strip_prefix("-i"));
        found = match (text.strip_prefix("-I").or_else(|| text.strip_prefix("-J")), named) {
            (Some(""), _) => options.next().map(|mark| mark.text.as_str()),
            (Some(mark), _) => Some(mark),
            (None, Some("" | "=")) => Some("{}"),
            (None, Some(mark)) => Some(mark.trim_start_matches('=')),
            (None, None) => found,
        };
    }
    found.filter(|mark| !mark.is_empty())
}
