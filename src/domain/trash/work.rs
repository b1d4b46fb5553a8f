//! What workers do with what was deleted.

/// Work on what was deleted.
#[derive(Clone, Debug, PartialEq)]
pub enum TrashWork {
    /// A chat in the trash by id, handle or name; without one, what was deleted last.
    Restore(Option<String>),
    List,
    /// Removes for good what is in the trash: one chat, or all.
    Purge(Option<String>),
    /// What removing this for good would lose, or all that is in the trash.
    Losses(Option<String>),
    /// Removes what has been in the trash for long enough.
    LetGo,
}

impl TrashWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            TrashWork::Restore(_) | TrashWork::Purge(_) | TrashWork::LetGo => true,
            TrashWork::List | TrashWork::Losses(_) => false,
        }
    }
}
