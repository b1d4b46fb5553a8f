//! Commands of Gemini CLI's own, as its menu has them.

use crate::agents::commands::{OwnCommand, Shows};

pub(super) const COMMANDS: &[OwnCommand] = &[
    (
        "/compress",
        "",
        "Free up context by summing the conversation up",
        Shows::Nothing,
    ),
    ("/clear", "", "Begin again with an empty context", Shows::Nothing),
    ("/stats", "[session|model|tools]", "What the session used", Shows::Page),
    ("/model", "", "Choose the model", Shows::Page),
    ("/memory", "show|add|reload", "What it remembers", Shows::Page),
    ("/plan", "", "Plan before anything is changed", Shows::Page),
    ("/init", "", "Write a GEMINI.md", Shows::Nothing),
    ("/rewind", "", "Go back to an earlier message", Shows::Page),
    ("/resume", "", "Another of its conversations", Shows::Page),
    ("/tools", "[desc]", "Its tools", Shows::Page),
    ("/mcp", "", "Its MCP servers", Shows::Page),
    ("/permissions", "", "What it may do here", Shows::Page),
    ("/auth", "", "Log in, or in another way", Shows::Page),
    ("/about", "", "Version, model, account", Shows::Page),
    ("/help", "", "All of its commands", Shows::Page),
];
