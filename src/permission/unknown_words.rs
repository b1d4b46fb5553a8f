//! Words of which nobody knows what they will be, where a program looks for what to do: `git $x`, `npm p{lan,ublish}`.

use super::glob::stars;
use super::word::ShellWord;
use super::{option_values, program, subcommand};

/// Programs whose first words say what they do.
const VERBED: [&str; 46] = [
    "apt",
    "apt-get",
    "aws",
    "az",
    "brew",
    "bun",
    "bundle",
    "cargo",
    "claude",
    "codex",
    "composer",
    "direnv",
    "docker",
    "docker-compose",
    "dotnet",
    "dnf",
    "flyctl",
    "gcloud",
    "gem",
    "gemini",
    "gh",
    "git",
    "glab",
    "go",
    "helm",
    "heroku",
    "husky",
    "just",
    "kubectl",
    "lefthook",
    "make",
    "mvn",
    "npm",
    "opencode",
    "pip",
    "pip3",
    "pnpm",
    "podman",
    "poetry",
    "pre-commit",
    "pulumi",
    "terraform",
    "tofu",
    "twine",
    "uv",
    "yarn",
];

pub(super) fn has_verbs(program: &str) -> bool {
    VERBED.contains(&program)
}

/// Whether words may turn out to begin with those of `start` when they run, though nobody can say so now.
pub(super) fn may_begin<'p>(words: &[ShellWord], start: impl Iterator<Item = &'p str>) -> bool {
    if !has_verbs(program::of(words)) {
        return false;
    }
    let mut at = 0;
    for (nth, part) in start.enumerate() {
        if nth > 0 {
            at = behind_options(words, at);
        }
        let Some(word) = words.get(at).filter(|_| part != "*") else {
            return false;
        };
        if nth > 0 && may_be(word, part) {
            return true;
        }
        if !stars(part, &word.text) {
            return false;
        }
        at += 1;
    }
    false
}

/// Where the subcommand stands, as far as can be said: what is not known may be an option's value, where more stands behind it.
fn behind_options(words: &[ShellWord], mut at: usize) -> usize {
    let program = program::of(words);
    let is_first = at == 1;
    while let Some(option) = words.get(at).filter(|word| subcommand::is_option(&word.text)) {
        let may_be_value = || {
            let more = words.get(at + 2).is_some_and(|word| !subcommand::is_option(&word.text));
            more && words.get(at + 1).is_some_and(is_open)
        };
        let is_valued = option_values::takes_value(program, &option.text, is_first).unwrap_or_else(may_be_value);
        at += 1 + usize::from(is_valued);
    }
    at
}

/// Whether a word may become what a rule names, or several words or none. Options are not looked for: any word may be one.
fn may_be(word: &ShellWord, part: &str) -> bool {
    let fixed = fixed(word);
    let named = part.split('*').next().unwrap_or_default();
    let begins = named.starts_with(fixed) || (part.contains('*') && fixed.starts_with(named));
    is_open(word) && begins && !part.starts_with('-')
}

/// Whether it is not known what stands in the word's place.
fn is_open(word: &ShellWord) -> bool {
    (!word.known || word.globs) && fixed(word).len() < word.text.len()
}

/// What the word begins with, whatever becomes of the rest.
fn fixed(word: &ShellWord) -> &str {
    let end = word.text.find(['$', '`', '{', '*', '?', '[', '(']);
    end.map_or(word.text.as_str(), |at| &word.text[..at])
}

/// The words without those of their first that may turn out to be none: before the program, and behind it.
pub(super) fn without_empty(words: &[ShellWord]) -> Option<Vec<ShellWord>> {
    let may_vanish = |word: &&ShellWord| !word.known && (word.text.is_empty() || word.text.starts_with(['$', '`']));
    let count = |words: &[ShellWord]| words.iter().take_while(may_vanish).count();
    let words = &words[count(words)..];
    let (program, rest) = words.split_first()?;
    let skipped = match has_verbs(program::of(words)) {
        true => count(rest),
        false => 0,
    };
    Some([std::slice::from_ref(program), &rest[skipped..]].concat())
}
