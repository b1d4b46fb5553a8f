//! Going back to a checkpoint, and taking that back.

use std::path::Path;

use crate::domain::work::ReviewDone;
use crate::git::checkpoint::{ChangeKind, CheckedOut, Plan, Scope, Snapshot};
use crate::model::review::{
    Back, Cause, Checkpoint, FileFate, LostCommit, MovedBranch, Point, Replaced, RevertOf, Reverted, RevertedFile,
    RevertedProject,
};
use crate::model::text::{one_line, visible};
use crate::model::{Chat, ChatId, Problem, ResultExt};
use crate::store::UnderWay;

use super::clones::{PROMPT, Review, Reviewed};
use super::talk::{self, TalkGoal, TalkWay, ToldPrompts};
use super::under_way::{call_off, finish, line};
use crate::agents::Env;
use crate::engine::clock::now;
use crate::engine::work::context::WorkContext;
use crate::engine::work::loading::loading;

/// Where to, and what a revert that is to be undone had restored.
struct WayBack {
    number: u64,
    undoes: Option<u64>,
    cause: Cause,
    project: Option<String>,
    of: RevertOf,
    talk: Option<TalkWay>,
}

fn target(review: &Review<'_>, back: &Back) -> Result<WayBack, Problem> {
    match back {
        Back::To { point, project, of } => {
            let told = match of.has_talk() || matches!(point, Point::Prompt(_)) {
                true => Some(ToldPrompts::read(review.context, &review.chat)?),
                false => None,
            };
            let checkpoint = match (point, &told) {
                (Point::Prompt(seq), Some(told)) => told.checkpoint(*seq, &review.known),
                (Point::Checkpoint(_), _) => Some(review.find(*point, back.doing())?),
                (Point::Turn(_) | Point::Prompt(_), _) => review.find(*point, back.doing()).ok(),
            };
            let talk = told.filter(|_| of.has_talk()).map(|told| -> Result<_, Problem> {
                let first = told.first(*point, checkpoint)?.cloned();
                Ok(first.map(|prompt| TalkWay {
                    told,
                    to: TalkGoal::Before(prompt),
                }))
            });
            let talk = talk.transpose()?.flatten();
            let number = match (checkpoint, &talk) {
                (Some(checkpoint), _) => checkpoint.number,
                // The code stays as it is: nothing was saved then.
                (None, Some(talk)) if !of.has_code() || review.known.is_empty() => talk.checkpoint_after(review),
                (None, _) => review.find(*point, back.doing())?.number,
            };
            Ok(WayBack {
                number,
                undoes: None,
                cause: Cause::Revert(number),
                project: project.clone(),
                of: match checkpoint {
                    Some(_) => *of,
                    None => RevertOf::Talk,
                },
                talk,
            })
        }
        Back::Undo => {
            let is_undone = |number| review.known.iter().any(|later| later.cause == Cause::Undo(number));
            let reverts = review
                .known
                .iter()
                .rev()
                .filter_map(|checkpoint| match checkpoint.cause {
                    Cause::Revert(to) => Some((checkpoint, to)),
                    Cause::Turn
                    | Cause::Asked
                    | Cause::Opened
                    | Cause::Discard
                    | Cause::Take
                    | Cause::Undo(_)
                    | Cause::CutOff
                    | Cause::Unread => None,
                });
            let last = reverts
                .into_iter()
                .find(|(checkpoint, _)| !is_undone(checkpoint.number));
            let (checkpoint, to) = last.ok_or_else(|| {
                let hint = "`parlour checkpoints CHAT` shows what there is to go back to";
                Problem::new(back.doing(), "there is no revert to take back", hint)
            })?;
            let number = checkpoint.number;
            let replaced = checkpoint.replaced.as_ref();
            let talk = replaced.and_then(|replaced| replaced.talk.clone()).map(|was| {
                let told = ToldPrompts::read(review.context, &review.chat)?;
                let to = TalkGoal::Again(was);
                Ok::<_, Problem>(TalkWay { told, to })
            });
            Ok(WayBack {
                number,
                undoes: Some(to),
                cause: Cause::Undo(number),
                project: None,
                of: replaced.map_or(RevertOf::Code, |replaced| replaced.of),
                talk: talk.transpose()?,
            })
        }
    }
}

pub fn check_project(clones: &[Reviewed], project: Option<&str>, doing: &str) -> Result<(), Problem> {
    let Some(project) = project.filter(|project| clones.iter().all(|clone| clone.name != *project)) else {
        return Ok(());
    };
    let names: Vec<&str> = clones.iter().map(|clone| clone.name.as_str()).collect();
    let hint = match names.is_empty() {
        true => "it has no clones".to_owned(),
        false => format!("its clones: {}", names.join(", ")),
    };
    Err(Problem::missing(
        doing,
        format!("the chat has no clone {project}"),
        hint,
    ))
}

/// One clone's way: from what it is to what it was.
struct CloneWay<'c> {
    clone: &'c Reviewed,
    to: Snapshot,
    /// What to save by name.
    also: Vec<Snapshot>,
}

fn ways<'c>(
    review: &Review<'_>,
    clones: &'c [Reviewed],
    target: &WayBack,
    doing: &str,
) -> Result<Vec<CloneWay<'c>>, Problem> {
    check_project(clones, target.project.as_deref(), doing)?;
    let mut ways = Vec::new();
    let is_meant = |clone: &&Reviewed| target.project.as_ref().is_none_or(|project| *project == clone.name);
    for clone in clones.iter().filter(is_meant) {
        if let Some(why) = review.unsaved_at(target.number, &clone.name) {
            let cause = format!(
                "{} was not saved at checkpoint {}: {why}",
                visible(&clone.name),
                target.number
            );
            let hint = "go back to another checkpoint, or with another clone alone: `--project NAME`";
            return Err(Problem::missing(doing, cause, hint));
        }
        // A clone that came later has no such state: it stays as it is.
        let Some(to) = review.saved(clone, target.number, doing)? else {
            continue;
        };
        let undone = match target.undoes {
            Some(number) => review.saved(clone, number, doing)?,
            None => None,
        };
        let also = [to.clone()].into_iter().chain(undone).collect();
        ways.push(CloneWay { clone, to, also });
    }
    Ok(ways)
}

/// As [`target`], of the code alone where the conversation cannot come along; with the reason.
fn possible(review: &Review<'_>, back: &Back) -> Result<(WayBack, Option<String>), Problem> {
    let problem = match (target(review, back), back) {
        (Err(problem), Back::To { of: RevertOf::Both, .. }) => problem,
        (found, _) => return found.map(|found| (found, None)),
    };
    let Back::To { point, project, .. } = back.clone() else {
        return Err(problem);
    };
    let of = RevertOf::Code;
    let code = target(review, &Back::To { point, project, of });
    code.map(|target| (target, Some(problem.cause.to_string())))
        .map_err(|_| problem)
}

/// Those that are meant. A conversation is taken back without any.
fn clones(review: &Review<'_>, target: &WayBack, doing: &str) -> Result<Vec<Reviewed>, Problem> {
    match (target.of.has_code(), &target.talk) {
        (false, None) => Err(Problem::new(
            doing,
            "nothing was said since",
            "`parlour checkpoints CHAT` shows what there is to go back to",
        )),
        (false, Some(_)) => Ok(Vec::new()),
        (true, _) => review.some_clones(doing),
    }
}

pub fn plan(context: &WorkContext, id: &ChatId, back: &Back) -> Result<ReviewDone, Problem> {
    let doing = back.doing();
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let mut review = Review::open(context, id, doing)?;
    finish(&mut review)?;
    let (target, talk_stays) = possible(&review, back)?;
    let clones = clones(&review, &target, doing)?;
    let mut projects = Vec::new();
    for way in ways(&review, &clones, &target, doing)? {
        let also: Vec<&Snapshot> = way.also.iter().collect();
        let here = way
            .clone
            .store
            .now(&way.clone.dir, &review.options(u64::MAX, &also, true))
            .doing(doing)?;
        let plan = way.clone.store.plan(&way.clone.dir, &here, &way.to).doing(doing)?;
        projects.push(shown(&way.clone.name, &plan));
    }
    Ok(ReviewDone::Planned(Reverted {
        to: target.number,
        saved: None,
        projects,
        talk: target.talk.as_ref().map(|talk| talk.shown(context, &review.chat)),
        talk_stays,
        waiting: waiting(&review.chat, target.talk.is_some()),
    }))
}

/// What goes back to the composer, where the conversation is taken back.
fn waiting(chat: &Chat, takes_talk: bool) -> Vec<String> {
    let prompts = chat
        .record
        .prompts
        .iter()
        .filter(|prompt| takes_talk && prompt.is_written());
    prompts.map(|prompt| one_line(&prompt.text, PROMPT)).collect()
}

/// Whether a revert would be refused: before its agent is ended, which writes on meanwhile.
pub fn check(context: &WorkContext, id: &ChatId, back: &Back) -> Result<ReviewDone, Problem> {
    let doing = back.doing();
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let mut review = Review::open(context, id, doing)?;
    finish(&mut review)?;
    let target = target(&review, back)?;
    let clones = clones(&review, &target, doing)?;
    for way in ways(&review, &clones, &target, doing)? {
        let also: Vec<&Snapshot> = way.also.iter().collect();
        let options = review.options(u64::MAX, &also, true);
        let here = way.clone.store.now(&way.clone.dir, &options).doing(doing)?;
        let plan = way.clone.store.plan(&way.clone.dir, &here, &way.to).doing(doing)?;
        check_way(&way, &plan, doing)?;
    }
    Ok(ReviewDone::Checked)
}

fn check_way(way: &CloneWay<'_>, plan: &Plan, doing: &str) -> Result<(), Problem> {
    let Some(path) = plan.blocked.first() else {
        return Ok(());
    };
    let (cause, hint) = in_the_way(&way.clone.name, path);
    Err(Problem::new(doing, cause, hint))
}

fn shown(name: &str, plan: &Plan) -> RevertedProject {
    let changes = plan.changes.iter().map(|change| RevertedFile {
        path: change.path.clone(),
        what: match change.kind {
            ChangeKind::Added => FileFate::ComesBack,
            ChangeKind::Removed => FileFate::Goes,
            ChangeKind::Rewritten => FileFate::Changes,
            ChangeKind::Mode => FileFate::ChangesMode,
        },
    });
    let head = |head: &CheckedOut| match head {
        CheckedOut::Branch { name, .. } => name.clone(),
        CheckedOut::Detached(commit) => commit.to_string(),
        CheckedOut::Gone => "nothing".into(),
    };
    let branches = plan.branches.iter().map(|branch| MovedBranch {
        name: branch.name.clone(),
        from: branch.from.map(|id| id.to_string()),
        to: branch.to.map(|id| id.to_string()),
    });
    let lost = plan.lost.iter().map(|tip| LostCommit {
        branch: tip.branch.clone(),
        commit: tip.commit.to_string(),
    });
    RevertedProject {
        project: name.to_owned(),
        changes: changes.collect(),
        head: plan
            .head
            .as_ref()
            .map(|(from, to)| (head(from), head(to)))
            .filter(|(from, to)| from != to),
        branches: branches.collect(),
        in_the_way: plan.blocked.clone(),
        stays: plan.staying.clone(),
        lost: lost.collect(),
    }
}

pub fn revert(context: &WorkContext, id: &ChatId, back: &Back, env: &Env) -> Result<ReviewDone, Problem> {
    let doing = back.doing();
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let mut review = Review::open(context, id, doing)?;
    finish(&mut review)?;
    let target = target(&review, back)?;
    let clones = clones(&review, &target, doing)?;
    let ways = ways(&review, &clones, &target, doing)?;
    let number = review.next();
    // It was saved under this number too.
    drop(context.services.prepared.claim(id, number, now()));
    let mut before = Vec::new();
    for way in &ways {
        let also: Vec<&Snapshot> = way.also.iter().collect();
        let taken = way
            .clone
            .store
            .take(&way.clone.dir, &review.options(number, &also, true))
            .doing(doing)?;
        let plan = way
            .clone
            .store
            .plan(&way.clone.dir, &taken.snapshot, &way.to)
            .doing(doing)?;
        check_way(way, &plan, doing)?;
        before.push(taken.snapshot);
    }
    let names: Vec<String> = ways.iter().map(|way| way.clone.name.clone()).collect();
    let what = (target.number, number, target.of);
    let talk = target
        .talk
        .as_ref()
        .map(|talk| talk.prepare(context, &review.chat, env, what));
    let talk = talk.transpose()?;
    let replaced = Replaced {
        of: target.of,
        talk: target.talk.as_ref().map(|talk| talk.told.state(&review.chat)),
    };
    let line = Checkpoint {
        replaced: Some(replaced),
        ..line(number, target.cause, names.clone())
    };
    let what = UnderWay {
        v: 1,
        from: number,
        to: target.number,
        projects: names,
        undoes: target.undoes,
        talk,
    };
    // It is under way once both are written: [`finish`] forgets one that has no line.
    let under_way = review.checkpoints.begin(what).doing(doing)?;
    let added = review.add(line, doing).map_err(|problem| (0, problem));
    let restored = added.and_then(|()| {
        let plans = restore(context, &ways, &before, doing)?;
        if let Some(talk) = &under_way.what.talk {
            talk::apply(context, id, talk).map_err(|problem| (ways.len(), problem))?;
        }
        Ok(plans)
    });
    let plans = match restored {
        Ok(plans) => plans,
        Err((touched, problem)) => {
            let all = ways.iter().zip(&before).map(|(way, was)| (way.clone, was, &way.to));
            let touched: Vec<_> = all.take(touched).collect();
            call_off(&mut review, under_way, &touched)?;
            return Err(problem);
        }
    };
    under_way.done().doing(doing)?;
    let chat = context.services.home.load(id).map_err(|error| loading(id, error))?;
    let projects = ways.iter().zip(&plans).map(|(way, plan)| shown(&way.clone.name, plan));
    let reverted = Reverted {
        to: target.number,
        saved: Some(number),
        projects: projects.collect(),
        talk: target.talk.as_ref().map(|talk| talk.shown(context, &review.chat)),
        talk_stays: None,
        waiting: waiting(&chat, target.talk.is_some()),
    };
    Ok(ReviewDone::Reverted(reverted, Box::new(chat)))
}

fn in_the_way(clone: &str, path: &Path) -> (String, &'static str) {
    match path.strip_prefix(".git/refs/heads") {
        Ok(branch) if branch != Path::new("") => {
            let branch = visible(&branch.to_string_lossy());
            let cause = format!("the branch {branch} of {clone} is in the way of the one that would come back");
            (cause, "rename it in the clone by git branch -m, then try again")
        }
        Ok(_) | Err(_) => {
            let cause = format!("{clone}/{} is in the way, and no checkpoint has it", path.display());
            (cause, "move it elsewhere, then try again")
        }
    }
}

/// Brings the clones where they are to go. An error says in how many of them something may have changed.
fn restore(
    context: &WorkContext,
    ways: &[CloneWay<'_>],
    before: &[Snapshot],
    doing: &str,
) -> Result<Vec<Plan>, (usize, Problem)> {
    let mut plans = Vec::new();
    for (at, (way, here)) in ways.iter().zip(before).enumerate() {
        let CloneWay { clone, to, .. } = way;
        let ready = clone.store.ready(&clone.dir, (here, to), &context.cancel);
        let ready = ready.doing(doing).map_err(|problem| (at, problem))?;
        let plan = ready.carry_out(Scope::FilesAndGit).doing(doing);
        plans.push(plan.map_err(|problem| (at + 1, problem))?);
    }
    Ok(plans)
}
