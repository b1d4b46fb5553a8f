//! What a call's input says under the names that the CLIs use for it.

use serde_json::Value;

use crate::model::text::one_line;
use crate::permission::{Sort, command_of, sort_of};

/// Characters of what sums an input up.
const SUMMARY: usize = 200;

/// What a tool does by its name, and of a command that only applies a patch, that it edits.
pub(super) fn sort(tool: &str, input: &Value) -> Sort {
    match sort_of(tool) {
        Sort::Bash if patch_in(input).is_some() => Sort::Edit,
        sort => sort,
    }
}

/// The command line of a call, without the shell that it is handed to.
pub(super) fn command(input: &Value) -> Option<String> {
    let words = input
        .get("command")
        .or_else(|| input.get("cmd"))
        .and_then(Value::as_array);
    if let Some([shell, option, line]) = words.map(Vec::as_slice)
        && let (Some(shell), Some(option), Some(line)) = (shell.as_str(), option.as_str(), line.as_str())
        && shell.rsplit('/').next().is_some_and(|name| name.ends_with("sh"))
        && matches!(option, "-c" | "-lc" | "-ic")
    {
        return Some(line.to_string());
    }
    command_of(input)
}

/// A patch that a command applies, and the directory that it changes to before.
pub(super) struct PatchCommand {
    pub dir: Option<String>,
    pub patch: String,
}

/// The patch that a command applies, if it does nothing else: `apply_patch <<'EOF'`, perhaps in another directory. What
/// the shell would make of the patch's text is none.
pub(super) fn patch_in(input: &Value) -> Option<PatchCommand> {
    let words = input.get("command").and_then(Value::as_array);
    if let Some([program, patch]) = words.map(Vec::as_slice)
        && program == "apply_patch"
    {
        let patch = patch.as_str()?.to_string();
        return Some(PatchCommand { dir: None, patch });
    }
    let command = command(input)?;
    let line = command.trim();
    let (dir, line) = match line.strip_prefix("cd ") {
        Some(rest) => {
            let (dir, line) = rest.split_once("&&")?;
            let is_plain = |c: char| c.is_alphanumeric() || "/._-~".contains(c);
            (
                Some(dir.trim())
                    .filter(|dir| dir.chars().all(is_plain))?
                    .to_string()
                    .into(),
                line.trim_start(),
            )
        }
        None => (None, line),
    };
    let (head, patch) = line.strip_prefix("apply_patch")?.split_once('\n')?;
    let word = head.trim().strip_prefix("<<")?.trim();
    let bare = word.trim_matches(['\'', '"']);
    let is_quoted = bare.len() + 2 == word.len();
    let is_word = !bare.is_empty() && bare.chars().all(|c| c.is_alphanumeric() || c == '_');
    let patch = patch.strip_suffix(bare)?.strip_suffix('\n')?;
    let ends = patch.lines().filter(|line| *line == bare).count();
    let is_text = is_quoted || !patch.contains(['$', '`', '\\']);
    let is_patch = patch.starts_with("*** Begin Patch") && is_word && is_text && ends == 0;
    is_patch.then(|| PatchCommand {
        dir,
        patch: patch.to_string(),
    })
}

pub(super) fn text<'v>(input: &'v Value, names: &[&str]) -> Option<&'v str> {
    names.iter().find_map(|name| input.get(name)?.as_str())
}

pub(super) fn number(input: &Value, names: &[&str]) -> Option<u64> {
    names.iter().find_map(|name| input.get(name)?.as_u64())
}

/// Names of what tells most, over all CLIs, the most telling first.
const TELLING: [&str; 19] = [
    "command",
    "cmd",
    "file_path",
    "filePath",
    "absolute_path",
    "notebook_path",
    "path_or_url",
    "path",
    "dir_path",
    "pattern",
    "query",
    "url",
    "description",
    "subject",
    "question",
    "prompt",
    "message",
    "name",
    "id",
];

/// A tool's input in one line: the part of it that a person judges by.
pub fn telling(input: &Value) -> String {
    if let Some(text) = input.as_str() {
        return one_line(text, SUMMARY);
    }
    let word = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        // A command as its words.
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            words.filter(|words| !words.is_empty()).map(|words| words.join(" "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    };
    let most = TELLING.iter().filter_map(|key| input.get(key)).find_map(word);
    let first = || input.as_object().and_then(|fields| fields.values().find_map(word));
    most.or_else(first)
        .map_or_else(String::new, |text| one_line(&text, SUMMARY))
}

/// A tool's input, name by name.
pub fn inputs(input: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    match input {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), word(value))).collect(),
        Value::Null => Vec::new(),
        other => vec![("input".into(), word(other))],
    }
}
