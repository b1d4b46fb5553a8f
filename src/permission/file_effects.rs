//! What programs do to files, for directories that are open read-only.

use super::word::ShellWord;
use super::{option_words, program, sed, subcommand};

pub(super) enum CommandEffect {
    Reads,
    /// It writes to what these words name.
    WritesTo(Vec<ShellWord>),
    /// It writes where it is run, or to where an option of it points.
    WritesHere,
    /// Its verb and its place say.
    Git,
    Unknown,
}

/// Programs that only read, unless an option has them write or run something ([`has_writing_option`], [`written`]).
const READERS: [&str; 50] = [
    "pwd",
    "true",
    "false",
    "test",
    "[",
    "which",
    "type",
    "printf",
    "date",
    "echo",
    "ls",
    "cat",
    "head",
    "tail",
    "wc",
    "grep",
    "egrep",
    "fgrep",
    "diff",
    "cmp",
    "comm",
    "stat",
    "file",
    "du",
    "df",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "tr",
    "cut",
    "column",
    "nl",
    "od",
    "hexdump",
    "strings",
    "sha256sum",
    "sha1sum",
    "md5sum",
    "cksum",
    "jq",
    "bat",
    "ag",
    "cloc",
    "tokei",
    "less",
    "more",
    "sleep",
    "exit",
    "export",
];

/// Programs that write to every file they are given.
const WRITERS: [&str; 17] = [
    "rm", "rmdir", "mv", "mkdir", "touch", "tee", "truncate", "shred", "unlink", "chmod", "chown", "chgrp", "setfacl",
    "mkfifo", "mknod", "sponge", "rename",
];

/// Programs that write to the last file they are given.
const COPIERS: [&str; 4] = ["cp", "ln", "install", "rsync"];

/// Commands that change the project they are run in.
const CHANGES: [&str; 60] = [
    "npm install",
    "npm i",
    "npm ci",
    "npm add",
    "npm uninstall",
    "npm remove",
    "npm update",
    "npm init",
    "npm link",
    "npm dedupe",
    "npm version",
    "pnpm install",
    "pnpm i",
    "pnpm add",
    "pnpm remove",
    "pnpm update",
    "yarn install",
    "yarn add",
    "yarn remove",
    "yarn upgrade",
    "bun install",
    "bun i",
    "bun add",
    "bun remove",
    "bun update",
    "cargo add",
    "cargo remove",
    "cargo fmt",
    "cargo fix",
    "cargo clean",
    "cargo update",
    "cargo init",
    "cargo build",
    "cargo test",
    "cargo check",
    "cargo clippy",
    "cargo run",
    "cargo bench",
    "cargo doc",
    "go mod",
    "go get",
    "go generate",
    "go fmt",
    "gofmt -w",
    "rustfmt",
    "black",
    "isort",
    "ruff format",
    "ruff check --fix",
    "bundle install",
    "bundle update",
    "composer install",
    "composer update",
    "poetry add",
    "poetry remove",
    "uv add",
    "uv remove",
    "uv sync",
    "pre-commit run",
    "patch",
];

pub(super) fn effect(words: &[ShellWord]) -> CommandEffect {
    match written(words) {
        CommandEffect::WritesTo(targets) => {
            CommandEffect::WritesTo(targets.iter().flat_map(ShellWord::expanded).collect())
        }
        other @ (CommandEffect::Reads | CommandEffect::WritesHere | CommandEffect::Git | CommandEffect::Unknown) => {
            other
        }
    }
}

fn written(words: &[ShellWord]) -> CommandEffect {
    let name = program::of(words);
    let operands = || words.iter().skip(1).filter(|word| !word.text.starts_with('-')).cloned();
    let option = |short: char, long: &str| {
        words.iter().skip(1).any(|word| {
            let text = word.text.as_str();
            text.starts_with(long) || (text.starts_with('-') && !text.starts_with("--") && text.contains(short))
        })
    };
    match name {
        "" => CommandEffect::Reads,
        "git" => CommandEffect::Git,
        "sed" if option('i', "--i") => CommandEffect::WritesTo(operands().collect()),
        "perl" | "ruby" if option('i', "--in-place") => CommandEffect::WritesTo(operands().collect()),
        "sed" if !sed::reads(&words[1..]) => CommandEffect::Unknown,
        "dd" => CommandEffect::WritesTo(
            words
                .iter()
                .filter(|word| word.text.starts_with("of="))
                .cloned()
                .collect(),
        ),
        "find" if option_word(words, &["-delete"]) => CommandEffect::WritesHere,
        "find" if option_word(words, &["-fprint", "-fprint0", "-fprintf", "-fls"]) => CommandEffect::Unknown,
        "sort" if !made(words, &["-o", "--output"]).is_empty() => {
            CommandEffect::WritesTo(made(words, &["-o", "--output"]))
        }
        "rg" if words.iter().any(|word| word.text.starts_with("--pre")) => CommandEffect::Unknown,
        "sed" | "find" | "sort" | "rg" => CommandEffect::Reads,
        "mv" => CommandEffect::WritesTo(operands().chain(target(words)).collect()),
        _ if WRITERS.contains(&name) => CommandEffect::WritesTo(operands().collect()),
        _ if COPIERS.contains(&name) => CommandEffect::WritesTo(destination(name, words)),
        _ if READERS.contains(&name) && has_writing_option(name, words) => CommandEffect::Unknown,
        _ if READERS.contains(&name) => CommandEffect::Reads,
        _ if CHANGES.iter().any(|start| subcommand::begins(words, start)) => CommandEffect::WritesHere,
        _ => CommandEffect::Unknown,
    }
}

/// Whether an option of a reader names a file that it writes, or a program that it runs.
fn has_writing_option(name: &str, words: &[ShellWord]) -> bool {
    // `cloc` takes any beginning of a long option, behind one dash or two, and those that read are many.
    const CLOC: [&str; 16] = [
        "ou", "rep", "ext", "wri", "sq", "diff-al", "diff-li", "ign", "cou", "fou", "cat", "con", "unic", "sum",
        "stat", "read",
    ];
    words.iter().skip(1).any(|word| {
        let text = word.text.as_str();
        let short = text.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
        let has = |flags: &[char]| short.is_some_and(|short| short.contains(flags));
        let begins = |starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
        match name {
            "cloc" => text.starts_with('-') && CLOC.iter().any(|start| text.trim_start_matches('-').starts_with(start)),
            // What stands behind a plus sign counts as typed, and `!` begins a command.
            "less" | "more" => {
                let runs = text
                    .strip_prefix('+')
                    .is_some_and(|keys| !keys.chars().all(|key| key.is_ascii_digit() || key == 'G'));
                runs || has(&['o', 'O', 'k']) || begins(&["--lo", "--LO", "--le"])
            }
            "bat" => begins(&["--pager", "--generate", "--config-file", "cache"]),
            "ag" => begins(&["--pag"]),
            "file" => has(&['C']) || begins(&["--co"]),
            _ => false,
        }
    })
}

/// Whether what lies beneath a directory that it is given is changed too.
pub(super) fn takes_trees(name: &str) -> bool {
    [
        "rm", "mv", "shred", "chmod", "chown", "chgrp", "setfacl", "rsync", "rename",
    ]
    .contains(&name)
}

fn option_word(words: &[ShellWord], options: &[&str]) -> bool {
    words.iter().any(|word| options.contains(&word.text.as_str()))
}

/// What options with a value name.
fn made(words: &[ShellWord], named: &[&str]) -> Vec<ShellWord> {
    let values = named
        .iter()
        .flat_map(|option| option_words::values(words.get(1..).unwrap_or_default(), option));
    let word = |(text, known): (String, bool)| ShellWord {
        known,
        ..ShellWord::plain(text)
    };
    values.map(word).collect()
}

/// Where a program copies to: what `-t` says, or the last word. Of `rsync --remove-source-files` all is written.
fn destination(name: &str, words: &[ShellWord]) -> Vec<ShellWord> {
    let mut operands: Vec<ShellWord> = words
        .iter()
        .skip(1)
        .filter(|word| !word.text.starts_with('-'))
        .cloned()
        .collect();
    if name == "rsync" {
        const FILES: [&str; 7] = [
            "-T",
            "--temp-dir",
            "--backup-dir",
            "--partial-dir",
            "--log-file",
            "--write-batch",
            "--only-write-batch",
        ];
        let written = words
            .iter()
            .enumerate()
            .filter_map(|(at, word)| match word.text.split_once('=') {
                Some((name, file)) if FILES.contains(&name) => Some(ShellWord {
                    text: file.to_string(),
                    ..word.clone()
                }),
                None if FILES.contains(&word.text.as_str()) => words.get(at + 1).cloned(),
                Some(_) | None => None,
            });
        let last = match option_word(words, &["--remove-source-files"]) {
            true => operands,
            false => operands.pop().into_iter().collect(),
        };
        return last.into_iter().chain(written).collect();
    }
    let makes_dirs = words.iter().skip(1).any(|word| {
        let short = word.text.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
        short.is_some_and(|flags| flags.starts_with(['d', 'D']) && flags.contains('d')) || word.text.starts_with("--d")
    });
    if name == "install" && makes_dirs {
        return operands;
    }
    // A link to what is named alone is made where one is.
    if name == "ln" && target(words).is_none() && operands.len() == 1 {
        let here = |word: ShellWord| ShellWord {
            text: ".".into(),
            known: true,
            globs: false,
            ..word
        };
        return operands.pop().map(here).into_iter().collect();
    }
    target(words).or_else(|| operands.pop()).into_iter().collect()
}

/// What `-t` says, as a word of its own or not: `-t x`, `-rtx`, `--target-directory=x` and any beginning of it.
fn target(words: &[ShellWord]) -> Option<ShellWord> {
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let value = |text: &str| ShellWord {
            text: text.to_string(),
            ..word.clone()
        };
        let text = word.text.as_str();
        if let Some((_, to)) = text.split_once('=').filter(|_| text.starts_with("--t")) {
            return Some(value(to));
        }
        let short = text.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
        match short.and_then(|flags| flags.split_once('t')) {
            // What takes a value takes the rest of its word: a suffix, a group, a mode, an owner.
            Some((flags, _)) if flags.contains(['S', 'g', 'm', 'o']) => {}
            Some((_, "")) => return words.next().cloned(),
            Some((_, to)) => return Some(value(to)),
            None if text.starts_with("--t") => return words.next().cloned(),
            None => {}
        }
    }
    None
}
