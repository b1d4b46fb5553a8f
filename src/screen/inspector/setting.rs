//! What is set for a chat is changed where it is shown: one of it is selected, and Enter changes that.

use crate::domain::effect::Effect;
use crate::model::chat_change::ChatChange;
use crate::model::request::Switch;
use crate::model::{AreaMode, ChatId, ClientId};
use crate::screen::State;

use super::super::dialog::{AgentForm, Project, Servers, SettingsPage, Wish};
use super::super::keymap::ChatAction;
use super::super::layout;
use super::super::view::{Tone, View};
use super::super::{dialogs, toast, wish};
use super::data::PageRow;
use super::page;
use super::settings::{Acts, ChatSetting, made};

/// Up or down among what can be changed.
pub(super) fn step(state: &mut State, client: ClientId, by: isize) {
    let count = state.views.get(&client).map_or(0, |view| settings(state, view).len());
    if let Some(view) = state.views.get_mut(&client) {
        let at = view.inspector.setting.min(count.saturating_sub(1));
        view.inspector.setting = at.saturating_add_signed(by).min(count.saturating_sub(1));
    }
    reveal(state, client);
}

/// The one of this number is selected.
pub(super) fn select(state: &mut State, client: ClientId, number: usize) {
    if let Some(view) = state.views.get_mut(&client) {
        view.inspector.setting = number;
    }
}

/// Scrolls to what is selected, from the first to the last of its rows.
fn reveal(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let Some(panel) = layout::arrange(view).inspector else {
        return;
    };
    let rows = page::rows(state, view, &panel);
    let at = view.inspector.setting;
    let is_it = |row: &PageRow| matches!(row, PageRow::Setting(_, number) if *number == at);
    let (Some(first), Some(last)) = (rows.iter().position(is_it), rows.iter().rposition(is_it)) else {
        return;
    };
    let height = usize::from(panel.list.height);
    let is_first = at == 0;
    let is_last = !rows[last + 1..].iter().any(|row| matches!(row, PageRow::Setting(..)));
    if let Some(view) = state.views.get_mut(&client) {
        let scroll = view.inspector.scroll.max((last + 1).saturating_sub(height)).min(first);
        view.inspector.scroll = match (is_first, is_last) {
            // What stands above the first or below the last is seen too.
            (true, _) => 0,
            (false, true) => rows.len().saturating_sub(height),
            (false, false) => scroll,
        };
    }
}

fn settings(state: &State, view: &View) -> Vec<ChatSetting> {
    let wide = layout::arrange(view).inspector.map_or(0, |panel| panel.list.width);
    made(state, view, wide.into()).settings
}

fn selected(state: &State, view: &View) -> Option<ChatSetting> {
    settings(state, view).into_iter().nth(view.inspector.setting)
}

/// What Enter does with what is selected.
pub(super) fn hint(state: &State, view: &View) -> &'static str {
    selected(state, view).map_or("", |setting| setting.hint())
}

/// Changes what is selected, or asks how.
pub(super) fn change(state: &mut State, client: ClientId) -> Vec<Effect> {
    let found = state.views.get(&client).and_then(|view| {
        let setting = selected(state, view)?;
        Some((view.chat.clone()?, setting))
    });
    let Some((chat, setting)) = found else {
        return Vec::new();
    };
    let acts = setting.acts();
    match setting {
        ChatSetting::Model => {
            let form = AgentForm::model(&state.domain, &chat);
            dialogs::open(state, client, form)
        }
        ChatSetting::Permissions => {
            let form = AgentForm::permissions(&state.domain, &chat);
            dialogs::open(state, client, form)
        }
        ChatSetting::Servers => {
            let servers = Servers::new(&state.domain, &chat);
            dialogs::open(state, client, servers)
        }
        ChatSetting::Open => {
            let project = Project::new(&state.domain, state.cwd_of(client), &chat);
            dialogs::open(state, client, project)
        }
        ChatSetting::Everywhere(words) => dialogs::open(state, client, SettingsPage::about(words)),
        ChatSetting::Switch { name, on } => {
            let to = if on { Switch::Off } else { Switch::On };
            tell_when(state, client, &chat, acts);
            wish::carry_out(state, Wish::SwitchServer(chat, name, to), client.into())
        }
        ChatSetting::Directory(name, mode) => {
            let to = match mode {
                AreaMode::Rw => AreaMode::Ro,
                AreaMode::Ro => AreaMode::Rw,
            };
            let changes = vec![ChatChange::Mode(name, to)];
            wish::carry_out(state, Wish::Set(chat, changes), client.into())
        }
    }
}

/// An agent that runs does not hear of it before it is started anew.
fn tell_when(state: &mut State, client: ClientId, chat: &ChatId, acts: Acts) {
    if acts == Acts::NextStart && state.domain.status(chat).is_live() {
        let key = state.leads(client, ChatAction::Restart);
        let runs = state.domain.disk.what_runs(chat);
        let text = format!("Its {runs} runs on without that change; {key} restarts it.");
        toast::tell(state, client, text, Tone::Told);
    }
}

/// A click on a row of a tab: a call is shown in full, and what can be changed is selected; once more changes it.
pub(super) fn click(state: &mut State, client: ClientId, row: usize) -> Vec<Effect> {
    let clicked = state.views.get(&client).and_then(|view| {
        let panel = layout::arrange(view).inspector?;
        let rows = page::rows(state, view, &panel);
        let first = page::first_row(view.inspector.scroll, rows.len(), &panel);
        rows.into_iter().nth(first + row)
    });
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match clicked {
        Some(PageRow::Call(seq)) => (view.inspector.selected, view.inspector.scroll) = (Some(seq), 0),
        Some(PageRow::Setting(_, number)) if view.inspector.setting == number => {
            return change(state, client);
        }
        Some(PageRow::Setting(_, number)) => select(state, client, number),
        Some(PageRow::Text(_) | PageRow::Usage(_)) | None => {}
    }
    Vec::new()
}
