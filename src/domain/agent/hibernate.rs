//! Agents that rest are stopped after a while, and are back as soon as somebody needs them: with the same session, the
//! same screen meanwhile, and nothing lost of what is typed while they wake.

use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::model::chat::Pending;
use crate::model::entry::From;
use crate::term::{Modes, paste};

use super::state::outbox::QueuedPrompt;
use super::state::rest::TypedAhead;
use super::state::{Agent, AtEnd, Process};
use super::{delivery, keys, process, status, yielding};

/// After every event: puts to sleep who has rested long enough, wakes who is needed, and hands over what was typed to
/// who is awake.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let seen = &state.live.attention.seen;
    state.live.listeners.queried.retain(|chat| !seen.contains(chat));
    // Agents that have ended add up, and nothing is awaited of them.
    let awake = state.live.agents.awake();
    let awake = awake.filter(|(_, agent)| agent.is_live() || agent.rest.wakes);
    let chats: Vec<ChatId> = awake.map(|(chat, _)| chat.clone()).collect();
    let mut effects = Vec::new();
    for chat in chats {
        let used = state.live.attention.used.contains(&chat);
        effects.extend(rest(state, &chat, used));
        effects.extend(hand_over(state, &chat));
    }
    effects.extend(make_room(state));
    effects
}

/// Where more agents run than may since another starts, those that have rested longest are stopped for it.
fn make_room(state: &mut Domain) -> Vec<Effect> {
    let starts = |(_, agent): (&ChatId, &Agent)| agent.process == Process::Preparing;
    if !state.live.agents.awake().any(starts) {
        return Vec::new();
    }
    let stay = state.live.agents.awake().filter(|(_, agent)| agent.stays_up());
    let over = stay.count().saturating_sub(state.disk.settings.limits.live_agents);
    let chats: Vec<ChatId> = yielding::chats(state).into_iter().take(over).cloned().collect();
    chats.iter().flat_map(|chat| sleep(state, chat)).collect()
}

fn sleep(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    // Its last words would stand where a person left off.
    let mut effects = vec![Effect::Pane(chat.clone().into(), PaneOrder::Freeze)];
    effects.extend(process::end(state, chat, AtEnd::Sleep).unwrap_or_default());
    effects.extend(status::reassess(state, chat));
    effects
}

/// How long an agent that was asked from a shell waits for the next question there.
const QUERIED_MS: u64 = 5 * 60_000;

/// The chat was asked from a shell: nobody may ever look at it, and its agent is not kept for that.
pub fn queried(state: &mut Domain, chat: &ChatId) {
    if !state.live.attention.shown.contains(chat) {
        state.live.listeners.queried.insert(chat.clone());
    }
}

fn rest(state: &mut Domain, chat: &ChatId, used: bool) -> Vec<Effect> {
    let (now, minutes) = (state.now, state.disk.settings.limits.hibernate_minutes);
    let mut after_ms = (minutes * 60_000.0) as u64;
    let is_queried = state.live.listeners.queried.contains(chat);
    if is_queried && (after_ms == 0 || after_ms > QUERIED_MS) {
        after_ms = QUERIED_MS;
    }
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    if after_ms == 0 || used || !agent.is_at_rest() {
        (agent.rest.since, agent.rest.asked) = (None, None);
        return Vec::new();
    }
    let since = *agent.rest.since.get_or_insert(now);
    let due = since.plus_ms(after_ms);
    if now >= due {
        return sleep(state, chat);
    }
    match agent.rest.asked.replace(due) == Some(due) {
        true => Vec::new(),
        false => vec![Effect::WakeAt(due)],
    }
}

/// It waits for a prompt: lines that were typed meanwhile are sent like any other prompt, and what is not entered yet
/// is put into its composer once they are typed.
fn hand_over(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat).filter(|agent| agent.rest.wakes) else {
        return Vec::new();
    };
    let awake = agent.rest.hands_over || agent.verdict.status.is_idle();
    if !agent.is_live() {
        agent.rest.wakes = false;
        agent.rest.ahead = TypedAhead::default();
    }
    if !awake || !agent.is_live() {
        return Vec::new();
    }
    agent.rest.hands_over = true;
    let mut effects = Vec::new();
    for text in std::mem::take(&mut agent.rest.ahead.lines) {
        let prompt = Pending::new(text, From::Person, now);
        effects.extend(delivery::send(state, chat, QueuedPrompt::new(prompt, None)));
    }
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return effects;
    };
    let is_stuck = delivery::first_obstacle(agent, now).is_some_and(|obstacle| obstacle.is_a_persons());
    if !agent.outbox.is_empty() && !is_stuck {
        return effects;
    }
    (agent.rest.wakes, agent.rest.hands_over) = (false, false);
    let line = std::mem::take(&mut agent.rest.ahead.line);
    if !line.is_empty() {
        let modes = agent.screen.as_ref().map_or_else(Modes::default, |screen| screen.modes);
        let bytes = paste::encode(&line, &modes);
        effects.push(keys::pass(agent, chat, now, bytes));
    }
    effects
}

impl Agent {
    /// Nothing of it is awaited: it could go on later as if nothing had been.
    pub(super) fn is_at_rest(&self) -> bool {
        let runs = matches!(self.process, Process::Running { .. });
        let idle = self.verdict.status.is_idle() && self.turn.tools.is_empty();
        runs && self.rest.resumes
            && idle
            && self.background == 0
            && self.draft.is_empty()
            && self.outbox.queued_prompts().next().is_none()
            && !self.rest.wakes
    }

    /// It is stopped, or about to be, until it is needed.
    pub fn sleeps(&self) -> bool {
        self.process == Process::Asleep || self.falls_asleep()
    }

    /// What is sent to it now is for this process, not for the one that it is started as when it is needed.
    pub fn stays_up(&self) -> bool {
        self.is_live() && !self.falls_asleep()
    }

    /// It was told to stop because it rests.
    pub fn falls_asleep(&self) -> bool {
        self.at_end.last() == Some(&AtEnd::Sleep)
    }
}
