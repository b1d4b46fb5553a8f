//! What is learned of an agent beside its hooks, and when its terminal is looked at for it.

use std::collections::BTreeSet;

use crate::domain::chat;
use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::event::Observed;
use crate::domain::notice::Upward;
use crate::domain::state::Domain;
use crate::model::{Activity, Capabilities, ChatId, Happened, Ready, Signal, Source, Timestamp};
use crate::term::Screen;

use super::state::{Agent, Process, Resume};
use super::{delivery, interrupt, reported_lines, restart, retry, status};

/// How long a shell has to be at its prompt to be idle.
const BETWEEN_COMMANDS_MS: u64 = 400;

/// How often the screen of an agent is looked at until its session begins, and for how long: OpenCode takes half a
/// minute to draw its prompt on a machine that is busy. Most begin within seconds; with one that has not, it is less and
/// less likely that the next look shows something new. Where a prompt waits for it, it is looked at sooner.
pub const LOOK_EVERY_MS: u64 = 500;

/// The same where something stirred that somebody waits for.
const LOOK_SOON_MS: u64 = 60;
const LOOK_FOR_MS: u64 = 120_000;
const LOOKS_AN_AGE: u64 = 16;

/// What is learned from its files, its title and its connection.
pub fn heard(state: &mut Domain, chat: &ChatId, heard: Observed) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let effects = match heard {
        // A script is no agent's, and what a stream says is judged first.
        Observed::Script(_) | Observed::Stream(..) => return Vec::new(),
        Observed::Signals(signals) => {
            for signal in signals {
                agent.take_in(signal);
            }
            let mut effects = Vec::new();
            let awaits_turn = agent.shell.is_marked && agent.quiescence.awaits_turn(now);
            agent.stirred |= awaits_turn;
            if agent.shell.rests_since.is_some() || awaits_turn {
                agent.looked = now;
                effects.push(Effect::WakeAt(now.plus_ms(LOOK_EVERY_MS)));
            }
            effects.extend(status::reassess(state, chat));
            effects
        }
        Observed::Transcript(happened, mark) => reported_lines::transcript(state, chat, happened, mark),
        Observed::Writes(words) => {
            agent.turn.writes = words;
            Vec::new()
        }
        Observed::Retry(told) => retry::shown(state, chat, told),
        Observed::Stranger => restart::elsewhere(state, chat),
        Observed::Ready => {
            agent.session_began = true;
            agent.signals.remove(&Source::Screen);
            agent.signal(Activity::Idle, "its prompt is drawn", now);
            let mut effects = status::reassess(state, chat);
            effects.extend(delivery::pump(state, chat));
            effects
        }
        Observed::Known(keys) => {
            agent.dedup.know(keys);
            Vec::new()
        }
        Observed::WentBack(rewind) => reported_lines::went_back(state, chat, rewind),
        Observed::ReadUp => {
            agent.read_up = true;
            let mut effects = interrupt::read_up(state, chat);
            effects.extend(delivery::pump(state, chat));
            effects
        }
        Observed::TakenUp => {
            let mut effects = agent.take_up(now);
            effects.extend(status::reassess(state, chat));
            effects
        }
        Observed::AnsweredNothing => {
            agent.turn.ahead.answers_nothing(now);
            Vec::new()
        }
        Observed::McpConnected => {
            agent.mcp_connected = true;
            delivery::pump(state, chat)
        }
        Observed::Composer(glance) => delivery::glanced(state, chat, glance),
        Observed::CallFailed { tool, why } => {
            agent.turn.own.failed(tool, why);
            Vec::new()
        }
        Observed::Refused(what) => {
            let hint = "an agent may only speak for its own chat".to_string();
            let error = Happened::Error {
                place: "mcp".into(),
                message: what,
                hint,
                trouble: None,
            };
            chat::append(state, chat, vec![error])
        }
    };
    state.upward.push(Upward::Learned(chat.clone()));
    effects
}

/// Looks at the screens of agents whose session has not begun, since a question before it fires no hook, and at
/// those whose terminal alone tells what they do, where something stirred in it.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let mut effects = Vec::new();
    let is_looked_at = |agent: &Agent| agent.stirred || agent.awaits_session();
    let looked_at = state.live.agents.awake().filter(|(_, agent)| is_looked_at(agent));
    let awaited = looked_at.filter(|(chat, _)| is_awaited(state, chat));
    let awaited: BTreeSet<ChatId> = awaited.map(|(chat, _)| chat.clone()).collect();
    for (chat, agent) in state.live.agents.awake_mut() {
        let running = matches!(agent.process, Process::Running { .. });
        let young = now.ms_since(agent.started) < LOOK_FOR_MS;
        let soonest_ms = stir_ms(awaited.contains(chat));
        let due = now.ms_since(agent.looked) >= soonest_ms;
        let every_ms = (now.ms_since(agent.started) / LOOKS_AN_AGE).max(soonest_ms);
        let seeks = now.ms_since(agent.looked) >= every_ms;
        if running && seeks && young && agent.awaits_session() {
            agent.looked = now;
            effects.push(Effect::Pane(chat.clone().into(), PaneOrder::Look));
            effects.push(Effect::WakeAt(now.plus_ms(every_ms)));
        }
        if running && retry::is_to_be_looked_for(agent, now) {
            agent.looked = now;
            effects.push(Effect::Pane(chat.clone().into(), PaneOrder::Look));
            effects.push(Effect::WakeAt(now.plus_ms(agent.looks_for_retries_after(now))));
        }
        if running && agent.may_ask_on_screen(now) {
            agent.looked = now;
            effects.push(Effect::Pane(chat.clone().into(), PaneOrder::Look));
            let again = agent.looks_for_dialogs_after().filter(|_| agent.is_asked_on_screen());
            effects.extend(again.map(|ms| Effect::WakeAt(now.plus_ms(ms))));
        }
        match running && agent.stirred {
            true if due => {
                (agent.stirred, agent.looked) = (false, now);
                effects.push(Effect::Pane(chat.clone().into(), PaneOrder::Look));
            }
            // Somebody may have waited for it as it stirred, and does so no more.
            true => effects.push(Effect::WakeAt(agent.looked.plus_ms(soonest_ms))),
            false => {}
        }
    }
    let chats: Vec<ChatId> = state.live.agents.awake().map(|(chat, _)| chat.clone()).collect();
    for chat in chats {
        effects.extend(status::reassess(state, &chat));
    }
    effects
}

/// How long something may stir in the terminal of this chat's agent until that is looked at.
pub fn look_after_ms(state: &Domain, chat: &ChatId) -> u64 {
    stir_ms(is_awaited(state, chat))
}

fn stir_ms(is_awaited: bool) -> u64 {
    match is_awaited {
        true => LOOK_SOON_MS,
        false => LOOK_EVERY_MS,
    }
}

/// A prompt waits for it, or somebody for what comes of it.
fn is_awaited(state: &Domain, chat: &ChatId) -> bool {
    let has_prompts = |agent: &Agent| !agent.outbox.is_empty();
    let waits = state.live.listeners.waits.iter().any(|wait| wait.chat == *chat);
    waits || state.live.agents.get(chat).is_some_and(has_prompts)
}

pub fn unasked(at: Timestamp) -> Signal {
    Signal {
        source: Source::Screen,
        activity: Activity::Waiting("it shows something before its session begins".into()),
        because: "its screen stands still and no session has begun".into(),
        at,
    }
}

impl Agent {
    /// What it does shows in its terminal alone, which is therefore looked at whenever something stirs in it.
    pub fn shows_all(&self) -> bool {
        let by_terminal = |capabilities: &Capabilities| matches!(capabilities.ready, Ready::Foreground | Ready::Screen);
        self.capabilities.as_ref().is_some_and(by_terminal)
    }

    /// A hook says that it reads its session back.
    pub fn resumes(&mut self, now: Timestamp) {
        self.composes_from = match self.resume {
            Resume::TakenUp { drawn } => drawn,
            Resume::Unsaid | Resume::Reading { .. } => {
                let until = now.plus_ms(delivery::TAKES_UP_MS);
                self.resume = Resume::Reading { until };
                until
            }
        };
    }

    /// It goes on in the session that it was to resume, and shows it in a moment. What its transcript held before says
    /// the same of earlier starts.
    fn take_up(&mut self, now: Timestamp) -> Vec<Effect> {
        if !self.read_up {
            return Vec::new();
        }
        let drawn = now.plus_ms(delivery::DRAWS_MS);
        self.resume = Resume::TakenUp { drawn };
        self.composes_from = self.composes_from.min(drawn);
        vec![Effect::WakeAt(self.composes_from)]
    }

    /// It has a prompt and seems idle still: where its terminal alone shows its turn, it is looked at again.
    pub fn begins_unseen(&mut self, now: Timestamp) -> Vec<Effect> {
        self.quiescence.await_turn(now);
        if !self.shows_all() {
            return Vec::new();
        }
        (self.stirred, self.looked) = (true, now);
        // Where nobody waits for it, that is too early, and the clock asks for a later moment.
        vec![Effect::WakeAt(now.plus_ms(LOOK_SOON_MS))]
    }

    /// Between two commands of one job a shell has its terminal to itself for a moment: it is idle when the next look
    /// finds it so too.
    fn wait_between_commands(&mut self, signal: &Signal) -> bool {
        if signal.source != Source::Process {
            return false;
        }
        let worked = self.signals.get(&Source::Process);
        let worked = worked.is_some_and(|before| matches!(before.activity, Activity::Busy(_)));
        if signal.activity != Activity::Idle || !worked {
            self.shell.rests_since = None;
            return false;
        }
        let since = *self.shell.rests_since.get_or_insert(signal.at);
        let may_be = signal.at.ms_since(since) < BETWEEN_COMMANDS_MS;
        match may_be {
            true => self.stirred = true,
            false => self.shell.rests_since = None,
        }
        may_be
    }

    /// A title that showed a question and shows work again says what no hook does: a person answered.
    fn take_in(&mut self, signal: Signal) {
        if self.wait_between_commands(&signal) {
            return;
        }
        let (source, at) = (signal.source, signal.at);
        let busy = matches!(signal.activity, Activity::Busy(_));
        let works = source == Source::Title && busy;
        let rests = signal.activity == Activity::Idle;
        // A shell that marks the end of each command line says by that when this one is over.
        if rests && !self.shell.is_marked {
            self.quiescence.rests(at);
        }
        let asked = self.signals.insert(source, signal).is_some_and(|before| before.waits());
        match source {
            Source::SessionFile if busy => self.turn.close_questions(at),
            // It may be drawn once more just before the question shows in it.
            Source::Sign if busy && asked => self.turn.close_questions(at),
            Source::Sign | Source::Title if asked && (busy || rests) => self.turn.close_answered(at),
            Source::Process
            | Source::Hook
            | Source::SessionFile
            | Source::Transcript
            | Source::Sign
            | Source::Title
            | Source::Screen => {}
        }
        if works && asked && self.waits_by_hook() {
            self.turn.close_questions(at);
            self.signal(Activity::Busy(None), "its title shows work again", at);
        }
    }

    /// The same words have stood there for a while, and no session has begun.
    pub fn watch_still_screen(&mut self, screen: &Screen, now: Timestamp) -> bool {
        let known = self.signals.get(&Source::Screen).map(|signal| &signal.activity);
        if !self.awaits_session() || known == Some(&Activity::Starting) {
            return false;
        }
        let unchanged = self.screen.as_ref().is_some_and(|before| before.rows == screen.rows);
        if !unchanged {
            self.slow_start.still_since = now;
        }
        let known = self.signals.contains_key(&Source::Screen);
        !known && self.slow_start.stands_still(now) && !screen.text().trim().is_empty()
    }
}
