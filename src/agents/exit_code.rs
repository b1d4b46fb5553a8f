//! The code by which a command failed, where its CLI keeps it beside what the command printed.

/// What a command printed, with its code ahead of it, as Claude Code says it.
pub fn with_exit_code(code: Option<i64>, output: String) -> String {
    match code.filter(|code| *code != 0) {
        Some(code) if output.is_empty() => format!("Exit code {code}"),
        Some(code) => format!("Exit code {code}\n{output}"),
        None => output,
    }
}
