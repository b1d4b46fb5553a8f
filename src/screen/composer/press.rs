//! Keys, pastes and clicks in the composer.

use crossterm::event::{KeyCode, KeyEvent};

use crate::domain::agent;
use crate::domain::effect::Effect;
use crate::model::compose::dropped_path;
use crate::model::queue::PromptKind;
use crate::model::{ClientId, Timestamp};
use crate::screen::State;

use super::super::dialog::Field;
use super::super::keymap::{ComposerAction, PaneSheet, WriteAction};
use super::super::tab::transcript::{place, scroll_page};
use super::super::toast;
use super::super::view::{Focus, Mode, Tab, Tone, View};
use super::super::way::PageTurn;
use super::data::{ComposerView, PromptHistory};
use super::history::{self, HistoryStep};
use super::place as composer_place;
use super::{choosing, completion, drafts, sending};

const EMPTIED: &str = "Emptied: ↑ brings it back, Ctrl+C interrupts.";

/// A command of the Transcript tab that leads to the composer.
pub fn write(state: &mut State, client: ClientId, action: WriteAction) -> Vec<Effect> {
    match action {
        WriteAction::Write => {
            enter(state, client);
            Vec::new()
        }
        WriteAction::Retry => history::retry(state, client),
    }
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(view: &View, action: WriteAction) -> (bool, &'static str) {
    match action {
        WriteAction::Write | WriteAction::Retry => (
            view.sheet() == Some(PaneSheet::Transcript) && view.chat.is_some(),
            "the transcript is not shown",
        ),
    }
}

/// Keys go into the field from now on.
fn enter(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client) {
        drafts::refresh(view, &state.domain);
        view.composer.is_entered = true;
        (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
        view.transcript.moment = None;
    }
}

/// Puts words behind what is written, apart from it, and goes there.
pub fn propose(state: &mut State, client: ClientId, text: &str) {
    let now = state.domain.now;
    if let Some(view) = state.views.get_mut(&client) {
        view.show(Tab::Sheet(PaneSheet::Transcript));
    }
    enter(state, client);
    if let Some(view) = state.views.get_mut(&client) {
        view.composer.change(now, |field| {
            field.to_end();
            if !field.is_empty() {
                field.paste("\n\n");
            }
            field.paste(text);
        });
    }
}

/// A key of its table.
pub fn run(state: &mut State, client: ClientId, action: ComposerAction) -> Vec<Effect> {
    use ComposerAction as A;
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let composer = &mut view.composer;
    match action {
        A::Complete => composer.take_offer(now),
        A::Send if composer.is_choosing() => composer.take_offer(now),
        A::Up if composer.choose_offer(-1) => {}
        A::Down if composer.choose_offer(1) => {}
        A::Leave if composer.dismiss_offers() => {}
        A::Up | A::Older if composer.bring_back(now) => {}
        A::Editor => return choosing::edit(state, client),
        A::Send => return sending::send(state, client, PromptKind::Steer),
        A::FollowUp => return sending::send(state, client, PromptKind::FollowUp),
        A::NewLine => composer.change(now, |field| field.paste("\n")),
        A::Interrupt if !composer.field.is_empty() => {
            composer.empty(now);
            toast::tell(state, client, EMPTIED, Tone::Told);
        }
        A::Interrupt => {
            let chat = composer.of.clone();
            return chat.map_or_else(Vec::new, |chat| agent::interrupt(&mut state.domain, &chat));
        }
        A::Up if composer.field.up() => {}
        A::Down if composer.field.down() => {}
        A::Up if composer.is_in_history() || !composer.choose_last() => {
            return history::step(state, client, HistoryStep::Older);
        }
        A::Up => {}
        A::Down | A::Newer => return history::step(state, client, HistoryStep::Newer),
        A::Older => return history::step(state, client, HistoryStep::Older),
        A::PageUp => scroll_page(state, client, PageTurn::Up),
        A::PageDown => scroll_page(state, client, PageTurn::Down),
        A::Leave => composer.is_entered = false,
    }
    Vec::new()
}

/// Any other key.
pub fn press(state: &mut State, client: ClientId, key: KeyEvent) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    // A prompt that begins so is mostly none.
    let is_of_shell = completion::is_of_shell(&state.domain, view.composer.of.as_ref());
    if key.code == KeyCode::Char('/') && view.composer.field.is_empty() && !is_of_shell {
        return choosing::open(state, client);
    }
    view.composer.change(now, |field| {
        field.press(key);
    });
    Vec::new()
}

pub fn paste(state: &mut State, client: ClientId, text: &str) -> Vec<Effect> {
    let now = state.domain.now;
    if let Some(view) = state.views.get_mut(&client) {
        // A file that is dropped on the terminal.
        let named = dropped_path(text).map(|path| format!("@{path} "));
        view.composer
            .change(now, |field| field.paste(named.as_deref().unwrap_or(text)));
    }
    Vec::new()
}

/// Back in the field, from elsewhere.
pub(super) fn come_back(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client) {
        view.show(Tab::Sheet(PaneSheet::Transcript));
    }
    enter(state, client);
}

/// A click in the Transcript tab: whether it was in the composer, which has the keys then.
pub fn click(state: &mut State, client: ClientId, (x, y): (u16, u16)) -> bool {
    let Some(view) = state.views.get_mut(&client) else {
        return false;
    };
    let is_in = place::areas(view).composer.contains((x, y).into());
    match is_in {
        true => enter(state, client),
        false => view.composer.is_entered = false,
    }
    if let (true, Some(view)) = (is_in, state.views.get_mut(&client)) {
        let areas = place::areas(view);
        let chip = composer_place::chip_at(&view.composer, (areas.composer, areas.whole), (x, y));
        view.composer.chosen = chip.map(|chip| chip.id.clone());
    }
    is_in
}

impl ComposerView {
    /// What is written is a draft from then on; what was looked up is, too, once it is changed.
    /// As at a shell's prompt: whoever changes their mind about what they write interrupts nobody.
    fn empty(&mut self, now: Timestamp) {
        let text = self.field.text();
        self.change(now, |field| field.set(""));
        self.emptied = Some(text);
    }

    /// Into an empty field comes what it was emptied of.
    fn bring_back(&mut self, now: Timestamp) -> bool {
        let Some(text) = self.emptied.take_if(|_| self.field.is_empty()) else {
            return false;
        };
        self.change(now, |field| field.set(&text));
        true
    }

    pub(super) fn change(&mut self, now: Timestamp, change: impl FnOnce(&mut Field)) {
        self.chosen = None;
        let before = self.field.text();
        change(&mut self.field);
        if self.field.text() != before {
            self.history = PromptHistory::Left;
            self.taken_back.take_if(|_| self.field.is_empty());
            self.problem = None;
            self.drafts.due.get_or_insert(now.plus_ms(drafts::SAVE_MS));
        }
    }
}
