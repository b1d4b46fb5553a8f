//! Programs that run the command in their own arguments, and where in them it starts.

use super::word::Word;

/// A command within a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Carried<'w> {
    /// Run as it stands by a program that adds nothing to it: who may run the one may run the other.
    Harmless(&'w [Word]),
    /// Run with other rights, other arguments or in another place.
    Words(&'w [Word]),
    /// Read by a shell, and whether the text is all known.
    Text(String, bool),
}

struct Wrapper {
    name: &'static str,
    harmless: bool,
    /// Options that stand alone.
    flags: &'static [&'static str],
    /// Options whose value is the next word.
    valued: &'static [&'static str],
    /// Words between the options and the command.
    operands: usize,
}

const fn wrapper(
    name: &'static str,
    flags: &'static [&'static str],
    valued: &'static [&'static str],
    operands: usize,
) -> Wrapper {
    Wrapper {
        name,
        harmless: false,
        flags,
        valued,
        operands,
    }
}

const fn harmless(of: Wrapper) -> Wrapper {
    Wrapper { harmless: true, ..of }
}

const WRAPPERS: [Wrapper; 44] = [
    harmless(wrapper("command", &["-p"], &[], 0)),
    harmless(wrapper("nohup", &[], &[], 0)),
    harmless(wrapper("time", &["-p", "-v"], &[], 0)),
    harmless(wrapper("nice", &[], &["-n", "--adjustment"], 0)),
    harmless(wrapper(
        "timeout",
        &["--foreground", "--preserve-status", "-v", "--verbose"],
        &["-k", "--kill-after", "-s", "--signal"],
        1,
    )),
    harmless(wrapper("stdbuf", &[], &["-i", "-o", "-e"], 0)),
    wrapper("builtin", &[], &[], 0),
    wrapper("exec", &["-c", "-l"], &["-a"], 0),
    wrapper("coproc", &[], &[], 0),
    wrapper(
        "sudo",
        &["-A", "-b", "-E", "-H", "-i", "-k", "-n", "-P", "-S", "-s"],
        &["-u", "-g", "-h", "-p", "-C", "-T", "-r", "-t", "-D", "-R", "-U"],
        0,
    ),
    wrapper("doas", &["-n", "-s"], &["-u", "-C"], 0),
    wrapper("pkexec", &[], &["--user"], 0),
    wrapper("env", &["-i", "-", "-0"], &["-u", "-C", "--chdir", "--unset"], 0),
    wrapper("ionice", &["-t"], &["-c", "-n"], 0),
    wrapper("setsid", &["-c", "-f", "-w"], &[], 0),
    wrapper("chroot", &[], &[], 1),
    wrapper("busybox", &[], &[], 0),
    wrapper("unbuffer", &["-p"], &[], 0),
    wrapper("strace", &["-f", "-c", "-q"], &["-e", "-o", "-s"], 0),
    wrapper("flock", &["-n", "-x", "-s", "-u"], &["-w", "-E"], 1),
    wrapper(
        "xargs",
        &["-0", "-r", "-t", "-p", "-x", "--null", "--no-run-if-empty"],
        &[
            "-I",
            "-n",
            "-P",
            "-L",
            "-d",
            "-E",
            "-s",
            "-a",
            "--max-args",
            "--max-procs",
        ],
        0,
    ),
    wrapper("parallel", &["-0", "-k", "--bar"], &["-j", "-n", "-N", "-I"], 0),
    wrapper("caffeinate", &["-d", "-i", "-m", "-s", "-u"], &["-t", "-w"], 0),
    wrapper("unshare", &["-r", "-m", "-n", "-p", "-u", "-i", "-U", "-f"], &[], 0),
    wrapper("nsenter", &[], &["-t"], 0),
    wrapper("taskset", &["-a", "-c", "-p"], &[], 1),
    wrapper("chrt", &["-b", "-f", "-i", "-o", "-r"], &[], 1),
    wrapper("setpriv", &[], &[], 0),
    wrapper("setarch", &[], &[], 1),
    wrapper("linux64", &[], &[], 0),
    wrapper("prlimit", &[], &[], 0),
    wrapper("numactl", &[], &[], 0),
    wrapper("runuser", &[], &["-u"], 0),
    wrapper(
        "systemd-run",
        &["--user", "--scope", "-q", "-t", "-G"],
        &["-p", "-u"],
        0,
    ),
    wrapper("firejail", &[], &[], 0),
    wrapper("bwrap", &[], &[], 0),
    wrapper("fakeroot", &[], &[], 0),
    wrapper("ltrace", &[], &[], 0),
    wrapper("valgrind", &[], &[], 0),
    wrapper("xvfb-run", &["-a"], &[], 0),
    wrapper("dbus-run-session", &[], &[], 0),
    wrapper("torsocks", &[], &[], 0),
    wrapper("proxychains4", &["-q"], &["-f"], 0),
    wrapper("chronic", &[], &[], 0),
];

const SHELLS: [&str; 7] = ["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"];

/// Words that begin or part what a shell is built of: the grammar takes them for programs in places where it knows no
/// better, as behind `!`.
const RESERVED: [&str; 18] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "select", "function",
    "in", "{", "}", "!",
];

pub(super) fn is_reserved(words: &[Word]) -> bool {
    words.first().is_some_and(|word| RESERVED.contains(&word.text.as_str()))
}

/// The program's name without its path.
pub(super) fn program(words: &[Word]) -> &str {
    let name = words.first().map_or("", |word| word.text.as_str());
    name.rsplit('/').next().unwrap_or(name)
}

pub(super) fn is_shell(words: &[Word]) -> bool {
    SHELLS.contains(&program(words))
}

/// The commands in the arguments of the command that `words` are.
pub(super) fn carried(words: &[Word]) -> Vec<Carried<'_>> {
    let Some(arguments) = words.get(1..) else {
        return Vec::new();
    };
    let name = program(words);
    match name {
        _ if is_reserved(words) => vec![Carried::Words(arguments)],
        "eval" => text(arguments),
        "watch" => text(operands(arguments, &["-n", "-d", "-t"])),
        "trap" => text(&arguments[..arguments.len().min(1)]),
        "find" => executed(arguments),
        "su" | "script" | "sg" => script(arguments),
        "git" => run_by_git(arguments),
        _ if SHELLS.contains(&name) => script(arguments),
        _ => match WRAPPERS.iter().find(|wrapper| wrapper.name == name) {
            Some(wrapper) => wrapped(wrapper, words),
            None => Vec::new(),
        },
    }
}

/// The directory in which a command runs the one in its arguments, where it names one: `env -C src make`.
pub(super) fn led_to(words: &[Word]) -> Option<Word> {
    let name = program(words);
    // Short options that take no value may stand before one that does, in one word.
    let (short, flags) = match name {
        "env" => ('C', "i0v"),
        "sudo" => ('D', "AbEHiknPSs"),
        _ => return None,
    };
    let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.name == name)?;
    let are_flags = |taken: &str| taken.chars().all(|c| flags.contains(c));
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest
        .next()
        .filter(|word| word.text.starts_with('-') || word.text.contains('='))
    {
        let text = word.text.as_str();
        let value = |text: &str| Word {
            text: text.to_string(),
            ..word.clone()
        };
        // Any beginning of a long option that no other has stands for it.
        match text.split_once('=') {
            Some((option, to)) if option.starts_with("--ch") => return Some(value(to)),
            None if text.starts_with("--ch") => return rest.next().cloned(),
            _ => {}
        }
        match text.strip_prefix('-').and_then(|flags| flags.split_once(short)) {
            Some((taken, "")) if are_flags(taken) => return rest.next().cloned(),
            Some((taken, to)) if are_flags(taken) => return Some(value(to)),
            _ if wrapper.valued.contains(&text) => drop(rest.next()),
            _ => {}
        }
    }
    None
}

/// What an option of `env` says to take apart: `-S 'make all'`, `-Smake`, `--split-string=make`.
fn split(option: &str) -> Option<&str> {
    if option.starts_with("--s") {
        return Some(option.split_once('=').map_or("", |(_, text)| text));
    }
    let (flags, text) = option.strip_prefix('-')?.split_once('S')?;
    flags.chars().all(|c| "i0v".contains(c)).then_some(text)
}

fn text(words: &[Word]) -> Vec<Carried<'_>> {
    if words.is_empty() {
        return Vec::new();
    }
    let whole: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let known = words.iter().all(|word| word.known);
    vec![Carried::Text(whole.join(" "), known)]
}

fn operands<'w>(words: &'w [Word], valued: &[&str]) -> &'w [Word] {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.text.starts_with('-')) {
        at += 1 + usize::from(valued.contains(&word.text.as_str()));
    }
    words.get(at..).unwrap_or_default()
}

/// `bash -lc 'text'`: the first word behind `-c` that is no option.
fn script(words: &[Word]) -> Vec<Carried<'_>> {
    let has_c = |word: &Word| {
        let short = word.text.starts_with('-') && !word.text.starts_with("--");
        (short && word.text.contains('c')) || word.text == "--command"
    };
    let Some(at) = words.iter().position(has_c) else {
        return Vec::new();
    };
    let rest = operands(&words[at + 1..], &["-o", "-O", "+o", "+O"]);
    text(&rest[..rest.len().min(1)])
}

/// What verbs of git run: `git rebase -x 'make'`, `git submodule foreach 'make'`, `git bisect run make`.
fn run_by_git(arguments: &[Word]) -> Vec<Carried<'_>> {
    let at = |name: &str| arguments.iter().position(|word| word.text == name);
    if let Some(from) = at("bisect").filter(|from| arguments.get(from + 1).is_some_and(|word| word.text == "run")) {
        return vec![Carried::Words(&arguments[from + 2..])];
    }
    if let Some(from) = at("submodule").and_then(|_| at("foreach")) {
        return text(operands(&arguments[from + 1..], &[]));
    }
    if at("rebase").is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (from, word) in arguments.iter().enumerate() {
        let name = word.text.as_str();
        match name.split_once('=') {
            Some((option, value)) if option.len() > 3 && "--exec".starts_with(option) => {
                found.push(Carried::Text(value.to_string(), word.known));
            }
            None if name == "-x" || (name.len() > 3 && "--exec".starts_with(name)) => {
                found.extend(text(arguments.get(from + 1..from + 2).unwrap_or_default()));
            }
            None if name.starts_with("-x") => found.push(Carried::Text(name[2..].to_string(), word.known)),
            Some(_) | None => {}
        }
    }
    found
}

fn executed(words: &[Word]) -> Vec<Carried<'_>> {
    let starts = |word: &Word| ["-exec", "-execdir", "-ok", "-okdir"].contains(&word.text.as_str());
    let commands = words
        .iter()
        .enumerate()
        .filter(|(_, word)| starts(word))
        .map(|(at, _)| {
            let rest = &words[at + 1..];
            let end = rest.iter().position(|word| word.text == ";" || word.text == "+");
            Carried::Words(&rest[..end.unwrap_or(rest.len())])
        });
    commands.collect()
}

fn wrapped<'w>(wrapper: &Wrapper, words: &'w [Word]) -> Vec<Carried<'w>> {
    let mut at = 1;
    let mut sure = true;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        let attached = |option: &&&str| text.starts_with(**option) && text.len() > option.len();
        if let Some(first) = split(text).filter(|_| wrapper.name == "env") {
            let rest = words[at + 1..].iter().map(|word| word.text.as_str());
            let whole: Vec<&str> = std::iter::once(first).chain(rest).collect();
            let known = words[at..].iter().all(|word| word.known);
            return vec![Carried::Text(whole.join(" "), known)];
        }
        match text {
            "--" => {
                at += 1;
                break;
            }
            "-v" | "-V" if wrapper.name == "command" => return Vec::new(),
            _ if wrapper.flags.contains(&text) => at += 1,
            _ if wrapper.valued.contains(&text) => at += 2,
            _ if wrapper.valued.iter().any(|option| attached(&option)) => at += 1,
            _ if text.starts_with('-') && text.len() > 1 => {
                sure = false;
                at += 1;
            }
            _ if matches!(wrapper.name, "env" | "sudo") && text.contains('=') => at += 1,
            _ => break,
        }
    }
    let first = at + wrapper.operands;
    let rest = words.get(first..).unwrap_or_default();
    match (sure, wrapper.harmless) {
        (true, true) => vec![Carried::Harmless(rest)],
        (true, false) => vec![Carried::Words(rest)],
        // An option nobody here knows may take the next word: each of the next could be the command.
        (false, _) => (at..words.len().min(at + 6))
            .map(|from| Carried::Words(&words[from..]))
            .collect(),
    }
}
