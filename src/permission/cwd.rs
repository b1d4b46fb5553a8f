//! Where each command of a line runs, as far as its `cd`s say.

use std::ops::Range;

use super::path::CallPlace;
use super::script::{ParsedScript, Simple};
use super::word::ShellWord;
use super::{program, wrapper};

/// The way that a line takes.
pub(super) struct CwdTracker<'a> {
    /// Where each command runs, and last where the line ends.
    pub spots: Vec<CommandCwd<'a>>,
    /// Where a shell within the line ended, behind a `cd`: no command ran there, but a redirection may stand there.
    pub left: Vec<CommandCwd<'a>>,
}

/// Where a command runs.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct CommandCwd<'a> {
    pub place: CallPlace<'a>,
    /// A `cd` to what a variable holds leads nobody knows where.
    pub known: bool,
}

pub(super) const LOST: &str = "where the command is run is known only when it runs";

/// Where a command leads those behind it.
pub(super) enum CwdChange {
    To(ShellWord),
    /// To a place from which `popd` leads back.
    Onto(ShellWord),
    /// To where the last one came from.
    Back,
    /// To where the last `pushd` came from.
    Off,
}

impl<'a> CwdTracker<'a> {
    pub fn of(script: &ParsedScript, start: &CallPlace<'a>) -> CwdTracker<'a> {
        let place = start.clone();
        let mut here = Walker {
            spot: CommandCwd { place, known: true },
            before: None,
            pushed: Vec::new(),
        };
        let mut tracker = CwdTracker {
            spots: Vec::new(),
            left: Vec::new(),
        };
        let mut subshells = script.subshells.iter().peekable();
        // Where it goes on behind commands that run in a shell or a place of their own.
        let mut back: Vec<(usize, Walker)> = Vec::new();
        for at in 0..=script.commands.len() {
            while let Some((_, outer)) = back.pop_if(|(end, _)| at >= *end) {
                let inner = std::mem::replace(&mut here, outer).spot;
                if script.commands[..at].last().is_some_and(|last| moves(last).is_some()) {
                    tracker.left.push(inner);
                }
            }
            while let Some(Range { end, .. }) = subshells.next_if(|within| within.start <= at) {
                if *end > at {
                    back.push((*end, here.clone()));
                }
            }
            tracker.spots.push(here.spot.clone());
            let Some(simple) = script.commands.get(at) else { break };
            let led = wrapper::led_to(&simple.words);
            if led.is_some() || program::is_shell(&simple.words) {
                back.push((simple.within.end, here.clone()));
            }
            if let Some(way) = led.map(CwdChange::To).or_else(|| moves(simple)) {
                here.go(way);
            }
        }
        tracker
    }

    pub fn end(&self) -> &CommandCwd<'a> {
        &self.spots[self.spots.len() - 1]
    }

    /// Each place that is come to: most commands run where the one before them did.
    pub fn places(&self) -> Vec<&CommandCwd<'a>> {
        let mut places: Vec<&CommandCwd> = self.spots.iter().chain(&self.left).collect();
        places.dedup();
        places
    }
}

/// A shell on its way.
#[derive(Clone)]
struct Walker<'a> {
    spot: CommandCwd<'a>,
    before: Option<CommandCwd<'a>>,
    pushed: Vec<CommandCwd<'a>>,
}

impl Walker<'_> {
    fn go(&mut self, way: CwdChange) {
        let next = match way {
            CwdChange::To(to) => self.spot.moved(&to),
            CwdChange::Onto(to) => {
                self.pushed.push(self.spot.clone());
                self.spot.moved(&to)
            }
            CwdChange::Back => self.before.clone().unwrap_or_else(|| self.spot.clone()),
            CwdChange::Off => self.pushed.pop().unwrap_or_else(|| self.spot.clone()),
        };
        self.before = Some(std::mem::replace(&mut self.spot, next));
    }
}

impl CommandCwd<'_> {
    fn moved(&self, to: &ShellWord) -> Self {
        let text = beneath_home(&to.text).unwrap_or(&to.text);
        CommandCwd {
            place: self.place.moved(&to.text),
            known: !text.contains(['$', '`']) && !to.globs && (self.known || is_fixed(to)),
        }
    }
}

/// Whether a path is the same from everywhere.
pub(super) fn is_fixed(word: &ShellWord) -> bool {
    word.text.starts_with('/') || beneath_home(&word.text).is_some()
}

fn beneath_home(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("$HOME").or_else(|| path.strip_prefix('~'))?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

pub(super) fn moves(simple: &Simple) -> Option<CwdChange> {
    let is_option = |word: &&ShellWord| word.text.starts_with('-') && word.text != "-";
    match program::of(&simple.words) {
        name @ ("cd" | "pushd") => {
            let to = simple.words.iter().skip(1).find(|word| !is_option(word));
            Some(match to {
                Some(to) if to.text == "-" => CwdChange::Back,
                Some(to) if name == "pushd" => CwdChange::Onto(to.clone()),
                Some(to) => CwdChange::To(to.clone()),
                None => CwdChange::To(ShellWord::plain("~")),
            })
        }
        "popd" => Some(CwdChange::Off),
        _ => None,
    }
}
