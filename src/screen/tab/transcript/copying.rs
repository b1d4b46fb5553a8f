//! What is copied of a transcript: an entry, a turn, a block of code.

use super::data::TranscriptView;
use super::events;
use super::item::{ItemKey, ItemKind, TranscriptItem};
use super::markdown::code_blocks;
use crate::domain::effect::Effect;
use crate::model::{ClientId, Happened};
use crate::screen::State;
use crate::screen::call::{self, SeenPlaces};
use crate::screen::toast;
use crate::screen::view::Tone;

/// Terminals take no more at once.
const LONGEST: usize = 1 << 20;

/// An item as a person would send it on.
pub fn text_of(item: &TranscriptItem, places: &SeenPlaces) -> Option<String> {
    let places = places.at(item.key.seq);
    match &item.what {
        ItemKind::Prompt(entry) | ItemKind::Said(entry) | ItemKind::Thought(entry) | ItemKind::Event(entry) => {
            match &entry.what {
                Happened::Prompt { text, .. }
                | Happened::Text { text, .. }
                | Happened::Thinking { text, .. }
                | Happened::Summary { text, .. } => Some(text.clone()),
                other => events::words(other).map(|words| {
                    let below = words.lines.into_iter().map(|(line, _)| line);
                    [words.title].into_iter().chain(below).collect::<Vec<_>>().join("\n")
                }),
            }
        }
        ItemKind::Tool(_) => item.tool().map(|(_, tool)| {
            let line = call::line(&tool.told, tool.dir.as_deref(), places);
            let head = format!("{} {}", tool.told.name, line.words);
            match tool.preview.is_empty() {
                true => head,
                false => format!("{head}\n{}", tool.preview),
            }
        }),
        ItemKind::OfSubAgent(entry) => {
            let Happened::SubagentText { text, .. } = &entry.what else {
                return None;
            };
            Some(text.clone())
        }
        ItemKind::SubAgent(sums) => Some(format!("Sub-agent {}", sums.title())),
        ItemKind::Unknown(entries) => {
            let lines = entries.iter().filter_map(|entry| events::unknown(&entry.what));
            Some(
                [events::unknown_title(entries.len())]
                    .into_iter()
                    .chain(lines)
                    .collect::<Vec<_>>()
                    .join("\n"),
            )
        }
        ItemKind::AtWork(_) | ItemKind::Gap(_) | ItemKind::Hidden { .. } => None,
    }
}

pub fn entry(state: &mut State, client: ClientId) -> Vec<Effect> {
    let text = state.views.get(&client).and_then(|view| {
        let transcript = &view.transcript;
        let item = transcript.items.get(transcript.held()?)?;
        text_of(item, &transcript.places)
    });
    match text {
        Some(text) => to_clipboard(state, client, &text, ""),
        None => {
            toast::tell(state, client, "Select something to copy first.", Tone::Told);
            Vec::new()
        }
    }
}

/// The turn of what is selected, of what is at the top of the screen where nothing is.
pub fn turn(state: &mut State, client: ClientId) -> Vec<Effect> {
    let text = state.views.get(&client).and_then(|view| turn_text(&view.transcript));
    match text {
        Some(text) => to_clipboard(state, client, &text, " of a turn"),
        None => Vec::new(),
    }
}

fn turn_text(transcript: &TranscriptView) -> Option<String> {
    let key = transcript.held().or(transcript.sight.first().map(|spot| spot.item))?;
    let turn = transcript.items.get(key)?.turn;
    let list = transcript.items.list();
    let begin = list.partition_point(|item| item.turn < turn);
    let items = list[begin..].iter().take_while(|item| item.turn == turn);
    let told = items.filter(|item| transcript.is_shown(item)).filter_map(|item| {
        let text = text_of(item, &transcript.places)?;
        Some(match item.what {
            ItemKind::Prompt(_) => text.lines().map(|line| format!("> {line}\n")).collect(),
            ItemKind::Said(_) => text,
            ItemKind::Thought(_) | ItemKind::OfSubAgent(_) | ItemKind::AtWork(_) => return None,
            ItemKind::Tool(_)
            | ItemKind::SubAgent(_)
            | ItemKind::Event(_)
            | ItemKind::Unknown(_)
            | ItemKind::Gap(_)
            | ItemKind::Hidden { .. } => format!("- {}", text.lines().next().unwrap_or_default()),
        })
    });
    Some(told.collect::<Vec<String>>().join("\n\n"))
}

/// The first block of code in sight, of what is selected where that has one; pressed again, the next.
pub fn code(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let seen = seen_blocks(&view.transcript);
    let after = view
        .transcript
        .copied
        .and_then(|last| seen.iter().position(|block| *block == last));
    let next = match after {
        Some(at) => seen.get(at + 1).or(seen.first()),
        None => seen.first(),
    };
    let Some(block) = next.copied() else {
        toast::tell(state, client, "No code is in sight.", Tone::Told);
        return Vec::new();
    };
    view.transcript.copied = Some(block);
    let item = view.transcript.items.get(block.0);
    let found = item.and_then(|item| text_of(item, &view.transcript.places));
    let code = found.and_then(|text| code_blocks(&text).into_iter().nth(block.1));
    let of = if seen.len() > 1 {
        " of code; once more copies the next"
    } else {
        " of code"
    };
    match code {
        Some(code) => to_clipboard(state, client, &code.text, of),
        None => Vec::new(),
    }
}

/// What is selected comes first.
fn seen_blocks(transcript: &TranscriptView) -> Vec<(ItemKey, usize)> {
    let mut seen = Vec::new();
    for spot in &transcript.sight {
        let block = transcript
            .row(*spot)
            .and_then(|row| row.code())
            .map(|code| (spot.item, code));
        seen.extend(block.filter(|block| !seen.contains(block)));
    }
    let of_selected = |(item, _): &(ItemKey, usize)| Some(*item) != transcript.selected;
    seen.sort_by_key(of_selected);
    seen
}

/// Whoever pastes it into a shell must not set anything loose.
pub(in crate::screen) fn to_clipboard(state: &mut State, client: ClientId, text: &str, of: &str) -> Vec<Effect> {
    let mut text: String = text
        .chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect();
    let is_cut = text.len() > LONGEST;
    if is_cut {
        text.truncate(text.floor_char_boundary(LONGEST));
    }
    let lines = match text.lines().count() {
        1 => "1 line".to_string(),
        many => format!("{many} lines"),
    };
    let cut = if is_cut { ", the first 1 MiB" } else { "" };
    toast::tell(state, client, format!("Copied {lines}{of}{cut}."), Tone::Told);
    vec![Effect::Clipboard(client, text)]
}
