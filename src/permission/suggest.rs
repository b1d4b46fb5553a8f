//! Rules that a person may write so that a call is not asked about again. Each is tried: with it the call is allowed.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::model::settings::PermissionSettings;

use super::beginnings;
use super::call::Call;
use super::case::Case;
use super::command::CommandLine;
use super::path::CallPlace;
use super::pattern::{self, Misfit};
use super::ruling::{RuleName, Ruling};
use super::script::Simple;
use super::tool::{self, ToolKind};

/// Of one call no more are proposed: a person reads them all.
const MOST: usize = 6;

/// Rules that would allow a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuggestedRules {
    /// The one to propose first stands first.
    pub rules: Vec<String>,
    /// Where there are none, why, in a clause.
    pub why_none: String,
}

/// What is found out about a question, for who is to answer it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct QuestionNotes {
    /// Rules that would allow the call.
    pub rules: SuggestedRules,
    /// What it edits or writes over in its file.
    pub in_whole_lines: Option<WholeLines>,
    /// The file that it writes is there already.
    #[serde(default)]
    pub overwrites: bool,
}

/// What a call is made with, in whole lines of the file that it edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WholeLines {
    pub input: Value,
    /// The number of the first of them.
    pub first: u32,
}

impl WholeLines {
    /// What is written over them is what they are.
    pub fn changes_nothing(&self) -> bool {
        self.input["old_string"].is_string() && self.input["old_string"] == self.input["new_string"]
    }
}

impl Case {
    /// Rules of which each would have its first call allowed.
    pub fn suggestions(&self) -> SuggestedRules {
        let Some(call) = self.first_call() else {
            return SuggestedRules::default();
        };
        let mut rules: Vec<String> = Vec::new();
        let candidates = candidates(&call, &self.rules.home);
        for rule in &candidates {
            if rules.len() < MOST && !rules.contains(rule) && self.is_allowed_by(rule) == Ok(true) {
                rules.push(rule.clone());
            }
        }
        let why_none = match rules.is_empty() {
            true => self.why_none(&call, candidates.last()),
            false => String::new(),
        };
        SuggestedRules { rules, why_none }
    }

    /// Why none would: what counts before the last candidate; where there is none, what counts now.
    fn why_none(&self, call: &Call<'_>, last: Option<&String>) -> String {
        let command = CommandLine::of(call).map(|line| line.text.to_string());
        let ruling = match last {
            Some(rule) => self.judged_with(rule),
            None => self.judge().into_iter().next(),
        };
        match (ruling, command) {
            (Some(Ruling::Deny { rule, .. }), _) => match rule {
                RuleName::Persons(rule) => format!("your rule {rule} denies it"),
                rule @ (RuleName::Profile(_) | RuleName::BuiltIn(_)) => format!("it is denied ({rule})"),
            },
            (Some(Ruling::Ask { rule, .. }), _) => match rule {
                RuleName::Persons(rule) => format!("your rule {rule} asks about it"),
                rule @ RuleName::Profile(_) => format!("the {rule} asks about it"),
                RuleName::BuiltIn(words) => format!("the built-in rule about {words} asks each time"),
            },
            (_, Some(line)) if line.trim().contains('\n') => {
                "it is written over several lines, and a rule is about one".into()
            }
            (_, Some(line)) if line.contains('*') => "a rule takes its * for any text".into(),
            (_, Some(_)) => "one rule cannot be about all of its commands".into(),
            (_, None) => "no rule is about all that it does".into(),
        }
    }

    /// Whether the rules would allow its first call if this one stood among those of the person.
    pub fn is_allowed_by(&self, rule: &str) -> Result<bool, Misfit> {
        pattern::check(rule)?;
        let by_person = |ruling: &Ruling| {
            matches!(
                ruling,
                Ruling::Allow {
                    rule: RuleName::Persons(_)
                }
            )
        };
        Ok(self.judged_with(rule).as_ref().is_some_and(by_person))
    }

    /// The verdict on its first call if this rule stood among those of the person that allow.
    fn judged_with(&self, rule: &str) -> Option<Ruling> {
        let added = PermissionSettings {
            allow: vec![rule.to_string()],
            ..PermissionSettings::default()
        };
        let with = Case {
            rules: self.rules.with(&added).into(),
            ..self.clone()
        };
        with.judge().into_iter().next()
    }

    fn first_call(&self) -> Option<Call<'_>> {
        self.calls.first().map(|asked| self.call(asked))
    }
}

fn candidates(call: &Call, home: &std::path::Path) -> Vec<String> {
    let (name, kind) = tool::known(call.tool);
    match kind {
        ToolKind::Command => CommandLine::of(call).map_or_else(Vec::new, |line| commands(&line)),
        ToolKind::Read | ToolKind::Edit => {
            let place = CallPlace::within(call.cwd, call.at, tool::directory(call.input), home);
            files(name, &tool::paths(call.input), &place)
        }
        ToolKind::Fetch => {
            let hosts = tool::hosts(call.input).into_iter();
            let mut rules: Vec<String> = hosts.map(|host| format!("{name}(domain:{host})")).collect();
            rules.push(name.into());
            rules
        }
        ToolKind::Other => {
            let server = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
            let server = server.map(|(server, _)| format!("mcp__{server}"));
            std::iter::once(name.to_string()).chain(server).collect()
        }
    }
}

/// By its first words, where these say what it does; behind a `cd`, which may lead to a place that other chats do not have,
/// each command by itself; and as it stands.
fn commands(line: &CommandLine) -> Vec<String> {
    let begins = |simple: &Simple| {
        let count = beginnings::named(&simple.words)?;
        let words = simple.words[..count].iter().map(|word| word.text.as_str());
        Some(format!("Bash({}:*)", shell_words::join(words)))
    };
    let whole = line.text.trim();
    let as_it_stands = |text: &str| (!text.contains(['\n', '*'])).then(|| format!("Bash({text})"));
    let commands = &line.script.commands;
    let has_moved = commands
        .first()
        .is_some_and(|first| first.words.first().is_some_and(|word| word.text == "cd"));
    let alone = |simple: &Simple| {
        let words = simple.words.iter().map(|word| word.text.as_str());
        as_it_stands(&shell_words::join(words)).filter(|_| has_moved && begins(simple).is_none())
    };
    let begin = commands.iter().filter_map(begins);
    begin
        .chain(commands.iter().filter_map(alone))
        .chain(as_it_stands(whole))
        .collect()
}

/// Everything in the project, in the directory, the files themselves, everything.
fn files(name: &str, paths: &[String], place: &CallPlace) -> Vec<String> {
    let mut projects = Vec::new();
    let (mut dirs, mut exact) = (Vec::new(), Vec::new());
    for path in paths {
        let shown = match place.relative(path) {
            Some(relative) => relative,
            None => place.absolute(path),
        };
        let text = globset::escape(&shown.to_string_lossy());
        let parts: Vec<&str> = text.split('/').collect();
        if let ["projects", project, _, ..] = parts[..] {
            projects.push(format!("{name}(projects/{project}/**)"));
        }
        if let Some((dir, _)) = text.rsplit_once('/').filter(|(dir, _)| !dir.is_empty()) {
            dirs.push(format!("{name}({dir}/**)"));
        }
        exact.push(format!("{name}({text})"));
    }
    let rules = projects.into_iter().chain(dirs).chain(exact);
    rules.chain([name.to_string()]).collect()
}
