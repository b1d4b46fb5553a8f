//! Remarks on files and lines that a chat works on: made, answered, found again after the files have changed, and put into
//! one prompt.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::domain::review::anchor;
use crate::domain::work::{RemarkWork, ReviewDone};
use crate::engine::clock::now;
use crate::fs::DirEntryKind;
use crate::model::remark::{
    Anchor, NewRemark, PROMPT, PlacedRemark, Remark, RemarkAnswer, RemarkAuthor, RemarkChange, RemarkSide, RemarkState,
};
use crate::model::text::{self, one_line, visible};
use crate::model::{ChatId, Problem, ResultExt};
use crate::store::{RemarkLine, Remarks};

use super::clones::{Review, Reviewed};
use super::revert;
use super::sent::HEAD;
use crate::engine::work::context::WorkContext;

/// Bytes of a file; in a larger one, lines are not found again.
const LARGEST: u64 = 8 << 20;

/// Letters of a remark in the first line of the prompt.
const SUBJECT: usize = 60;

pub fn carry_out(context: &WorkContext, id: &ChatId, work: RemarkWork) -> Result<ReviewDone, Problem> {
    let doing = doing(&work);
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let review = Review::open(context, id, doing)?;
    let remarks = context.services.home.remarks(id).doing(doing)?;
    match work {
        RemarkWork::List => Ok(ReviewDone::Remarks(placed(&review, &remarks, doing)?)),
        RemarkWork::Tell => {
            let mut all = placed(&review, &remarks, doing)?;
            all.retain(|placed| placed.remark.state != RemarkState::Resolved);
            let text = match all.is_empty() {
                true => "There are no remarks.".into(),
                false => told(&all),
            };
            Ok(ReviewDone::Composed(text, Vec::new()))
        }
        RemarkWork::Add(new) => {
            let made = made(&review, &remarks, new, doing)?;
            remarks.add(&RemarkLine::Made(Box::new(made.clone()))).doing(doing)?;
            Ok(ReviewDone::Remark(made))
        }
        RemarkWork::Change(id, change) => changed(&remarks, id, change, doing),
        RemarkWork::Compose(ids) => {
            let all = placed(&review, &remarks, doing)?;
            let chosen = chosen(all, &ids, doing)?;
            let ids = chosen.iter().map(|placed| placed.remark.id).collect();
            let text = format!(
                "{}\n\nAnswer each one with the tool `answer_remark`.\n\n{}",
                heading(&chosen),
                told(&chosen)
            );
            Ok(ReviewDone::Composed(text, ids))
        }
        RemarkWork::Sent(ids) => {
            let at = now();
            remarks.add(&RemarkLine::Sent { ids, at }).doing(doing)?;
            Ok(ReviewDone::Remarks(Vec::new()))
        }
    }
}

fn doing(work: &RemarkWork) -> &'static str {
    match work {
        RemarkWork::List | RemarkWork::Tell => "listing remarks",
        RemarkWork::Add(_) => "making a remark",
        RemarkWork::Change(..) => "changing a remark",
        RemarkWork::Compose(_) | RemarkWork::Sent(_) => "sending remarks",
    }
}

fn made(review: &Review<'_>, remarks: &Remarks, new: NewRemark, doing: &str) -> Result<Remark, Problem> {
    if new.text.trim().is_empty() {
        return Err(Problem::new(doing, "it says nothing", "say what you think of it"));
    }
    let clones = review.compared(doing)?;
    revert::check_project(&clones, Some(&new.project), doing)?;
    let clone = clones.iter().find(|clone| clone.name == new.project);
    let anchor = match (new.lines, clone) {
        (Some(lines), clone) => Some(anchored(clone, &new, lines, doing)?),
        (None, Some(clone)) if has_file(clone, &new.path, new.tree.as_deref()) => None,
        (None, _) => {
            let cause = format!("{} has no file {}", visible(&new.project), shown(&new.path));
            return Err(Problem::missing(doing, cause, "name a file by its path in the clone"));
        }
    };
    let id = remarks.list().doing(doing)?.iter().map(|known| known.id).max();
    Ok(Remark {
        id: id.unwrap_or(0) + 1,
        project: new.project,
        path: new.path,
        side: new.side,
        anchor,
        text: new.text,
        author: new.author,
        at: now(),
        state: RemarkState::Open,
        sent: false,
        answers: Vec::new(),
    })
}

fn anchored(
    clone: Option<&Reviewed>,
    new: &NewRemark,
    (first, last): (u32, u32),
    doing: &str,
) -> Result<Anchor, Problem> {
    let text = clone.and_then(|clone| content(clone, &new.path, new.tree.as_deref()));
    let count = last.checked_sub(first).map_or(0, |more| more + 1);
    let lines: Vec<&str> = text.as_deref().unwrap_or_default().lines().collect();
    anchor::anchor(&lines, first, count).ok_or_else(|| {
        let cause = match text {
            Some(_) => format!("{} has {}", shown(&new.path), text::count(lines.len(), "line")),
            None => format!("{} is no text that can be read", shown(&new.path)),
        };
        let hint = "name lines that are there: `PATH:12` or `PATH:12-14`; `PATH` alone means the whole file";
        Problem::missing(doing, cause, hint)
    })
}

fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy())
}

/// It is there now, or was in a saved state.
fn has_file(clone: &Reviewed, path: &Path, tree: Option<&str>) -> bool {
    match tree {
        Some(tree) => clone.store.content(tree, path).is_ok_and(|found| found.is_some()),
        None => clone
            .dir
            .metadata(path)
            .is_ok_and(|found| found.is_some_and(|found| found.kind != DirEntryKind::Dir)),
    }
}

/// The file as it is now, or as it was in a saved state.
fn content(clone: &Reviewed, path: &Path, tree: Option<&str>) -> Option<String> {
    let bytes = match tree {
        Some(tree) => clone.store.content(tree, path).ok()?,
        None => clone.dir.read(path, LARGEST).ok()?,
    };
    bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn placed(review: &Review<'_>, remarks: &Remarks, doing: &str) -> Result<Vec<PlacedRemark>, Problem> {
    let remarks = remarks.list().doing(doing)?;
    let clones = review.all(doing)?;
    let mut texts: HashMap<(String, PathBuf), Option<String>> = HashMap::new();
    let place = |remark: Remark| {
        let clone = clones.iter().find(|clone| clone.name == remark.project);
        let (line, outdated) = match (&remark.anchor, remark.side) {
            // What was removed is where it was.
            (Some(anchor), RemarkSide::Before) => (Some(anchor.line), false),
            (None, RemarkSide::Before) => (None, false),
            (None, RemarkSide::After) => (None, !clone.is_some_and(|clone| has_file(clone, &remark.path, None))),
            (Some(anchor), RemarkSide::After) => {
                let key = (remark.project.clone(), remark.path.clone());
                let text = texts.entry(key).or_insert_with(|| content(clone?, &remark.path, None));
                let lines: Vec<&str> = text.as_deref().unwrap_or_default().lines().collect();
                let line = anchor::place(anchor, &lines);
                (line, line.is_none())
            }
        };
        PlacedRemark { remark, line, outdated }
    };
    Ok(remarks.into_iter().map(place).collect())
}

fn changed(remarks: &Remarks, id: u64, change: RemarkChange, doing: &str) -> Result<ReviewDone, Problem> {
    let is_it = |remark: &Remark| remark.id == id;
    let known = remarks.list().doing(doing)?;
    if !known.iter().any(is_it) {
        let cause = format!("there is no remark {id}");
        return Err(Problem::missing(doing, cause, "`parlour remarks CHAT` lists them"));
    }
    let at = now();
    let lines = match change {
        RemarkChange::Answer { text, author, resolves } => {
            let answer = RemarkAnswer { author, text, at };
            let state = RemarkState::Resolved;
            let mut lines = vec![RemarkLine::Answered { id, answer }];
            lines.extend(resolves.then_some(RemarkLine::State { id, state, at }));
            lines
        }
        RemarkChange::State(state) => vec![RemarkLine::State { id, state, at }],
        RemarkChange::Edit(text) => vec![RemarkLine::Edited { id, text, at }],
    };
    for line in &lines {
        remarks.add(line).doing(doing)?;
    }
    let known = remarks.list().doing(doing)?;
    let remark = known.into_iter().find(is_it);
    remark.map(ReviewDone::Remark).ok_or_else(|| {
        Problem::missing(
            doing,
            format!("remark {id} is gone"),
            "`parlour remarks CHAT` lists them",
        )
    })
}

/// Those with these numbers; without any, all that are open and were not sent yet.
fn chosen(all: Vec<PlacedRemark>, ids: &[u64], doing: &str) -> Result<Vec<PlacedRemark>, Problem> {
    let is_chosen = |placed: &PlacedRemark| match ids {
        [] => {
            !placed.remark.sent
                && placed.remark.state == RemarkState::Open
                && placed.remark.author != RemarkAuthor::Agent
        }
        ids => ids.contains(&placed.remark.id),
    };
    let chosen: Vec<PlacedRemark> = all.into_iter().filter(is_chosen).collect();
    match chosen.is_empty() {
        true => Err(Problem::new(
            doing,
            "there is no open remark that was not sent yet",
            "`parlour remark CHAT --project P PATH:LINE TEXT` makes one",
        )),
        false => Ok(chosen),
    }
}

/// The first line, by which a person knows the turn: with the first remark, and how many more there are.
fn heading(remarks: &[PlacedRemark]) -> String {
    let Some(first) = remarks.first() else {
        return PROMPT.into();
    };
    let path = first.place();
    let place = path.rsplit('/').next().unwrap_or_default();
    let more = match remarks.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    format!("{PROMPT}: {place}: {}{more}", one_line(&first.remark.text, SUBJECT))
}

/// Each with the lines that it is about, and where they are now.
fn told(remarks: &[PlacedRemark]) -> String {
    let mut text = String::new();
    for placed in remarks {
        let remark = &placed.remark;
        let path = format!("{}/{}", remark.project, remark.path.display());
        let place = match (placed.line, remark.side) {
            (None, _) if remark.anchor.is_some() => format!("{path} (these lines have changed since)"),
            (None, _) if placed.outdated => format!("{path} (this file is gone since)"),
            (None, RemarkSide::Before) => format!("{path} (the file before your change)"),
            (None, RemarkSide::After) => format!("{path} (the whole file)"),
            (Some(line), RemarkSide::Before) => format!("{path}:{line} (before your change)"),
            (Some(_), RemarkSide::After) => placed.place(),
        };
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{HEAD}{}, {place}:", remark.id);
        for line in placed.quoted() {
            let _ = writeln!(text, "> {line}");
        }
        let _ = writeln!(text, "{}", remark.text.trim_end());
        for answer in &remark.answers {
            let who = match answer.author {
                RemarkAuthor::Person => "A person",
                RemarkAuthor::Agent => "You",
                RemarkAuthor::Reviewer => "The reviewer",
            };
            let _ = writeln!(text, "{who} answered: {}", answer.text.trim_end());
        }
    }
    text
}
