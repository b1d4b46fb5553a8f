//! What a person's own OpenCode settings say of permissions. parlour's come behind them, and would lift what they ask
//! about or deny.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstNode, CstObject, CstRootNode};
use serde_json::{Map, Value};

use super::chat_config;
use crate::agents::adapter::Env;
use crate::model::Problem;

/// One of them, in the order in which they count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OwnRule {
    pub key: String,
    pub pattern: String,
    pub action: OwnAction,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnAction {
    Allow,
    Ask,
    Deny,
}

/// Tools that one permission stands for.
const EDITS: [&str; 3] = ["write", "edit", "patch"];

/// All that it would read beside what parlour passes. Of what cannot be read it is not known what it forbids.
pub(super) fn of(dir: &Path, env: &Env, passed: &Map<String, Value>) -> (Vec<OwnRule>, Vec<Problem>) {
    let (mut rules, mut problems) = (Vec::new(), Vec::new());
    for file in files(dir, env) {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => continue,
            Err(error) => {
                problems.push(unread(&file, &error));
                continue;
            }
        };
        match read(&text) {
            Ok(found) => rules.extend(found),
            Err(why) => problems.push(unread(&file, &why)),
        }
    }
    let passed = Value::Object(passed.clone()).to_string();
    rules.extend(read(&passed).unwrap_or_default());
    if !problems.is_empty() {
        rules.push(OwnRule::new("*", "*", OwnAction::Ask));
    }
    (rules, problems)
}

/// Whether a person has a model provider of their own in these settings: its key may stand there, or it needs none.
pub(super) fn has_provider(env: &Env) -> bool {
    let Some(home) = env.get("HOME") else {
        return false;
    };
    files(Path::new(home), env).iter().any(|file| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let config = config(&text).ok().flatten();
        let providers = config.and_then(|config| config.object_value("provider"));
        providers.is_some_and(|all| !all.properties().is_empty())
    })
}

/// From the one that counts least to the one that counts most.
fn files(dir: &Path, env: &Env) -> Vec<PathBuf> {
    let var = |name: &str| env.get(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = var("HOME");
    let config = var("XDG_CONFIG_HOME").or_else(|| home.as_ref().map(|home| home.join(".config")));
    let both = |folder: PathBuf| ["opencode.json", "opencode.jsonc"].map(|file| folder.join(file));
    let mut files = Vec::new();
    if let Some(folder) = config.map(|config| config.join("opencode")) {
        files.push(folder.join("config.json"));
        files.extend(both(folder));
    }
    files.extend(var("OPENCODE_CONFIG"));
    // It looks for one in each folder above, too.
    let above: Vec<&Path> = dir.ancestors().skip(1).collect();
    files.extend(above.into_iter().rev().flat_map(|folder| both(folder.into())));
    files.extend(chat_config::FILES.map(|file| dir.join(file)));
    files.extend(home.map(|home| home.join(".opencode")).into_iter().flat_map(both));
    files.extend(var("OPENCODE_CONFIG_DIR").into_iter().flat_map(both));
    files
}

/// The settings in such a file; none where it is empty.
fn config(text: &str) -> Result<Option<CstObject>, String> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Ok(None);
    }
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| error.to_string())?;
    root.object_value().map(Some).ok_or_else(|| "it is no object".into())
}

fn read(text: &str) -> Result<Vec<OwnRule>, String> {
    let Some(config) = config(text)? else {
        return Ok(Vec::new());
    };
    let mut rules = Vec::new();
    for (tool, value) in config.object_value("tools").iter().flat_map(members) {
        if value.as_boolean_lit().is_some_and(|on| !on.value()) {
            let key = if EDITS.contains(&tool.as_str()) { "edit" } else { &tool };
            rules.push(OwnRule::new(key, "*", OwnAction::Deny));
        }
    }
    let Some(permission) = config.get("permission").and_then(|said| said.value()) else {
        return Ok(rules);
    };
    match permission.as_object() {
        None => rules.extend(action(&permission).map(|action| OwnRule::new("*", "*", action))),
        Some(keys) => {
            for (key, value) in members(&keys) {
                match value.as_object() {
                    None => rules.extend(action(&value).map(|action| OwnRule::new(&key, "*", action))),
                    Some(patterns) => {
                        let patterns = members(&patterns);
                        let all = patterns.iter();
                        rules
                            .extend(all.filter_map(|(pattern, said)| Some(OwnRule::new(&key, pattern, action(said)?))));
                    }
                }
            }
        }
    }
    Ok(rules)
}

fn members(object: &CstObject) -> Vec<(String, CstNode)> {
    let all = object.properties().into_iter();
    all.filter_map(|one| Some((one.name()?.decoded_value().ok()?, one.value()?)))
        .collect()
}

fn action(value: &CstNode) -> Option<OwnAction> {
    match value.as_string_lit()?.decoded_value().ok()?.as_str() {
        "allow" => Some(OwnAction::Allow),
        "ask" => Some(OwnAction::Ask),
        "deny" => Some(OwnAction::Deny),
        _ => None,
    }
}

fn unread(file: &Path, why: &dyn std::fmt::Display) -> Problem {
    let hint = format!(
        "correct {}, then start the agent again; until then it asks about everything",
        file.display()
    );
    Problem::new("reading OpenCode's own permissions", why, hint)
}

impl OwnRule {
    fn new(key: &str, pattern: &str, action: OwnAction) -> OwnRule {
        OwnRule {
            key: key.into(),
            pattern: pattern.into(),
            action,
        }
    }

    fn is_for_many(&self) -> bool {
        self.key.contains(['*', '?'])
    }
}

/// What they come to beside parlour's rules: those that may be lifted by what `config.json` allows, and those that may
/// not. What they allow is what OpenCode does alone, so it counts as far as `reads` says of the key that it only reads.
pub(super) fn split(own: &[OwnRule], reads: impl Fn(&str) -> bool) -> [Vec<(String, String, &'static str)>; 2] {
    let denies = |key: &str| own.iter().any(|rule| rule.key == key && rule.action == OwnAction::Deny);
    let all_are_firm = own
        .iter()
        .any(|rule| rule.is_for_many() && rule.action == OwnAction::Deny);
    let (mut loose, mut firm) = (Vec::new(), Vec::new());
    for (at, rule) in own.iter().enumerate() {
        let action = match rule.action {
            OwnAction::Deny => "deny",
            OwnAction::Ask => "ask",
            OwnAction::Allow => {
                let is_exception = own[..at].iter().any(|before| {
                    before.action != OwnAction::Allow && (before.key == rule.key || before.is_for_many())
                });
                match (is_exception, reads(&rule.key)) {
                    (false, _) => continue,
                    (true, true) => "allow",
                    (true, false) => "ask",
                }
            }
        };
        let list = match all_are_firm || denies(&rule.key) {
            true => &mut firm,
            false => &mut loose,
        };
        list.push((rule.key.clone(), rule.pattern.clone(), action));
    }
    [loose, firm]
}
