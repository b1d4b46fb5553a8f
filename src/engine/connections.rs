//! How many connections to the engine's socket are open, and on whose word. Each holds a descriptor, and an agent that took
//! all of them would keep its person out.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::author::Author;

/// For all processes under one agent. Each hook is a connection, and an agent may run many tools at once.
const OF_A_CHAT: usize = 256;
/// For all whose author is not known together.
const OF_UNKNOWN: usize = 64;
/// For the person's own terminals and scripts.
const OF_PERSON: usize = 2048;

/// The connections that are open now, by author.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<Mutex<BTreeMap<Author, usize>>>);

/// One of them; dropped, its place is free again.
#[derive(Debug)]
pub struct OpenConnection {
    all: Connections,
    author: Author,
}

impl Connections {
    /// A place for one more of this author's; `None` where it has as many as it may.
    pub fn open(&self, author: Author) -> Option<OpenConnection> {
        let most = match author {
            Author::Chat(_) => OF_A_CHAT,
            Author::Unknown => OF_UNKNOWN,
            Author::Person => OF_PERSON,
        };
        let mut open = self.0.lock();
        let count = open.entry(author.clone()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        let all = self.clone();
        Some(OpenConnection { all, author })
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.all.0.lock();
        if let Some(count) = open.get_mut(&self.author) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.author);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ChatId;

    #[test]
    fn an_agent_that_takes_all_of_its_places_leaves_the_others_theirs() {
        let connections = Connections::default();
        let greedy = || connections.open(Author::Chat(ChatId::from_bits(1)));
        let mut held: Vec<_> = (0..OF_A_CHAT).map(|_| greedy().expect("it may have them")).collect();
        assert!(greedy().is_none());
        assert!(connections.open(Author::Chat(ChatId::from_bits(2))).is_some());
        assert!(connections.open(Author::Person).is_some());
        held.pop();
        assert!(greedy().is_some());
        drop(held);
        assert!(connections.0.lock().is_empty());
    }
}
