//! What a dialog says of itself to the rest of the screen: its keys, and since when they count.

use crate::model::Timestamp;
use crate::screen::State;

use super::asking::is_confirmation;
use super::{Ask, Dialog, Form, Keys, Stop, UNREAD_MS, approvals, buttons};

const PAGE: Keys = &[("Esc", "close"), ("↑↓", "scroll"), ("Space", "page"), ("g G", "ends")];
const OUTPUT: Keys = &[
    ("q", "close"),
    ("/", "search"),
    ("n N", "next, previous"),
    ("↑↓", "scroll"),
    ("Space", "page"),
    ("g G", "ends"),
];
const SEARCH: Keys = &[("Enter", "search"), ("Esc", "cancel")];
const PALETTE: Keys = &[("Enter", "run"), ("↑↓", "move"), ("Esc", "close")];
const SERVERS: Keys = &[
    ("Space", "on or off"),
    ("Esc", "close"),
    ("t", "tools"),
    ("S", "restart agent"),
    ("↑↓", "move"),
];
const TRASH: Keys = &[
    ("Enter", "restore"),
    ("x", "delete for good"),
    ("Esc", "close"),
    ("↑↓", "move"),
];
const APPROVALS: Keys = &[
    ("y", "allow once"),
    ("n", "deny"),
    ("←→", "choose"),
    ("Enter", "answer"),
    ("Esc", "close"),
    ("↑↓", "next"),
    ("Space", "page"),
];
const SETUP: Keys = &[
    ("y", "approve"),
    ("n", "deny"),
    ("←→", "choose"),
    ("Enter", "answer"),
    ("Esc", "close"),
    ("↑↓", "next"),
    ("Space", "page"),
];
const THERE: Keys = &[("Enter", "go there"), ("Esc", "close"), ("↑↓", "next")];
const EMPTY: Keys = &[("Esc", "close")];

impl Dialog {
    /// The keys that matter now, most wanted first.
    pub fn keys(&self, state: &State) -> Keys {
        match self {
            Dialog::Help(_) | Dialog::Log(_) | Dialog::AtomPage(_) => PAGE,
            Dialog::Output(output) if output.search.typing.is_some() => SEARCH,
            Dialog::Output(_) => OUTPUT,
            Dialog::Palette(_) => PALETTE,
            Dialog::Approvals(approvals) => match approvals.buttons(state) {
                [] => EMPTY,
                buttons if *buttons == approvals::SETUP => SETUP,
                buttons if buttons.iter().any(|(stop, _)| *stop == Stop::Yes) => APPROVALS,
                _ => THERE,
            },
            Dialog::Servers(servers) if servers.confirm.is_none() => SERVERS,
            Dialog::Trash(trash) if trash.chosen().is_none() => EMPTY,
            Dialog::Trash(trash) if trash.confirm.is_none() => TRASH,
            Dialog::Servers(_) | Dialog::Trash(_) | Dialog::Proposed(_) => buttons::KEYS,
            Dialog::NewChat(_)
            | Dialog::Project(_)
            | Dialog::Rename(_)
            | Dialog::Schedule(_)
            | Dialog::Cancel(_)
            | Dialog::Stop(_)
            | Dialog::Delete(_)
            | Dialog::AtomForm(_) => self.ask().map_or(EMPTY, Ask::keys),
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
            Dialog::Help(_) | Dialog::Log(_) | Dialog::Output(_) | Dialog::AtomPage(_) | Dialog::Palette(_) => None,
            Dialog::NewChat(_)
            | Dialog::Project(_)
            | Dialog::Rename(_)
            | Dialog::Schedule(_)
            | Dialog::Cancel(_)
            | Dialog::Stop(_)
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
