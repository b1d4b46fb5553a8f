//! What somebody who reads a comparison wants to know of it.

use std::time::{Duration, Instant};

use crate::domain::work::ReviewDone;
use crate::model::detail::{Attempt, CommitLine, Detail, DetailWork};
use crate::model::diff::FileAsk;
use crate::model::pick::PickedPart;
use crate::model::review::{Amount, DiffAsk, DiffSet};
use crate::model::search::{FileMatches, FoundLines, Needle, SearchAsk};
use crate::model::{ChatId, Problem, ResultExt, Timestamp};

use super::clones::{Review, clone_of};
use super::diff;
use super::origin;
use crate::engine::work::context::WorkContext;

/// What is not searched by then is left out: a person waits.
const PATIENCE: Duration = Duration::from_secs(10);
/// Commits of a clone that are listed.
const MOST_COMMITS: usize = 200;
/// Terminals take no more at once.
const LONGEST_COPY: usize = 1 << 20;

pub fn detail(context: &WorkContext, id: &ChatId, work: DetailWork) -> Result<ReviewDone, Problem> {
    let found = match work {
        DetailWork::Search(ask) => Detail::Found(search(context, id, &ask)?),
        DetailWork::Patch(ask, parts) => Detail::Patch(patch(context, id, &ask, &parts)?),
        DetailWork::Commits => Detail::Commits(commits(context, id)?),
        DetailWork::Attempts(chats) => Detail::Attempts(attempts(context, chats)),
        DetailWork::TurnOf(card) => {
            let turn = origin::turn_of(context, id, card)?;
            Detail::TurnOf { card, turn }
        }
        DetailWork::Origin(ask) => Detail::Origin(origin::line(context, id, ask)?),
    };
    Ok(ReviewDone::Detail(id.clone(), found))
}

fn search(context: &WorkContext, id: &ChatId, ask: &SearchAsk) -> Result<FoundLines, Problem> {
    let doing = "searching the changes";
    let review = Review::open(context, id, doing)?;
    let clones = review.compared(doing)?;
    let mut found = FoundLines {
        words: ask.words.clone(),
        files: Vec::new(),
        unread: 0,
    };
    let Some(needle) = Needle::of(&ask.words) else {
        return Ok(found);
    };
    let until = Instant::now() + PATIENCE;
    for (at, file) in ask.files.iter().enumerate() {
        if Instant::now() > until {
            found.unread = ask.files.len() - at;
            break;
        }
        let clone = clone_of(&clones, &file.project, doing)?;
        let lines = clone.store.found_lines(file, &needle).doing(doing)?;
        if lines > 0 {
            found.files.push(FileMatches {
                project: file.project.clone(),
                path: file.path.clone(),
                lines,
            });
        }
    }
    Ok(found)
}

fn patch(context: &WorkContext, id: &ChatId, ask: &FileAsk, parts: &[PickedPart]) -> Result<String, Problem> {
    let doing = "copying a patch";
    let review = Review::open(context, id, doing)?;
    let clones = review.compared(doing)?;
    let clone = clone_of(&clones, &ask.project, doing)?;
    let patch = clone.store.chosen_patch(ask, parts).doing(doing)?;
    let hint = "`parlour diff CHAT --project NAME` prints it";
    if patch.len() > LONGEST_COPY {
        let cause = format!("it has {} bytes, and a clipboard takes 1 MiB", patch.len());
        return Err(Problem::new(doing, cause, hint));
    }
    let text = String::from_utf8(patch).map_err(|_| Problem::new(doing, "it is not all UTF-8", hint))?;
    // Whoever pastes it into a shell must not set anything loose.
    match text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')) {
        true => Err(Problem::new(doing, "it holds control characters", hint)),
        false => Ok(text),
    }
}

/// The newest first, of all clones together.
fn commits(context: &WorkContext, id: &ChatId) -> Result<Vec<CommitLine>, Problem> {
    let doing = "listing commits";
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let review = Review::open(context, id, doing)?;
    let mut lines = Vec::new();
    for clone in review.some_clones(doing)? {
        let now = clone
            .store
            .now(&clone.dir, &review.options(u64::MAX, &[], true))
            .doing(doing)?;
        let listed = clone.store.commits(&now, MOST_COMMITS).doing(doing)?;
        lines.extend(listed.into_iter().map(|commit| CommitLine {
            project: clone.name.clone(),
            id: commit.id,
            subject: commit.subject,
            at: Timestamp(commit.at.saturating_mul(1000)),
        }));
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.at));
    Ok(lines)
}

/// How far each has come. One that cannot be read is left out.
fn attempts(context: &WorkContext, chats: Vec<ChatId>) -> Vec<Attempt> {
    context.journals.catch_up();
    let far = |id: &ChatId| -> Result<Attempt, Problem> {
        let lock = context.services.reviews.of(id);
        let _alone = lock.lock();
        let doing = "comparing attempts";
        let review = Review::open(context, id, doing)?;
        let ask = DiffAsk {
            set: DiffSet::Base,
            project: None,
            lines: false,
        };
        let changes = diff::changes(&review, &ask, None)?;
        let amounts = changes.iter().map(|clone| Amount::of(&clone.files));
        let turns = context.services.home.turns(&review.chat).doing(doing)?;
        Ok(Attempt {
            chat: id.clone(),
            turns: usize::try_from(turns).unwrap_or(usize::MAX),
            amount: amounts.fold(Amount::default(), |sum, amount| sum + amount),
        })
    };
    chats.iter().filter_map(|id| far(id).ok()).collect()
}
