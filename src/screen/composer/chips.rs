//! The prompts that wait for the agent, as chips above the field: taken back into it, put in another order, removed.

use crate::domain::agent::queue;
use crate::domain::agent::state::Agent;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester, ScreenRequest};
use crate::model::queue::{QueueAsk, QueueChange, WaitingPrompt};
use crate::model::trouble::{countdown, moment};
use crate::model::{ClientId, Problem, ProblemKind};
use crate::screen::State;

use super::super::keymap::QueuedAction;
use super::super::view::View;
use super::chip::QueuedChip;
use super::data::{ComposerView, PromptHistory, joined};
use super::history::{self, HistoryStep};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChipStep {
    Before,
    Behind,
}

/// After each event: the chips are those of the prompts that wait. What is about to be typed is none.
pub(super) fn settle(view: &mut View, domain: &Domain) {
    let composer = &mut view.composer;
    let chat = composer.of.as_ref();
    let (chips, typed) = chat.map_or_else(Default::default, |chat| {
        let waits = queue::briefly(domain, chat).into_iter();
        let (typed, waits): (Vec<_>, Vec<_>) = waits.partition(queue::is_about_to_be_typed);
        let has_turn = domain.live.agents.get(chat).is_some_and(Agent::has_turn);
        let chip = |waits| chip(domain, waits, has_turn);
        let chips: Vec<QueuedChip> = waits.into_iter().map(chip).collect();
        (chips, !typed.is_empty())
    });
    (composer.chips, composer.is_typed) = (chips, typed);
    composer.chosen = composer.chosen.take().filter(|chosen| {
        let mut ids = composer.chips.iter().map(|chip| &chip.id);
        ids.any(|id| id == chosen)
    });
}

/// What waits for a moment says how long that is.
fn chip(domain: &Domain, waits: WaitingPrompt, has_turn: bool) -> QueuedChip {
    let (now, zone) = (domain.now, domain.live.facts.zone);
    let until = waits.until.filter(|until| *until > now);
    let why = until.map(|until| format!("{} · {}", moment(until, now, zone), countdown(until, now)));
    let mut chip = QueuedChip::from(waits);
    (chip.is_timed, chip.begins_turn) = (why.is_some(), !has_turn);
    chip.why = why.unwrap_or(chip.why);
    chip
}

pub fn run(state: &mut State, client: ClientId, action: QueuedAction) -> Vec<Effect> {
    use QueuedAction as A;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let composer = &mut view.composer;
    let Some(chip) = composer.chosen_chip().cloned() else {
        return Vec::new();
    };
    let place = composer
        .of
        .as_ref()
        .and_then(|chat| queue::place(&state.domain, chat, &chip.id));
    match (action, place) {
        (A::Before, _) if composer.is_first_chosen() => {
            composer.chosen = None;
            return history::step(state, client, HistoryStep::Older);
        }
        (A::Before, _) => composer.step(ChipStep::Before),
        (A::Behind, _) => composer.step(ChipStep::Behind),
        (A::Leave, _) => composer.chosen = None,
        (A::TakeBack, _) => return take_back(state, client, &chip),
        (A::Remove, _) => {
            composer.step(ChipStep::Behind);
            return change(state, client, &chip.id, QueueChange::Remove).unwrap_or_default();
        }
        (A::Turn, _) => {
            let turn = QueueChange::Turn(chip.kind.other());
            return change(state, client, &chip.id, turn).unwrap_or_default();
        }
        (A::Earlier, Some(place)) => {
            let before = QueueChange::Move(place.saturating_sub(1).max(1));
            return change(state, client, &chip.id, before).unwrap_or_default();
        }
        (A::Later, Some(place)) => {
            let behind = QueueChange::Move(place + 1);
            return change(state, client, &chip.id, behind).unwrap_or_default();
        }
        (A::Earlier | A::Later, None) => {
            let why = chip.fixed.as_deref().unwrap_or("it is not in the queue any more");
            composer.problem = Some(Problem::new("moving a prompt", why, "").of_kind(ProblemKind::Busy));
        }
    }
    Vec::new()
}

/// It leaves the queue for the field, where it is a draft again.
fn take_back(state: &mut State, client: ClientId, chip: &QueuedChip) -> Vec<Effect> {
    let chat = state.views.get(&client).and_then(|view| view.composer.of.clone());
    let taken_back = chat.and_then(|chat| queue::taken_back(&state.domain, &chat, &chip.id));
    let Some(taken_back) = taken_back else {
        return Vec::new();
    };
    let Some(effects) = change(state, client, &chip.id, QueueChange::Remove) else {
        return Vec::new();
    };
    let now = state.domain.now;
    if let Some(view) = state.views.get_mut(&client) {
        let composer = &mut view.composer;
        let text = joined([taken_back.prompt.text.clone(), composer.written()]);
        (composer.history, composer.chosen) = (PromptHistory::Left, None);
        composer.field.set(&text);
        composer.taken_back = Some(taken_back);
        // It is nowhere else any more.
        composer.drafts.due = Some(now);
    }
    effects
}

/// `None`: it cannot be, and why is told above the field.
fn change(state: &mut State, client: ClientId, prompt: &str, change: QueueChange) -> Option<Vec<Effect>> {
    let request = state.domain.ids.request();
    let composer = &mut state.views.get_mut(&client)?.composer;
    let chat = composer.of.clone()?;
    let requester = Requester::Screen(ScreenRequest::from(client).numbered(request));
    let prompt = prompt.to_owned();
    composer.problem = None;
    match queue::ask(&mut state.domain, &chat, QueueAsk::Change { prompt, change }, requester) {
        Ok(effects) => {
            composer.changing.push(request);
            Some(effects)
        }
        Err(problem) => {
            composer.problem = Some(problem);
            None
        }
    }
}

impl ComposerView {
    pub fn chosen_chip(&self) -> Option<&QueuedChip> {
        let chosen = self.chosen.as_ref()?;
        self.chips.iter().find(|chip| chip.id == *chosen)
    }

    /// Chooses the last chip, from the field; whether there is one.
    pub(super) fn choose_last(&mut self) -> bool {
        self.chosen = self.chips.last().map(|chip| chip.id.clone());
        self.chosen.is_some()
    }

    fn is_first_chosen(&self) -> bool {
        self.chosen.as_ref() == self.chips.first().map(|chip| &chip.id)
    }

    /// To the next chip; behind the last is the field.
    fn step(&mut self, step: ChipStep) {
        let at = self
            .chips
            .iter()
            .position(|chip| Some(&chip.id) == self.chosen.as_ref());
        let next = at.and_then(|at| match step {
            ChipStep::Before => Some(at.saturating_sub(1)),
            ChipStep::Behind => at.checked_add(1),
        });
        self.chosen = next.and_then(|at| self.chips.get(at)).map(|chip| chip.id.clone());
    }
}
