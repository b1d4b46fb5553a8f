//! What went wrong in a turn between an agent and its provider, as its hook and its transcript tell of it.

use crate::model::trouble::{self, reset_time};
use crate::model::{Status, Timestamp, Trouble, TroubleKind, Zone};

/// A turn failed like this. Gone with the next turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnTrouble {
    pub kind: TroubleKind,
    pub at: Timestamp,
    /// In the words of the CLI.
    pub message: String,
    /// When the limit ends that it ran into.
    pub resets: Option<Timestamp>,
    /// The same in words, once it was dated.
    words: Option<String>,
}

impl TurnTrouble {
    /// From which deadlines are counted. When its limit ends is a time of day.
    pub(super) fn moment(&mut self) -> &mut Timestamp {
        let TurnTrouble {
            kind: _,
            at,
            message: _,
            resets: _,
            words: _,
        } = self;
        at
    }

    /// A hook and the transcript tell of the same failure, in any order. What one of them leaves open the other may know.
    pub fn told(known: Option<TurnTrouble>, told: Trouble, message: &str, at: Timestamp) -> TurnTrouble {
        let kind = match &known {
            Some(known) if told.kind == TroubleKind::Refused => known.kind,
            Some(_) | None => told.kind,
        };
        let (known_message, known_resets) = known.map(|known| (known.message, known.resets)).unwrap_or_default();
        let message = match message.len() > known_message.len() {
            true => message.into(),
            false => known_message,
        };
        TurnTrouble {
            kind,
            at,
            message,
            resets: told.resets.or(known_resets),
            words: None,
        }
    }

    /// Reads in its words, once, when the limit ends.
    pub fn date(&mut self, now: Timestamp, zone: Zone) {
        if self.words.is_some() {
            return;
        }
        let resets = self.resets.or_else(|| reset_time(&self.message, self.at, zone));
        self.resets = resets.filter(|_| self.kind == TroubleKind::Limit);
        let words = self
            .resets
            .map(|resets| format!("resets {}", trouble::moment(resets, now, zone)));
        self.words = Some(words.unwrap_or_default());
    }

    /// The status of an agent whose turn failed like this, in the words of the signal that tells of it.
    pub fn status(&self, what: &str) -> Status {
        match self.kind {
            TroubleKind::Limit => match self.words.as_deref() {
                None | Some("") => Status::Limited(what.into()),
                Some(resets) => Status::Limited(resets.into()),
            },
            TroubleKind::Login => Status::LoggedOut(what.into()),
            TroubleKind::Overloaded
            | TroubleKind::Credit
            | TroubleKind::Network
            | TroubleKind::Model
            | TroubleKind::ContextFull
            | TroubleKind::Refused => Status::Error(what.into()),
        }
    }
}
