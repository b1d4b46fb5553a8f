//! An MCP server that wants a login: each agent CLI logs in by itself, in its own way.

/// What an answer holds that asks for one.
const SIGNS: [&str; 4] = ["401", "unauthorized", "auth required", "authorization"];

/// Why the tools of a server are not known; where it wants a login, how this CLI does that, or all of them.
pub(super) fn told(why: String, server: &str, llm: Option<&str>) -> String {
    let said = why.to_lowercase();
    if !SIGNS.iter().any(|sign| said.contains(sign)) {
        return why;
    }
    let way = match llm {
        Some("claude") => "type /mcp in the agent's terminal and choose it".into(),
        Some("gemini") => format!("type /mcp auth {server} in the agent's terminal"),
        Some("codex") => format!("run `codex mcp login {server}`"),
        Some("opencode") => format!("run `opencode mcp auth {server}`"),
        Some(_) | None => format!(
            "/mcp in Claude Code, /mcp auth {server} in Gemini CLI, `codex mcp login {server}`, `opencode mcp auth {server}`"
        ),
    };
    match llm {
        Some(_) => format!("it wants a login: {way}"),
        None => format!("it wants a login, which each CLI does in its own way: {way}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_that_is_wanted_is_told_as_the_cli_does_it() {
        let of = |llm| told("Send message error Auth required, when send".into(), "db", llm);
        assert_eq!(
            of(Some("gemini")),
            "it wants a login: type /mcp auth db in the agent's terminal"
        );
        assert_eq!(of(Some("codex")), "it wants a login: run `codex mcp login db`");
        assert!(of(None).contains("`opencode mcp auth db`"));
        assert_eq!(
            told("it did not answer within 10 s".into(), "db", None),
            "it did not answer within 10 s"
        );
    }
}
