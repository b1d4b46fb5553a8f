//! Scripts of a chat's projects: what `project.toml` says, approved by a person, run below a supervisor.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::agents::{self, Env};
use crate::domain::Event;
use crate::domain::event::{Observed, Outcome, ScriptReport, Size};
use crate::domain::work::{Agreed, ReadDone, ScriptDone};
use crate::fs::SafeName;
use crate::git::{read, setup};
use crate::model::chat::Directory;
use crate::model::script::{Order, ProjectFile, Proposal, ScriptEnd, ScriptEnding, output_file, scripts};
use crate::model::text::{one_line, visible};
use crate::model::{Chat, ChatId, Kind, Problem, ResultExt, Script, ScriptKind, WorkId};
use crate::pty::{CommandEnd, CommandHalt, Course, Sound, run_watched};
use crate::sys::spawn::{SpawnLimits, Spec, Streams};

use super::super::inbound::{Inbound, Sender};
use super::super::services::Services;
use super::context::WorkContext;
use super::loading::loading;
use super::output::OutputFile;
use super::{auxiliary, confine, identity};
use crate::engine::author::Author;
use crate::engine::clock::now;

/// A `project.toml` is written by hand.
const LONGEST_FILE: u64 = 64 << 10;
/// Of a command, in what is said of it.
const SAID: usize = 200;
/// All archive scripts of a chat together: a person waits for the deletion.
const ARCHIVE: Duration = Duration::from_secs(60);

/// Stands where the output of a setup would that a person denied.
const DENIED: &str = "not run: a person denied it\n";

type ScriptAnswered = Result<Outcome, Problem>;
/// How one came to its end, and what it wrote last.
type ScriptRan = anyhow::Result<(ScriptEnding, Vec<String>)>;

/// What both files of a clone say, or what is wrong with one.
fn of_clone(services: &Services, id: &ChatId, dir: &Directory) -> Result<Vec<Script>, String> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    let keys = identity::of(services, dir);
    let setups = services
        .home
        .dir()
        .dir("project-setup")
        .map_err(|error| words(&error))?;
    let mut own = None;
    for key in &keys {
        if own.is_none() {
            own = setup::project_file(&setups, key, LONGEST_FILE).map_err(|error| words(&error))?;
        }
    }
    let projects = services.projects_dir(id).map_err(|error| words(&error))?;
    let clone = projects.dir(&dir.name).map_err(|error| words(&error))?;
    let theirs = match clone.read(".parlour/project.toml", LONGEST_FILE) {
        Err(error) if error.is_missing() => None,
        read => read.map_err(|error| words(&error))?,
    };
    let own = parse(own, "project.toml in project-setup")?;
    let theirs = parse(theirs, ".parlour/project.toml")?;
    let mut all = scripts(&own, &theirs);
    for script in all.iter_mut().filter(|script| !script.approved) {
        let is_approved = |key: &String| services.home.is_approved(key, script.kind, &script.definition());
        script.approved = keys.iter().any(is_approved);
    }
    Ok(all)
}

fn parse(bytes: Option<Vec<u8>>, name: &str) -> Result<ProjectFile, String> {
    let Some(bytes) = bytes else {
        return Ok(ProjectFile::default());
    };
    let text = String::from_utf8(bytes).map_err(|_| format!("{name} is no text"))?;
    ProjectFile::parse(&text).map_err(|broken| format!("{name}: {broken}"))
}

fn clones(chat: &Chat) -> impl Iterator<Item = &Directory> {
    chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Git)
}

/// The scripts of each clone of a chat.
pub fn list(services: &Services, id: &ChatId) -> Result<ReadDone, Problem> {
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let projects = clones(&chat).map(|dir| {
        let mut told = json!({"name": dir.name, "path": path(services, &chat, dir), "own": own_file(services, dir)});
        match of_clone(services, id, dir) {
            Ok(scripts) => told["scripts"] = scripts.iter().map(|script| listed(services, id, dir, script)).collect(),
            Err(why) => told["problem"] = visible(&why).into(),
        }
        told
    });
    let projects: Vec<Value> = projects.collect();
    Ok(ReadDone::Reported(json!({
        "chat": chat.record.handle,
        "dir": services.home.chat_path(id),
        "projects": projects,
    })))
}

/// A script in the list: it tells a person's no from a question that is still open.
fn listed(services: &Services, id: &ChatId, dir: &Directory, script: &Script) -> Value {
    let mut told = script.json();
    let kept = || {
        let record = services.home.record_dir(id).ok()?;
        record
            .read(output_file(script.kind, &dir.name), DENIED.len() as u64)
            .ok()?
    };
    let is_open = script.kind == ScriptKind::Setup && !script.approved;
    told["denied"] = (is_open && kept().is_some_and(|kept| kept == DENIED.as_bytes())).into();
    told
}

/// Where a person's own `project.toml` for this origin belongs. Its folder is found by the origin written in it, so it is
/// made here.
fn own_file(services: &Services, dir: &Directory) -> Option<String> {
    let name = SafeName::parse(&dir.name).ok()?;
    let setups = services.home.dir().dir("project-setup").ok()?;
    services.may_write().ok()?;
    let keys = identity::of(services, dir);
    let has_file = |key: &&String| matches!(setup::project_file(&setups, key, LONGEST_FILE), Ok(Some(_)));
    let key = keys.iter().find(has_file).or(keys.first())?;
    let folder = setup::folder(&setups, key, &name).ok()?;
    Some(folder.path().join("project.toml").to_string_lossy().into_owned())
}

fn path(services: &Services, chat: &Chat, dir: &Directory) -> std::path::PathBuf {
    let known = chat.projects.iter().find(|project| project.name == dir.name);
    let usual = || services.home.chat_path(chat.id()).join("projects").join(&dir.name);
    known.map_or_else(usual, |project| project.path.clone())
}

/// The clone that is meant; without a name, the first that has such a script, else the first.
fn choose<'c>(services: &Services, chat: &'c Chat, order: &Order) -> Result<&'c Directory, Problem> {
    let has = |dir: &&Directory| {
        of_clone(services, chat.id(), dir).is_ok_and(|all| all.iter().any(|script| script.kind == order.kind))
    };
    let found = match &order.project {
        Some(name) => clones(chat).find(|dir| dir.name == *name),
        None => clones(chat).find(has).or_else(|| clones(chat).next()),
    };
    found.ok_or_else(|| {
        let names: Vec<&str> = clones(chat).map(|dir| dir.name.as_str()).collect();
        if names.is_empty() {
            let handle = &chat.record.handle;
            let hint = format!("open one: `parlour open-dir {handle} PATH_OR_URL`, or press o on it in parlour");
            return Problem::missing(order.doing(), "this chat has no project", hint);
        }
        let hint = format!("its clones are: {}", names.join(", "));
        Problem::missing(order.doing(), "this chat has no such clone", hint)
    })
}

fn find(services: &Services, chat: &Chat, order: &Order) -> Result<(Directory, Option<Script>), Problem> {
    let dir = choose(services, chat, order)?;
    let all =
        of_clone(services, chat.id(), dir).map_err(|why| Problem::new(order.doing(), visible(&why), "correct it"))?;
    Ok((dir.clone(), all.into_iter().find(|script| script.kind == order.kind)))
}

/// A person approves a script as they have read it, and no other.
pub fn approve(services: &Services, id: &ChatId, order: &Order, definition: &str) -> Result<Outcome, Problem> {
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let (dir, script) = find(services, &chat, order)?;
    if script.as_ref().is_none_or(|script| script.definition() != definition) {
        let cause = "the repository does not say any more what you approved";
        return Err(Problem::new(order.doing(), cause, "look at it again"));
    }
    let kept = services
        .home
        .approve(&key(services, &dir), order.kind, definition, now());
    kept.doing(order.doing())?;
    tracing::info!("{id}: {} of {} was approved", order.kind.word(), dir.name);
    Ok(Outcome::Script(ScriptDone::Approved(Agreed {
        chat: chat.record.handle,
        project: dir.name,
        kind: order.kind,
    })))
}

/// What `open_dir` says of the setup of a new clone, and whether it is to be run, or asked for.
pub fn after_clone(services: &Services, chat: &Chat, name: &str) -> (Option<String>, bool) {
    let Some(dir) = clones(chat).find(|dir| dir.name == name) else {
        return (None, false);
    };
    let scripts = match of_clone(services, chat.id(), dir) {
        Ok(scripts) => scripts,
        Err(why) => return (Some(format!("no script of it is used: {}", visible(&why))), false),
    };
    let setup = scripts.iter().find(|script| script.kind == ScriptKind::Setup);
    match setup {
        None => (None, false),
        Some(setup) if setup.approved => {
            let command = one_line(&setup.command, SAID);
            (Some(format!("setup runs beside this: {command}")), true)
        }
        Some(_) => {
            let handle = &chat.record.handle;
            let verb = format!("parlour script approve {handle} setup {name}");
            let note = format!("setup of this repository waits for a person's approval: `{verb}`");
            tracing::info!("{}: setup of {} waits for approval", chat.id(), visible(name));
            // Tried, it turns out to be unapproved, and is asked as it then is.
            (Some(note), true)
        }
    }
}

/// Runs a script to its end; what is to be seen while it runs, in a terminal beside the agent's.
pub fn run(
    context: &WorkContext,
    number: WorkId,
    id: &ChatId,
    order: &Order,
    (env, size): (&Env, Size),
) -> ScriptAnswered {
    let services = &context.services;
    let chat = services.home.with_port(id).map_err(|error| loading(id, error))?;
    let (dir, script) = find(services, &chat, order)?;
    let ended = |how: ScriptEnding, last: Vec<String>| Ok(Outcome::Script(ScriptDone::Ended(ScriptEnd { how, last })));
    let Some(script) = script else {
        return ended(ScriptEnding::Absent, Vec::new());
    };
    if !script.approved {
        let proposal = proposal(services, &dir, &script);
        let shown = proposal.shown.clone();
        return ended(ScriptEnding::Unapproved(Box::new(proposal)), shown);
    }
    let mut started = |pid: u32| {
        let says = ScriptReport::Started {
            number,
            pid,
            project: dir.name.clone(),
        };
        let heard = Observed::Script(says);
        context.sender.send(Inbound::Event(Event::Observed(id.clone(), heard)));
    };
    let limit = Duration::from_secs(script.seconds);
    let ran = match order.kind {
        ScriptKind::Run => show(context, number, &chat, (&dir, &script), (env, size), &mut started),
        ScriptKind::Setup | ScriptKind::Archive => {
            carry_out(services, number, &chat, (&dir, &script), (env, limit), &mut started)
        }
    };
    let (how, last) = ran.doing(order.doing())?;
    ended(how, last)
}

/// The setups of a chat's clones that wait for a person's word: not approved, and nothing became of them yet.
fn waiting(services: &Services, chat: &Chat) -> Vec<Proposal> {
    let Ok(record) = services.home.record_dir(chat.id()) else {
        return Vec::new();
    };
    let waits = |dir: &Directory| {
        let came_of_it = record.metadata(output_file(ScriptKind::Setup, &dir.name));
        if !matches!(came_of_it, Ok(None)) {
            return None;
        }
        let all = of_clone(services, chat.id(), dir).ok()?;
        let setup = all.iter().find(|script| script.kind == ScriptKind::Setup)?;
        (!setup.approved).then(|| proposal(services, dir, setup))
    };
    clones(chat).filter_map(waits).collect()
}

/// What waited when the engine ended, or when the chat was deleted, is asked again.
pub fn ask_again(services: &Services, chat: &Chat, sender: &Sender) {
    for proposal in waiting(services, chat) {
        let waits = Observed::Script(ScriptReport::Waits(Box::new(proposal)));
        sender.send(Inbound::Event(Event::Observed(chat.id().clone(), waits)));
    }
}

/// A person's no stands where the output would, so it is not asked again.
pub fn deny_setup(services: &Services, id: &ChatId, project: &str) -> Result<Outcome, Problem> {
    let keep = || -> anyhow::Result<()> {
        let record = services.home.record_dir(id)?;
        record.create_dir("outputs")?;
        Ok(record.write_atomic(output_file(ScriptKind::Setup, project), DENIED)?)
    };
    keep().doing(format!("denying the setup of {}", visible(project)))?;
    tracing::info!("{id}: setup of {} was denied", visible(project));
    Ok(Outcome::Script(ScriptDone::Denied))
}

/// What approvals of a clone's scripts are kept by.
fn key(services: &Services, dir: &Directory) -> String {
    let keys = identity::of(services, dir);
    keys.into_iter().next().unwrap_or_else(|| dir.identity().to_owned())
}

fn proposal(services: &Services, dir: &Directory, script: &Script) -> Proposal {
    Proposal {
        key: key(services, dir),
        project: dir.name.clone(),
        origin: dir.origin.clone(),
        shown: script.spelled_out(),
        definition: script.definition(),
    }
}

/// Where its output is kept, empty.
fn output(services: &Services, chat: &Chat, name: &str, kind: ScriptKind) -> anyhow::Result<OutputFile> {
    let record = services.home.record_dir(chat.id())?;
    record.create_dir("outputs")?;
    let file = output_file(kind, name);
    record.write_unsynced(&file, "")?;
    Ok(OutputFile::new(record.update(&file)?))
}

/// In a terminal of its own, its output in the chat's record as well.
fn show(
    context: &WorkContext,
    number: WorkId,
    chat: &Chat,
    (dir, script): (&Directory, &Script),
    (env, size): (&Env, Size),
    started: &mut dyn FnMut(u32),
) -> ScriptRan {
    let output = Arc::new(Mutex::new(output(&context.services, chat, &dir.name, script.kind)?));
    let written = output.clone();
    let tap = move |bytes: &[u8]| written.lock().take(bytes);
    let mut spec = spec(&context.services, chat, dir, script, env);
    auxiliary::for_a_terminal(&mut spec.env);
    let beside = auxiliary::Beside {
        number,
        spec,
        size,
        tap: Some(Box::new(tap)),
    };
    let how = auxiliary::run(context, beside, started)?;
    let last = output.lock().last_lines();
    Ok((how, last))
}

/// Below a supervisor, in a terminal that nobody sees, its output in the chat's record.
fn carry_out(
    services: &Services,
    number: WorkId,
    chat: &Chat,
    (dir, script): (&Directory, &Script),
    (env, limit): (&Env, Duration),
    started: &mut dyn FnMut(u32),
) -> ScriptRan {
    let mut output = output(services, chat, &dir.name, script.kind)?;
    let spec = spec(services, chat, dir, script, env);
    let halt = CommandHalt::new()?;
    let halting = halt.clone();
    services.scripts.begin(number, Box::new(move || halting.stop()));
    let mut hear = |sound: Sound| match sound {
        Sound::Started(pid) => {
            services.scripts.started(number, pid);
            started(pid);
        }
        Sound::Wrote(bytes) => output.take(bytes),
    };
    let course = Course {
        limit,
        halt: &halt,
        hear: &mut hear,
    };
    let ran = run_watched(&services.parlour, &spec, course);
    services.scripts.end(number);
    let how = match ran?.end {
        CommandEnd::Exited(code) => ScriptEnding::Exited(code),
        CommandEnd::Killed(signal) => ScriptEnding::Killed(signal),
        CommandEnd::Late => ScriptEnding::Late(limit.as_secs()),
        CommandEnd::Stopped => ScriptEnding::Stopped,
        CommandEnd::NotStarted(why) => ScriptEnding::NotStarted(why),
    };
    Ok((how, output.last_lines()))
}

fn spec(services: &Services, chat: &Chat, dir: &Directory, script: &Script, env: &Env) -> Spec {
    let cwd = path(services, chat, dir);
    // What is archived is often elsewhere, and a person waits for it.
    let confined = match script.kind {
        ScriptKind::Setup | ScriptKind::Run => confine::of_script(services, chat, env),
        ScriptKind::Archive => None,
    };
    let mut env = agents::scrubbed(env);
    env.extend(script.env.clone());
    env.extend(variables(services, chat, dir, &cwd));
    if let Some(confined) = &confined {
        confined.tell(&mut env);
    }
    Spec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.command.clone().into()],
        env: env
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .collect(),
        cwd: cwd.into(),
        writable: confined.map(|confined| confined.writable),
        streams: Streams::Terminal,
        limits: SpawnLimits::default(),
    }
}

/// What every script is told.
fn variables(services: &Services, chat: &Chat, dir: &Directory, cwd: &Path) -> BTreeMap<String, String> {
    let from = dir.source().unwrap_or(Path::new(&dir.origin));
    let clone = services.home.chat_path(chat.id()).join("projects").join(&dir.name);
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut all = BTreeMap::from(
        [
            ("PARLOUR_CHAT", chat.id().to_string()),
            ("PARLOUR_CHAT_NAME", chat.record.name.clone()),
            ("PARLOUR_HOME", text(services.home.path())),
            ("PARLOUR_PROJECT_PATH", text(cwd)),
            ("PARLOUR_ROOT_PATH", text(from)),
            (
                "PARLOUR_DEFAULT_BRANCH",
                read::default_branch(&clone).unwrap_or_default(),
            ),
            ("PWD", text(cwd)),
            ("TERM", "dumb".to_string()),
        ]
        .map(|(name, value)| (name.to_string(), value)),
    );
    if let Some(port) = chat.record.port {
        all.insert("PARLOUR_PORT".into(), port.to_string());
    }
    all
}

/// Ends what runs of a chat, then runs its archive scripts. What went wrong is said and holds up nothing.
pub fn archive(context: &WorkContext, id: &ChatId) -> Vec<String> {
    let services = &context.services;
    services.scripts.end_of(id);
    let Ok(chat) = services.home.with_port(id) else {
        return Vec::new();
    };
    let until = Instant::now() + ARCHIVE;
    let env: Env = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let mut notes = Vec::new();
    for dir in clones(&chat) {
        let found = of_clone(services, id, dir).unwrap_or_default().into_iter();
        let Some(script) = found.clone().find(|script| script.kind == ScriptKind::Archive) else {
            continue;
        };
        let left = until.saturating_duration_since(Instant::now());
        let how = match script.approved {
            false => ScriptEnding::Unapproved(Box::new(proposal(services, dir, &script))),
            true => {
                // Beyond all numbers of work: a chat is deleted once.
                let number = WorkId(u64::MAX - u64::from(chat.record.port.unwrap_or_default()));
                services.scripts.expect(number, id, Author::Chat(id.clone()));
                let ran = carry_out(services, number, &chat, (dir, &script), (&env, left), &mut |_| {});
                ran.map_or_else(|error| ScriptEnding::NotStarted(format!("{error:#}")), |(how, _)| how)
            }
        };
        let trouble = match how {
            ScriptEnding::Unapproved(_) => Some("was not run: nobody approved it".into()),
            how => how.trouble(),
        };
        if let Some(trouble) = trouble {
            notes.push(format!("archive of {} {trouble}", visible(&dir.name)));
        }
    }
    for note in &notes {
        tracing::warn!("{id}: {note}");
    }
    notes
}
