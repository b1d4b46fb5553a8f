//! What a redirection holds beside its file: to the grammar all words behind it are files of it, to a shell all but the
//! first are arguments of the command.

use tree_sitter::Node;

/// The arguments that stand in a redirection, in their order.
pub(super) fn arguments<'t>(redirect: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = redirect.walk();
    match redirect.kind() {
        "file_redirect" => {
            let words = redirect.children_by_field_name("destination", &mut cursor);
            words.skip(1).collect()
        }
        "heredoc_redirect" => {
            let mut found = Vec::new();
            let mut more = cursor.goto_first_child();
            while more {
                match cursor.field_name() {
                    Some("argument") => found.push(cursor.node()),
                    Some("redirect") => found.extend(arguments(cursor.node())),
                    Some(_) | None => {}
                }
                more = cursor.goto_next_sibling();
            }
            found
        }
        _ => Vec::new(),
    }
}

/// The file that a redirection opens.
pub(super) fn file<'t>(redirect: Node<'t>) -> Option<Node<'t>> {
    redirect.child_by_field_name("destination")
}

/// The word behind `<<<` in `text`, of which the parser saw the last `<` alone.
pub(super) fn fed<'t>(redirect: Node<'t>, text: &str) -> Option<Node<'t>> {
    let mut cursor = redirect.walk();
    let mut marks = redirect.children(&mut cursor).filter(|child| child.kind() == "<");
    let is_fed = |mark: Node| text[..mark.end_byte()].ends_with("<<<");
    marks.any(is_fed).then(|| file(redirect)).flatten()
}

/// The command that arguments behind the redirections of `statement` belong to: the last of what stands before them.
pub(super) fn receiver<'t>(statement: Node<'t>) -> Option<Node<'t>> {
    let mut node = statement.child_by_field_name("body")?;
    loop {
        node = match node.kind() {
            "command" | "declaration_command" | "unset_command" => return Some(node),
            "redirected_statement" => node.child_by_field_name("body")?,
            "list" | "pipeline" | "negated_command" => {
                let last = u32::try_from(node.named_child_count()).ok()?.checked_sub(1)?;
                node.named_child(last)?
            }
            _ => return None,
        };
    }
}

/// Writing here leaves nothing.
pub(super) const QUIET: [&str; 4] = ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"];
