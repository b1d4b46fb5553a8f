//! The verdict on a command line: each command in it against each rule.
//!
//! A rule that denies or asks looks at every command, under every name it may go by. A rule that allows sees the words
//! as they are written, and holds only where each command of a plain line is allowed.

use std::ops::Range;

use super::builtin::{self, Builtin};
use super::path::Place;
use super::pattern::{self, Line, Pattern};
use super::rules::{ASKED, DENIED, Rule, Rules, Ruling, ask, built_in, deny, fits_file};
use super::shell::{Script, Simple};
use super::tool::Kind;
use super::word::Word;
use super::wrapper;

pub(super) fn judge(rules: &Rules, text: &str, place: &Place) -> Ruling {
    let script = Script::read(text);
    let said = Said {
        script: &script,
        tokens: tokens(text),
        text: text.trim(),
        place,
    };
    if let Some(rule) = rules.deny.iter().find(|rule| said.is_meant_by(rule)) {
        return deny(&rule.text, DENIED);
    }
    let exact = rules.allow.iter().find(|rule| said.is_exactly(rule));
    if let (Some((name, why)), None) = (said.denied(), exact) {
        return deny(&built_in(name), why);
    }
    if let Some(rule) = rules.ask.iter().find(|rule| said.is_meant_by(rule)) {
        return ask(&rule.text, ASKED);
    }
    let all = rules
        .allow
        .iter()
        .find(|rule| rule.pattern.names("Bash") && script.readable);
    if let Some(rule) = exact.or(all) {
        return Ruling::Allow {
            rule: rule.text.clone(),
        };
    }
    if let Some(rule) = said.allowed(rules) {
        return Ruling::Allow { rule };
    }
    match said.asked() {
        Some((name, why)) => ask(&built_in(name), why),
        None => Ruling::NoOpinion,
    }
}

/// A command line and where it is said.
struct Said<'a> {
    text: &'a str,
    script: &'a Script,
    /// The words of the text by blanks and punctuation alone, for lines that cannot be parsed.
    tokens: Vec<&'a str>,
    place: &'a Place<'a>,
}

impl Said<'_> {
    /// Whether a rule that denies or asks is about any part of the line.
    fn is_meant_by(&self, rule: &Rule) -> bool {
        let script = self.script;
        match &rule.pattern {
            Pattern::Tool(_) | Pattern::Host(_) => rule.pattern.names("Bash"),
            Pattern::Command(line) => {
                let fits = |simple: &Simple| {
                    forms(&simple.words)
                        .iter()
                        .any(|words| line.fits(&pattern::texts(words)))
                };
                let unread = !script.readable && line.occurs_in(&self.tokens);
                self.is_exactly(rule) || unread || script.commands.iter().any(fits)
            }
            Pattern::File(Kind::Edit, _) => {
                let fits = |word: &Word| fits_file(&rule.pattern, "Edit", Kind::Edit, &word.text, self.place);
                script.writes.iter().any(fits)
            }
            Pattern::File(..) => {
                let fits = |word: &Word| fits_file(&rule.pattern, "Read", Kind::Read, &word.text, self.place);
                let reads = |simple: &&Simple| builtin::reads(&simple.words);
                script
                    .commands
                    .iter()
                    .filter(reads)
                    .any(|simple| simple.words.iter().skip(1).any(fits))
            }
        }
    }

    /// Whether a rule names this very line.
    fn is_exactly(&self, rule: &Rule) -> bool {
        matches!(&rule.pattern, Pattern::Command(Line::Exact { text, .. }) if text == self.text)
    }

    /// The rule by which each command may run; where several are at work, the first.
    fn allowed(&self, rules: &Rules) -> Option<String> {
        let script = self.script;
        if !script.plain || !script.readable {
            return None;
        }
        let mut first = None;
        for simple in script.commands.iter().filter(|simple| !simple.carries) {
            let words = pattern::texts(&simple.words);
            let fits = |rule: &&Rule| matches!(&rule.pattern, Pattern::Command(line) if line.fits(&words));
            let rule = match rules.allow.iter().find(fits) {
                Some(rule) => rule.text.clone(),
                None if self.asks_about(simple).is_some() => return None,
                None => built_in(builtin::allows(&simple.words, self.place)?),
            };
            first.get_or_insert(rule);
        }
        first.filter(|_| self.pipes_into_interpreter().is_none())
    }

    fn denied(&self) -> Option<(&'static str, &'static str)> {
        let script = self.script;
        if script.bomb || self.text.split_whitespace().collect::<String>().contains(":(){:|:&};:") {
            return Some(("fork bomb", "it starts itself without end"));
        }
        if script.writes.iter().any(|word| builtin::is_disk(&word.text)) {
            return Some(("writing to a disk", "it overwrites a disk"));
        }
        if self.pipes_into_interpreter() == Some(true) || self.runs_what_it_fetches() {
            return Some(("curl | sh", "it runs what it fetches, unread"));
        }
        self.first(&builtin::DENY)
    }

    fn asked(&self) -> Option<(&'static str, &'static str)> {
        let script = self.script;
        if !script.readable {
            return Some(("unreadable command", "not all of it can be taken apart"));
        }
        if let Some(asks) = script.commands.iter().find_map(|simple| self.asks_about(simple)) {
            return Some(asks);
        }
        if self.pipes_into_interpreter().is_some() {
            return Some(("pipe into an interpreter", "it runs what comes out of another program"));
        }
        let outside = |word: &Word| !word.known || !self.place.holds(&word.text);
        let elsewhere = script.writes.iter().any(outside);
        elsewhere.then_some(("writing elsewhere", "it writes outside of the agent's directory"))
    }

    fn asks_about(&self, simple: &Simple) -> Option<(&'static str, &'static str)> {
        if simple
            .words
            .first()
            .is_some_and(|program| !program.known || program.globs)
        {
            return Some(("unknown program", "which program it runs is known only when it does"));
        }
        let forms = forms(&simple.words);
        let found = builtin::ASK
            .iter()
            .find(|builtin| forms.iter().any(|words| builtin.fits(words, self.place)));
        found.map(|builtin| (builtin.name, builtin.why))
    }

    fn first(&self, list: &'static [Builtin]) -> Option<(&'static str, &'static str)> {
        let fits = |builtin: &&Builtin| {
            let fit = |simple: &Simple| forms(&simple.words).iter().any(|words| builtin.fits(words, self.place));
            self.script.commands.iter().any(fit)
        };
        list.iter().find(fits).map(|builtin| (builtin.name, builtin.why))
    }

    /// Whether some output is run as a program, and whether it came from the network.
    fn pipes_into_interpreter(&self) -> Option<bool> {
        let any = |range: &Range<usize>, is: fn(&[Word]) -> bool| {
            self.script.commands[range.clone()]
                .iter()
                .any(|simple| is(&simple.words))
        };
        let mut found = None;
        for stages in &self.script.pipelines {
            for (at, _) in stages
                .iter()
                .enumerate()
                .skip(1)
                .filter(|(_, stage)| any(stage, builtin::runs_input))
            {
                let fetched = stages[..at].iter().any(|stage| any(stage, builtin::fetches));
                found = Some(found.unwrap_or(false) || fetched);
            }
        }
        found
    }

    /// `sh -c "$(curl …)"`, `source <(curl …)`.
    fn runs_what_it_fetches(&self) -> bool {
        let commands = &self.script.commands;
        commands.iter().any(|simple| {
            let inner = commands.get(simple.within.clone()).unwrap_or_default();
            builtin::runs_arguments(&simple.words) && inner.iter().any(|simple| builtin::fetches(&simple.words))
        })
    }
}

/// The command's words under each name it may go by: as written, without the program's path, without git's options
/// in front of the verb.
fn forms(words: &[Word]) -> Vec<Vec<Word>> {
    let mut forms = vec![words.to_vec()];
    let name = wrapper::program(words);
    if words.first().is_some_and(|first| first.text != name) {
        let mut short = words.to_vec();
        short[0].text = name.to_string();
        forms.push(short);
    }
    if name == "git" {
        let mut at = 1;
        while let Some(word) = words.get(at).filter(|word| word.text.starts_with('-')) {
            let valued = [
                "-C",
                "-c",
                "--git-dir",
                "--work-tree",
                "--namespace",
                "--exec-path",
                "--config-env",
            ];
            at += 1 + usize::from(valued.contains(&word.text.as_str()));
        }
        if at > 1 && at < words.len() {
            let verb = words[at..].iter().cloned();
            forms.push(std::iter::once(Word::plain("git")).chain(verb).collect());
        }
    }
    forms
}

fn tokens(text: &str) -> Vec<&str> {
    let ends = |c: char| c.is_whitespace() || ";|&()`'\"$<>{}\\".contains(c);
    text.split(ends).filter(|word| !word.is_empty()).collect()
}
