//! Pieces of a line of which a rule may allow; every other one is left to somebody who can ask.

pub(super) fn is_plain(kind: &str) -> bool {
    const NODES: [&str; 14] = [
        "program",
        "list",
        "pipeline",
        "redirected_statement",
        "subshell",
        "command",
        "command_name",
        "concatenation",
        "word",
        "number",
        "raw_string",
        "string",
        "string_content",
        "file_redirect",
    ];
    const MARKS: [&str; 17] = [
        "file_descriptor",
        ";",
        "&&",
        "||",
        "|",
        "|&",
        "&",
        "\n",
        "(",
        ")",
        "\"",
        ">",
        ">>",
        "<",
        ">&",
        "&>",
        "&>>",
    ];
    NODES.contains(&kind) || MARKS.contains(&kind)
}
