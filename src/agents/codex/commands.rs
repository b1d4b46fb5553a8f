//! Commands of Codex CLI's own, as its menu has them.

use crate::agents::commands::{OwnCommand, Shows};

pub(super) const COMMANDS: &[OwnCommand] = &[
    (
        "/compact",
        "",
        "Sum the conversation up before its context is full",
        Shows::Nothing,
    ),
    ("/new", "", "Begin a new conversation", Shows::Nothing),
    ("/model", "", "Choose the model and how much it thinks", Shows::Page),
    ("/permissions", "", "What it may do", Shows::Page),
    ("/plan", "", "Plan before anything is changed", Shows::Nothing),
    ("/review", "", "Look for bugs in what changed", Shows::Page),
    ("/diff", "", "What is not committed, new files too", Shows::Page),
    ("/init", "", "Write an AGENTS.md", Shows::Nothing),
    ("/goal", "[goal]", "Set or see the goal of a long task", Shows::Page),
    ("/recap", "", "Sum the conversation up for you", Shows::Nothing),
    ("/mcp", "", "Its MCP tools", Shows::Page),
    ("/status", "", "Session, settings, tokens", Shows::Page),
    ("/resume", "", "Another of its conversations", Shows::Page),
    ("/logout", "", "Log out", Shows::Page),
];
