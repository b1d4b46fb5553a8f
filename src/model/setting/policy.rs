//! When an agent CLI asks before it acts: the setting of its own that the screen offers beside the file that has it.

use std::path::Path;

/// What `llm-defaults` can say of it for one CLI.
#[derive(Debug, PartialEq, Eq)]
pub struct ApprovalPolicy {
    /// The file that has it, below the home.
    file: &'static str,
    /// The keys that lead to it there.
    pub way: &'static [&'static str],
    /// What it may be, and what that means.
    pub words: &'static [(&'static str, &'static str)],
    pub holds: PolicyHolds,
}

/// Where another word counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyHolds {
    /// The file is laid into each chat as that is made.
    NewChats,
    /// It is read at each start of an agent.
    NextStart,
    /// Nowhere: parlour's rules say when the CLI asks.
    ByRules,
}

impl PolicyHolds {
    pub fn words(self) -> &'static str {
        match self {
            PolicyHolds::NewChats => "chats that are made from now on",
            PolicyHolds::NextStart => "every chat, from the next start of its agent on",
            PolicyHolds::ByRules => "no chat",
        }
    }
}

impl ApprovalPolicy {
    /// None of a file that says nothing of it, or whose word does not count.
    pub fn of(path: &Path) -> Option<&'static ApprovalPolicy> {
        TABLE.iter().find(|policy| Path::new(policy.file) == path)
    }

    /// As it is written in the file.
    pub fn name(&self) -> String {
        self.way.join(".")
    }
}

/// What asks about nothing at all is left out: a profile of a chat does that, within its directory.
const TABLE: &[ApprovalPolicy] = &[
    ApprovalPolicy {
        file: "llm-defaults/claude/settings.local.json",
        way: &["permissions", "defaultMode"],
        words: &[
            ("default", "asks before edits and commands"),
            ("acceptEdits", "edits files of its directory unasked"),
            ("plan", "only reads, until you agree to a plan"),
        ],
        holds: PolicyHolds::NewChats,
    },
    ApprovalPolicy {
        file: "llm-defaults/codex/config.toml",
        way: &["approval_policy"],
        words: &[
            ("untrusted", "asks before all but commands that only read"),
            ("on-request", "asks before it leaves its sandbox"),
            ("never", "asks nothing: what its sandbox forbids fails"),
        ],
        holds: PolicyHolds::NextStart,
    },
    ApprovalPolicy {
        file: "llm-defaults/gemini/settings.json",
        way: &["general", "defaultApprovalMode"],
        words: &[
            ("default", "asks before edits and commands"),
            ("auto_edit", "edits files unasked"),
            ("plan", "only reads"),
        ],
        holds: PolicyHolds::NewChats,
    },
    ApprovalPolicy {
        file: "llm-defaults/opencode/opencode.json",
        way: &["permission"],
        words: &[],
        holds: PolicyHolds::ByRules,
    },
];
