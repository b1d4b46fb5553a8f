//! Schedules on disk, and the check of a run.

use std::path::{Component, Path};
use std::time::Duration;

use crate::agents::{self, Env};
use crate::domain::event::Outcome;
use crate::domain::work::ScheduleDone;
use crate::git::{CloneSource, LocalTarget};
use crate::model::open_dir::{self, OpenDir};
use crate::model::path::normal;
use crate::model::schedule::{Change, Checked};
use crate::model::text::one_line;
use crate::model::{Chat, ChatId, PermissionProfile, Problem, ResultExt, Schedule, ScheduleId, WorkId};
use crate::permission::{Case, Ruling};
use crate::pty::{CommandEnd, CommandHalt, CommandRun, Course, Sound, run_watched};
use crate::sys::spawn::{SpawnLimits, Spec, Streams};

use super::super::services::Services;
use super::loading::loading;
use super::{completions, confine, identity, judged};

/// Of a check's last line.
const LAST_WORDS: usize = 200;

/// One whose project is misspelt is refused now, not at its first run in the night.
pub fn make(services: &Services, mut schedule: Schedule) -> Result<Outcome, Problem> {
    if let Some(project) = &mut schedule.terms.project {
        let found = completions::check(services, project)?;
        // Of the runs nobody says what the project is: whoever makes the schedule does.
        if let (LocalTarget::Repository(origin), None) = (found, &schedule.chat)
            && !open_dir::is_bare(&project.path_or_url)
        {
            identity::note(services, &origin);
        }
        spell_out(project);
    }
    services
        .home
        .make_schedule(&schedule)
        .doing_or("keeping a schedule", "is there room on the disk?")?;
    tracing::info!("schedule {}: made", schedule.id);
    Ok(Outcome::Schedule(ScheduleDone::Kept(Box::new(schedule))))
}

pub fn change(services: &Services, id: &ScheduleId, mut change: Change) -> Result<Outcome, Problem> {
    if let Change::Edit(terms, _) = &mut change
        && let Some(project) = &mut terms.project
        && services.home.project_of(id).as_ref() != Some(project)
    {
        let checked = completions::check(services, project);
        checked.map_err(|problem| problem.while_doing("changing a schedule"))?;
        spell_out(project);
    }
    let changed = services.home.change_schedule(id, change);
    let schedule = changed.doing_or(format!("changing schedule {id}"), "`parlour schedule list` shows it")?;
    Ok(Outcome::Schedule(ScheduleDone::Kept(Box::new(schedule))))
}

/// A path that was typed as seen from some directory is kept whole: nobody who reads it later knows that directory.
fn spell_out(project: &mut OpenDir) {
    let cwd = project.cwd.as_deref().unwrap_or(Path::new("/"));
    if open_dir::is_bare(&project.path_or_url) {
        return;
    }
    if let Ok(CloneSource::Local(path)) = CloneSource::parse(&project.path_or_url, cwd) {
        // What `..` leads to only the disk knows.
        let leads_up = path.components().any(|part| part == Component::ParentDir);
        let whole = match leads_up {
            true => path.canonicalize().unwrap_or(path),
            false => normal(&path),
        };
        project.path_or_url = whole.to_string_lossy().into_owned();
    }
}

pub fn cancel(services: &Services, id: &ScheduleId) -> Result<Outcome, Problem> {
    let doing = format!("cancelling schedule {id}");
    services.home.remove_schedule(id).doing(&*doing)?;
    tracing::info!("schedule {id}: cancelled");
    Ok(Outcome::Schedule(ScheduleDone::Gone(id.clone())))
}

/// The check of a run.
pub struct RunCheck {
    pub command: String,
    /// By which it is judged, where it is an agent's.
    pub judged: Option<Case>,
    pub limit: Duration,
}

/// What the agent declared at last, and how the check went. Nothing is checked of what is not done.
pub fn check(
    services: &Services,
    number: WorkId,
    id: &ChatId,
    check: Option<RunCheck>,
    env: &Env,
) -> Result<Outcome, Problem> {
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let blocked = chat
        .declared
        .as_ref()
        .is_some_and(|declared| declared.status == "blocked");
    let checked = match check.filter(|_| !blocked) {
        Some(check) => run(services, number, &chat, check, env),
        None => Checked::Not,
    };
    Ok(Outcome::Schedule(ScheduleDone::Checked(Box::new(chat), checked)))
}

/// In the first clone, or in the chat's own directory where it has none. An agent's is judged as it would be there, and
/// writes where the agent may.
fn run(services: &Services, number: WorkId, chat: &Chat, check: RunCheck, env: &Env) -> Checked {
    let own = services.home.chat_path(chat.id());
    let cwd = chat.projects.first().map_or(own, |project| project.path.clone());
    let mut confined = None;
    if let Some(case) = check.judged {
        confined = confine::of_script(services, chat, env);
        if !is_allowed(case, &cwd, confined.is_some()) {
            return Checked::NotAllowed(check.command);
        }
    }
    let mut env = agents::scrubbed(env);
    if let Some(confined) = &confined {
        confined.tell(&mut env);
    }
    // What it runs is what the agent left there, and no person's word.
    env.insert("PARLOUR_CHAT".into(), chat.id().to_string());
    env.insert(
        "PARLOUR_HOME".into(),
        services.home.path().to_string_lossy().into_owned(),
    );
    env.insert("TERM".into(), "dumb".into());
    env.insert("PWD".into(), cwd.to_string_lossy().into_owned());
    let spec = Spec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), check.command.into()],
        env: env
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        cwd: cwd.into(),
        streams: Streams::Terminal,
        limits: SpawnLimits::default(),
        writable: confined.map(|confined| confined.writable),
    };
    let halt = match CommandHalt::new() {
        Ok(halt) => halt,
        Err(error) => return Checked::Failed(format!("its check could not be run: {error}")),
    };
    let halting = halt.clone();
    services.scripts.begin(number, Box::new(move || halting.stop()));
    let mut hear = |sound: Sound| match sound {
        Sound::Started(pid) => services.scripts.started(number, pid),
        Sound::Wrote(_) => {}
    };
    let course = Course {
        limit: check.limit,
        halt: &halt,
        hear: &mut hear,
    };
    match run_watched(&services.parlour, &spec, course) {
        Ok(ran) => read(&ran),
        Err(error) => Checked::Failed(format!("its check could not be run: {error}")),
    }
}

/// What else a person lets the agent do unasked, because the kernel keeps it in, holds here where that does.
fn is_allowed(mut case: Case, cwd: &Path, held_in: bool) -> bool {
    if !held_in {
        case.profile = case.profile.min(PermissionProfile::Clones);
    }
    for call in &mut case.calls {
        call.at = Some(cwd.to_path_buf());
    }
    let rulings = judged::judge(&case);
    !rulings.is_empty() && rulings.iter().all(|ruling| matches!(ruling, Ruling::Allow { .. }))
}

fn read(ran: &CommandRun) -> Checked {
    let last = ran.said.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let last = last
        .map(|line| format!(": {}", one_line(line, LAST_WORDS)))
        .unwrap_or_default();
    match &ran.end {
        CommandEnd::Exited(0) => Checked::Passed,
        CommandEnd::Exited(code) => Checked::Failed(format!("its check exited with {code}{last}")),
        CommandEnd::Killed(signal) => Checked::Failed(format!("its check was killed by signal {signal}{last}")),
        CommandEnd::NotStarted(why) => Checked::Failed(format!("its check could not be run: {why}")),
        CommandEnd::Late => Checked::TimedOut,
        CommandEnd::Stopped => Checked::Failed("its check was stopped".into()),
    }
}
