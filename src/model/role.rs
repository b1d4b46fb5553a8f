//! A role: a named set of instructions that a chat is started with, and what it wants of its agent.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::settings::PermissionSettings;

/// The role of a repository's `@main`.
pub const ORCHESTRATOR: &str = "orchestrator";

/// The role of who works on a branch of its own.
pub const WORKER: &str = "worker";

/// The role of who gives a second opinion.
pub const REVIEWER: &str = "reviewer";

/// As a chat's record keeps it: what was true when the chat was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Role {
    pub name: String,
    /// One line, for lists.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The agent CLI of a chat that names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llm: Option<String>,
    /// As the agent CLI calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Beside those of `config.json`.
    #[serde(default)]
    pub permissions: PermissionSettings,
    /// Markdown.
    pub text: String,
}

/// Whose word a role is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authority {
    /// Shipped, or the user's own.
    Person,
    /// It came with a repository: it may ask for less freedom and not for more.
    Repository,
}

/// A role as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleEntry {
    pub name: String,
    pub description: String,
    /// The agent CLI that it wants.
    pub llm: Option<String>,
    pub model: Option<String>,
    pub from: RoleFrom,
    /// Its file; a shipped one has none.
    pub path: Option<PathBuf>,
    /// Why it cannot be taken up, in words.
    pub damage: Option<String>,
}

/// Where a role comes from; the first of these goes before those behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoleFrom {
    Repository,
    User,
    Shipped,
}

impl RoleFrom {
    pub fn word(self) -> &'static str {
        match self {
            RoleFrom::Repository => "repository",
            RoleFrom::User => "user",
            RoleFrom::Shipped => "shipped",
        }
    }
}

impl Role {
    pub fn under(mut self, authority: Authority) -> Role {
        if authority == Authority::Repository {
            self.permissions.allow.clear();
        }
        self
    }
}
