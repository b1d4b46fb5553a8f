//! Prompts on their way to an agent: queued until it waits for one, then typed ([`super::typing`]), then looked for in its
//! hooks or its transcript ([`super::evidence`]).

use std::collections::{BTreeMap, VecDeque};

use crate::domain::agent;
use crate::domain::effect::Effect;
use crate::domain::state::{Asker, Domain};
use crate::model::{CallId, ChatId, Problem, ProblemKind, Ready, Status, Timestamp};

use super::state::keys::Keys;
use super::state::outbox::{Letter, Obstacle, Outbox, Receipt, Sight};
use super::state::{Agent, Process};
use super::{receipt, sight, typing};

/// The longest prompt, in bytes: a wire frame holds it with room to spare.
const LONGEST_PROMPT: usize = 512 << 10;

/// Bytes of prompts that may wait for one agent: they are kept in its record.
const MOST_WAITING: usize = 2 << 20;

/// How long a prompt waits for an agent that resumes until its transcript says that it goes on in that session: what is
/// typed before, Gemini CLI asks in a conversation of its own.
pub const TAKES_UP_MS: u64 = 20_000;

/// How long it takes then to draw the conversation; Gemini CLI drops what is typed meanwhile.
pub const DRAWS_MS: u64 = 1_000;

/// How long a first prompt waits for the agent's MCP connection: without our tools an agent works beside its projects, and
/// OpenCode has to be told to try again now and then on a machine that is busy.
const MCP_PATIENCE_MS: u64 = 60_000;

/// Refuses a prompt that is too long.
pub fn fits(prompt: &str) -> Result<(), Problem> {
    if prompt.len() <= LONGEST_PROMPT {
        return Ok(());
    }
    let cause = format!(
        "it has {} KB, and a prompt may have {}",
        prompt.len() >> 10,
        LONGEST_PROMPT >> 10
    );
    let hint = "put the text into a file in the chat's directory and name that file";
    Err(Problem::new("sending a prompt", cause, hint))
}

/// Puts a prompt into a chat's outbox. It is typed once it is on disk: an engine that is killed loses none.
pub fn send(state: &mut Domain, chat: &ChatId, letter: Letter) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get(chat) else {
        return Vec::new();
    };
    let waiting: usize = agent.outbox.queue.iter().map(|letter| letter.prompt.text.len()).sum();
    if waiting + letter.prompt.text.len() > MOST_WAITING {
        let cause = "more prompts wait for this agent than are kept";
        let hint = "`parlour explain CHAT` says what they wait for";
        return refused(
            letter.call,
            Problem::new("sending a prompt", cause, hint).of_kind(ProblemKind::Limit),
        );
    }
    receipt::take_in(state, chat, letter)
}

/// What an earlier engine took in. Only for an agent that this engine has not run yet: later the record may still name
/// a prompt that has just arrived.
pub fn left_over(state: &Domain, chat: &ChatId) -> Outbox {
    let prompts = state
        .disk
        .chats
        .get(chat)
        .into_iter()
        .flat_map(|known| &known.record.prompts);
    let letter = |prompt| Letter {
        receipt: Receipt::left_over(),
        ..Letter::new(prompt, None)
    };
    Outbox {
        queue: prompts.cloned().map(letter).collect(),
        ..Outbox::default()
    }
}

/// Time has passed: Enter what has settled, and ask again for what has not arrived.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let waiting = state.live.agents.iter().filter(|(_, agent)| !agent.outbox.is_empty());
    let chats: Vec<ChatId> = waiting.map(|(chat, _)| chat.clone()).collect();
    chats.iter().flat_map(|chat| pump(state, chat)).collect()
}

/// Goes on with a chat's outbox as far as its agent lets it.
pub fn pump(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    if agent.outbox.typing.is_some() {
        return typing::go_on(state, chat);
    }
    let Some(letter) = agent.outbox.queue.front() else {
        return Vec::new();
    };
    match obstacle(agent, letter, now) {
        Some(Obstacle::Until(when, _)) => vec![Effect::WakeAt(when)],
        Some(Obstacle::Reason(_) | Obstacle::Person(_)) => Vec::new(),
        None if !is_marked(agent, letter) => mark(agent),
        None if !letter.receipt.is_safe() => Vec::new(),
        None => typing::begin(state, chat),
    }
}

/// Nothing that is known keeps the first prompt from being typed.
pub(super) fn is_ready(agent: &Agent, now: Timestamp) -> bool {
    let first = agent.outbox.queue.front();
    first.is_some_and(|letter| {
        obstacle(agent, letter, now).is_none() && is_marked(agent, letter) && letter.receipt.is_safe()
    })
}

/// What an engine types that is killed then must not be typed again by the next without a look at the transcript.
fn is_marked(agent: &Agent, letter: &Letter) -> bool {
    let is_shell = agent
        .manners
        .as_ref()
        .is_some_and(|manners| manners.ready == Ready::Foreground);
    letter.prompt.begun || letter.prompt.message.is_some() || is_shell
}

fn mark(agent: &mut Agent) -> Vec<Effect> {
    let Outbox { queue, ledger, .. } = &mut agent.outbox;
    if let Some(letter) = queue.front_mut() {
        letter.prompt.begun = true;
        letter.changed(ledger);
    }
    Vec::new()
}

/// The prompts that wait for a chat's agent and why, in words.
pub fn waiting(state: &Domain, chat: &ChatId) -> Option<String> {
    let live = state.live.agents.get(chat);
    if live.is_some_and(Agent::has_held_keys) {
        return Some("typing a prompt · your keys follow".into());
    }
    let (count, why) = match live {
        Some(agent) => (agent.outbox.queue.len(), held_by(agent, state.now)?),
        None => (left_over(state, chat).queue.len(), NOT_RUNNING),
    };
    match count {
        0 => None,
        1 => Some(format!("1 prompt queued · {why}")),
        many => Some(format!("{many} prompts queued · {why}")),
    }
}

/// Why the next prompt is not typed yet, in words; `None` where nothing waits or nothing stands in its way.
pub fn held_by(agent: &Agent, now: Timestamp) -> Option<&'static str> {
    first_obstacle(agent, now).map(|obstacle| obstacle.why())
}

/// What keeps the next prompt from being typed.
pub fn first_obstacle(agent: &Agent, now: Timestamp) -> Option<Obstacle> {
    obstacle(agent, agent.outbox.queue.front()?, now)
}

const WAITS_FOR_YOU: &str = "the agent is waiting for your answer";
const STARTING: &str = "agent still starting";
pub const NOT_RUNNING: &str = "sent when the agent runs again";

fn obstacle(agent: &Agent, letter: &Letter, now: Timestamp) -> Option<Obstacle> {
    // One that was told to stop reads what is typed no more.
    let runs = matches!(agent.process, Process::Running { .. });
    let Some(manners) = agent.manners.as_ref().filter(|_| runs) else {
        return Some(Obstacle::Reason(match agent.is_live() {
            true => STARTING,
            false => NOT_RUNNING,
        }));
    };
    let asks = matches!(agent.verdict.status, Status::NeedsYou(_));
    match manners.ready {
        Ready::Foreground => return None,
        // Also before its session: a CLI asks whether it may trust a directory first of all.
        _ if asks => return Some(Obstacle::Person(WAITS_FOR_YOU)),
        Ready::Nothing => return Some(Obstacle::Person("nothing tells when this agent waits for a prompt")),
        Ready::Hooks if !agent.session_began => return Some(Obstacle::Reason(STARTING)),
        Ready::Hooks | Ready::Composer | Ready::Screen => {}
    }
    if (letter.prompt.begun || letter.prompt.message.is_some()) && !agent.read_up {
        return Some(Obstacle::Reason("looking in the agent's transcript, which may have it"));
    }
    if now < agent.composes_from {
        return Some(Obstacle::Until(agent.composes_from, STARTING));
    }
    let patience = agent.started.plus_ms(MCP_PATIENCE_MS);
    if manners.awaits_mcp && !agent.mcp_connected && now < patience {
        return Some(Obstacle::Until(patience, "the agent is connecting to parlour's tools"));
    }
    match &agent.verdict.status {
        Status::Idle(_) | Status::Error(_) => sight::in_the_way(agent, now),
        Status::Running(_) if manners.queues && !letter.prompt.follow_up => sight::in_the_way(agent, now),
        Status::Running(_) | Status::Retrying(_) => Some(Obstacle::Reason("sent when this turn ends")),
        Status::NeedsYou(_) => Some(Obstacle::Person(WAITS_FOR_YOU)),
        Status::Starting => Some(Obstacle::Reason(STARTING)),
        Status::Exited(_) | Status::Hibernated => Some(Obstacle::Reason(NOT_RUNNING)),
        Status::Unknown(_) => Some(Obstacle::Reason("it is not known whether the agent waits for a prompt")),
    }
}

/// The process is gone: what it may have lost, and what was being typed, is the first to be looked for and typed when it
/// runs again.
pub fn take_back(state: &mut Domain, chat: &ChatId) {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return;
    };
    let outbox = &mut agent.outbox;
    let heard = outbox.heard.drain(..).map(|heard| heard.letter);
    let doubted = outbox.doubted.drain(..);
    let typing = outbox.typing.take().map(|typing| typing.letter);
    let mut queue: VecDeque<Letter> = heard.chain(doubted).chain(typing).collect();
    queue.append(&mut outbox.queue);
    outbox.queue = queue;
    // Keys that waited have nowhere to go, and the next process has a composer of its own.
    agent.keys = Keys::default();
    agent.outbox.sight = Sight::default();
}

/// The process is gone: who waits for a prompt to arrive is told so. What was not typed stays for the next start.
pub fn ended(state: &mut Domain, chat: &ChatId, why: &str) -> Vec<Effect> {
    take_back(state, chat);
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let mut effects = Vec::new();
    for letter in agent.outbox.queue.iter_mut().filter(|letter| letter.receipt.is_safe()) {
        let Some(call) = letter.call.take() else {
            continue;
        };
        let answer = match letter.receipt.patient {
            true => {
                let hint = "the prompt is queued, and sent when the agent runs again: `parlour resume CHAT`";
                Err(Problem::busy(
                    "waiting for a prompt's delivery",
                    format!("the agent {why}"),
                    hint,
                ))
            }
            false => {
                let why = format!("the agent {why}; sent when it runs again: `parlour resume CHAT`");
                Ok(receipt::queued(&why, &letter.prompt.key))
            }
        };
        effects.push(Effect::Reply(call, answer));
    }
    effects
}

pub(super) fn refused(call: Option<CallId>, problem: Problem) -> Vec<Effect> {
    call.map(|call| Effect::Reply(call, Err(problem))).into_iter().collect()
}

/// Starts the agent where it does not run, then sends.
pub fn send_to_any(state: &mut Domain, chat: &ChatId, letter: Letter, env: BTreeMap<String, String>) -> Vec<Effect> {
    if state.live.agents.get(chat).is_some_and(Agent::stays_up) {
        return send(state, chat, letter);
    }
    if let Some(problem) = agent::refusal(state, chat) {
        return refused(letter.call, problem);
    }
    let mut effects = agent::resume(state, chat, env, Asker::Nobody);
    effects.extend(send(state, chat, letter));
    effects
}
