//! An agent's process: started, heard, stopped, ended.
//!
//! What it says is [`hook`]'s to understand, what it does [`status`]'s to judge, and prompts reach it by [`delivery`].

mod composed;
pub mod delivery;
pub mod draft;
pub mod evidence;
pub mod explain;
pub mod hibernate;
pub mod hook;
pub mod keys;
pub(super) mod label;
mod left;
mod lines;
pub mod looking;
pub mod once;
pub mod open_tool;
pub mod receipt;
pub mod reorder;
pub mod restart;
mod retry;
pub mod settling;
pub mod sight;
pub mod state;
pub mod status;
pub(super) mod turn;
pub mod typing;
pub mod whereabouts;
pub mod work;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::work::{AgentWork, Work};
use crate::model::chat::STOPPED;
use crate::model::{ChatId, ClientId, Happened, Manners, PaneEvent, Problem, Sandbox, Status, Timestamp};
use crate::term::Screen;

use super::effect::{Effect, PaneOrder};
use super::event::{Heard, PtyEvent, Size};
use super::gate::judging;
use super::gate::question::Question;
use super::notice::{Done, Notice};
use super::schedule::{agenda, run};
use super::state::{Asker, Domain, Then, Waiting};
use super::team::{atom, stop_tree};
use super::{chat, gate, opening, reply};
use state::rest::Ahead;
use state::{Agent, AtEnd, Process};

/// The size of a terminal that nobody has looked at yet.
pub const FIRST_SIZE: Size = Size { cols: 120, rows: 40 };

/// How long an agent may take to end after TERM before it is killed.
const GRACE_MS: u64 = 4_000;

/// Why an agent exited that ended by itself, and well.
pub const ENDED: &str = "ended";

/// How the reason begins of an end without a beginning.
pub const COULD_NOT_START: &str = "could not start: ";

/// Starts the agent of a chat; an agent that still runs is left as it is.
pub fn resume(state: &mut Domain, chat: &ChatId, env: BTreeMap<String, String>, asker: Asker) -> Vec<Effect> {
    start(state, chat, env, asker, Then::Started(chat.clone()))
}

/// Of a chat that has just been made: it is kept where its agent cannot be started, and that is said.
pub fn start_first(state: &mut Domain, chat: &ChatId, env: BTreeMap<String, String>, asker: Asker) -> Vec<Effect> {
    match refusal(state, chat) {
        Some(problem) => {
            let problem = kept(state, chat, problem);
            reply::answer(state, asker, Err(problem))
        }
        None => start(state, chat, env, asker, Then::StartedFirst(chat.clone())),
    }
}

/// A problem with the start of a new chat's agent, with how to go on.
pub fn kept(state: &Domain, chat: &ChatId, problem: Problem) -> Problem {
    let handle = chat::handle(state, chat);
    let kept = format!("the chat is there: `parlour resume {handle}` tries again");
    let hint = match problem.hint.is_empty() {
        true => kept,
        false => format!("{}; {kept}", problem.hint),
    };
    Problem { hint, ..problem }
}

/// As [`resume`], with what follows the start.
pub fn start(
    state: &mut Domain,
    chat: &ChatId,
    env: BTreeMap<String, String>,
    asker: Asker,
    then: Then,
) -> Vec<Effect> {
    let slept = state.status(chat) == Status::Hibernated;
    if let Some(agent) = state.live.agents.get_mut(chat).filter(|agent| agent.is_live()) {
        if agent.falls_asleep() {
            agent.rest.wakes = true;
            agent.at_end.push(AtEnd::Restart(env, asker));
            return Vec::new();
        }
        return reply::answer(state, asker, Ok(chat::json(state, chat)));
    }
    if let Some(problem) = refusal(state, chat) {
        return reply::answer(state, asker, Err(problem));
    }
    if let Asker::Screen(client) = asker {
        state.notices.push(Notice::Done(client, Done::Starts));
    }
    let before = state.live.agents.remove(chat);
    let env = match &before {
        Some(before) if env.is_empty() => before.env.clone(),
        Some(_) | None => env,
    };
    let size = before.as_ref().map_or(FIRST_SIZE, |before| before.size);
    let mut agent = Agent::new(state.now, size, env.clone());
    agent.moved = before
        .as_ref()
        .filter(|before| !before.session_began)
        .map_or(0, |before| before.moved);
    agent.interrupted = match &before {
        Some(before) => before.interrupted,
        None => state.disk.chats.get(chat).is_some_and(|known| known.interrupted),
    };
    let left = state.live.left.remove(chat);
    let (outbox, ahead, screen) = match before {
        Some(before) => (before.outbox, before.rest.ahead, before.screen),
        None => (delivery::left_over(state, chat), Ahead::default(), left),
    };
    agent.outbox = outbox;
    if slept {
        // It is seen as it was until it draws itself.
        (agent.rest.wakes, agent.rest.ahead, agent.screen) = (true, ahead, screen);
    }
    state.live.agents.insert(chat.clone(), agent);
    let work = state.ids.work();
    state.live.waiting.insert(work, Waiting { asker, then });
    let start = Work::Agent(AgentWork::Start {
        chat: chat.clone(),
        env,
        size,
    });
    vec![Effect::Work(work, start)]
}

/// Why no further agent may be started now.
pub fn refusal(state: &Domain, chat: &ChatId) -> Option<Problem> {
    let doing = format!("starting the agent of {}", chat::handle(state, chat));
    if opening::is_being_made(state, chat) {
        let doing_first = opening::words(state, chat).map_or(String::new(), |words| format!(": {words}"));
        let cause = format!("its projects are still being opened{doing_first}");
        return Some(Problem::busy(
            doing,
            cause,
            "it starts when they are there; `parlour stop CHAT` gives up",
        ));
    }
    no_room(state, chat, doing)
}

/// That as many agents run as may.
pub fn no_room(state: &Domain, chat: &ChatId, doing: String) -> Option<Problem> {
    // A run that clones yet has its room already.
    let live = state.live.agents.values().filter(|a| a.is_live()).count() + agenda::launching(state, chat);
    let most = state.disk.settings.limits.live_agents;
    let hint = "stop one with `parlour stop CHAT`, or raise limits.liveAgents in config.json";
    (live >= most).then(|| {
        let cause = format!("{live} agents run or are on their way");
        Problem::limited(doing, cause, "liveAgents", most).hinted(hint)
    })
}

/// The agent's files are ready and its process is on its way.
pub fn prepared(state: &mut Domain, chat: &ChatId, manners: Manners, resumes: bool, sandbox: Sandbox) {
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.rest.resumes = resumes;
        agent.sandbox = sandbox;
        agent.manners = Some(manners);
        agent.stirred = agent.shows_all();
    }
}

/// Ends the agent's whole process group, and the check of its run.
pub fn stop(state: &mut Domain, chat: &ChatId, asker: Asker) -> Vec<Effect> {
    if opening::is_being_made(state, chat) {
        return opening::give_up(state, chat, asker);
    }
    let mut effects = vec![Effect::CancelFor(chat.clone())];
    effects.extend(run::stop_check(state, chat));
    if let Some(stop) = end(state, chat, AtEnd::Tell(asker)) {
        effects.extend(stop);
        return effects;
    }
    effects.extend(stop_resting(state, chat));
    effects.extend(reply::answer(state, asker, Ok(chat::json(state, chat))));
    effects
}

/// What does not run is stopped too: it does not wake by itself, and what it had in progress is free.
pub fn stop_resting(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let mut effects = match hibernate::forget(state, chat) {
        true => status::reassess(state, chat),
        false => Vec::new(),
    };
    effects.extend(atom::owner_ended(state, chat, STOPPED));
    effects
}

/// Stops a live agent and remembers what to do at its end; `None` where nothing runs.
pub fn end(state: &mut Domain, chat: &ChatId, then: AtEnd) -> Option<Vec<Effect>> {
    let grace_ms = grace_ms(state, chat);
    end_within(state, chat, then, grace_ms)
}

fn grace_ms(state: &Domain, chat: &ChatId) -> u64 {
    stop_tree::grace_ms(state, chat).unwrap_or(GRACE_MS)
}

/// As [`end`], with so long until it is killed.
pub fn end_within(state: &mut Domain, chat: &ChatId, then: AtEnd, grace_ms: u64) -> Option<Vec<Effect>> {
    let agent = state.live.agents.get_mut(chat)?;
    if !agent.is_live() {
        return None;
    }
    agent.at_end.push(then);
    if let Process::Running { pid } = agent.process {
        agent.process = Process::Stopping { pid };
    }
    let stop = PaneOrder::Stop { grace_ms };
    Some(vec![Effect::Pane(chat.clone().into(), stop)])
}

/// Keys, a paste or the mouse of a person, encoded for the program.
pub fn input(state: &mut Domain, chat: &ChatId, client: ClientId, bytes: Vec<u8>) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat).filter(|a| a.is_live()) else {
        return Vec::new();
    };
    agent.driver = Some(client);
    if agent.rest.wakes {
        agent.rest.ahead.typed(&bytes);
        return Vec::new();
    }
    keys::press(state, chat, bytes)
}

/// Breaks off the turn, in the agent's own way.
pub fn interrupt(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    match agent.manners.as_ref().map(|manners| manners.interrupt.clone()) {
        Some(keys) if !keys.is_empty() => {
            agent.turn.asking_mut().for_each(Question::is_touched);
            vec![Effect::Pane(chat.clone().into(), PaneOrder::Input(keys))]
        }
        Some(_) | None => Vec::new(),
    }
}

/// The pane of the client that typed last decides the terminal's size; the first to look stands in for it.
pub fn resize(state: &mut Domain, chat: &ChatId, client: ClientId, size: Size) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let driver = agent.driver.unwrap_or(client);
    agent.driver = Some(driver);
    if driver != client || agent.size == size {
        return Vec::new();
    }
    agent.size = size;
    if agent.must_stand_still(state.now) {
        agent.resize_held = true;
        return Vec::new();
    }
    vec![Effect::Pane(chat.clone().into(), PaneOrder::Resize(size))]
}

/// Passes on the sizes that were held back from agents that took up their sessions meanwhile.
pub fn resize_held(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let due = |agent: &Agent| agent.resize_held && !agent.must_stand_still(now);
    let waiting = state.live.agents.iter_mut().filter(|(_, agent)| due(agent));
    let pass = |(chat, agent): (&ChatId, &mut Agent)| {
        agent.resize_held = false;
        Effect::Pane(chat.clone().into(), PaneOrder::Resize(agent.size))
    };
    waiting.map(pass).collect()
}

/// What its terminal reports.
pub fn update(state: &mut Domain, chat: &ChatId, event: PtyEvent) -> Vec<Effect> {
    match event {
        PtyEvent::Screen(screen) => shows(state, chat, screen),
        PtyEvent::View(client, screen) => tell(state, Notice::FurtherBack(chat.clone().into(), client, screen)),
        PtyEvent::Copied(client, copied) => tell(state, Notice::Copied(client, copied)),
        PtyEvent::Said(said) => said_by_pane(state, chat, said),
        PtyEvent::LetGo => left::let_go(state, chat),
    }
}

fn tell(state: &mut Domain, notice: Notice) -> Vec<Effect> {
    state.notices.push(notice);
    Vec::new()
}

fn shows(state: &mut Domain, chat: &ChatId, screen: Arc<Screen>) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        let before = left::keep(state, chat, screen);
        return tell(state, Notice::Shows(chat.clone().into(), before));
    };
    let stalled = agent.shows_something_unasked(&screen, now);
    let before = agent.screen.replace(screen);
    agent.shown = now;
    let stirs = agent.shows_all() && !agent.stirred;
    if stirs {
        agent.stirred = true;
        agent.looked = now;
    }
    state.notices.push(Notice::Shows(chat.clone().into(), before));
    let mut effects = gate::shows(state, chat);
    if stalled {
        effects.extend(looking::heard(state, chat, Heard::Signals(vec![looking::unasked(now)])));
    } else if stirs {
        effects.push(Effect::WakeAt(now.plus_ms(looking::LOOK_EVERY_MS)));
    }
    effects
}

fn said_by_pane(state: &mut Domain, chat: &ChatId, said: PaneEvent) -> Vec<Effect> {
    let now = state.now;
    // One that has ended says nothing more: what still comes is old news.
    let Some(agent) = state.live.agents.get_mut(chat).filter(|agent| agent.is_live()) else {
        return Vec::new();
    };
    match said {
        PaneEvent::Started { pid } => started(state, chat, pid),
        PaneEvent::FailedToStart { why } => could_not_start(state, chat, &why),
        PaneEvent::Exited { code, signal } => {
            let why = how_it_ended(agent, code, signal, now);
            ended(state, chat, why)
        }
        PaneEvent::Title(title) => {
            agent.title = title;
            Vec::new()
        }
        PaneEvent::ParserFailed => {
            let hint = "the agent runs on; press Ctrl+L in it, or resize, to have it drawn again".to_string();
            let error = Happened::Error {
                place: "terminal".into(),
                message: "its output broke the terminal emulator, which was started afresh".into(),
                hint,
            };
            chat::append(state, chat, vec![error])
        }
        PaneEvent::InputRefused => {
            let error = Happened::Error {
                place: "terminal".into(),
                message: "it does not read its input; what was typed last did not reach it".into(),
                hint: "wait for it, or stop it".into(),
            };
            chat::append(state, chat, vec![error])
        }
        PaneEvent::Bell => tell(state, Notice::Bell(chat.clone().into())),
        // Off unless a person asks for them: a program's notifications and progress.
        PaneEvent::Changed | PaneEvent::Notify { .. } | PaneEvent::Cwd(_) | PaneEvent::Progress(_) => Vec::new(),
    }
}

fn started(state: &mut Domain, chat: &ChatId, pid: u32) -> Vec<Effect> {
    let (now, grace_ms) = (state.now, grace_ms(state, chat));
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    agent.started = now;
    agent.looked = now;
    let mut effects = vec![
        Effect::WakeAt(now.plus_ms(looking::LOOK_EVERY_MS)),
        Effect::WakeAt(now.plus_ms(status::SLOW_START_MS)),
    ];
    // It was told to stop while it was on its way.
    match agent.at_end.is_empty() {
        true => agent.process = Process::Running { pid },
        false => {
            agent.process = Process::Stopping { pid };
            effects.push(Effect::Pane(chat.clone().into(), PaneOrder::Stop { grace_ms }));
        }
    }
    effects.extend(status::reassess(state, chat));
    effects
}

fn how_it_ended(agent: &Agent, code: Option<i32>, signal: Option<i32>, now: Timestamp) -> String {
    let stopped = matches!(agent.process, Process::Stopping { .. });
    match (stopped, code, signal) {
        (true, _, _) => STOPPED.into(),
        (false, Some(0), _) => ENDED.into(),
        (false, Some(code), _) if now.ms_since(agent.started) < 3_000 => {
            format!("exited with code {code} right after start (see its screen)")
        }
        (false, Some(code), _) => format!("ended with exit code {code}"),
        (false, None, Some(signal)) => format!("killed by signal {signal}"),
        (false, None, None) => ENDED.into(),
    }
}

/// There never was a process, for this reason.
pub fn could_not_start(state: &mut Domain, chat: &ChatId, why: &str) -> Vec<Effect> {
    ended(state, chat, format!("{COULD_NOT_START}{why}"))
}

/// The process is gone, for this reason.
pub fn ended(state: &mut Domain, chat: &ChatId, why: String) -> Vec<Effect> {
    let mut effects = judging::flush(state, chat);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return effects;
    };
    agent.process = match agent.falls_asleep() {
        true => Process::Asleep,
        false => Process::Ended { why: why.clone() },
    };
    let again = restart::wanted(&mut agent.at_end);
    let told = agent.breaks_off(&why);
    effects.extend(hook::close_open_tools(state, chat));
    effects.extend(chat::append(state, chat, told.into_iter().collect()));
    if again.is_none() {
        effects.extend(status::reassess(state, chat));
        effects.extend(delivery::ended(state, chat, &why));
        if state.live.agents.get(chat).is_some_and(Agent::is_over) {
            effects.extend(atom::owner_ended(state, chat, &why));
        }
    }
    let agent = state.live.agents.get_mut(chat);
    let at_end = agent.map(|agent| std::mem::take(&mut agent.at_end)).unwrap_or_default();
    if let Some((env, asker)) = again {
        effects.extend(restart::go_on(state, chat, env, asker));
    }
    for then in at_end {
        effects.extend(match then {
            AtEnd::Tell(asker) | AtEnd::Restart(_, asker) => reply::answer(state, asker, Ok(chat::json(state, chat))),
            AtEnd::Delete(asker) => chat::trash(state, chat, asker),
            AtEnd::Sleep => Vec::new(),
        });
    }
    effects.extend(stop_tree::ended(state, chat));
    effects
}
