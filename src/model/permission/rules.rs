//! The rules in force and the verdict on a call: what a person denies, then what parlour denies, then what a person
//! asks about, then what is allowed, then what parlour asks about.
//!
//! A person's allow lifts parlour's question. It lifts parlour's denial only where it names the whole command line,
//! character for character: nobody writes `rm -rf ~` into a rule by accident, but many write `rm:*`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::command;
use super::path::Place;
use super::pattern::{self, Misfit, Pattern};
use super::tool::{self, Kind};
use crate::model::settings::PermissionSettings;

/// A call of a tool, as an agent CLI announces it.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// As the CLI calls it: `Bash`, `write_file`, `mcp__github__create_issue`.
    pub tool: &'a str,
    pub input: &'a Value,
    /// The agent's directory, absolute.
    pub cwd: &'a Path,
}

/// What the rules say to a call. It holds for that call's exact input and for no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    Allow {
        rule: String,
    },
    Ask {
        rule: String,
        why: String,
    },
    Deny {
        rule: String,
        why: String,
    },
    /// No rule is about it: the CLI's own rules hold.
    NoOpinion,
}

/// A person's rules over parlour's own.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    pub(super) allow: Vec<Rule>,
    pub(super) ask: Vec<Rule>,
    pub(super) deny: Vec<Rule>,
    home: PathBuf,
}

#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub text: String,
    pub pattern: Pattern,
}

impl Rules {
    /// The rules of `settings`, and those that are none, each with its reason. `home` is what `~` stands for.
    pub fn parse(settings: &PermissionSettings, home: &Path) -> (Rules, Vec<Misfit>) {
        let mut misfits = Vec::new();
        let mut read = |list: &[String]| {
            let mut rules = Vec::new();
            for text in list {
                match pattern::parse(text, home) {
                    Ok(pattern) => rules.push(Rule {
                        text: text.clone(),
                        pattern,
                    }),
                    Err(misfit) => misfits.push(misfit),
                }
            }
            rules
        };
        let rules = Rules {
            allow: read(&settings.allow),
            ask: read(&settings.ask),
            deny: read(&settings.deny),
            home: home.to_path_buf(),
        };
        (rules, misfits)
    }

    pub fn judge(&self, call: &Call) -> Ruling {
        let (name, kind) = tool::known(call.tool);
        let place = Place::new(call.cwd, tool::directory(call.input), &self.home);
        match kind {
            Kind::Command => match tool::command(call.input) {
                Some(text) => command::judge(self, &text, &place),
                None => ask(BUILT_IN, "the call names no command"),
            },
            Kind::Read | Kind::Edit => self.judge_files(name, kind, tool::paths(call.input), &place),
            Kind::Fetch => {
                let hosts = tool::hosts(call.input);
                self.judge_many(name, &hosts, |pattern, host| match pattern {
                    Pattern::Host(rule) => pattern::is_host(rule, host),
                    other => other.names(name),
                })
            }
            Kind::Other => self.judge_other(call.tool),
        }
    }

    fn judge_files(&self, name: &str, kind: Kind, mut paths: Vec<String>, place: &Place) -> Ruling {
        if paths.is_empty() {
            if kind == Kind::Edit {
                return match self.judge_many(name, &paths, |pattern, _| pattern.names(name)) {
                    Ruling::NoOpinion => ask(BUILT_IN, "the call names no file"),
                    ruling => ruling,
                };
            }
            // A search that names no folder searches the agent's own.
            paths.push(".".into());
        }
        let fits = |pattern: &Pattern, path: &str| fits_file(pattern, name, kind, path, place);
        let inside = paths.iter().all(|path| place.holds(path));
        match self.judge_many(name, &paths, fits) {
            Ruling::NoOpinion if kind == Kind::Read && inside => Ruling::Allow {
                rule: built_in("reading in the agent's directory"),
            },
            Ruling::NoOpinion if kind == Kind::Edit && !inside => ask(
                &built_in("writing elsewhere"),
                "it writes outside of the agent's directory",
            ),
            Ruling::NoOpinion if kind == Kind::Edit && paths.iter().any(|path| starts_programs(path)) => ask(
                &built_in("writing what starts programs"),
                "what is written there is run by git or by the agent's CLI",
            ),
            ruling => ruling,
        }
    }

    /// One denied target denies the call, one asked about asks, and all must be allowed.
    fn judge_many(&self, name: &str, targets: &[String], fits: impl Fn(&Pattern, &str) -> bool) -> Ruling {
        let any = |rules: &'_ [Rule]| -> Option<String> {
            let fit = |rule: &&Rule| rule.pattern.names(name) || targets.iter().any(|t| fits(&rule.pattern, t));
            rules.iter().find(fit).map(|rule| rule.text.clone())
        };
        if let Some(rule) = any(&self.deny) {
            return deny(&rule, DENIED);
        }
        if let Some(rule) = any(&self.ask) {
            return ask(&rule, ASKED);
        }
        let allows = |target: &String| self.allow.iter().any(|rule| fits(&rule.pattern, target));
        match any(&self.allow) {
            Some(rule) if targets.iter().all(allows) => Ruling::Allow { rule },
            _ => Ruling::NoOpinion,
        }
    }

    fn judge_other(&self, tool: &str) -> Ruling {
        let perhaps = tool::perhaps(tool);
        let names = |rule: &&Rule| {
            let other = perhaps.as_deref().is_some_and(|name| rule.pattern.names(name));
            rule.pattern.names(tool) || other
        };
        if let Some(rule) = self.deny.iter().find(names) {
            return deny(&rule.text, DENIED);
        }
        if let Some(rule) = self.ask.iter().find(names) {
            return ask(&rule.text, ASKED);
        }
        if let Some(rule) = self.allow.iter().find(|rule| rule.pattern.names(tool)) {
            return Ruling::Allow {
                rule: rule.text.clone(),
            };
        }
        match tool.starts_with("mcp__parlour__") {
            true => Ruling::Allow {
                rule: built_in("parlour's own tools"),
            },
            false => Ruling::NoOpinion,
        }
    }
}

impl Pattern {
    /// Whether every call of the tool `name` is meant.
    pub(super) fn names(&self, name: &str) -> bool {
        match self {
            Pattern::Tool(pattern) => pattern::stars(pattern, name),
            Pattern::Command(_) | Pattern::File(..) | Pattern::Host(_) => false,
        }
    }
}

pub(super) fn fits_file(pattern: &Pattern, name: &str, kind: Kind, path: &str, place: &Place) -> bool {
    match pattern {
        Pattern::File(of, glob) => *of == kind && glob.fits(path, place),
        Pattern::Tool(_) | Pattern::Command(_) | Pattern::Host(_) => pattern.names(name),
    }
}

/// Git's hooks and configuration, and an agent CLI's own, make whoever writes them able to run anything.
fn starts_programs(path: &str) -> bool {
    path.split('/')
        .any(|part| [".git", ".claude", ".codex", ".gemini", ".opencode"].contains(&part))
}

pub const BUILT_IN: &str = "built in";
pub(super) const DENIED: &str = "a rule of config.json denies it";
pub(super) const ASKED: &str = "a rule of config.json asks about it";

pub(super) fn built_in(name: &str) -> String {
    format!("{BUILT_IN}: {name}")
}

pub(super) fn ask(rule: &str, why: &str) -> Ruling {
    Ruling::Ask {
        rule: rule.into(),
        why: why.into(),
    }
}

pub(super) fn deny(rule: &str, why: &str) -> Ruling {
    Ruling::Deny {
        rule: rule.into(),
        why: why.into(),
    }
}
