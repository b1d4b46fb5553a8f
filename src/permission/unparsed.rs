//! A line that could not be taken apart, or not all of it: whatever a rule denies may stand anywhere in it. Its words by
//! blanks and punctuation alone are looked at, and each of them may begin a command.
//!
//! What is found here denies and never allows.

use super::command_names::forms;
use super::interpreter;
use super::script::Simple;
use super::word::ShellWord;

/// Words that are looked at as one command.
const LONGEST: usize = 16;

/// Commands, stages of pipes and files of a line that are looked at.
const MOST: usize = 512;

/// Words of such a line that are looked at by themselves. No shell takes a longer one as an argument, where 128 KiB are the
/// most.
const MOST_LOOKED_AT: usize = 64 << 10;

pub(super) struct Unread {
    /// What may be commands.
    pub commands: Vec<Simple>,
    /// The words of those under each other name that they may go by.
    pub forms: Vec<Vec<ShellWord>>,
    /// Files that may be written to.
    pub writes: Vec<ShellWord>,
    /// Some output may be run as a program, and whether that may come from the network.
    pub pipes: Option<bool>,
    /// What is fetched may be run.
    pub runs_what_it_fetches: bool,
}

impl Unread {
    pub fn of(text: &str) -> Unread {
        let bare = without_redirections(text);
        let parts = [text, &bare].into_iter().flat_map(|text| text.split(ends_command));
        let commands: Vec<Simple> = parts.flat_map(commands).take(MOST).collect();
        let others = |simple: &Simple| forms(&simple.words).into_iter().skip(1);
        Unread {
            forms: commands.iter().flat_map(others).collect(),
            commands,
            writes: writes(text),
            pipes: pipes(text),
            runs_what_it_fetches: runs_what_it_fetches(text),
        }
    }
}

/// The words of a text by blanks and punctuation alone, and those again without what looks like a redirection between them.
pub(super) fn all_tokens(text: &str) -> Vec<String> {
    let bare = without_redirections(text);
    tokens(text)
        .into_iter()
        .chain(tokens(&bare))
        .map(str::to_string)
        .collect()
}

/// Each beginning at another word.
pub(super) fn from_each<T>(words: &[T]) -> impl Iterator<Item = &[T]> {
    (0..words.len()).map(|at| &words[at..words.len().min(at + LONGEST)])
}

fn commands(part: &str) -> Vec<Simple> {
    let simple = |words: &[ShellWord]| Simple {
        words: words.to_vec(),
        carries: false,
        within: 0..0,
        named: None,
    };
    from_each(&words(tokens(part))).take(MOST).map(simple).collect()
}

fn words(tokens: Vec<&str>) -> Vec<ShellWord> {
    tokens.into_iter().map(ShellWord::plain).collect()
}

fn writes(text: &str) -> Vec<ShellWord> {
    let behind = text.split('>').skip(1).take(MOST);
    let first = |rest: &str| {
        let rest = rest.trim_start_matches(['|', '&', ' ', '\t', '\'', '"']);
        rest.split(is_end).next().unwrap_or_default().to_string()
    };
    behind
        .map(first)
        .filter(|file| !file.is_empty())
        .map(ShellWord::plain)
        .collect()
}

/// Whether a part of a text may be such a command, from whichever word on.
fn may_be(part: &str, is: fn(&[ShellWord]) -> bool) -> bool {
    let words = words(tokens(part));
    from_each(&words).any(is)
}

fn pipes(text: &str) -> Option<bool> {
    let parts = |stage: &'_ str| -> Vec<String> { stage.split(ends_command).map(str::to_string).collect() };
    let mut fetched = false;
    let mut found = None;
    for (at, stage) in text.split('|').take(MOST).enumerate() {
        let parts = parts(stage);
        if at > 0 && parts.iter().any(|part| may_be(part, interpreter::runs_input)) {
            found = Some(found.unwrap_or(false) || fetched);
        }
        fetched |= parts.iter().any(|part| may_be(part, interpreter::fetches));
    }
    found
}

fn runs_what_it_fetches(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['(', '`']).take(MOST).collect();
    parts.windows(2).any(|pair| {
        let outer = pair[0].rsplit(ends_command).next().unwrap_or_default();
        let inner = pair[1].split(ends_command).next().unwrap_or_default();
        may_be(outer, interpreter::runs_arguments) && may_be(inner, interpreter::fetches)
    })
}

fn ends_command(c: char) -> bool {
    ";&|\n(){}`".contains(c)
}

fn is_end(c: char) -> bool {
    c.is_whitespace() || ";|&()`'\"$<>{}\\".contains(c)
}

fn tokens(text: &str) -> Vec<&str> {
    text.split(is_end)
        .filter(|word| !word.is_empty())
        .take(MOST_LOOKED_AT)
        .collect()
}

/// The text without its redirections, as far as blanks tell them.
fn without_redirections(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(without_redirection).collect();
    lines.join("\n")
}

fn without_redirection(line: &str) -> String {
    let mut kept = Vec::new();
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        let (head, file) = match word.split_once(['<', '>']) {
            // What follows is a command.
            Some((_, rest)) if rest.starts_with('(') => (word, None),
            Some((head, rest)) => (head, Some(rest.trim_start_matches(['<', '>', '&', '|']))),
            None => (word, None),
        };
        let is_variable = head.starts_with('{') && head.ends_with('}');
        if file.is_none() || (!is_variable && head.contains(|c: char| !c.is_ascii_digit() && c != '&')) {
            kept.push(head);
        }
        let file = match file {
            Some("") => words.next(),
            file => file,
        };
        kept.extend(file.and_then(behind));
    }
    kept.join(" ")
}

/// What stands behind a file's name without a blank between them, and ends its command.
fn behind(file: &str) -> Option<&str> {
    file.find(ends_command).map(|at| &file[at..])
}
