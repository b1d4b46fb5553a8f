//! Another chat that works on the same projects: chosen from a list that tells how far each has come, and compared.

use super::ask;
use super::choice::{DiffChoice, DiffList};
use super::in_place;
use crate::domain::effect::Effect;
use crate::domain::review::attempt;
use crate::model::detail::{Attempt, DetailWork};
use crate::model::review::DiffSet;
use crate::model::text::count;
use crate::model::{ChatId, ClientId};
use crate::screen::State;
use crate::screen::dialog::{ChoiceItem, Choose};
use crate::screen::tab::checkpoints::words::amount;
use crate::screen::toast;
use crate::screen::view::Tone;

/// Has workers find out how far each has come.
pub fn look(state: &mut State, client: ClientId) -> Vec<Effect> {
    if in_place::refuses_other_moments(state, client) {
        return Vec::new();
    }
    let Some(chat) = state.views.get(&client).and_then(|view| view.chat.clone()) else {
        return Vec::new();
    };
    let others = attempt::others(&state.domain, &chat);
    if others.len() < 2 {
        let text = "No other chat has a clone of these projects: `F` forks this one.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    ask::detail(state, client, &chat, DetailWork::Attempts(others))
}

pub fn open(state: &mut State, client: ClientId, attempts: Vec<Attempt>) {
    let Some(chat) = state.views.get(&client).and_then(|view| view.chat.clone()) else {
        return;
    };
    let attempts = attempt::tried(&state.domain, attempts);
    if attempts.len() < 2 {
        let text = "No other chat has changed anything in these projects: `F` forks this one.";
        toast::tell(state, client, text, Tone::Told);
        return;
    }
    let known = &state.domain.disk.chats;
    let item = |attempt: &Attempt| {
        let record = &known.get(&attempt.chat)?.record;
        let own = attempt.chat == chat;
        Some(ChoiceItem {
            letter: None,
            text: format!("{}{}", record.handle, if own { "  (this one)" } else { "" }),
            note: format!("{} · {}{}", record.llm, far(attempt), pulls(state, &attempt.chat)),
            choice: DiffChoice::Set(match own {
                true => DiffSet::Base,
                false => DiffSet::With(attempt.chat.to_string()),
            }),
        })
    };
    let items: Vec<ChoiceItem> = attempts.iter().filter_map(item).collect();
    let list = Choose::new(DiffList::Attempts, items)
        .starting_at(|choice| matches!(choice, DiffChoice::Set(DiffSet::With(_))));
    if let Some(view) = state.views.get_mut(&client) {
        view.over.dialog = Some(list.into());
    }
}

/// `3 turns · 2 files +10 −4`
fn far(attempt: &Attempt) -> String {
    let turns = count(attempt.turns, "turn");
    match attempt.amount.files {
        0 => format!("{turns} · no changes"),
        _ => format!("{turns} · {}", amount(attempt.amount)),
    }
}

/// ` · #41 ✓`
fn pulls(state: &State, chat: &ChatId) -> String {
    let signs = attempt::pulls(&state.domain, chat).map(|pull| format!(" · {}", pull.sign()));
    signs.collect()
}
