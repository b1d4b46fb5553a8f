//! What all agents ask: one queue, each question whole, answered here or in the agent's own dialog.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use crate::app::gate;
use crate::app::gate::question::Decision;
use crate::app::state::State;
use crate::model::{ChatId, Timestamp};

use super::super::wrap::wrap;
use super::place;

/// So much longer than any other a question has to be seen that took the place of another under somebody's finger.
const SWAPPED_MS: i64 = 1_500;

#[derive(Default)]
pub struct Approvals {
    /// The question that is shown: its chat and id. Kept while others come and go.
    pub at: Option<(ChatId, String)>,
    pub scroll: usize,
    /// Since when it is shown: what was typed before it could be read is no answer.
    pub shown: Timestamp,
}

/// What a key comes to.
pub(super) enum Reply {
    Stay,
    Close,
    Decide(ChatId, String, Decision),
    Go(ChatId),
}

impl Approvals {
    /// Its place in the queue; the first where what was shown is answered.
    pub fn place(&self, state: &State) -> usize {
        let open = gate::open(state);
        let here = |at: &(ChatId, String)| {
            open.iter()
                .position(|(chat, question)| (chat, question.id.as_str()) == (&at.0, at.1.as_str()))
        };
        self.at.as_ref().and_then(here).unwrap_or(0)
    }

    /// The lines of the question that is shown, in a column this wide.
    pub fn lines(&self, state: &State, width: usize) -> Vec<String> {
        let open = gate::open(state);
        let Some((_, question)) = open.get(self.place(state)) else {
            return Vec::new();
        };
        let text = gate::text(question);
        text.lines().flat_map(|line| wrap(line, width)).collect()
    }

    pub(super) fn press(&mut self, state: &State, key: KeyEvent, whole: Rect) -> Reply {
        let lines = self.lines(state, place::read_width(whole)).len();
        let page = usize::from(place::approvals(whole, lines).text.height);
        let most = lines.saturating_sub(page);
        let open = gate::open(state);
        let place = self.place(state);
        let shown = open
            .get(place)
            .map(|(chat, question)| (chat.clone(), question.id.clone()));
        self.at.clone_from(&shown);
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, shown) {
            (KeyCode::Esc | KeyCode::Char('q'), _) => return Reply::Close,
            (KeyCode::Char('c'), _) if ctrl => return Reply::Close,
            (KeyCode::Char('y'), Some((chat, id))) => return Reply::Decide(chat, id, Decision::Allow),
            (KeyCode::Char('n'), Some((chat, id))) => return Reply::Decide(chat, id, Decision::Deny),
            (KeyCode::Enter, Some((chat, _))) => return Reply::Go(chat),
            (KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab, _) => self.turn_to(state, place + 1),
            (KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab, _) => self.turn_to(state, place.saturating_sub(1)),
            (KeyCode::PageDown | KeyCode::Char(' '), _) => self.scroll = (self.scroll + page).min(most),
            (KeyCode::PageUp, _) => self.scroll = self.scroll.saturating_sub(page),
            _ => {}
        }
        Reply::Stay
    }

    fn turn_to(&mut self, state: &State, place: usize) {
        if let Some((chat, question)) = gate::open(state).get(place) {
            self.at = Some((chat.clone(), question.id.clone()));
            self.scroll = 0;
            self.shown = state.now;
        }
    }

    /// Where what was shown is answered or gone, another question stands there: it has not been read yet, and an answer
    /// to the last one may be on its way to the key.
    pub(super) fn settle(&mut self, state: &State) {
        let open = gate::open(state);
        let shown = open.get(self.place(state));
        let shown = shown.map(|(chat, question)| (chat.clone(), question.id.clone()));
        if shown != self.at {
            let late = if self.at.is_some() { SWAPPED_MS } else { 0 };
            (self.at, self.scroll, self.shown) = (shown, 0, Timestamp(state.now.0 + late));
        }
    }

    /// After an answer the next question is shown, and has to be read before it is answered.
    pub(super) fn advance(&mut self, state: &State) {
        self.at = None;
        self.turn_to(state, 0);
        self.shown = state.now;
        self.scroll = 0;
    }
}
