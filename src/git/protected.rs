//! Which files of a clone may not be saved for others, or only when the person says so.
//!
//! File systems take several spellings for one name, so names are compared as the most forgiving of them would.

use crate::fs;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Protection {
    None,
    /// Inside a git directory, by any spelling.
    Git,
    /// Unreadable for the person who would have to judge it.
    Hidden,
    /// Tells agents, editors or shells what to run.
    Agent,
}

/// Directories whose contents configure agents, editors or what runs on its own.
const FOLDERS: [&str; 17] = [
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    ".opencode",
    ".copilot",
    ".vscode",
    ".idea",
    ".zed",
    ".husky",
    ".github",
    ".devcontainer",
    ".direnv",
    ".mise",
    ".kiro",
    ".windsurf",
    ".roo",
];
/// Files that do.
const FILES: [&str; 39] = [
    "agents.md",
    "agents.override.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    "copilot-instructions.md",
    ".mcp.json",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    "opencode.json",
    "opencode.jsonc",
    ".envrc",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".inputrc",
    ".tmux.conf",
    ".vimrc",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".gitconfig",
    ".gitattributes",
    ".gitmodules",
    "mise.toml",
    ".mise.toml",
    ".pre-commit-config.yaml",
];

pub(super) fn protection(path: &str) -> Protection {
    let parts: Vec<String> = path.split(['/', '\\']).map(plain).collect();
    // Before what is merely hidden: an invisible character within `.git` is an attack, not an accident.
    if parts.iter().any(|part| is_git(part)) {
        return Protection::Git;
    }
    if path.chars().any(fs::is_hidden_char) {
        return Protection::Hidden;
    }
    let in_folder = parts.iter().any(|part| FOLDERS.contains(&part.as_str()));
    let is_file = parts.last().is_some_and(|name| FILES.contains(&name.as_str()));
    if in_folder || is_file {
        Protection::Agent
    } else {
        Protection::None
    }
}

/// As a file system that ignores case, invisible characters, streams and trailing dots or spaces would take it.
fn plain(part: &str) -> String {
    let visible: String = part.chars().filter(|c| !fs::is_hidden_char(*c)).collect();
    let name = visible.split(':').next().unwrap_or_default();
    name.trim_end_matches(['.', ' ']).to_lowercase()
}

fn is_git(part: &str) -> bool {
    let short = part
        .strip_prefix("git~")
        .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    part == ".git" || short
}
