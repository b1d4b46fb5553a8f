//! What the grammar takes for plain text and a shell takes for commands: backticks in a document, in patterns, in what stands
//! in for a variable, or within others. Where these cannot be told, the line is one that cannot be taken apart.

use tree_sitter::Node;

use super::backtick::{self, Quotes};

/// Where a piece of a line stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Within {
    /// What stands in for a variable, or is cut off it: quotes and `#` do not mean there what they mean elsewhere.
    pub expansion: bool,
    /// A document whose end mark is quoted: it is text and nothing else.
    pub literal: bool,
    /// A document whose commands are told as a whole.
    pub told: bool,
}

impl Within {
    /// Where the pieces of `node` stand, of which this is the text.
    pub fn enter(self, node: Node, raw: &str) -> Within {
        match node.kind() {
            "expansion" => Within {
                expansion: true,
                ..self
            },
            "command_substitution" | "process_substitution" => Within::default(),
            "heredoc_body" => Within {
                told: !self.literal && document(raw).is_some(),
                ..self
            },
            "heredoc_redirect" => Within {
                literal: is_literal(raw),
                ..self
            },
            _ => self,
        }
    }
}

/// Whether the end mark of a document is quoted, of which this is the text from its `<<` on.
pub(super) fn is_literal(document: &str) -> bool {
    let mark = document.split_once("<<").map_or("", |(_, rest)| rest);
    let mark = mark.strip_prefix('-').unwrap_or(mark).trim_start_matches([' ', '\t']);
    let ends = |c: char| c.is_whitespace() || ";|&<>()".contains(c);
    let end = mark.find(ends).unwrap_or(mark.len());
    mark[..end].contains(['\'', '"', '\\'])
}

/// The commands that hide in a node without parts, or, of a substitution in backticks, in what a shell reads only when it
/// has taken away the backslashes. `None` where they cannot be told. `before` is the line up to it.
pub(super) fn hidden_commands(node: Node, raw: &str, before: &str, within: Within) -> Option<Vec<String>> {
    let unless = |hides: bool| (!hides).then(Vec::new);
    match node.kind() {
        "command_substitution" => {
            let escapes = raw.starts_with('`') && ["\\`", "\\$", "\\\\", "\\\""].iter().any(|part| raw.contains(part));
            match escapes {
                true => backtick::commands(raw, Quotes::Mean).filter(|commands| commands.len() == 1),
                false => Some(Vec::new()),
            }
        }
        // With parts, each of these is looked at.
        "heredoc_body" if !within.literal => document(raw).or_else(|| unless(node.child_count() == 0)),
        _ if node.child_count() > 0 || !node.is_named() || within.told => Some(Vec::new()),
        "heredoc_start" | "heredoc_end" => Some(Vec::new()),
        "heredoc_body" | "heredoc_content" if within.literal => Some(Vec::new()),
        "heredoc_content" | "string_content" => backtick::commands(raw, Quotes::Nothing),
        "raw_string" if within.expansion => backtick::commands(raw.trim_matches('\''), Quotes::Nothing),
        "raw_string" => Some(Vec::new()),
        "ansi_c_string" => unless(within.expansion && substitutes(raw, false)),
        "comment" => unless((within.expansion || is_escaped(before)) && substitutes(raw, true)),
        _ if within.expansion => backtick::commands(raw, Quotes::Mean),
        _ => unless(substitutes(raw, true)),
    }
}

/// The commands in backticks in a document that holds no others: there a variable does not part them.
fn document(body: &str) -> Option<Vec<String>> {
    backtick::commands(body, Quotes::Nothing)
}

/// Whether the blank before a `#` belongs to a word.
fn is_escaped(before: &str) -> bool {
    let word = before.strip_suffix([' ', '\t']).unwrap_or("");
    let backslashes = word.len() - word.trim_end_matches('\\').len();
    backslashes % 2 == 1
}

/// Whether a shell runs something to make text of this; outside of quotes also to make a file.
pub(super) fn substitutes(raw: &str, bare: bool) -> bool {
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', _) => drop(chars.next()),
            ('`', _) | ('$', Some('(')) => return true,
            ('<' | '>', Some('(')) if bare => return true,
            _ => {}
        }
    }
    false
}
