//! What is known of the branches of all chats.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::keep::{Collision, PullRequest};
use crate::model::{ChatId, Project, Timestamp};

/// What is told of the branches that chats are on.
#[derive(Default)]
pub struct BranchNews {
    /// By comparing them with each other.
    pub radar: Radar,
    /// By a forge.
    pub pulls: Pulls,
}

/// Which branches of one project conflict, and what is to be compared to know it.
#[derive(Default)]
pub struct Radar {
    /// Where the clones of each chat stood when they were last heard of, by their names.
    pub tips: BTreeMap<ChatId, BTreeMap<String, String>>,
    /// Chats whose clones stand elsewhere since they were compared.
    pub due: BTreeSet<ChatId>,
    /// A worker compares. One does at a time.
    pub is_comparing: bool,
    /// Between two chats each. Written by what a worker found, and where a chat goes.
    pub collisions: Vec<Collision>,
}

/// What a forge has told of pull requests, and what it is to be asked.
#[derive(Default)]
pub struct Pulls {
    /// As it told last, by the clone.
    pub known: BTreeMap<ChatId, BTreeMap<String, PullRequest>>,
    /// The branch of each clone that was checked out last.
    pub branches: BTreeMap<ChatId, BTreeMap<String, String>>,
    /// When each chat was last asked about.
    pub asked: BTreeMap<ChatId, Timestamp>,
    /// Chats that it is to be asked about, however long ago that was done.
    pub due: BTreeSet<ChatId>,
    /// A worker asks. One does at a time.
    pub is_asking: bool,
    /// When the loop was last asked to wake for checks that run, so that it is asked once.
    pub(in crate::domain::keep) wakes: Option<Timestamp>,
    /// The forge's program was not there when it was last looked for.
    pub has_no_forge: bool,
}

impl BranchNews {
    /// The moments from which deadlines are counted.
    pub(in crate::domain) fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        let BranchNews { radar, pulls } = self;
        let Radar {
            tips: _,
            due: _,
            is_comparing: _,
            collisions: _,
        } = radar;
        let Pulls {
            known: _,
            branches: _,
            asked,
            due: _,
            is_asking: _,
            wakes,
            has_no_forge: _,
        } = pulls;
        asked.values_mut().chain(wakes)
    }
}

impl Pulls {
    /// That of the branch which the clone is on.
    pub fn of(&self, chat: &ChatId, project: &Project) -> Option<&PullRequest> {
        let known = self.known.get(chat)?.get(&project.name)?;
        (project.branch.as_ref() == Some(&known.branch)).then_some(known)
    }
}
