//! The environment an agent starts with: its client's, less what would mislead it, plus what it needs of us.

use super::LaunchContext;
use super::adapter::Env;

/// Set by terminals, multiplexers, agents and git for the process they started: true there, false in our pane.
const MISLEADING: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PROJECT_DIR",
    "CODEX_CI",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_SESSION_ID",
    "CODEX_THREAD_ID",
    "CODEX_TOOL_CALL_ID",
    "COLUMNS",
    "GEMINI_CLI",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
    "LC_TERMINAL",
    "LC_TERMINAL_VERSION",
    "LINES",
    "OLDPWD",
    "OPENCODE",
    "OPENCODE_PID",
    "OPENCODE_SERVER_PASSWORD",
    "OPENCODE_SERVER_USERNAME",
    "VTE_VERSION",
];

const MISLEADING_FAMILIES: &[&str] = &["TMUX", "TERM_PROGRAM", "KITTY_", "GHOSTTY_", "PARLOUR_"];

/// Settings of the demo agent are the one family of ours that a person may export.
const KEPT_FAMILY: &str = "PARLOUR_DEMO_";

/// Credentials, proxies and provider settings stay.
pub fn scrubbed(env: &Env) -> Env {
    let misleads = |name: &str| {
        MISLEADING.contains(&name)
            || MISLEADING_FAMILIES
                .iter()
                .any(|family| name.starts_with(family) && !name.starts_with(KEPT_FAMILY))
    };
    let kept = env.iter().filter(|(name, _)| !misleads(name));
    let mut kept = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    keep_from_bare_repositories(&mut kept);
    kept
}

/// What every agent of a chat is told. Tokens travel here and in owner-only files, never in arguments.
pub(super) fn for_context(context: &LaunchContext) -> Env {
    let mut env = scrubbed(context.env);
    let ours = [
        ("TERM", "xterm-256color".to_string()),
        ("COLORTERM", "truecolor".to_string()),
        ("PWD", context.dir.display().to_string()),
        ("PARLOUR_CHAT", context.chat.id.to_string()),
        // What a person types in a shell is a person's word; `parlour` tells it from an agent's by this.
        ("PARLOUR_AGENT", context.chat.llm.clone()),
        ("PARLOUR_HOME", context.home.display().to_string()),
        ("PARLOUR_MCP_URL", context.mcp_url.to_string()),
        ("PARLOUR_TOKEN", context.token.to_string()),
    ];
    env.extend(ours.map(|(name, value)| (name.to_string(), value)));
    env.insert("PARLOUR_CHAT_NAME".into(), context.chat.name.clone());
    if let Some(port) = context.chat.port {
        env.insert("PARLOUR_PORT".into(), port.to_string());
    }
    env
}

/// A clone may bring a directory that looks like a bare repository, with settings that run programs: git is to take none
/// for one that nobody names. What the environment sets for git already stays.
fn keep_from_bare_repositories(env: &mut Env) {
    let set = env.get("GIT_CONFIG_COUNT").and_then(|count| count.parse().ok());
    let at: usize = set.unwrap_or(0);
    env.insert(format!("GIT_CONFIG_KEY_{at}"), "safe.bareRepository".into());
    env.insert(format!("GIT_CONFIG_VALUE_{at}"), "explicit".into());
    env.insert("GIT_CONFIG_COUNT".into(), (at + 1).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_takes_no_directory_for_a_bare_repository_and_keeps_what_it_is_told_else() {
        let pair = |(name, value): (&str, &str)| (name.to_string(), value.to_string());
        let mut env: Env = [
            ("GIT_CONFIG_COUNT", "1"),
            ("GIT_CONFIG_KEY_0", "user.name"),
            ("GIT_CONFIG_VALUE_0", "Ada"),
        ]
        .map(pair)
        .into();
        keep_from_bare_repositories(&mut env);
        let expected: Env = [
            ("GIT_CONFIG_COUNT", "2"),
            ("GIT_CONFIG_KEY_0", "user.name"),
            ("GIT_CONFIG_KEY_1", "safe.bareRepository"),
            ("GIT_CONFIG_VALUE_0", "Ada"),
            ("GIT_CONFIG_VALUE_1", "explicit"),
        ]
        .map(pair)
        .into();
        assert_eq!(env, expected);
    }

    #[test]
    fn what_would_mislead_an_agent_goes_and_the_rest_stays() {
        let gone = [
            "TMUX",
            "TMUX_PANE",
            "TERM_PROGRAM",
            "TERM_PROGRAM_VERSION",
            "KITTY_WINDOW_ID",
            "GHOSTTY_BIN_DIR",
            "VTE_VERSION",
            "CLAUDECODE",
            "CLAUDE_CODE_ENTRYPOINT",
            "CLAUDE_CODE_SESSION_ID",
            "CLAUDE_CODE_SSE_PORT",
            "CLAUDE_PROJECT_DIR",
            "CODEX_SANDBOX_NETWORK_DISABLED",
            "CODEX_THREAD_ID",
            "GIT_DIR",
            "GIT_WORK_TREE",
            "GIT_INDEX_FILE",
            "PARLOUR_CHAT",
            "PARLOUR_TOKEN",
        ];
        let kept = [
            "PATH",
            "HOME",
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_BASE_URL",
            "HTTPS_PROXY",
            "CLAUDE_CONFIG_DIR",
            "CLAUDE_CODE_USE_BEDROCK",
            "CODEX_HOME",
            "OPENAI_API_KEY",
            "GIT_AUTHOR_NAME",
            "GIT_SSH_COMMAND",
            "GIT_CONFIG_GLOBAL",
            "SSH_AUTH_SOCK",
            "LANG",
            "PARLOUR_DEMO_PACE_MS",
            "TERMINFO",
        ];
        let env: Env = gone
            .iter()
            .chain(&kept)
            .map(|name| (name.to_string(), "x".into()))
            .collect();
        let mut left: Vec<_> = scrubbed(&env).into_keys().collect();
        left.sort();
        let mut expected: Vec<_> = kept.map(String::from).into();
        expected.extend(["COUNT", "KEY_0", "VALUE_0"].map(|name| format!("GIT_CONFIG_{name}")));
        expected.sort();
        assert_eq!(left, expected);
    }
}
