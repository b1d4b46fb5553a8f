//! How many connections to the engine's socket and requests over them are open, and on whose word. Each connection holds a
//! descriptor and each request work that others wait behind: an agent that took all of them would keep its person out.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::author::Author;

/// How many of something one author may have open.
struct Most {
    of_a_chat: usize,
    /// For all whose author is not known together.
    of_unknown: usize,
    /// For the person's own terminals and scripts.
    of_person: usize,
}

/// Each hook of an agent is a connection, and an agent may run many tools at once.
const CONNECTIONS: Most = Most {
    of_a_chat: 256,
    of_unknown: 64,
    of_person: 2048,
};
/// A list of all chats is milliseconds of the loop's time.
const REQUESTS: Most = Most {
    of_a_chat: 128,
    of_unknown: 16,
    of_person: 4096,
};

/// What is open now, by author.
#[derive(Clone, Debug, Default)]
pub struct Connections(Arc<Mutex<BTreeMap<Author, OpenCounts>>>);

#[derive(Debug, Default)]
struct OpenCounts {
    connections: usize,
    requests: usize,
}

impl OpenCounts {
    fn of(&mut self, kind: PlaceKind) -> (&mut usize, &'static Most) {
        match kind {
            PlaceKind::Connection => (&mut self.connections, &CONNECTIONS),
            PlaceKind::Request => (&mut self.requests, &REQUESTS),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum PlaceKind {
    Connection,
    Request,
}

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
        let mut open = self.0.lock();
        let (count, most) = open.entry(author.clone()).or_default().of(kind);
        let most = match author {
            Author::Chat(_) => most.of_a_chat,
            Author::Unknown => most.of_unknown,
            Author::Person => most.of_person,
        };
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
        if let Some(held) = open.get_mut(&self.author) {
            *held.of(self.kind).0 -= 1;
            if held.connections + held.requests == 0 {
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
        let mut held: Vec<_> = (0..CONNECTIONS.of_a_chat)
            .map(|_| greedy().expect("it may have them"))
            .collect();
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
        let mut asked: Vec<_> = (1..REQUESTS.of_a_chat).map(|_| one.request().unwrap()).collect();
        let last = other.request().expect("one is left");
        assert!(one.request().is_none() && other.request().is_none());
        assert!(connections.open(Author::Person).unwrap().request().is_some());
        drop(last);
        asked.push(one.request().expect("its place is free again"));
        drop((one, other, asked));
        assert!(connections.0.lock().is_empty());
    }
}
