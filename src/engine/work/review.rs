//! Checkpoints of all clones of a chat, what differs between them, and the way back.
//!
//! A chat's clones are saved, compared and restored one job at a time. A revert is written down before it begins; if a
//! kill cuts it off, the next job of that chat, or the next start of its agent, carries it out to its end.

mod back;
mod diff;

use serde_json::json;

use crate::domain::event::Outcome;
use crate::domain::work::ReviewWork;
use crate::engine::clock::now;
use crate::engine::hands::Hands;
use crate::fs::{Dir, Kind as FileKind};
use crate::git::checkpoint::{Options, Snapshot, Store};
use crate::model::review::{Cause, Checkpoint, LeftOutOf, Point};
use crate::model::text::one_line;
use crate::model::{Chat, ChatId, Kind, Problem, ResultExt};
use crate::store::Checkpoints;

use super::loading::loading;
use super::ticket::Ticket;
use super::{clones, identity};

pub use back::settle;

/// An untracked file above this is most often a product: what made it can make it again.
const LARGEST: u64 = 50 << 20;
/// Characters of a prompt in the list.
const PROMPT: usize = 200;

pub fn carry_out(ticket: &Ticket, work: ReviewWork) -> Result<Outcome, Problem> {
    match work {
        ReviewWork::Take { chat, cause, prompt } => take(ticket, &chat, cause, &prompt),
        ReviewWork::List(chat) => list(&ticket.hands, &chat),
        ReviewWork::Diff(chat, ask) => diff::diff(ticket, &chat, &ask),
        ReviewWork::Plan { chat, back } => back::plan(ticket, &chat, &back),
        ReviewWork::Revert { chat, back } => back::revert(ticket, &chat, &back),
    }
}

/// A chat whose clones nobody else saves or restores meanwhile.
struct Review<'a> {
    ticket: &'a Ticket,
    chat: Chat,
    checkpoints: Checkpoints,
    known: Vec<Checkpoint>,
}

/// One of its clones, with its store.
struct Reviewed {
    name: String,
    dir: Dir,
    store: Store,
}

impl<'a> Review<'a> {
    fn open(ticket: &'a Ticket, chat: &ChatId, doing: &str) -> Result<Review<'a>, Problem> {
        let home = &ticket.hands.home;
        let loaded = home.load(chat).map_err(|error| loading(chat, error))?;
        let checkpoints = home.checkpoints(chat).doing(doing)?;
        let known = checkpoints.list().doing(doing)?;
        Ok(Review {
            ticket,
            chat: loaded,
            checkpoints,
            known,
        })
    }

    /// Those that parlour cloned. A linked directory is a person's own: it is never saved or restored.
    fn clones(&self, doing: &str) -> Result<Vec<Reviewed>, Problem> {
        let hands = &self.ticket.hands;
        let projects = hands.projects_dir(self.chat.id()).doing(doing)?;
        let mut clones = Vec::new();
        for directory in self.chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Git) {
            let is_dir = |found: crate::fs::Metadata| found.kind == FileKind::Dir;
            if !projects
                .metadata(&directory.name)
                .is_ok_and(|found| found.is_some_and(is_dir))
            {
                continue;
            }
            let cache = || {
                let origin = clones::origin(hands, directory).ok()?;
                Some(hands.caches.path_of(&origin)).filter(|cache| cache.is_dir())
            };
            let store = Store::open(self.checkpoints.dir(), &directory.name, || {
                cache().or_else(|| identity::cache_of(hands, &directory.origin))
            });
            clones.push(Reviewed {
                name: directory.name.clone(),
                dir: projects.dir(&directory.name).doing(doing)?,
                store: store.doing(doing)?,
            });
        }
        Ok(clones)
    }

    fn next(&self) -> u64 {
        self.known.last().map_or(1, |last| last.number + 1)
    }

    fn find(&self, point: Point, doing: &str) -> Result<&Checkpoint, Problem> {
        let is_it = |checkpoint: &&Checkpoint| match point {
            Point::Checkpoint(number) => checkpoint.number == number,
            Point::Turn(turn) => checkpoint.turn == Some(turn),
        };
        let hint = "`parlour checkpoints CHAT` shows which there are";
        let cause = match point {
            Point::Checkpoint(number) => format!("there is no checkpoint {number}"),
            Point::Turn(turn) => format!("there is no turn {turn}"),
        };
        self.known
            .iter()
            .find(is_it)
            .ok_or_else(|| Problem::missing(doing, cause, hint))
    }

    fn add(&mut self, checkpoint: Checkpoint, doing: &str) -> Result<(), Problem> {
        self.checkpoints.add(&checkpoint).doing(doing)?;
        self.known.push(checkpoint);
        Ok(())
    }

    fn options<'o>(&'o self, number: u64, also: &'o [&'o Snapshot], always: bool) -> Options<'o> {
        Options {
            number,
            at: now(),
            largest: LARGEST,
            also,
            always,
            cancel: &self.ticket.cancel,
        }
    }
}

fn take(ticket: &Ticket, id: &ChatId, cause: Cause, prompt: &str) -> Result<Outcome, Problem> {
    let doing = "taking a checkpoint";
    let lock = ticket.hands.reviews.of(id);
    let _alone = lock.lock();
    let mut review = Review::open(ticket, id, doing)?;
    back::finish(&mut review)?;
    let number = review.next();
    let (mut changed, mut left_out) = (Vec::new(), Vec::new());
    for clone in review.clones(doing)? {
        match clone.store.take(&clone.dir, &review.options(number, &[], false)) {
            Ok(taken) => {
                if taken.is_new {
                    changed.push(clone.name.clone());
                }
                left_out.extend(taken.left_out.into_iter().map(|out| LeftOutOf {
                    project: clone.name.clone(),
                    why: out.reason.words().into(),
                    path: out.path,
                }));
            }
            // One clone that cannot be saved is no reason to save none.
            Err(error) => left_out.push(LeftOutOf {
                project: clone.name.clone(),
                path: ".".into(),
                why: error.to_string(),
            }),
        }
    }
    let is_new = !changed.is_empty() || review.known.is_empty();
    if !is_new && cause == Cause::Asked {
        return Ok(Outcome::Value(json!({"checkpoint": review.known.last(), "new": false})));
    }
    let turns = review
        .known
        .iter()
        .filter_map(|checkpoint| checkpoint.turn)
        .max()
        .unwrap_or(0);
    let checkpoint = Checkpoint {
        v: 1,
        number,
        at: now(),
        cause,
        turn: (cause == Cause::Turn).then_some(turns + 1),
        prompt: one_line(prompt, PROMPT),
        changed,
        left_out,
    };
    review.add(checkpoint.clone(), doing)?;
    Ok(Outcome::Value(json!({"checkpoint": checkpoint, "new": is_new})))
}

fn list(hands: &Hands, id: &ChatId) -> Result<Outcome, Problem> {
    let doing = "listing checkpoints";
    hands.home.load(id).map_err(|error| loading(id, error))?;
    let known = hands.home.checkpoints(id).doing(doing)?.list().doing(doing)?;
    Ok(Outcome::Value(json!({"checkpoints": known})))
}
