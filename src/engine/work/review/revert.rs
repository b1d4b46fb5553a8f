//! Going back to a checkpoint, and taking that back.

use std::collections::BTreeMap;
use std::ops::Add;
use std::path::Path;

use crate::domain::work::ReviewDone;
use crate::git::checkpoint::{ChangeKind, CheckedOut, Plan, Scope, Snapshot, Taken};
use crate::model::review::{
    Amount, Back, Checkpoint, FileFate, GoneClone, LostCommit, MovedBranch, Replaced, RevertOf, Reverted, RevertedFile,
    RevertedProject,
};
use crate::model::talk::TalkFate;
use crate::model::text::{one_line, visible};
use crate::model::{AreaMode, Chat, ChatId, Kind, Problem, ResultExt};
use crate::store::{ChangeUnderWay, TalkUnderWay, UnderWay};

use super::anew;
use super::clones::{PROMPT, Review, Reviewed};
use super::left;
use super::sent;
use super::take::end_of_last;
use super::talk::{self, RevertNoted, TalkWay};
use super::under_way::{CloneBetween, call_off, finish, line};
use super::way_back::{WayBack, target};
use crate::agents::Env;
use crate::engine::clock::now;
use crate::engine::work::context::WorkContext;
use crate::engine::work::loading::loading;

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
struct CloneWay {
    clone: Reviewed,
    to: Snapshot,
    /// What to save by name.
    also: Vec<Snapshot>,
}

/// The ways of all clones that are meant, and the names of those that stay: nothing of them was there then.
type WaysAndStaying = (Vec<CloneWay>, Vec<String>);

fn ways(review: &Review<'_>, target: &WayBack, doing: &str) -> Result<WaysAndStaying, Problem> {
    let clones = clones(review, target, doing)?;
    review.refuse_place(target.project.as_deref(), doing)?;
    check_project(&clones, target.project.as_deref(), doing)?;
    let (mut ways, mut staying) = (Vec::new(), Vec::new());
    let is_meant = |clone: &Reviewed| target.project.as_ref().is_none_or(|project| *project == clone.name);
    for clone in clones.into_iter().filter(is_meant) {
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
        let Some(to) = review.saved(&clone, target.number, doing)? else {
            continue;
        };
        // To take away all of a clone that was made again helps nobody, and what no checkpoint holds would stay alone.
        if clone.store.is_of_nothing(&to).doing(doing)? {
            staying.push(clone.name);
            continue;
        }
        let undone = match target.undoes {
            Some(number) => review.saved(&clone, number, doing)?,
            None => None,
        };
        let also = [to.clone()].into_iter().chain(undone).collect();
        ways.push(CloneWay { clone, to, also });
    }
    Ok((ways, staying))
}

/// Where to, and how its agent would take up the conversation: looked for before anything is stopped.
type FatedWay = (WayBack, Option<TalkFate>);

fn fated(review: &Review<'_>, back: &Back, env: &Env) -> Result<FatedWay, Problem> {
    let way = target(review, back)?;
    let fate = way.fate(review, env)?;
    Ok((way, fate))
}

/// As [`fated`], of the code alone where the conversation cannot come along.
fn possible(review: &Review<'_>, back: &Back, env: &Env) -> Result<FatedWay, Problem> {
    let problem = match (fated(review, back, env), back) {
        (Err(problem), Back::To { of: RevertOf::Both, .. }) => problem,
        (found, _) => return found,
    };
    let Back::To { point, project, .. } = back.clone() else {
        return Err(problem);
    };
    let of = RevertOf::Code;
    let Ok(code) = target(review, &Back::To { point, project, of }) else {
        return Err(problem);
    };
    let talk_stays = Some(problem.cause.to_string());
    Ok((WayBack { talk_stays, ..code }, None))
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
        (true, _) => {
            let clones = review.clones_and_gone(doing)?;
            match clones.is_empty() {
                true => Err(review.without_clones(doing)),
                false => Ok(clones),
            }
        }
    }
}

/// What a clone is now, and what leads from there to where it goes.
struct ComparedClone {
    here: Snapshot,
    /// How much it differs from the checkpoint before, if it was saved.
    amount: Amount,
    plan: Plan,
}

/// Where a chat goes back to, and the way of each clone. What was cut off before is ended by then.
struct RevertCourse<'a> {
    review: Review<'a>,
    target: WayBack,
    fate: Option<TalkFate>,
    ways: Vec<CloneWay>,
    staying: Vec<String>,
    doing: &'static str,
}

impl<'a> RevertCourse<'a> {
    fn find(
        context: &'a WorkContext,
        id: &ChatId,
        back: &Back,
        way: impl FnOnce(&Review<'_>) -> Result<FatedWay, Problem>,
    ) -> Result<RevertCourse<'a>, Problem> {
        let doing = back.doing();
        let mut review = Review::open(context, id, doing)?;
        finish(&mut review)?;
        let (target, fate) = way(&review)?;
        let (ways, staying) = ways(&review, &target, doing)?;
        Ok(RevertCourse {
            review,
            target,
            fate,
            ways,
            staying,
            doing,
        })
    }

    /// Each clone, saved under this number if there is one.
    fn compare(&self, number: Option<u64>) -> Result<Vec<ComparedClone>, Problem> {
        let compared = |way: &CloneWay| {
            let CloneWay { clone, to, also } = way;
            let also: Vec<&Snapshot> = also.iter().collect();
            let options = self.review.options(number.unwrap_or(u64::MAX), &also, true);
            let taken = |taken: Taken| (taken.snapshot, taken.amount);
            let here = match number {
                Some(_) => clone.store.take(&clone.dir, &options).map(taken),
                None => clone
                    .store
                    .now(&clone.dir, &options)
                    .map(|now| (now, Amount::default())),
            };
            let (here, amount) = here.doing(self.doing)?;
            let plan = clone.store.plan(&clone.dir, &here, to).doing(self.doing)?;
            Ok(ComparedClone { here, amount, plan })
        };
        self.ways.iter().map(compared).collect()
    }

    /// As [`RevertCourse::compare`]. Refuses what would overwrite something that no checkpoint has.
    fn check(&self, number: Option<u64>) -> Result<Vec<ComparedClone>, Problem> {
        let all = self.compare(number)?;
        for (way, compared) in self.ways.iter().zip(&all) {
            if let Some(path) = compared.plan.blocked.first() {
                let (cause, hint) = in_the_way(&way.clone.name, path);
                return Err(Problem::new(self.doing, cause, hint));
            }
        }
        Ok(all)
    }
}

pub fn plan(context: &WorkContext, id: &ChatId, back: &Back, env: &Env) -> Result<ReviewDone, Problem> {
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let course = RevertCourse::find(context, id, back, |review| possible(review, back, env))?;
    let plans = course.compare(None)?;
    let RevertCourse {
        review,
        target,
        fate,
        ways,
        staying,
        ..
    } = course;
    let projects = ways
        .iter()
        .zip(&plans)
        .map(|(way, compared)| shown(way, &compared.here, &compared.plan))
        .chain(staying.into_iter().map(stays));
    Ok(ReviewDone::Planned(Reverted {
        to: target.number,
        saved: None,
        projects: projects.collect(),
        talk: target.talk.as_ref().zip(fate).map(|(talk, fate)| talk.shown(fate)),
        waiting: waiting(&review.chat, target.talk.is_some()),
        talk_stays: target.talk_stays,
        in_place: in_place(&review.chat),
    }))
}

/// What an agent may have changed and nothing takes back.
fn in_place(chat: &Chat) -> Vec<String> {
    let places = chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Local);
    let changed = places.filter(|dir| dir.mode == AreaMode::Rw);
    changed.map(|dir| dir.name.clone()).collect()
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

/// Whether a revert would be refused: before its agent is ended, which writes on meanwhile. So the revert compares again:
/// what the agent wrote since is saved then.
pub fn check(context: &WorkContext, id: &ChatId, back: &Back, env: &Env) -> Result<ReviewDone, Problem> {
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    RevertCourse::find(context, id, back, |review| fated(review, back, env))?.check(None)?;
    Ok(ReviewDone::Checked)
}

fn stays(project: String) -> RevertedProject {
    RevertedProject {
        project,
        gone: Some(GoneClone::Stays),
        ..RevertedProject::default()
    }
}

fn shown(way: &CloneWay, here: &Snapshot, plan: &Plan) -> RevertedProject {
    let gone = match &plan.made_anew {
        Some(without) => Some(GoneClone::MadeAgain {
            without: without.clone(),
        }),
        None => (here.has_git() && !way.to.has_git()).then_some(GoneClone::GitStays),
    };
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
        project: way.clone.name.clone(),
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
        gone,
    }
}

pub fn revert(context: &WorkContext, id: &ChatId, back: &Back, env: &Env) -> Result<ReviewDone, Problem> {
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let reverted = carry_out(context, id, back, env);
    // Also one that has failed may have written.
    anew::restored(context, id);
    reverted
}

fn carry_out(context: &WorkContext, id: &ChatId, back: &Back, env: &Env) -> Result<ReviewDone, Problem> {
    let mut course = RevertCourse::find(context, id, back, |review| Ok((target(review, back)?, None)))?;
    // It is kept beside the revert, which saves its own clones and does not fail for it.
    if let Err(problem) = left::keep_apart(&mut course.review) {
        tracing::warn!("{id}: {problem}");
    }
    let number = course.review.next();
    // It was saved under this number too.
    drop(context.services.prepared.claim(id, number, now()));
    let before = course.check(Some(number))?;
    let RevertCourse {
        mut review,
        target,
        mut ways,
        staying,
        doing,
        fate: _,
    } = course;
    let names: Vec<String> = ways.iter().map(|way| way.clone.name.clone()).collect();
    let noted = RevertNoted {
        to: target.number,
        saved: number,
        of: target.of,
    };
    let talk = target.talk.as_ref();
    let talk = talk
        .map(|talk| talk.prepare(context, &review.chat, env, noted))
        .transpose()?;
    let fate = |way: &TalkWay, done: &TalkUnderWay| way.shown(way.fate_of(done));
    let talked = target
        .talk
        .as_ref()
        .zip(talk.as_ref())
        .map(|(way, done)| fate(way, done));
    let replaced = Replaced {
        of: target.of,
        talk: target.talk.as_ref().map(|talk| talk.told.state(&review.chat)),
    };
    let line = Checkpoint {
        replaced: Some(replaced),
        amount: before
            .iter()
            .map(|clone| clone.amount)
            .fold(Amount::default(), Add::add),
        ended: target.of.has_code().then(|| end_of_last(&review, number)).flatten(),
        ..line(number, target.cause, names.clone())
    };
    let what = UnderWay {
        v: 1,
        from: number,
        to: target.number,
        projects: names,
        undoes: target.undoes,
        talk,
        made: BTreeMap::new(),
    };
    // It is under way once both are written: [`finish`] forgets one that has no line.
    let mut under_way = review.checkpoints.begin(what).doing(doing)?;
    let added = review.add(line, doing).map_err(|problem| (0, Box::new(problem)));
    let restored = added.and_then(|()| {
        restore(&review, &mut under_way, (&mut ways[..], &before[..]), doing)?;
        if let Some(talk) = &under_way.what.talk {
            talk::apply(context, id, talk).map_err(|problem| (ways.len(), Box::new(problem)))?;
        }
        Ok(())
    });
    if let Err((touched, problem)) = restored {
        let all = ways.iter().zip(&before).take(touched);
        let touched = all.map(|(way, was)| CloneBetween {
            clone: &way.clone,
            was: &was.here,
            to: &way.to,
        });
        let touched: Vec<CloneBetween<'_>> = touched.collect();
        call_off(&mut review, under_way, &touched)?;
        return Err(*problem);
    }
    under_way.done().doing(doing)?;
    if let Some(talk) = &target.talk {
        sent::follow(context, id, &talk.moved());
    }
    let chat = context.services.home.load(id).map_err(|error| loading(id, error))?;
    let projects = ways
        .iter()
        .zip(&before)
        .map(|(way, was)| shown(way, &was.here, &was.plan))
        .chain(staying.into_iter().map(stays));
    let reverted = Reverted {
        to: target.number,
        saved: Some(number),
        projects: projects.collect(),
        talk: talked,
        talk_stays: None,
        waiting: waiting(&chat, target.talk.is_some()),
        in_place: in_place(&chat),
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
    review: &Review<'_>,
    under_way: &mut ChangeUnderWay,
    (ways, before): (&mut [CloneWay], &[ComparedClone]),
    doing: &str,
) -> Result<(), (usize, Box<Problem>)> {
    for (at, (way, was)) in ways.iter_mut().zip(before).enumerate() {
        let CloneWay { clone, to, .. } = way;
        let to = &*to;
        review.open_root(&clone.name);
        // It was saved as it was before: with nothing.
        let made = match was.plan.made_anew {
            Some(_) => anew_here(review, under_way, (&mut *clone, to), doing).map(Some),
            None => review.make_anew(under_way, (&mut *clone, to), doing).map(|()| None),
        };
        let made = made.map_err(|problem| (at + 1, Box::new(problem)))?;
        let here = made.as_ref().unwrap_or(&was.here);
        let ready = clone.store.ready(&clone.dir, (here, to), &review.context.cancel);
        let touched = at + usize::from(made.is_some());
        let ready = ready.doing(doing).map_err(|problem| (touched, Box::new(problem)))?;
        let done = ready.carry_out(Scope::FilesAndGit).doing(doing);
        done.map_err(|problem| (at + 1, Box::new(problem)))?;
    }
    Ok(())
}

/// Makes the git directory, and looks at what is there then.
fn anew_here(
    review: &Review<'_>,
    under_way: &mut ChangeUnderWay,
    (clone, to): (&mut Reviewed, &Snapshot),
    doing: &str,
) -> Result<Snapshot, Problem> {
    review.make_anew(under_way, (&mut *clone, to), doing)?;
    let also = [to];
    let options = review.options(u64::MAX, &also, true);
    clone.store.now(&clone.dir, &options).doing(doing)
}
