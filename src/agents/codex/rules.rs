//! A person's rules as Codex's own, in `.codex/rules/`: its hook before a tool can refuse and do no more.
//!
//! What they ask about or deny begins with the rule's words, or with as many as stand before its first `*`. Nothing is
//! allowed there: Codex would run it outside of its sandbox.

use std::collections::BTreeMap;

use serde_json::json;

use crate::fs::Dir;
use crate::model::Problem;
use crate::model::settings::PermissionSettings;
use crate::permission::{RuleSubject, rule_parts};

use crate::agents::merge;

const FOLDER: &str = ".codex/rules";
const FILE: &str = ".codex/rules/parlour.rules";

/// Writes the file, or removes one that is not needed any more.
pub(super) fn write(dir: &Dir, rules: &PermissionSettings) -> Result<(), Problem> {
    let refused = |e| merge::refused(FILE, &e);
    let text = text(rules);
    if text.is_empty() && dir.metadata(FILE).map_err(refused)?.is_none() {
        return Ok(());
    }
    dir.create_dir(FOLDER).map_err(refused)?;
    dir.write_atomic(FILE, text).map_err(refused)
}

/// A word of a rule is a text in it, whatever it holds: JSON's texts are those of Starlark.
pub(super) fn text(rules: &PermissionSettings) -> String {
    let mut decided = BTreeMap::new();
    for (list, decision) in [(&rules.ask, "prompt"), (&rules.deny, "forbidden")] {
        for rule in rule_parts(list) {
            if let Some(words) = beginning(&rule.about, decision) {
                decided.insert(words, (decision, rule.text));
            }
        }
    }
    let line = |(words, (decision, rule)): (&Vec<String>, &(&str, String))| {
        let why = json!(format!("a rule of config.json: {rule}"));
        format!(
            "prefix_rule(pattern={}, decision={}, justification={why})\n",
            json!(words),
            json!(decision)
        )
    };
    decided.iter().map(line).collect()
}

/// What it forbids is no wider than the rule, since the hook refuses exactly that; what it asks about may be.
fn beginning(about: &RuleSubject, decision: &str) -> Option<Vec<String>> {
    match about {
        RuleSubject::Begins(words) => Some(words.clone()),
        RuleSubject::Exactly(words) if decision == "prompt" => Some(words.clone()),
        RuleSubject::Stars(words) if decision == "prompt" => {
            let before: Vec<String> = words.iter().take_while(|word| !word.contains('*')).cloned().collect();
            (!before.is_empty()).then_some(before)
        }
        RuleSubject::Tool(_)
        | RuleSubject::Exactly(_)
        | RuleSubject::Stars(_)
        | RuleSubject::Line(_)
        | RuleSubject::Read(_)
        | RuleSubject::Edit(_)
        | RuleSubject::Host(_) => None,
    }
}

/// The rules of which its settings say nothing.
pub(super) fn lost(rules: &PermissionSettings) -> Vec<String> {
    let allowed = rule_parts(&rules.allow).into_iter().map(|rule| {
        let text = rule.text;
        format!("{text} holds in Codex CLI's sandbox alone: what goes beyond it is asked about")
    });
    let unasked = rule_parts(&rules.ask)
        .into_iter()
        .filter(|rule| beginning(&rule.about, "prompt").is_none())
        .map(|rule| format!("{} is not asked about where Codex CLI's sandbox allows it", rule.text));
    allowed.chain(unasked).collect()
}
