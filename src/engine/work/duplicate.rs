//! A chat made of another one: its clones cloned, its links linked again, its conversation forked.

use crate::agents::{self, Env, Fork, Parent};
use crate::domain::work::ChatDone;
use crate::domain::work::NewRecord;
use crate::fs::SafeName;
use crate::git::{self};
use crate::model::chat::Directory;
use crate::model::open_dir::OpenDir;
use crate::model::text::visible;
use crate::model::{Chat, ChatId, DirectoryPlace, Kind, Problem, ResultExt};

use super::super::services::Services;
use super::context::WorkContext;
use super::loading::loading;
use super::open::WantedClone;
use super::{chats, clones, losses, open};

/// All of it or nothing: a duplicate that lacks a project would be taken for whole.
pub fn duplicate(context: &WorkContext, from: &ChatId, new: &NewRecord, env: &Env) -> Result<ChatDone, Problem> {
    let services = &context.services;
    let original = services.home.load(from).map_err(|error| loading(from, error))?;
    if original.place == DirectoryPlace::Gone {
        let doing = format!("duplicating {}", original.record.handle);
        let hint = "make it anew from the chat's menu first";
        return Err(Problem::missing(doing, "the chat's directory is gone", hint));
    }
    chats::make(services, new)?;
    match fill(context, &original, new, env) {
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
fn fill(context: &WorkContext, original: &Chat, new: &NewRecord, env: &Env) -> Result<Vec<String>, Problem> {
    // First, since the original goes on while its projects are cloned.
    let conversation = fork(&context.services, original, new, env)?;
    let mut notes = vec![format!("made of {} ({})", original.record.handle, original.id())];
    for project in &original.projects {
        let recorded = original.record.dirs.iter().find(|dir| dir.name == project.name);
        let name = visible(&project.name);
        match recorded {
            Some(dir) if dir.kind == Kind::Git => notes.extend(clone(context, original, dir, &new.id)?),
            Some(dir) => notes.extend(link(context, dir, &new.id)),
            None => notes.push(format!("{name} stayed behind: it was not opened by parlour")),
        }
    }
    notes.extend(losses::own_notes(&context.services, original).map(|what| format!("stayed behind {what}")));
    notes.push(conversation);
    Ok(notes)
}

fn clone(context: &WorkContext, from: &Chat, dir: &Directory, into: &ChatId) -> Result<Option<String>, Problem> {
    let services = &context.services;
    let name = visible(&dir.name);
    let doing = format!("duplicating {name}");
    let original = clones::place(services, from.id(), dir)
        .map_err(|cause| Problem::missing(&*doing, cause, "put the clone back"))?;
    let origin = clones::origin(services, dir).doing(&*doing)?;
    let branch = git::branch_of(&original).doing(&*doing)?;
    let asked = OpenDir {
        branch: branch.map(|branch| branch.to_string()),
        ..as_opened(dir)
    };
    let wanted = WantedClone {
        asked: &asked,
        origin: &origin,
        name: SafeName::parse(&dir.name).doing(&*doing)?,
        carried: Some(original),
    };
    open::clone(context, into, wanted, &doing)?;
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

fn fork(services: &Services, original: &Chat, new: &NewRecord, env: &Env) -> Result<String, Problem> {
    let settings = services.settings();
    let llm = &original.record.llm;
    let Some(adapter) = agents::find(llm, &settings) else {
        return Ok(format!("there is no agent called {llm} any more"));
    };
    let anew = |why: String| Ok(format!("its conversation begins anew: {why}"));
    // A duplicate that has not begun yet is forked of the same one.
    let session = original.session().or(original.record.origin.forked.as_deref());
    let parent = Parent {
        session: session.unwrap_or_default(),
        record: &services.home.record_path(original.id()),
        into: &services.home.record_path(&new.id),
        dir: &services.home.chat_path(&new.id),
        before: None,
        env,
    };
    match adapter.fork(&parent)? {
        fork @ (Fork::Ready | Fork::Session(_)) => {
            let keep = |record: &mut crate::model::Record| {
                record.origin.forked = session.map(str::to_string);
                if let Fork::Session(own) = fork {
                    record.sessions.push(own);
                }
            };
            let kept = services.home.change(&new.id, keep);
            kept.map_err(|error| loading(&new.id, error))?;
            Ok("its conversation came along".into())
        }
        Fork::Empty => anew("nothing was said in the original".into()),
        Fork::Impossible => anew(format!("{} cannot fork one", adapter.title())),
    }
}
