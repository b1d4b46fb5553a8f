//! The agents that have an adapter of their own: what the rest of parlour has to know of each by name.

/// One of them.
pub struct BuiltIn {
    /// What `llm` says. No custom agent can have it.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Directories that it keeps in a chat or a project. It runs what is written there, and what lies there is nobody's
    /// work.
    pub folders: &'static [&'static str],
    /// Whether it becomes the default where it is installed.
    pub can_be_default: bool,
}

static BUILT_IN: [BuiltIn; 9] = [
    agent("claude", "Claude Code", &[".claude"]),
    agent("codex", "Codex CLI", &[".codex"]),
    agent("gemini", "Gemini CLI", &[".gemini"]),
    agent("opencode", "OpenCode", &[".opencode"]),
    agent("cursor", "Cursor", &[".cursor"]),
    agent("cline", "Cline", &[".cline", ".clinerules"]),
    // Only its files are known.
    no_default("windsurf", "Windsurf", &[".windsurf", ".codeium"]),
    // Neither does anybody's work.
    no_default("shell", "Shell", &[]),
    no_default("demo", "Demo agent", &[]),
];

const fn agent(name: &'static str, title: &'static str, folders: &'static [&'static str]) -> BuiltIn {
    BuiltIn {
        name,
        title,
        folders,
        can_be_default: true,
    }
}

const fn no_default(name: &'static str, title: &'static str, folders: &'static [&'static str]) -> BuiltIn {
    BuiltIn {
        can_be_default: false,
        ..agent(name, title, folders)
    }
}

pub fn names() -> [&'static str; 9] {
    BUILT_IN.each_ref().map(|agent| agent.name)
}

fn named(llm: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|agent| agent.name == llm)
}

pub fn is_built_in(llm: &str) -> bool {
    named(llm).is_some()
}

/// What people call an agent; a custom one goes by its own name.
pub fn title_of(llm: &str) -> &str {
    named(llm).map_or(llm, |agent| agent.title)
}

/// Whether it becomes the default where it is installed, as each custom one may.
pub fn can_be_default(llm: &str) -> bool {
    named(llm).is_none_or(|agent| agent.can_be_default)
}

/// The directories that these agents keep in a chat or a project.
pub fn folders() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().flat_map(|agent| agent.folders.iter().copied())
}
