//! What files in the chat's directory may not say: OpenCode would take it over a person's rules.
//!
//! What an `opencode.json` says of an agent comes behind all that parlour says of permissions, and of two rules the last
//! counts; even where parlour's value wins, the file decides its place. An agent can write such a file for its next start,
//! so it is not merged, and nothing is started beside it, unless a person gives the same to every chat. The CLI can be told to read no file there at all, but then it
//! reads neither `AGENTS.md` nor the servers that a person put there.

use std::path::Path;

use serde_json::{Map, Value};

use crate::fs::{self, Dir, DirEntryKind};
use crate::model::Problem;

const MOST_BYTES: u64 = 1 << 20;

pub(super) const FILES: [&str; 4] = [
    "opencode.json",
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
];

/// Settings of an agent that count more than what parlour says for all of them.
const OF_AN_AGENT: [&str; 2] = ["permission", "tools"];

/// Folders in `.opencode` with agents, programs and the like in files of their own.
const FOLDERS: [&str; 8] = ["agent", "agents", "mode", "modes", "plugin", "plugins", "tool", "tools"];

/// Folders within such a folder.
const DEEPEST: usize = 10;

/// Refuses a start in a directory whose files would say what a person's rules say, unless that person's own
/// `llm-defaults` in `home` say the same.
pub(super) fn check(dir: &Path, home: &Path) -> Result<(), Problem> {
    let Ok(dir) = Dir::open(dir) else {
        return Ok(());
    };
    let given = Dir::open(home.join("llm-defaults/opencode")).ok();
    for file in FILES {
        if let Some(found) = lifts(&dir, given.as_ref(), file) {
            return Err(refused(file, &found));
        }
    }
    for folder in FOLDERS {
        strange(&dir, given.as_ref(), &Path::new(".opencode").join(folder), DEEPEST)?;
    }
    Ok(())
}

/// Refuses what lies in the folder and is not given to every chat.
fn strange(dir: &Dir, given: Option<&Dir>, folder: &Path, deep: usize) -> Result<(), Problem> {
    let refuse = |path: &Path, why: &str| Err(refused(&path.display().to_string(), why));
    let entries = match dir.entries(folder) {
        Ok(entries) => entries,
        Err(error) if error.is_missing() => return Ok(()),
        // A link among them: what is behind it is read by OpenCode.
        Err(error) => return refuse(folder, &unread(&error)),
    };
    for entry in entries {
        let path = folder.join(&entry.name);
        if entry.kind == DirEntryKind::Dir && deep > 0 {
            strange(dir, given, &path, deep - 1)?;
            continue;
        }
        let wanted = given.and_then(|given| read(given, &path));
        if wanted.is_none() || wanted != read(dir, &path) {
            return refuse(&path, "it can hold what OpenCode runs or allows");
        }
    }
    Ok(())
}

fn read(dir: &Dir, file: &Path) -> Option<Vec<u8>> {
    dir.read(file, MOST_BYTES).ok().flatten()
}

/// What a file says that it may not, in words.
fn lifts(dir: &Dir, given: Option<&Dir>, file: &str) -> Option<String> {
    let bytes = match dir.read(file, MOST_BYTES) {
        Ok(bytes) => bytes?,
        Err(error) if error.is_missing() => return None,
        Err(error) => return Some(unread(&error)),
    };
    if bytes.trim_ascii().is_empty() {
        return None;
    }
    let parse = |bytes: &[u8]| serde_json::from_slice::<Map<String, Value>>(bytes);
    let config = match parse(&bytes) {
        Ok(config) => config,
        Err(error) => return Some(format!("{error}; parlour reads it without comments only")),
    };
    let given = given.and_then(|given| read(given, file.as_ref()));
    let given = given.and_then(|bytes| parse(&bytes).ok()).unwrap_or_default();
    let own = config
        .iter()
        .find(|(key, value)| is_to_be_asked(key, value) && given.get(*key) != Some(value));
    own.map(|(key, _)| format!("its `{key}` would count more than your rules"))
}

/// Whether a setting lifts what is asked or denied, or runs a program without a question.
fn is_to_be_asked(key: &str, value: &Value) -> bool {
    match key {
        "permission" | "tools" | "plugin" => true,
        "formatter" | "lsp" => *value != Value::Bool(false),
        "agent" | "mode" => {
            let lifts = |agent: &Value| OF_AN_AGENT.iter().any(|key| agent.get(key).is_some());
            value.as_object().is_none_or(|agents| agents.values().any(lifts))
        }
        _ => false,
    }
}

fn unread(error: &fs::Error) -> String {
    format!("{error}, so what it says of permissions is not known")
}

fn refused(file: &str, why: &str) -> Problem {
    let hint = format!(
        "take that out of {file} in the chat's directory, or have it there as in llm-defaults/opencode of parlour's home, \
         or put it into ~/.config/opencode; then start the agent again"
    );
    Problem::new(format!("starting OpenCode beside {file}"), why, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_refused_beside_files_that_would_count_more_than_a_persons_rules() {
        let said = |file: &str, text: &str| {
            let scratch = tempfile::tempdir().unwrap();
            write(&scratch.path().join("chat").join(file), text);
            let (chat, home) = (scratch.path().join("chat"), scratch.path().join("home"));
            check(&chat, &home).err().map(|problem| problem.to_string())
        };
        let refused = [
            (
                "opencode.json",
                r#"{"agent": {"build": {"permission": {"*": "allow"}}}}"#,
                "`agent`",
            ),
            (
                "opencode.jsonc",
                r#"{"mode": {"x": {"tools": {"bash": true}}}}"#,
                "`mode`",
            ),
            ("opencode.json", r#"{"lsp": {"x": {"command": ["x"]}}}"#, "`lsp`"),
            (
                ".opencode/opencode.json",
                r#"{"permission": {"bash": {}}}"#,
                "`permission`",
            ),
            ("opencode.json", "{// \"agent\": {}\n}", "comments"),
            (
                ".opencode/agents/build.md",
                "---\npermission: allow\n---",
                ".opencode/agents",
            ),
            (".opencode/plugin/x.js", "", ".opencode/plugin/x.js"),
        ];
        for (file, text, named) in refused {
            let problem = said(file, text).unwrap_or_default();
            assert!(problem.contains(named), "{file} {text}: {problem}");
        }
        let passes = [
            ("opencode.json", r#"{"mcp": {"db": {"type": "local"}}, "theme": "x"}"#),
            (
                "opencode.json",
                r#"{"agent": {"build": {"model": "a/b"}}, "default_agent": "plan"}"#,
            ),
            ("opencode.json", r#"{"formatter": false}"#),
            ("opencode.json", ""),
            (".opencode/.gitignore", "node_modules"),
            ("notes.md", "permission"),
        ];
        for (file, text) in passes {
            assert_eq!(said(file, text), None, "{file} {text}");
        }
    }
    #[test]
    fn what_a_person_gives_to_every_chat_is_that_persons_word() {
        let scratch = tempfile::tempdir().unwrap();
        let (chat, home) = (scratch.path().join("chat"), scratch.path().join("home"));
        let given = home.join("llm-defaults/opencode");
        let files = [
            ("opencode.json", r#"{"permission": {"webfetch": "deny"}}"#),
            (".opencode/agents/reviewer.md", "You review."),
        ];
        for (file, text) in files {
            write(&given.join(file), text);
            write(&chat.join(file), text);
        }
        for dir in [&given, &chat] {
            write(&dir.join(".opencode/agents/team/one.md"), "You help.");
        }
        assert!(check(&chat, &home).is_ok());
        write(&chat.join("plugs/x.js"), "");
        std::os::unix::fs::symlink("../plugs", chat.join(".opencode/plugins")).unwrap();
        assert!(check(&chat, &home).is_err(), "OpenCode follows that link");
        std::fs::remove_file(chat.join(".opencode/plugins")).unwrap();
        write(&chat.join(".opencode/agents/other.md"), "You do all.");
        assert!(check(&chat, &home).is_err());
        std::fs::remove_file(chat.join(".opencode/agents/other.md")).unwrap();
        write(&chat.join("opencode.json"), r#"{"permission": {"webfetch": "allow"}}"#);
        assert!(check(&chat, &home).is_err());
    }

    fn write(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}
