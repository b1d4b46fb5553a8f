//! What a prompt that begins with `/` becomes, and the person's own editor for a long one.

use crate::domain::effect::Effect;
use crate::model::agent::CliCommand;
use crate::model::compose::ComposerAsk;
use crate::model::queue::PromptKind;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::super::dialog::{Slash, SlashChoice, TemplateForm};
use super::super::{dialogs, side};
use super::{asking, sending};

/// Lists what it may become.
pub(super) fn open(state: &mut State, client: ClientId) -> Vec<Effect> {
    let chat = state.views.get(&client).and_then(|view| view.composer.of.clone());
    let Some(chat) = chat else {
        return Vec::new();
    };
    let slash = Slash::new(&state.domain, &chat);
    let mut effects = dialogs::open(state, client, slash);
    let person = asking::person(state, client);
    effects.extend(asking::ask(state, client, ComposerAsk::Templates(person)));
    effects
}

/// A person has chosen.
pub fn chosen(state: &mut State, client: ClientId, chat: &ChatId, choice: SlashChoice) -> Vec<Effect> {
    match choice {
        SlashChoice::Text(text) => put(state, client, chat, &text),
        SlashChoice::Command(CliCommand { name, arguments, .. }) if arguments.is_empty() => {
            let view = state.views.get(&client);
            return match view.is_some_and(|view| view.composer.of.as_ref() == Some(chat)) {
                true => sending::send_text(state, client, name, PromptKind::FollowUp),
                false => Vec::new(),
            };
        }
        SlashChoice::Command(command) => put(state, client, chat, &format!("{} ", command.name)),
        SlashChoice::Template(template) if template.missing(&[]).is_some() => {
            let form = TemplateForm::new(&state.domain, chat, *template);
            return dialogs::open(state, client, form);
        }
        SlashChoice::Template(template) => return fill(state, client, chat, (template.name, Vec::new())),
    }
    Vec::new()
}

fn put(state: &mut State, client: ClientId, chat: &ChatId, text: &str) {
    let now = state.domain.now;
    let view = state.views.get_mut(&client);
    if let Some(view) = view.filter(|view| view.composer.of.as_ref() == Some(chat)) {
        view.composer.change(now, |field| field.paste(text));
    }
}

/// Has a prompt made of a template, for the field.
pub fn fill(
    state: &mut State,
    client: ClientId,
    chat: &ChatId,
    (name, arguments): (String, Vec<String>),
) -> Vec<Effect> {
    let view = state.views.get(&client);
    if view.is_none_or(|view| view.composer.of.as_ref() != Some(chat)) {
        return Vec::new();
    }
    let zone = state.domain.live.facts.zone;
    let fill = ComposerAsk::Fill {
        name,
        arguments,
        person: asking::person(state, client),
        date: zone.wall(state.domain.now).format("%Y-%m-%d").to_string(),
    };
    asking::ask(state, client, fill)
}

/// A long prompt is written in the person's own editor.
pub(super) fn edit(state: &mut State, client: ClientId) -> Vec<Effect> {
    let view = state.views.get(&client);
    let found = view.and_then(|view| Some((view.composer.of.clone()?, view.composer.field.text())));
    match found {
        Some((chat, text)) => side::edit_prompt(state, client, &chat, text),
        None => Vec::new(),
    }
}
