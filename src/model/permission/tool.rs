//! The tools of the agent CLIs by one name each, and what a call of them touches.

use serde_json::Value;

/// What rules are about, whatever a CLI calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Command,
    Read,
    Edit,
    Fetch,
    /// Known by its name alone.
    Other,
}

/// Name in a CLI, the name in rules, kind. Claude Code, Codex, Gemini and OpenCode, in this order.
const TOOLS: [(&str, &str, Kind); 40] = [
    ("Bash", "Bash", Kind::Command),
    ("Read", "Read", Kind::Read),
    ("NotebookRead", "Read", Kind::Read),
    ("Grep", "Read", Kind::Read),
    ("Glob", "Read", Kind::Read),
    ("LS", "Read", Kind::Read),
    ("Edit", "Edit", Kind::Edit),
    ("Write", "Edit", Kind::Edit),
    ("MultiEdit", "Edit", Kind::Edit),
    ("NotebookEdit", "Edit", Kind::Edit),
    ("WebFetch", "WebFetch", Kind::Fetch),
    ("WebSearch", "WebSearch", Kind::Other),
    ("exec_command", "Bash", Kind::Command),
    ("shell", "Bash", Kind::Command),
    ("local_shell", "Bash", Kind::Command),
    ("shell_command", "Bash", Kind::Command),
    ("unified_exec", "Bash", Kind::Command),
    ("apply_patch", "Edit", Kind::Edit),
    ("web_search", "WebSearch", Kind::Other),
    ("run_shell_command", "Bash", Kind::Command),
    ("write_file", "Edit", Kind::Edit),
    ("replace", "Edit", Kind::Edit),
    ("read_file", "Read", Kind::Read),
    ("read_many_files", "Read", Kind::Read),
    ("list_directory", "Read", Kind::Read),
    ("search_file_content", "Read", Kind::Read),
    ("grep_search", "Read", Kind::Read),
    ("web_fetch", "WebFetch", Kind::Fetch),
    ("google_web_search", "WebSearch", Kind::Other),
    ("bash", "Bash", Kind::Command),
    ("edit", "Edit", Kind::Edit),
    ("write", "Edit", Kind::Edit),
    ("patch", "Edit", Kind::Edit),
    ("multiedit", "Edit", Kind::Edit),
    ("read", "Read", Kind::Read),
    ("grep", "Read", Kind::Read),
    ("glob", "Read", Kind::Read),
    ("list", "Read", Kind::Read),
    ("webfetch", "WebFetch", Kind::Fetch),
    ("websearch", "WebSearch", Kind::Other),
];

/// The name in rules of what a CLI calls `tool`, and its kind.
pub(super) fn known(tool: &str) -> (&str, Kind) {
    match TOOLS.iter().find(|(name, ..)| *name == tool) {
        Some((_, name, kind)) => (name, *kind),
        None => (tool, Kind::Other),
    }
}

/// How Claude Code would name an MCP tool that Gemini calls `mcp_server_tool`. A server's name may hold `_` too, so
/// this is good enough to deny by and never to allow by.
pub(super) fn perhaps(tool: &str) -> Option<String> {
    let rest = tool.strip_prefix("mcp_").filter(|rest| !rest.starts_with('_'))?;
    let (server, name) = rest.split_once('_')?;
    Some(format!("mcp__{server}__{name}"))
}

/// The command line of a call; some CLIs give its words one by one.
pub(super) fn command(input: &Value) -> Option<String> {
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
pub(super) fn paths(input: &Value) -> Vec<String> {
    const ONE: [&str; 7] = [
        "file_path",
        "notebook_path",
        "filePath",
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

/// The files that a patch of Codex's form changes.
fn patched(patch: &str) -> impl Iterator<Item = &str> {
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
