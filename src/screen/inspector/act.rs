//! What is done with a card: it is copied, its file is opened, it is asked for again.

use std::path::PathBuf;

use crate::domain::approval::card::{CardSubject, Tool};
use crate::domain::call::{self, CallPart, files, parts};
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;

use super::super::call::line;
use super::super::keymap::{CallAction, InspectorAction};
use super::super::tab::transcript;
use super::super::tab::transcript::copying::to_clipboard;
use super::super::view::{Focus, Tone, View};
use super::super::{composer, side, toast};
use super::data::{CameFrom, InspectorTab};
use super::shelf::{chosen_card, places};
use super::{fold, page, setting, step};

pub fn run(state: &mut State, client: ClientId, action: InspectorAction) -> Vec<Effect> {
    use InspectorAction as A;
    match action {
        A::Fold | A::Full if is_at_settings(state, client) => return setting::change(state, client),
        A::Fold => fold(state, client),
        A::Full | A::Card => page::show(state, client, InspectorTab::Card),
        A::Next => step(state, client, 1),
        A::Previous => step(state, client, -1),
        A::Raw => {
            page::show(state, client, InspectorTab::Card);
            if let Some(view) = state.views.get_mut(&client) {
                view.inspector.is_raw = !view.inspector.is_raw;
            }
        }
        A::Copy => return copy(state, client),
        A::CopyOutput => return copy_output(state, client),
        A::OpenFile => return open_file(state, client),
        A::Again => return again(state, client),
        A::Moment => moment(state, client),
        A::Cards => page::show(state, client, InspectorTab::Cards),
        A::Todos => page::show(state, client, InspectorTab::Todos),
        A::Usage => page::show(state, client, InspectorTab::Usage),
        A::Chat => page::show(state, client, InspectorTab::Chat),
        A::Back => page::back(state, client),
    }
    Vec::new()
}

/// What is set for the chat has the keys.
fn is_at_settings(state: &State, client: ClientId) -> bool {
    let view = state.views.get(&client);
    view.is_some_and(|view| view.inspector.tab == InspectorTab::Chat && view.focus == Focus::Inspector)
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(state: &State, view: &View, action: InspectorAction) -> (bool, &'static str) {
    use InspectorAction as A;
    let has_call = || shown_tool(state, view).is_some();
    match action {
        A::Copy | A::Moment => (chosen_card(state, view).is_some(), "there is no card"),
        A::CopyOutput => (
            shown_tool(state, view).is_some_and(|(_, tool)| !tool.preview.is_empty()),
            "nothing came back of it",
        ),
        A::OpenFile => (
            shown_tool(state, view).is_some_and(|(_, tool)| !files(&tool.name, &tool.input).is_empty()),
            "the card names no file",
        ),
        A::Again | A::Raw => (has_call(), "the card is no call"),
        A::Fold | A::Full | A::Next | A::Previous | A::Cards | A::Card | A::Todos | A::Usage | A::Chat | A::Back => {
            (view.chat.is_some(), "no chat is shown")
        }
    }
}

fn shown_tool<'s>(state: &'s State, view: &'s View) -> Option<(u64, &'s Tool)> {
    let card = chosen_card(state, view)?;
    match &card.what {
        CardSubject::Tool(tool) => Some((card.seq, tool)),
        CardSubject::Prompt { .. } | CardSubject::Error { .. } | CardSubject::Interrupt { .. } => None,
    }
}

/// What it did as a person would use it: the command, the patch, the words.
fn copy(state: &mut State, client: ClientId) -> Vec<Effect> {
    let text = state.views.get(&client).and_then(|view| {
        let card = chosen_card(state, view)?;
        Some(match &card.what {
            CardSubject::Prompt { text, .. } => text.clone(),
            CardSubject::Error { message, .. } => message.clone(),
            CardSubject::Interrupt { cause } => cause.clone(),
            CardSubject::Tool(tool) => done(tool, &line(&tool.told, None, places(state, view).at(card.seq)).words),
        })
    });
    match text {
        Some(text) => to_clipboard(state, client, &text, ""),
        None => Vec::new(),
    }
}

/// A command as it was run, an edit as a diff; anything else in the words of its line.
fn done(tool: &Tool, words: &str) -> String {
    let parts = parts(&tool.name, &tool.input);
    let command = parts.iter().find_map(|part| match part {
        CallPart::Command(line) => Some(line.clone()),
        CallPart::Why(_)
        | CallPart::File(_)
        | CallPart::Edit(_)
        | CallPart::Prose(_)
        | CallPart::Todo(_)
        | CallPart::Input { .. } => None,
    });
    let diff = call::as_diff(&parts);
    command.or(diff).unwrap_or_else(|| words.to_string())
}

fn copy_output(state: &mut State, client: ClientId) -> Vec<Effect> {
    let text = state.views.get(&client).and_then(|view| {
        let (_, tool) = shown_tool(state, view)?;
        Some((tool.preview.clone(), tool.output.is_some()))
    });
    match text {
        Some((text, _)) if text.is_empty() => {
            toast::tell(state, client, "Nothing came back of it.", Tone::Told);
            Vec::new()
        }
        Some((text, true)) => to_clipboard(state, client, &text, ", the beginning of its output"),
        Some((text, false)) => to_clipboard(state, client, &text, " of its output"),
        None => Vec::new(),
    }
}

/// In the person's own editor, in the directory that it lies in.
fn open_file(state: &mut State, client: ClientId) -> Vec<Effect> {
    let found = state.views.get(&client).and_then(|view| {
        let (seq, tool) = shown_tool(state, view)?;
        let (path, at) = files(&tool.name, &tool.input).into_iter().next()?;
        let places = places(state, view);
        let seen = places.at(seq).path(&path);
        let dir = seen.dir.or_else(|| tool.dir.clone());
        Some((view.chat.clone()?, dir, seen.path, at.unwrap_or(1)))
    });
    let why_not = match found {
        None => "The card names no file.".to_string(),
        Some((_, _, path, _)) if path.starts_with('/') => format!("{path} lies outside of the chat's directories."),
        Some((_, None, path, _)) => format!("{path} lies in none of the chat's directories."),
        Some((chat, Some(dir), path, at)) => {
            return side::edit_at(state, client, &chat, dir, (PathBuf::from(path), at));
        }
    };
    toast::tell(state, client, why_not, Tone::Told);
    Vec::new()
}

/// As a prompt in the composer, where it can be changed: a key that was hit by accident sends nothing.
fn again(state: &mut State, client: ClientId) -> Vec<Effect> {
    let text = state.views.get(&client).and_then(|view| {
        let (seq, tool) = shown_tool(state, view)?;
        let places = places(state, view);
        let line = line(&tool.told, None, places.at(seq));
        Some(asked_again(tool, &line.words))
    });
    let (Some(text), Some(view)) = (text, state.views.get_mut(&client)) else {
        toast::tell(state, client, "Only a call can be asked for again.", Tone::Told);
        return Vec::new();
    };
    page::step_aside(view);
    composer::propose(state, client, &text);
    Vec::new()
}

/// The terminal as it was at the card, in place of the transcript.
fn moment(state: &mut State, client: ClientId) {
    let card = state.views.get(&client).and_then(|view| chosen_card(state, view));
    let seq = card.map(|card| card.seq);
    let (Some(seq), Some(view)) = (seq, state.views.get_mut(&client)) else {
        return;
    };
    page::step_aside(view);
    transcript::go_to_moment(state, client, seq);
}

/// With the call that is selected in the transcript.
pub fn on_call(state: &mut State, client: ClientId, action: CallAction) -> Vec<Effect> {
    match action {
        CallAction::InFull => show_in_full(state, client),
        CallAction::OpenFile => return open_file(state, client),
        CallAction::Again => return again(state, client),
    }
    Vec::new()
}

/// The call that is selected in the transcript, as the selected card.
fn show_in_full(state: &mut State, client: ClientId) {
    let card = state.views.get(&client).and_then(transcript::call::selected);
    let seq = card.map(|(card, _)| card.seq);
    let (Some(seq), Some(view)) = (seq, state.views.get_mut(&client)) else {
        return;
    };
    let came = CameFrom {
        wanted: view.inspector.wanted,
        tab: view.inspector.tab,
    };
    (view.inspector.selected, view.inspector.scroll) = (Some(seq), 0);
    page::show(state, client, InspectorTab::Card);
    if let Some(view) = state.views.get_mut(&client) {
        view.inspector.came = Some(came);
    }
}

fn asked_again(tool: &Tool, words: &str) -> String {
    let command = parts(&tool.name, &tool.input).into_iter().find_map(|part| match part {
        CallPart::Command(line) => Some(line),
        CallPart::Why(_)
        | CallPart::File(_)
        | CallPart::Edit(_)
        | CallPart::Prose(_)
        | CallPart::Todo(_)
        | CallPart::Input { .. } => None,
    });
    match command {
        Some(line) => format!("Run this again:\n\n```sh\n{line}\n```"),
        None => format!("Do this again: {} {words}", tool.told.name),
    }
}
