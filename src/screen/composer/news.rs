//! What workers found out for the composer.

use crate::domain::effect::Effect;
use crate::domain::state::ScreenRequest;
use crate::model::compose::{ComposerAsk, ComposerNews};
use crate::model::template::{PromptTemplate, TemplatePrompt};
use crate::model::{ChatId, ClientId, Problem};
use crate::screen::State;

use super::super::dialog::Dialog;
use super::super::toast;
use super::super::view::{Tone, View};
use super::{completion, drafts, history, press, sending};

pub fn arrived(state: &mut State, client: ClientId, chat: &ChatId, news: ComposerNews) -> Vec<Effect> {
    match news {
        // It is sent wherever the person is meanwhile.
        ComposerNews::Attached { number, kind, text } => {
            return sending::attached(state, client, (number, kind), text);
        }
        ComposerNews::Prompts(prompts) if is_for(state, client, chat) => {
            return history::arrived(state, client, prompts);
        }
        ComposerNews::Filled(prompt) if is_for(state, client, chat) => filled(state, client, prompt),
        ComposerNews::Files(wanted, files) => {
            if let Some(view) = view(state, client, chat) {
                completion::found(view, &wanted, files);
            }
        }
        ComposerNews::Templates(templates) => show_templates(state, client, chat, Ok(templates)),
        ComposerNews::Prompts(_) | ComposerNews::Filled(_) => {}
    }
    Vec::new()
}

/// It could not be found out.
pub fn not_found(
    state: &mut State,
    client: ClientId,
    chat: &ChatId,
    ask: ComposerAsk,
    problem: Problem,
) -> Vec<Effect> {
    match ask {
        ComposerAsk::Attach { number, .. } => {
            let request = ScreenRequest::from(client).numbered(number);
            if !sending::failed(state, request, &problem) {
                toast::tell(state, client, problem.to_string(), Tone::Failed);
            }
        }
        ComposerAsk::Prompts if is_for(state, client, chat) => return history::arrived(state, client, Vec::new()),
        ComposerAsk::Fill { .. } => {
            if let Some(view) = view(state, client, chat) {
                view.composer.problem = Some(problem);
            }
        }
        // A name can be typed without the list.
        ComposerAsk::Files(wanted) => {
            if let Some(view) = view(state, client, chat) {
                completion::found(view, &wanted, Vec::new());
            }
        }
        ComposerAsk::Templates(_) => show_templates(state, client, chat, Err(problem)),
        ComposerAsk::Prompts => {}
    }
    Vec::new()
}

fn view<'s>(state: &'s mut State, client: ClientId, chat: &ChatId) -> Option<&'s mut View> {
    let view = state.views.get_mut(&client);
    view.filter(|view| view.composer.of.as_ref() == Some(chat))
}

fn is_for(state: &State, client: ClientId, chat: &ChatId) -> bool {
    let view = state.views.get(&client);
    view.is_some_and(|view| view.composer.of.as_ref() == Some(chat))
}

fn show_templates(state: &mut State, client: ClientId, chat: &ChatId, templates: Result<Vec<PromptTemplate>, Problem>) {
    let view = state.views.get_mut(&client);
    if let Some(Dialog::Slash(slash)) = view.and_then(|view| view.over.dialog.as_mut()) {
        slash.set_templates(chat, templates);
    }
}

/// It is read, and changed, before it is sent.
fn filled(state: &mut State, client: ClientId, prompt: TemplatePrompt) {
    let now = state.domain.now;
    if let Some(view) = state.views.get_mut(&client) {
        view.composer.change(now, |field| field.paste(&prompt.text));
    }
    for note in prompt.notes {
        toast::tell(state, client, note, Tone::Told);
    }
}

/// What a person wrote in their own editor takes the place of what was in the field.
pub fn edited(state: &mut State, client: ClientId, chat: &ChatId, text: &str) {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    drafts::put(&mut view.composer, chat, text, now);
    if view.chat.as_ref() == Some(chat) {
        press::come_back(state, client);
        if let Some(view) = state.views.get_mut(&client) {
            view.over.guard.gave_back("your editor has", now);
        }
    }
}
