//! What a program is told to run by its options, its settings and its operands beside all else that it does:
//! `git -c core.pager=make log`, `tar --to-command=make`, `docker exec c sh -c make`.

use super::file_effects::{self, CommandEffect};
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
const TOLD: [ToldForm; 41] = [
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
    told("gdb", &["-ex", "-iex", "--eval-command"], &["!", "shell "]),
    told("go", GO, &[]),
    told("hyperfine", &["*"], &[]),
    told("less", &["*"], &["+!"]),
    told("make", MAKE, &[]),
    told("man", &["-P", "-H", "--pager", "--html"], &[]),
    told("nc", &["-e", "-c"], &[]),
    told("ncat", &["-e", "-c", "--exec", "--sh-exec"], &[]),
    told("nix-shell", &["--run", "--command"], &[]),
    told("nodemon", &["-x", "--exec"], &[]),
    told("npm exec", &["-c", "--call"], &[]),
    told("npx", &["-c", "--call"], &[]),
    told("rg", &["--pre", "--hostname-bin"], &[]),
    told("rsync", &["-e", "--rsh", "--rsync-path"], &[]),
    told("scp", &["-S"], &[]),
    told("socat", &["*"], &["EXEC:", "SYSTEM:", "exec:", "system:"]),
    told("sort", &["--compress-program"], &[]),
    told("split", &["--filter"], &[]),
    told("ssh", &["-o"], &["ProxyCommand=", "ProxyCommand ", "LocalCommand="]),
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
    if let Some(apart) = git::apart(words) {
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

/// The values of an option, and whether each is known.
pub(super) fn values(words: &[ShellWord], option: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = || words.get(at + 1).map(|word| (word.text.clone(), word.known));
        let own = |value: &str| Some((value.to_string(), word.known));
        let name = word.text.split_once('=').map_or(word.text.as_str(), |(name, _)| name);
        let value = word.text.get(name.len() + 1..);
        found.extend(match option {
            "*" => own(&word.text),
            _ if option.ends_with('=') => word.text.strip_prefix(option).and_then(own),
            _ if option.starts_with("--") => match name.len() > 3 && option.starts_with(name) {
                true => value.map_or_else(next, own),
                false => None,
            },
            _ if option.len() > 2 => (word.text == option).then(next).flatten(),
            _ => match behind_letter(&word.text, &option[1..]) {
                Some("") => next(),
                Some(value) => own(value),
                None => None,
            },
        });
    }
    found
}

/// What stands behind the letter of an option, among others in one word: `-Imake`, `-xzI`.
fn behind_letter<'w>(word: &'w str, letter: &str) -> Option<&'w str> {
    let (flags, value) = word.strip_prefix('-')?.split_once(letter)?;
    flags.chars().all(|c| c.is_ascii_alphanumeric()).then_some(value)
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
