//! Rules that a person may write so that a call is not asked about again. Each is tried: with it the call is allowed.

use crate::model::settings::PermissionSettings;

use super::call::Call;
use super::case::Case;
use super::command::CommandLine;
use super::path::CallPlace;
use super::pattern::{self, Misfit};
use super::ruling::{RuleName, Ruling};
use super::script::Simple;
use super::tool::{self, ToolKind};
use super::{interpreter, program};

/// Of one call no more are proposed: a person reads them all.
const MOST: usize = 6;

/// Programs whose second word says what they run, and the third which of it.
const RUNNERS: [(&str, &str); 10] = [
    ("npm", "run"),
    ("npm", "exec"),
    ("pnpm", "run"),
    ("pnpm", "exec"),
    ("yarn", "run"),
    ("bun", "run"),
    ("uv", "run"),
    ("poetry", "run"),
    ("bundle", "exec"),
    ("deno", "task"),
];

/// Programs that do anything at all: they are allowed with their words alone.
const ANYTHING: [&str; 16] = [
    "bash", "chmod", "chown", "dd", "docker", "env", "eval", "exec", "find", "kill", "mv", "rm", "ssh", "sudo", "doas",
    "xargs",
];

impl Case {
    /// Rules of which each would have its first call allowed, the one to propose first.
    pub fn suggestions(&self) -> Vec<String> {
        let Some(call) = self.first_call() else {
            return Vec::new();
        };
        let mut found: Vec<String> = Vec::new();
        for rule in candidates(&call, &self.rules.home) {
            if found.len() < MOST && !found.contains(&rule) && self.is_allowed_by(&rule) == Ok(true) {
                found.push(rule);
            }
        }
        found
    }

    /// Whether the rules would allow its first call if this one stood among those of the person.
    pub fn is_allowed_by(&self, rule: &str) -> Result<bool, Misfit> {
        pattern::check(rule)?;
        let added = PermissionSettings {
            allow: vec![rule.to_string()],
            ..PermissionSettings::default()
        };
        let with = Case {
            rules: self.rules.with(&added).into(),
            ..self.clone()
        };
        let by_person = |ruling: &Ruling| {
            matches!(
                ruling,
                Ruling::Allow {
                    rule: RuleName::Persons(_)
                }
            )
        };
        Ok(with.judge().first().is_some_and(by_person))
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

/// By its first words, as it stands, and with its program alone.
fn commands(line: &CommandLine) -> Vec<String> {
    let (mut narrow, mut wide) = (Vec::new(), Vec::new());
    for simple in &line.script.commands {
        let (begin, whole) = beginnings(simple);
        narrow.extend(begin);
        wide.extend(whole);
    }
    let whole = line.text.trim();
    let exactly = (!whole.contains(['\n', '*'])).then(|| format!("Bash({whole})"));
    narrow.into_iter().chain(exactly).chain(wide).collect()
}

/// The first words that say what a command does, and its program.
fn beginnings(simple: &Simple) -> (Option<String>, Option<String>) {
    let words: Vec<&str> = simple.words.iter().map(|word| word.text.as_str()).collect();
    let is_known = simple.words.iter().take(3).all(|word| word.known && !word.globs);
    let Some((first, rest)) = words.split_first().filter(|_| is_known) else {
        return (None, None);
    };
    let begins = |count: usize| format!("Bash({}:*)", shell_words::join(&words[..count]));
    let is_verb = |word: &&str| {
        let mut letters = word.chars();
        letters.next().is_some_and(|c| c.is_ascii_lowercase())
            && letters.all(|c| c.is_ascii_alphanumeric() || "-_:".contains(c))
    };
    let verbs = rest.iter().take_while(|word| is_verb(word)).count();
    let runs = |verb: &&&str| RUNNERS.contains(&(program::name(first), **verb));
    let narrow = match (rest.first().filter(runs), verbs) {
        (Some(_), 0 | 1) => None,
        (Some(_), _) => Some(begins(3)),
        (None, 0) => None,
        (None, _) => Some(begins(2)),
    };
    let is_narrow = narrow.is_some() || rest.first().filter(runs).is_some();
    let does_anything = ANYTHING.contains(&program::name(first)) || interpreter::runs_arguments(&simple.words);
    let wide = (!is_narrow && !does_anything).then(|| begins(1));
    let fits = |rule: &String| !rule.trim_end_matches(":*)").contains(['*', '\n']);
    let narrow = narrow.filter(|rule| fits(rule) && !interpreter::runs_arguments(&simple.words));
    (narrow, wide.filter(fits))
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
