//! What the grammar takes for plain text and a shell takes for commands: backticks in a document, in patterns, in what stands
//! in for a variable, or within others. Where such text stands, the line is one that cannot be taken apart.

use tree_sitter::Node;

/// Where a piece of a line stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Within {
    /// What stands in for a variable, or is cut off it: quotes and `#` do not mean there what they mean elsewhere.
    pub expansion: bool,
    /// A document whose end mark is quoted: it is text and nothing else.
    pub literal: bool,
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

/// Whether commands may hide in a node without parts, or, of a substitution in backticks, in what a shell reads only when
/// it has taken away the backslashes. `before` is the line up to it.
pub(super) fn hides_commands(node: Node, raw: &str, before: &str, within: Within) -> bool {
    match node.kind() {
        "command_substitution" => {
            raw.starts_with('`') && ["\\`", "\\$", "\\\\", "\\\""].iter().any(|part| raw.contains(part))
        }
        _ if node.child_count() > 0 || !node.is_named() => false,
        "heredoc_start" | "heredoc_end" => false,
        "heredoc_body" | "heredoc_content" => !within.literal && substitutes(raw, false),
        "raw_string" | "ansi_c_string" => within.expansion && substitutes(raw, false),
        "comment" => (within.expansion || is_escaped(before)) && substitutes(raw, true),
        "string_content" => substitutes(raw, false),
        _ => substitutes(raw, true),
    }
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
