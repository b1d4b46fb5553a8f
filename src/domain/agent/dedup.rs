//! What was told of an agent already. Hooks and its transcript tell mostly the same, in any order.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::model::Happened;

/// Far more than lies between a hook and the line in the transcript that says the same.
const REMEMBERED: usize = 4096;

/// The keys of the newest happenings. They are kept as hashes, since an agent that has ended is kept as long as its chat; of
/// 4,096 hashes no two are the same in practice.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dedup {
    keys: HashSet<u64>,
    oldest_first: VecDeque<u64>,
}

fn hash(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

impl Dedup {
    pub fn has(&self, what: &Happened) -> bool {
        what.key().is_some_and(|key| self.keys.contains(&hash(&key)))
    }

    pub fn has_key(&self, key: &str) -> bool {
        self.keys.contains(&hash(key))
    }

    /// Keeps of these what was not told before. What has no key of its own is always news.
    pub fn news(&mut self, mut happened: Vec<Happened>) -> Vec<Happened> {
        happened.retain(|what| what.key().is_none_or(|key| self.tell(&key)));
        happened
    }

    /// These were told by an earlier engine.
    pub fn know(&mut self, keys: Vec<String>) {
        for key in keys {
            self.tell(&key);
        }
    }

    fn tell(&mut self, key: &str) -> bool {
        let key = hash(key);
        if !self.keys.insert(key) {
            return false;
        }
        self.oldest_first.push_back(key);
        if self.oldest_first.len() > REMEMBERED {
            let oldest = self.oldest_first.pop_front();
            oldest.map(|key| self.keys.remove(&key));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(id: u32) -> Happened {
        Happened::Text {
            id: id.to_string(),
            text: "hello".into(),
        }
    }

    #[test]
    fn what_has_an_id_is_news_once() {
        let mut dedup = Dedup::default();
        assert_eq!(dedup.news(vec![text(1), text(2), text(1)]), [text(1), text(2)]);
        assert_eq!(dedup.news(vec![text(2), text(3)]), [text(3)]);
        let interrupt = Happened::Interrupt { cause: "Esc".into() };
        assert_eq!(dedup.news(vec![interrupt.clone(), interrupt]).len(), 2);
    }

    #[test]
    fn it_remembers_no_more_than_it_needs() {
        let mut dedup = Dedup::default();
        dedup.news((0..10_000).map(text).collect());
        assert_eq!(dedup.keys.len(), REMEMBERED);
        assert!(dedup.has(&text(9_999)) && !dedup.has(&text(0)));
    }
}
