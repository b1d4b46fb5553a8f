//! What programs do to files, for directories that are open read-only.

use std::path::PathBuf;

use super::builtin;
use super::path::Place;
use super::sed;
use super::word::Word;
use super::wrapper;

pub(super) enum Effect {
    Reads,
    /// It writes to what these words name.
    WritesTo(Vec<Word>),
    /// It writes where it is run, or to where an option of it points.
    WritesHere,
    /// Its verb and its place say.
    Git,
    Unknown,
}

/// Programs that only read whatever they are told; those with an option to write are in [`reads`].
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

pub(super) fn effect(words: &[Word]) -> Effect {
    let name = wrapper::program(words);
    let operands = || words.iter().skip(1).filter(|word| !word.text.starts_with('-')).cloned();
    let option = |short: char, long: &str| {
        words.iter().skip(1).any(|word| {
            let text = word.text.as_str();
            text.starts_with(long) || (text.starts_with('-') && !text.starts_with("--") && text.contains(short))
        })
    };
    match name {
        "" => Effect::Reads,
        "git" => Effect::Git,
        "sed" if option('i', "--i") => Effect::WritesTo(operands().collect()),
        "perl" | "ruby" if option('i', "--in-place") => Effect::WritesTo(operands().collect()),
        "sed" if !sed::reads(&words[1..]) => Effect::Unknown,
        "dd" => Effect::WritesTo(
            words
                .iter()
                .filter(|word| word.text.starts_with("of="))
                .cloned()
                .collect(),
        ),
        "find" if option_word(words, &["-delete"]) => Effect::WritesHere,
        "find" if option_word(words, &["-fprint", "-fprint0", "-fprintf", "-fls"]) => Effect::Unknown,
        "sort" if option('o', "--output") => Effect::Unknown,
        "rg" if words.iter().any(|word| word.text.starts_with("--pre")) => Effect::Unknown,
        "sed" | "find" | "sort" | "rg" => Effect::Reads,
        "mv" => Effect::WritesTo(operands().chain(target(words)).collect()),
        _ if WRITERS.contains(&name) => Effect::WritesTo(operands().collect()),
        _ if COPIERS.contains(&name) => Effect::WritesTo(destination(name, words)),
        _ if READERS.contains(&name) => Effect::Reads,
        _ if CHANGES.iter().any(|start| builtin::begins(words, start)) => Effect::WritesHere,
        _ => Effect::Unknown,
    }
}

/// Whether what lies beneath a directory that it is given is changed too.
pub(super) fn takes_trees(name: &str) -> bool {
    [
        "rm", "mv", "shred", "chmod", "chown", "chgrp", "setfacl", "rsync", "rename",
    ]
    .contains(&name)
}

fn option_word(words: &[Word], options: &[&str]) -> bool {
    words.iter().any(|word| options.contains(&word.text.as_str()))
}

/// Where a program copies to: what `-t` says, or the last word. Of `rsync --remove-source-files` all is written.
fn destination(name: &str, words: &[Word]) -> Vec<Word> {
    let mut operands: Vec<Word> = words
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
        let written = words.windows(2).filter(|pair| FILES.contains(&pair[0].text.as_str()));
        let last = match option_word(words, &["--remove-source-files"]) {
            true => operands,
            false => operands.pop().into_iter().collect(),
        };
        return last.into_iter().chain(written.map(|pair| pair[1].clone())).collect();
    }
    target(words).or_else(|| operands.pop()).into_iter().collect()
}

/// What `-t` says, as a word of its own or not: `-t x`, `-rtx`, `--target-directory=x` and any beginning of it.
fn target(words: &[Word]) -> Option<Word> {
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let value = |text: &str| Word {
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

/// Options of git before its verb whose value is the next word.
const GIT_VALUED: [&str; 9] = [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
    "--config-env",
    "--attr-source",
    "--super-prefix",
];

/// And those that stand alone.
const GIT_FLAGS: [&str; 19] = [
    "-p",
    "-P",
    "-v",
    "-h",
    "--paginate",
    "--no-pager",
    "--no-replace-objects",
    "--no-lazy-fetch",
    "--no-optional-locks",
    "--no-advice",
    "--bare",
    "--literal-pathspecs",
    "--glob-pathspecs",
    "--noglob-pathspecs",
    "--icase-pathspecs",
    "--html-path",
    "--man-path",
    "--info-path",
    "--version",
];

/// Where the verb of git may stand: the first is where it does, unless an option that nobody knows takes a value.
pub(super) fn git_verbs(words: &[Word]) -> Vec<usize> {
    const FURTHER: usize = 6;
    let (mut at, mut sure) = (1, true);
    while let Some(word) = words.get(at).filter(|word| word.text.starts_with('-')) {
        let text = word.text.as_str();
        let valued = GIT_VALUED.contains(&text);
        sure &= valued || GIT_FLAGS.contains(&text) || text.contains('=');
        at += 1 + usize::from(valued);
    }
    let further = if sure { 1 } else { FURTHER };
    (at..words.len().min(at + further)).collect()
}

/// Where git works: what `-C`, `--git-dir` and `--work-tree` say, else where it is run.
pub(super) fn git_place(words: &[Word], place: &Place) -> Vec<PathBuf> {
    let mut base = place.clone();
    let mut found = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next().filter(|word| word.text.starts_with('-')) {
        match word.text.split_once('=') {
            Some(("--git-dir" | "--work-tree", path)) => found.push(base.absolute(path)),
            Some(_) => {}
            None => match word.text.as_str() {
                "-C" => base = words.next().map_or(base.clone(), |to| base.moved(&to.text)),
                "--git-dir" | "--work-tree" => found.extend(words.next().map(|path| base.absolute(&path.text))),
                text if GIT_VALUED.contains(&text) => drop(words.next()),
                _ => {}
            },
        }
    }
    found.push(base.base().to_path_buf());
    found
}

/// Repositories that a verb writes to beside its own: `git push projects/grove`, `git clone x projects/grove/y`.
pub(super) fn git_targets(words: &[Word]) -> Vec<&Word> {
    let operands = || words.iter().skip(2).filter(|word| !word.text.starts_with('-'));
    match words.get(1).map(|verb| verb.text.as_str()) {
        Some("push" | "init" | "worktree" | "bundle" | "archive" | "format-patch") => operands().collect(),
        Some("clone") => operands().skip(1).collect(),
        // `--output` and any beginning of it, which verbs that only read take too.
        Some(_) => {
            let after = words.iter().skip(2).skip_while(|word| !word.text.starts_with("--ou"));
            after.take(2).collect()
        }
        None => Vec::new(),
    }
}

/// Whether a word sets a variable by which git may work elsewhere, or run something: all of its own but a few.
pub(super) fn leads_git(word: &str) -> bool {
    const QUIET: [&str; 4] = [
        "GIT_AUTHOR_",
        "GIT_COMMITTER_",
        "GIT_OPTIONAL_LOCKS=",
        "GIT_TERMINAL_PROMPT=",
    ];
    let set = word.starts_with("GIT_") && word.contains('=');
    set && word != "GIT_PAGER=cat" && !QUIET.iter().any(|start| word.starts_with(start))
}

/// Verbs of git that only read.
const READS: [&str; 29] = [
    "status",
    "log",
    "diff",
    "show",
    "rev-parse",
    "ls-files",
    "ls-tree",
    "ls-remote",
    "blame",
    "annotate",
    "grep",
    "describe",
    "cat-file",
    "rev-list",
    "shortlog",
    "merge-base",
    "for-each-ref",
    "name-rev",
    "whatchanged",
    "diff-tree",
    "diff-index",
    "diff-files",
    "show-ref",
    "show-branch",
    "check-ignore",
    "count-objects",
    "cherry",
    "help",
    "version",
];

/// Whether a verb of git changes the repository it works in; `None` where that is not known.
pub(super) fn git_writes(words: &[Word]) -> Option<bool> {
    const WRITES: [&str; 35] = [
        "add",
        "am",
        "apply",
        "bisect",
        "checkout",
        "cherry-pick",
        "clean",
        "clone",
        "commit",
        "fetch",
        "filter-branch",
        "format-patch",
        "gc",
        "init",
        "merge",
        "mv",
        "notes",
        "prune",
        "pull",
        "push",
        "read-tree",
        "rebase",
        "replace",
        "reset",
        "restore",
        "revert",
        "rm",
        "sparse-checkout",
        "switch",
        "update-index",
        "update-ref",
        "worktree",
        "submodule",
        "lfs",
        "repack",
    ];
    let verb = words.get(1).map_or("help", |verb| verb.text.as_str());
    let rest: Vec<&str> = words.iter().skip(2).map(|word| word.text.as_str()).collect();
    let first = rest.first().copied();
    let writes_file = rest.iter().any(|word| word.starts_with("--ou"));
    match verb {
        _ if READS.contains(&verb) => (!writes_file).then_some(false),
        "worktree" if first == Some("list") => Some(false),
        "submodule" if matches!(first, None | Some("status" | "summary")) => Some(false),
        "apply" if rest.contains(&"--check") || rest.contains(&"--stat") => Some(false),
        _ if WRITES.contains(&verb) => Some(true),
        "branch" | "tag" | "remote" | "stash" | "config" | "reflog" => Some(match (verb, first) {
            ("branch" | "tag" | "remote", None) | ("reflog", None | Some("show")) => false,
            ("branch", Some(option)) => ![
                "--list",
                "-l",
                "--show-current",
                "-a",
                "-r",
                "-v",
                "-vv",
                "--all",
                "--contains",
            ]
            .contains(&option),
            ("tag", Some(option)) => !["--list", "-l", "-n", "--contains"].contains(&option),
            ("remote", Some(option)) => !["-v", "show", "get-url"].contains(&option),
            ("stash", Some(option)) => !["list", "show"].contains(&option),
            ("config", Some(option)) => !["--get", "--get-all", "--list", "-l", "get", "list"].contains(&option),
            _ => true,
        }),
        _ if verb.starts_with('-') => Some(false),
        _ => None,
    }
}
