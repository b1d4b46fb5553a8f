//! The keys of the inspector that matter now.

use crate::screen::State;

use super::super::hint::Hint;
use super::super::keymap::{
    Action, ChatAction, ChatsAction, InspectorAction, MoveAction, PaneSheet, ScreenAction, TabAction,
};
use super::super::surface::Surface;
use super::super::view::View;
use super::chosen_prompt;
use super::data::InspectorTab;
use super::setting;

pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    use InspectorAction as A;
    let of = |actions: &[Action], words| state.keymap.hint(Surface::Inspector, actions, words);
    let key = |action: A, words| of(&[Action::Inspector(action)], words);
    let movement = |words| of(&[MoveAction::Up, MoveAction::Down].map(Action::Move), words);
    let tabs = || {
        let all = [A::Cards, A::Card, A::Todos, A::Usage, A::Chat].map(Action::Inspector);
        of(&all, "tabs")
    };
    let leave = || of(&[TabAction::CloseTab.into()], "terminal");
    let help = of(&[ScreenAction::Help.into()], "all keys");
    match view.inspector.tab {
        InspectorTab::Cards if chosen_prompt(state, view).is_some() => vec![
            key(A::Fold, "open"),
            of(&[ChatAction::Recreate.into()], "go back to before it"),
            of(&[ScreenAction::CardChanges.into()], "its lines"),
            movement("move"),
            tabs(),
            of(&[ScreenAction::Inspector.into()], "hide"),
            help,
            leave(),
        ],
        InspectorTab::Cards => vec![
            key(A::Fold, "open"),
            key(A::Full, "in full"),
            of(&[ScreenAction::CardChanges.into()], "its lines"),
            movement("move"),
            tabs(),
            of(&[MoveAction::SwitchFocus.into()], "sidebar"),
            of(&[ScreenAction::Inspector.into()], "hide"),
            help,
            leave(),
        ],
        InspectorTab::Card => vec![
            key(A::Back, "back"),
            movement("scroll"),
            of(&[A::Previous, A::Next].map(Action::Inspector), "other card"),
            key(A::Raw, "JSON"),
            key(A::Copy, "copy"),
            of(&[ScreenAction::Output.into()], "whole output"),
            key(A::OpenFile, "its file"),
            key(A::Moment, "terminal then"),
            key(A::Again, "again"),
            help,
            leave(),
        ],
        InspectorTab::Todos => vec![
            key(A::Back, "back"),
            movement("scroll"),
            of(&[Action::Show(PaneSheet::Todos)], "change them"),
            tabs(),
            help,
            leave(),
        ],
        InspectorTab::Usage => vec![
            key(A::Back, "back"),
            movement("scroll"),
            of(&[ChatsAction::Usage.into()], "by prompt, day, project"),
            tabs(),
            help,
            leave(),
        ],
        InspectorTab::Chat => vec![
            key(A::Full, setting::hint(state, view)),
            movement("move"),
            key(A::Back, "back"),
            of(&[ChatAction::Restart.into()], "restart"),
            tabs(),
            help,
            leave(),
        ],
    }
}
