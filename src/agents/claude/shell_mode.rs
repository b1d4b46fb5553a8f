//! Commands that a person types into Claude Code behind a `!`. The CLI runs them itself, tells no hook of them, and writes
//! both lines of one under the id of the prompt before it.

use serde_json::json;

use crate::model::Happened;
use crate::model::entry::ToolStatus;

const COMMAND: (&str, &str) = ("<bash-input>", "</bash-input>");
const OUTPUT: (&str, &str) = ("<bash-stdout>", "</bash-stdout>");
const ERRORS: (&str, &str) = ("<bash-stderr>", "</bash-stderr>");

/// The command, or what came of it, where the words of a line are one of these. The output follows the line of its command.
pub(super) fn told(line: &str, parent: &str, said: &str) -> Option<Happened> {
    if said.starts_with(COMMAND.0) {
        return Some(Happened::ToolStart {
            id: line.into(),
            name: "Bash".into(),
            input: json!({"command": within(said, COMMAND)?, "description": "Typed behind a ! in its terminal"}),
            dir: None,
            parent: None,
        });
    }
    if !said.starts_with(OUTPUT.0) && !said.starts_with(ERRORS.0) {
        return None;
    }
    let parts = [OUTPUT, ERRORS].map(|tag| within(said, tag).unwrap_or_default().trim_end());
    let output: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    // Whether it failed is not told.
    let id = parent.to_owned();
    Some(Happened::tool_ended(id, ToolStatus::Ok, output.join("\n"), None))
}

fn within<'s>(said: &'s str, (begins, ends): (&str, &str)) -> Option<&'s str> {
    let (_, rest) = said.split_once(begins)?;
    Some(rest.rsplit_once(ends).map_or(rest, |(within, _)| within))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_and_its_output_are_one_call() {
        let begun = told("a", "before", "<bash-input>echo 1; ls</bash-input>");
        assert!(
            matches!(&begun, Some(Happened::ToolStart { id, input, .. }) if id == "a" && input["command"] == "echo 1; ls"),
            "{begun:?}"
        );
        let ended = told(
            "b",
            "a",
            "<bash-stdout>1\nx\n</bash-stdout><bash-stderr>oh\n</bash-stderr>",
        );
        assert_eq!(
            ended,
            Some(Happened::tool_ended(
                "a".to_owned(),
                ToolStatus::Ok,
                "1\nx\noh".to_owned(),
                None
            ))
        );
        assert_eq!(told("c", "b", "a person says <bash-input>"), None);
    }
}
