//! Commands of Claude Code's own, as its menu has them.

use crate::agents::commands::{OwnCommand, Shows};

pub(super) const COMMANDS: &[OwnCommand] = &[
    (
        "/compact",
        "[instructions]",
        "Free up context by summing the conversation up",
        Shows::Nothing,
    ),
    ("/clear", "", "Begin again with an empty context", Shows::Nothing),
    ("/context", "", "What fills the context", Shows::Page),
    ("/usage", "", "Costs, limits of the plan, activity", Shows::Page),
    ("/model", "[name]", "Choose the model", Shows::Page),
    ("/effort", "[level]", "How much it thinks", Shows::Page),
    ("/plan", "", "Plan before anything is changed", Shows::Nothing),
    (
        "/code-review",
        "",
        "Look for bugs in what is not committed",
        Shows::Nothing,
    ),
    (
        "/security-review",
        "",
        "Look for holes in what is not committed",
        Shows::Nothing,
    ),
    ("/init", "", "Write a CLAUDE.md", Shows::Nothing),
    ("/memory", "", "Files of its memory", Shows::Page),
    ("/rewind", "", "Go back to an earlier point", Shows::Page),
    ("/resume", "", "Another of its conversations", Shows::Page),
    ("/export", "", "Conversation to a file or the clipboard", Shows::Page),
    ("/permissions", "", "What its tools may do", Shows::Page),
    ("/mcp", "", "Its MCP servers", Shows::Page),
    ("/status", "", "Version, model, account, connection", Shows::Page),
    ("/login", "", "Log in, or in as somebody else", Shows::Page),
    ("/help", "", "All of its commands", Shows::Page),
];
