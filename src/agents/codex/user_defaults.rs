//! What a person's `llm-defaults/codex` says of when Codex asks and of what its sandbox allows. A flag would go over it.
//!
//! It is read there and not in the chat, where an agent could have written it for its next start.

use std::path::Path;

use toml_edit::{DocumentMut, Item, Value};

use crate::agents::LaunchContext;
use crate::fs::Dir;
use crate::model::Problem;

const TEMPLATES: [&str; 2] = [
    "llm-defaults/codex/.codex/config.toml",
    "llm-defaults/codex/config.toml",
];
const IN_CHAT: &str = ".codex/config.toml";
const MOST_BYTES: u64 = 256 << 10;

const APPROVAL: &str = "approval_policy";
const SANDBOX: &str = "sandbox_mode";

/// The arguments by which both are said, and what of a person's word does not count.
pub(super) fn limits(context: &LaunchContext) -> (Vec<String>, Vec<Problem>) {
    let home = Dir::open(context.home).ok();
    let templates: Vec<DocumentMut> = home
        .iter()
        .flat_map(|home| TEMPLATES.iter().filter_map(|file| read(home, Path::new(file))))
        .collect();
    let given = |key: &str| templates.iter().find_map(|file| setting(file, key));
    let (approval, sandbox) = (given(APPROVAL), given(SANDBOX));

    let mut problems = Vec::new();
    let chat = Dir::open(context.dir)
        .ok()
        .and_then(|dir| read(&dir, Path::new(IN_CHAT)));
    for (key, given) in [(APPROVAL, &approval), (SANDBOX, &sandbox)] {
        let there = chat.as_ref().and_then(|file| setting(file, key));
        if there.is_some() && there != *given {
            problems.push(unheard(key));
        }
    }
    // Its own is made of namespaces and mounts, which a process that Landlock holds in may not make.
    if context.sandboxed && sandbox.is_some() {
        let cause = format!("{SANDBOX} of llm-defaults is not used: parlour's own sandbox holds this agent");
        problems.push(Problem::new(
            "starting Codex CLI",
            cause,
            "correct config.json or the settings of Codex CLI",
        ));
    }
    let sandbox = match sandbox.filter(|_| !context.sandboxed) {
        Some(given) => given,
        None if context.sandboxed => text("danger-full-access"),
        None => text("workspace-write"),
    };
    let set = [
        (APPROVAL, approval.unwrap_or_else(|| text("on-request"))),
        (SANDBOX, sandbox),
    ];
    let args = set
        .into_iter()
        .flat_map(|(key, value)| ["-c".into(), format!("{key}={value}")]);
    (args.collect(), problems)
}

fn text(value: &str) -> String {
    Value::from(value).to_string()
}

pub(super) fn read(dir: &Dir, file: &Path) -> Option<DocumentMut> {
    let bytes = dir.read(file, MOST_BYTES).ok()??;
    String::from_utf8(bytes).ok()?.parse().ok()
}

/// As it is written in an argument; a table in one line.
fn setting(file: &DocumentMut, key: &str) -> Option<String> {
    let value = match file.get(key)? {
        Item::Value(value) => value.clone(),
        Item::Table(table) => Value::InlineTable(table.clone().into_inline_table()),
        Item::None | Item::ArrayOfTables(_) => return None,
    };
    Some(value.decorated("", "").to_string())
}

fn unheard(key: &str) -> Problem {
    let cause = format!("{key} in {IN_CHAT} is not used, since the agent may have written it");
    let hint = "to have it in every chat put it into llm-defaults/codex/config.toml of parlour's home";
    Problem::new("starting Codex CLI", cause, hint)
}
