//! `open_dir`: a repository cloned into a chat, or a directory linked (`link.rs`).

use std::path::{Path, PathBuf};

use crate::domain::Event;
use crate::domain::event::{Observed, ScriptReport};
use crate::domain::work::ProjectDone;
use crate::fs::{Dir, SafeName};
use crate::git::{self, BranchName, CloneSource, LocalTarget, OpenJob, Origin, setup};
use crate::model::chat::Directory;
use crate::model::open_dir::{self, OpenDir};
use crate::model::text::visible;
use crate::model::tool::OpenDirAnswer;
use crate::model::{AreaMode, ChatId, Kind, Problem, ResultExt};

use super::super::inbound::Inbound;
use super::super::services::Services;
use super::context::WorkContext;
use super::{guard, identity, link, names, opened, reopened, scripts};

/// Opens what was asked for. A clone appears only when all that belongs to it is in it.
pub fn open(
    context: &WorkContext,
    id: &ChatId,
    asked: &OpenDir,
    parent: Option<&ChatId>,
) -> Result<ProjectDone, Problem> {
    let is_said = identity::is_a_persons_word(&context.services, id, asked);
    open_as(context, id, asked, parent, is_said)
}

/// Opens what is open elsewhere: nobody says of it what it is.
pub fn open_again(context: &WorkContext, id: &ChatId, asked: &OpenDir) -> Result<ProjectDone, Problem> {
    open_as(context, id, asked, None, false)
}

fn open_as(
    context: &WorkContext,
    id: &ChatId,
    asked: &OpenDir,
    parent: Option<&ChatId>,
    is_said: bool,
) -> Result<ProjectDone, Problem> {
    let shown = git::shown(&asked.path_or_url);
    let doing = || format!("opening {shown}");
    let problem = |error: git::Error| Problem {
        cause: error.said_of(&shown),
        ..Problem::of(doing(), &error)
    };
    if let Some(label) = asked.label.as_deref().filter(|label| !is_label(label)) {
        let cause = format!("`{}` is no label", visible(label));
        return Err(Problem::new(
            doing(),
            cause,
            "a label is of a-z, 0-9 and -, and begins with no -",
        ));
    }
    if asked.path_or_url.trim_start().starts_with("file:") {
        let cause = "only https, ssh and local paths are opened";
        return Err(Problem::new(doing(), cause, "give the path, without file://"));
    }
    let services = &context.services;
    let chat_dir = services.home.chat_path(id);
    let named = names::resolve(services, id, parent, &asked.path_or_url).map_err(|unclear| {
        let (cause, kind) = (unclear.cause.clone(), unclear.kind);
        let hint = unclear.hint(asked);
        Problem::new(doing(), cause, hint.unwrap_or_else(|| "give a path or a URL".into())).of_kind(kind)
    })?;
    let cwd = asked.cwd.clone().unwrap_or_else(|| chat_dir.clone());
    let source = CloneSource::parse(&named, &cwd).map_err(problem)?;
    let guard = guard::guard(services, guard::allowed(services, id, parent));
    let target = git::look(&source, &guard, &services.git).map_err(problem)?;
    if let (LocalTarget::Repository(origin), true) = (&target, is_said) {
        identity::note(services, origin);
    }
    match target {
        LocalTarget::Repository(origin) if asked.in_place => {
            let Some(path) = origin.checkout() else {
                let hint = "give the path of a checkout, or open it without --in-place";
                return Err(Problem::new(
                    doing(),
                    "only what lies on this machine is opened in place",
                    hint,
                ));
            };
            link::link(services, id, asked, &path, &doing())
        }
        LocalTarget::Repository(origin) => {
            if let Some(there) = reopened::same(services, id, asked, &origin) {
                return Ok(there);
            }
            let wanted = WantedClone {
                asked,
                origin: &origin,
                name: origin.name.clone(),
                carried: None,
            };
            clone(context, id, wanted, &doing())
        }
        LocalTarget::Directory(path) => link::link(services, id, asked, &path, &doing()),
    }
}

fn is_label(text: &str) -> bool {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (1..=40).contains(&text.len()) && !text.starts_with('-') && text.bytes().all(fits)
}

/// A clone to be.
pub(super) struct WantedClone<'a> {
    pub asked: &'a OpenDir,
    pub origin: &'a Origin,
    pub name: SafeName,
    /// The clone of another chat whose branches come along.
    pub carried: Option<PathBuf>,
}

pub(super) fn clone(
    context: &WorkContext,
    id: &ChatId,
    wanted: WantedClone,
    doing: &str,
) -> Result<ProjectDone, Problem> {
    let WantedClone { asked, origin, .. } = wanted;
    let services = &context.services;
    let settings = services.settings();
    let projects = services.projects_dir(id).doing(doing)?;
    let staging = services.home.dir().dir("staging").doing(doing)?;
    let named = asked.branch.as_deref().map(BranchName::parse).transpose();
    let own = asked.branch_after.as_deref().map(BranchName::after);
    let branch = named.doing(doing)?.or(own);
    let job = OpenJob {
        program: &services.git,
        caches: &services.caches,
        staging: &staging,
        projects: &projects,
        origin,
        branch,
        base: asked.base.clone(),
        carried: wanted.carried,
        kin: identity::kin(services, origin),
        name: wanted.name,
        copy_limit: settings.clone.copy_limit,
        limits: git::GitLimits {
            time: std::time::Duration::from_secs(settings.limits.clone_seconds),
            ..git::GitLimits::default()
        },
    };
    let progress = |step: git::GitProgress| {
        if let Some(progress) = &context.progress {
            let total = step.percent.map(|_| 100);
            progress.report(u64::from(step.percent.unwrap_or(0)), total, stage(step.stage));
        }
    };
    let others = reopened::beside(services, id, origin);
    let mut notes = Vec::new();
    let opened = git::open(&job, &progress, &context.cancel, |staged| {
        notes = apply_setup(services, origin, staged)?;
        Ok::<(), git::Error>(())
    })
    .doing(doing)?;
    notes.extend(remarkable(asked, origin, (&opened, job.carried.is_some())));
    notes.extend(others);
    notes.extend(git::incomplete(&opened.path));
    let mode = asked.mode.unwrap_or(AreaMode::Rw);
    match mode {
        AreaMode::Rw => {}
        // Only now: a directory that forbids writing cannot be moved. Git's own folder stays as it is, to be read with.
        AreaMode::Ro => {
            if let Err(error) = projects.forbid_writing(&opened.name, ".git") {
                notes.push(format!("its files keep the right to be written to: {error}"));
            }
        }
    }
    let directory = Directory {
        name: opened.name.clone(),
        label: asked.label.clone(),
        mode,
        kind: Kind::Git,
        origin: origin.url.clone(),
        key: Some(origin.key.clone()),
        subdir: origin.subdir.clone(),
        asks: false,
    };
    let path = match &origin.subdir {
        Some(subdir) => opened.path.join(subdir),
        None => opened.path,
    };
    let is_shell = services.home.shown(id).is_some_and(|chat| chat.record.llm == "shell");
    if origin.subdir.is_some() && !is_shell {
        notes.push(
            "its agent starts in the chat's directory, where its CLI has its settings; AGENTS.md sends it here".into(),
        );
    }
    let answer = OpenDirAnswer {
        name: opened.name,
        path,
        branch: Some(opened.branch.as_str().to_string()),
        created: opened.created,
        notes,
    };
    let name = answer.name.clone();
    let recorded = opened::record(services, id, directory, answer);
    let mut finished = recorded.inspect_err(|_| take_back(services, id, (&projects, &staging), &name))?;
    if let ProjectDone::Opened(chat, answer) = &mut finished {
        let (note, runs) = scripts::after_clone(services, chat, &name);
        answer.notes.extend(note);
        if runs {
            let wanted = Observed::Script(ScriptReport::Wanted { project: name });
            context.sender.send(Inbound::Event(Event::Observed(id.clone(), wanted)));
        }
    }
    Ok(finished)
}

/// What is remarkable of what was cloned: with another clone's branches it is taken from that one.
fn remarkable(asked: &OpenDir, origin: &Origin, (opened, is_carried): (&git::OpenedClone, bool)) -> Vec<String> {
    let mut notes = Vec::new();
    if asked.branch.is_none() && asked.branch_after.is_some() && !opened.created {
        notes.push(format!("the branch {} was there already", opened.branch));
    }
    if !is_carried {
        notes.extend(whence(origin, opened, open_dir::is_bare(&asked.path_or_url)));
    }
    if asked.branch.is_none() && asked.branch_after.is_none() && asked.base.is_none() && !is_carried {
        notes.extend(on_no_branch(origin, opened.branch.as_str()));
    }
    if let Some(why) = &opened.offline {
        notes.push(format!(
            "its origin could not be asked, so this is what was fetched last: {why}"
        ));
    }
    if opened.renewed {
        notes.push("parlour's own copy of the repository was damaged, and was fetched anew".into());
    }
    if opened.borrowed {
        notes.push("its objects are read from parlour's cache in place: it is too large to copy".into());
    }
    notes
}

/// No clone stays that its chat's record does not name.
fn take_back(services: &Services, id: &ChatId, (projects, staging): (&Dir, &Dir), name: &str) {
    if opened::is_unrecorded(services, id, name)
        && let Err(error) = git::take_back(projects, staging, name)
    {
        tracing::warn!("{id}: the clone projects/{name} is in no record, and stays: {error}");
    }
}

/// Where it is taken from, where that is not what `origin` says or was not said by whoever asked.
fn whence(origin: &Origin, opened: &git::OpenedClone, by_name: bool) -> Option<String> {
    let checkout = visible(&origin.checkout()?.to_string_lossy());
    let url = visible(&origin.url);
    match opened.unpushed.as_slice() {
        [] => by_name.then(|| format!("taken from the checkout {checkout}")),
        branches => Some(format!(
            "taken from the checkout {checkout}, with commits on {} that {url} is not known to have",
            visible(&branches.join(", "))
        )),
    }
}

/// What is checked out in the source, where the clone cannot stand on the same: it is on no branch, as within a rebase.
fn on_no_branch(origin: &Origin, branch: &str) -> Option<String> {
    let checkout = origin.checkout()?;
    let commit = git::read::detached(&checkout)?;
    let (checkout, branch) = (visible(&checkout.to_string_lossy()), visible(branch));
    Some(format!(
        "{checkout} is on no branch (at {commit}); the clone is on {branch}"
    ))
}

/// Files kept for this origin go into the clone before anybody sees it.
fn apply_setup(services: &Services, origin: &Origin, staged: &Path) -> Result<Vec<String>, git::Error> {
    let setups = services.home.dir().dir("project-setup")?;
    let clone = Dir::open(staged)?;
    let mut all = setup::Applied::default();
    for key in identity::keys(services, &origin.key, &origin.url) {
        let applied = setup::apply(&setups, &key, &clone)?;
        // What was kept by the first key is newer than what the next ones have of that name.
        let is_missed = |(file, _): &(String, &str)| !all.files.contains(file);
        let skipped: Vec<_> = applied.skipped.into_iter().filter(is_missed).collect();
        all.skipped.extend(skipped);
        all.files.extend(applied.files);
    }
    let skipped = all
        .skipped
        .iter()
        .map(|(file, why)| format!("setup file {file} was not copied: {why}"));
    Ok(skipped.collect())
}

pub(super) fn stage(stage: git::GitStage) -> &'static str {
    match stage {
        git::GitStage::Waiting => "waiting for another fetch of the same repository",
        git::GitStage::Fetching => "fetching",
        git::GitStage::Copying => "copying objects",
        git::GitStage::CheckingOut => "checking out",
        git::GitStage::Pushing => "pushing",
        git::GitStage::Asking => "asking the forge",
    }
}
