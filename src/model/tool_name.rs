//! A tool as it is called where a person reads: CLIs write an MCP server and its tool in one word.

use std::borrow::Cow;

use super::server::OURS;
use super::tool::is_own;

/// `open_dir · parlour` for `mcp__parlour__open_dir`. Where one line joins the two only parlour's own are known apart.
pub fn called(name: &str) -> Cow<'_, str> {
    let joined = name.strip_prefix("mcp_parlour_").or(name.strip_prefix("parlour_"));
    let ours = joined.filter(|tool| is_own(tool)).map(|tool| (OURS, tool));
    let rest = name.strip_prefix("mcp__").unwrap_or_default();
    // A foreign server's name may begin like ours.
    let is_ours = |(server, tool): &(&str, &str)| *server != OURS || is_own(tool);
    let apart = rest.split_once("__").filter(is_ours);
    let apart = apart.or_else(|| rest.rsplit_once("__").filter(is_ours));
    match apart.or(ours) {
        Some((server, tool)) if !server.is_empty() && !tool.is_empty() => format!("{tool} · {server}").into(),
        Some(_) | None => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_of_a_server_is_called_by_its_own_name_first() {
        let cases = [
            ("mcp__parlour__open_dir", "open_dir · parlour"),
            ("mcp__github__create_issue", "create_issue · github"),
            ("mcp_parlour_open_dir", "open_dir · parlour"),
            ("parlour_list_projects", "list_projects · parlour"),
            ("mcp_github_create_issue", "mcp_github_create_issue"),
            ("mcp____x", "mcp____x"),
            ("mcp__parlour__evil__run", "run · parlour__evil"),
            ("mcp__parlour__evil__open_dir", "open_dir · parlour__evil"),
            ("mcp__parlour__evil", "mcp__parlour__evil"),
            ("mcp_parlour_evil_run", "mcp_parlour_evil_run"),
            ("parlour_evil", "parlour_evil"),
            ("Bash", "Bash"),
        ];
        for (name, expected) in cases {
            assert_eq!(called(name), expected);
        }
    }
}
