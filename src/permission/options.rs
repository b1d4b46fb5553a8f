//! What a program is told to run by its options, its settings and its operands beside all else that it does:
//! `git -c core.pager=make log`, `tar --to-command=make`, `docker exec c sh -c make`.

use super::file_effects::{self, CommandEffect};
use super::option_words::{self, values};
use super::program;
use super::word::ShellWord;
use super::wrapper::{self, CarriedCommand};
use super::{aliases, git, subcommand};

/// One way in which a program, or a subcommand, is told.
struct ToldForm {
    program: &'static str,
    /// `-x`, `--long` or any beginning of it, `NAME=` as an operand, or `*` for any word.
    options: &'static [&'static str],
    /// Where the command begins in the value, behind the first of these; without any, the value is the command.
    marks: &'static [&'static str],
}

const fn told(program: &'static str, options: &'static [&'static str], marks: &'static [&'static str]) -> ToldForm {
    ToldForm {
        program,
        options,
        marks,
    }
}

/// Each under one of its names: the others come from [`names`].
const TOLD: [ToldForm; 43] = [
    told("git", GIT, &[]),
    told("git clone", &["-u"], &[]),
    told("git difftool", &["-x"], &[]),
    told("git grep", &["-O"], &[]),
    told("git rebase", &["-x"], &[]),
    // Builtins of shells.
    told("alias", &["*"], &["="]),
    told("bind", &["-x"], &[":"]),
    told("compgen", &["-C"], &[]),
    told("complete", &["-C"], &[]),
    told("mapfile", &["-C"], &[]),
    // A shell reads the value, or it is a program with its arguments.
    told("cargo", &["--config"], &[]),
    told("cargo watch", &["-s", "--shell"], &[]),
    told("concurrently", &["*"], &[]),
    told("entr", &["-s"], &[]),
    told("fd", &["--exec=", "--exec-batch="], &[]),
    told("gdb", GDB, &["!", "shell "]),
    told("go", GO, &[]),
    told("hyperfine", &["*"], &[]),
    told("less", &["*"], &["+!"]),
    told("make", MAKE, &[]),
    told("make", &["*"], &["!="]),
    told("man", &["-P", "-H", "--pager", "--html"], &[]),
    told("mosh", &["--client", "--ssh"], &[]),
    told("nc", &["-e", "-c"], &[]),
    told("ncat", &["-e", "-c", "--exec", "--sh-exec"], &[]),
    told("nix-shell", &["--run", "--command"], &[]),
    told("nodemon", &["-x", "--exec"], &[]),
    told("npm exec", &["-c", "--call"], &[]),
    told("npx", &["-c", "--call"], &[]),
    told("rg", &["--pre", "--hostname-bin"], &[]),
    told("rsync", &["-e", "--rsh", "--rsync-path"], &[]),
    told("scp", &["-D", "-S"], &[]),
    told("sftp", &["-D", "-S"], &[]),
    told("socat", &["*"], &["EXEC:", "SYSTEM:", "exec:", "system:"]),
    told("sort", &["--compress-program"], &[]),
    told("split", &["--filter"], &[]),
    told("tar", TAR, &[]),
    told("tar", &["--checkpoint-action"], &["exec="]),
    told("tmux send*", &["*"], &[]),
    told("vi", &["-c", "--cmd"], &["!"]),
    told("vi", &["*"], &["+!", "+:!"]),
    told("wget", &["--use-askpass"], &[]),
    told("zip", &["-TT", "--unzip-command"], &[]),
];

/// Of whichever verb.
const GIT: &[&str] = &[
    "--cc-cmd=",
    "--commit-filter",
    "--env-filter",
    "--exec",
    "--extcmd",
    "--header-cmd",
    "--index-filter",
    "--msg-filter",
    "--open-files-in-pager",
    "--parent-filter",
    "--receive-pack",
    "--sendmail-cmd",
    "--smtp-server",
    "--tag-name-filter",
    "--to-cmd=",
    "--tree-filter",
    "--upload-pack",
];

/// It takes them with one dash or two.
const GO: &[&str] = &[
    "--exec",
    "--toolexec",
    "--vettool",
    "-exec",
    "-exec=",
    "-toolexec",
    "-toolexec=",
    "-vettool",
    "-vettool=",
];

const GDB: &[&str] = &["-ex", "-iex", "-eval-command", "--eval-command", "--init-eval-command"];

const MAKE: &[&str] = &[
    "AR=", "AS=", "CC=", "CPP=", "CXX=", "FC=", "LD=", "MAKE=", "RM=", "SHELL=",
];

const TAR: &[&str] = &[
    "-F",
    "-I",
    "--info-script",
    "--new-volume-script",
    "--rmt-command",
    "--rsh-command",
    "--to-command",
    "--use-compress-program",
];

/// The commands that are in the options and operands of a command.
pub(super) fn told_to(words: &[ShellWord]) -> Vec<CarriedCommand<'static>> {
    if let Some(apart) = git::apart(words).or_else(|| option_words::old_style(words)) {
        return told_to(&apart);
    }
    let mut found: Vec<CarriedCommand> = git::settings(words).into_iter().flat_map(set).collect();
    for told in &TOLD {
        let ends = aliases::all_of(told.program).map(|name| subcommand::ends_of(words, name));
        for behind in ends.flat_map(|ends| ends.into_iter().take(2)) {
            let values = told.options.iter().flat_map(|option| values(&words[behind..], option));
            let commands = values.filter_map(|(value, known)| Some(text(command(&value, told.marks)?, known)));
            found.extend(commands);
        }
    }
    found.extend(ssh(words));
    if expands(words) {
        found.push(text("", false));
    }
    found.extend(shells(words));
    // Who names a program otherwise names all its calls so.
    if program::of(words) == "hash" && words.iter().any(|word| word.text.starts_with("-p")) {
        found.push(text("", false));
    }
    found
}

fn text(command: &str, known: bool) -> CarriedCommand<'static> {
    CarriedCommand::Text(command.to_string(), known)
}

/// What stands behind the first mark of a value, or the whole.
fn command<'v>(value: &'v str, marks: &[&str]) -> Option<&'v str> {
    match marks {
        [] => Some(value),
        marks => marks.iter().find_map(|mark| Some(value.split_once(mark)?.1)),
    }
}

/// `ssh -o proxycommand=make host`: the keys are read without their case, and end at a `=` or a blank.
fn ssh(words: &[ShellWord]) -> Vec<CarriedCommand<'static>> {
    const PROGRAMS: [&str; 6] = ["ssh", "scp", "sftp", "slogin", "autossh", "ssh-copy-id"];
    const RUN: [&str; 3] = ["proxycommand", "localcommand", "knownhostscommand"];
    // These name a library, or a file that says what is run.
    const LEAD: [&str; 4] = ["include", "pkcs11provider", "securitykeyprovider", "xauthlocation"];
    if !PROGRAMS.contains(&program::of(words)) {
        return Vec::new();
    }
    let command = |(setting, known): (String, bool)| {
        let setting = setting.trim_start();
        let end = setting.find(|c: char| c == '=' || c.is_whitespace());
        let (key, value) = setting.split_at(end.unwrap_or(setting.len()));
        let key = key.trim_matches('"').to_ascii_lowercase();
        let value = value.trim_start_matches(|c: char| c == '=' || c.is_whitespace());
        match () {
            () if RUN.contains(&key.as_str()) => Some(text(value.trim_matches('"'), known)),
            () if LEAD.contains(&key.as_str()) || !known => Some(text("", false)),
            () => None,
        }
    };
    values(words, "-o").into_iter().filter_map(command).collect()
}

/// Whether make is given text in which it expands what it runs: `make --eval='…'`, `make X='$(shell …)'`. What a shell
/// expands before is another's.
fn expands(words: &[ShellWord]) -> bool {
    const FLAGS: [&str; 4] = ["MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS", ".SHELLFLAGS"];
    if aliases::usual(program::of(words)) != "make" {
        return false;
    }
    let is_text = |word: &ShellWord| {
        let refers = word.text.contains("$(") || word.text.contains("${");
        (refers && word.known) || FLAGS.iter().any(|name| word.text.starts_with(name))
    };
    let is_given = ["-E", "--eval"].iter().any(|option| !values(words, option).is_empty());
    is_given || words.iter().skip(1).any(is_text)
}

/// `git -c alias.x=push`, `git -c core.pager=make`. Keys that nobody here knows may name a program.
fn set((setting, known): (String, bool)) -> Option<CarriedCommand<'static>> {
    let (key, value) = setting.split_once('=').unwrap_or((&setting, ""));
    let key = key.to_ascii_lowercase();
    if git::is_quiet(&key) {
        return None;
    }
    let command = match value.strip_prefix('!') {
        None if key.starts_with("alias.") => format!("git {value}"),
        command => command.unwrap_or(value).to_string(),
    };
    Some(CarriedCommand::Text(command, known))
}

/// `docker exec c sh -c 'text'`: a shell among the words of a program that may run its arguments.
fn shells(words: &[ShellWord]) -> Vec<CarriedCommand<'static>> {
    let is_open = !program::is_shell(words) && wrapper::carried(words).is_empty();
    if !is_open
        || !matches!(
            file_effects::effect(words),
            CommandEffect::Unknown | CommandEffect::WritesHere
        )
    {
        return Vec::new();
    }
    let shell = (1..words.len()).find(|at| program::is_shell(&words[*at..]));
    shell.map_or_else(Vec::new, |at| wrapper::texts(&words[at..]))
}
