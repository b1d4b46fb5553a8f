//! What workers do to keep what is in the clones of a chat.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::model::ChatId;
use crate::model::chat::Directory;
use crate::model::keep::{
    BroughtHome, Collision, Committed, EndedGit, KeepAsk, KeepDraft, PullRequest, Pushed, Rebased, SeenPulls,
};

/// Work on clones.
#[derive(Clone, Debug, PartialEq)]
pub enum KeepWork {
    /// In one clone of a chat, or in all that have something to keep.
    InClones {
        chat: ChatId,
        project: Option<String>,
        ask: KeepAsk,
    },
    /// Compares the branches of one project among these clones.
    Radar(RadarScope, Vec<HeldClone>),
    /// What a person may want to change before it is kept.
    Draft(ChatId),
    /// Asks a forge about the branches of a chat's clones, as far as it answers.
    SeePulls(ChatId),
}

/// Which pairs of clones are compared.
#[derive(Clone, Debug, PartialEq)]
pub enum RadarScope {
    All,
    Chat(ChatId),
    /// Those of chats that made commits. A project that cannot be compared does not hide what is found in others.
    Changed(BTreeSet<ChatId>),
}

/// A clone of a chat.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldClone {
    pub chat: ChatId,
    pub handle: String,
    pub directory: Directory,
}

impl RadarScope {
    pub fn has(&self, chat: &ChatId) -> bool {
        match self {
            RadarScope::All => true,
            RadarScope::Chat(one) => one == chat,
            RadarScope::Changed(some) => some.contains(chat),
        }
    }
}

impl KeepWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            KeepWork::InClones { ask, .. } => ask.changes(),
            KeepWork::Radar(..) | KeepWork::Draft(_) | KeepWork::SeePulls(_) => false,
        }
    }

    /// The chat, if a remote or a forge is asked, which may never answer.
    pub fn reaches_out_for(&self) -> Option<&ChatId> {
        match self {
            KeepWork::InClones { chat, ask, .. } => match ask {
                KeepAsk::Push { .. } | KeepAsk::Rebase { .. } | KeepAsk::OpenPull(_) | KeepAsk::PullStatus => {
                    Some(chat)
                }
                KeepAsk::Commit { .. } | KeepAsk::Home { .. } | KeepAsk::End { .. } => None,
            },
            KeepWork::SeePulls(chat) => Some(chat),
            KeepWork::Radar(..) | KeepWork::Draft(_) => None,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum KeepDone {
    Committed(Vec<Committed>),
    Pushed(Vec<Pushed>),
    Home(Vec<BroughtHome>),
    Rebased(Vec<Rebased>),
    Ended(Vec<EndedGit>),
    Pulls(Vec<PullRequest>),
    Collisions(Vec<Collision>),
    Draft(KeepDraft),
    Seen(SeenPulls),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum KeepThen {
    /// It is the answer.
    Answer,
    /// It is the answer, and tells of the pull requests of this chat.
    Kept(ChatId),
    /// It is what is known of the conflicts of these chats from now on.
    Compared(BTreeSet<ChatId>),
    /// It is what is known of the pull requests of this chat from now on.
    SeenPulls(ChatId),
}
