//! What is known of the branches of all chats.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::ChatId;
use crate::model::keep::Collision;

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
