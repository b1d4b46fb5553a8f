//! What one person is told in screen-reader mode.

use std::collections::BTreeMap;

use crate::domain::call::called_in;
use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::text::one_line;
use crate::model::{ChatId, Timestamp};

use super::super::need::{self, Need};

/// What comes within this time of other news stands beside it; a key that is pressed earlier leaves it.
const HEARD_MS: u64 = 3_000;
/// More could not be taken in.
const AT_ONCE: usize = 4;
/// Letters of a name.
const LONGEST: usize = 60;

/// What has changed, in sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReaderNews {
    told: Vec<String>,
    since: Timestamp,
    /// What was last known of the chats that have an agent; `None` before the first look.
    known: Option<BTreeMap<ChatId, Condition>>,
}

/// How a chat is, as far as it is news.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    need: Need,
    detail: String,
}

impl ReaderNews {
    /// All that is told now.
    pub fn words(&self) -> String {
        self.told.join("; ")
    }

    /// A person acts: what they could hear meanwhile makes room.
    pub fn act(&mut self, now: Timestamp) {
        if now.ms_since(self.since) >= HEARD_MS {
            self.told.clear();
        }
    }

    pub(super) fn tell(&mut self, text: String, now: Timestamp) {
        self.act(now);
        self.told.retain(|old| *old != text);
        self.told.push(text);
        let surplus = self.told.len().saturating_sub(AT_ONCE);
        self.told.drain(..surplus);
        self.since = now;
    }

    /// Tells how the chats with an agent are otherwise than at the last look.
    pub(super) fn look(&mut self, domain: &Domain) {
        let chats = domain.live.agents.iter().map(|(chat, _)| chat);
        let now: BTreeMap<ChatId, Condition> = chats.map(|chat| (chat.clone(), Condition::of(domain, chat))).collect();
        let changed = match &self.known {
            Some(before) if *before == now => return,
            Some(before) => now
                .iter()
                .filter(|(chat, condition)| before.get(chat) != Some(condition))
                .filter_map(|(chat, condition)| condition.sentence(domain, chat))
                .collect(),
            None => Vec::new(),
        };
        self.known = Some(now);
        for sentence in changed {
            self.tell(sentence, domain.now);
        }
    }
}

impl Condition {
    /// What an agent at work does changes all the time, and is no news.
    fn of(domain: &Domain, chat: &ChatId) -> Condition {
        let need = need::of(domain, chat);
        let detail = match need {
            Need::Waiting | Need::Failed | Need::Ended => domain.detail(chat),
            Need::Unseen | Need::Running | Need::Idle => String::new(),
        };
        Condition { need, detail }
    }

    fn sentence(&self, domain: &Domain, id: &ChatId) -> Option<String> {
        let known = domain.disk.chats.get(id)?;
        let name = one_line(chat::label(domain, known), LONGEST);
        let what = match self.need {
            Need::Waiting => "needs you",
            Need::Failed => "failed",
            Need::Unseen => "is done",
            Need::Ended => "has ended",
            Need::Running | Need::Idle => return None,
        };
        let detail = called_in(&self.detail);
        Some(match detail.is_empty() {
            true => format!("{name} {what}"),
            false => format!("{name} {what}: {}", chat::near(domain, id, &detail)),
        })
    }
}
