//! git: where its verb stands and by which names it goes, where it works, and what it does to the repository there.

use std::path::PathBuf;

use super::path::CallPlace;
use super::word::ShellWord;
use super::{option_values, option_words, program, subcommand};

/// Where the verb may stand, the likeliest place first.
pub(super) fn verbs(words: &[ShellWord]) -> Vec<usize> {
    let is_verb = |at: &usize| words.get(*at).is_some_and(|word| !word.text.starts_with('-'));
    subcommand::places("git", words, [1])
        .into_iter()
        .filter(is_verb)
        .collect()
}

/// Each verb of git is a program too: `git-push x` is `git push x`.
pub(super) fn apart(words: &[ShellWord]) -> Option<Vec<ShellWord>> {
    let verb = program::of(words).strip_prefix("git-")?;
    let rest = words[1..].iter().cloned();
    Some(
        [ShellWord::plain("git"), ShellWord::plain(verb)]
            .into_iter()
            .chain(rest)
            .collect(),
    )
}

/// The settings that a call of git brings with it, as `key=value`, and whether each is known.
pub(super) fn settings(words: &[ShellWord]) -> Vec<(String, bool)> {
    if program::of(words) != "git" {
        return Vec::new();
    }
    let clones = subcommand::begins(words, "git clone");
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().skip(1) {
        if !word.text.starts_with('-') && !clones && !words[at - 1].text.starts_with('-') {
            break;
        }
        let next = || words.get(at + 1).map(|word| (word.text.clone(), word.known));
        let own = |value: &str| (value.to_string(), word.known);
        found.extend(match word.text.split_once('=') {
            // What is in a variable, or in files elsewhere, is not known.
            _ if word.text.starts_with("--config-env") => Some((String::from("?"), false)),
            _ if word.text.starts_with("--exec-path=") => Some((String::from("?"), true)),
            Some((name, value)) if clones && option_words::is_option(name, "--config") => Some(own(value)),
            None if word.text == "-c" || (clones && option_words::is_option(&word.text, "--config")) => next(),
            // Among other letters too: `-qc x=y`, `-qcx=y`.
            _ if clones => match option_words::behind_letter(&word.text, "c") {
                Some("") => next(),
                Some(value) => Some(own(value)),
                None => None,
            },
            _ => None,
        });
    }
    found
}

/// Whether a setting names no program and leads to none.
pub(super) fn is_quiet(key: &str) -> bool {
    const SECTIONS: [&str; 12] = [
        "user.",
        "author.",
        "committer.",
        "color.",
        "advice.",
        "log.",
        "status.",
        "i18n.",
        "column.",
        "branch.",
        "stash.",
        "rerere.",
    ];
    const KEYS: [&str; 28] = [
        "blame.date",
        "commit.gpgsign",
        "commit.verbose",
        "core.abbrev",
        "core.autocrlf",
        "core.bare",
        "core.compression",
        "core.eol",
        "core.filemode",
        "core.ignorecase",
        "core.longpaths",
        "core.quotepath",
        "core.safecrlf",
        "diff.algorithm",
        "diff.context",
        "diff.mnemonicprefix",
        "diff.noprefix",
        "diff.renamelimit",
        "diff.renames",
        "fetch.prune",
        "gc.auto",
        "http.postbuffer",
        "init.defaultbranch",
        "merge.conflictstyle",
        "pull.ff",
        "pull.rebase",
        "push.default",
        "tag.gpgsign",
    ];
    KEYS.contains(&key) || SECTIONS.iter().any(|section| key.starts_with(section))
}

/// What changes a repository that others see, first by its own name.
pub(super) const PUSHES: [&str; 6] = [
    "git push",
    "git send-pack",
    "git http-push",
    "git subtree push",
    "git lfs push",
    "git svn dcommit",
];

/// What is said to a push, by whichever name.
pub(super) fn pushed(words: &[ShellWord]) -> Vec<&[ShellWord]> {
    let ends = PUSHES.iter().flat_map(|name| subcommand::ends_of(words, name));
    ends.map(|end| &words[end..]).collect()
}

/// Where git works: what `-C`, `--git-dir` and `--work-tree` say, else where it is run.
pub(super) fn place(words: &[ShellWord], place: &CallPlace) -> Vec<PathBuf> {
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
                text if option_values::GIT.contains(&text) => drop(words.next()),
                _ => {}
            },
        }
    }
    found.push(base.base().to_path_buf());
    found
}

/// Options by which verbs are told where to put what they make.
const MADE: [&str; 8] = [
    "-o",
    "--output",
    "--output-directory",
    "--directory",
    "--separate-git-dir",
    "--prefix",
    "--export-marks",
    "--build-fake-ancestor",
];

/// What a verb is told to make by an option: `git archive -o x`, `git apply --directory=x`.
pub(super) fn made(words: &[ShellWord]) -> Vec<ShellWord> {
    let verb = words.get(1).map_or("", |verb| verb.text.as_str());
    // To other verbs these mean something else.
    let counts = |option: &&&str| match **option {
        "-o" => [
            "archive",
            "bugreport",
            "diagnose",
            "format-patch",
            "index-pack",
            "mailsplit",
        ]
        .contains(&verb),
        "--directory" => ["am", "apply"].contains(&verb),
        "--prefix" => verb == "checkout-index",
        _ => true,
    };
    let behind = words.get(2..).unwrap_or_default();
    let values = MADE
        .iter()
        .filter(counts)
        .flat_map(|option| option_words::values(behind, option));
    let word = |(text, known): (String, bool)| ShellWord {
        known,
        ..ShellWord::plain(text)
    };
    values.map(word).collect()
}

/// Repositories and directories that a verb writes to beside its own: `git push projects/grove`, `git clone x
/// projects/grove/y`.
pub(super) fn targets(words: &[ShellWord]) -> Vec<ShellWord> {
    let operands = || words.iter().skip(2).filter(|word| !word.text.starts_with('-')).cloned();
    let named: Vec<ShellWord> = match words.get(1).map(|verb| verb.text.as_str()) {
        Some("push" | "init" | "worktree" | "bundle" | "archive" | "format-patch") => operands().collect(),
        Some("clone") => operands().skip(1).collect(),
        Some(_) | None => Vec::new(),
    };
    named.into_iter().chain(made(words)).collect()
}

/// Whether a word sets a variable by which git may work elsewhere, or run something: all of its own but a few.
pub(super) fn leads(word: &str) -> bool {
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
pub(super) fn writes(words: &[ShellWord]) -> Option<bool> {
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
    let reads = match verb {
        "worktree" => first == Some("list"),
        "submodule" => matches!(first, None | Some("status" | "summary")),
        "apply" => {
            let looks = rest.contains(&"--check") || rest.contains(&"--stat");
            looks && !rest.iter().any(|word| word.starts_with("--ap"))
        }
        "branch" => lists(&rest, &BRANCH),
        "tag" => lists(&rest, &TAG),
        "remote" => {
            let mut rest = rest.iter().skip_while(|word| ["-v", "--verbose"].contains(word));
            matches!(rest.next(), None | Some(&("show" | "get-url")))
        }
        "stash" => matches!(first, Some("list" | "show")),
        "reflog" => matches!(first, None | Some("show")),
        "config" => matches!(first, Some("--get" | "--get-all" | "--list" | "-l" | "get" | "list")),
        _ => READS.contains(&verb),
    };
    match verb {
        _ if reads => (!writes_file).then_some(false),
        "branch" | "tag" | "remote" | "stash" | "config" | "reflog" => Some(true),
        _ if WRITES.contains(&verb) => Some(true),
        _ if verb.starts_with('-') => Some(false),
        _ => None,
    }
}

/// How a verb lists what it otherwise makes or removes.
struct Listing {
    /// With one of these, or one of [`SELECTS`], what is named beside them is looked for and not made.
    lists: &'static [&'static str],
    /// These say how, and alone list too.
    shows: &'static [&'static str],
    /// The same as letters, of which any number may stand behind one dash.
    letters: &'static str,
}

/// What both verbs list by.
const SELECTS: [&str; 7] = [
    "--list",
    "-l",
    "--contains",
    "--no-contains",
    "--merged",
    "--no-merged",
    "--points-at",
];

const BRANCH: Listing = Listing {
    lists: &[],
    shows: &[
        "--show-current",
        "--all",
        "--remotes",
        "--verbose",
        "--ignore-case",
        "--sort",
        "--format",
        "--color",
        "--no-color",
        "--column",
        "--no-column",
        "--abbrev",
        "--no-abbrev",
    ],
    letters: "arvi",
};

const TAG: Listing = Listing {
    lists: &["-n", "-ln"],
    shows: &[
        "--ignore-case",
        "--sort",
        "--format",
        "--color",
        "--column",
        "--no-column",
    ],
    letters: "i",
};

/// Every word counts: `-r` lists alone, and `-r -d x` removes.
fn lists(words: &[&str], listing: &Listing) -> bool {
    let name = |word: &str| word.split_once('=').map_or(word, |(name, _)| name).to_owned();
    let is_list = |word: &&str| {
        let numbered = word
            .strip_prefix("-n")
            .is_some_and(|n| n.bytes().all(|digit| digit.is_ascii_digit()));
        let name = name(word);
        let is_known = SELECTS.iter().chain(listing.lists).any(|known| *known == name);
        is_known || numbered && listing.lists.contains(&"-n")
    };
    let shows = |word: &str| {
        let letters = word.strip_prefix('-').filter(|letters| !letters.is_empty());
        let are_known = letters.is_some_and(|letters| letters.chars().all(|letter| listing.letters.contains(letter)));
        are_known || listing.shows.contains(&name(word).as_str())
    };
    let names = words.iter().any(is_list);
    words.iter().all(|word| match word.starts_with('-') {
        true => is_list(word) || shows(word),
        false => names,
    })
}
