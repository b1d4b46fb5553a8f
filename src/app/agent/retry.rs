//! A request that the provider refused, for a limit say, and that the CLI makes again: until then the agent does not work.

use crate::app::effect::Effect;
use crate::app::state::State;
use crate::model::{Activity, ChatId, Happened, Signal, Source, Timestamp};

/// How long behind its time a retry counts that nothing came of yet: then the request is under way.
const LATE_MS: u64 = 1_000;

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
