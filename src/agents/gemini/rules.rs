//! A person's rules as Gemini's settings: its hook asks and refuses, and what is allowed has to be said beforehand.
//!
//! Only whole tools can be: as soon as one command is named there, the CLI refuses all others.

use crate::model::settings::PermissionSettings;
use crate::permission::{RuleSubject, rule_parts};

/// Tools that run unasked where parlour's hook, which sees each call, does not ask or refuse.
pub(super) fn allowed(rules: &PermissionSettings) -> Vec<String> {
    let rules = rule_parts(&rules.allow);
    let tools = rules.iter().flat_map(|rule| tools(&rule.about));
    tools.map(|tool| tool.to_string()).collect()
}

/// The rules that its settings cannot say.
pub(super) fn lost(rules: &PermissionSettings) -> Vec<String> {
    let unsaid = |about: &RuleSubject| tools(about).is_empty() && !matches!(about, RuleSubject::Read(_));
    let lost = rule_parts(&rules.allow).into_iter().filter(|rule| unsaid(&rule.about));
    lost.map(|rule| {
        format!(
            "{} opens Gemini CLI's dialog, which parlour answers: its settings can allow whole tools only",
            rule.text
        )
    })
    .collect()
}

fn tools(about: &RuleSubject) -> &'static [&'static str] {
    match about {
        RuleSubject::Tool(name) => match name.as_str() {
            "Bash" => &["run_shell_command"],
            "Edit" => &["write_file", "replace"],
            "WebFetch" => &["web_fetch"],
            "WebSearch" => &["google_web_search"],
            _ => &[],
        },
        RuleSubject::Exactly(_)
        | RuleSubject::Begins(_)
        | RuleSubject::Stars(_)
        | RuleSubject::Line(_)
        | RuleSubject::Read(_)
        | RuleSubject::Edit(_)
        | RuleSubject::Host(_) => &[],
    }
}
