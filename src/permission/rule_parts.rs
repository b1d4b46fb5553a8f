//! Rules in parts, for the settings of agent CLIs that have words of their own for them.

use super::pattern::{self, Pattern, RuleLine};
use super::tool::ToolKind;
use std::path::Path;

/// A rule as it is written, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePart {
    pub text: String,
    pub about: RuleSubject,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleSubject {
    /// Every call of the tools of this name: `Bash`, `mcp__github__*`.
    Tool(String),
    /// A command of exactly these words.
    Exactly(Vec<String>),
    /// A command that begins with these words.
    Begins(Vec<String>),
    /// A command of words among which a `*` stands for others.
    Stars(Vec<String>),
    /// A whole line of several commands.
    Line(String),
    Read(String),
    Edit(String),
    Host(String),
}

/// What of a list are rules; `doctor` says which are none.
pub fn rule_parts(list: &[String]) -> Vec<RulePart> {
    let one = |text: &String| {
        let about = match pattern::parse(text, Path::new("/")).ok()? {
            Pattern::Tool(name) => RuleSubject::Tool(name),
            Pattern::Command(RuleLine::Exact { text, words }) if words.is_empty() => RuleSubject::Line(text),
            Pattern::Command(RuleLine::Exact { words, .. }) => RuleSubject::Exactly(words),
            Pattern::Command(RuleLine::Begins(words)) => begins(words),
            Pattern::File(ToolKind::Edit, _) => RuleSubject::Edit(argument(text)),
            Pattern::File(..) => RuleSubject::Read(argument(text)),
            Pattern::Host(host) => RuleSubject::Host(host),
        };
        let text = text.clone();
        Some(RulePart { text, about })
    };
    list.iter().filter_map(one).collect()
}

fn begins(mut words: Vec<String>) -> RuleSubject {
    let starred = |words: &[String]| words.iter().any(|word| word.contains('*'));
    match words.pop() {
        Some(last) if last == "*" && !words.is_empty() && !starred(&words) => RuleSubject::Begins(words),
        last => {
            words.extend(last);
            RuleSubject::Stars(words)
        }
    }
}

fn argument(rule: &str) -> String {
    let inside = rule.split_once('(').map(|(_, rest)| rest.trim_end());
    let inside = inside.and_then(|rest| rest.strip_suffix(')')).unwrap_or_default();
    inside.trim().to_string()
}
