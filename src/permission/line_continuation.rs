//! Lines that go on behind a backslash: a shell joins them before it reads what they say, so `g\⏎it` is one word.
//!
//! Whether a backslash does that depends on what it stands in. The parser says so twice: of the line as it is written, and
//! of the joined line again. Where the two differ, nobody can say what a shell makes of the line.

use std::borrow::Cow;

use tree_sitter::Tree;

use super::{leaf, parse};

const BREAK: &str = "\\\n";

/// A text as a shell reads it.
pub(super) struct Joined<'t> {
    pub text: Cow<'t, str>,
    pub tree: Tree,
    /// A shell joins the same lines.
    pub sure: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// A shell takes it out.
    Goes,
    /// In quotes, a comment or a quoted document it is text.
    Stays,
    Unclear,
}

/// The text and its tree, unless it is too much.
pub(super) fn read(text: &str) -> Option<Joined<'_>> {
    let tree = parse::parse(text)?;
    // To the grammar it goes on behind such a line end too; to a shell it does not.
    let sure = !text.contains("\\\r");
    let breaks: Vec<usize> = breaks(text).collect();
    if breaks.is_empty() {
        let text = Cow::Borrowed(text);
        return Some(Joined { text, tree, sure });
    }
    let mut joined = String::new();
    let mut places = Vec::new();
    let mut from = 0;
    for at in breaks {
        let stands = stands(&tree, text, at..at + 1);
        joined.push_str(&text[from..at]);
        places.push((joined.len(), stands));
        from = match stands {
            Stands::Goes => at + BREAK.len(),
            Stands::Stays | Stands::Unclear => at,
        };
    }
    joined.push_str(&text[from..]);
    let tree = parse::parse(&joined)?;
    let agrees = |(at, before): (usize, Stands)| match before {
        Stands::Goes if at == 0 || at >= joined.len() => true,
        Stands::Goes => stands(&tree, &joined, at - 1..at + 1) == Stands::Goes,
        Stands::Stays => stands(&tree, &joined, at..at + 1) == Stands::Stays,
        Stands::Unclear => false,
    };
    let sure = sure && places.into_iter().all(agrees);
    let text = Cow::Owned(joined);
    Some(Joined { text, tree, sure })
}

/// The text, and behind it once more with all lines joined: words of a line that cannot be taken apart may be either way.
pub(super) fn both(text: &str) -> Cow<'_, str> {
    match text.contains(BREAK) {
        true => Cow::Owned(format!("{text}\n{}", text.replace(BREAK, ""))),
        false => Cow::Borrowed(text),
    }
}

/// Where a backslash stands before the end of a line and none before it takes it away.
fn breaks(text: &str) -> impl Iterator<Item = usize> {
    let ends = text.match_indices(BREAK).map(|(at, _)| at);
    ends.filter(|at| {
        let before = &text[..*at];
        (before.len() - before.trim_end_matches('\\').len()).is_multiple_of(2)
    })
}

fn stands(tree: &Tree, text: &str, at: std::ops::Range<usize>) -> Stands {
    let mut node = tree.root_node().descendant_for_byte_range(at.start, at.end);
    let mut quoted = false;
    let mut document = false;
    let mut unclear = false;
    while let Some(here) = node {
        let raw = &text[here.byte_range()];
        match here.kind() {
            "raw_string" | "ansi_c_string" => quoted = true,
            "comment" => {
                quoted = true;
                unclear |= !begins_comment(&text[..here.start_byte()]);
            }
            "heredoc_body" => document = true,
            "heredoc_redirect" => quoted |= document && leaf::is_literal(raw),
            // Shells differ in what quotes mean there.
            "expansion" | "arithmetic_expansion" | "test_command" => unclear |= quoted || raw.contains(['\'', '#']),
            "command_substitution" if raw.starts_with('`') => unclear |= quoted || raw.contains(['\'', '#']),
            _ => {}
        }
        node = here.parent();
    }
    match quoted {
        _ if unclear => Stands::Unclear,
        true => Stands::Stays,
        false => Stands::Goes,
    }
}

/// Whether a `#` behind `before` begins a comment to every shell.
fn begins_comment(before: &str) -> bool {
    let above = before.strip_suffix([' ', '\t', '\n', ';', '&', '|', '(', ')']);
    before.is_empty() || above.is_some_and(|above| !above.ends_with('\\'))
}
