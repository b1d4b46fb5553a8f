//! The verdict on a call: what a person denies, then what parlour denies, then what a person
//! asks about, then what is allowed, then what parlour asks about.
//!
//! A person's allow lifts parlour's question. It lifts parlour's denial only where it names the whole command line,
//! character for character: nobody writes `rm -rf ~` into a rule by accident, but many write `rm:*`.

use std::path::PathBuf;

use super::call::Call;
use super::command::{self, CommandLine};
use super::path::CallPlace;
use super::pattern::{self, Dots, Pattern, fits_file};
use super::rules::{ASKED, CallPlaces, DENIED, Doubt, ParsedRule, Rules};
use super::ruling::{RuleName, Ruling, ask, deny};
use super::tool::{self, Sort, ToolKind};
use super::word::ShellWord;
use super::{fence, starters, touched_files};

/// Bytes of a command line that is judged in no time.
pub const AT_ONCE: usize = 512;

/// What a rule that fits is to do.
#[derive(Clone, Copy)]
enum To {
    Allow,
    Forbid,
}

impl Rules {
    pub fn judge(&self, call: &Call) -> Ruling {
        self.judge_line(call, CommandLine::of(call).as_ref())
    }

    /// The verdict on a call about which a CLI asks first. No CLI is to ask less in parlour than it does alone, so what
    /// parlour's own rules allow is left to it, but for what they speak of in its place.
    pub fn judge_for_cli(&self, call: &Call) -> Ruling {
        let line = CommandLine::of(call);
        match self.judge_line(call, line.as_ref()) {
            Ruling::Allow {
                rule: RuleName::BuiltIn(_),
            } if !self.speaks_for_cli(call, line.as_ref()) => Ruling::NoOpinion,
            ruling => ruling,
        }
    }

    fn judge_line(&self, call: &Call, line: Option<&CommandLine>) -> Ruling {
        let ruling = self.judge_written(call, line);
        match (&self.doubt, &ruling) {
            (None, _) | (_, Ruling::Ask { .. } | Ruling::Deny { .. }) => ruling,
            (Some(doubt @ Doubt::File), _) => ask(RuleName::built_in("unreadable config.json"), &doubt.cause()),
            (Some(doubt @ (Doubt::Rule(_) | Doubt::List(_))), _) => ask(
                RuleName::built_in("unreadable rule"),
                &format!("{}; it may forbid this", doubt.cause()),
            ),
        }
    }

    fn judge_written(&self, call: &Call, line: Option<&CommandLine>) -> Ruling {
        let said = fence::judge(call, line, &self.home);
        if let Some(denied @ Ruling::Deny { .. }) = said {
            return denied;
        }
        match (self.judge_alone(call, line), said) {
            (Ruling::NoOpinion, Some(asked)) => asked,
            (
                Ruling::Allow {
                    rule: RuleName::BuiltIn(_),
                },
                Some(asked),
            ) => asked,
            (ruling, _) => ruling,
        }
    }

    /// Whether a CLI need not be asked about a call that parlour's own rules allow: that is so only of parlour's tools, and of
    /// reading in what a person opened in the chat as a link, since to a CLI it lies elsewhere.
    pub(super) fn speaks_for_cli(&self, call: &Call, line: Option<&CommandLine>) -> bool {
        let place = CallPlace::within(call.cwd, call.at, tool::directory(call.input), &self.home);
        let links = call.dirs.iter().filter(|area| area.paths.len() > 1 && !area.asks);
        let links: Vec<&PathBuf> = links.flat_map(|area| &area.paths).collect();
        let is_theirs = |path: &str, place: &CallPlace| {
            let path = place.absolute(path);
            links.iter().any(|link| path.starts_with(link))
        };
        match tool::known(call.tool).1 {
            ToolKind::Read => {
                let mut paths = tool::paths(call.input);
                paths.extend(tool::searched(call.tool, call.input));
                !paths.is_empty() && paths.iter().all(|path| is_theirs(path, &place))
            }
            ToolKind::Command => {
                let opened = line.map_or_else(Vec::new, |line| command::opened(line, &place));
                !opened.is_empty() && opened.iter().all(|(word, place)| is_theirs(&word.text, place))
            }
            ToolKind::Other => true,
            ToolKind::Edit | ToolKind::Fetch => false,
        }
    }

    /// What the rules say, whatever the modes of the directories are.
    fn judge_alone(&self, call: &Call, line: Option<&CommandLine>) -> Ruling {
        let (name, kind) = tool::known(call.tool);
        let places = CallPlaces::of(call, &self.home);
        match kind {
            ToolKind::Command => match line {
                Some(line) => command::judge(self, line, &places),
                None => ask(
                    RuleName::built_in("calls that say nothing"),
                    "the call names no command",
                ),
            },
            ToolKind::Read | ToolKind::Edit => {
                let mut paths = tool::paths(call.input);
                paths.extend(tool::searched(call.tool, call.input));
                let globs = tool::globs(call.input);
                let searches = tool::sort_of(call.tool) == Sort::Search;
                self.judge_globs(&globs, &places)
                    .or_else(|| searches.then(|| self.judge_beneath(&paths, &places)).flatten())
                    .unwrap_or_else(|| self.judge_files(name, kind, paths, &places))
            }
            ToolKind::Fetch => {
                let hosts = tool::hosts(call.input);
                self.judge_many(name, &hosts, |pattern, host, _| match pattern {
                    Pattern::Host(rule) => pattern::is_host(rule, host),
                    other => other.names(name),
                })
            }
            ToolKind::Other => self.judge_other(call.tool),
        }
    }

    /// What is forbidden of the files that a search is bound to.
    fn judge_globs(&self, globs: &[String], places: &CallPlaces) -> Option<Ruling> {
        let glob = |glob: &String| ShellWord {
            globs: true,
            ..ShellWord::plain(glob)
        };
        let globs: Vec<ShellWord> = globs.iter().map(glob).collect();
        let meant = |rule: &&ParsedRule, glob: &ShellWord| {
            let reads = matches!(rule.pattern, Pattern::File(ToolKind::Read, _));
            let mut places = places.theirs.iter().filter(|_| reads);
            places.any(|place| touched_files::is_meant(&rule.pattern, glob, place, Dots::Met))
        };
        let any = |rule: &&ParsedRule| globs.iter().any(|glob| meant(rule, glob));
        let denied = self.deny.iter().find(any).map(|rule| deny(rule.name(), DENIED));
        denied.or_else(|| self.ask.iter().find(any).map(|rule| ask(rule.name(), ASKED)))
    }

    /// What is forbidden of all that lies right in a directory that is searched, whatever it is called.
    fn judge_beneath(&self, paths: &[String], places: &CallPlaces) -> Option<Ruling> {
        const ANY: &str = "\u{fffd}";
        let beneath: Vec<String> = match paths {
            [] => vec![ANY.into()],
            paths => paths
                .iter()
                .map(|path| format!("{}/{ANY}", path.trim_end_matches('/')))
                .collect(),
        };
        let meant = |rule: &&ParsedRule| {
            let fits = |path: &String, place| fits_file(&rule.pattern, "", ToolKind::Read, path, place);
            beneath
                .iter()
                .any(|path| places.theirs.iter().any(|place| fits(path, place)))
        };
        let denied = self.deny.iter().find(meant).map(|rule| deny(rule.name(), DENIED));
        denied.or_else(|| self.ask.iter().find(meant).map(|rule| ask(rule.name(), ASKED)))
    }

    fn judge_files(&self, name: &str, kind: ToolKind, mut paths: Vec<String>, places: &CallPlaces) -> Ruling {
        if paths.is_empty() {
            if kind == ToolKind::Edit {
                return match self.judge_many(name, &paths, |pattern, _, _| pattern.names(name)) {
                    Ruling::NoOpinion => ask(RuleName::built_in("calls that say nothing"), "the call names no file"),
                    ruling => ruling,
                };
            }
            // A search that names no folder searches the agent's own.
            paths.push(".".into());
        }
        let fits = |pattern: &Pattern, path: &str, to: To| {
            let fits = |place: &CallPlace| fits_file(pattern, name, kind, path, place);
            match to {
                To::Allow => fits(&places.theirs[0]),
                To::Forbid => places.theirs.iter().any(fits),
            }
        };
        let place = match kind {
            ToolKind::Edit => &places.theirs[0],
            ToolKind::Read | ToolKind::Command | ToolKind::Fetch | ToolKind::Other => &places.own,
        };
        let inside = || paths.iter().all(|path| place.holds(path));
        let given = || paths.iter().all(|path| place.may_write(path));
        match self.judge_many(name, &paths, fits) {
            Ruling::NoOpinion if kind == ToolKind::Read && inside() => Ruling::Allow {
                rule: RuleName::built_in("reading in the agent's directory"),
            },
            Ruling::NoOpinion if kind == ToolKind::Edit && !given() => ask(
                RuleName::built_in("writing elsewhere"),
                "it writes outside of the agent's directory",
            ),
            Ruling::NoOpinion if kind == ToolKind::Edit && paths.iter().any(|path| starters::is_one(place, path)) => {
                ask(RuleName::built_in(starters::NAME), starters::WHY)
            }
            ruling => ruling,
        }
    }

    /// One denied target denies the call, one asked about asks, and all must be allowed.
    fn judge_many(&self, name: &str, targets: &[String], fits: impl Fn(&Pattern, &str, To) -> bool) -> Ruling {
        let any = |rules: &'_ [ParsedRule], to: To| -> Option<RuleName> {
            let fit =
                |rule: &&ParsedRule| rule.pattern.names(name) || targets.iter().any(|t| fits(&rule.pattern, t, to));
            rules.iter().find(fit).map(ParsedRule::name)
        };
        if let Some(rule) = any(&self.deny, To::Forbid) {
            return deny(rule, DENIED);
        }
        if let Some(rule) = any(&self.ask, To::Forbid) {
            return ask(rule, ASKED);
        }
        let allows = |target: &String| self.allow.iter().any(|rule| fits(&rule.pattern, target, To::Allow));
        match any(&self.allow, To::Allow) {
            Some(rule) if targets.iter().all(allows) => Ruling::Allow { rule },
            _ => Ruling::NoOpinion,
        }
    }

    fn judge_other(&self, tool: &str) -> Ruling {
        let perhaps = tool::perhaps(tool);
        let names = |rule: &&ParsedRule| {
            let other = perhaps.as_deref().is_some_and(|name| rule.pattern.names(name));
            rule.pattern.names(tool) || other
        };
        if let Some(rule) = self.deny.iter().find(names) {
            return deny(rule.name(), DENIED);
        }
        if let Some(rule) = self.ask.iter().find(names) {
            return ask(rule.name(), ASKED);
        }
        if let Some(rule) = self.allow.iter().find(|rule| rule.pattern.names(tool)) {
            return Ruling::Allow { rule: rule.name() };
        }
        match tool::is_own(tool) {
            true => Ruling::Allow {
                rule: RuleName::built_in("parlour's own tools"),
            },
            false => Ruling::NoOpinion,
        }
    }
}
