//! Commands of OpenCode's own, as its menu has them.

use crate::agents::commands::{OwnCommand, Shows};

pub(super) const COMMANDS: &[OwnCommand] = &[
    (
        "/compact",
        "",
        "Free up context by summing the conversation up",
        Shows::Nothing,
    ),
    ("/new", "", "Begin a new conversation", Shows::Nothing),
    ("/models", "", "Choose the model", Shows::Page),
    ("/agents", "", "Choose the agent", Shows::Page),
    (
        "/review",
        "[commit|branch|pr]",
        "Look for bugs in what changed",
        Shows::Nothing,
    ),
    ("/diff", "", "What changed", Shows::Page),
    (
        "/undo",
        "",
        "Take back the last prompt and what it changed",
        Shows::Nothing,
    ),
    ("/redo", "", "Bring back what was undone", Shows::Nothing),
    ("/init", "", "Write an AGENTS.md", Shows::Nothing),
    ("/sessions", "", "Another of its conversations", Shows::Page),
    ("/mcps", "", "Switch MCP servers", Shows::Page),
    ("/connect", "", "Log in to a provider", Shows::Page),
    ("/status", "", "What it is connected to", Shows::Page),
    ("/help", "", "All of its commands", Shows::Page),
];
