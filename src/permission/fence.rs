//! Directories that are open read-only, and those of a person that an agent opened itself: which calls would write there.
//!
//! What is known to write to a read-only one is denied, and no rule of a person lifts that. What only reads passes. Of what
//! is known neither way but works there, a person is asked, unless a rule of theirs has the answer; so it is of all that
//! writes to what an agent opened itself. Links that an agent makes are not seen here: that is for the mode bits and the
//! kernel.

use std::path::Path;

use super::call::Call;
use super::command::CommandLine;
use super::command_names::forms;
use super::cwd::{CommandCwd, CwdTracker, LOST, is_fixed, moves};
use super::file_effects::{self, CommandEffect};
use super::glob::stars;
use super::path::CallPlace;
use super::ruling::{RuleName, Ruling, ask};
use super::script::{ParsedScript, Simple};
use super::tool::{self, ToolKind};
use super::unparsed::Unread;
use super::word::ShellWord;
use super::{git, line_continuation, program, wrapper};
use crate::model::{Area, AreaMode};

/// Places of a line that cannot be taken apart: all that may stand in it is looked at from each.
const MOST_PLACES: usize = 4;

const RULE: RuleName = RuleName::built_in("read-only directory");

/// What is said of the chat's directories that bears on a call; `None` where nothing does.
pub(super) fn judge(call: &Call, line: Option<&CommandLine>, home: &Path) -> Option<Ruling> {
    if !call.dirs.iter().any(Area::is_fenced) {
        return None;
    }
    let place = CallPlace::within(call.cwd, call.at, tool::directory(call.input), home);
    let fence = Fence { call };
    let (_, kind) = tool::known(call.tool);
    match kind {
        ToolKind::Command => fence.line(line?, place),
        ToolKind::Edit => {
            let paths = tool::paths(call.input);
            if paths.is_empty() {
                // A rule that allows all edits cannot mean what it does not see.
                let mut fenced = call.dirs.iter().filter(|area| area.is_fenced());
                let area = fenced.find(|area| area.mode == AreaMode::Ro)?;
                return Some(denied(area, "the call names no file that it writes"));
            }
            let refused = paths
                .iter()
                .find_map(|path| Some((fence.holds(path, &place)?, format!("{path} would be written"))));
            refused.map(|(area, what)| denied(area, &what))
        }
        ToolKind::Other => {
            const WORDS: [&str; 8] = ["write", "edit", "patch", "delete", "remove", "move", "rename", "create"];
            let name = call.tool.to_ascii_lowercase();
            let writes = !tool::looks_own(call.tool) && WORDS.iter().any(|word| name.contains(word));
            let paths = tool::paths(call.input);
            let area = paths.iter().find_map(|path| fence.holds(path, &place));
            area.filter(|_| writes)
                .map(|area| asked(area, "the tool may write there"))
        }
        ToolKind::Read | ToolKind::Fetch => None,
    }
}

fn denied(area: &Area, what: &str) -> Ruling {
    if area.mode == AreaMode::Rw {
        return asked(area, what);
    }
    let why = format!(
        "read-only directory {0} (ro): {what}; ask the person to open {0} rw, or open a clone of it of your own",
        area.name
    );
    Ruling::Deny { rule: RULE, why }
}

fn asked(area: &Area, what: &str) -> Ruling {
    match area.mode {
        AreaMode::Ro => {
            let why = format!("read-only directory {} (ro): {what}", area.name);
            Ruling::Ask { rule: RULE, why }
        }
        AreaMode::Rw => ask(
            RuleName::built_in("writing elsewhere"),
            "it writes in a directory of yours, which the agent opened itself",
        ),
    }
}

/// The worse of two.
fn worse(one: Option<Ruling>, other: Option<Ruling>) -> Option<Ruling> {
    match (&one, &other) {
        (Some(Ruling::Deny { .. }), _) | (_, None) => one,
        (_, Some(Ruling::Deny { .. })) | (None, _) => other,
        (Some(_), Some(_)) => one,
    }
}

struct Fence<'a> {
    call: &'a Call<'a>,
}

impl Fence<'_> {
    /// The fenced directory that a path lies in. Of directories within each other the innermost counts.
    fn at(&self, path: &Path) -> Option<&Area> {
        let depth = |place: &Path| path.starts_with(place).then(|| place.components().count());
        let areas = self
            .call
            .dirs
            .iter()
            .flat_map(|area| area.paths.iter().map(move |place| (area, place)));
        let within = areas.filter_map(|(area, place)| Some((depth(place)?, area)));
        // A writable one of the same path was opened by a person too: the stricter wins.
        let (deepest, area) = within.max_by_key(|(depth, area)| (*depth, area.mode == AreaMode::Ro, area.asks))?;
        let own = depth(self.call.cwd).unwrap_or(0);
        (area.is_fenced() && deepest > own).then_some(area)
    }

    fn holds(&self, written: &str, place: &CallPlace) -> Option<&Area> {
        self.at(&place.absolute(written))
    }

    /// The fenced directory that a word leads to, as a path or as an option with a path in it.
    fn names(&self, word: &ShellWord, place: &CallPlace) -> Option<&Area> {
        let text = word.text.as_str();
        let value = text.split_once('=').map(|(_, value)| value);
        let short = text
            .starts_with('-')
            .then(|| text.get(2..))
            .flatten()
            .filter(|rest| rest.contains('/'));
        let own = (!text.starts_with('-')).then_some(text);
        [own, value, short]
            .into_iter()
            .flatten()
            .find_map(|path| self.holds(path, place))
    }

    /// The fenced directory that lies in what a word names, as with `rm -r projects` or `projects/*`.
    fn lies_in(&self, word: &ShellWord, place: &CallPlace) -> Option<&Area> {
        let path = place.absolute(&word.text);
        let fenced = || self.call.dirs.iter().filter(|area| area.is_fenced());
        let covered = |area: &&Area| area.paths.iter().any(|place| covers(&path, place, word.globs));
        fenced()
            .filter(|area| area.mode == AreaMode::Ro)
            .find(covered)
            .or_else(|| fenced().find(covered))
    }

    fn line(&self, line: &CommandLine, place: CallPlace) -> Option<Ruling> {
        let CommandLine { text, script, unread } = line;
        let mentioned = script.commands.iter().any(|simple| {
            let words = simple.words.iter();
            words.into_iter().any(|word| self.names(word, &place).is_some())
        });
        let line = WholeLine {
            script,
            mentioned,
            start: place.clone(),
            unsure: is_unsure(text, script),
        };
        let mut found = None;
        let tracker = CwdTracker::of(script, &place);
        // Where commands ran that wrote their output somewhere: redirections stand apart from their commands.
        let mut seen: Vec<&CommandCwd> = Vec::new();
        for (simple, spot) in script.commands.iter().zip(&tracker.spots) {
            if simple.carries || moves(simple).is_some() {
                continue;
            }
            if seen.last() != Some(&spot) {
                seen.push(spot);
            }
            found = worse(found, self.command(simple, spot, &line));
        }
        seen.extend(&tracker.left);
        if seen.is_empty() {
            seen.push(tracker.end());
        }
        for target in &script.writes {
            found = worse(found, self.redirected(target, &seen));
        }
        let hidden = unread.as_ref().and_then(|unread| self.hidden(unread, &tracker, &line));
        found = worse(found, hidden);
        // What cannot be taken apart may do anything.
        let here = || seen.last().and_then(|spot| self.at(spot.place.base()));
        let unread = (!script.readable)
            .then(|| here().or_else(|| self.mentioned_in(&line_continuation::both(text))))
            .flatten()
            .map(|area| asked(area, "not all of the command can be read"));
        worse(found, unread)
    }

    /// What is denied of what may stand in a line that cannot be taken apart.
    fn hidden(&self, unread: &Unread, tracker: &CwdTracker, line: &WholeLine) -> Option<Ruling> {
        let places = tracker.places();
        let denied = |spot: &&CommandCwd| {
            let commands = unread.commands.iter();
            let commands = commands.filter_map(|simple| self.command_at(simple, &spot.place, line));
            let writes = unread.writes.iter();
            let writes = writes.filter_map(|target| self.redirected(target, &[spot]));
            commands.chain(writes).find(|said| matches!(said, Ruling::Deny { .. }))
        };
        places.iter().take(MOST_PLACES).find_map(denied)
    }

    /// What a command of the line may write its output to, which ran in one of the places `seen`.
    fn redirected(&self, target: &ShellWord, seen: &[&CommandCwd]) -> Option<Ruling> {
        let hits: Vec<&Area> = seen
            .iter()
            .filter_map(|spot| {
                self.names(target, &spot.place)
                    .or_else(|| self.glob(target, &spot.place))
            })
            .collect();
        let what = format!("{} would be written", target.text);
        match hits.first() {
            Some(area) if hits.len() == seen.len() => Some(denied(area, &what)),
            Some(area) => Some(asked(area, &what)),
            None if is_fixed(target) || seen.iter().all(|spot| spot.known) => None,
            None => self.any().map(|area| asked(area, LOST)),
        }
    }

    /// Any directory that is fenced.
    fn any(&self) -> Option<&Area> {
        self.call.dirs.iter().find(|area| area.is_fenced())
    }

    fn glob(&self, word: &ShellWord, place: &CallPlace) -> Option<&Area> {
        self.lies_in(word, place).filter(|_| word.globs)
    }

    fn mentioned_in(&self, text: &str) -> Option<&Area> {
        let fenced = self.call.dirs.iter().filter(|area| area.is_fenced());
        let named = |area: &&Area| {
            let paths = area.paths.iter();
            paths.into_iter().any(|path| {
                text.contains(&*path.to_string_lossy()) || text.contains(&format!("projects/{}", area.name))
            })
        };
        fenced.into_iter().find(named)
    }

    /// What is said of a command, wherever the line has led to when it runs.
    fn command(&self, simple: &Simple, spot: &CommandCwd, line: &WholeLine) -> Option<Ruling> {
        let found = self.command_at(simple, &spot.place, line);
        let targets = match file_effects::effect(forms(&simple.words).last()?) {
            CommandEffect::Reads => return found,
            CommandEffect::WritesTo(targets) => targets,
            CommandEffect::WritesHere | CommandEffect::Git | CommandEffect::Unknown => Vec::new(),
        };
        let fixed = !targets.is_empty() && targets.iter().all(is_fixed);
        if !spot.known && !fixed && wrapper::carried(&simple.words).is_empty() {
            return worse(found, self.any().map(|area| asked(area, LOST)));
        }
        // A `cd` may have failed, or held for others alone: what was named may lie where the line began.
        let left = targets.iter().filter(|word| word.text.contains('/') && line.unsure);
        let there = left.filter_map(|word| self.names(word, &line.start)).next();
        worse(found, there.map(|area| asked(area, &does(simple, "may write there"))))
    }

    fn command_at(&self, simple: &Simple, place: &CallPlace, line: &WholeLine) -> Option<Ruling> {
        let forms = forms(&simple.words);
        let words = forms.last()?;
        let name = program::of(words);
        let here = self.at(place.base());
        let named = || simple.words.iter().skip(1).find_map(|word| self.names(word, place));
        let fed = line.script.commands.iter().any(|other| {
            ["xargs", "parallel", "find"].contains(&program::of(&other.words)) && within(line.script, other, simple)
        });
        let may = |area: &Area| asked(area, &does(simple, "may write there"));
        let would = |area: &Area| denied(area, &does(simple, "would write there"));
        match file_effects::effect(words) {
            CommandEffect::Reads => None,
            CommandEffect::WritesTo(targets) => {
                let hit = targets.iter().find_map(|word| {
                    let inside = self.names(word, place).or_else(|| self.glob(word, place));
                    inside.or_else(|| self.lies_in(word, place).filter(|_| file_effects::takes_trees(name)))
                });
                if let Some(area) = hit {
                    return Some(would(area));
                }
                let unknown = targets.iter().any(|word| !word.known);
                let area = here.or_else(&named).or(self.any())?;
                let mut options = words.iter().skip(1).filter(|word| word.text.starts_with('-'));
                match () {
                    () if fed && (line.mentioned || here.is_some()) => Some(would(area)),
                    () if unknown && (line.mentioned || here.is_some()) => Some(may(area)),
                    () => options.find_map(|word| self.names(word, place)).map(may),
                }
            }
            CommandEffect::WritesHere => {
                let within = || simple.words.iter().skip(1).find_map(|word| self.speaks_of(word, place));
                here.or_else(&named).map(would).or_else(|| within().map(may))
            }
            CommandEffect::Git => worse(
                self.git(simple, words, place),
                self.led_git(simple, place, line).map(may),
            ),
            // What it runs stands in the list by itself.
            CommandEffect::Unknown if !wrapper::carried(&simple.words).is_empty() => None,
            CommandEffect::Unknown => {
                let within = || simple.words.iter().skip(1).find_map(|word| self.speaks_of(word, place));
                here.or_else(named).or_else(within).map(may)
            }
        }
    }

    fn git(&self, simple: &Simple, words: &[ShellWord], place: &CallPlace) -> Option<Ruling> {
        let at = git::place(&simple.words, place);
        let inside = at.iter().find_map(|path| self.at(path));
        let area = inside.or_else(|| {
            let base = at
                .last()
                .map_or(place.clone(), |base| place.moved(&base.to_string_lossy()));
            let targets = git::targets(words);
            targets.iter().find_map(|word| self.names(word, &base))
        })?;
        match git::writes(words) {
            Some(true) => Some(denied(area, &does(simple, "would write there"))),
            Some(false) => None,
            None => Some(asked(area, &does(simple, "may write there"))),
        }
    }

    /// The fenced directory to which git may be led by variables of its own that the line sets.
    fn led_git(&self, simple: &Simple, place: &CallPlace, line: &WholeLine) -> Option<&Area> {
        let commands = line.script.commands.iter();
        let words = line
            .script
            .assigned
            .iter()
            .chain(commands.into_iter().flat_map(|simple| &simple.words));
        let leads: Vec<&ShellWord> = words.filter(|word| git::leads(&word.text)).collect();
        let named = || leads.iter().find_map(|word| self.names(word, place));
        let unknown = leads.iter().any(|word| !word.known).then(|| self.any()).flatten();
        let here = self.at(place.base()).filter(|_| !leads.is_empty());
        let at = git::place(&simple.words, place);
        here.or_else(named)
            .or(unknown)
            .or_else(|| at.iter().find_map(|path| self.at(path)).filter(|_| !leads.is_empty()))
    }

    /// The fenced directory that is named somewhere within a word, as in a program that is an argument.
    fn speaks_of(&self, word: &ShellWord, place: &CallPlace) -> Option<&Area> {
        let mut parts = word
            .text
            .split(|c: char| c.is_whitespace() || "'\"`()<>,;=".contains(c));
        parts.find_map(|part| self.holds(part, place).filter(|_| part.contains('/')))
    }
}

/// What counts for each command of a line.
struct WholeLine<'a> {
    script: &'a ParsedScript,
    /// A fenced directory is named somewhere in it.
    mentioned: bool,
    start: CallPlace<'a>,
    /// Commands in it may run though a `cd` before them did not, or did in a shell of its own.
    unsure: bool,
}

/// Whether a command of the line may run though a `cd` before it did not, or did in a shell of its own.
fn is_unsure(text: &str, script: &ParsedScript) -> bool {
    let joined = text.replace(">&", ">").replace("&>", ">").replace("&&", " ");
    let negated = text.split_whitespace().any(|word| word == "!");
    if negated || text.contains("||") || joined.contains(['(', ';', '&', '\n']) {
        return true;
    }
    // Pipes are of no matter behind a `cd` that stands in none, where no other one follows.
    let piped = || script.pipelines.iter().flatten().any(|stage| stage.contains(&0));
    let moving = || {
        script
            .commands
            .iter()
            .enumerate()
            .filter(|(_, simple)| moves(simple).is_some())
    };
    joined.contains('|') && (piped() || moving().any(|(at, _)| at > 0))
}

fn does(simple: &Simple, does: &str) -> String {
    format!("`{}` {does}", shown(&simple.words))
}

/// Whether `inner` is a command that `outer` runs.
fn within(script: &ParsedScript, outer: &Simple, inner: &Simple) -> bool {
    let commands = script.commands.get(outer.within.clone()).unwrap_or_default();
    commands.iter().any(|simple| std::ptr::eq(simple, inner))
}

/// Whether `place` is what `path` stands for, or lies in it; of a pattern, whether the two can meet.
fn covers(path: &Path, place: &Path, globs: bool) -> bool {
    if !globs {
        return place.starts_with(path);
    }
    let mut place = place.components();
    path.components().all(|part| {
        let pattern = part.as_os_str().to_string_lossy().replace(['?', '['], "*");
        let pattern = match pattern.split_once(']') {
            Some((head, _)) => format!("{head}*"),
            None => pattern,
        };
        // A longer pattern may still name what lies in it.
        place
            .next()
            .is_none_or(|part| stars(&pattern, &part.as_os_str().to_string_lossy()))
    })
}

fn shown(words: &[ShellWord]) -> String {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    crate::model::text::one_line(&texts.join(" "), 80)
}
