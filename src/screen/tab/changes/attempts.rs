//! Another chat that works on the same projects: chosen from a list that tells how far each has come, and compared.

use super::ask;
use super::choice::{DiffChoice, DiffList};
use super::in_place;
use crate::domain::chat::label;
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
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let (Some(chat), now) = (view.chat.clone(), DiffChoice::Set(view.changes.set.clone())) else {
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
        let known = known.get(&attempt.chat)?;
        let own = attempt.chat == chat;
        let choice = DiffChoice::Set(match own {
            true => DiffSet::Base,
            false => DiffSet::With(attempt.chat.to_string()),
        });
        // What a narrow screen cuts is the name.
        let about = match (own, choice == now) {
            (true, _) => "this one",
            (false, true) => "compared now",
            (false, false) => known.record.llm.as_str(),
        };
        Some(ChoiceItem {
            letter: None,
            text: label(&state.domain, known).to_string(),
            note: format!("{about} · {}{}", far(attempt), pulls(state, &attempt.chat)),
            choice,
        })
    };
    let items: Vec<ChoiceItem> = attempts.iter().filter_map(item).collect();
    let is_other = |choice: &DiffChoice| matches!(choice, DiffChoice::Set(DiffSet::With(_)));
    let is_compared = is_other(&now) && items.iter().any(|item| item.choice == now);
    let list = Choose::new(DiffList::Attempts, items).starting_at(|choice| match is_compared {
        true => *choice == now,
        false => is_other(choice),
    });
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
