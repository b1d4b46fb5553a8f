//! What is due and under way among checkpoints.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::state::Requester;
use crate::model::pick::SavedPick;
use crate::model::review::Back;
use crate::model::{CallId, ChatId, HookAnswer, Timestamp};

#[derive(Default)]
pub struct Reviews {
    /// Prompts that came to an agent, each the beginning of a turn.
    pub begun: Vec<(ChatId, String)>,
    /// Chats in which a prompt may just have been entered, whose CLI tells of it only beside its work.
    pub entered: BTreeSet<ChatId>,
    /// Chats whose turn has just ended.
    pub rested: BTreeSet<ChatId>,
    /// Prompts that one source told of and another may tell of again, the newest last.
    pub told: BTreeMap<ChatId, Vec<(bool, String)>>,
    /// The last prompt of chats that had no clone then: their turn begins with the first one.
    pub without_clone: BTreeMap<ChatId, String>,
    /// Chats in which a project was opened.
    pub opened: BTreeSet<ChatId>,
    /// Reverts whose agent has ended.
    pub due: Vec<DueRevert>,
    /// Chats whose clones are being restored: their agents stay away.
    pub reverting: BTreeSet<ChatId>,
    /// Hooks that told of a prompt, until the checkpoint of its turn is taken.
    pub held: Vec<HeldHook>,
    /// Chats whose clones are being saved because a turn began, and how many times over.
    pub taking: BTreeMap<ChatId, usize>,
    /// Chats whose CLI waits with a prompt until its hook is answered.
    pub hooked: BTreeSet<ChatId>,
    /// What was discarded in a chat since it was last gone back, or replaced, by who asked for it; the newest last.
    picked: BTreeMap<ChatId, Vec<(Requester, Vec<SavedPick>)>>,
    /// How often a chat's list of checkpoints has changed.
    revisions: BTreeMap<ChatId, u64>,
    /// How often its directory was seen to change beside that: a commit, what is staged, another branch, lines discarded.
    moves: BTreeMap<ChatId, u64>,
}

/// A revert that can begin.
pub struct DueRevert {
    pub chat: ChatId,
    pub back: Back,
    /// What its agent is started again with.
    pub again: Option<BTreeMap<String, String>>,
    /// Where its CLI's sessions are looked for.
    pub env: BTreeMap<String, String>,
    pub requester: Requester,
}

/// A hook of a CLI that waits for its answer before it goes on with a prompt.
pub struct HeldHook {
    pub call: CallId,
    pub chat: ChatId,
    pub since: Timestamp,
    /// Once it is known.
    pub answer: Option<HookAnswer>,
}

/// More prompts than are on their way at one time.
const REMEMBERED: usize = 16;

impl Reviews {
    /// The moments from which deadlines are counted.
    pub(in crate::domain) fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        let Reviews {
            begun: _,
            entered: _,
            rested: _,
            told: _,
            without_clone: _,
            opened: _,
            due: _,
            reverting: _,
            held,
            taking: _,
            hooked: _,
            picked: _,
            revisions: _,
            moves: _,
        } = self;
        held.iter_mut().map(|held| {
            let HeldHook {
                call: _,
                chat: _,
                since,
                answer: _,
            } = held;
            since
        })
    }

    /// A checkpoint was taken, or gone back to.
    pub fn changed(&mut self, chat: &ChatId) {
        *self.revisions.entry(chat.clone()).or_default() += 1;
    }

    pub fn revision(&self, chat: &ChatId) -> u64 {
        self.revisions.get(chat).copied().unwrap_or(0)
    }

    /// Something in a chat's directory has changed.
    pub fn moved(&mut self, chat: &ChatId) {
        *self.moves.entry(chat.clone()).or_default() += 1;
    }

    /// A number that is another one whenever something in a chat's directory was seen to change.
    pub fn moves(&self, chat: &ChatId) -> u64 {
        self.revision(chat) + self.moves.get(chat).copied().unwrap_or(0)
    }

    /// Something was discarded or replaced. What one key asked for, in several files, is one.
    pub(super) fn picked(&mut self, chat: &ChatId, requester: Requester, pick: SavedPick) {
        self.moved(chat);
        let all = self.picked.entry(chat.clone()).or_default();
        match all.last_mut().filter(|(by, _)| *by == requester) {
            Some((_, picks)) => picks.push(pick),
            None => all.push((requester, vec![pick])),
        }
        let old = all.len().saturating_sub(REMEMBERED);
        all.drain(..old);
    }

    /// What of a chat would come back first.
    pub fn last_picks(&self, chat: &ChatId) -> &[SavedPick] {
        let last = self.picked.get(chat).and_then(|all| all.last());
        last.map_or(&[], |(_, picks)| picks)
    }

    /// That is over.
    pub(super) fn forget_last_picks(&mut self, chat: &ChatId) {
        if let Some(all) = self.picked.get_mut(chat) {
            all.pop();
        }
    }

    /// It was gone back: whatever was discarded before is not what the clones came from.
    pub(super) fn forget_picks(&mut self, chat: &ChatId) {
        self.picked.remove(chat);
    }

    /// A project was opened. Before the first prompt nothing has to be told apart from what an agent did.
    pub fn opened(&mut self, chat: &ChatId) {
        if self.told.contains_key(chat) {
            self.opened.insert(chat.clone());
        }
    }

    /// A prompt was given to an agent whose CLI tells of none.
    pub fn sent(&mut self, chat: &ChatId, text: &str) {
        self.told.entry(chat.clone()).or_default();
        self.begun.push((chat.clone(), text.trim().to_owned()));
    }

    /// The chat is deleted.
    pub fn forget(&mut self, chat: &ChatId) {
        self.begun.retain(|(of, _)| of != chat);
        self.told.remove(chat);
        self.without_clone.remove(chat);
        self.hooked.remove(chat);
        self.revisions.remove(chat);
        self.moves.remove(chat);
        self.picked.remove(chat);
        for chats in [&mut self.entered, &mut self.rested, &mut self.opened] {
            chats.remove(chat);
        }
    }

    /// The hook `call` tells of a prompt.
    pub fn holds(&mut self, call: CallId, chat: &ChatId, since: Timestamp) {
        self.hooked.insert(chat.clone());
        self.held.push(HeldHook {
            call,
            chat: chat.clone(),
            since,
            answer: None,
        });
    }

    /// The clones are saved as the turn found them, or could not be.
    pub fn taken(&mut self, chat: &ChatId) {
        if let Some(count) = self.taking.get_mut(chat) {
            *count -= 1;
        }
        self.taking.retain(|_, count| *count > 0);
    }

    /// A prompt came to an agent, by a hook or by its transcript. What both tell of is one prompt.
    pub fn begins(&mut self, chat: &ChatId, by_hook: bool, text: &str) {
        let told = self.told.entry(chat.clone()).or_default();
        let other = told.iter().position(|(hook, known)| *hook != by_hook && known == text);
        if let Some(other) = other {
            told.remove(other);
            return;
        }
        told.push((by_hook, text.to_owned()));
        let old = told.len().saturating_sub(REMEMBERED);
        told.drain(..old);
        self.begun.push((chat.clone(), text.to_owned()));
    }
}
