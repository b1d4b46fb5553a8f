//! Chats as they lie on disk, and their agents, described in few words.

use std::collections::BTreeMap;
use std::path::PathBuf;

use parlour::domain::agent::state::{Agent, Process};
use parlour::domain::agent::status::judge;
use parlour::domain::event::Size;
use parlour::model::chat::Directory;
use parlour::model::talk::ForkOrigin;
use parlour::model::{
    Activity, AreaMode, Capabilities, Chat, ChatId, Declared, DirectoryPlace, Handle, Kind, Project, Record, Signal,
    Source, Status, Timestamp,
};

use super::super::events::claude;
use super::{MINUTE, World, id, noon, screen};

impl World {
    pub fn chat(&mut self, short: &str, name: &str, minutes_ago: i64) -> Sketch<'_> {
        let moved = Timestamp(noon().0 - minutes_ago * MINUTE);
        let handle = Handle::from_name(name).or_else(|| Handle::parse(short)).unwrap();
        let created = Timestamp(moved.0 - 5 * MINUTE);
        let record = Record::new(id(short), (name, handle), "claude", created);
        let chat = Chat {
            record,
            role: None,
            place: DirectoryPlace::Here,
            projects: Vec::new(),
            changes: 0,
            declared: None,
            work: None,
            preview: String::new(),
            updated: moved,
            seq: 12,
            ended: None,
            damage: None,
            inbox: 0,
            interrupted: false,
            failed: None,
            todos: Default::default(),
            unreadable: None,
        };
        self.state.domain.disk.chats.insert(id(short), chat);
        Sketch {
            world: self,
            chat: id(short),
        }
    }
}

/// A chat being described.
pub struct Sketch<'a> {
    world: &'a mut World,
    chat: ChatId,
}

impl Sketch<'_> {
    fn edit(self, change: impl FnOnce(&mut Chat)) -> Self {
        self.world.state.domain.disk.chats.change(&self.chat, change).unwrap();
        self
    }

    pub fn below(self, parent: &str) -> Self {
        self.edit(|chat| chat.record.parent = Some(id(parent)))
    }

    pub fn forked_from(self, original: &str, checkpoint: u64) -> Self {
        let of = ForkOrigin {
            chat: id(original),
            checkpoint: Some(checkpoint),
            inherited: 0,
        };
        self.edit(|chat| chat.record.origin.of = Some(of))
    }

    pub fn preview(self, words: &str) -> Self {
        self.edit(|chat| chat.preview = words.into())
    }

    pub fn project(self, name: &str, branch: &str) -> Self {
        self.open(name, Some(branch), Kind::Git)
    }

    /// Its clones stand at this commit.
    pub fn at(self, commit: &str) -> Self {
        self.edit(|chat| {
            for project in &mut chat.projects {
                project.commit = Some(commit.into());
            }
        })
    }

    /// A repository that is open in place.
    pub fn checkout(self, name: &str, branch: &str) -> Self {
        self.open(name, Some(branch), Kind::Local)
    }

    pub fn local(self, name: &str) -> Self {
        self.open(name, None, Kind::Local)
    }

    /// It has linked a directory of another chat.
    pub fn linked(self, name: &str, origin: &str) -> Self {
        self.open_from(name, None, Kind::Local, origin.into())
    }

    fn open(self, name: &str, branch: Option<&str>, kind: Kind) -> Self {
        self.open_from(name, branch, kind, format!("/home/mia/{name}"))
    }

    fn open_from(self, name: &str, branch: Option<&str>, kind: Kind, origin: String) -> Self {
        let dir = Directory {
            name: name.into(),
            label: None,
            mode: AreaMode::Rw,
            kind,
            origin,
            key: None,
            subdir: None,
            asks: false,
        };
        self.edit(|chat| {
            let path = PathBuf::from("projects").join(name);
            let branch = branch.map(str::to_string);
            chat.projects.push(Project {
                name: name.into(),
                path,
                branch,
                commit: None,
                under_way: None,
                kind,
                mode: AreaMode::Rw,
            });
            chat.record.dirs.push(dir);
        })
    }

    pub fn says(self, status: &str, note: &str) -> Self {
        self.edit(|chat| {
            chat.declared = Some(Declared {
                status: status.into(),
                note: note.into(),
            })
        })
    }

    pub fn damaged(self, why: &str) -> Self {
        self.edit(|chat| chat.damage = Some(why.into()))
    }

    pub fn ended(self, why: &str) -> Self {
        self.edit(|chat| chat.ended = Some(Status::Exited(why.into())))
    }

    pub fn unreadable(self, why: &str) -> Self {
        self.edit(|chat| chat.unreadable = Some(why.into()))
    }

    /// It came to rest, and nobody has looked at it since.
    pub fn unseen(self) -> Self {
        self.world.state.domain.disk.left.unseen.insert(self.chat.clone());
        self.world.state.domain.live.unseen.insert(self.chat.clone());
        self
    }

    /// A person's own shell runs in it, and what is in its foreground.
    pub fn shell(self, status: Status) -> Self {
        self.edit(|chat| chat.record.llm = "shell".into()).runs(status, "")
    }

    pub fn gone(self) -> Self {
        self.edit(|chat| chat.place = DirectoryPlace::Gone)
    }

    /// An agent with this status, whose program wrote `said`.
    pub fn runs(self, status: Status, said: &str) -> Self {
        let size = Size { cols: 89, rows: 36 };
        let mut agent = agent(status, size);
        agent.screen = Some(screen(said, size));
        self.world.state.domain.live.agents.insert(self.chat.clone(), agent);
        self
    }

    /// Its agent has been idle for so many minutes, and could be started again in its session.
    pub fn rests(self, minutes: i64) -> Self {
        let chat = self.chat.clone();
        let sketch = self.runs(Status::Idle(None), "");
        let agent = sketch.world.state.domain.live.agents.get_mut(&chat).unwrap();
        agent.rest.resumes = true;
        agent.since = Timestamp(noon().0 - minutes * 60_000);
        sketch
    }

    /// Its agent ended, and left its last words on the screen.
    pub fn ran(self, why: &str, said: &str) -> Self {
        let chat = self.chat.clone();
        let sketch = self.runs(Status::Exited(why.into()), said);
        let agent = sketch.world.state.domain.live.agents.get_mut(&chat).unwrap();
        agent.process = Process::Ended { why: why.into() };
        agent.verdict = judge(agent, noon());
        sketch
    }
}

/// An agent that has begun its session, and that has said so much of itself that it is judged to have this status.
fn agent(status: Status, size: Size) -> Agent {
    let mut agent = Agent::new(noon(), size, BTreeMap::new());
    agent.process = Process::Running { pid: 4711 };
    agent.capabilities = Some(claude());
    agent.session_began = true;
    agent.read_up = true;
    agent.mcp_connected = true;
    agent.signals = signal(status)
        .map(|signal| (signal.source, signal))
        .into_iter()
        .collect();
    agent.verdict = judge(&agent, noon());
    agent
}

/// By which an agent comes to this status.
fn signal(status: Status) -> Option<Signal> {
    let activity = match status {
        Status::Running(tool) => Activity::Busy(tool),
        Status::NeedsYou(what) => Activity::Waiting(what),
        Status::Idle(None) => Activity::Idle,
        Status::Starting => Activity::Starting,
        Status::Exited(_) => return None,
        Status::Idle(Some(_))
        | Status::Retrying(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Hibernated
        | Status::Unknown(_) => {
            panic!("no signal alone leads to {status:?}")
        }
    };
    Some(Signal {
        source: Source::SessionFile,
        activity,
        because: "its session file".into(),
        at: noon(),
    })
}

impl World {
    /// The agent's CLI is such a one.
    pub fn is_like(&mut self, chat: &str, capabilities: Capabilities) {
        self.state.domain.live.agents.get_mut(&id(chat)).unwrap().capabilities = Some(capabilities);
    }

    /// All that was told so far is written.
    pub fn is_written(&mut self) {
        self.state.domain.live.waiting.clear();
    }
}
