//! Which question the dialog in a terminal is about: an answer by key goes to whatever is shown.

use serde_json::Value;
use unicode_width::UnicodeWidthChar;

use crate::domain::call::telling;

use super::question::Question;

/// How much of what is asked is looked for: a dialog may cut what is longer. Of two questions that begin alike for so
/// long neither is recognised.
const LOOKED_FOR: usize = 120;

/// Rows of a dialog below its command.
const BELOW: usize = 2;

/// The question whose dialog is the last one on this screen, where that is certain. `begins` is what each dialog begins
/// with, and `shows` how many lines of a command there are in it, where a CLI cuts what is longer.
pub fn asked<'q>(
    screen: &str,
    (begins, shows): (&str, Option<usize>),
    open: impl Iterator<Item = &'q Question>,
) -> Option<&'q Question> {
    let dialog = &screen[screen.rfind(begins)? + begins.len()..];
    let lines: Vec<String> = dialog.lines().map(bare).filter(|line| !line.is_empty()).collect();
    let open: Vec<&Question> = open.collect();
    let told = |question: &&'q Question| (mark(question), *question);
    let is_shown = |(mark, question): &(String, &Question)| match command(question) {
        Some(_) => (0..lines.len()).any(|at| is_command(&lines[at..], mark)),
        None => !mark.is_empty() && lines.concat().contains(mark),
    };
    let shown: Vec<_> = open.iter().map(told).filter(is_shown).collect();
    if shown.is_empty() {
        let is_posed = open
            .iter()
            .any(|one| said(one).iter().any(|said| may_begin(said, begins)));
        return shows.filter(|_| !is_posed).and_then(|rows| cut(&lines, rows, &open));
    }
    let (most, question) = shown.iter().max_by_key(|(mark, _)| mark.len())?;
    // `a.rs` stands in `data.rs` too; any other word of a second question makes it uncertain.
    let certain = |(mark, other): &(String, &Question)| match mark == most {
        true => other.input == question.input,
        false => most.contains(mark.as_str()),
    };
    let others = || open.iter().filter(|other| other.input != question.input);
    // Text that another one brings may look like the beginning of a dialog.
    let poses = others().any(|other| said(other).iter().any(|said| may_begin(said, begins)));
    // Of a long one that is not recognised only the end may be shown.
    let is_seen = |other: &&Question| shown.iter().any(|(_, seen)| std::ptr::eq(*seen, *other));
    let hides = others().any(|other| !is_seen(other) && may_end_with(&said(other), most));
    (!poses && !hides && shown.iter().all(certain)).then_some(*question)
}

/// All that a dialog may show of a question.
fn said(question: &Question) -> Vec<&str> {
    fn add<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
        match value {
            Value::String(text) => texts.push(text),
            Value::Array(parts) => parts.iter().for_each(|part| add(part, texts)),
            Value::Object(parts) => parts.values().for_each(|part| add(part, texts)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut texts = vec![question.tool.as_str()];
    add(&question.input, &mut texts);
    texts
}

/// Whether a text that is drawn may look like the beginning of a dialog. How signs are drawn that steer a terminal, or that
/// take no place on it, is not known.
fn may_begin(text: &str, begins: &str) -> bool {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if text.contains(|c: char| steers(c) || is_unseen(c)) {
        return true;
    }
    let start = bare(begins);
    let ends_word = begins.ends_with(char::is_whitespace);
    let drawn: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !is_frame(*c)).collect();
    let is_start = |part: &[(usize, char)]| {
        let end = part.last().map_or(0, |(at, c)| at + c.len_utf8());
        let word_ends = text[end..].chars().next().is_none_or(is_frame);
        part.iter().map(|(_, c)| *c).eq(start.chars()) && (word_ends || !ends_word)
    };
    start.is_empty() || drawn.windows(start.chars().count()).any(is_start)
}

/// Whether one of these texts is so long that a dialog may show its end alone, and the mark of another stands in it.
fn may_end_with(texts: &[&str], mark: &str) -> bool {
    let is_long = |text: &&&str| text.trim().contains('\n') || text.len() > LOOKED_FOR;
    texts.iter().filter(is_long).any(|text| bare(text).contains(mark))
}

/// Characters that take no place on a screen.
fn is_unseen(c: char) -> bool {
    UnicodeWidthChar::width(c) == Some(0)
}

/// Whether a command begins with these lines and ends with one of them: it may be a part of another that was not heard of.
fn is_command(lines: &[String], mark: &str) -> bool {
    let first = lines.first().map_or("", |line| line.strip_prefix('$').unwrap_or(line));
    let mut text = String::new();
    for line in [first].into_iter().chain(lines.iter().skip(1).map(String::as_str)) {
        text.push_str(line);
        if text.len() >= mark.len() {
            let is_cut = mark.chars().count() == LOOKED_FOR;
            return !mark.is_empty() && (text == mark || is_cut && text.starts_with(mark));
        }
    }
    false
}

/// The question whose dialog shows so many lines of its longer command and no more, if no other begins alike. The command
/// of such a dialog stands behind a `$`.
fn cut<'q>(lines: &[String], rows: usize, open: &[&'q Question]) -> Option<&'q Question> {
    let at = lines.iter().position(|line| line.starts_with('$'))?;
    let is_it = |question: &&&Question| command(question).is_some_and(|text| is_cut(&lines[at..], text, rows));
    let mut found = open.iter().filter(is_it);
    let first = found.next()?;
    found.all(|other| other.input == first.input).then_some(*first)
}

/// Whether just the first lines of a longer command stand there, and below them no more than a dialog's choices.
fn is_cut(lines: &[String], command: &str, rows: usize) -> bool {
    let Some(next) = command.lines().nth(rows).map(bare) else {
        return false;
    };
    let told: String = command.lines().take(rows).map(bare).collect();
    let mut left = told.as_str();
    for (at, line) in lines.iter().enumerate() {
        let row = line.strip_prefix('$').filter(|_| at == 0).unwrap_or(line);
        match left.strip_prefix(row) {
            Some("") => {
                let below = &lines[at + 1..];
                return below.len() <= BELOW && below.first() != Some(&next);
            }
            Some(rest) => left = rest,
            None => return false,
        }
    }
    false
}

fn command(question: &Question) -> Option<&str> {
    question.input["command"].as_str().filter(|text| !text.contains(PATCH))
}

/// What stands in the dialog of a question and of no other: the command, or the name of the file or tool.
fn mark(question: &Question) -> String {
    let input = &question.input;
    let text = match command(question) {
        Some(command) => command.into(),
        None => patched(input["command"].as_str()).unwrap_or_else(|| telling(input)),
    };
    let is_path = text.contains('/') && !text.contains(char::is_whitespace);
    let told = match (is_path, text.rsplit('/').next()) {
        (true, Some(name)) if !name.is_empty() => name,
        _ if text.is_empty() => question.tool.rsplit("__").next().unwrap_or_default(),
        _ => &text,
    };
    bare(told).chars().take(LOOKED_FOR).collect()
}

const PATCH: &str = "*** Begin Patch";

/// The first file of a patch in the form of Codex.
fn patched(patch: Option<&str>) -> Option<String> {
    let files = patch?
        .lines()
        .filter_map(|line| line.strip_prefix("*** ")?.split_once(" File: "));
    files.map(|(_, path)| path.to_string()).next()
}

/// Without blanks and frames: a terminal breaks lines where it likes.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !is_frame(*c)).collect()
}

fn is_frame(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{2500}'..='\u{259f}' | '…')
}
