//! What people have before them, as far as it matters to chats. Told by the screens after every event.

use std::collections::BTreeSet;

use crate::model::ChatId;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attention {
    /// On somebody's screen.
    pub shown: BTreeSet<ChatId>,
    /// On a screen whose terminal has the focus.
    pub watched: BTreeSet<ChatId>,
    /// On a screen for long enough to be seen, or typed in.
    pub seen: BTreeSet<ChatId>,
    /// Keys go to their agents.
    pub used: BTreeSet<ChatId>,
}
