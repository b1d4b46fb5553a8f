//! The verdict on a command line: each command in it against each rule.
//!
//! A rule that denies or asks looks at every command, under every name it may go by. A rule that allows sees the words
//! as they are written, and holds only where each command of a plain line is allowed.

use std::ops::Range;
use std::path::PathBuf;

use super::builtin::{self, Builtin, LOADS, PIPED};
use super::call::Call;
use super::command_names::forms;
use super::cwd::{CommandCwd, CwdTracker, LOST};
use super::path::CallPlace;
use super::pattern::{self, Dots, Pattern, RuleLine};
use super::rules::{ASKED, CallPlaces, DENIED, ParsedRule, Rules};
use super::ruling::{RuleName, Ruling, ask, deny};
use super::script::{ParsedScript, Simple};
use super::tool::{self, ToolKind};
use super::unparsed::{Unread, all_tokens, from_each};
use super::word::ShellWord;
use super::{interpreter, line_continuation, program, reading, starters, touched_files, unknown_words, variable};

/// The command line of a call, taken apart once for all that judge it: that is most of their work.
pub(super) struct CommandLine {
    pub text: String,
    pub script: ParsedScript,
    /// What may stand in it where not all of it could be taken apart.
    pub unread: Option<Unread>,
}

impl CommandLine {
    /// `None` where the call runs no command, or names none.
    pub fn of(call: &Call) -> Option<CommandLine> {
        let (_, ToolKind::Command) = tool::known(call.tool) else {
            return None;
        };
        let text = tool::command(call.input)?;
        let script = ParsedScript::read(&text);
        let unread = (!script.readable).then(|| Unread::of(&line_continuation::both(&text)));
        Some(CommandLine { text, script, unread })
    }
}

pub(super) fn judge(rules: &Rules, line: &CommandLine, places: &CallPlaces) -> Ruling {
    let CommandLine { text, unread, .. } = line;
    let tokens = unread
        .as_ref()
        .map_or_else(Vec::new, |_| all_tokens(&line_continuation::both(text)));
    let tokens = tokens.iter().map(String::as_str).collect();
    let said = SaidLine::new(line, tokens, places);
    if let Some(rule) = rules.deny.iter().find(|rule| said.is_meant_by(rule)) {
        return deny(rule.name(), DENIED);
    }
    let exact = said.named_whole_by(rules);
    if let (Some((name, why)), None) = (said.denied(), exact) {
        return deny(RuleName::built_in(name), why);
    }
    if let Some(rule) = rules.ask.iter().find(|rule| said.is_meant_by(rule)) {
        return ask(rule.name(), ASKED);
    }
    if let Some(rule) = exact.or_else(|| said.any_allowed_by(rules)) {
        return Ruling::Allow { rule: rule.name() };
    }
    if let Some(rule) = said.allowed(rules) {
        return Ruling::Allow { rule };
    }
    match said.asked() {
        Some((name, why)) => ask(RuleName::built_in(name), why),
        None => Ruling::NoOpinion,
    }
}

/// The commands of a line that parlour lets pass, and no rule of a person, each with where it runs.
pub(super) fn unasked<'l>(
    rules: &Rules,
    line: &'l CommandLine,
    places: &'l CallPlaces<'l>,
) -> Vec<(&'l [ShellWord], CallPlace<'l>)> {
    let said = SaidLine::new(line, Vec::new(), places);
    if said
        .named_whole_by(rules)
        .or_else(|| said.any_allowed_by(rules))
        .is_some()
    {
        return Vec::new();
    }
    let by = said.allowing(rules).unwrap_or_default().into_iter();
    let commands = line.script.commands.iter().zip(&said.tracker.spots);
    let of_ours = by
        .zip(commands)
        .filter(|(rule, _)| matches!(rule, Some(RuleName::BuiltIn(_))));
    of_ours
        .map(|(_, (simple, spot))| (simple.words.as_slice(), spot.place.clone()))
        .collect()
}

/// The files that commands of a line read by name, each with where its command runs.
pub(super) fn opened<'a>(line: &CommandLine, start: &CallPlace<'a>) -> Vec<(ShellWord, CallPlace<'a>)> {
    let along = line
        .script
        .commands
        .iter()
        .zip(CwdTracker::of(&line.script, start).spots);
    let mut files = Vec::new();
    for (simple, CommandCwd { place, .. }) in along {
        if reading::opens_all(&simple.words) {
            files.push((ShellWord::plain("."), place.clone()));
        }
        let words = reading::opens(&simple.words).into_iter();
        files.extend(words.map(|word| (word.clone(), place.clone())));
    }
    files
}

/// A command line and where it is said.
struct SaidLine<'a> {
    text: &'a str,
    dots: Dots,
    script: &'a ParsedScript,
    /// Of each command of the script, the words under each name it may go by.
    forms: Vec<Vec<Vec<ShellWord>>>,
    unread: Option<&'a Unread>,
    /// The words of a line of which not all could be taken apart.
    tokens: Vec<&'a str>,
    /// Where it begins. What it allows is allowed from there.
    place: &'a CallPlace<'a>,
    /// The tops of the clones that parlour made.
    clones: &'a [&'a PathBuf],
    tracker: CwdTracker<'a>,
    /// The same for a person's rules.
    theirs: [CwdTracker<'a>; 2],
}

impl<'a> SaidLine<'a> {
    fn new(line: &'a CommandLine, tokens: Vec<&'a str>, places: &'a CallPlaces<'a>) -> SaidLine<'a> {
        let script = &line.script;
        SaidLine {
            script,
            unread: line.unread.as_ref(),
            forms: script.commands.iter().map(|simple| named(script, simple)).collect(),
            tokens,
            text: line.text.trim(),
            dots: Dots::of_line(&line.text),
            place: &places.own,
            clones: &places.clones,
            tracker: CwdTracker::of(script, &places.own),
            theirs: places.theirs.each_ref().map(|place| CwdTracker::of(script, place)),
        }
    }

    /// The rule of a person that allows this line to the letter.
    fn named_whole_by<'r>(&self, rules: &'r Rules) -> Option<&'r ParsedRule> {
        rules.allow.iter().find(|rule| self.is_exactly(rule))
    }

    /// The rule of a person that allows every line.
    fn any_allowed_by<'r>(&self, rules: &'r Rules) -> Option<&'r ParsedRule> {
        let mut all = rules.allow.iter().filter(|_| self.script.readable);
        all.find(|rule| rule.pattern.names("Bash"))
    }

    /// Whether a rule that denies or asks is about any part of the line.
    fn is_meant_by(&self, rule: &ParsedRule) -> bool {
        let script = self.script;
        match &rule.pattern {
            Pattern::Tool(_) | Pattern::Host(_) => rule.pattern.names("Bash"),
            Pattern::Command(line) => {
                let fits = |words: &Vec<ShellWord>| line.forbids(&pattern::texts(words)) || line.may_fit(words);
                let occurs = |words: &Vec<ShellWord>| line.occurs_in(&pattern::texts(words));
                let unread = |unread: &Unread| line.occurs_in(&self.tokens) || unread.forms.iter().any(occurs);
                self.is_exactly(rule)
                    || joins_to(rule, self.text)
                    || self.unread.is_some_and(unread)
                    || self.forms.iter().flatten().any(fits)
            }
            Pattern::File(ToolKind::Edit, _) => {
                let fits = |word: &ShellWord, place: &CallPlace| {
                    touched_files::is_meant(&rule.pattern, word, place, self.dots)
                };
                let of_forms =
                    |forms: &Vec<Vec<ShellWord>>| forms.iter().flat_map(|words| touched_files::writes(words)).collect();
                let writes: Vec<Vec<ShellWord>> = self.forms.iter().map(of_forms).collect();
                let written = |tracker: &CwdTracker| {
                    let mut along = writes.iter().zip(&tracker.spots);
                    let first = &tracker.spots[0].place;
                    along.any(|(words, spot)| words.iter().any(|word| fits(word, &spot.place) || fits(word, first)))
                };
                let hidden: Vec<ShellWord> = self
                    .unread
                    .iter()
                    .flat_map(|unread| unread.commands.iter().map(|simple| &simple.words).chain(&unread.forms))
                    .flat_map(|words| touched_files::writes(words))
                    .collect();
                let hidden = touched_files::once(hidden);
                let mut places = self.theirs.iter().flat_map(CwdTracker::places);
                places.any(|spot| self.writes().chain(&hidden).any(|word| fits(word, &spot.place)))
                    || self.theirs.iter().any(written)
            }
            Pattern::File(..) => {
                let fits = |word: &ShellWord, place: &CallPlace| {
                    touched_files::is_meant(&rule.pattern, word, place, self.dots)
                };
                let redirected = |tracker: &CwdTracker| {
                    let places = tracker.places();
                    let mut files = script.reads.iter();
                    files.any(|word| places.iter().any(|spot| fits(word, &spot.place)))
                };
                // Where there are more commands, a name that one prints may be read by another.
                let alone = script.readable && script.commands.len() == 1;
                let read = |words: &Vec<ShellWord>| touched_files::reads(words, alone);
                let of_forms = |forms: &Vec<Vec<ShellWord>>| forms.iter().flat_map(read).collect();
                let reads: Vec<Vec<ShellWord>> = self.forms.iter().map(of_forms).collect();
                let any = |words: &Vec<ShellWord>, spot: &CommandCwd| words.iter().any(|word| fits(word, &spot.place));
                // A `cd` may fail: what is named may lie where the line began.
                let first = |tracker: &CwdTracker| reads.iter().any(|words| any(words, &tracker.spots[0]));
                let along =
                    |tracker: &CwdTracker| reads.iter().zip(&tracker.spots).any(|(words, spot)| any(words, spot));
                let hidden = self.unread.iter().flat_map(|unread| &unread.commands);
                let hidden = hidden.flat_map(|simple| touched_files::reads(&simple.words, false));
                let hidden = touched_files::once(hidden.collect());
                let unread = |tracker: &CwdTracker| tracker.places().into_iter().any(|spot| any(&hidden, spot));
                let mut trails = self.theirs.iter();
                trails.any(|tracker| first(tracker) || along(tracker) || unread(tracker) || redirected(tracker))
            }
        }
    }

    /// What is written to, or may be.
    fn writes(&self) -> impl Iterator<Item = &ShellWord> {
        let unread = self.unread.iter().flat_map(|unread| &unread.writes);
        self.script.writes.iter().chain(unread)
    }

    /// Whether a rule names this very line.
    fn is_exactly(&self, rule: &ParsedRule) -> bool {
        matches!(&rule.pattern, Pattern::Command(RuleLine::Exact { text, .. }) if text == self.text)
    }

    /// The rule by which the line may run; where several are at work, the first of a person's.
    fn allowed(&self, rules: &Rules) -> Option<RuleName> {
        let all: Vec<RuleName> = self.allowing(rules)?.into_iter().flatten().collect();
        // A line is a person's word where one command of it is: what else is in it does no harm.
        let persons = all.iter().find(|rule| matches!(rule, RuleName::Persons(_)));
        let first = persons.or(all.first()).cloned();
        first.filter(|_| self.pipes_into_interpreter().is_none())
    }

    /// Of each command the rule by which it may run, but of one that only carries another.
    fn allowing(&self, rules: &Rules) -> Option<Vec<Option<RuleName>>> {
        let script = self.script;
        if !script.plain || !script.readable {
            return None;
        }
        let mut found = Vec::new();
        let mut named: Vec<Option<&ParsedRule>> = Vec::new();
        let commands = script.commands.iter().zip(&self.forms).zip(&self.tracker.spots);
        for ((simple, forms), spot) in commands {
            let words = pattern::texts(&simple.words);
            let fits = |rule: &&ParsedRule| matches!(&rule.pattern, Pattern::Command(line) if line.fits(&words));
            // `Bash(uv run:*)` means what is run too, but for what is asked about.
            let outer = simple.named.and_then(|(at, count)| Some((named[at]?, count)));
            let outer = outer.filter(|(rule, count)| rule.names_words(*count));
            let rule = outer.map(|(rule, _)| rule).or_else(|| rules.allow.iter().find(fits));
            let itself = outer.is_none_or(|(rule, count)| rule.names_words(count + 1));
            named.push(rule);
            let asked = || asks_about(simple, forms, self.place, spot).is_some();
            found.push(match rule {
                _ if simple.carries => None,
                Some(rule) if itself || !asked() => Some(rule.name()),
                Some(_) => return None,
                None if asked() => return None,
                None => {
                    let allowed = reading::allows(&simple.words, self.place, self.is_cloned(spot))?;
                    Some(RuleName::built_in(allowed))
                }
            });
        }
        Some(found)
    }

    /// Whether a command runs at the top of a clone that parlour made, where the line began too.
    fn is_cloned(&self, spot: &CommandCwd) -> bool {
        let base = self.place.base();
        spot.known && spot.place.base() == base && self.clones.iter().any(|top| *top == base)
    }

    fn denied(&self) -> Option<(&'static str, &'static str)> {
        let script = self.script;
        if script.bomb
            || line_continuation::both(self.text)
                .split_whitespace()
                .collect::<String>()
                .contains(":(){:|:&};:")
        {
            return Some(("fork bomb", "it starts itself without end"));
        }
        if self.writes().any(|word| builtin::is_disk(&word.text)) {
            return Some(("writing to a disk", "it overwrites a disk"));
        }
        if self.pipes_into_interpreter() == Some(true) || self.runs_what_it_fetches() {
            return Some(("curl | sh", "it runs what it fetches, unread"));
        }
        self.first(&builtin::DENY).or_else(|| self.hidden())
    }

    /// What is denied, where it stands behind a program that nobody knows, or in what cannot be taken apart.
    fn hidden(&self) -> Option<(&'static str, &'static str)> {
        let commands = || self.forms.iter().zip(&self.tracker.spots);
        let behind = commands().find_map(|(forms, spot)| {
            let words = forms.last()?;
            builtin::hides_denied(words, &spot.place).or_else(|| builtin::hides_denied(words, self.place))
        });
        let unread = || {
            let words: Vec<ShellWord> = self.tokens.iter().map(|token| ShellWord::plain(*token)).collect();
            let others = self.unread.iter().flat_map(|unread| &unread.forms);
            let mut all = from_each(&words).chain(others.map(Vec::as_slice));
            all.find_map(|words| builtin::is_denied(words, self.place))
        };
        behind.or_else(unread).map(|builtin| (builtin.name, builtin.why))
    }

    fn asked(&self) -> Option<(&'static str, &'static str)> {
        let script = self.script;
        if !script.readable {
            return Some(("unreadable command", "not all of it can be taken apart"));
        }
        let mut commands = script.commands.iter().zip(&self.forms).zip(&self.tracker.spots);
        if let Some(asks) = commands.find_map(|((simple, forms), spot)| asks_about(simple, forms, self.place, spot)) {
            return Some(asks);
        }
        if self.pipes_into_interpreter().is_some() {
            return Some(PIPED);
        }
        let shell = script.commands.iter().any(|simple| program::is_shell(&simple.words));
        if script.assigned.iter().any(|word| variable::loads(word, shell)) {
            return Some(LOADS);
        }
        let places = self.tracker.places();
        let outside = |word: &ShellWord, known| {
            let mut places = places.iter().filter(|spot| spot.known == known);
            places.any(|spot| !spot.place.may_write(&word.text))
        };
        let any = |is: &dyn Fn(&ShellWord) -> bool| script.writes.iter().any(is);
        match () {
            () if any(&|word| !word.known || outside(word, true)) => {
                Some(("writing elsewhere", "it writes outside of the agent's directory"))
            }
            () if any(&|word| outside(word, false)) => Some(("writing elsewhere", LOST)),
            () if any(&|word| places.iter().any(|spot| starters::is_one(&spot.place, &word.text))) => {
                Some((starters::NAME, starters::WHY))
            }
            () => None,
        }
    }

    fn first(&self, list: &'static [Builtin]) -> Option<(&'static str, &'static str)> {
        let fits = |builtin: &&Builtin| {
            let mut commands = self.forms.iter().zip(&self.tracker.spots);
            let fits = |words: &Vec<ShellWord>, spot: &CommandCwd| {
                builtin.fits(words, &spot.place) || builtin.fits(words, self.place)
            };
            commands.any(|(forms, spot)| forms.iter().any(|words| fits(words, spot)))
        };
        list.iter().find(fits).map(|builtin| (builtin.name, builtin.why))
    }

    /// Whether some output is run as a program, and whether it came from the network.
    fn pipes_into_interpreter(&self) -> Option<bool> {
        let any = |range: &Range<usize>, is: fn(&[ShellWord]) -> bool| {
            self.script.commands[range.clone()]
                .iter()
                .any(|simple| is(&simple.words))
        };
        let mut found = self.unread.and_then(|unread| unread.pipes);
        for stages in &self.script.pipelines {
            for (at, _) in stages
                .iter()
                .enumerate()
                .skip(1)
                .filter(|(_, stage)| any(stage, interpreter::runs_input))
            {
                let fetched = stages[..at].iter().any(|stage| any(stage, interpreter::fetches));
                found = Some(found.unwrap_or(false) || fetched);
            }
        }
        found
    }

    /// `sh -c "$(curl …)"`, `source <(curl …)`.
    fn runs_what_it_fetches(&self) -> bool {
        let commands = &self.script.commands;
        let runs = commands.iter().any(|simple| {
            let inner = commands.get(simple.within.clone()).unwrap_or_default();
            interpreter::runs_arguments(&simple.words) && inner.iter().any(|simple| interpreter::fetches(&simple.words))
        });
        runs || self.unread.is_some_and(|unread| unread.runs_what_it_fetches)
    }
}

/// Whether a rule names this very line with its lines joined.
fn joins_to(rule: &ParsedRule, line: &str) -> bool {
    let text = line_continuation::both(line);
    let joined = text.get(line.len()..).unwrap_or_default().trim();
    matches!(&rule.pattern, Pattern::Command(RuleLine::Exact { text, .. }) if text == joined)
}

/// What parlour asks about a command that runs at `spot`, or where the line began.
fn asks_about(
    simple: &Simple,
    forms: &[Vec<ShellWord>],
    start: &CallPlace,
    spot: &CommandCwd,
) -> Option<(&'static str, &'static str)> {
    if simple
        .words
        .first()
        .is_some_and(|program| !program.known || program.globs)
    {
        return Some(("unknown program", "which program it runs is known only when it does"));
    }
    let asked = builtin::ASK.iter().find_map(|builtin| {
        let fits = |place| forms.iter().any(|words| builtin.fits(words, place));
        match () {
            () if fits(start) => Some((builtin.name, builtin.why)),
            () if fits(&spot.place) => Some((builtin.name, if spot.known { builtin.why } else { LOST })),
            () => None,
        }
    });
    let may_fit = |words: &Vec<ShellWord>| builtin::ASK.iter().any(|builtin| builtin.may_fit(words));
    let unknown = || {
        (
            "unknown subcommand",
            "what the program is to do is known only when it runs",
        )
    };
    asked.or_else(|| forms.iter().any(may_fit).then(unknown))
}

/// As [`forms`], and with what the line itself puts into variables in their place.
fn named(script: &ParsedScript, simple: &Simple) -> Vec<Vec<ShellWord>> {
    let value = |name: &str| {
        let set =
            |word: &&ShellWord| word.known && word.text.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
        let last = script.assigned.iter().rev().find(set)?;
        Some(&last.text[name.len() + 1..])
    };
    let put = |word: &ShellWord| match word.text.strip_prefix('$').and_then(value) {
        Some(text) => text.split_whitespace().map(ShellWord::plain).collect(),
        None => vec![word.clone()],
    };
    let mut all = forms(&simple.words);
    if !script.assigned.is_empty() && simple.words.iter().any(|word| word.text.starts_with('$')) {
        let words: Vec<ShellWord> = simple.words.iter().flat_map(put).collect();
        all.splice(0..0, forms(&words));
    }
    if let Some(words) = unknown_words::without_empty(&simple.words).filter(|words| words.len() < simple.words.len()) {
        all.splice(0..0, forms(&words));
    }
    all
}
