//! That an agent has a prompt: by its hooks or its transcript, or taken for granted where it tells of none.

use crate::app::chat;
use crate::app::effect::Effect;
use crate::app::state::{Asker, State, Then};
use crate::app::team::inbox;
use crate::model::chat::Pending;
use crate::model::entry::From;
use crate::model::{ChatId, Happened, Status};
use crate::term::paste;

use super::composed::is_said;
use super::delivery::{Letter, keep, pump, told};
use super::draft::Draft;

/// The agent has a prompt: what is told of it, with who it came from. One that parlour did not type is a person's.
pub fn confirm(state: &mut State, chat: &ChatId, id: String, text: String) -> (Happened, Vec<Effect>) {
    let has_id = !id.is_empty();
    let typed = |from, sender| Happened::Prompt {
        id,
        text: text.clone(),
        from,
        sender,
        checkpoint: None,
    };
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return (typed(From::Person, None), Vec::new());
    };
    agent.draft = Draft::default();
    agent.settling.works();
    let seems_idle = agent.verdict.status == Status::Idle;
    let said = bare(&text);
    let same = |prompt: &Pending| is_said(&bare(&prompt.text), &said);
    let outbox = &mut agent.outbox;
    let heard_before = outbox.arrived.take_if(|prompt| same(prompt));
    let typing = outbox.typing.as_ref().map(|typing| &typing.letter.prompt);
    match typing.filter(|prompt| same(prompt)).cloned() {
        Some(prompt) => {
            outbox.arrived = (!has_id).then(|| prompt.clone());
            let mut effects = match seems_idle {
                true => agent.begins_unseen(now),
                false => Vec::new(),
            };
            effects.extend(arrived(state, chat));
            (typed(prompt.from, prompt.sender), effects)
        }
        None => match heard_before {
            Some(prompt) => (typed(prompt.from, prompt.sender), Vec::new()),
            None => match outbox.take(same) {
                Some(letter) => {
                    let Pending { from, sender, .. } = letter.prompt.clone();
                    (typed(from, sender), has_it(state, chat, letter))
                }
                None => {
                    outbox.composer_emptied();
                    (typed(From::Person, None), Vec::new())
                }
            },
        },
    }
}

/// What stays the same of a prompt on its way through a paste and a composer.
fn bare(text: &str) -> String {
    let pasted = paste::sanitised(text);
    let is_lost = |c: &char| c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    pasted.chars().filter(|c| !is_lost(c)).collect()
}

/// The prompt being typed is the agent's. The next one is not begun here: the agent still counts as idle, and whoever
/// brought the evidence judges it anew first.
fn arrived(state: &mut State, chat: &ChatId) -> Vec<Effect> {
    let Some(typing) = state.live.agents.get_mut(chat).and_then(|a| a.outbox.typing.take()) else {
        return Vec::new();
    };
    has_it(state, chat, typing.letter)
}

fn has_it(state: &mut State, chat: &ChatId, letter: Letter) -> Vec<Effect> {
    let mut effects = told(letter.call, Ok(()));
    effects.extend(match letter.prompt.message {
        Some(id) => inbox::delivered(state, chat, id),
        None => keep(state, chat, Asker::Nobody, Then::Nothing),
    });
    effects
}

/// This agent never says what it has got: the prompt is noted as typed, and counts as its own.
pub(super) fn assume(state: &mut State, chat: &ChatId) -> Vec<Effect> {
    let id = format!("typed-{}", state.ids.number());
    let agent = state.live.agents.get(chat);
    let Some(typing) = agent.and_then(|agent| agent.outbox.typing.as_ref()) else {
        return Vec::new();
    };
    let Pending { text, from, sender, .. } = typing.letter.prompt.clone();
    let prompt = Happened::Prompt {
        id,
        text,
        from,
        sender,
        checkpoint: None,
    };
    let mut effects = chat::append(state, chat, vec![prompt]);
    effects.extend(arrived(state, chat));
    effects.extend(pump(state, chat));
    effects
}

/// The first prompt was among the arguments of the start. A CLI that tells of its prompts tells of this one too.
pub fn went_along(state: &mut State, chat: &ChatId, text: &str) -> Vec<Effect> {
    let id = format!("given-{}", state.ids.number());
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let tells = agent.manners.as_ref().is_some_and(|manners| manners.confirms);
    // What came meanwhile may stand before it.
    let queue = &mut agent.outbox.queue;
    let place = queue.iter().position(|letter| letter.prompt.text == text);
    let Some(letter) = place.and_then(|at| queue.remove(at)) else {
        return Vec::new();
    };
    let Pending { text, from, sender, .. } = letter.prompt;
    let prompt = Happened::Prompt {
        id,
        text,
        from,
        sender,
        checkpoint: None,
    };
    let mut effects = match tells {
        true => Vec::new(),
        false => chat::append(state, chat, vec![prompt]),
    };
    effects.extend(keep(state, chat, Asker::Nobody, Then::Nothing));
    effects.extend(told(letter.call, Ok(())));
    effects
}
