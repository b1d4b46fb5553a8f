//! Agents started, found on this machine, and trusted.

use std::ffi::OsString;

use uuid::Uuid;

use crate::agents::{self, Adapter, AgentAbsence, Env, EventStream, LaunchContext, SessionIds, Trust};
use crate::domain::event::Size;
use crate::domain::work::{AgentDone, StartedAgent};
use crate::mcp::Carried;
use crate::model::chat::Pending;
use crate::model::setting::SettingEdit;
use crate::model::{Chat, ChatId, DirectoryPlace, Installed, Launch, Problem, ResultExt, Sandbox};
use crate::store::ReadOffset;
use crate::sys::spawn::{SpawnLimits, Spec, Streams, Writable};

use super::super::inbound::Inbound;
use super::super::services::Services;
use super::agent_tokens::AgentTokens;
use super::chats::skills;
use super::context::WorkContext;
use super::loading::loading;
use super::terminal::spawn;
use super::{confine, review, servers};

/// Writes what the agent reads, gives it tokens, and starts it in a terminal of its own.
pub fn start(context: &WorkContext, id: &ChatId, env: &Env, size: Size) -> Result<AgentDone, Problem> {
    let services = &context.services;
    review::settle(context, id)?;
    let chat = services.home.with_port(id).map_err(|error| loading(id, error))?;
    let (settings, changed) = servers::settings_for(services, &chat);
    if chat.place == DirectoryPlace::Gone {
        let hint = "press R on it in parlour to make the directory again, or x to delete the chat";
        return Err(Problem::missing(
            format!("starting {}", chat.record.handle),
            "the chat's directory is gone",
            hint,
        ));
    }
    let adapter = agents::find(&chat.record.llm, &settings).ok_or_else(|| {
        let cause = format!("there is no agent called {} any more", chat.record.llm);
        Problem::new("starting an agent", cause, "add it to customLlms in config.json again")
    })?;
    let chat = with_session(services, chat, adapter.as_ref())?;
    keep_trust(services, adapter.as_ref(), env);
    let carried = match adapter.token_in_url() {
        true => Carried::InUrl,
        false => Carried::InHeader,
    };
    services.equip(id, adapter.as_ref());
    services.offer_tools(&chat);
    let tokens = AgentTokens::issue(services, id, carried)?;
    let sandbox = confine::asked(&settings);
    let mut offered = services.tools(&settings, Some(adapter.as_ref()));
    offered.retain(|tool| chat.record.needs_tool(tool));
    let launch_context = LaunchContext {
        chat: &chat.record,
        role: chat.role.as_ref(),
        dir: &services.home.chat_path(id),
        record: &services.home.record_path(id),
        home: services.home.path(),
        parlour: &services.parlour,
        session: chat.session().unwrap_or_default(),
        mcp_url: &format!("{}?caller={id}", services.mcp_url),
        token: tokens.tools.reveal(),
        hook_token: tokens.hooks.reveal(),
        env,
        settings: &settings,
        tools: &offered,
        sandboxed: sandbox == Sandbox::InForce,
    };
    freshen(services, &chat);
    let mut prepared = adapter.prepare(&launch_context)?;
    prepared.problems.extend(changed);
    if let Sandbox::Missing { why } = &sandbox {
        let doing = "keeping the agent in a sandbox";
        let hint = "it runs without one, as if `sandbox` in config.json were off";
        prepared.problems.push(Problem::new(doing, why, hint));
    }
    let (confined, doubts) = confine::of_agent(&sandbox, services, &chat, adapter.as_ref(), env);
    if let Some(confined) = &confined {
        confined.tell(&mut prepared.launch.env);
    }
    prepared.problems.extend(doubts);
    let first = chat.record.first_prompt().filter(|_| adapter.takes_first_prompt());
    let taken = first.map(Pending::id);
    for problem in &prepared.problems {
        tracing::warn!("{}: {problem}", chat.record.handle);
    }
    let stream = adapter.event_stream(&launch_context, &prepared.launch);
    if let Some(prompt) = &taken {
        begins(services, id, prompt)?;
    }
    spawn(
        context,
        id,
        Some((
            spec(prepared.launch, confined.map(|confined| confined.writable)),
            tokens,
        )),
        size,
    )?;
    if let Some(stream) = stream {
        follow(context, &chat, stream);
    }
    Ok(AgentDone::Started(Box::new(StartedAgent {
        chat,
        capabilities: adapter.capabilities(),
        problems: prepared.problems,
        prompt: taken,
        resumes: adapter.resumes(),
        sandbox,
    })))
}

/// The first prompt goes along with the start: an engine that is killed behind it must not send it again unseen.
fn begins(services: &Services, id: &ChatId, taken: &str) -> Result<(), Problem> {
    let marked = services.home.change(id, |record| {
        let prompts = record.prompts.iter_mut();
        prompts
            .filter(|prompt| prompt.id() == taken)
            .for_each(|prompt| prompt.begun = true);
    });
    marked.map(drop).map_err(|error| loading(id, error))
}

/// What parlour tells the agent may be older than its tools, skills and projects are by now.
fn freshen(services: &Services, chat: &Chat) {
    let id = chat.id();
    let written = services
        .home
        .write_agents_md(id, &services.surroundings(&chat.record.llm));
    let laid = services.home.lay_skills(id, &skills(services));
    for error in [written.err(), laid.err()].into_iter().flatten() {
        tracing::warn!("{}: {error}", chat.record.handle);
    }
}

/// Has the agent's own server listened to, from where its session was left.
fn follow(context: &WorkContext, chat: &Chat, stream: EventStream) {
    let session = chat.session().unwrap_or_default();
    context.journals.catch_up();
    let read_offset = context
        .services
        .home
        .read_offset(chat.id(), session)
        .unwrap_or_else(|error| {
            tracing::warn!(
                "what was told of {}'s session is not known: {error}",
                chat.record.handle
            );
            ReadOffset::default()
        });
    let follow = Inbound::Follow(chat.id().clone(), Box::new(stream), read_offset);
    context.sender.send(follow);
}

/// Trust that a person consented to is written where it is missing: its file may have been made again since.
fn keep_trust(services: &Services, adapter: &dyn Adapter, env: &Env) {
    match adapter.trust(&services.home.chats(), env, &services.settings()) {
        Ok(Trust::NotNeeded | Trust::Given | Trust::Declined | Trust::Wanted(_)) => {}
        Err(problem) => tracing::warn!("{problem}"),
    }
}

/// A session id that we give is written down before it is used.
fn with_session(services: &Services, chat: Chat, adapter: &dyn Adapter) -> Result<Chat, Problem> {
    let missing = chat.session().is_none() && adapter.session_ids() == SessionIds::Assigned;
    if !missing {
        return Ok(chat);
    }
    let id = chat.id().clone();
    let session = Uuid::new_v4().to_string();
    services
        .home
        .set_session(&id, &session)
        .map_err(|error| loading(&id, error))
}

fn spec(launch: Launch, writable: Option<Writable>) -> Spec {
    Spec {
        program: launch.program.into(),
        args: launch.args.into_iter().map(OsString::from).collect(),
        env: launch.env.into_iter().map(|(k, v)| (k.into(), v.into())).collect(),
        cwd: launch.cwd.into(),
        streams: Streams::Terminal,
        limits: SpawnLimits::default(),
        writable,
    }
}

/// The agent CLIs on a person's PATH.
pub fn detect(services: &Services, path: &str, env: &Env) -> AgentDone {
    let settings = services.settings();
    let known = agents::all(&settings);
    // Each is started to tell its version, which takes up to seconds: at once, none waits for another.
    let looked: Vec<_> = std::thread::scope(|scope| {
        let asked: Vec<_> = known
            .iter()
            .map(|adapter| scope.spawn(|| installed(adapter.as_ref(), path, env)))
            .collect();
        asked.into_iter().filter_map(|asked| asked.join().ok()).collect()
    });
    let (mut found, mut unusable) = (Vec::new(), Vec::new());
    for looked in looked {
        match looked {
            Ok(installed) => {
                if installed.version.is_some() && services.may_write().is_ok() {
                    services.programs.note(services.home.dir(), &installed.program);
                }
                found.push(installed);
            }
            Err(AgentAbsence::Unusable(agent)) => unusable.push(agent),
            Err(AgentAbsence::NotFound) => {}
        }
    }
    AgentDone::Detected(found, unusable)
}

fn installed(adapter: &dyn Adapter, path: &str, env: &Env) -> Result<Installed, AgentAbsence> {
    let found = adapter.detect(path.as_ref())?;
    let login = adapter.login(env);
    Ok(Installed { login, ..found })
}

/// A person agreed: the consent is kept, and the trust is written into the CLI's own state.
pub fn trust(services: &Services, llm: &str, env: &Env) -> Result<AgentDone, Problem> {
    let mut settings = (*services.settings()).clone();
    settings.trust.insert(llm.into(), true);
    let adapter = agents::find(llm, &settings).ok_or_else(|| {
        Problem::missing(
            "writing trust",
            format!("there is no agent called {llm}"),
            "`parlour doctor` lists the agents",
        )
    })?;
    let way = vec!["trust".into(), llm.into()];
    crate::config::edit(&services.home.config(), &[SettingEdit::Set(way, true.into())])
        .doing_or("keeping your consent", "correct config.json, then try again")?;
    match adapter.trust(&services.home.chats(), env, &settings)? {
        Trust::NotNeeded | Trust::Given => Ok(AgentDone::Trusted),
        Trust::Wanted(what) => Err(Problem::new("writing trust", what, "`parlour doctor` says more")),
        Trust::Declined => Err(Problem::new(
            "writing trust",
            "config.json says no",
            "set trust there to true",
        )),
    }
}
