//! Commands that only read: which of them parlour lets pass, and what their words name.

use super::option_words::{has_option, is_short};
use super::path::CallPlace;
use super::redirect::QUIET;
use super::word::ShellWord;
use super::{program, subcommand};

/// Commands that only read, where all files they name lie in the agent's directory.
const READ: [&str; 22] = [
    "ls",
    "cat",
    "pwd",
    "head",
    "tail",
    "wc",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "find",
    "cd",
    "echo",
    "true",
    "which",
    "git status",
    "git log",
    "git diff",
    "git show",
    "git rev-parse",
    "git ls-files",
    "git branch",
];

/// The command that parlour lets pass, by its name in the list. `cloned` says that it runs at the top of a clone that
/// parlour made: in any other directory a repository that somebody brought may tell git what to run. Where links lead is
/// for whoever has the disk, but of what follows links on its own nobody could tell.
pub(super) fn allows(words: &[ShellWord], place: &CallPlace, cloned: bool) -> Option<&'static str> {
    let name = READ.iter().find(|start| program::begins(words, start))?;
    if name.starts_with("git ") && !cloned {
        return None;
    }
    let taken = words
        .iter()
        .map(|word| word.text.as_str())
        .skip(name.split(' ').count());
    let options: Vec<&str> = taken.collect();
    let none = |starts: &[&str]| {
        !options
            .iter()
            .any(|option| starts.iter().any(|start| option.starts_with(start)))
    };
    let harmless = match *name {
        "find" => {
            let runs = ["-exec", "-ok", "-delete", "-fprint", "-fls", "-files0"];
            none(&runs) && none(&["-follow"]) && !options.iter().any(|option| has_letters(option, &['L'], ""))
        }
        "ls" => !(has_option(words, &['R'], "--recursive") && (has_option(words, &['L'], "") || !none(&["--de"]))),
        "grep" | "egrep" | "fgrep" => {
            none(&["--de"])
                && !options
                    .iter()
                    .any(|option| *option == "--d" || has_letters(option, &['R', 'S'], "ABDdefm"))
        }
        "rg" => {
            none(&["--pre", "--hostname-bin", "--search-zip", "--follow"])
                && !options.iter().any(|option| has_letters(option, &['L', 'z'], RG))
        }
        "wc" => none(&["--f"]),
        "git branch" => match options.split_first() {
            Some((&"--list" | &"-l", rest)) => rest
                .iter()
                .all(|o| !o.starts_with('-') || ["-a", "-r", "-v", "-vv", "--all"].contains(o)),
            Some((&"--show-current" | &"-a" | &"-r" | &"-v" | &"-vv", rest)) => rest.is_empty(),
            Some(_) => false,
            None => true,
        },
        // git takes any beginning of `--output`. Without the index it reads what is there, also behind links.
        _ if name.starts_with("git ") => none(&["--ou", "--no-in"]) && !options.contains(&"--no-i"),
        "cd" => options.len() == 1 && !options[0].starts_with('-'),
        _ => true,
    };
    // A file may be called `-delete`: where an option can do harm, no `*` may bring it in.
    let globs = words.iter().any(|word| word.globs) && (*name == "find" || *name == "rg" || name.starts_with("git "));
    let inside = words.iter().skip(1).all(|word| stays_inside(&word.text, place));
    (harmless && !globs && inside && place.holds(".")).then_some(name)
}

/// Letters behind which the rest of a word is a value.
const GREP: &str = "ABCDdefm";
const RG: &str = "ABCEMTdefgjmrt";

/// Whether one of these letters is among the short options in a word.
fn has_letters(word: &str, letters: &[char], valued: &str) -> bool {
    let flags = word.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
    let mut flags = flags
        .unwrap_or_default()
        .chars()
        .take_while(|flag| !valued.contains(*flag));
    flags.any(|flag| letters.contains(&flag))
}

/// Whether a command that names no file reads all that lies where it runs.
pub(super) fn opens_all(words: &[ShellWord]) -> bool {
    ["ls", "find", "rg"].contains(&program::of(words)) && opens(words).is_empty()
}

/// The words that name files or directories that are read. `grep` takes a pattern first; where an option of it may name
/// a file, that counts.
pub(super) fn opens(words: &[ShellWord]) -> Vec<&ShellWord> {
    let name = program::of(words);
    if name == "find" {
        let is_path = |word: &&ShellWord| !word.text.starts_with(['-', '(', '!']);
        return words.iter().skip(1).take_while(is_path).collect();
    }
    // What takes a number, and all short options that take anything.
    let (numbered, valued) = match name {
        "cat" | "wc" | "ls" => ("", ""),
        "head" | "tail" => ("nc", "ncs"),
        "grep" | "egrep" | "fgrep" => ("ABCm", GREP),
        "rg" => ("ABCm", RG),
        _ => return Vec::new(),
    };
    let matches = numbered.contains('m');
    let skipped = usize::from(matches && !words.iter().any(gives_pattern));
    let mut operands = Vec::new();
    let mut named = Vec::new();
    let mut taken = false;
    let mut rest = words.iter().skip(1).peekable();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if text == "--" {
            operands.extend(rest);
            break;
        } else if !text.starts_with('-') {
            operands.push(word);
        } else if matches && is_short(word) && text.contains(['f', 'R']) {
            named.push(word);
        }
        // Only a number is passed over, and only where no option before this one may have taken it for a value.
        let counts = text.len() == 2 && is_short(word) && text.ends_with(|c| numbered.contains(c));
        if counts && !taken {
            rest.next_if(|word| word.text.chars().all(|c| c.is_ascii_digit()));
        }
        taken = match text.strip_prefix("--") {
            Some(option) => !option.contains('='),
            None => !counts && is_short(word) && text.ends_with(|c| valued.contains(c)),
        };
    }
    operands.into_iter().skip(skipped).chain(named).collect()
}

/// Whether these words are of a command whose operands are files to read.
pub(super) fn reads(words: &[ShellWord]) -> bool {
    READ.iter().any(|start| subcommand::begins(words, start))
}

/// Whether no reading of a word, as a path or as an option with a path in it, leads out of the agent's directory.
fn stays_inside(word: &str, place: &CallPlace) -> bool {
    always(word, |path| place.holds(path))
}

/// Whether no reading of a word leads out of what the agent may write.
pub(super) fn stays_writable(word: &str, place: &CallPlace) -> bool {
    always(word, |path| place.may_write(path))
}

fn always(word: &str, is_so: impl Fn(&str) -> bool) -> bool {
    let object = word.split_once(':').map_or("", |(_, path)| path);
    let mut paths = readings(word).chain([object]);
    paths.all(|path| is_so(path) || QUIET.contains(&path)) && (word.len() <= WIDEST || !word.starts_with('-'))
}

/// Options in one word that anybody writes are shorter, with the path of a file behind them.
const WIDEST: usize = 512;

/// A word as a path, and what is in it behind a `=` and behind each letter that may be an option.
fn readings(word: &str) -> impl Iterator<Item = &str> {
    let value = word.split_once('=').map(|(_, value)| value);
    let is_short = word.starts_with('-') && !word.starts_with("--") && word.len() <= WIDEST;
    let letters = if is_short { word } else { "" };
    let behind = letters.char_indices().skip(2).map(|(at, _)| &word[at..]);
    std::iter::once(word).chain(value).chain(behind)
}

/// Where the pattern of a search stands among its words, where that is sure: no option gives one, and all words with a dash are
/// options.
fn pattern(words: &[ShellWord]) -> Option<usize> {
    let gives = |word: &ShellWord| word.text == "--" || gives_pattern(word);
    if !["grep", "egrep", "fgrep", "rg"].contains(&program::of(words)) || words.iter().any(gives) {
        return None;
    }
    (1..words.len()).find(|at| !words[*at].text.starts_with('-'))
}

/// With a pattern that an option gives, or may give, all other words are files.
fn gives_pattern(word: &ShellWord) -> bool {
    word.text.starts_with('-') && word.text.contains(['e', 'f'])
}

/// What the words of a command may name on the disk, each way they can be read.
pub(super) fn touches(words: &[ShellWord]) -> impl Iterator<Item = ShellWord> {
    let name = program::of(words);
    // What is only printed names no file, unless a shell finds one for it.
    let prints = ["echo", "true", "pwd", "which"].contains(&name);
    // A shell may be told that these make a pattern too. To others they mean something of their own.
    let counts = !["git", "grep", "egrep", "fgrep", "rg"].contains(&name);
    let may_glob = move |text: &str| {
        let is_path = counts || (name != "git" && text.contains('/'));
        is_path && !prints && text.contains(['^', '#', '~'])
    };
    let read = move |word: &ShellWord, text: &str| ShellWord {
        text: text.to_string(),
        globs: word.globs || may_glob(text),
        ..word.clone()
    };
    let pattern = pattern(words);
    let named = words.iter().enumerate().skip(1);
    let named = named.filter(move |(at, word)| word.globs || (Some(*at) != pattern && !prints));
    named.flat_map(move |(_, word)| {
        let paths = readings(&word.text).filter(|path| !QUIET.contains(path));
        let all: Vec<ShellWord> = paths.map(|path| read(word, path)).collect();
        all
    })
}
