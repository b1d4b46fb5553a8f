//! A request that the provider refused, for a limit say, and that the CLI makes again: until then the agent does not work.

use crate::app::chat;
use crate::app::effect::Effect;
use crate::app::state::{Agent, State};
use crate::model::{Activity, ChatId, Happened, Signal, Source, Status, Timestamp};

use super::status;

/// How long behind its time a retry counts that nothing came of yet: then the request is under way.
const LATE_MS: u64 = 1_000;

/// An agent that works without a tool and says nothing for so long may wait to retry, and so often it is looked at.
pub const LOOK_EVERY_MS: u64 = 3_000;

/// The screen counts the seconds down, so each look finds the same time but for a second or two.
const SAME_MS: u64 = 2_500;

/// Whether its screen may say that it waits to retry, and nothing else would.
pub fn is_to_be_looked_for(agent: &Agent, now: Timestamp) -> bool {
    let shows = agent.manners.as_ref().is_some_and(|manners| manners.shows_retries);
    let thinks = match agent.verdict.status {
        Status::Running(None) => true,
        Status::Retrying(_)
        | Status::Running(Some(_))
        | Status::Starting
        | Status::NeedsYou(_)
        | Status::Idle
        | Status::Error(_)
        | Status::Exited(_)
        | Status::Hibernated
        | Status::Unknown(_) => false,
    };
    let is_due = |since: Timestamp| now.ms_since(since) >= LOOK_EVERY_MS;
    shows && thinks && is_due(agent.since) && is_due(agent.looked)
}

/// Its screen says that a request is made again: told once, though it is seen again and again.
pub fn shown(state: &mut State, chat: &ChatId, told: Happened) -> Vec<Effect> {
    let now = state.now;
    let (Some(agent), Happened::Retry { until: Some(until), .. }) = (state.live.agents.get(chat), &told) else {
        return Vec::new();
    };
    let works = matches!(agent.verdict.status, Status::Running(None) | Status::Retrying(_));
    let known = agent.signals.get(&Source::Transcript).map(|known| &known.activity);
    let same = match known {
        Some(Activity::Retrying { until: known, .. }) => {
            let due = until.plus_ms(LATE_MS);
            known.ms_since(due).max(due.ms_since(*known)) < SAME_MS
        }
        Some(_) | None => false,
    };
    if !works || same {
        return Vec::new();
    }
    let mut effects = heard(state, chat, &told, now);
    effects.extend(chat::append(state, chat, vec![told]));
    effects.extend(status::reassess(state, chat));
    effects
}

/// A retry says how the agent stands; whatever the model says behind one ends it.
pub fn heard(state: &mut State, chat: &ChatId, what: &Happened, at: Timestamp) -> Vec<Effect> {
    let zone = state.live.facts.zone;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    match what {
        Happened::Retry {
            message,
            attempt,
            attempts,
            until,
        } => {
            let due = until.unwrap_or(at);
            let mut words = message.clone();
            if until.is_some() {
                words += &format!(" · next try at {}", zone.wall(due).format("%H:%M:%S"));
            }
            words += &match attempts {
                Some(attempts) => format!(" · attempt {attempt} of {attempts}"),
                None => format!(" · attempt {attempt}"),
            };
            let until = due.plus_ms(LATE_MS);
            let activity = Activity::Retrying { what: words, until };
            agent.signal_from(Source::Transcript, activity, "the provider refused a request", at);
            vec![Effect::WakeAt(until)]
        }
        Happened::Text { .. } | Happened::Thinking { .. } | Happened::ToolStart { .. } | Happened::Usage { .. } => {
            let told = agent.signals.get(&Source::Transcript);
            if told.is_some_and(|signal| signal.retries() && signal.at <= at) {
                agent.signals.remove(&Source::Transcript);
            }
            Vec::new()
        }
        Happened::Session { .. }
        | Happened::Prompt { .. }
        | Happened::ToolEnd { .. }
        | Happened::Permission { .. }
        | Happened::Status { .. }
        | Happened::Error { .. }
        | Happened::Compaction { .. }
        | Happened::Message { .. }
        | Happened::Cwd { .. }
        | Happened::Subagent { .. }
        | Happened::Interrupt { .. }
        | Happened::Note { .. }
        | Happened::Unknown { .. } => Vec::new(),
    }
}

/// Whether a signal still says something at this moment.
pub(super) fn counts(signal: &Signal, now: Timestamp) -> bool {
    match signal.activity {
        Activity::Retrying { until, .. } => now < until,
        Activity::Starting
        | Activity::Busy(_)
        | Activity::Waiting(_)
        | Activity::Idle
        | Activity::Background(_)
        | Activity::Failed(_)
        | Activity::Ended(_) => true,
    }
}
