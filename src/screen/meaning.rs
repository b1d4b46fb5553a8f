//! What a command does where its key is pressed. Most do what they are named for, to the chat that is shown; a few do it
//! to what is chosen instead: a card, the marked chats, a call of the transcript. Which, is said here alone: running a
//! command and saying why it cannot be run both begin here.

use crate::screen::State;

use super::keymap::{Action, ChatAction, ScreenAction};
use super::view::View;
use super::{inspector, moving};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// What it is named for.
    Named(Action),
    /// Enter among the cards: the chosen one as a whole.
    FullCard,
    StopMarked,
    DeleteMarked,
    /// On a prompt: back to what was there before it.
    BackToPrompt,
    /// Where the transcript has the keys: the output of what is selected in it.
    OutputInTranscript,
    /// There too: the lines that the selected call changed.
    LinesInTranscript,
}

impl Meaning {
    pub fn of(state: &State, view: &View, action: Action) -> Meaning {
        let has_marks = !view.sidebar.marked.is_empty();
        match action {
            Action::Chat(ChatAction::Enter) if moving::among_cards(view) => Meaning::FullCard,
            Action::Chat(ChatAction::Stop) if has_marks => Meaning::StopMarked,
            Action::Chat(ChatAction::Delete) if has_marks => Meaning::DeleteMarked,
            Action::Chat(ChatAction::Recreate) if inspector::chosen_prompt(state, view).is_some() => {
                Meaning::BackToPrompt
            }
            Action::Screen(ScreenAction::Output) if view.transcript_with_keys().is_some() => {
                Meaning::OutputInTranscript
            }
            Action::Screen(ScreenAction::CardChanges) if view.transcript_with_keys().is_some() => {
                Meaning::LinesInTranscript
            }
            action => Meaning::Named(action),
        }
    }
}
