//! A person's rules in the settings of Cursor and Cline, of which parlour hears nothing: what is said there is all.
//!
//! They have no word for asking. So nothing is allowed of a tool that some rule asks about, and a denial is as wide as
//! it has to be.

use crate::model::settings::PermissionSettings;
use crate::permission::{RuleSubject, rule_parts, stars};

/// What Cursor allows and denies, and the rules that it cannot be told as they are.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CursorRules {
    pub allow: Vec<String>,
    pub deny: Vec<String>,
    pub lost: Vec<String>,
}

pub(super) fn cursor(rules: &PermissionSettings) -> CursorRules {
    let mut told = CursorRules::default();
    let asks: Vec<&str> = rule_parts(&rules.ask).iter().map(|rule| kind(&rule.about)).collect();
    for rule in rule_parts(&rules.allow) {
        let word = match &rule.about {
            RuleSubject::Read(glob) => Some(format!("Read({glob})")),
            RuleSubject::Edit(glob) => Some(format!("Write({glob})")),
            RuleSubject::Host(host) => Some(format!("WebFetch({host})")),
            RuleSubject::Tool(name) => mcp(name),
            RuleSubject::Exactly(_) | RuleSubject::Begins(_) | RuleSubject::Stars(_) | RuleSubject::Line(_) => None,
        };
        let asked = asks.contains(&kind(&rule.about)) || asks.contains(&"");
        match word.filter(|_| !asked) {
            Some(word) => told.allow.push(word),
            None => told
                .lost
                .push(format!("{} is left to Cursor's own question", rule.text)),
        }
    }
    for rule in rule_parts(&rules.deny) {
        let (words, wider) = denied(&rule.about);
        told.deny.extend(words);
        if let Some(wider) = wider {
            told.lost.push(format!("{} denies {wider} in Cursor", rule.text));
        }
    }
    told.deny.dedup();
    told
}

/// Which tools a rule is about; nothing for all of them.
fn kind(about: &RuleSubject) -> &'static str {
    match about {
        RuleSubject::Exactly(_) | RuleSubject::Begins(_) | RuleSubject::Stars(_) | RuleSubject::Line(_) => "Bash",
        RuleSubject::Read(_) => "Read",
        RuleSubject::Edit(_) => "Edit",
        RuleSubject::Host(_) => "WebFetch",
        RuleSubject::Tool(name) if name.starts_with("mcp__") => "mcp",
        RuleSubject::Tool(name) => ["Bash", "Read", "Edit", "WebFetch", "WebSearch"]
            .into_iter()
            .find(|known| *known == name.as_str())
            .unwrap_or_default(),
    }
}

fn mcp(tool: &str) -> Option<String> {
    let (server, tool) = tool.strip_prefix("mcp__")?.split_once("__")?;
    Some(format!("Mcp({server}:{tool})"))
}

/// The words, and what else they deny.
fn denied(about: &RuleSubject) -> (Vec<String>, Option<String>) {
    let all = |name: &str| {
        let name = name.rsplit('/').next().unwrap_or_default();
        match name.is_empty() || name.contains('*') {
            true => (vec!["Shell(*)".into()], Some("every command".to_string())),
            false => (vec![format!("Shell({name})")], Some(format!("every {name}"))),
        }
    };
    match about {
        RuleSubject::Begins(words) if words.len() == 1 && !words[0].contains(['/', '*']) => {
            (vec![format!("Shell({})", words[0])], None)
        }
        RuleSubject::Exactly(words) | RuleSubject::Begins(words) | RuleSubject::Stars(words) => {
            all(words.first().map_or("", String::as_str))
        }
        RuleSubject::Line(line) => all(line.split_whitespace().next().unwrap_or_default()),
        RuleSubject::Read(glob) => (vec![format!("Read({glob})")], None),
        RuleSubject::Edit(glob) => (vec![format!("Write({glob})")], None),
        RuleSubject::Host(host) => (vec![format!("WebFetch({host})")], None),
        RuleSubject::Tool(name) => match (name.as_str(), mcp(name)) {
            (_, Some(word)) => (vec![word], None),
            ("Bash", None) => (vec!["Shell(*)".into()], None),
            ("Read", None) => (vec!["Read(**)".into()], None),
            ("Edit", None) => (vec!["Write(**)".into()], None),
            ("WebFetch" | "WebSearch", None) => (vec!["WebFetch(*)".into()], None),
            (_, None) => (Vec::new(), Some("nothing".into())),
        },
    }
}

/// The tools of a server that Cline runs unasked: those that a rule names and none asks about or denies.
pub(super) fn cline(rules: &PermissionSettings, server: &str) -> Vec<String> {
    let against = [named(&rules.ask), named(&rules.deny)].concat();
    let tools = named(&rules.allow).into_iter().filter_map(|name| {
        let (of, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
        (of == server && !tool.contains('*')).then(|| tool.to_string())
    });
    tools.filter(|tool| is_free(&against, server, tool)).collect()
}

/// The tools that rules name whole.
fn named(list: &[String]) -> Vec<String> {
    let name = |about| match about {
        RuleSubject::Tool(name) => Some(name),
        RuleSubject::Exactly(_)
        | RuleSubject::Begins(_)
        | RuleSubject::Stars(_)
        | RuleSubject::Line(_)
        | RuleSubject::Read(_)
        | RuleSubject::Edit(_)
        | RuleSubject::Host(_) => None,
    };
    rule_parts(list)
        .into_iter()
        .filter_map(|rule| name(rule.about))
        .collect()
}

/// Whether parlour's own tool stays allowed.
pub(super) fn ours_runs(rules: &PermissionSettings, tool: &str) -> bool {
    is_free(&[named(&rules.ask), named(&rules.deny)].concat(), "parlour", tool)
}

fn is_free(against: &[String], server: &str, tool: &str) -> bool {
    let whole = format!("mcp__{server}__{tool}");
    !against.iter().any(|name| stars(name, &whole))
}

/// The rules that Cline cannot be told: all that are about no tool of a server.
pub(super) fn lost_in_cline(rules: &PermissionSettings) -> Vec<String> {
    let of_server = |about: &RuleSubject| matches!(about, RuleSubject::Tool(name) if name.starts_with("mcp__"));
    let allowed = rule_parts(&rules.allow)
        .into_iter()
        .filter(|rule| !of_server(&rule.about));
    let denied = rule_parts(&rules.deny).into_iter();
    allowed
        .map(|rule| format!("{} is left to Cline's own question", rule.text))
        .chain(denied.map(|rule| format!("{} is not denied: Cline has no setting for it, and asks", rule.text)))
        .collect()
}
