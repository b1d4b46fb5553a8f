//! A request that the provider refused, for a limit say, and that the CLI makes again: until then the agent does not work.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::model::{Activity, ChatId, Happened, Source, Status, Timestamp, Zone};

use super::state::Agent;
use super::status;

/// How long behind its time a retry counts that nothing came of yet: then the request is under way.
const LATE_MS: u64 = 1_000;

/// How long a retry counts that has no time, once its screen shows it: until the look after next.
const UNTIMED_MS: u64 = 2 * status::RETRIES_EVERY_MS;

/// The screen counts the seconds down, so each look finds the same time but for a second or two.
const SAME_MS: u64 = 2_500;

/// Whether its screen may say that it waits, to retry or for a person, and nothing else would.
pub fn is_to_be_looked_for(agent: &Agent, now: Timestamp) -> bool {
    let shows = agent
        .capabilities
        .as_ref()
        .is_some_and(|capabilities| capabilities.shows_retries || capabilities.asks_on_screen);
    let thinks = match agent.verdict.status {
        Status::Running(None) | Status::Retrying(_) => true,
        Status::Running(Some(_))
        | Status::Starting
        | Status::NeedsYou(_)
        | Status::Idle(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Exited(_)
        | Status::Hibernated
        | Status::Unknown(_) => false,
    };
    let is_due = |since: Timestamp| now.ms_since(since) >= agent.looks_for_retries_after(now);
    shows && thinks && is_due(agent.since) && is_due(agent.looked)
}

/// Its screen says that a request is made again: told once, though it is seen again and again.
pub fn shown(state: &mut Domain, chat: &ChatId, told: Happened) -> Vec<Effect> {
    let (now, zone) = (state.now, state.live.facts.zone);
    let Some((agent, retry)) = state.live.agents.get(chat).zip(Retry::of(&told)) else {
        return Vec::new();
    };
    let works = matches!(agent.verdict.status, Status::Running(None) | Status::Retrying(_));
    let known = agent.signals.get(&Source::Transcript).map(|known| &known.activity);
    let same = match known {
        Some(Activity::Retrying { what, until: known }) => match retry.until {
            Some(_) => {
                let due = retry.counts_until(now);
                known.ms_since(due).max(due.ms_since(*known)) < SAME_MS && what.ends_with(&retry.count())
            }
            None => *what == retry.words(zone),
        },
        Some(_) | None => false,
    };
    if !works || same && retry.until.is_some() {
        return Vec::new();
    }
    let mut effects = heard(state, chat, &told, now);
    if !same {
        effects.extend(chat::append(state, chat, vec![told]));
    }
    effects.extend(status::reassess(state, chat));
    effects
}

/// A retry says how the agent stands; whatever the model says behind one ends it.
pub fn heard(state: &mut Domain, chat: &ChatId, what: &Happened, at: Timestamp) -> Vec<Effect> {
    let zone = state.live.facts.zone;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    match what {
        Happened::Retry { .. } => {
            let Some(retry) = Retry::of(what) else {
                return Vec::new();
            };
            let (what, until) = (retry.words(zone), retry.counts_until(at));
            let activity = Activity::Retrying { what, until };
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
        | Happened::Summary { .. }
        | Happened::Background { .. }
        | Happened::Message { .. }
        | Happened::Cwd { .. }
        | Happened::Subagent { .. }
        | Happened::SubagentText { .. }
        | Happened::Interrupt { .. }
        | Happened::Note { .. }
        | Happened::Revert { .. }
        | Happened::Unknown { .. } => Vec::new(),
    }
}

/// A retry that was told.
struct Retry<'a> {
    message: &'a str,
    attempt: u64,
    attempts: Option<u64>,
    until: Option<Timestamp>,
}

impl Retry<'_> {
    fn of(told: &Happened) -> Option<Retry<'_>> {
        let Happened::Retry {
            message,
            attempt,
            attempts,
            until,
        } = told
        else {
            return None;
        };
        Some(Retry {
            message,
            attempt: *attempt,
            attempts: *attempts,
            until: *until,
        })
    }

    fn words(&self, zone: Zone) -> String {
        let mut words = self.message.to_string();
        if let Some(until) = self.until {
            words += &format!(" · next try at {}", zone.wall(until).format("%H:%M:%S"));
        }
        words += &self.count();
        words
    }

    fn count(&self) -> String {
        match self.attempts {
            Some(attempts) => format!(" · attempt {} of {attempts}", self.attempt),
            None => format!(" · attempt {}", self.attempt),
        }
    }

    /// Told at this moment, it says how the agent stands until then.
    fn counts_until(&self, at: Timestamp) -> Timestamp {
        let due = self.until.unwrap_or(at.plus_ms(UNTIMED_MS));
        due.plus_ms(LATE_MS)
    }
}
