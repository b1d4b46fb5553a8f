//! The parser of command lines, and how much of its work one line may take.
//!
//! The grammar is ambiguous and recovers from errors, and some lines take it time that grows with the square of their
//! length. What it is given and what it may read of it are bounded by counts, not by a clock: a line that goes beyond
//! them is one that cannot be taken apart, on every machine.

use std::cell::Cell;
use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

/// Longer lines are not read.
const LONGEST: usize = 8 << 10;

/// Marks that mean something to a shell: each may open what takes long to take apart. A pipe costs more than others.
const MOST_MARKS: usize = 1024;
const PIPE: usize = 8;

/// What the parser gets at a time, and how often: it reads a line again and again where it looks far ahead.
const PIECE: usize = 64;
const MOST_PIECES: usize = 1500;

/// How often it may say that it is still at work: each time stands for a hundred steps.
const MOST_STEPS: usize = 400;

/// The tree of a text, unless it is too much.
pub(super) fn parse(text: &str) -> Option<Tree> {
    if text.len() > LONGEST || weight(text) > MOST_MARKS || text.contains(is_control) {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let original = text;
    let text = shown(text);
    let (pieces, steps) = (Cell::new(0), Cell::new(0));
    let is_spent = || pieces.get() > MOST_PIECES || steps.get() > MOST_STEPS;
    let mut read = |at: usize, _| {
        pieces.set(pieces.get() + 1);
        match is_spent() {
            true => &[],
            false => text.get(at..).map_or(&[][..], |rest| &rest[..rest.len().min(PIECE)]),
        }
    };
    let mut check = |_: &ParseState| {
        steps.set(steps.get() + 1);
        match is_spent() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let options = ParseOptions::new().progress_callback(&mut check);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    tree.filter(|tree| !is_spent() && (original.is_ascii() || is_of_characters(tree, original)))
}

/// Whether each node begins and ends between characters. The parser sees bytes in their place, and may part them: behind a
/// backslash and a carriage return it takes the first byte alone.
fn is_of_characters(tree: &Tree, text: &str) -> bool {
    let mut cursor = tree.walk();
    loop {
        let range = cursor.node().byte_range();
        if !text.is_char_boundary(range.start) || !text.is_char_boundary(range.end) {
            return false;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return true;
            }
        }
    }
}

fn weight(text: &str) -> usize {
    let weigh = |byte: u8| match byte {
        b'|' => PIPE,
        b'&' | b';' | b'<' | b'>' | b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'!' | b'$' | b'`' | b'=' => 1,
        _ => 0,
    };
    text.bytes().map(weigh).sum()
}

/// The text as the parser gets it; places stay the same.
///
/// The grammar's scanner looks characters up in a C table that ends at 255, and others crash the whole engine. To a
/// shell they are letters like any other; a control character, which no text that is parsed may hold, stands for them.
/// Of the redirections the grammar takes some in few places only; simpler ones stand for these.
fn shown(text: &str) -> Vec<u8> {
    const SIMPLER: [(&[u8], &[u8]); 4] = [(b"<<<", b"  <"), (b"<>", b">>"), (b">&-", b">&0"), (b"<&-", b"<&0")];
    let mut bytes: Vec<u8> = text
        .bytes()
        .map(|byte| if byte.is_ascii() { byte } else { 1 })
        .collect();
    unnumber(&mut bytes);
    for (written, simpler) in SIMPLER {
        let mut from = 0;
        while let Some(at) = bytes[from..].windows(written.len()).position(|part| part == written) {
            from += at + written.len();
            bytes[from - written.len()..from].copy_from_slice(simpler);
        }
    }
    bytes
}

/// A redirection may name a variable for the number of its file, `{fd}>out`, which the grammar takes for a word, as it does
/// the number of `3<<<in`.
fn unnumber(bytes: &mut [u8]) {
    for at in 1..bytes.len() {
        let before = &bytes[..at];
        let from = match bytes[at] {
            b'<' | b'>' if before.ends_with(b"}") => {
                let open = before.iter().rposition(|byte| *byte == b'{');
                open.filter(|open| is_variable(&bytes[open + 1..at - 1]))
            }
            b'<' if bytes[at..].starts_with(b"<<<") => {
                let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit());
                Some(at - digits.count())
            }
            _ => None,
        };
        let Some(from) = from else { continue };
        let number = from..at;
        let begins = |at: usize| b" \t\n;|&()<>`".contains(&bytes[at]);
        if number.start == 0 || begins(number.start - 1) {
            bytes[number].fill(b' ');
        }
    }
}

/// A name, or an element: `fd`, `fds[0]`.
fn is_variable(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|byte| *byte == b'[').unwrap_or(bytes.len());
    let (name, element) = bytes.split_at(end);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == 1;
    let begins = name.first().is_some_and(|byte| !byte.is_ascii_digit());
    begins && name.iter().all(is_name) && (element.is_empty() || element.ends_with(b"]"))
}

fn is_control(c: char) -> bool {
    c.is_ascii_control() && !['\t', '\n', '\r'].contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_whose_characters_the_parser_parts_is_not_taken_apart() {
        assert!(parse("\\\r¡").is_none());
        assert!(parse("echo ¡ 修复 'é'").is_some());
    }
}
