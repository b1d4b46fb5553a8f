//! What a key or click comes to, of whichever dialog.

use crate::domain::approval::question::Decision;
use crate::domain::event::PieceOrigin;
use crate::model::ChatId;
use crate::model::request::Switch;
use crate::model::script::Proposal;

use super::super::changes::choice::DiffChoice;
use super::super::keymap::Action;
use super::approvals::Reply;
use super::choose::Chosen;
use super::output::Turned;
use super::palette::Pressed;
use super::{proposed, trash};

/// What a key or click on a dialog comes to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Answer {
    Nothing,
    /// The person leaves it, or gives the safe answer.
    Close,
    /// An answer to what could not be read yet.
    Early,
    /// An answer to what is answered elsewhere.
    Elsewhere,
    Submit,
    Run(Action),
    Choose(DiffChoice),
    Decide(ChatId, String, Decision),
    Go(ChatId),
    AskTools(ChatId),
    Switch(ChatId, String, Switch),
    Read(PieceOrigin),
    Agree(ChatId, Proposal),
    Trash(trash::Wanted),
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Answer {
        match reply {
            Reply::Stay => Answer::Nothing,
            Reply::Close => Answer::Close,
            Reply::Early => Answer::Early,
            Reply::Elsewhere => Answer::Elsewhere,
            Reply::Decide(chat, id, decision) => Answer::Decide(chat, id, decision),
            Reply::Go(chat) => Answer::Go(chat),
        }
    }
}

impl From<Turned> for Answer {
    fn from(turned: Turned) -> Answer {
        match turned {
            Turned::Stay => Answer::Nothing,
            Turned::Close => Answer::Close,
            Turned::Read(whence) => Answer::Read(whence),
        }
    }
}

impl From<proposed::Reply> for Answer {
    fn from(reply: proposed::Reply) -> Answer {
        match reply {
            proposed::Reply::Stay => Answer::Nothing,
            proposed::Reply::Close => Answer::Close,
            proposed::Reply::Early => Answer::Early,
            proposed::Reply::Agree(chat, proposal) => Answer::Agree(chat, proposal),
        }
    }
}

impl From<trash::Reply> for Answer {
    fn from(reply: trash::Reply) -> Answer {
        match reply {
            trash::Reply::Stay => Answer::Nothing,
            trash::Reply::Close => Answer::Close,
            trash::Reply::Early => Answer::Early,
            trash::Reply::Do(wanted) => Answer::Trash(wanted),
        }
    }
}

impl From<Chosen> for Answer {
    fn from(chosen: Chosen) -> Answer {
        match chosen {
            Chosen::Stay => Answer::Nothing,
            Chosen::Close => Answer::Close,
            Chosen::Take(choice) => Answer::Choose(choice),
        }
    }
}

impl From<Pressed> for Answer {
    fn from(pressed: Pressed) -> Answer {
        match pressed {
            Pressed::Stay => Answer::Nothing,
            Pressed::Close => Answer::Close,
            Pressed::Run(action) => Answer::Run(action),
        }
    }
}
