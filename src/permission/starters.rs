//! What has programs run later: files that git, shells, editors, package managers and agent CLIs read for what to run,
//! and the commands that set it. Who may write these may run anything.

use std::ffi::OsStr;
use std::path::Path;

use super::file_effects::{self, CommandEffect};
use super::glob::{GLOB, as_stars, stars};
use super::path::CallPlace;
use super::word::ShellWord;
use super::{git, option_words, program, wrapper};
use crate::model::built_in::folders;

pub(super) const NAME: &str = "writing what starts programs";
pub(super) const WHY: &str = "what is written there is run by git, a shell, an editor or an agent's CLI";

/// Directories of which all that lies in them counts, besides those of built-in agents. Some disks take names without their case.
const DIRECTORIES: [&str; 22] = [
    ".git",
    ".githooks",
    ".husky",
    ".lefthook",
    ".roo",
    ".continue",
    ".kiro",
    ".qwen",
    ".amazonq",
    ".junie",
    ".parlour",
    ".vscode",
    ".idea",
    ".zed",
    ".fleet",
    ".devcontainer",
    ".cargo",
    ".mvn",
    ".yarn",
    ".direnv",
    ".mise",
    ".bundle",
];

/// Directories that count in another one alone.
const WITHIN: [(&str, &str); 2] = [(".github", "workflows"), (".github", "actions")];

const FILES: [&str; 66] = [
    ".gitattributes",
    ".gitlab-ci.yml",
    ".gitconfig",
    ".gitmodules",
    ".claude.json",
    ".mcp.json",
    "opencode.json",
    "opencode.jsonc",
    ".aider.conf.yml",
    ".cursorrules",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".bash_env",
    ".profile",
    ".login",
    ".logout",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".inputrc",
    ".envrc",
    ".direnvrc",
    ".mise.toml",
    "mise.toml",
    "mise.local.toml",
    ".tmux.conf",
    ".screenrc",
    ".vimrc",
    ".gvimrc",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".emacs",
    ".dir-locals.el",
    ".gdbinit",
    ".lldbinit",
    ".npmrc",
    ".pnpmfile.cjs",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnp.cjs",
    ".pnp.loader.mjs",
    "bunfig.toml",
    ".bazelrc",
    ".ripgreprc",
    ".wgetrc",
    ".curlrc",
    ".pythonrc",
    ".irbrc",
    ".pryrc",
    ".pdbrc",
    ".Rprofile",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yaml",
    "lefthook.toml",
];

/// Commands that set what is run later.
pub(super) const SETTERS: [&str; 26] = [
    "crontab",
    "at",
    "batch",
    "systemd-run",
    "launchctl",
    "claude mcp",
    "claude config",
    "claude plugin",
    "codex mcp",
    "gemini mcp",
    "gemini extensions",
    "gemini hooks",
    "opencode mcp",
    "opencode plugin",
    "direnv allow",
    "direnv permit",
    "npm config set",
    "npm set",
    "pre-commit install",
    "husky install",
    "lefthook install",
    "npx husky",
    "gh extension install",
    "gh alias set",
    "gh alias import",
    "code --install-extension",
];

fn is_directory(part: &OsStr) -> bool {
    let mut all = DIRECTORIES.into_iter().chain(folders());
    all.any(|name| may_be(part, name))
}

/// A glob that begins with so many letters means a name, and not all of a kind.
const SURE: usize = 4;

/// Whether a part of a path is this name, or a glob for hidden ones, or for a few, that may stand for it.
fn may_be(part: &OsStr, name: &str) -> bool {
    let text = part.to_string_lossy();
    let fixed = text.find(GLOB).map_or("", |at| &text[..at]);
    let is_glob = text.contains(GLOB) && (text.starts_with('.') || fixed.len() >= SURE);
    part.eq_ignore_ascii_case(name) || (is_glob && stars(&as_stars(&text), name))
}

fn is_file(part: &OsStr) -> bool {
    FILES.iter().any(|name| may_be(part, name))
}

/// Whether a path of the agent's directory leads to what starts programs. That directory itself lies in parlour's.
pub(super) fn is_one(place: &CallPlace, path: &str) -> bool {
    let path = place.within_own(path).unwrap_or_default();
    path.iter().any(|part| is_directory(part) || is_file(part)) || lies_within(&path)
}

fn lies_within(path: &Path) -> bool {
    let parts: Vec<&OsStr> = path.iter().collect();
    let is = |pair: &[&OsStr]| {
        WITHIN
            .iter()
            .any(|(outer, inner)| may_be(pair[0], outer) && may_be(pair[1], inner))
    };
    parts.windows(2).any(is)
}

/// Whether a path leads to such a file, or into such a directory.
fn leads_into(place: &CallPlace, path: &str) -> bool {
    let path = place.within_own(path).unwrap_or_default();
    let above = path.parent().unwrap_or(Path::new(""));
    path.iter().any(is_file) || above.iter().any(is_directory)
}

/// Whether a command writes, or may write, to what starts programs.
pub(super) fn writes(words: &[ShellWord], place: &CallPlace) -> bool {
    let named = || words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
    let inside = || place.within_own(".").unwrap_or_default().iter().any(is_directory);
    match file_effects::effect(words) {
        CommandEffect::Reads => false,
        CommandEffect::WritesTo(targets) => {
            // What is copied keeps its name.
            let all = targets.iter().chain(named());
            all.flat_map(ShellWord::expanded).any(|word| is_one(place, &word.text))
        }
        CommandEffect::Git => git_writes(words) && named().any(|word| is_one(place, &word.text)),
        CommandEffect::WritesHere | CommandEffect::Unknown => {
            let is_way = ["cd", "pushd", "popd"].contains(&program::of(words));
            // What it runs stands in the list by itself.
            !is_way && wrapper::carried(words).is_empty() && (inside() || speaks(words, place))
        }
    }
}

/// Whether a command of which nobody knows what it does speaks of what starts programs, in a program that it is given too.
fn speaks(words: &[ShellWord], place: &CallPlace) -> bool {
    let spares = |word: &ShellWord| {
        let text = word.text.as_str();
        text.starts_with('-') && (text.contains("exclude") || text.contains("ignore") || text == "-I")
    };
    let spares = words.iter().any(spares);
    let is_meant = |part: &str| match spares {
        true => leads_into(place, part),
        false => is_one(place, part),
    };
    let parts = |word: &ShellWord| {
        let ends = |c: char| c.is_whitespace() || "'\"`()<>,;=:{}[]|&".contains(c);
        word.text.split(ends).any(&is_meant)
    };
    words.iter().skip(1).any(parts)
}

/// Verbs that write files of the working tree; what git keeps of them runs nothing.
fn git_writes(words: &[ShellWord]) -> bool {
    let keeps = ["add", "commit", "stash", "reset"];
    let verb = words.get(1).map_or("", |verb| verb.text.as_str());
    !keeps.contains(&verb) && git::writes(words) != Some(false)
}

/// Whether git is told to run another program, or to keep a setting by which it would.
pub(super) fn leads_git(words: &[ShellWord]) -> bool {
    if !program::begins(words, "git") {
        return false;
    }
    let verb = words.get(1).map_or("", |verb| verb.text.as_str());
    let behind = words.get(2..).unwrap_or_default();
    let any = |named: &[&str]| {
        let is = |option: &str, word: &ShellWord| match option.starts_with("--") {
            true => option_words::is_option(&word.text, option),
            false => option_words::behind_letter(&word.text, &option[1..]).is_some(),
        };
        behind.iter().any(|word| named.iter().any(|option| is(option, word)))
    };
    match verb {
        "config" => sets(&words[2..]),
        "clone" => any(&["-c", "-u", "--config", "--template", "--upload-pack"]),
        "init" => any(&["--template"]),
        "fetch" | "pull" | "ls-remote" | "fetch-pack" | "archive" => any(&["--upload-pack", "--exec"]),
        "push" | "send-pack" => any(&["--receive-pack", "--exec"]),
        "rebase" => any(&["-x", "--exec"]),
        "grep" => any(&["-O", "--open-files-in-pager"]),
        "difftool" | "mergetool" | "filter-branch" | "daemon" | "shell" | "instaweb" => true,
        "bisect" | "hook" => words.get(2).is_some_and(|word| word.text == "run"),
        "submodule" => words
            .iter()
            .skip(2)
            .any(|word| ["add", "foreach", "set-url"].contains(&word.text.as_str())),
        "remote" => words
            .iter()
            .skip(2)
            .any(|word| ["add", "set-url"].contains(&word.text.as_str())),
        _ => false,
    }
}

/// Whether `git config` is not known to read, or to set no more than who commits.
fn sets(arguments: &[ShellWord]) -> bool {
    const READS: [&str; 6] = ["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "-l"];
    const SHOWS: [&str; 14] = [
        "--global",
        "--system",
        "--local",
        "--worktree",
        "--bool",
        "--int",
        "--path",
        "-z",
        "--null",
        "--name-only",
        "--show-origin",
        "--show-scope",
        "--includes",
        "--no-includes",
    ];
    let texts: Vec<&str> = arguments.iter().map(|word| word.text.as_str()).collect();
    let (options, operands): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| text.starts_with('-'));
    let known = arguments.iter().all(|word| word.known);
    let is_who = |key: &str| ["user.name", "user.email"].contains(&key.to_ascii_lowercase().as_str());
    match operands.as_slice() {
        _ if texts.iter().any(|text| READS.contains(text)) => false,
        ["get" | "list", ..] => false,
        ["edit", ..] => true,
        [_] if options.iter().all(|option| SHOWS.contains(option)) => false,
        [key, _] | ["set", key, _] => !(known && is_who(key) && options.iter().all(|option| *option == "--local")),
        _ => true,
    }
}
