//! The tools of the agent CLIs by one name each, and what a call of them touches.

use serde_json::Value;

use super::braces;
use crate::model::called;
use crate::model::patch;
use crate::model::server::OURS;
use crate::model::tool;

/// What rules are about, whatever a CLI calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToolKind {
    Command,
    Read,
    Edit,
    Fetch,
    /// Known by its name alone.
    Other,
}

/// Name in a CLI, the name in rules, kind, and what a person sees it as. Claude Code, Codex, Gemini and OpenCode, in this order.
const TOOLS: [(&str, &str, ToolKind, Sort); 62] = [
    ("Bash", "Bash", ToolKind::Command, Sort::Bash),
    ("Read", "Read", ToolKind::Read, Sort::Read),
    ("NotebookRead", "Read", ToolKind::Read, Sort::Read),
    ("Grep", "Read", ToolKind::Read, Sort::Search),
    ("Glob", "Read", ToolKind::Read, Sort::Search),
    ("LS", "Read", ToolKind::Read, Sort::Search),
    ("Edit", "Edit", ToolKind::Edit, Sort::Edit),
    ("Write", "Edit", ToolKind::Edit, Sort::Write),
    ("MultiEdit", "Edit", ToolKind::Edit, Sort::Edit),
    ("NotebookEdit", "Edit", ToolKind::Edit, Sort::Edit),
    ("WebFetch", "WebFetch", ToolKind::Fetch, Sort::Fetch),
    ("WebSearch", "WebSearch", ToolKind::Other, Sort::Search),
    ("exec_command", "Bash", ToolKind::Command, Sort::Bash),
    ("shell", "Bash", ToolKind::Command, Sort::Bash),
    ("local_shell", "Bash", ToolKind::Command, Sort::Bash),
    ("shell_command", "Bash", ToolKind::Command, Sort::Bash),
    ("unified_exec", "Bash", ToolKind::Command, Sort::Bash),
    ("apply_patch", "Edit", ToolKind::Edit, Sort::Edit),
    ("web_search", "WebSearch", ToolKind::Other, Sort::Search),
    ("run_shell_command", "Bash", ToolKind::Command, Sort::Bash),
    ("write_file", "Edit", ToolKind::Edit, Sort::Write),
    ("replace", "Edit", ToolKind::Edit, Sort::Edit),
    ("read_file", "Read", ToolKind::Read, Sort::Read),
    ("read_many_files", "Read", ToolKind::Read, Sort::Read),
    ("list_directory", "Read", ToolKind::Read, Sort::Search),
    ("search_file_content", "Read", ToolKind::Read, Sort::Search),
    ("grep_search", "Read", ToolKind::Read, Sort::Search),
    ("web_fetch", "WebFetch", ToolKind::Fetch, Sort::Fetch),
    ("google_web_search", "WebSearch", ToolKind::Other, Sort::Search),
    ("bash", "Bash", ToolKind::Command, Sort::Bash),
    ("edit", "Edit", ToolKind::Edit, Sort::Edit),
    ("write", "Edit", ToolKind::Edit, Sort::Write),
    ("patch", "Edit", ToolKind::Edit, Sort::Edit),
    ("multiedit", "Edit", ToolKind::Edit, Sort::Edit),
    ("read", "Read", ToolKind::Read, Sort::Read),
    ("grep", "Read", ToolKind::Read, Sort::Search),
    ("glob", "Read", ToolKind::Read, Sort::Search),
    ("list", "Read", ToolKind::Read, Sort::Search),
    ("webfetch", "WebFetch", ToolKind::Fetch, Sort::Fetch),
    ("websearch", "WebSearch", ToolKind::Other, Sort::Search),
    ("Task", "Task", ToolKind::Other, Sort::Task),
    ("Agent", "Agent", ToolKind::Other, Sort::Task),
    ("spawn_agent", "spawn_agent", ToolKind::Other, Sort::Task),
    ("task", "task", ToolKind::Other, Sort::Task),
    ("view_image", "view_image", ToolKind::Other, Sort::Read),
    ("ToolSearch", "ToolSearch", ToolKind::Other, Sort::Search),
    ("BashOutput", "BashOutput", ToolKind::Other, Sort::Bash),
    ("KillShell", "KillShell", ToolKind::Other, Sort::Bash),
    ("KillBash", "KillBash", ToolKind::Other, Sort::Bash),
    ("write_stdin", "write_stdin", ToolKind::Other, Sort::Bash),
    ("TaskOutput", "TaskOutput", ToolKind::Other, Sort::Task),
    ("TaskStop", "TaskStop", ToolKind::Other, Sort::Task),
    ("send_input", "send_input", ToolKind::Other, Sort::Task),
    ("wait_agent", "wait_agent", ToolKind::Other, Sort::Task),
    ("close_agent", "close_agent", ToolKind::Other, Sort::Task),
    (
        "codebase_investigator",
        "codebase_investigator",
        ToolKind::Other,
        Sort::Task,
    ),
    ("delegate_to_agent", "delegate_to_agent", ToolKind::Other, Sort::Task),
    ("invoke_agent", "invoke_agent", ToolKind::Other, Sort::Task),
    ("generalist", "generalist", ToolKind::Other, Sort::Task),
    ("codesearch", "codesearch", ToolKind::Other, Sort::Search),
    ("lsp", "lsp", ToolKind::Other, Sort::Search),
    ("LSP", "LSP", ToolKind::Other, Sort::Search),
];

/// What a tool does, as a person looks for it among many calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Read,
    Write,
    Edit,
    Bash,
    Search,
    Fetch,
    /// It hands work to a sub-agent.
    Task,
    /// A tool of an MCP server.
    Mcp,
    Other,
}

/// What a tool does, by its name in a CLI. Parlour's own tools for files and commands are sorted by what they do.
pub fn sort_of(tool: &str) -> Sort {
    let name = called(tool);
    let (name, server) = name.split_once(" · ").unwrap_or((&name, ""));
    let known = TOOLS.iter().find(|(known, ..)| *known == name);
    match (known, server) {
        (Some((.., sort)), "" | OURS) => *sort,
        (None, "") if !tool.starts_with("mcp_") => Sort::Other,
        (Some(_) | None, _) => Sort::Mcp,
    }
}

/// The name in rules of what a CLI calls `tool`, and its kind.
pub(super) fn known(tool: &str) -> (&str, ToolKind) {
    match TOOLS.iter().find(|(name, ..)| *name == tool) {
        Some((_, name, kind, _)) => (name, *kind),
        None => (tool, ToolKind::Other),
    }
}

/// Whether this is one of parlour's tools, as the CLIs name those of servers. A foreign server's name may begin like ours.
pub(super) fn is_own(tool: &str) -> bool {
    let name = tool
        .strip_prefix("mcp__")
        .and_then(|rest| rest.strip_prefix(OURS)?.strip_prefix("__"));
    name.is_some_and(tool::is_own)
}

/// The same where a CLI joins the names of server and tool in one word: good enough to know what its calls do.
pub(super) fn looks_own(tool: &str) -> bool {
    let called = called(tool);
    called
        .split_once(" · ")
        .is_some_and(|(name, server)| server == OURS && tool::is_own(name))
}

/// How Claude Code would name an MCP tool that Gemini calls `mcp_server_tool`. A server's name may hold `_` too, so
/// this is good enough to deny by and never to allow by.
pub(super) fn perhaps(tool: &str) -> Option<String> {
    let rest = tool.strip_prefix("mcp_").filter(|rest| !rest.starts_with('_'))?;
    let (server, name) = rest.split_once('_')?;
    Some(format!("mcp__{server}__{name}"))
}

/// The command line of a call; some CLIs give its words one by one.
pub fn command(input: &Value) -> Option<String> {
    match field(input, &["command", "cmd"])? {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            Some(shell_words::join(words?))
        }
        _ => None,
    }
}

/// The directory that a call asks to be made in, where it asks for one.
pub(super) fn directory(input: &Value) -> Option<&str> {
    field(input, &["workdir", "directory", "dir_path", "cwd"]).and_then(Value::as_str)
}

/// All paths that a call of a file tool names; empty where it names none that we know of.
pub fn paths(input: &Value) -> Vec<String> {
    const ONE: [&str; 8] = [
        "file_path",
        "notebook_path",
        "filePath",
        "filepath",
        "absolute_path",
        "path",
        "dir_path",
        "file",
    ];
    let mut found: Vec<String> = ONE
        .iter()
        .filter_map(|key| input.get(key)?.as_str())
        .map(str::to_string)
        .collect();
    for key in ["paths", "include"] {
        let many = input.get(key).and_then(Value::as_array).into_iter().flatten();
        found.extend(many.filter_map(Value::as_str).map(str::to_string));
    }
    let patch = match input {
        Value::String(patch) => Some(patch.clone()),
        _ => field(input, &["input", "patch", "patchText"])
            .and_then(Value::as_str)
            .map(str::to_string)
            .or_else(|| command(input)),
    };
    found.extend(patch.iter().flat_map(|patch| patched(patch)).map(str::to_string));
    found
}

/// The files that a call changes by name, as they are written in it. Of a command line only those of a patch within it.
pub fn edited(tool: &str, input: &Value) -> Vec<String> {
    match sort_of(tool) {
        Sort::Write | Sort::Edit => {
            let mut found = paths(input);
            let patch = field(input, &["patch", "diff"]).and_then(Value::as_str);
            let files = patch.and_then(|patch| patch::parse(patch).ok()).unwrap_or_default();
            found.extend(files.iter().flat_map(|file| file.paths()).map(str::to_string));
            found
        }
        Sort::Bash => {
            let line = command(input).unwrap_or_default();
            patched(&line).map(str::to_string).collect()
        }
        Sort::Read | Sort::Search | Sort::Fetch | Sort::Task | Sort::Mcp | Sort::Other => Vec::new(),
    }
}

/// The folder that a search by names begins in, where its pattern says another than its path does.
pub(super) fn searched(tool: &str, input: &Value) -> Option<String> {
    let pattern = input.get("pattern").and_then(Value::as_str)?;
    let elsewhere = pattern.starts_with(['/', '~']) || pattern.split('/').any(|part| part == "..");
    if !tool.eq_ignore_ascii_case("glob") || !elsewhere {
        return None;
    }
    let parts = pattern.split('/');
    let fixed: Vec<&str> = parts.take_while(|part| !part.contains(['*', '?', '[', '{'])).collect();
    // `{a,../..}` may lead further up than what stands before it.
    let hidden = pattern.split('/').skip(fixed.len()).any(|part| part.contains(".."));
    let below = input.get("path").and_then(Value::as_str).unwrap_or(".");
    Some(match pattern.starts_with(['/', '~']) {
        _ if hidden => "/".into(),
        true => format!("{}/", fixed.join("/")),
        false => format!("{below}/{}", fixed.join("/")),
    })
}

/// What a search by names is to find, from where it begins.
pub(super) fn sought(tool: &str, input: &Value) -> Option<String> {
    let pattern = input.get("pattern").and_then(Value::as_str)?;
    let below = input.get("path").and_then(Value::as_str).unwrap_or(".");
    let is_path = pattern.starts_with(['/', '~']);
    let whole = || match is_path {
        true => pattern.to_string(),
        false => format!("{below}/{pattern}"),
    };
    tool.eq_ignore_ascii_case("glob").then(whole)
}

/// The files that a search is bound to by their names, as globs.
pub(super) fn globs(input: &Value) -> Vec<String> {
    let below = input.get("path").and_then(Value::as_str).unwrap_or(".");
    let named = ["glob", "include", "include_pattern"]
        .iter()
        .filter_map(|key| input.get(key)?.as_str());
    let all = named.flat_map(|globs| braces::expand(globs).unwrap_or_default());
    let one = |glob: String| format!("{}/{}", below.trim_end_matches('/'), glob.trim_start_matches('/'));
    all.filter(|glob| !glob.starts_with('!')).map(one).collect()
}

/// The files that a patch of Codex's form changes.
pub(super) fn patched(patch: &str) -> impl Iterator<Item = &str> {
    const MARKS: [&str; 4] = [
        "*** Add File: ",
        "*** Update File: ",
        "*** Delete File: ",
        "*** Move to: ",
    ];
    patch
        .lines()
        .filter_map(|line| MARKS.iter().find_map(|mark| line.trim_start().strip_prefix(mark)))
        .map(str::trim)
}

/// The hosts that a call fetches from; a Gemini call hides them in a prompt.
pub(super) fn hosts(input: &Value) -> Vec<String> {
    let text = field(input, &["url", "prompt"])
        .and_then(Value::as_str)
        .unwrap_or_default();
    text.split_whitespace()
        .filter_map(|word| url::Url::parse(word).ok())
        .filter_map(|url| Some(url.host_str()?.trim_end_matches('.').to_ascii_lowercase()))
        .collect()
}

fn field<'v>(input: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().find_map(|key| input.get(key))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tools_of_each_cli_are_sorted_by_what_they_do() {
        let sorted = [
            ("Read", Sort::Read),
            ("Grep", Sort::Search),
            ("Write", Sort::Write),
            ("MultiEdit", Sort::Edit),
            ("Bash", Sort::Bash),
            ("WebFetch", Sort::Fetch),
            ("Task", Sort::Task),
            ("exec_command", Sort::Bash),
            ("apply_patch", Sort::Edit),
            ("run_shell_command", Sort::Bash),
            ("read_file", Sort::Read),
            ("google_web_search", Sort::Search),
            ("webfetch", Sort::Fetch),
            ("task", Sort::Task),
            ("mcp__github__create_issue", Sort::Mcp),
            ("mcp_github_create_issue", Sort::Mcp),
            ("mcp__parlour__open_dir", Sort::Mcp),
            ("mcp__parlour__shell", Sort::Bash),
            ("mcp__other__shell", Sort::Mcp),
            ("TodoWrite", Sort::Other),
        ];
        for (tool, sort) in sorted {
            assert_eq!(sort_of(tool), sort, "{tool}");
        }
    }

    #[test]
    fn files_that_a_call_changes_are_told_from_those_that_it_reads() {
        let codex = "*** Begin Patch\n*** Update File: a.rs\n@@\n-x\n+y\n*** Add File: b.rs\n+z\n*** End Patch";
        let unified = "--- a/c.rs\n+++ b/c.rs\n@@ -1 +1 @@\n-x\n+y\n";
        let heredoc = format!("cd grove && apply_patch <<'EOF'\n{codex}\nEOF");
        let cases: [(&str, Value, &[&str]); 8] = [
            ("Edit", json!({"file_path": "/p/a.rs", "new_string": "x"}), &["/p/a.rs"]),
            ("write", json!({"filePath": "a.rs", "content": "x"}), &["a.rs"]),
            ("apply_patch", json!({"command": codex}), &["a.rs", "b.rs"]),
            (
                "mcp__parlour__apply_patch",
                json!({"patch": unified}),
                &["c.rs", "c.rs"],
            ),
            ("Bash", json!({"command": heredoc}), &["a.rs", "b.rs"]),
            ("Bash", json!({"command": "cat a.rs"}), &[]),
            ("Read", json!({"file_path": "a.rs"}), &[]),
            ("mcp__files__write", json!({"path": "a.rs"}), &[]),
        ];
        for (tool, input, expected) in cases {
            assert_eq!(edited(tool, &input), expected, "{tool}");
        }
    }
}
