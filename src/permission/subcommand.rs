//! The subcommand of a program, whatever options stand in front of it: `cargo --locked publish` is `cargo publish`.
//!
//! Which options take the next word as their value is known of some: behind any other option a word may be its value, and may
//! be the subcommand. So what is found here forbids and never allows.

use std::collections::BTreeSet;

use super::glob::stars;
use super::word::ShellWord;
use super::{option_values, program};

/// What may stand between the words of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    Nothing,
    Options,
}

pub(super) fn is_option(word: &str) -> bool {
    word.starts_with(['-', '+'])
}

/// These places among the words, and all behind options there.
pub(super) fn places<T: AsRef<str>>(program: &str, words: &[T], from: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut open: BTreeSet<usize> = from.into_iter().collect();
    let is_first = open.first() == Some(&1);
    let mut found = Vec::new();
    while let Some(at) = open.pop_first() {
        found.push(at);
        let Some(option) = words.get(at).map(AsRef::as_ref).filter(|word| is_option(word)) else {
            continue;
        };
        // A flag may be told so: `--workspaces true`.
        let is_told = words
            .get(at + 1)
            .is_some_and(|word| ["true", "false", "null"].contains(&word.as_ref()));
        match option_values::takes_value(program, option, is_first) {
            Some(true) => drop(open.insert(at + 2)),
            Some(false) if is_told => open.extend([at + 1, at + 2]),
            Some(false) => drop(open.insert(at + 1)),
            None => open.extend([at + 1, at + 2]),
        }
    }
    found
}

/// Whether a program takes a word for a subcommand of which it is the beginning: npm does so where no other begins alike.
fn shortens(program: &str, subcommand: &str, word: &str) -> bool {
    program == "npm" && word.len() >= 3 && subcommand.starts_with(word)
}

/// Where the words of a pattern end that begin at one of `from`. A `*` alone stands for any words.
pub(super) fn ends<P: AsRef<str>, T: AsRef<str>>(
    pattern: &[P],
    words: &[T],
    from: std::ops::RangeInclusive<usize>,
    between: Between,
) -> Vec<usize> {
    let program = words.first().map_or("", |word| program::name(word.as_ref()));
    let fits = |part: &str, at: &usize| words.get(*at).is_some_and(|word| stars(part, word.as_ref()));
    let Some((first, rest)) = pattern.split_first() else {
        return from.collect();
    };
    let mut any = first.as_ref() == "*";
    let mut ends: Vec<usize> = match any {
        true => (*from.start()..=words.len()).collect(),
        false => from.filter(|at| fits(first.as_ref(), at)).map(|at| at + 1).collect(),
    };
    for (nth, part) in rest.iter().enumerate() {
        let (part, after_any) = (part.as_ref(), any);
        let is_short = |at: &usize| {
            let word = words.get(*at).filter(|_| nth == 0 && between == Between::Options);
            word.is_some_and(|word| shortens(program, part, word.as_ref()))
        };
        any = part == "*";
        ends = match (any, between) {
            (true, _) => ends.first().map_or(0..0, |at| *at..words.len() + 1).collect(),
            (false, Between::Options) if !after_any => places(program, words, ends),
            (false, Between::Options | Between::Nothing) => ends,
        };
        if !any {
            ends = ends
                .into_iter()
                .filter(|at| fits(part, at) || is_short(at))
                .map(|at| at + 1)
                .collect();
        }
    }
    ends
}

/// Where the words of `start`, joined by blanks, end in a command that begins with them, whatever path leads to its program.
pub(super) fn ends_of(words: &[ShellWord], start: &str) -> Vec<usize> {
    let parts: Vec<&str> = start.split(' ').collect();
    let program = program::of(words);
    if words.is_empty() || !stars(parts[0], program) {
        return Vec::new();
    }
    let arguments = words[1..].iter().map(|word| word.text.as_str());
    let texts: Vec<&str> = std::iter::once(program).chain(arguments).collect();
    ends(&parts, &texts, 0..=0, Between::Options)
}

/// Whether a command begins with the words of `start`.
pub(super) fn begins(words: &[ShellWord], start: &str) -> bool {
    !ends_of(words, start).is_empty()
}
