//! Where each command of a line runs, as far as its `cd`s say.

use std::ops::Range;

use super::path::Place;
use super::script::{Script, Simple};
use super::word::Word;
use super::{program, wrapper};

/// The way that a line takes.
pub(super) struct Trail<'a> {
    /// Where each command runs, and last where the line ends.
    pub spots: Vec<Spot<'a>>,
    /// Where a shell within the line ended, behind a `cd`: no command ran there, but a redirection may stand there.
    pub left: Vec<Spot<'a>>,
}

/// Where a command runs.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Spot<'a> {
    pub place: Place<'a>,
    /// A `cd` to what a variable holds leads nobody knows where.
    pub known: bool,
}

pub(super) const LOST: &str = "where the command is run is known only when it runs";

/// Where a command leads those behind it.
pub(super) enum Way {
    To(Word),
    /// To a place from which `popd` leads back.
    Onto(Word),
    /// To where the last one came from.
    Back,
    /// To where the last `pushd` came from.
    Off,
}

impl<'a> Trail<'a> {
    pub fn of(script: &Script, start: &Place<'a>) -> Trail<'a> {
        let place = start.clone();
        let mut here = Walker {
            spot: Spot { place, known: true },
            before: None,
            pushed: Vec::new(),
        };
        let mut trail = Trail {
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
                    trail.left.push(inner);
                }
            }
            while let Some(Range { end, .. }) = subshells.next_if(|within| within.start <= at) {
                if *end > at {
                    back.push((*end, here.clone()));
                }
            }
            trail.spots.push(here.spot.clone());
            let Some(simple) = script.commands.get(at) else { break };
            let led = wrapper::led_to(&simple.words);
            if led.is_some() || program::is_shell(&simple.words) {
                back.push((simple.within.end, here.clone()));
            }
            if let Some(way) = led.map(Way::To).or_else(|| moves(simple)) {
                here.go(way);
            }
        }
        trail
    }

    pub fn end(&self) -> &Spot<'a> {
        &self.spots[self.spots.len() - 1]
    }

    /// Each place that is come to: most commands run where the one before them did.
    pub fn places(&self) -> Vec<&Spot<'a>> {
        let mut places: Vec<&Spot> = self.spots.iter().chain(&self.left).collect();
        places.dedup();
        places
    }
}

/// A shell on its way.
#[derive(Clone)]
struct Walker<'a> {
    spot: Spot<'a>,
    before: Option<Spot<'a>>,
    pushed: Vec<Spot<'a>>,
}

impl Walker<'_> {
    fn go(&mut self, way: Way) {
        let next = match way {
            Way::To(to) => self.spot.moved(&to),
            Way::Onto(to) => {
                self.pushed.push(self.spot.clone());
                self.spot.moved(&to)
            }
            Way::Back => self.before.clone().unwrap_or_else(|| self.spot.clone()),
            Way::Off => self.pushed.pop().unwrap_or_else(|| self.spot.clone()),
        };
        self.before = Some(std::mem::replace(&mut self.spot, next));
    }
}

impl Spot<'_> {
    fn moved(&self, to: &Word) -> Self {
        let text = beneath_home(&to.text).unwrap_or(&to.text);
        Spot {
            place: self.place.moved(&to.text),
            known: !text.contains(['$', '`']) && !to.globs && (self.known || is_fixed(to)),
        }
    }
}

/// Whether a path is the same from everywhere.
pub(super) fn is_fixed(word: &Word) -> bool {
    word.text.starts_with('/') || beneath_home(&word.text).is_some()
}

fn beneath_home(path: &str) -> Option<&str> {
    let rest = path.strip_prefix("$HOME").or_else(|| path.strip_prefix('~'))?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

pub(super) fn moves(simple: &Simple) -> Option<Way> {
    let is_option = |word: &&Word| word.text.starts_with('-') && word.text != "-";
    match program::of(&simple.words) {
        name @ ("cd" | "pushd") => {
            let to = simple.words.iter().skip(1).find(|word| !is_option(word));
            Some(match to {
                Some(to) if to.text == "-" => Way::Back,
                Some(to) if name == "pushd" => Way::Onto(to.clone()),
                Some(to) => Way::To(to.clone()),
                None => Way::To(Word::plain("~")),
            })
        }
        "popd" => Some(Way::Off),
        _ => None,
    }
}
