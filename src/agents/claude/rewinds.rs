//! What a person took back in the CLI, by the tree that the lines of its transcript make.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use super::raw::{self, Raw};
use super::transcript::ClaudeTranscript;
use crate::agents::ReadTranscript;
use crate::fs::Dir;
use crate::model::talk::{OwnRewind, RewindEnd};
use crate::model::{Happened, Reported};

/// The reader of an agent's own transcript, which looks into the whole of it where a prompt follows something else than
/// what was said last.
#[derive(Default)]
pub(super) struct BranchedTranscript(ClaudeTranscript);

impl ReadTranscript for BranchedTranscript {
    fn line(&mut self, line: &str) -> Vec<Reported> {
        self.0.line(line)
    }

    fn take_rewinds(&mut self, transcript: &Path) -> Vec<OwnRewind> {
        let elsewhere = self.0.take_elsewhere();
        if elsewhere.is_empty() {
            return Vec::new();
        }
        let tree = LineTree::of(transcript).unwrap_or_default();
        elsewhere.iter().filter_map(|line| tree.rewind_at(line)).collect()
    }
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
        let told = self.reader.line(line).into_iter().find_map(|told| {
            let Happened::Prompt { id, .. } = told.what else {
                return None;
            };
            Some(id)
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
