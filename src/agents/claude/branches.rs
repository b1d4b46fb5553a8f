//! Where a person went back in the CLI. It writes nothing of that, but its lines name the line that they follow: the next
//! prompt follows an earlier one than the last.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use super::raw::{self, Raw};
use super::transcript::ClaudeTranscript;
use crate::agents::ReadTranscript;
use crate::fs::Dir;
use crate::model::Happened;
use crate::model::talk::{OwnRewind, RewindEnd};

/// Prompts that follow something else than what was said last, as lines come.
#[derive(Default)]
pub(super) struct Branches {
    /// The newest prompt and what follows it, as hashes: a turn may have thousands of lines.
    turn: HashSet<u64>,
    /// The ids of lines with a prompt that do not follow that.
    elsewhere: Vec<String>,
}

impl Branches {
    /// A line with an id, and the one that it follows.
    pub(super) fn line(&mut self, id: Raw, follows: Raw, what: LineKind) {
        let Some(id) = raw::text(id) else {
            return;
        };
        if what != LineKind::Other {
            let follows_turn = raw::text(follows).is_some_and(|line| self.turn.contains(&hash(&line)));
            if what == LineKind::Prompt && !follows_turn {
                self.elsewhere.push(id.clone());
            }
            self.turn.clear();
        }
        self.turn.insert(hash(&id));
    }

    pub(super) fn take_elsewhere(&mut self) -> Vec<String> {
        std::mem::take(&mut self.elsewhere)
    }

    /// What was taken back, by what the whole transcript says of those.
    pub(super) fn take_rewinds(&mut self, transcript: &Path) -> Vec<OwnRewind> {
        if self.elsewhere.is_empty() {
            return Vec::new();
        }
        let elsewhere = self.take_elsewhere();
        let Some(tree) = LineTree::of(transcript) else {
            return Vec::new();
        };
        elsewhere.iter().filter_map(|line| tree.rewind_at(line)).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Prompt,
    /// A prompt that was taken into the turn that ran.
    Queued,
    Other,
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// Which line follows which.
#[derive(Default)]
struct LineTree {
    /// By id, what each follows; none for the first one.
    follows: HashMap<String, Option<String>>,
    prompts: Vec<PromptLine>,
    reader: ClaudeTranscript,
}

struct PromptLine {
    line: String,
    prompt: String,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
struct TreeLine<'a> {
    uuid: Raw<'a>,
    parent_uuid: Raw<'a>,
    /// A compaction follows nothing, and says what it comes behind.
    logical_parent_uuid: Raw<'a>,
    is_sidechain: Raw<'a>,
}

/// The ids of the lines of those prompts that a person took back up to this one, which stands behind these lines.
pub(super) fn taken_back(lines: &[String], prompt: &str) -> HashSet<String> {
    let lines = lines.iter().map(String::as_str).chain([prompt]);
    let mut tree = LineTree::read(lines);
    let elsewhere = tree.reader.take_elsewhere();
    let taken = elsewhere.iter().filter_map(|line| tree.taken_at(line));
    taken
        .flat_map(|(taken, _)| taken)
        .map(|taken| taken.line.clone())
        .collect()
}

impl LineTree {
    fn of(transcript: &Path) -> Option<LineTree> {
        let dir = Dir::open(transcript.parent()?).ok()?;
        let file = dir.open_file(transcript.file_name()?).ok()??;
        Some(LineTree::read(BufReader::new(file).lines().map_while(Result::ok)))
    }

    fn read<S: AsRef<str>>(lines: impl Iterator<Item = S>) -> LineTree {
        let mut tree = LineTree::default();
        lines.for_each(|line| tree.add(line.as_ref()));
        tree
    }

    fn add(&mut self, line: &str) {
        let read: TreeLine = serde_json::from_str(line).unwrap_or_default();
        let Some(id) = raw::text(read.uuid).filter(|_| !raw::is_true(read.is_sidechain)) else {
            return;
        };
        let told = self.reader.line(line).into_iter().find_map(|told| match told.what {
            Happened::Prompt { id, .. } => Some(id),
            _ => None,
        });
        self.prompts.extend(told.map(|prompt| PromptLine {
            line: id.clone(),
            prompt,
        }));
        let follows = raw::text(read.parent_uuid).or_else(|| raw::text(read.logical_parent_uuid));
        self.follows.insert(id, follows);
    }

    /// The lines up to this one, this one among them; nothing where one of them is not there.
    fn way_to<'t>(&'t self, line: &'t str) -> Option<HashSet<&'t str>> {
        let mut way = HashSet::new();
        let mut at = Some(line);
        while let Some(line) = at {
            let follows = self.follows.get(line)?;
            if !way.insert(line) {
                return None;
            }
            at = follows.as_deref();
        }
        Some(way)
    }

    /// The prompts that this line's prompt takes back of what was said last, oldest first, and that prompt.
    fn taken_at(&self, line: &str) -> Option<(Vec<&PromptLine>, &PromptLine)> {
        let place = self.prompts.iter().position(|prompt| prompt.line == line)?;
        let (before, next) = (&self.prompts[..place], &self.prompts[place]);
        let was = self.way_to(&before.last()?.line)?;
        let now = self.way_to(line)?;
        let is_taken_back = |prompt: &&PromptLine| was.contains(&*prompt.line) && !now.contains(&*prompt.line);
        Some((before.iter().filter(is_taken_back).collect(), next))
    }

    fn rewind_at(&self, line: &str) -> Option<OwnRewind> {
        let (taken, next) = self.taken_at(line)?;
        Some(OwnRewind::Before {
            prompt: taken.first()?.prompt.clone(),
            text: String::new(),
            goes_on: RewindEnd::With(next.prompt.clone()),
        })
    }
}
