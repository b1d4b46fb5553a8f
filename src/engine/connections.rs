//! How many connections to the engine's socket and requests over them are open, and on whose word. Each connection holds a
//! descriptor and each request work that others wait behind: an agent that took all of them would keep its person out.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::author::Author;

/// What an author may have open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PlaceKind {
    /// Each hook of an agent is one, and an agent may run many tools at once.
    Connection,
    /// Answering it is work of the loop: a list of all chats is milliseconds.
    Request,
}

impl PlaceKind {
    /// How many of it one author may have open; all whose author is not known, together.
    fn most(self, author: &Author) -> usize {
        match (self, author) {
            (PlaceKind::Connection, Author::Chat(_)) => 256,
            (PlaceKind::Connection | PlaceKind::Request, Author::Unknown) => 64,
            (PlaceKind::Connection, Author::Person) => 2048,
            (PlaceKind::Request, Author::Chat(_)) => 128,
            (PlaceKind::Request, Author::Person) => 4096,
        }
    }
}

/// What is open now.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<Mutex<BTreeMap<(Author, PlaceKind), usize>>>);

/// A connection or a request; dropped, its place is free again.
#[derive(Debug)]
pub struct OpenPlace {
    all: Connections,
    author: Author,
    kind: PlaceKind,
}

impl Connections {
    /// A place for one more connection of this author's; `None` where it has as many as it may.
    pub fn open(&self, author: Author) -> Option<OpenPlace> {
        self.place(author, PlaceKind::Connection)
    }

    fn place(&self, author: Author, kind: PlaceKind) -> Option<OpenPlace> {
        let most = kind.most(&author);
        let mut open = self.0.lock();
        let count = open.entry((author.clone(), kind)).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        let all = self.clone();
        Some(OpenPlace { all, author, kind })
    }
}

impl OpenPlace {
    /// A place for one more request of the same author's; `None` where it has as many open as it may.
    pub fn request(&self) -> Option<OpenPlace> {
        self.all.place(self.author.clone(), PlaceKind::Request)
    }
}

impl Drop for OpenPlace {
    fn drop(&mut self) {
        let mut open = self.all.0.lock();
        let key = (self.author.clone(), self.kind);
        if let Some(count) = open.get_mut(&key) {
            *count -= 1;
            if *count == 0 {
                open.remove(&key);
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
        let mut held: Vec<_> = (0..256).map(|_| greedy().expect("it may have them")).collect();
        assert!(greedy().is_none());
        assert!(connections.open(Author::Chat(ChatId::from_bits(2))).is_some());
        assert!(connections.open(Author::Person).is_some());
        held.pop();
        assert!(greedy().is_some());
        drop(held);
        assert!(connections.0.lock().is_empty());
    }

    #[test]
    fn requests_are_counted_over_all_connections_of_an_author() {
        let connections = Connections::default();
        let one = connections.open(Author::Chat(ChatId::from_bits(1))).unwrap();
        let other = connections.open(Author::Chat(ChatId::from_bits(1))).unwrap();
        let mut asked: Vec<_> = (1..128).map(|_| one.request().unwrap()).collect();
        let last = other.request().expect("one is left");
        assert!(one.request().is_none() && other.request().is_none());
        assert!(connections.open(Author::Person).unwrap().request().is_some());
        drop(last);
        asked.push(one.request().expect("its place is free again"));
        drop((one, other, asked));
        assert!(connections.0.lock().is_empty());
    }
}
