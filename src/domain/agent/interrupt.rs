//! Turns that ended early and of which the CLI tells nothing: those that parlour broke off, since Claude Code writes no line
//! where a prompt is taken back before it was answered, and those that ended with an earlier process.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::model::{Activity, ChatId, Happened, Signal, Source, Timestamp};

use super::state::Agent;
use super::state::outbox::{InFlight, PromptStage};
use super::{acknowledgement, status};

/// How long the CLI's own word of it is waited for.
const TOLD_MS: u64 = 1_500;

/// Why a turn ended that parlour broke off.
pub(super) const BROKEN_OFF: &str = "by a person";

/// Why a turn was cut of which an earlier process got the prompt.
const ENDED_WITH_PROCESS: &str = "the agent's process ended during its turn";

/// Where it works on by then, the key did nothing.
const HEARD_MS: u64 = 6_000;

impl Agent {
    /// Its turn is being broken off, where one goes on or its prompt was just entered: of that, its hook may tell later.
    /// A shell has no turns.
    pub(super) fn breaks_turn_off(&mut self, now: Timestamp) -> Vec<Effect> {
        if self.is_shell() {
            return Vec::new();
        }
        let works = self.is_working() || self.shows_dialog();
        let is_entered = |typing: &InFlight| typing.stage != PromptStage::Pasted;
        if !works && !self.outbox.typing.as_ref().is_some_and(is_entered) {
            return Vec::new();
        }
        self.turn.broken.since = Some(now);
        self.turn.broken.early = !works;
        [TOLD_MS, HEARD_MS].map(|ms| Effect::WakeAt(now.plus_ms(ms))).into()
    }

    /// Its turn was broken off, and its last words may be under way.
    pub(in crate::domain) fn is_breaking_off(&self) -> bool {
        self.turn.broken.since.is_some()
    }

    /// Its turn was broken off, it rests, and nothing tells why.
    fn notices_break(&mut self, now: Timestamp) -> bool {
        let Some(broken_off) = self.turn.broken.since else {
            return false;
        };
        let since = now.ms_since(broken_off);
        let rests = since >= TOLD_MS && (self.verdict.status.is_idle() || self.never_began(broken_off, now));
        if rests || since >= HEARD_MS {
            self.turn.broken.since = None;
        }
        rests
    }
}

impl Agent {
    /// Its CLI got the key before it began. Only its hook ever told of the turn: not since the key, or not since it began if
    /// the hook was the later of the two. All else that tells of the agent says that it rests.
    fn never_began(&self, broken_off: Timestamp, now: Timestamp) -> bool {
        let since = broken_off.max(self.turn.began);
        let (hook, others): (Vec<&Signal>, Vec<&Signal>) =
            self.signals.values().partition(|signal| signal.source == Source::Hook);
        let told_before = !hook.is_empty() && hook.iter().all(|signal| signal.at <= since);
        let rest = !others.is_empty() && others.iter().all(|signal| signal.activity == Activity::Idle);
        now.ms_since(since) >= TOLD_MS && told_before && rest && self.turn.tools.is_empty()
    }
}

/// A line of the agent's CLI, written at this moment. Of what was written before its process began it is noted whether it
/// leaves a prompt without an answer; and what breaks a turn off of which nobody heard then, nobody did by a key. `None`
/// where it is told already that the turn was cut: a CLI that is ended with the engine may write that down itself.
pub(super) fn before_the_process(
    state: &mut Domain,
    chat: &ChatId,
    what: Happened,
    at: Timestamp,
    effects: &mut Vec<Effect>,
) -> Option<Happened> {
    let now = state.now;
    let agent = state.live.agents.get_mut(chat);
    let Some(agent) = agent.filter(|agent| at < agent.started) else {
        return Some(what);
    };
    let before = agent.turn.unanswered;
    let is_told = agent.interrupted && before.is_none();
    let is_cut = matches!(what, Happened::Interrupt { .. } | Happened::Error { .. });
    if matches!(what, Happened::Prompt { .. }) {
        // That it was cut may be told already, by the engine that came after.
        agent.turn.unanswered = (!agent.interrupted).then_some(now);
    } else if is_cut || what.is_answer() {
        agent.turn.unanswered = None;
    }
    effects.extend(
        agent
            .turn
            .unanswered
            .map(|since| Effect::WakeAt(since.plus_ms(TOLD_MS))),
    );
    match what {
        Happened::Interrupt { .. } if is_told => None,
        Happened::Interrupt { .. } if before.is_some() => Some(Happened::Interrupt {
            cause: ENDED_WITH_PROCESS.into(),
        }),
        what => Some(what),
    }
}

impl Agent {
    /// What was said before its process began is read: a prompt that had no answer by then gets none.
    fn gives_up_answer(&mut self) -> bool {
        let is_cut = self.turn.unanswered.take().is_some() && !self.interrupted;
        self.interrupted |= is_cut;
        is_cut
    }
}

/// All that was said before its process began is read.
pub(super) fn read_up(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let agent = state.live.agents.get_mut(chat);
    if !agent.is_some_and(Agent::gives_up_answer) {
        return Vec::new();
    }
    let cause = ENDED_WITH_PROCESS.to_string();
    let mut effects = chat::append(state, chat, vec![Happened::Interrupt { cause }]);
    effects.extend(status::reassess(state, chat));
    effects
}

/// Time has passed.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let is_due = |agent: &Agent| {
        let since = agent.turn.unanswered.filter(|_| agent.read_up);
        since.is_some_and(|since| now.ms_since(since) >= TOLD_MS)
    };
    let due = state.live.agents.awake().filter(|(_, agent)| is_due(agent));
    let due: Vec<ChatId> = due.map(|(chat, _)| chat.clone()).collect();
    let unanswered: Vec<Effect> = due.iter().flat_map(|chat| read_up(state, chat)).collect();
    let agents = state.live.agents.awake_mut();
    let silent: Vec<ChatId> = agents
        .filter_map(|(chat, agent)| agent.notices_break(now).then(|| chat.clone()))
        .collect();
    let mut effects = unanswered;
    for chat in silent {
        let Some(agent) = state.live.agents.get_mut(&chat) else {
            continue;
        };
        let cause = BROKEN_OFF.to_string();
        let told = agent.told_interrupted(Happened::Interrupt { cause }, now);
        effects.extend(chat::append(state, &chat, told));
        effects.extend(acknowledgement::let_go_of_broken_off(state, &chat));
        effects.extend(status::reassess(state, &chat));
    }
    effects
}
