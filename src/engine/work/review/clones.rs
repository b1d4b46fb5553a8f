//! The clones of a chat with their stores of checkpoints.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use crate::engine::clock::{self, now};
use crate::fs::{Dir, DirEntryKind as FileKind};
use crate::git::checkpoint::{Snapshot, Store, TakeOptions, saved_at, saved_numbers};
use crate::model::chat::Directory;
use crate::model::chat_name::pasted;
use crate::model::review::{Amount, Cause, Checkpoint, Point};
use crate::model::text::visible;
use crate::model::{Chat, ChatId, Kind, Problem, ResultExt, Timestamp};
use crate::store::{CheckpointList, Checkpoints};

use crate::engine::work::context::WorkContext;
use crate::engine::work::loading::loading;
use crate::engine::work::{clones, identity};

/// An untracked file above this is most often a product: what made it can make it again.
pub const LARGEST: u64 = 50 << 20;
/// Characters of a prompt in the list.
pub const PROMPT: usize = 200;

/// A chat whose clones nobody else saves or restores meanwhile.
pub struct Review<'a> {
    pub context: &'a WorkContext,
    pub chat: Chat,
    pub checkpoints: Checkpoints,
    /// Also those whose lines cannot be read, as [`Cause::Unread`].
    pub known: Vec<Checkpoint>,
    /// See [`CheckpointList`].
    pub unread: Vec<RangeInclusive<u64>>,
}

/// One of its clones, with its store.
pub struct Reviewed {
    pub name: String,
    pub dir: Dir,
    pub store: Store,
}

impl<'a> Review<'a> {
    pub fn open(context: &'a WorkContext, chat: &ChatId, doing: &str) -> Result<Review<'a>, Problem> {
        let home = &context.services.home;
        let loaded = home.load(chat).map_err(|error| loading(chat, error))?;
        let checkpoints = home.checkpoints(chat).doing(doing)?;
        let CheckpointList { known, unread } = listed(&checkpoints, doing)?;
        Ok(Review {
            context,
            chat: loaded,
            checkpoints,
            known,
            unread,
        })
    }

    /// Those that parlour cloned. A linked directory is a person's own: it is never saved or restored.
    pub fn clones(&self, doing: &str) -> Result<Vec<Reviewed>, Problem> {
        let services = &self.context.services;
        let projects = services.projects_dir(self.chat.id()).doing(doing)?;
        let mut clones = Vec::new();
        for directory in self.chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Git) {
            match projects.metadata(&directory.name) {
                Ok(Some(found)) if found.kind == FileKind::Dir => {}
                Ok(_) => continue,
                Err(error) if error.is_of_the_file() => continue,
                // To pass over a clone that is there would be to save and restore the others alone.
                Err(error) => return Err(error).doing(doing),
            }
            let dir = projects.dir(&directory.name).doing(doing)?;
            clones.push(self.reviewed(directory, dir, doing)?);
        }
        Ok(clones)
    }

    /// The clone that lies at `dir`.
    pub fn reviewed(&self, directory: &Directory, dir: Dir, doing: &str) -> Result<Reviewed, Problem> {
        let services = &self.context.services;
        let cache = || {
            let origin = clones::origin(services, directory).ok()?;
            Some(services.caches.path_of(&origin)).filter(|cache| cache.is_dir())
        };
        let store = Store::open(self.checkpoints.dir(), &directory.name, || {
            cache().or_else(|| identity::cache_of(services, &directory.origin))
        });
        Ok(Reviewed {
            name: directory.name.clone(),
            dir,
            store: store.doing(doing)?,
        })
    }

    /// As [`Review::clones`]; without any, there is nothing that a person could have meant.
    pub fn some_clones(&self, doing: &str) -> Result<Vec<Reviewed>, Problem> {
        let clones = self.clones(doing)?;
        match clones.is_empty() {
            true => Err(self.without_clones(doing)),
            false => Ok(clones),
        }
    }

    /// Says first that there are no clones, whatever else is wrong with what was asked of them.
    pub fn need_clones(&self, doing: &str) -> Result<(), Problem> {
        match self.has_clones() {
            true => Ok(()),
            false => Err(self.without_clones(doing)),
        }
    }

    /// Why there are none of those that it has by its record.
    fn clones_gone(&self, doing: &str) -> Option<Problem> {
        let of_git = || self.chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Git);
        let names: Vec<String> = of_git().map(|dir| format!("projects/{}", visible(&dir.name))).collect();
        let names = Some(names.join(", ")).filter(|names| !names.is_empty())?;
        let projects = self.context.services.projects_dir(self.chat.id()).ok()?;
        let is_in_place = of_git().any(|dir| !matches!(projects.metadata(&dir.name), Ok(None)));
        Some(match is_in_place {
            true => {
                let cause = format!("something else stands where {names} was");
                Problem::missing(doing, cause, "move it elsewhere, then try again")
            }
            false => {
                let handle = &self.chat.record.handle;
                let hint =
                    format!("`parlour checkpoints {handle}` shows what `parlour revert {handle} ID` brings back");
                Problem::missing(doing, format!("{names} is gone"), hint)
            }
        })
    }

    pub(super) fn without_clones(&self, doing: &str) -> Problem {
        if let Some(problem) = self.clones_gone(doing) {
            return problem;
        }
        let mut linked = self.chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Local);
        let handle = &self.chat.record.handle;
        let (cause, hint) = match linked.next() {
            Some(dir) => (
                "this chat has no clones, and what is open in place is never saved or changed",
                format!(
                    "use git in {}; `parlour diff {handle}` shows what is not committed there",
                    pasted(&dir.origin)
                ),
            ),
            None => (
                "no project is open in this chat",
                format!("`parlour open-dir {handle} PATH` clones a repository into it"),
            ),
        };
        Problem::missing(doing, cause, hint)
    }

    /// The number of the next checkpoint. Whatever was saved under it or a higher one is left of what came to no end.
    pub fn next(&self) -> u64 {
        let known = self.known.iter().map(|known| known.number);
        let all = known.chain(self.unread.iter().map(|unread| *unread.end()));
        all.max().unwrap_or(0) + 1
    }

    pub fn find(&self, point: Point, doing: &str) -> Result<&Checkpoint, Problem> {
        let is_it = |checkpoint: &&Checkpoint| match point {
            Point::Checkpoint(number) => checkpoint.number == number,
            Point::Turn(turn) => checkpoint.turn == Some(turn),
            // It has none of its own.
            Point::Prompt(_) => false,
        };
        let hint = "`parlour checkpoints CHAT` shows which there are";
        let cause = match point {
            Point::Checkpoint(number) => format!("there is no checkpoint {number}"),
            Point::Turn(turn) => no_turn(turn, self.known.iter().filter_map(|known| known.turn)),
            Point::Prompt(_) => "there is no checkpoint of that prompt".into(),
        };
        self.known
            .iter()
            .find(is_it)
            .ok_or_else(|| Problem::missing(doing, cause, hint))
    }

    /// Why this clone could not be saved with a checkpoint that was taken of the others.
    pub fn unsaved_at(&self, number: u64, project: &str) -> Option<&str> {
        let checkpoint = self.known.iter().find(|known| known.number == number)?;
        Some(checkpoint.unsaved().find(|out| out.project == project)?.why.as_str())
    }

    /// A clone as it was at checkpoint `number`; none if it was not there yet. An error if its store has lost that: an older
    /// state, or none, must not pass for it.
    pub fn saved(&self, clone: &Reviewed, number: u64, doing: &str) -> Result<Option<Snapshot>, Problem> {
        let found = clone.store.at(number).doing(doing)?;
        let saves_it = |line: &Checkpoint| line.number <= number && line.changed.contains(&clone.name);
        let Some(last) = self.known.iter().rposition(saves_it) else {
            return Ok(found);
        };
        // A line also stands for those before it that were thinned out: their state has a lower number.
        let before = last.checked_sub(1).map_or(0, |before| self.known[before].number);
        if found.as_ref().is_some_and(|found| found.number > before) {
            return Ok(found);
        }
        let cause = format!(
            "what {} was at checkpoint {} is not in its store any more",
            visible(&clone.name),
            self.known[last].number
        );
        let hint = format!("bring back {} from a backup", clone.store.path().display());
        Err(Problem::fault(doing, cause).hinted(hint))
    }

    /// What a clone was at checkpoint `number`. If it was cloned later, what it was first counts.
    pub fn was(&self, clone: &Reviewed, number: u64, doing: &str) -> Result<Option<Snapshot>, Problem> {
        match self.saved(clone, number, doing)? {
            Some(found) => Ok(Some(found)),
            None => Ok(clone.store.snapshots().doing(doing)?.into_iter().next()),
        }
    }

    /// The checkpoint was to be that of a revert, which has failed.
    pub fn take_back(&mut self, number: u64, doing: &str) -> Result<(), Problem> {
        self.checkpoints.take_back(number).doing(doing)?;
        self.known.retain(|known| known.number != number);
        Ok(())
    }

    pub fn add(&mut self, checkpoint: Checkpoint, doing: &str) -> Result<(), Problem> {
        self.checkpoints.add(&checkpoint).doing(doing)?;
        self.known.push(checkpoint);
        Ok(())
    }

    pub fn options<'o>(&'o self, number: u64, also: &'o [&'o Snapshot], always: bool) -> TakeOptions<'o> {
        TakeOptions {
            number,
            at: now(),
            largest: LARGEST,
            also,
            always,
            cancel: &self.context.cancel,
        }
    }
}

/// That a chat has no turn of this number, and which it has: of old ones some may be thinned out.
pub(super) fn no_turn(turn: u32, has: impl Iterator<Item = u32>) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for known in has {
        match ranges.last_mut() {
            Some((_, last)) if known == *last + 1 => *last = known,
            Some(_) | None => ranges.push((known, known)),
        }
    }
    let shown = ranges.iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        _ => format!("{first} to {last}"),
    });
    let shown: Vec<String> = shown.collect();
    let has = match ranges.as_slice() {
        [] => "no turn yet".into(),
        [(first, last)] if first == last => format!("turn {first} alone"),
        _ => format!("turns {}", shown.join(", ")),
    };
    format!("there is no turn {turn}: this chat has {has}")
}

/// The checkpoints of a chat, also those of which only what was saved can be read.
pub fn listed(checkpoints: &Checkpoints, doing: &str) -> Result<CheckpointList, Problem> {
    let saved = saved_numbers(checkpoints.dir()).doing(doing)?;
    let numbers: BTreeSet<u64> = saved.values().flatten().copied().collect();
    let mut list = checkpoints
        .read(numbers.last().copied().unwrap_or_default())
        .doing(doing)?;
    let is_unread = |number: &u64| list.unread.iter().any(|unread| unread.contains(number));
    let unread: Vec<u64> = numbers.into_iter().filter(is_unread).collect();
    for number in unread {
        let of = saved.iter().filter(|(_, numbers)| numbers.contains(&number));
        let changed: Vec<String> = of.map(|(clone, _)| clone.clone()).collect();
        let at = changed
            .first()
            .and_then(|clone| saved_at(checkpoints.dir(), clone, number));
        let checkpoint = Checkpoint {
            at: at.map_or(Timestamp(0), clock::of),
            v: 1,
            number,
            cause: Cause::Unread,
            turn: None,
            prompt: String::new(),
            changed,
            amount: Amount::default(),
            left_out: Vec::new(),
            replaced: None,
            ended: None,
        };
        let place = list.known.partition_point(|known| known.number < number);
        list.known.insert(place, checkpoint);
    }
    Ok(list)
}

pub fn clone_of<'c>(clones: &'c [Reviewed], project: &str, doing: &str) -> Result<&'c Reviewed, Problem> {
    let found = clones.iter().find(|clone| clone.name == project);
    let cause = || format!("this chat has no clone named `{}`", visible(project));
    found.ok_or_else(|| Problem::missing(doing, cause(), "`parlour open-dir CHAT PATH` opens one"))
}
