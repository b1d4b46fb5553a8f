//! Who is at the other end of a connection, and what it may ask for.

use super::author::Author;
use crate::model::atom::Who;
use crate::model::request::{By, ChatRequest, ChatsRequest, EngineRequest, NewChat, ProjectRequest, Request};
use crate::model::{Chat, ChatId, Problem};
use crate::screen::State;
use crate::sys::lineage::{self, Lineage};

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::scripts::Scripts;

/// The processes that the engine had started for chats, and on whose word each acts. Who types in a shell, or in an
/// editor beside an agent, is a person.
#[derive(Clone, Debug, Default)]
pub struct Authors {
    agents: Arc<Mutex<BTreeMap<u32, Author>>>,
    scripts: Arc<Scripts>,
}

impl Authors {
    pub fn new(scripts: Arc<Scripts>) -> Authors {
        let agents = Arc::default();
        Authors { agents, scripts }
    }

    /// The agents that run now.
    pub fn follow(&self, state: &State) {
        let author = |chat: &ChatId| {
            let known = state.domain.disk.chats.get(chat);
            match known.is_some_and(Chat::is_shell) {
                true => Author::Person,
                false => Author::Chat(chat.clone()),
            }
        };
        let agents = state.domain.live.agents.awake();
        let agents = agents.filter_map(|(chat, agent)| Some((agent.pid()?, author(chat))));
        *self.agents.lock() = agents.collect();
    }

    fn known(&self) -> BTreeMap<u32, Author> {
        let agents = self.agents.lock();
        agents.clone().into_iter().chain(self.scripts.authors()).collect()
    }
}

/// A peer that the kernel says is the same user.
#[derive(Clone, Debug)]
pub struct Peer {
    /// As it was when the peer was let in. Who asks later may be another process with the same connection, and the one
    /// that made it may be gone by then.
    lineage: Lineage,
    authors: Authors,
}

impl Peer {
    pub fn new(lineage: Lineage, authors: Authors) -> Peer {
        Peer { lineage, authors }
    }

    /// The request as this peer may make it, and on whose word. Deleting and ending things is a person's, and so is the
    /// screen; a prompt, and what is done to a work graph, says from under which agent it comes. Best effort, since a
    /// process that has itself started by something beside the engine is not found by its parents.
    pub fn admit(&self, request: Request) -> Result<(By, Request), Problem> {
        // These are asked by whoever is below an agent, and a hook has a token of its own.
        if matches!(
            request,
            Request::Engine(EngineRequest::Ping | EngineRequest::Hook { .. })
        ) {
            return Ok((By::Person, request));
        }
        admit(self.author(), request)
    }

    pub fn author(&self) -> Author {
        match &self.lineage {
            Lineage::Known(line) => judge(line, std::process::id(), &self.authors.known(), lineage::parent_of),
            // An agent can have any of its processes end at any time.
            Lineage::Unknown => Author::Unknown,
            Lineage::Untold => Author::Person,
        }
    }
}

fn admit(author: Author, mut request: Request) -> Result<(By, Request), Problem> {
    let hint = "run it in a terminal of your own";
    if request.is_control() && author != Author::Person {
        let cause = "this comes from a process under an agent, and only a person may do it";
        return Err(Problem::new("carrying out a control verb", cause, hint));
    }
    let unknown = |cause: &str| Err(Problem::new("finding out who asks", cause, hint));
    let by = match author {
        Author::Person => By::Person,
        Author::Chat(chat) => By::Chat(chat),
        Author::Unknown
            if matches!(
                request,
                Request::Chats(ChatsRequest::List) | Request::Engine(EngineRequest::Status)
            ) =>
        {
            By::Person
        }
        Author::Unknown => {
            return unknown("the engine started it for no chat that is known, or it had ended before it was let in");
        }
    };
    if let Request::Chat(ChatRequest::Send { sender, .. })
    | Request::Work { sender, .. }
    | Request::Schedule { sender, .. }
    | Request::Chats(ChatsRequest::New(NewChat { sender, .. })) = &mut request
    {
        *sender = match &by {
            By::Chat(chat) => Some(chat.clone()),
            By::Person if sender.is_none() => None,
            By::Person => {
                return unknown("it comes from an agent's terminal, but from no process of that agent");
            }
        };
    }
    if let Request::Project(ProjectRequest::OpenDir { open, .. }) = &mut request
        && by != By::Person
    {
        open.by = Who::Agent;
    }
    Ok((by, request))
}

/// `line` is a process and those above it, nearest first. What lies above the engine does not matter: a person may
/// have started it from anywhere. An orphan is adopted by the supervisor of the agent that it comes from.
fn judge(line: &[u32], engine: u32, known: &BTreeMap<u32, Author>, parent: impl Fn(u32) -> Option<u32>) -> Author {
    let Some(below) = line.iter().skip(1).position(|pid| *pid == engine) else {
        return Author::Person;
    };
    let line = &line[..=below];
    if let Some(author) = line.iter().find_map(|pid| known.get(pid)) {
        return author.clone();
    }
    let supervised = known.iter().find(|(pid, _)| {
        let supervisor = parent(**pid);
        supervisor.is_some_and(|supervisor| line.contains(&supervisor))
    });
    supervised.map_or(Author::Unknown, |(_, author)| author.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGINE: u32 = 50;

    /// Below the engine: an agent (110) below its supervisor (100), a shell (210) below its own (200), and a check that
    /// nobody knows yet (310) below another (300).
    fn author(line: &[u32]) -> Author {
        let chat = ChatId::parse("aaaaaaaaaa").unwrap();
        let known = BTreeMap::from([(110, Author::Chat(chat)), (210, Author::Person)]);
        judge(line, ENGINE, &known, |pid| Some(pid / 100 * 100))
    }

    #[test]
    fn keys_on_the_screen_are_a_persons() {
        let attach = Request::parse(serde_json::json!({"verb": "attach"})).unwrap();
        assert!(attach.is_control());
    }

    #[test]
    fn what_was_started_for_nobody_known_reads_and_changes_no_chat() {
        let asked = |body| admit(Author::Unknown, Request::parse(body).unwrap());
        assert!(asked(serde_json::json!({"noun": "chats", "verb": "list"})).is_ok());
        for (noun, verb) in [
            ("chat", "screen"),
            ("chat", "events"),
            ("chat", "log"),
            ("chat", "resume"),
            ("trash", "undo-rm"),
        ] {
            let body = serde_json::json!({"noun": noun, "verb": verb, "chat": "other"});
            assert!(asked(body).is_err(), "{verb}");
        }
    }

    #[test]
    fn whoever_is_gone_before_it_is_let_in_is_no_person() {
        let author = |lineage| Peer::new(lineage, Authors::default()).author();
        assert_eq!(author(Lineage::Unknown), Author::Unknown);
        assert_eq!(
            author(Lineage::Known(vec![1])),
            Author::Person,
            "reparented, and of no engine"
        );
        assert_eq!(author(Lineage::Untold), Author::Person, "the system tells of nobody");
    }

    #[test]
    fn whoever_is_below_the_engine_and_in_no_shell_or_editor_is_no_person() {
        let agent = Author::Chat(ChatId::parse("aaaaaaaaaa").unwrap());
        // A terminal of the person's own, also where the engine was started from it, and the engine itself.
        assert_eq!(author(&[900, 40, 1]), Author::Person);
        assert_eq!(author(&[ENGINE, 40, 1]), Author::Person);
        // Below an agent, and an orphan of it.
        assert_eq!(author(&[112, 111, 110, 100, ENGINE, 40, 1]), agent);
        assert_eq!(author(&[113, 100, ENGINE, 40, 1]), agent);
        // In a shell, and in a terminal multiplexer that was begun there.
        assert_eq!(author(&[211, 210, 200, ENGINE, 40, 1]), Author::Person);
        assert_eq!(author(&[215, 213, 200, ENGINE, 40, 1]), Author::Person);
        // What the engine has just started, or what is left of it.
        assert_eq!(author(&[311, 310, 300, ENGINE, 40, 1]), Author::Unknown);
        assert_eq!(author(&[400, ENGINE, 40, 1]), Author::Unknown);
        // An engine within a shell of another one's.
        assert_eq!(author(&[112, 110, 100, ENGINE, 210, 200, 1]), agent);
        assert_eq!(author(&[905, 210, 200, 1]), Author::Person);
    }
}
