//! A prompt is typed into an agent's composer, while the keys of a person wait.
//!
//! It is pasted where the screen shows an empty composer, and entered where the screen shows it to hold just that. What is
//! not known to be the composer is not typed into. From the paste until the Enter has worked, a person's keys wait, for
//! some seconds at most, and follow then in their order: neither mixes with the other. Of a CLI whose composer nobody
//! can read a person's keys tell what stands there ([`super::draft`]). What was seen is [`super::composer_state`]'s, the keys are
//! [`super::keys`]'s.

use crate::domain::chat;
use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::state::Domain;
use crate::model::{Capabilities, ChatId, Composer, Happened, Ready, Status, Timestamp};
use crate::term::{Modes, paste};

use super::acknowledgement;
use super::blind_paste::{ShownPaste, shown};
use super::composer_state::{is_just, text_of};
use super::keys::RESTS_MS;
use super::state::Agent;
use super::state::outbox::{HOLD_MS, InFlight, PromptStage};

/// Between two looks at the composer while a prompt is typed; the first ones of a paste come sooner.
const LOOK_MS: u64 = 100;
const LOOK_SOON_MS: u64 = 40;
const LOOK_LATER_MS: u64 = 500;

/// How long a CLI whose composer nobody can read may take to show a paste: then it counts as one that hides it.
const HIDES_MS: u64 = 1_000;

/// Until an Enter is sent again of which the screen shows that it did nothing.
const SWALLOWED_MS: u64 = 4_000;
const MOST_ENTERS: u8 = 2;

/// Until a prompt is left where it stands: the composer shows other text too, or Enter does nothing.
const LEAVE_MS: u64 = 30_000;

/// How long evidence may take of a prompt that was entered, where it has to be looked for in the composer once more, and
/// where it is doubted: a CLI on a machine that is busy may need that long to tell of it.
const EVIDENCE_MS: u64 = 1_500;
const LAST_EVIDENCE_MS: u64 = 15_000;

/// Nothing is known to be in the way of the first prompt: a shell gets its line, and elsewhere its screen is asked.
pub(super) fn begin(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    if agent
        .capabilities
        .as_ref()
        .is_none_or(|capabilities| capabilities.ready != Ready::Foreground)
    {
        return agent.look(chat, now);
    }
    let Some(queued_prompt) = agent.outbox.queue.pop_front() else {
        return Vec::new();
    };
    let mut line = paste::encode(&queued_prompt.prompt.text, &Modes::default());
    line.push(b'\r');
    agent.outbox.ledger.delivered(&queued_prompt);
    agent.shell.is_touched = true;
    let mut effects = vec![Effect::Pane(chat.clone().into(), PaneOrder::Input(line))];
    // Until its command shows, or has ended.
    effects.extend(agent.begins_unseen(now));
    effects
}

/// Pastes the first prompt into the composer that has just been seen to be empty. One that was left there is entered.
pub(super) fn start(agent: &mut Agent, chat: &ChatId, now: Timestamp) -> Vec<Effect> {
    let stands = agent.holds_what_was_left();
    if !stands && agent.holds_retracted() {
        return erase(agent, chat, now);
    }
    agent.outbox.composer_state.left = None;
    let (Some(queued_prompt), Some(capabilities)) = (agent.outbox.queue.pop_front(), agent.capabilities.as_ref())
    else {
        return Vec::new();
    };
    let modes = Modes {
        bracketed_paste: agent
            .outbox
            .composer_state
            .glance
            .as_ref()
            .is_some_and(|glance| glance.pastes),
        ..Modes::default()
    };
    let mut text = text_of(&queued_prompt, capabilities);
    if !modes.bracketed_paste {
        // An Enter within the prompt would send what stands before it.
        text = text.replace(['\r', '\n'], " ");
    }
    let bytes = paste::encode(&text, &modes);
    let settled = now.plus_ms(capabilities.settle_ms);
    agent.outbox.composer_state.pastes(text);
    let steers = agent.is_steered();
    let glance = agent.outbox.composer_state.glance.as_ref();
    agent.outbox.typing = Some(InFlight {
        before: glance.map(|glance| glance.text.clone()).unwrap_or_default(),
        steers,
        ..InFlight::new(queued_prompt, now)
    });
    let shown = capabilities.shown_ms.map(|ms| Effect::WakeAt(now.plus_ms(ms)));
    let mut effects = vec![Effect::WakeAt(settled), Effect::WakeAt(now.plus_ms(HOLD_MS))];
    effects.extend(shown);
    if !stands {
        effects.insert(0, Effect::Pane(chat.clone().into(), PaneOrder::Input(bytes)));
    }
    effects
}

/// Erases a prompt that was put back, once: in an empty composer the same key asks whether to leave.
fn erase(agent: &mut Agent, chat: &ChatId, now: Timestamp) -> Vec<Effect> {
    agent.outbox.composer_state.pasted = None;
    let mut effects = vec![Effect::Pane(chat.clone().into(), PaneOrder::Input(b"\x03".to_vec()))];
    effects.extend(agent.look(chat, now));
    effects
}

impl Agent {
    /// The prompt that was left in the composer is wanted no more. It is erased, unless somebody has typed there too, or
    /// the key would break a turn off.
    pub(super) fn erase_what_was_left(&mut self, chat: &ChatId, now: Timestamp) -> Vec<Effect> {
        let composer_state = &mut self.outbox.composer_state;
        composer_state.left = None;
        let holds = matches!(composer_state.composer(), Some(Composer::Holds(_) | Composer::Pasted));
        let status = &self.verdict.status;
        let rests = status.is_idle() || status.has_failed();
        match holds && rests && self.draft.is_empty() {
            true => erase(self, chat, now),
            false => Vec::new(),
        }
    }
}

/// Where the CLI tells of no prompt, the turn begins as parlour types it; else it may begin before the CLI tells of it.
pub(super) fn begins_turn(state: &mut Domain, chat: &ChatId) {
    let Some(agent) = state.live.agents.get(chat) else {
        return;
    };
    match &agent.outbox.typing {
        Some(typing) if typing.queued_prompt.prompt.command || typing.steers => {}
        Some(typing) if agent.tells_no_prompt() => state.live.reviews.sent(chat, &typing.queued_prompt.prompt.text),
        // It tells of it only beside its work.
        Some(_) => drop(state.live.reviews.entered.insert(chat.clone())),
        None => {}
    }
}

/// Time has passed, or something happened, while a prompt is typed.
pub(super) fn go_on(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let (Some(typing), Some(capabilities)) = (agent.outbox.typing.as_ref(), agent.capabilities.as_ref()) else {
        return Vec::new();
    };
    let asks = agent.shows_dialog();
    // Queued behind a tool that runs, a prompt may take minutes to show: patience begins at the turn's end.
    let queued = capabilities.queues && matches!(agent.verdict.status, Status::Running(_));
    let since = typing.at.max(agent.since);
    let (first, last) = (since.plus_ms(EVIDENCE_MS), since.plus_ms(LAST_EVIDENCE_MS));
    match typing.stage {
        PromptStage::Pasted if !capabilities.looks_at_paste(now.ms_since(typing.at)) => Vec::new(),
        // A page that a command opened may look like a question.
        PromptStage::Entered(_) | PromptStage::Taken if asks && typing.queued_prompt.prompt.command => {
            acknowledgement::assume(state, chat)
        }
        _ if asks => Vec::new(),
        PromptStage::Pasted | PromptStage::Entered(_) => agent.look(chat, now),
        PromptStage::Taken if queued => Vec::new(),
        PromptStage::Taken if now < first => vec![Effect::WakeAt(first)],
        PromptStage::Taken if !capabilities.confirms || typing.queued_prompt.prompt.command => {
            acknowledgement::assume(state, chat)
        }
        PromptStage::Taken if now < last => {
            let mut effects = agent.look(chat, now);
            effects.push(Effect::WakeAt(last));
            effects
        }
        PromptStage::Taken => doubt(state, chat),
    }
}

/// What to do about a prompt that is being typed, as the composer was just seen.
enum Next {
    Wait,
    /// As `Wait`: its screen seems to ask something.
    WaitAsked,
    Enter(u8),
    Taken,
    Leave,
}

pub(super) fn seen(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let Some(next) = next(agent, now) else {
        return Vec::new();
    };
    let Some(typing) = agent.outbox.typing.as_mut() else {
        return Vec::new();
    };
    match next {
        Next::Wait | Next::WaitAsked => {
            typing.was_asked |= matches!(next, Next::WaitAsked);
            let settles = agent
                .capabilities
                .as_ref()
                .map_or(0, |capabilities| capabilities.settle_ms);
            let apart = match now < typing.holds_until {
                true if now.ms_since(typing.at) < settles => LOOK_SOON_MS,
                true => LOOK_MS,
                false => LOOK_LATER_MS,
            };
            vec![Effect::WakeAt(now.plus_ms(apart))]
        }
        Next::Enter(times) => {
            if typing.stage == PromptStage::Taken {
                let steers = typing.steers;
                *typing = InFlight {
                    steers,
                    ..InFlight::new(typing.queued_prompt.clone(), now)
                };
            }
            (typing.stage, typing.at) = (PromptStage::Entered(times), now);
            let unread = agent.outbox.composer_state.composer().is_none();
            let mut effects = vec![Effect::Pane(chat.clone().into(), PaneOrder::Input(b"\r".to_vec()))];
            effects.push(Effect::WakeAt(now.plus_ms(LOOK_MS)));
            effects.extend(entered(state, chat));
            if unread {
                effects.extend(taken(state, chat));
            }
            effects
        }
        Next::Taken => taken(state, chat),
        Next::Leave => leave(state, chat),
    }
}

fn next(agent: &Agent, now: Timestamp) -> Option<Next> {
    let (typing, capabilities) = agent.outbox.typing.as_ref().zip(agent.capabilities.as_ref())?;
    if agent.shows_dialog() {
        return None;
    }
    let shown = agent.outbox.composer_state.glance.as_ref()?.composer.as_ref();
    // A paste of which only the size shows is this one as long as nobody else can type.
    let held = agent.holds_keys(now);
    let ours = shown.map(|shown| {
        is_just(shown, &text_of(&typing.queued_prompt, capabilities)) || held && *shown == Composer::Pasted
    });
    let (lasts, late) = (now.ms_since(typing.at), now.ms_since(typing.began) >= LEAVE_MS);
    let rested = agent.keys.last.is_none_or(|last| now.ms_since(last) >= RESTS_MS);
    Some(match (typing.stage, ours) {
        (PromptStage::Pasted, _) if !capabilities.looks_at_paste(lasts) => return None,
        (PromptStage::Pasted, ours) if lasts < capabilities.settle_ms => {
            match (held || rested) && shows_all(agent, ours, shown) {
                true => Next::Enter(1),
                false => Next::Wait,
            }
        }
        (PromptStage::Pasted, None) => blind(agent, lasts, late),
        (PromptStage::Pasted, Some(true)) if held || rested => Next::Enter(1),
        (PromptStage::Pasted, Some(_)) if !late => Next::Wait,
        (PromptStage::Pasted, Some(_)) => Next::Leave,
        (PromptStage::Entered(times), Some(true)) if lasts >= SWALLOWED_MS && times < MOST_ENTERS && rested => {
            Next::Enter(times + 1)
        }
        (PromptStage::Entered(_), Some(true)) if !late => Next::Wait,
        (PromptStage::Entered(_), Some(true)) => Next::Leave,
        (PromptStage::Entered(_), None | Some(false)) => Next::Taken,
        // What was queued behind a turn stands in the composer again when a person breaks that off.
        (PromptStage::Taken, Some(true)) if rested => Next::Enter(MOST_ENTERS),
        (PromptStage::Taken, _) => return None,
    })
}

impl Capabilities {
    /// So long after a paste it may be entered, if the screen shows all of it.
    fn looks_at_paste(&self, lasts: u64) -> bool {
        lasts >= self.shown_ms.unwrap_or(self.settle_ms).min(self.settle_ms)
    }
}

/// Its terminal shows all of what was pasted, and no more than that is in the composer.
fn shows_all(agent: &Agent, ours: Option<bool>, composer: Option<&Composer>) -> bool {
    match ours {
        Some(is_ours) => is_ours && matches!(composer, Some(Composer::Holds(_))),
        None => {
            let outbox = &agent.outbox;
            let before = outbox.typing.as_ref().map(|typing| typing.before.as_str());
            let now = outbox.composer_state.glance.as_ref().map(|glance| glance.text.as_str());
            let pasted = outbox.composer_state.pasted.as_deref().unwrap_or_default();
            let shown = before.zip(now).map(|(before, now)| shown(before, now, pasted));
            shown == Some(ShownPaste::Stands)
        }
    }
}

/// As [`next`], of what was pasted where nobody can read the composer.
fn blind(agent: &Agent, lasts: u64, late: bool) -> Next {
    let outbox = &agent.outbox;
    let (Some(typing), Some(glance)) = (&outbox.typing, &outbox.composer_state.glance) else {
        return Next::Wait;
    };
    if glance.text.is_empty() {
        return Next::Enter(1);
    }
    let pasted = outbox.composer_state.pasted.as_deref().unwrap_or_default();
    match shown(&typing.before, &glance.text, pasted) {
        ShownPaste::Stands => Next::Enter(1),
        ShownPaste::Hidden if !typing.was_asked && lasts >= HIDES_MS => Next::Enter(1),
        ShownPaste::Hidden | ShownPaste::Asks if late => Next::Leave,
        ShownPaste::Hidden => Next::Wait,
        ShownPaste::Asks => Next::WaitAsked,
    }
}

/// Without evidence to come, this is as good as read: an end of the engine now must not have it typed again.
fn entered(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let agent = state.live.agents.get(chat);
    let tells = agent
        .and_then(|agent| agent.capabilities.as_ref())
        .is_some_and(|capabilities| capabilities.confirms);
    let typing = agent.and_then(|agent| agent.outbox.typing.as_ref()).filter(|_| !tells);
    match typing.and_then(|typing| typing.queued_prompt.prompt.message.clone()) {
        Some(id) => acknowledgement::delivered(state, chat, id),
        None => Vec::new(),
    }
}

fn taken(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let typing = state
        .live
        .agents
        .get_mut(chat)
        .and_then(|agent| agent.outbox.typing.as_mut());
    if let Some(typing) = typing {
        (typing.stage, typing.at) = (PromptStage::Taken, now);
    }
    vec![Effect::WakeAt(now.plus_ms(EVIDENCE_MS))]
}

/// Its text stays where it is, and the prompt queued: it is entered when nothing else stands beside it, and typed again
/// when the composer is empty.
fn leave(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    if let Some(typing) = agent.outbox.typing.take() {
        agent.outbox.queue.push_front(typing.queued_prompt);
        agent.outbox.composer_state.left = Some(now);
    }
    vec![Effect::Pane(chat.clone().into(), PaneOrder::Look)]
}

/// It was entered, the composer has let go of it, and the agent shows no sign of it. It is not typed again before the
/// transcript can be looked into, which is at the agent's next start; and it is not lost.
fn doubt(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    if let Some(queued_prompt) = agent.outbox.end_typing(|_| true) {
        agent.outbox.doubted.push(queued_prompt);
        agent.outbox.ledger.change();
    }
    let error = Happened::Error {
        place: "prompt".into(),
        message: "it was entered, but the agent gave no sign of having taken it".into(),
        hint: "look at its screen; `parlour restart CHAT` looks for it in the transcript, and types it again where it is not \
               there"
            .into(),
        trouble: None,
    };
    chat::append(state, chat, vec![error])
}
