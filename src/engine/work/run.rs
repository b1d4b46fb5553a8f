//! Agents started, found on this machine, and trusted.

use std::ffi::OsString;

use uuid::Uuid;

use crate::agents::{self, Adapter, Env, EventStream, Seat, SessionIds, Trust};
use crate::domain::event::{Outcome, Size};
use crate::mcp::Carried;
use crate::model::chat::Pending;
use crate::model::{Chat, ChatId, Launch, Place, Problem, ResultExt, Sandbox};
use crate::store::SoFar;
use crate::sys::spawn::{SpawnLimits, Spec, Streams, Writable};

use super::super::inbound::Inbound;
use super::super::services::Hands;
use super::agent_tokens::Passes;
use super::chats::skills;
use super::context::Ticket;
use super::loading::loading;
use super::terminal::spawn;
use super::{confine, review, servers};

/// Writes what the agent reads, gives it tokens, and starts it in a terminal of its own.
pub fn start(ticket: &Ticket, id: &ChatId, env: &Env, size: Size) -> Result<Outcome, Problem> {
    let hands = &ticket.hands;
    review::settle(ticket, id)?;
    let chat = hands.home.with_port(id).map_err(|error| loading(id, error))?;
    let (settings, changed) = servers::settings_for(hands, &chat);
    if chat.place == Place::Gone {
        let hint = "press R on it in parlour to make the directory anew, or x to delete the chat";
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
    let chat = with_session(hands, chat, adapter.as_ref())?;
    keep_trust(hands, adapter.as_ref(), env);
    let carried = match adapter.token_in_url() {
        true => Carried::InUrl,
        false => Carried::InHeader,
    };
    hands.equip(id, adapter.as_ref());
    hands.offer_tools(&chat);
    let passes = Passes::issue(hands, id, carried)?;
    let sandbox = confine::asked(&settings);
    let seat = Seat {
        chat: &chat.record,
        role: chat.role.as_ref(),
        dir: &hands.home.chat_path(id),
        record: &hands.home.record_path(id),
        home: hands.home.path(),
        parlour: &hands.parlour,
        session: chat.session().unwrap_or_default(),
        mcp_url: &format!("{}?caller={id}", hands.mcp_url),
        token: passes.tools.reveal(),
        hook_token: passes.hooks.reveal(),
        env,
        settings: &settings,
        tools: &hands.tools(&settings, Some(adapter.as_ref())),
        sandboxed: sandbox == Sandbox::InForce,
    };
    freshen(hands, &chat);
    let mut prepared = adapter.prepare(&seat)?;
    prepared.problems.extend(changed);
    if let Sandbox::Missing { why } = &sandbox {
        let doing = "keeping the agent in a sandbox";
        let hint = "it runs without one, as if `sandbox` in config.json were off";
        prepared.problems.push(Problem::new(doing, why, hint));
    }
    let (writable, doubts) = confine::writable(&sandbox, hands, &chat, adapter.as_ref(), env);
    prepared.problems.extend(doubts);
    let first = chat.record.first_prompt().filter(|_| adapter.takes_first_prompt());
    let taken = first.map(|prompt| prompt.text.clone());
    for problem in &prepared.problems {
        tracing::warn!("{}: {problem}", chat.record.handle);
    }
    let stream = adapter.event_stream(&seat, &prepared.launch);
    if taken.is_some() {
        begins(hands, id)?;
    }
    spawn(ticket, id, Some((spec(prepared.launch, writable), passes)), size)?;
    if let Some(stream) = stream {
        follow(ticket, &chat, stream);
    }
    Ok(Outcome::Started {
        chat: Box::new(chat),
        manners: adapter.manners(),
        problems: prepared.problems,
        prompt: taken,
        resumes: adapter.resumes(),
        sandbox,
    })
}

/// The first prompt goes along with the start: an engine that is killed behind it must not send it again unseen.
fn begins(hands: &Hands, id: &ChatId) -> Result<(), Problem> {
    let mark = |prompt: &mut Pending| prompt.begun = true;
    let marked = hands
        .home
        .change(id, |record| record.prompts.first_mut().into_iter().for_each(mark));
    marked.map(drop).map_err(|error| loading(id, error))
}

/// What parlour tells the agent may be older than its tools, skills and projects are by now.
fn freshen(hands: &Hands, chat: &Chat) {
    let id = chat.id();
    let written = hands.home.write_agents_md(id, &hands.surroundings(&chat.record.llm));
    let laid = hands.home.lay_skills(id, &skills(hands));
    for error in [written.err(), laid.err()].into_iter().flatten() {
        tracing::warn!("{}: {error}", chat.record.handle);
    }
}

/// Has the agent's own server listened to, from where its session was left.
fn follow(ticket: &Ticket, chat: &Chat, stream: EventStream) {
    let session = chat.session().unwrap_or_default();
    ticket.journals.catch_up();
    let so_far = ticket.hands.home.so_far(chat.id(), session).unwrap_or_else(|error| {
        tracing::warn!(
            "what was told of {}'s session is not known: {error}",
            chat.record.handle
        );
        SoFar::default()
    });
    let follow = Inbound::Follow(chat.id().clone(), Box::new(stream), so_far);
    ticket.sender.send(follow);
}

/// Trust that a person consented to is written where it is missing: its file may have been made anew since.
fn keep_trust(hands: &Hands, adapter: &dyn Adapter, env: &Env) {
    match adapter.trust(&hands.home.chats(), env, &hands.settings()) {
        Ok(Trust::NotNeeded | Trust::Given | Trust::Declined | Trust::Wanted(_)) => {}
        Err(problem) => tracing::warn!("{problem}"),
    }
}

/// A session id that we give is written down before it is used.
fn with_session(hands: &Hands, chat: Chat, adapter: &dyn Adapter) -> Result<Chat, Problem> {
    let missing = chat.session().is_none() && adapter.session_ids() == SessionIds::Assigned;
    if !missing {
        return Ok(chat);
    }
    let id = chat.id().clone();
    let session = Uuid::new_v4().to_string();
    hands
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
pub fn detect(hands: &Hands, path: &str) -> Outcome {
    let settings = hands.settings();
    let known = agents::all(&settings);
    // Each is started to tell its version, which takes up to seconds: at once, none waits for another.
    let found = std::thread::scope(|scope| {
        let asked: Vec<_> = known
            .iter()
            .map(|adapter| scope.spawn(|| adapter.detect(path.as_ref())))
            .collect();
        asked
            .into_iter()
            .filter_map(|asked| asked.join().ok().flatten())
            .collect()
    });
    Outcome::Agents(found)
}

/// A person agreed: the consent is kept, and the trust is written into the CLI's own state.
pub fn trust(hands: &Hands, llm: &str, env: &Env) -> Result<Outcome, Problem> {
    let mut settings = (*hands.settings()).clone();
    settings.trust.insert(llm.into(), true);
    let adapter = agents::find(llm, &settings).ok_or_else(|| {
        Problem::missing(
            "writing trust",
            format!("there is no agent called {llm}"),
            "`parlour doctor` lists the agents",
        )
    })?;
    let key = format!("trust.{llm}");
    crate::config::set(&hands.home.config(), &key, true.into())
        .doing_or("keeping your consent", "mend config.json, then try again")?;
    match adapter.trust(&hands.home.chats(), env, &settings)? {
        Trust::NotNeeded | Trust::Given => Ok(Outcome::Nothing),
        Trust::Wanted(what) => Err(Problem::new("writing trust", what, "`parlour doctor` says more")),
        Trust::Declined => Err(Problem::new(
            "writing trust",
            "config.json says no",
            "set trust there to true",
        )),
    }
}
