//! Which question the dialog in a terminal is about: an answer by key goes to whatever is shown.

use crate::domain::call::telling;

use super::question::Question;

/// How much of what is asked is looked for: a dialog may cut what is longer. Of two questions that begin alike for so
/// long neither is recognised.
const LOOKED_FOR: usize = 120;

/// The question whose dialog is the last one on this screen, where that is certain.
pub fn asked<'q>(screen: &str, begins: &str, open: impl Iterator<Item = &'q Question>) -> Option<&'q Question> {
    let dialog = &screen[screen.rfind(begins)? + begins.len()..];
    let lines: Vec<String> = dialog.lines().map(bare).filter(|line| !line.is_empty()).collect();
    let told = |question: &'q Question| (mark(question), question);
    let is_shown = |(mark, question): &(String, &Question)| match command(question) {
        Some(_) => (0..lines.len()).any(|at| is_command(&lines[at..], mark)),
        None => !mark.is_empty() && lines.concat().contains(mark),
    };
    let shown: Vec<_> = open.map(told).filter(is_shown).collect();
    let (most, question) = shown.iter().max_by_key(|(mark, _)| mark.len())?;
    // `a.rs` stands in `data.rs` too; any other word of a second question makes it uncertain.
    let certain = |(mark, other): &(String, &Question)| match mark == most {
        true => other.input == question.input,
        false => most.contains(mark.as_str()),
    };
    shown.iter().all(certain).then_some(*question)
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
    let is_frame = |c: &char| c.is_whitespace() || matches!(c, '\u{2500}'..='\u{259f}' | '…');
    text.chars().filter(|c| !is_frame(c)).collect()
}
