//! From a card to what it changed: its turn is compared, and its file shown at the first line that the call wrote or removed.

use std::collections::BTreeSet;

use serde_json::Value;

use super::file_key::FileKey;
use super::goal::{Goal, GoalLine};
use super::{ask, load};
use crate::domain::approval::card::{Card, CardSubject, Tool, ToolState};
use crate::domain::effect::Effect;
use crate::domain::review::touched::{MadeCall, TouchedFile, files};
use crate::model::detail::DetailWork;
use crate::model::entry::ToolStatus;
use crate::model::review::DiffSet;
use crate::model::{ChatId, ClientId};
use crate::permission::{Sort, sort_of};
use crate::screen::State;
use crate::screen::tab::transcript;
use crate::screen::view::{Focus, Mode, Tone};
use crate::screen::{inspector, toast};

/// Asks for the turn of the card that is selected among the cards.
pub fn show_changes(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let is_at_card = view.focus == Focus::Inspector || view.transcript_with_keys().is_some();
    let card = inspector::chosen_card(state, view).filter(|_| is_at_card);
    let why_not = match card {
        None => "Select a card first: this shows what it changed.".to_string(),
        Some(card) => match goal_of(state, &chat, card) {
            Ok(_) => {
                let work = DetailWork::TurnOf(card.seq);
                return ask::detail(state, client, &chat, work);
            }
            Err(why_not) => why_not,
        },
    };
    toast::tell(state, client, why_not, Tone::Told);
    Vec::new()
}

/// Its turn is known.
pub fn arrived(state: &mut State, client: ClientId, (seq, found): (u64, Option<(u32, DiffSet)>)) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let card = inspector::cards(state, view).and_then(|cards| cards.iter().find(|card| card.seq == seq));
    let card = card.or_else(|| transcript::call::at(view, seq));
    let (Some(card), Some(chat)) = (card, view.chat.clone()) else {
        return;
    };
    let Some((turn, set)) = found else {
        let text = "No checkpoint tells what was there before this card.";
        return toast::tell(state, client, text, Tone::Told);
    };
    let goal = goal_of(state, &chat, card).ok().flatten();
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    // Cards that lie over the lines would hide them.
    inspector::step_aside(view);
    load::compare_with(view, set);
    (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
    view.changes.turn = Some(turn);
    view.changes.goal = goal;
}

/// What of its turn a card is about; of a prompt all of it. Else why that cannot be told.
fn goal_of(state: &State, chat: &ChatId, card: &Card) -> Result<Option<Goal>, String> {
    let tool = match &card.what {
        CardSubject::Prompt { .. } => return Ok(None),
        CardSubject::Tool(tool) => tool,
        CardSubject::Error { .. } | CardSubject::Interrupt { .. } => return Err("This card changed nothing.".into()),
    };
    let because = match tool.state {
        ToolState::Asked => Some("its agent waits for a yes or no"),
        ToolState::Ended {
            status: ToolStatus::Denied,
            ..
        } => Some("it was denied"),
        ToolState::Ended {
            status: ToolStatus::Error,
            ..
        } if sort_of(&tool.name) != Sort::Bash => Some("it failed"),
        ToolState::Running | ToolState::Ended { .. } => None,
    };
    if let Some(because) = because {
        return Err(format!("This call changed nothing: {because}."));
    }
    let known = state.domain.disk.chats.get(chat);
    let call = MadeCall {
        tool: &tool.name,
        input: &tool.input,
        dir: tool.dir.as_deref(),
    };
    let touched = known.map_or_else(Vec::new, |known| files(known, call));
    if touched.is_empty() {
        return Err(nothing_touched(tool));
    }
    let key = |file: TouchedFile| FileKey {
        project: file.project,
        path: file.path,
    };
    let mut words = BTreeSet::new();
    push_lines(&tool.input, &mut words);
    Ok(Some(Goal {
        files: touched.into_iter().map(key).collect(),
        line: GoalLine::Says(words),
        elsewhere: Vec::new(),
    }))
}

fn nothing_touched(tool: &Tool) -> String {
    match sort_of(&tool.name) {
        Sort::Write | Sort::Edit => {
            "This call changed no file of a clone of this chat: nothing else is compared.".to_string()
        }
        Sort::Bash => {
            "A command does not tell which files it changed: its prompt's card leads to all of the turn.".to_string()
        }
        Sort::Read | Sort::Search | Sort::Fetch | Sort::Task | Sort::Mcp | Sort::Other => {
            "This call changed no file.".to_string()
        }
    }
}

/// All lines of an input that tell something; those of a patch without their sign.
fn push_lines(input: &Value, words: &mut BTreeSet<String>) {
    match input {
        Value::String(text) => {
            for line in text.lines() {
                let without = line.strip_prefix(['+', '-']).unwrap_or(line);
                let tells = |line: &str| line.chars().any(char::is_alphanumeric);
                words.extend(
                    [line, without]
                        .map(|line| line.trim().to_string())
                        .into_iter()
                        .filter(|line| tells(line)),
                );
            }
        }
        Value::Array(values) => values.iter().for_each(|value| push_lines(value, words)),
        Value::Object(fields) => fields.values().for_each(|value| push_lines(value, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
