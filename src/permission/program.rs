//! Which program a command is.

use super::carriers::SHELLS;
use super::word::ShellWord;

/// The name of the command's program.
pub(super) fn of(words: &[ShellWord]) -> &str {
    words.first().map_or("", |word| name(&word.text))
}

/// A program's name without its path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

pub(super) fn is_shell(words: &[ShellWord]) -> bool {
    letters(of(words)).is_some()
}

/// The letters behind which a shell takes a text.
pub(super) fn letters(program: &str) -> Option<&'static [char]> {
    let is = |(name, _): &&(&str, &'static [char])| *name == program;
    SHELLS.iter().find(is).map(|(_, letters)| *letters)
}

/// What stands behind the options. What holds a blank is none.
pub(super) fn operands<'w>(words: &'w [ShellWord], valued: &[&str]) -> &'w [ShellWord] {
    let is_option = |word: &&ShellWord| word.text.starts_with('-') && !word.text.contains([' ', '\n']);
    let mut at = 0;
    while let Some(word) = words.get(at).filter(is_option) {
        at += 1 + usize::from(valued.contains(&word.text.as_str()));
    }
    words.get(at..).unwrap_or_default()
}

pub(super) fn begins(words: &[ShellWord], start: &str) -> bool {
    let mut words = words.iter();
    start
        .split(' ')
        .all(|part| words.next().is_some_and(|word| word.text == part))
}
