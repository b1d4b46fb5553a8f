//! What differs between two moments of a chat's clones, and in what is open in place.

use crate::domain::work::ReviewDone;
use crate::git::checkpoint::{SavedFiles, Snapshot};
use crate::git::read;
use crate::model::in_place::{self, OmittedPath, Uncompared};
use crate::model::lineage;
use crate::model::review::{AfterTurn, Amount, Changes, Checkpoint, DiffAsk, DiffSet, Overview, Point, ToldPatch};
use crate::model::text::visible;
use crate::model::{ChatId, Problem, ResultExt};

use super::attempt::OtherClones;
use super::clones::{Review, Reviewed};
use super::{ended, left, places};
use crate::engine::prepared::RestedClones;
use crate::engine::work::context::WorkContext;

const DOING: &str = "comparing";

/// The two sides, by the numbers of checkpoints; without the second one, now.
enum Sides {
    Between(u64, Option<u64>),
    /// The last turn, from its beginning up to how it left the clones.
    Rested(u64, RestedClones),
    Base,
    Committed,
    Commit(String),
    Other,
}

impl Sides {
    /// Whether now is compared with this checkpoint.
    fn is_since(&self, checkpoint: u64) -> bool {
        matches!(self, Sides::Between(from, None) if *from == checkpoint)
    }
}

pub fn diff(context: &WorkContext, id: &ChatId, ask: &DiffAsk) -> Result<ReviewDone, Problem> {
    let other = OtherClones::of(context, &ask.set)?;
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let review = Review::open(context, id, DOING)?;
    if let (DiffSet::Turn(turn), false) = (&ask.set, is_of_places(&review, ask)) {
        return of_turn(&review, ask, *turn);
    }
    let (_, compared) = all(&review, ask, other.as_ref(), None)?;
    Ok(ReviewDone::Compared(compared.changes, None))
}

/// What a turn did itself, as far as that is known, and what was changed after it.
fn of_turn(review: &Review<'_>, ask: &DiffAsk, turn: u32) -> Result<ReviewDone, Problem> {
    review.need_clones(DOING)?;
    let begin = review.find(Point::Turn(turn), DOING)?.number;
    let is_last = ended::last_told(review).is_some_and(|last| last.number == begin);
    let Some(rested) = is_last.then(|| ended::rested(review, begin)).flatten() else {
        let ended = end_of_turn(review, begin).and_then(|end| end.ended);
        let after = ended.map(|ended| AfterTurn {
            amount: ended.after,
            apart: left::kept(review, begin).is_some(),
        });
        return Ok(ReviewDone::Compared(changes(review, ask, None)?, after));
    };
    let compared = compared(review, ask, &Sides::Rested(begin, rested), None, None)?;
    let after = ended::end(review, |clone| ended::now(review, clone).map(Some))?.map(|ended| AfterTurn {
        amount: ended.after,
        apart: true,
    });
    Ok(ReviewDone::Compared(compared.changes, after))
}

/// As [`diff`], with the moments that there are. Before the first prompt there is one: now.
pub fn overview(context: &WorkContext, id: &ChatId, set: DiffSet) -> Result<ReviewDone, Problem> {
    let other = OtherClones::of(context, &set)?;
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let review = Review::open(context, id, DOING)?;
    let last = lineage::last_turn(&review.known).map(|turn| turn.number);
    let set = match set {
        // There is no other comparison.
        _ if is_in_place(&review) => DiffSet::Uncommitted,
        DiffSet::LastPrompt if last.is_none() => DiffSet::Base,
        set => set,
    };
    let ask = DiffAsk {
        set,
        project: None,
        lines: false,
    };
    let (set, Compared { changes, since_last }) = all(&review, &ask, other.as_ref(), last)?;
    let is_same = set != DiffSet::Uncommitted && count(&changes) == 0;
    let overview = Overview {
        uncommitted: if is_same { uncommitted(&review) } else { 0 },
        set,
        since_last,
        // It is told beside what was asked for.
        ended: ended::of_last(&review).unwrap_or_default(),
        reviewed: context.services.home.reviewed(id).doing(DOING)?,
        checkpoints: review.known,
        changes,
    };
    Ok(ReviewDone::Overview(id.clone(), overview))
}

/// The chat works on nothing but what a person opened in place.
fn is_in_place(review: &Review<'_>) -> bool {
    !review.has_clones() && review.has_places()
}

/// It asks for nothing but what is open in place.
fn is_of_places(review: &Review<'_>, ask: &DiffAsk) -> bool {
    let is_of_place = ask.project.as_deref().is_some_and(|project| review.is_place(project));
    is_of_place || is_in_place(review)
}

fn count(changes: &[Changes]) -> usize {
    changes.iter().map(|clone| clone.files.len()).sum()
}

/// How many files differ from the last commits. It is said beside something else, which does not fail for it.
fn uncommitted(review: &Review<'_>) -> usize {
    let ask = DiffAsk {
        set: DiffSet::Uncommitted,
        project: None,
        lines: false,
    };
    changes(review, &ask, None).map_or(0, |changes| count(&changes))
}

/// The clones, and beside them what a person opened in place, as far as now is compared. Says what is compared: without
/// clones that can only be what is not committed.
fn all(
    review: &Review<'_>,
    ask: &DiffAsk,
    other: Option<&OtherClones>,
    last: Option<u64>,
) -> Result<(DiffSet, Compared), Problem> {
    let project = ask.project.as_deref();
    if is_of_places(review, ask) {
        if !matches!(ask.set, DiffSet::LastPrompt | DiffSet::Uncommitted) {
            let hint = "`parlour diff CHAT --uncommitted` shows it";
            return Err(Problem::new(DOING, in_place::ONE_COMPARISON, hint));
        }
        let compared = Compared {
            changes: places::changes(review, project, ask.lines, DOING)?,
            since_last: None,
        };
        return Ok((DiffSet::Uncommitted, compared));
    }
    let mut compared = compared(review, ask, &sides(review, &ask.set)?, other, last)?;
    if project.is_none() && places::are_shown(&ask.set) {
        compared
            .changes
            .extend(places::changes(review, None, ask.lines, DOING)?);
    }
    Ok((ask.set.clone(), compared))
}

/// Of clones alone. `other` has the clones of another chat, where the comparison is with one.
pub(super) fn changes(
    review: &Review<'_>,
    ask: &DiffAsk,
    other: Option<&OtherClones>,
) -> Result<Vec<Changes>, Problem> {
    compared(review, ask, &sides(review, &ask.set)?, other, None).map(|compared| compared.changes)
}

struct Compared {
    changes: Vec<Changes>,
    /// How much differs now from the beginning of the last turn.
    since_last: Option<Amount>,
}

/// `last` is the checkpoint at the beginning of the last turn, if what has changed since is wanted too.
fn compared(
    review: &Review<'_>,
    ask: &DiffAsk,
    sides: &Sides,
    other: Option<&OtherClones>,
    last: Option<u64>,
) -> Result<Compared, Problem> {
    let clones = review.some_clones(DOING)?;
    let mut since_last = last.map(|_| Amount::default());
    let (mut all, mut lost) = (Vec::new(), Vec::new());
    super::revert::check_project(&clones, ask.project.as_deref(), DOING)?;
    let is_meant = |clone: &&Reviewed| ask.project.as_ref().is_none_or(|project| *project == clone.name);
    for clone in clones.iter().filter(is_meant) {
        let Some(Sided { from, to, now }) = files(review, clone, sides, other)? else {
            lost.extend(clone.dir.dir(".git").is_err().then(|| visible(&clone.name)));
            since_last = None;
            continue;
        };
        let patch = match ask.lines {
            true => clone.store.patch(from, to, &format!("{}/", clone.name)).doing(DOING)?,
            false => Vec::new(),
        };
        let mut files = clone.store.changes(from, to).doing(DOING)?;
        if let Some(now) = now.as_ref().filter(|_| matches!(sides, Sides::Committed)) {
            clone.store.tell_staged(now, (from, to), &mut files).doing(DOING)?;
        }
        let left_out = now.as_ref().map(|now| left_out(clone, now)).transpose()?.flatten();
        let amount = match (last, now) {
            // It was just compared.
            (Some(last), Some(_)) if sides.is_since(last) => Some(Amount::of(&files)),
            // What was asked for can be told without it.
            (Some(last), now) => {
                let now = now.map_or_else(|| ended::now(review, clone), |now| Ok(now.files()));
                now.and_then(|now| since(review, clone, last, now)).ok()
            }
            (None, _) => None,
        };
        since_last = since_last.zip(amount).map(|(sum, amount)| sum + amount);
        all.push(Changes {
            project: clone.name.clone(),
            before: from.map(SavedFiles::tree),
            after: to.tree(),
            files,
            patch: ToldPatch::of(&patch),
            left_out,
            ..Changes::default()
        });
    }
    if all.is_empty() && !lost.is_empty() {
        let cause = format!(
            "the .git of {} is gone, so there is no commit to compare with",
            lost.join(", ")
        );
        let hint = "`parlour diff CHAT --since ID` compares with a checkpoint";
        return Err(Problem::missing(DOING, cause, hint));
    }
    if let (DiffSet::With(_), true) = (&ask.set, all.is_empty()) {
        let hint = "`parlour compare CHAT` shows who works on the same projects";
        return Err(Problem::missing(DOING, "the two chats have no project in common", hint));
    }
    if let DiffSet::Commit(name) = &ask.set
        && all.is_empty()
    {
        let cause = format!("no clone of this chat has a commit `{}`", visible(name));
        return Err(Problem::missing(
            DOING,
            cause,
            "`git log` in the clone shows which there are",
        ));
    }
    Ok(Compared {
        changes: all,
        since_last,
    })
}

/// What of a clone as it is now no checkpoint would hold.
fn left_out(clone: &Reviewed, now: &Snapshot) -> Result<Option<Uncompared>, Problem> {
    let left_out = clone.store.all_left_out(now).doing(DOING)?;
    let paths: Vec<OmittedPath> = left_out
        .into_iter()
        .map(|out| OmittedPath {
            path: out.path,
            why: out.reason.words().into(),
        })
        .collect();
    Ok((!paths.is_empty()).then_some(Uncompared::Omitted { paths }))
}

/// How much differs from a checkpoint.
fn since(review: &Review<'_>, clone: &Reviewed, checkpoint: u64, now: SavedFiles) -> Result<Amount, Problem> {
    let before = review.was(clone, checkpoint, DOING)?.map(|before| before.files());
    let changed = clone.store.changes(before, now).doing(DOING)?;
    Ok(Amount::of(&changed))
}

/// What ends the turn that began with this checkpoint: the beginning of the next one may be thinned out.
fn end_of_turn<'r>(review: &'r Review<'_>, begin: u64) -> Option<&'r Checkpoint> {
    let ends = |later: &&Checkpoint| later.number > begin && later.ends_turn();
    review.known.iter().find(ends)
}

fn sides(review: &Review<'_>, set: &DiffSet) -> Result<Sides, Problem> {
    // Without any, another comparison would be refused as well.
    review.need_clones(DOING)?;
    let number = |point| review.find(point, DOING).map(|found| found.number);
    Ok(match *set {
        DiffSet::LastPrompt => {
            let last = lineage::last_turn(&review.known).ok_or_else(|| {
                let cause = match review.known.iter().any(|checkpoint| checkpoint.turn.is_some()) {
                    true => "all turns of this chat were gone back before",
                    false => "this chat has had no prompt yet",
                };
                Problem::missing(DOING, cause, "`--base` compares with the base branch")
            })?;
            Sides::Between(last.number, None)
        }
        DiffSet::Since(since) => Sides::Between(number(Point::Checkpoint(since))?, None),
        DiffSet::Turn(turn) => {
            let begin = number(Point::Turn(turn))?;
            let end = left::kept(review, begin).or_else(|| end_of_turn(review, begin));
            Sides::Between(begin, end.map(|end| end.number))
        }
        DiffSet::Between(from, to) => {
            let number = |of| number(Point::Checkpoint(of));
            Sides::Between(number(from)?, Some(number(to)?))
        }
        DiffSet::Base => Sides::Base,
        DiffSet::Uncommitted => Sides::Committed,
        DiffSet::Commit(ref name) => Sides::Commit(name.clone()),
        DiffSet::With(_) => Sides::Other,
    })
}

/// The files that are compared.
struct Sided {
    from: Option<SavedFiles>,
    to: SavedFiles,
    /// The clone as it is now, where that was looked at.
    now: Option<Snapshot>,
}

/// None where there is nothing to compare.
fn files(
    review: &Review<'_>,
    clone: &Reviewed,
    sides: &Sides,
    other: Option<&OtherClones>,
) -> Result<Option<Sided>, Problem> {
    let store = &clone.store;
    let now = || {
        let now = store.now(&clone.dir, &review.options(u64::MAX, &[], true));
        now.doing(DOING)
    };
    // A commit has the files as git stores them.
    let since_commit = |from: Option<SavedFiles>, now: Snapshot| -> Result<Option<Sided>, Problem> {
        if !now.has_git() {
            return Ok(None);
        }
        let to = store.as_stored(&clone.dir, &now, from).doing(DOING)?;
        let to = store.with_unfetched(&now, to).doing(DOING)?;
        let now = Some(now);
        Ok(Some(Sided { from, to, now }))
    };
    match sides {
        Sides::Between(from, to) => {
            let from = review.was(clone, *from, DOING)?.map(|from| from.files());
            let (to, now) = match to {
                Some(to) => (review.was(clone, *to, DOING)?.map(|to| to.files()), None),
                None => now().map(|now| (Some(now.files()), Some(now)))?,
            };
            Ok(to.map(|to| Sided { from, to, now }))
        }
        Sides::Rested(from, rested) => {
            let from = review.was(clone, *from, DOING)?.map(|from| from.files());
            // One that was opened since is as it is.
            let to = rested
                .get(&clone.name)
                .copied()
                .map_or_else(|| now().map(|now| now.files()), Ok)?;
            Ok(Some(Sided { from, to, now: None }))
        }
        Sides::Base => {
            let now = now()?;
            let base = read::default_branch(clone.dir.path());
            let from = base.and_then(|base| store.base(&now, &base).transpose());
            since_commit(from.transpose().doing(DOING)?, now)
        }
        Sides::Committed => {
            let now = now()?;
            since_commit(store.committed(&now).doing(DOING)?, now)
        }
        Sides::Commit(name) => {
            let now = now()?;
            let found = store.commit(&now, name).doing(DOING)?;
            let now = Some(now);
            Ok(found.map(|(from, to)| Sided { from, to, now }))
        }
        Sides::Other => {
            let theirs = other.map(|other| other.files(review, clone)).transpose()?.flatten();
            let now = now()?;
            Ok(theirs.map(|to| Sided {
                from: Some(now.files()),
                to,
                now: Some(now),
            }))
        }
    }
}
