//! A chat made of another one: its clones cloned, its links linked again, its conversation forked.

use crate::agents::{self, Env, Fork};
use crate::domain::work::ChatDone;
use crate::domain::work::NewRecord;
use crate::fs::SafeName;
use crate::git::{self};
use crate::model::chat::Directory;
use crate::model::open_dir::OpenDir;
use crate::model::review::Point;
use crate::model::talk::ForkOrigin;
use crate::model::text::visible;
use crate::model::{Chat, ChatId, DirectoryPlace, Kind, Problem, Record, ResultExt};

use super::super::services::Services;
use super::context::WorkContext;
use super::copied_talk::{self, TalkCopy};
use super::loading::loading;
use super::open::WantedClone;
use super::review::{self, ForkPoint, ForkTalk};
use super::{chats, clones, losses, open};

const DOING: &str = "making a chat of another one";
const RETOLD: &str = "its agent reads in AGENTS.md what was said until then";

/// All of it or nothing: a duplicate that lacks a project would be taken for whole. With a moment it is a fork, and all
/// of it is as it was then.
pub fn duplicate(
    context: &WorkContext,
    (from, at): (&ChatId, Option<Point>),
    new: &NewRecord,
    env: &Env,
) -> Result<ChatDone, Problem> {
    let services = &context.services;
    let original = services.home.load(from).map_err(|error| loading(from, error))?;
    if original.place == DirectoryPlace::Gone {
        let doing = format!("duplicating {}", original.record.handle);
        let hint = "make it again from the chat's menu first";
        return Err(Problem::missing(doing, "the chat's directory is gone", hint));
    }
    let at = at.map(|at| ForkPoint::find(context, &original, at)).transpose()?;
    chats::make(services, new)?;
    match fill(context, (&original, at.as_ref()), new, env) {
        Ok(notes) => {
            let chat = services.home.load(&new.id).map_err(|error| loading(&new.id, error))?;
            let chat = Box::new(chat);
            Ok(ChatDone::Duplicated { chat, notes })
        }
        Err(problem) => {
            // What went wrong first is what a person is told.
            let _ = chats::trash(context, &new.id);
            Err(problem)
        }
    }
}

/// What came along and what did not, in words.
fn fill(
    context: &WorkContext,
    (original, at): (&Chat, Option<&ForkPoint>),
    new: &NewRecord,
    env: &Env,
) -> Result<Vec<String>, Problem> {
    let home = &context.services.home;
    // First, since the original goes on while its projects are cloned.
    let conversation = match at {
        Some(at) => fork(context, (original, at), new, env)?,
        None => take_up(&context.services, original, new, env)?,
    };
    let mut notes = vec![made_of(original, at)];
    for project in &original.projects {
        let recorded = original.record.dirs.iter().find(|dir| dir.name == project.name);
        let name = visible(&project.name);
        match recorded {
            Some(dir) if dir.kind == Kind::Git => notes.extend(clone(context, (original, at), dir, &new.id)?),
            Some(dir) => notes.extend(link(context, dir, &new.id)),
            None => notes.push(format!("{name} stayed behind: it was not opened by parlour")),
        }
    }
    for dir in original.gone_projects().filter(|dir| dir.kind == Kind::Git) {
        match at.is_some_and(|at| at.checkpoint.is_some()) {
            true => notes.extend(clone(context, (original, at), dir, &new.id)?),
            false => notes.push(format!("{} stayed behind: its directory is gone", visible(&dir.name))),
        }
    }
    notes.extend(losses::own_notes(&context.services, original).map(|what| format!("stayed behind {what}")));
    notes.push(conversation);
    let made = home.change(&new.id, |record| record.to_open = record.dirs.len());
    made.doing(DOING)?;
    Ok(notes)
}

fn made_of(original: &Chat, at: Option<&ForkPoint>) -> String {
    let of = format!("{} ({})", original.record.handle, original.id());
    match at.map(|at| at.checkpoint) {
        None => format!("made of {of}"),
        Some(Some(number)) => format!("forked from {of} at checkpoint {number}"),
        Some(None) if original.projects.is_empty() => format!("forked from {of}"),
        Some(None) => {
            format!("forked from {of}: no checkpoint has its projects as they were, so they are as they are now")
        }
    }
}

fn clone(
    context: &WorkContext,
    (from, at): (&Chat, Option<&ForkPoint>),
    dir: &Directory,
    into: &ChatId,
) -> Result<Option<String>, Problem> {
    let services = &context.services;
    let name = visible(&dir.name);
    let doing = format!("duplicating {name}");
    let (original, branch) = match (clones::place(services, from.id(), dir), at.and_then(|at| at.checkpoint)) {
        (Ok(original), _) => {
            let branch = git::branch_of(&original).doing(&*doing)?;
            (Some(original), branch.map(|branch| branch.to_string()))
        }
        (Err(cause), None) => return Err(Problem::missing(&*doing, cause, "put the clone back")),
        // What the checkpoint has is made in a clone of the same origin.
        (Err(_), Some(number)) => match review::checked_out(context, (from.id(), number), &dir.name)? {
            Some(head) => (None, head.branch().map(str::to_owned)),
            None => {
                return Ok(Some(format!(
                    "{name} stayed behind: checkpoint {number} does not have it"
                )));
            }
        },
    };
    let origin = clones::origin(services, dir).doing(&*doing)?;
    let asked = OpenDir {
        branch,
        ..as_opened(dir)
    };
    let safe_name = SafeName::parse(&dir.name).doing(&*doing)?;
    let wanted = WantedClone {
        asked: &asked,
        origin: &origin,
        name: safe_name.clone(),
        carried: original,
    };
    open::clone(context, into, wanted, &doing)?;
    if let Some(number) = at.and_then(|at| at.checkpoint) {
        let was_there = review::bring(context, (from.id(), number), into, &safe_name)?;
        return Ok((!was_there).then(|| format!("{name} was opened later: it is as its last commit has it")));
    }
    let stayed = losses::uncommitted(services, from, dir);
    Ok(stayed.map(|what| format!("stayed behind in {name}: {what}")))
}

fn as_opened(dir: &Directory) -> OpenDir {
    OpenDir {
        path_or_url: dir.origin.clone(),
        mode: Some(dir.mode),
        label: dir.label.clone(),
        ..OpenDir::default()
    }
}

/// A link whose end is gone keeps no chat from being duplicated.
fn link(context: &WorkContext, dir: &Directory, into: &ChatId) -> Option<String> {
    let linked = open::open_again(context, into, &as_opened(dir));
    let name = visible(&dir.name);
    linked
        .err()
        .map(|problem| format!("{name} is not linked again: {}", problem.cause))
}

/// Has the duplicate take up the conversation as it is, and says what became of it.
fn take_up(services: &Services, original: &Chat, new: &NewRecord, env: &Env) -> Result<String, Problem> {
    let anew = |why: String| Ok(format!("it begins a new conversation: {why}"));
    let Some(adapter) = agents::find(&original.record.llm, &services.settings()) else {
        return Ok(format!("there is no agent called {} any more", original.record.llm));
    };
    let wanted = whole(original, new, env);
    let fork = copied_talk::copy(services, &wanted)?;
    match fork {
        Fork::Ready | Fork::Session(_) => {
            change(services, new, |record| goes_on(record, wanted.session(), fork))?;
            Ok("its conversation came along".into())
        }
        Fork::Empty => anew("nothing was said in the original".into()),
        Fork::Impossible => anew(format!("{} cannot fork one", adapter.title())),
    }
}

/// Gives a fork what was said until its moment: for people in its transcript, for its agent as a session of its own, or
/// in its `AGENTS.md`.
fn fork(
    context: &WorkContext,
    (original, at): (&Chat, &ForkPoint),
    new: &NewRecord,
    env: &Env,
) -> Result<String, Problem> {
    let services = &context.services;
    let (before, until) = match &at.talk {
        ForkTalk::Whole => (None, None),
        ForkTalk::Before { prompt, entry } => (Some(prompt), Some(*entry)),
        ForkTalk::Lost(why) => {
            change(services, new, |record| {
                record.origin.of = Some(came_from(original, at, 0))
            })?;
            return Ok(format!("it begins a new conversation: {why}"));
        }
    };
    let inherited = services.home.hand_down(original.id(), until, &new.id).doing(DOING)?;
    let is_empty = before.is_some_and(|first| first.nth == 0);
    let whole = whole(original, new, env);
    let wanted = TalkCopy { before, ..whole };
    let fork = match is_empty {
        true => Ok(Fork::Empty),
        false => copied_talk::copy(services, &wanted),
    };
    let words = match &fork {
        Ok(Fork::Ready | Fork::Session(_)) => "its conversation came along until then".to_owned(),
        Ok(Fork::Empty) => "it begins a new conversation: nothing was said until then".to_owned(),
        Ok(Fork::Impossible) => format!("its agent cannot take up a conversation: {RETOLD}"),
        Err(problem) => format!("{}: {RETOLD}", problem.cause),
    };
    change(services, new, |record| {
        record.origin.of = Some(came_from(original, at, inherited));
        match fork {
            Ok(fork @ (Fork::Ready | Fork::Session(_))) => goes_on(record, wanted.session(), fork),
            Ok(Fork::Empty) => {}
            Ok(Fork::Impossible) | Err(_) => record.origin.went_back.retold = true,
        }
    })?;
    Ok(words)
}

fn came_from(original: &Chat, at: &ForkPoint, inherited: u64) -> ForkOrigin {
    ForkOrigin {
        chat: original.id().clone(),
        checkpoint: at.checkpoint,
        inherited,
    }
}

fn change(services: &Services, new: &NewRecord, change: impl FnOnce(&mut Record)) -> Result<(), Problem> {
    let kept = services.home.change(&new.id, change);
    kept.map(|_| ()).map_err(|error| loading(&new.id, error))
}

fn goes_on(record: &mut Record, session: Option<&str>, fork: Fork) {
    record.origin.forked = session.map(str::to_owned);
    if let Fork::Session(own) = fork {
        record.sessions.push(own);
    }
}

fn whole<'a>(original: &'a Chat, new: &'a NewRecord, env: &'a Env) -> TalkCopy<'a> {
    TalkCopy {
        of: original,
        into: &new.id,
        before: None,
        env,
    }
}
