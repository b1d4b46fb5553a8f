//! Programs that run the command in their own arguments, and where in them it starts.

use std::borrow::Cow;

use super::carriers::{CARRIERS, Carrier, RUNNERS, SCRIPTS, Takes};
use super::word::ShellWord;
use super::xargs::{self, completed, marked};
use super::{aliases, option_words, program, subcommand, unknown_words, variable};

/// A command within a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CarriedCommand<'w> {
    /// Run as it stands by a program that adds nothing to it: who may run the one may run the other.
    Harmless(&'w [ShellWord]),
    /// Run with other rights, other arguments or in another place.
    Words(Cow<'w, [ShellWord]>),
    /// Run by a program whose subcommand does nothing else. A rule that names so many words means this too.
    Run(&'w [ShellWord], usize),
    /// Read by a shell, and whether the text is all known.
    Text(String, bool),
}

/// Words that begin or part what a shell is built of: the grammar takes them for programs in places where it knows no
/// better, as behind `!`.
const RESERVED: [&str; 18] = [
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "select", "function",
    "in", "{", "}", "!",
];

pub(super) fn is_reserved(words: &[ShellWord]) -> bool {
    words.first().is_some_and(|word| RESERVED.contains(&word.text.as_str()))
}

fn carrier(program: &str) -> Option<&'static Carrier> {
    CARRIERS.iter().find(|carrier| carrier.name == program)
}

/// The carriers that are subcommands, each with where its words end.
fn runners(words: &[ShellWord]) -> impl Iterator<Item = (&'static Carrier, usize)> {
    let ends = |carrier: &'static Carrier| {
        subcommand::ends_of(words, carrier.name)
            .into_iter()
            .map(move |end| (carrier, end))
    };
    RUNNERS.iter().flat_map(ends)
}

/// Whether what a program runs, or does, is said by the words behind it.
fn runs_more(program: &str) -> bool {
    let runs =
        || carrier(program).is_some() || program::letters(program).is_some() || unknown_words::has_verbs(program);
    runs() || ["source", ".", "-c", "then", "do", "else", "!"].contains(&program)
}

/// The commands in the arguments of the command that `words` are.
pub(super) fn carried(words: &[ShellWord]) -> Vec<CarriedCommand<'_>> {
    let Some(arguments) = words.get(1..) else {
        return Vec::new();
    };
    let name = program::of(words);
    let set = variable::settings(words).filter_map(variable::line);
    let mut found: Vec<CarriedCommand> = set.map(|(text, known)| CarriedCommand::Text(text, known)).collect();
    found.extend(match aliases::usual(name) {
        _ if is_reserved(words) => vec![CarriedCommand::Words(arguments.into())],
        "find" => executed(arguments, &["-exec", "-execdir", "-ok", "-okdir"]),
        "fd" => executed(arguments, &["-x", "-X", "--exec", "--exec-batch"]),
        "nix" => executed(arguments, &["-c", "--command"]),
        "git" => run_by_git(arguments),
        "parallel" => in_parallel(arguments),
        _ => match (program::letters(name), carrier(name)) {
            (Some(letters), _) => scripts(arguments, letters),
            (None, Some(carrier)) => taken(carrier, words, 1),
            (None, None) => runners(words)
                .flat_map(|(runner, end)| taken(runner, words, end))
                .collect(),
        },
    });
    found
}

/// What a carrier runs whose own words end at `end`.
fn taken<'w>(carrier: &Carrier, words: &'w [ShellWord], end: usize) -> Vec<CarriedCommand<'w>> {
    let behind = program::operands(&words[end..], carrier.valued);
    let rest = behind.get(carrier.operands..).unwrap_or_default();
    let mut found = match carrier.takes {
        Takes::Words => wrapped(carrier, words, end),
        Takes::Lines => text(rest),
        Takes::Line => text(&rest[..rest.len().min(1)]),
        Takes::Nothing => Vec::new(),
    };
    if carrier.scripted {
        found.extend(scripts(&words[1..], &['c']));
        found.extend(attached(&words[1..]));
    }
    found
}

/// The directory in which a command runs the one in its arguments, where it names one: `env -C src make`.
pub(super) fn led_to(words: &[ShellWord]) -> Option<ShellWord> {
    let name = program::of(words);
    // Short options that take no value may stand before one that does, in one word.
    let (short, flags) = match name {
        "env" => ('C', "i0v"),
        "sudo" => ('D', "AbEHiknPSs"),
        _ => return None,
    };
    let wrapper = carrier(name)?;
    let are_flags = |taken: &str| taken.chars().all(|c| flags.contains(c));
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest
        .next()
        .filter(|word| word.text.starts_with('-') || word.text.contains('='))
    {
        let text = word.text.as_str();
        let value = |text: &str| ShellWord {
            text: text.to_string(),
            ..word.clone()
        };
        // Any beginning of a long option that no other has stands for it.
        match text.split_once('=') {
            Some((option, to)) if option_words::is_option(option, "--chdir") => return Some(value(to)),
            None if option_words::is_option(text, "--chdir") => return rest.next().cloned(),
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

fn text(words: &[ShellWord]) -> Vec<CarriedCommand<'_>> {
    if words.is_empty() {
        return Vec::new();
    }
    let whole: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let known = words.iter().all(|word| word.known);
    vec![CarriedCommand::Text(whole.join(" "), known)]
}

/// The texts that a shell is given, of which these are the words.
pub(super) fn texts(words: &[ShellWord]) -> Vec<CarriedCommand<'static>> {
    let found = program::letters(program::of(words)).map_or_else(Vec::new, |letters| scripts(&words[1..], letters));
    let owned = |carried| match carried {
        CarriedCommand::Text(text, known) => Some(CarriedCommand::Text(text, known)),
        CarriedCommand::Harmless(_) | CarriedCommand::Words(_) | CarriedCommand::Run(..) => None,
    };
    found.into_iter().filter_map(owned).collect()
}

/// `bash -lc 'text'`, `fish --command='text'`: the first word behind each such option that is none, or what is in it.
fn scripts<'w>(words: &'w [ShellWord], letters: &[char]) -> Vec<CarriedCommand<'w>> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let (name, value) = match word.text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.text.as_str(), None),
        };
        let short = name.starts_with('-') && !name.starts_with("--") && name.contains(letters);
        let long = SCRIPTS.iter().any(|long| option_words::is_option(name, long));
        match value {
            Some(value) if long => found.push(CarriedCommand::Text(value.to_string(), word.known)),
            Some(_) | None if long || short => {
                let rest = program::operands(&words[at + 1..], &["-o", "-O", "+o", "+O"]);
                found.extend(text(&rest[..rest.len().min(1)]));
            }
            Some(_) | None => {}
        }
    }
    found
}

/// `su -c'text'`: to shells these would be further options.
fn attached(words: &[ShellWord]) -> impl Iterator<Item = CarriedCommand<'_>> {
    let short = |word: &&ShellWord| word.text.starts_with('-') && !word.text.starts_with("--");
    words.iter().filter(short).filter_map(|word| {
        let (_, text) = word.text.split_once('c')?;
        (!text.is_empty()).then(|| CarriedCommand::Text(text.to_string(), word.known))
    })
}

/// `parallel 'text' ::: a b`, and without a text each of what stands behind is one.
fn in_parallel(arguments: &[ShellWord]) -> Vec<CarriedCommand<'_>> {
    let valued = carrier("parallel").map_or(&[][..], |carrier| carrier.valued);
    let rest = program::operands(arguments, valued);
    let end = rest.iter().position(|word| word.text.starts_with(":::"));
    let (command, given) = rest.split_at(end.unwrap_or(rest.len()));
    let unknown = || vec![CarriedCommand::Text(String::new(), false)];
    match (command, given) {
        ([], [])
            if ["--version", "--help"]
                .iter()
                .any(|told| arguments.iter().any(|word| word.text == *told)) =>
        {
            Vec::new()
        }
        ([], [mark, lines @ ..]) if mark.text == ":::" => {
            lines.iter().flat_map(|word| text(std::slice::from_ref(word))).collect()
        }
        ([], _) => unknown(),
        (command, _) => {
            let known = command.iter().all(|word| word.known);
            let texts: Vec<&str> = command.iter().map(|word| word.text.as_str()).collect();
            let whole = texts.join(" ");
            let first = whole.split([' ', '\t']).next().unwrap_or_default();
            let first = first.rsplit('/').next().unwrap_or(first);
            let whole = match whole.contains('{') {
                true => marked(&whole, "{}", runs_more),
                false if runs_more(first) => whole + " $_",
                false => whole,
            };
            vec![CarriedCommand::Text(whole, known)]
        }
    }
}

/// What verbs of git run: `git submodule foreach 'make'`, `git bisect run make`.
fn run_by_git(arguments: &[ShellWord]) -> Vec<CarriedCommand<'_>> {
    let at = |name: &str| arguments.iter().position(|word| word.text == name);
    if let Some(from) = at("bisect").filter(|from| arguments.get(from + 1).is_some_and(|word| word.text == "run")) {
        return vec![CarriedCommand::Words(arguments[from + 2..].into())];
    }
    match at("submodule").and_then(|_| at("foreach")) {
        Some(from) => text(program::operands(&arguments[from + 1..], &[])),
        None => Vec::new(),
    }
}

fn executed<'w>(words: &'w [ShellWord], options: &[&str]) -> Vec<CarriedCommand<'w>> {
    let starts = |word: &ShellWord| options.contains(&word.text.as_str());
    let commands = words
        .iter()
        .enumerate()
        .filter(|(_, word)| starts(word))
        .map(|(at, _)| {
            let rest = &words[at + 1..];
            let end = rest.iter().position(|word| word.text == ";" || word.text == "+");
            CarriedCommand::Words(completed(&rest[..end.unwrap_or(rest.len())], Some("{}"), runs_more))
        });
    commands.collect()
}

fn wrapped<'w>(wrapper: &Carrier, words: &'w [ShellWord], end: usize) -> Vec<CarriedCommand<'w>> {
    let mut at = end;
    let mut sure = true;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        let attached = |option: &&&str| text.starts_with(**option) && text.len() > option.len();
        if let Some(first) = split(text).filter(|_| wrapper.name == "env") {
            let rest = words[at + 1..].iter().map(|word| word.text.as_str());
            let whole: Vec<&str> = std::iter::once(first).chain(rest).collect();
            let known = words[at..].iter().all(|word| word.known);
            return vec![CarriedCommand::Text(whole.join(" "), known)];
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
    let mark = xargs::mark(&words[1..at.min(words.len())]);
    // What it reads may also be nothing.
    let given = |words: &'w [ShellWord]| {
        let completed = wrapper.fed.then(|| completed(words, mark, runs_more));
        let completed = completed.filter(|words| matches!(words, Cow::Owned(_)));
        [Some(words.into()), completed]
            .into_iter()
            .flatten()
            .map(CarriedCommand::Words)
    };
    // Braces make several words of one: the command may begin in them.
    let braces = |word: &ShellWord| !word.known && word.text.contains('{');
    if words[1..first.min(words.len())].iter().any(braces) {
        return [CarriedCommand::Text(String::new(), false)]
            .into_iter()
            .chain(given(rest))
            .collect();
    }
    if end > 1 {
        let further = if sure { 1 } else { 6 };
        let starts = first..words.len().min(first + further);
        return starts.map(|from| CarriedCommand::Run(&words[from..], end)).collect();
    }
    match (sure, wrapper.harmless) {
        (true, true) => vec![CarriedCommand::Harmless(rest)],
        (true, false) => given(rest).collect(),
        // An option nobody here knows may take the next word: each of the next could be the command.
        (false, _) => (at..words.len().min(at + 6))
            .flat_map(|from| given(&words[from..]))
            .collect(),
    }
}
