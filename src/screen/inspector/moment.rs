//! The moment that a person looks at, to which they go back or from which they fork.

use crate::domain::approval::card::CardSubject;
use crate::domain::effect::Effect;
use crate::model::review::{Back, Point, RevertOf};
use crate::model::text::one_line;
use crate::model::{ChatId, ClientId, Happened};
use crate::screen::State;
use crate::screen::dialog::ForkQuestion;
use crate::screen::keymap::PaneSheet;
use crate::screen::tab::changes;
use crate::screen::tab::transcript::item::ItemKind;
use crate::screen::view::{Tone, View};
use crate::screen::{dialogs, toast};

use super::selected;

/// Letters of a prompt in the question whether to fork before it.
const FORKED: usize = 60;

/// The prompt that is selected among the cards or in the transcript, while they have the keys.
pub fn chosen_prompt(state: &State, view: &View) -> Option<u64> {
    chosen_words(state, view).map(|(prompt, _)| prompt)
}

fn chosen_words<'s>(state: &'s State, view: &'s View) -> Option<(u64, &'s str)> {
    if let Some(transcript) = view.transcript_with_keys() {
        let item = transcript.items.get(transcript.held()?)?;
        let ItemKind::Prompt(entry) = &item.what else {
            return None;
        };
        let Happened::Prompt { text, .. } = &entry.what else {
            return None;
        };
        return Some((item.key.seq, text));
    }
    let card = selected(state, view)?;
    let CardSubject::Prompt { text, .. } = &card.what else {
        return None;
    };
    Some((card.seq, text))
}

fn prompt(state: &State, client: ClientId) -> Option<u64> {
    chosen_prompt(state, state.views.get(&client)?)
}

/// Asks about going back to before the selected prompt.
pub fn go_back(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(prompt) = prompt(state, client) else {
        return Vec::new();
    };
    let back = Back::To {
        point: Point::Prompt(prompt),
        project: None,
        of: RevertOf::Both,
    };
    changes::open_revert(state, client, back)
}

/// The moment that a person looks at: the selected prompt among the cards, else the chosen turn in Changes, else the
/// selected checkpoint.
fn moment(state: &State, view: &View) -> Option<Point> {
    if let Some(prompt) = chosen_prompt(state, view) {
        return Some(Point::Prompt(prompt));
    }
    let is_shown = |sheet| view.sheet() == Some(sheet);
    let turn = changes::timeline::chosen(&view.changes).filter(|_| is_shown(PaneSheet::Changes));
    let checkpoint = view.checkpoints.selected.filter(|_| is_shown(PaneSheet::Checkpoints));
    turn.map(Point::Turn).or(checkpoint.map(Point::Checkpoint))
}

/// Asks about making a chat of that moment.
pub fn fork(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    let view = state.views.get(&client);
    let words = view.and_then(|view| chosen_words(state, view));
    let words = words.map(|(_, words)| one_line(words, FORKED));
    let Some(at) = view.and_then(|view| moment(state, view)) else {
        let text =
            "Choose a turn in Changes, a checkpoint, or a prompt in the Transcript or among the cards to fork from.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    };
    let question = ForkQuestion::at(&state.domain, chat, at, words);
    dialogs::open(state, client, question)
}
