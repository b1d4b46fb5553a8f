//! The files that a command line reads or writes by name, as a person's rules about files look at them.

use std::collections::HashSet;

use super::file_effects::{self, CommandEffect};
use super::path::CallPlace;
use super::pattern::{Dots, Pattern, fits_file};
use super::tool::ToolKind;
use super::word::ShellWord;
use super::{git, option_words, program, reading, wrapper};

/// Verbs of git that write the files they are given.
const GIT_WRITES: [&str; 6] = ["checkout", "restore", "rm", "mv", "clean", "apply"];

/// Whether a rule that denies or asks means the file that a word names, or one of those that may stand in its place.
pub(super) fn is_meant(pattern: &Pattern, word: &ShellWord, place: &CallPlace, dots: Dots) -> bool {
    let Pattern::File(kind, glob) = pattern else {
        return false;
    };
    let name = match kind {
        ToolKind::Edit => "Edit",
        ToolKind::Read | ToolKind::Command | ToolKind::Fetch | ToolKind::Other => "Read",
    };
    let fits = |path: &str| fits_file(pattern, name, *kind, path, place);
    let is_one = |word: &ShellWord| fits(&word.text) || (word.globs && fits(&glob.met_by(&word.text, dots)));
    word.expanded().iter().any(is_one)
}

/// Programs that look at a name alone, or at what lies at it but not in it.
const NAMES: [&str; 24] = [
    "[", "basename", "cd", "date", "df", "dirname", "du", "echo", "exit", "export", "false", "popd", "printf", "pushd",
    "pwd", "readlink", "realpath", "sleep", "stat", "test", "true", "type", "unset", "which",
];

/// Commands that print names alone, or take none of a file. What they print may be read by another command.
const LISTS: [&str; 10] = [
    "ls",
    "docker pull",
    "gh issue view",
    "gh pr checkout",
    "gh pr view",
    "git branch",
    "git ls-files",
    "git rev-parse",
    "git status",
    "podman pull",
];

/// The words by which a command may be given files to read: all but those that it is known to write to, or to name alone.
/// `alone` says that no other command is on its line.
pub(super) fn reads(words: &[ShellWord], alone: bool) -> Vec<ShellWord> {
    let name = program::of(words);
    let arguments = words.get(1..).unwrap_or_default();
    let given = match file_effects::effect(words) {
        _ if NAMES.contains(&name) => return Vec::new(),
        // With `-v` git shows what is in the files.
        _ if alone && LISTS.iter().any(|start| program::begins(words, start)) && !has(words, "-v") => {
            return Vec::new();
        }
        CommandEffect::Git if !reading::reads(words) => return Vec::new(),
        CommandEffect::Unknown if !wrapper::carried(words).is_empty() => return Vec::new(),
        // The last of them is where it puts the others.
        CommandEffect::WritesTo(_) if name == "mv" => {
            arguments.split_last().map_or(arguments, |(_, given)| given).to_vec()
        }
        CommandEffect::WritesTo(targets) if COPIES.contains(&name) || ["dd", "sort"].contains(&name) => arguments
            .iter()
            .filter(|word| !targets.contains(word))
            .cloned()
            .collect(),
        CommandEffect::WritesTo(_) => return Vec::new(),
        CommandEffect::Git | CommandEffect::Reads | CommandEffect::WritesHere | CommandEffect::Unknown => {
            arguments.to_vec()
        }
    };
    let leaves_out = |word: &ShellWord| ["exclude", "ignore"].iter().any(|part| word.text.contains(part));
    let is_name = |word: &ShellWord| alone && name == "find" && ["-name", "-iname"].contains(&word.text.as_str());
    let spares = |word: &ShellWord| word.text.starts_with('-') && leaves_out(word) || is_name(word);
    let before = std::iter::once(None).chain(given.iter().map(Some));
    let named = given.iter().zip(before);
    let named = named.filter(|(word, before)| !spares(word) && !before.is_some_and(spares));
    named.flat_map(|(word, _)| readings(word)).collect()
}

/// Whether an option is among the words, a letter also among others.
fn has(words: &[ShellWord], option: &str) -> bool {
    !option_words::values(words, option).is_empty() || words.iter().any(|word| word.text.starts_with(option))
}

/// What a word may name: itself, or what is in it behind an option, a `=`, a `:` or an `@`.
fn readings(word: &ShellWord) -> Vec<ShellWord> {
    let text = word.text.as_str();
    if text.contains("://") {
        return Vec::new();
    }
    let behind = |mark: char| text.split_once(mark).map(|(_, path)| path);
    let short = text.strip_prefix('-').and_then(|rest| rest.get(1..));
    let all = [Some(text), behind('='), behind(':'), behind('@'), short];
    let named = |path: &str| ShellWord {
        text: path.to_string(),
        ..word.clone()
    };
    all.into_iter()
        .flatten()
        .filter(|path| !path.is_empty())
        .map(named)
        .collect()
}

const COPIES: [&str; 4] = ["cp", "ln", "install", "rsync"];

/// Options of any program that name a file that it makes.
const MADE: [&str; 4] = ["-o", "-O", "--output", "--output-document"];

/// Programs that put files in a directory, with the options that name it.
const UNPACKS: [(&str, &[&str]); 5] = [
    ("tar", &["-C", "--directory"]),
    ("bsdtar", &["-C", "--directory"]),
    ("unzip", &["-d"]),
    ("wget", &["-P", "--directory-prefix"]),
    ("curl", &["--output-dir"]),
];

/// The files that a command of which little is known writes to by its options.
fn made(words: &[ShellWord]) -> Vec<ShellWord> {
    let name = program::of(words);
    let apart = option_words::old_style(words);
    let words = apart.as_deref().unwrap_or(words);
    let values = |option: &&str| option_words::values(&words[1..], option).into_iter();
    let unpacks = UNPACKS
        .iter()
        .filter(|(program, _)| *program == name)
        .flat_map(|(_, options)| options.iter());
    let named = |(text, known): (String, bool)| ShellWord {
        known,
        ..ShellWord::plain(text)
    };
    let files = MADE.iter().flat_map(values).map(named);
    let trees = unpacks
        .flat_map(values)
        .map(named)
        .flat_map(|word| [within(&word, "*"), word]);
    files.chain(trees).collect()
}

/// The same words once each.
pub(super) fn once(mut words: Vec<ShellWord>) -> Vec<ShellWord> {
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(word.text.clone()));
    words
}

/// A file in a directory.
fn within(directory: &ShellWord, name: &str) -> ShellWord {
    ShellWord {
        text: format!("{}/{name}", directory.text.trim_end_matches('/')),
        ..directory.clone()
    }
}

/// The files that a command writes to, with those that it makes in a directory that it is given.
pub(super) fn writes(words: &[ShellWord]) -> Vec<ShellWord> {
    let name = program::of(words);
    let operands = || words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
    match file_effects::effect(words) {
        CommandEffect::WritesTo(targets) => {
            let copies = COPIES.contains(&name) || name == "mv";
            let bare = |word: &ShellWord| ShellWord {
                text: word.text.strip_prefix("of=").unwrap_or(&word.text).to_string(),
                ..word.clone()
            };
            let mut found: Vec<ShellWord> = targets.iter().map(bare).collect();
            for target in targets {
                if copies || file_effects::takes_trees(name) {
                    found.push(within(&target, "*"));
                }
                if copies && found.len() < MOST {
                    let names = operands().filter_map(|word| word.text.trim_end_matches('/').rsplit('/').next());
                    found.extend(names.take(MOST).map(|name| within(&target, name)));
                }
            }
            found
        }
        CommandEffect::Git
            if words
                .get(1)
                .is_some_and(|verb| GIT_WRITES.contains(&verb.text.as_str()))
                && !program::begins(words, "git checkout -b") =>
        {
            let named = operands().skip(1).cloned().chain(git::made(words));
            named.flat_map(|word| [within(&word, "*"), word]).collect()
        }
        CommandEffect::Git => {
            let made = git::made(words).into_iter();
            made.flat_map(|word| [within(&word, "*"), word]).collect()
        }
        CommandEffect::WritesHere if ["find", "patch"].contains(&name) => {
            operands().flat_map(|word| [within(word, "*"), word.clone()]).collect()
        }
        CommandEffect::Unknown if !words.is_empty() => made(words),
        CommandEffect::Reads | CommandEffect::WritesHere | CommandEffect::Unknown => Vec::new(),
    }
}

/// Of more files only so many are looked at in the directory that they go to.
const MOST: usize = 256;
