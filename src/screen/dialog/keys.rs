//! What a dialog says of itself to the rest of the screen: its keys, and since when they count.

use crate::model::Timestamp;
use crate::screen::State;

use super::super::hint::Hint;
use super::asking::is_confirmation;
use super::tables::{
    APPROVALS, CHOOSE, ChooseKey, ListKey, OUTPUT, OutputKey, PAGE, PALETTE, PageKey, PaletteKey, QuestionKey, SEARCH,
    SERVERS, SearchKey, ServersKey, TRASH, TrashKey,
};
use super::{Ask, Button, Dialog, Form, Output, Stop, UNREAD_MS, approvals, tables};

impl Dialog {
    /// The keys that matter now, most wanted first.
    pub fn hints(&self, state: &State) -> Vec<Hint> {
        match self {
            Dialog::Help(_) | Dialog::Log(_) | Dialog::AtomPage(_) => of_page(),
            Dialog::Output(output) => of_output(output),
            Dialog::Palette(_) => vec![
                PALETTE.hint(&[PaletteKey::Run], "run"),
                PALETTE.hint(&[PaletteKey::Up, PaletteKey::Down], "move"),
                PALETTE.hint(&[PaletteKey::Close], "close"),
            ],
            Dialog::Choose(_) => vec![
                CHOOSE.hint(&[ChooseKey::Choose], "choose"),
                CHOOSE.hint(&[ChooseKey::Up, ChooseKey::Down], "move"),
                CHOOSE.hint(&[ChooseKey::Close], "close"),
            ],
            Dialog::Approvals(approvals) => of_approvals(approvals.buttons(state)),
            Dialog::Servers(servers) if servers.confirm.is_none() => vec![
                SERVERS.hint(&[ServersKey::Switch], "on or off"),
                SERVERS.hint(&[ServersKey::Close], "close"),
                SERVERS.hint(&[ServersKey::Tools], "tools"),
                SERVERS.hint(&[ServersKey::Restart], "restart agent"),
                SERVERS.hint(&[ListKey::Up, ListKey::Down].map(ServersKey::Move), "move"),
            ],
            Dialog::Trash(trash) if trash.chosen().is_none() => vec![TRASH.hint(&[TrashKey::Close], "close")],
            Dialog::Trash(trash) if trash.confirm.is_none() => vec![
                TRASH.hint(&[TrashKey::Restore], "restore"),
                TRASH.hint(&[TrashKey::Purge], "delete for good"),
                TRASH.hint(&[TrashKey::Close], "close"),
                TRASH.hint(&[ListKey::Up, ListKey::Down].map(TrashKey::Move), "move"),
            ],
            Dialog::Servers(_) | Dialog::Trash(_) | Dialog::Proposed(_) => tables::question_hints(),
            Dialog::NewChat(_)
            | Dialog::Project(_)
            | Dialog::Rename(_)
            | Dialog::Schedule(_)
            | Dialog::Cancel(_)
            | Dialog::Stop(_)
            | Dialog::Revert(_)
            | Dialog::Remark(_)
            | Dialog::Discard(_)
            | Dialog::Delete(_)
            | Dialog::AtomForm(_) => self.ask().map(Ask::hints).unwrap_or_default(),
        }
    }

    /// Something within it asks for a yes or a no.
    pub fn asks_within(&self) -> bool {
        matches!(self, Dialog::Servers(servers) if servers.confirm.is_some())
            || matches!(self, Dialog::Trash(trash) if trash.confirm.is_some())
    }

    /// What is typed goes into a field of it.
    pub fn is_typed_in(&self) -> bool {
        self.ask().is_some_and(|ask| ask.field(ask.form().at).is_some())
    }

    /// Since when what is to be answered is seen.
    fn shown(&self) -> Option<Timestamp> {
        let form = |form: &Form| Some(form.shown);
        match self {
            Dialog::Approvals(approvals) => approvals.at.as_ref().map(|_| approvals.shown),
            Dialog::Servers(servers) => servers.confirm.as_ref().map(|confirm| confirm.form.shown),
            Dialog::Trash(trash) => trash.confirm.as_ref().and_then(form),
            Dialog::Proposed(proposed) => form(&proposed.form),
            Dialog::Help(_)
            | Dialog::Log(_)
            | Dialog::Output(_)
            | Dialog::AtomPage(_)
            | Dialog::Palette(_)
            | Dialog::Choose(_) => None,
            Dialog::NewChat(_)
            | Dialog::Project(_)
            | Dialog::Rename(_)
            | Dialog::Schedule(_)
            | Dialog::Cancel(_)
            | Dialog::Stop(_)
            | Dialog::Revert(_)
            | Dialog::Remark(_)
            | Dialog::Discard(_)
            | Dialog::Delete(_)
            | Dialog::AtomForm(_) => self
                .ask()
                .filter(|ask| is_confirmation(*ask))
                .and_then(|ask| form(ask.form())),
        }
    }

    /// From when on its answers count; `None` for what is not answered.
    pub fn is_live_from(&self) -> Option<Timestamp> {
        self.shown().map(|shown| shown.plus_ms(UNREAD_MS))
    }
}

fn of_page() -> Vec<Hint> {
    vec![
        PAGE.hint(&[PageKey::Close], "close"),
        PAGE.hint(&[PageKey::Up, PageKey::Down], "scroll"),
        PAGE.hint(&[PageKey::PageDown], "page"),
        PAGE.hint(&[PageKey::First, PageKey::Last], "ends"),
    ]
}

fn of_output(output: &Output) -> Vec<Hint> {
    if output.search.typing.is_some() {
        return vec![
            SEARCH.hint(&[SearchKey::Search], "search"),
            SEARCH.hint(&[SearchKey::Cancel], "cancel"),
        ];
    }
    vec![
        OUTPUT.hint(&[OutputKey::Close], "close"),
        OUTPUT.hint(&[OutputKey::Search], "search"),
        OUTPUT.hint(&[OutputKey::Next, OutputKey::Previous], "next, previous"),
        OUTPUT.hint(&[OutputKey::Up, OutputKey::Down], "scroll"),
        OUTPUT.hint(&[OutputKey::PageDown], "page"),
        OUTPUT.hint(&[OutputKey::First, OutputKey::Last], "ends"),
    ]
}

fn of_approvals(buttons: &[Button]) -> Vec<Hint> {
    let close = APPROVALS.hint(&[QuestionKey::Close], "close");
    let next = APPROVALS.hint(&[QuestionKey::Up, QuestionKey::Down], "next");
    if buttons.is_empty() {
        return vec![close];
    }
    if !buttons.iter().any(|(stop, _)| *stop == Stop::Yes) {
        return vec![APPROVALS.hint(&[QuestionKey::Answer], "go there"), close, next];
    }
    let yes = match *buttons == approvals::SETUP {
        true => "approve",
        false => "allow once",
    };
    vec![
        APPROVALS.hint(&[QuestionKey::Yes], yes),
        APPROVALS.hint(&[QuestionKey::No], "deny"),
        APPROVALS.hint(&[QuestionKey::Left, QuestionKey::Right], "choose"),
        APPROVALS.hint(&[QuestionKey::Answer], "answer"),
        close,
        next,
        APPROVALS.hint(&[QuestionKey::PageDown], "page"),
    ]
}
