//! An agent's process is started, and told to end.

use std::collections::BTreeMap;

use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::event::Size;
use crate::domain::notice::Notice;
use crate::domain::state::{Domain, Requester, Waiting};
use crate::domain::team::state::Stopping;
use crate::domain::usage::state::BudgetOf;
use crate::domain::usage::stop::stopped;
use crate::domain::work::{AgentThen, AgentWork, Work};
use crate::domain::{chat, opening, reply};
use crate::model::chat::{DirectoryPlace, Pending, STOPPED};
use crate::model::{Capabilities, Chat, ChatId, Problem, Sandbox, Status};

use super::state::rest::TypedAhead;
use super::state::{Agent, AtEnd, Process};
use super::{delivery, yielding};

/// The size of a terminal that nobody has looked at yet.
pub const FIRST_SIZE: Size = Size { cols: 120, rows: 40 };

/// Chats that are named where room is to be made.
const NAMED: usize = 3;

/// How long an agent may take to end after TERM before it is killed.
const GRACE_MS: u64 = 4_000;

/// Starts the agent of a chat; an agent that still runs is left as it is.
pub fn resume(state: &mut Domain, chat: &ChatId, env: BTreeMap<String, String>, requester: Requester) -> Vec<Effect> {
    start(state, chat, env, requester, AgentThen::Started(chat.clone()))
}

/// Of a chat that has just been made: it is kept where its agent cannot be started, and that is said.
pub fn start_first(
    state: &mut Domain,
    chat: &ChatId,
    (env, notes): (BTreeMap<String, String>, Vec<String>),
    requester: Requester,
) -> Vec<Effect> {
    match refusal(state, chat) {
        Some(problem) => {
            let problem = kept(state, chat, problem);
            reply::answer(state, requester, Err(problem))
        }
        None => start(
            state,
            chat,
            env,
            requester,
            AgentThen::StartedFirst(chat.clone(), notes),
        ),
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
    requester: Requester,
    then: AgentThen,
) -> Vec<Effect> {
    let slept = state.status(chat) == Status::Hibernated;
    if let Some(agent) = state.live.agents.get_mut(chat).filter(|agent| agent.is_live()) {
        if agent.falls_asleep() {
            agent.rest.wakes = true;
            agent.at_end.push(AtEnd::Restart(env, requester));
            return Vec::new();
        }
        return reply::answer(state, requester, Ok(chat::json(state, chat)));
    }
    if let Some(problem) = refusal(state, chat) {
        return reply::answer(state, requester, Err(problem));
    }
    if let Requester::Screen(request) = requester {
        state.notices.push(Notice::AgentStarts(request.client));
    }
    let before = state.live.agents.remove(chat);
    let env = match &before {
        Some(before) if env.is_empty() => before.env.clone(),
        Some(_) | None => env,
    };
    let size = before
        .as_ref()
        .map_or_else(|| first_size(state, chat), |before| before.size);
    let mut agent = Agent::new(state.now, size, env.clone());
    agent.moved = before
        .as_ref()
        .filter(|before| !before.session_began)
        .map_or(0, |before| before.moved);
    agent.interrupted = match &before {
        Some(before) => before.interrupted,
        None => state.disk.chats.get(chat).is_some_and(|known| known.interrupted),
    };
    agent.turn.failed_before = match &before {
        Some(before) => before.what_failed(),
        None => state.disk.chats.get(chat).and_then(|known| known.failed.clone()),
    };
    let left = state.live.looked_at.left.remove(chat);
    let (outbox, ahead, screen) = match before {
        Some(before) => (before.outbox, before.rest.ahead, before.screen),
        None => (delivery::left_over(state, chat), TypedAhead::default(), left),
    };
    agent.outbox = outbox;
    agent.outbox.goes_along = goes_along(state, chat);
    agent.outbox.held = stopped(state, chat).as_ref().map(BudgetOf::held);
    if slept {
        // It is seen as it was until it draws itself.
        (agent.rest.wakes, agent.rest.ahead, agent.screen) = (true, ahead, screen);
    }
    state.live.agents.insert(chat.clone(), agent);
    let work = state.ids.work();
    state.live.waiting.insert(
        work,
        Waiting {
            requester,
            then: then.into(),
        },
    );
    let start = Work::Agent(AgentWork::Start {
        chat: chat.clone(),
        env,
        size,
    });
    vec![Effect::Work(work, start)]
}

/// What is drawn before anybody looks is not drawn again by every CLI: it is drawn for the screen that attached last, if one
/// did.
fn first_size(state: &Domain, chat: &ChatId) -> Size {
    let Some(sizes) = state.live.looked_at.first_sizes else {
        return FIRST_SIZE;
    };
    let size = match state.disk.chats.get(chat).is_some_and(Chat::is_shell) {
        true => sizes.shell,
        false => sizes.agent,
    };
    // A screen that is too small to show a terminal tells nothing.
    if size.cols >= 2 && size.rows >= 2 {
        size
    } else {
        FIRST_SIZE
    }
}

/// The prompt that a worker may hand to the CLI of this chat among its arguments: it is as good as typed.
fn goes_along(state: &Domain, chat: &ChatId) -> Option<String> {
    let record = &state.disk.chats.get(chat)?.record;
    let entry = state.disk.settings.custom_llms.get(&record.llm)?;
    entry.prompt_arg.as_ref()?;
    record.first_prompt().map(Pending::id)
}

/// Why an agent whose directory is gone gets no prompt, though it may still run: it would work in a place that is not there.
pub fn without_directory(state: &Domain, chat: &ChatId) -> Option<Problem> {
    let known = state.disk.chats.get(chat)?;
    let hint = "put it back, or make it again: on the screen by R in the list of chats";
    (known.place == DirectoryPlace::Gone).then(|| Problem::missing("sending a prompt", "its directory is gone", hint))
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
    if state.live.reviews.reverting.contains(chat) {
        return Some(Problem::busy(
            doing,
            "its clones are being restored",
            "try again in a moment",
        ));
    }
    no_room(state, chat, doing)
}

/// That as many agents run as may.
pub fn no_room(state: &Domain, chat: &ChatId, doing: String) -> Option<Problem> {
    // A run that clones yet has its room already.
    let live = |chat: &ChatId| state.live.is_live(chat);
    let launching = state.live.agenda.launching().filter(|run| *run != chat && !live(run));
    // One that rests sleeps as soon as another needs its place.
    let yielding = yielding::chats(state).len();
    let live = state.live.places_taken() - yielding + launching.count();
    let most = state.disk.settings.limits.live_agents;
    (live >= most).then(|| {
        let cause = match live {
            1 => "1 agent runs or is on its way".into(),
            many => format!("{many} agents run or are on their way"),
        };
        Problem::limited(doing, cause, "liveAgents", most).hinted(what_makes_room(state))
    })
}

/// What a person can do if as many agents run as may.
pub fn what_makes_room(state: &Domain) -> String {
    let resting = longest_idle(state);
    match resting.is_empty() {
        true => "stop one with `parlour stop`, or raise limits.liveAgents in config.json".into(),
        false => format!(
            "`parlour stop {}` stops what is idle longest; in config.json limits.hibernateMinutes stops what is idle by \
             itself, and limits.liveAgents is the limit",
            resting.join(" ")
        ),
    }
}

/// The chats whose agents have waited for a prompt longest, that one first.
fn longest_idle(state: &Domain) -> Vec<String> {
    let awake = state.live.agents.awake();
    let idle = awake.filter(|(_, agent)| agent.stays_up() && agent.verdict.status.is_idle() && agent.outbox.is_empty());
    let mut idle: Vec<_> = idle.map(|(chat, agent)| (agent.since, chat)).collect();
    idle.sort();
    let longest = idle.into_iter().take(NAMED);
    longest.map(|(_, chat)| chat::handle(state, chat)).collect()
}

/// The agent's files are ready and its process is on its way.
pub fn prepared(state: &mut Domain, chat: &ChatId, capabilities: Capabilities, resumes: bool, sandbox: Sandbox) {
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.rest.resumes = resumes;
        agent.sandbox = sandbox;
        agent.capabilities = Some(capabilities);
        agent.stirred = agent.shows_all();
    }
}

/// Stops a live agent and remembers what to do at its end; `None` where nothing runs.
pub fn end(state: &mut Domain, chat: &ChatId, then: AtEnd) -> Option<Vec<Effect>> {
    let grace_ms = grace_ms(state, chat);
    end_within(state, chat, then, grace_ms)
}

pub(super) fn grace_ms(state: &Domain, chat: &ChatId) -> u64 {
    Stopping::grace_ms(&state.live.teams.stopping, chat).unwrap_or(GRACE_MS)
}

/// As [`end`], with so long until it is killed.
pub fn end_within(state: &mut Domain, chat: &ChatId, then: AtEnd, grace_ms: u64) -> Option<Vec<Effect>> {
    let agent = state.live.agents.get_mut(chat)?;
    if !agent.is_live() {
        return None;
    }
    agent.at_end.push(then);
    if let Process::Running { pid } = agent.process {
        agent.shell.cut_off = agent.program_in_shell();
        agent.process = Process::Stopping { pid };
    }
    let stop = PaneOrder::Stop { grace_ms };
    Some(vec![Effect::Pane(chat.clone().into(), stop)])
}

/// Its chat is gone: it is ended, and who waits for a prompt of theirs or for its end hears that.
pub fn cut_off(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let gone = || {
        let hint = "start a new one with `parlour new`";
        Problem::missing("waiting for an agent", "the folders of its chat are gone", hint)
    };
    let calls = agent
        .outbox
        .queued_prompts_mut()
        .filter_map(|prompt| prompt.call.take());
    let mut effects: Vec<Effect> = calls.map(|call| Effect::Reply(call, Err(gone()))).collect();
    let at_end = std::mem::take(&mut agent.at_end);
    let stop = PaneOrder::Stop { grace_ms: GRACE_MS };
    effects.push(Effect::Pane(chat.clone().into(), stop));
    for then in at_end {
        effects.extend(match then {
            AtEnd::Tell(requester)
            | AtEnd::Delete(requester)
            | AtEnd::Revert(_, requester)
            | AtEnd::Restart(_, requester) => reply::answer(state, requester, Err(gone())),
            AtEnd::Sleep => Vec::new(),
        });
    }
    effects
}

/// A person stopped it while it slept: a message wakes it, looking at it does not.
pub fn forget(state: &mut Domain, chat: &ChatId) -> bool {
    let agent = state.live.agents.get_mut(chat);
    match agent.filter(|agent| agent.process == Process::Asleep) {
        Some(agent) => {
            agent.process = Process::Ended { why: STOPPED.into() };
            true
        }
        None => false,
    }
}
