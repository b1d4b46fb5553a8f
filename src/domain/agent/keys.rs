//! The keys of a person at an agent: they wait until its process is there and while a prompt is typed, and follow in their
//! order.

use crate::domain::approval::question::Question;
use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::state::Domain;
use crate::model::{Capabilities, ChatId, Ready, Status, Timestamp};
use crate::term::mouse;

use super::draft::FOCUS;
pub(super) use super::draft::RESTS_MS;
use super::shell_prompt;
use super::state::outbox::PromptStage;
use super::state::{Agent, Process};

/// Enter behind another one so soon answers or chooses something.
const TURN_RESTS_MS: u64 = 5_000;

/// Keys that break a turn off, also as the kitty protocol reports them.
const BREAKING: [&[u8]; 4] = [b"\x1b", b"\x03", b"\x1b[27u", b"\x1b[99;5u"];

/// How many bytes of keys wait at most.
const MOST_HELD: usize = 64 << 10;

impl Agent {
    pub fn has_held_keys(&self) -> bool {
        !self.keys.held.is_empty()
    }

    /// Its CLI says nothing of prompts: what parlour and a person type is all there is. A shell has none.
    pub(super) fn tells_no_prompt(&self) -> bool {
        let is_silent = |known: &Capabilities| !known.confirms && known.ready != Ready::Foreground;
        self.capabilities.as_ref().is_some_and(is_silent)
    }

    /// A person has pressed Enter, which may begin a turn that nobody else tells of.
    fn enters_after_a_rest(&mut self, now: Timestamp) -> bool {
        let before = self.keys.entered.replace(now);
        let rested = before.is_none_or(|before| now.ms_since(before) >= TURN_RESTS_MS);
        // While a prompt stands in its composer, such a CLI mostly seems to work.
        let asks = self.shows_dialog();
        rested && !asks && self.tells_no_prompt()
    }

    /// Enter may begin a turn of which its CLI tells later.
    fn may_begin_turn(&self) -> bool {
        let Some(known) = self.capabilities.as_ref().filter(|known| known.confirms) else {
            return false;
        };
        // Known by its screen alone, it seems to work as soon as something stands in its composer.
        let only_seems_to_work =
            known.ready == Ready::Screen && !self.draft.is_empty() && self.keys.draft_began_at_rest;
        self.rests() || only_seems_to_work
    }

    /// Its process is not there yet. What is typed meanwhile waits for that of a shell, as any terminal keeps it.
    pub fn awaits_its_start(&self) -> bool {
        self.process == Process::Preparing && !self.rest.wakes
    }

    /// Text of several lines would be run or sent line by line: how it is to be framed only the program tells.
    fn keep_for_its_start(&mut self, bytes: Vec<u8>) {
        let kept: usize = self.keys.before_start.iter().map(Vec::len).sum();
        let is_lines = bytes.len() > 1 && bytes.contains(&b'\r');
        if !is_lines && kept + bytes.len() <= MOST_HELD {
            self.keys.before_start.push(bytes);
        }
    }

    pub(super) fn rests(&self) -> bool {
        matches!(self.verdict.status, Status::Idle(_) | Status::Unknown(_))
    }

    pub(super) fn holds_keys(&self, now: Timestamp) -> bool {
        let runs = matches!(self.process, Process::Running { .. });
        let asks = self.shows_dialog();
        let typing = self.outbox.typing.as_ref();
        runs && !asks && typing.is_some_and(|typing| typing.stage != PromptStage::Taken && now < typing.holds_until)
    }
}

/// Keys, a paste or the mouse of a person.
pub fn press(state: &mut Domain, chat: &ChatId, bytes: Vec<u8>) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    if agent.awaits_its_start() {
        agent.keep_for_its_start(bytes);
        return Vec::new();
    }
    if agent.draft.is_empty() {
        agent.keys.draft_began_at_rest = agent.rests();
    }
    if bytes.ends_with(b"\r") {
        agent.quiescence.asked = true;
        if agent.enters_after_a_rest(now) {
            state.live.reviews.sent(chat, "");
        } else if agent.may_begin_turn() {
            state.live.reviews.entered.insert(chat.clone());
        }
    }
    if !agent.holds_keys(now) && agent.keys.held.is_empty() {
        return vec![pass(agent, chat, now, bytes)];
    }
    agent.keys.held.push(bytes);
    let held: usize = agent.keys.held.iter().map(Vec::len).sum();
    if held > MOST_HELD
        && let Some(typing) = agent.outbox.typing.as_mut()
    {
        typing.holds_until = now;
    }
    release(agent, chat, now)
}

pub(super) fn pass(agent: &mut Agent, chat: &ChatId, now: Timestamp, bytes: Vec<u8>) -> Effect {
    // A key that answers a question, or chooses an answer, is not written into the composer.
    let is_key = bytes.len() == 1 || (bytes.starts_with(b"\x1b") && !bytes.starts_with(b"\x1b[200~"));
    let answers = agent.shows_dialog() && is_key;
    if agent.is_shell() {
        shell_prompt::typed(agent, &bytes);
    } else if !answers {
        agent.draft.typed(&bytes);
    }
    let mouse = mouse::is_press(&bytes);
    if mouse.is_none() {
        agent.keys.last = Some(now);
        let chooses = !BREAKING.contains(&bytes.as_slice()) && !FOCUS.contains(&bytes.as_slice());
        let composer_state = &mut agent.outbox.composer_state;
        composer_state.settled |= chooses;
        composer_state.is_touched = true;
    }
    if mouse.unwrap_or(!FOCUS.contains(&bytes.as_slice())) {
        agent.turn.asking_mut().for_each(Question::touch);
    }
    Effect::Pane(chat.clone().into(), PaneOrder::Input(bytes))
}

/// Gives the terminal the keys that waited, once nothing is typed any more.
fn release(agent: &mut Agent, chat: &ChatId, now: Timestamp) -> Vec<Effect> {
    if agent.holds_keys(now) {
        return Vec::new();
    }
    let held = std::mem::take(&mut agent.keys.held);
    held.into_iter().map(|bytes| pass(agent, chat, now, bytes)).collect()
}

/// What was typed before its process was there. An agent's first screen may be a dialog, which no key from before answers.
fn after_start(agent: &mut Agent, chat: &ChatId, now: Timestamp) -> Vec<Effect> {
    let kept = std::mem::take(&mut agent.keys.before_start);
    let takes = agent.is_shell() && matches!(agent.process, Process::Running { .. });
    let kept = kept.into_iter().filter(|_| takes);
    kept.map(|bytes| pass(agent, chat, now, bytes)).collect()
}

/// After every event: no keys wait for longer than they have to.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let mut effects = Vec::new();
    for (chat, agent) in state.live.agents.awake_mut() {
        if !agent.keys.before_start.is_empty() && !agent.awaits_its_start() {
            effects.extend(after_start(agent, chat, now));
        }
        if agent.has_held_keys() {
            effects.extend(release(agent, chat, now));
        }
    }
    effects
}
