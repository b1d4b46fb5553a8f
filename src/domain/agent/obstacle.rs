//! What keeps the next prompt from being typed.

use crate::model::{Ready, Status, Timestamp};

use super::composer_state;
use super::keys::RESTS_MS;
use super::shell_prompt;
use super::state::outbox::{Obstacle, QueuedPrompt};
use super::state::{Agent, Process};

/// How long a first prompt waits for the agent's MCP connection: without our tools an agent works beside its projects, and
/// OpenCode has to be told to try again now and then on a machine that is busy.
pub(super) const MCP_PATIENCE_MS: u64 = 60_000;

pub(super) const WAITS_FOR_YOU: &str = "the agent is waiting for your answer";

pub(super) const STARTING: &str = "agent still starting";

/// What is typed before its dialog is gone would go there.
const CLOSES: &str = "the agent's dialog has just been answered";

/// A program that has the shell's terminal would take a command for its own input.
const IN_SHELL: &str = "sent when the program in the shell has ended";

const TYPING_IN_SHELL: &str = "you type in the shell";

pub(super) const TURN_ENDS: &str = "sent when this turn ends";

/// A prompt that would steer, for an agent whose CLI has no use for that.
pub(super) const NOT_STEERED: &str = "its CLI takes no prompt while it works: sent when this turn ends";

pub(super) const TIMED: &str = "sent when its time comes";

pub(super) const DOUBTED: &str = "entered, and the agent gave no sign of having taken it";

pub(super) const BEHIND: &str = "sent after the prompts before it";

pub(super) const UNWRITTEN: &str = "it cannot be written to disk, which is tried again";

/// How long somebody may be busy with what stands in a prompt's way.
const LEFT_ALONE_MS: u64 = 10_000;

pub const NOT_RUNNING: &str = "sent when the agent runs again";

/// Why the next prompt is not typed yet, in words; `None` where nothing waits or nothing stands in its way.
pub fn held_by(agent: &Agent, now: Timestamp) -> Option<&'static str> {
    first_obstacle(agent, now).map(|obstacle| obstacle.why())
}

/// What keeps the next prompt from being typed.
pub fn first_obstacle(agent: &Agent, now: Timestamp) -> Option<Obstacle> {
    obstacle(agent, agent.outbox.queue.front()?, now)
}

/// Why the next prompt of an agent that rests is not typed before a person looks at the agent.
pub fn needs_person(agent: &Agent, now: Timestamp) -> Option<&'static str> {
    match first_obstacle(agent, now)? {
        // A budget has words and a place of its own.
        _ if agent.outbox.held.is_some() => None,
        Obstacle::Person(why) if now >= needs_person_from(agent) => Some(why),
        Obstacle::Until(..) | Obstacle::Reason(_) | Obstacle::Person(_) => None,
    }
}

/// What stands in the way is left alone from then on, if it stays.
pub(super) fn needs_person_from(agent: &Agent) -> Timestamp {
    unchanged_since(agent).plus_ms(LEFT_ALONE_MS)
}

/// Since when its composer shows what it shows now.
pub fn unchanged_since(agent: &Agent) -> Timestamp {
    match agent.is_shell() {
        // Nobody looks into its prompt as into a composer.
        true => agent.keys.last.unwrap_or(agent.since),
        false => agent.outbox.composer_state.since,
    }
}

/// Nothing that is known keeps the first prompt from being typed.
pub(super) fn is_ready(agent: &Agent, now: Timestamp) -> bool {
    let first = agent.outbox.queue.front();
    first.is_some_and(|queued_prompt| {
        obstacle(agent, queued_prompt, now).is_none()
            && is_marked(agent, queued_prompt)
            && queued_prompt.receipt.is_safe()
    })
}

/// What an engine types that is killed then must not be typed again by the next without a look at the transcript.
pub(super) fn is_marked(agent: &Agent, queued_prompt: &QueuedPrompt) -> bool {
    queued_prompt.prompt.begun || queued_prompt.prompt.message.is_some() || agent.is_shell()
}

fn in_shell(agent: &Agent, now: Timestamp) -> Option<Obstacle> {
    if matches!(agent.verdict.status, Status::Running(_)) {
        return Some(Obstacle::Reason(IN_SHELL));
    }
    // Before their keys rest the screen does not show yet what stands there.
    let rests_from = agent.keys.last.map(|last| last.plus_ms(RESTS_MS));
    let begun = shell_prompt::begun(agent, now);
    match rests_from.filter(|from| now < *from) {
        Some(from) => Some(Obstacle::Until(from, begun.unwrap_or(TYPING_IN_SHELL))),
        None => begun.map(Obstacle::Person),
    }
}

pub(super) fn obstacle(agent: &Agent, queued_prompt: &QueuedPrompt, now: Timestamp) -> Option<Obstacle> {
    if queued_prompt.receipt.unwritten {
        return Some(Obstacle::Reason(UNWRITTEN));
    }
    if let Some(at) = queued_prompt.prompt.not_before.filter(|at| *at > now) {
        return Some(Obstacle::Until(at, TIMED));
    }
    // One that was told to stop reads what is typed no more.
    let runs = matches!(agent.process, Process::Running { .. });
    let Some(capabilities) = agent.capabilities.as_ref().filter(|_| runs) else {
        return Some(Obstacle::Reason(match agent.is_live() {
            true => STARTING,
            false => NOT_RUNNING,
        }));
    };
    if let Some(budget) = agent.outbox.held {
        return Some(Obstacle::Person(budget));
    }
    let asks = agent.shows_dialog();
    match capabilities.ready {
        Ready::Foreground => {
            return in_shell(agent, now);
        }
        // Also before its session: a CLI asks whether it may trust a directory first of all.
        _ if asks => return Some(Obstacle::Person(WAITS_FOR_YOU)),
        Ready::Nothing => return Some(Obstacle::Person("nothing tells when this agent waits for a prompt")),
        Ready::Hooks if !agent.session_began => return Some(Obstacle::Reason(STARTING)),
        Ready::Hooks | Ready::Composer | Ready::Screen => {}
    }
    if (queued_prompt.prompt.begun || queued_prompt.prompt.message.is_some()) && !agent.read_up {
        return Some(Obstacle::Reason("looking in the agent's transcript, which may have it"));
    }
    if now < agent.composes_from {
        let why = if agent.draws_session(now) { STARTING } else { CLOSES };
        return Some(Obstacle::Until(agent.composes_from, why));
    }
    let patience = agent.started.plus_ms(MCP_PATIENCE_MS);
    if capabilities.awaits_mcp && !agent.mcp_connected && now < patience {
        return Some(Obstacle::Until(patience, "the agent is connecting to parlour's tools"));
    }
    match &agent.verdict.status {
        Status::Idle(_) | Status::Error(_) | Status::Limited(_) | Status::LoggedOut(_) => {
            composer_state::in_the_way(agent, now)
        }
        Status::Running(_) if capabilities.queues && !queued_prompt.prompt.follow_up => {
            composer_state::in_the_way(agent, now)
        }
        Status::Running(_) if !capabilities.queues && !queued_prompt.prompt.follow_up => {
            Some(Obstacle::Reason(NOT_STEERED))
        }
        Status::Running(_) | Status::Retrying(_) => Some(Obstacle::Reason(TURN_ENDS)),
        Status::NeedsYou(_) => Some(Obstacle::Person(WAITS_FOR_YOU)),
        Status::Starting => Some(Obstacle::Reason(STARTING)),
        Status::Exited(_) | Status::Hibernated => Some(Obstacle::Reason(NOT_RUNNING)),
        Status::Unknown(_) => Some(Obstacle::Reason("it is not known whether the agent waits for a prompt")),
    }
}
