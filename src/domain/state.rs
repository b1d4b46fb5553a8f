//! All that parlour knows at this moment, in three lifetimes: what the folders say, what lives with the
//! engine, and what each person looks at.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::request::{NewChat, Until};
use crate::model::script::Order;
use crate::model::{
    Answer, Area, CallId, Chat, ChatId, ClientId, Handle, Installed, PaneId, Place, Problem, ScheduleId, Settings,
    Status, Timestamp, WorkId, Zone,
};
use crate::permission::Rules;
use crate::term::Screen;

use super::agent::state::Agent;
use super::agent::work::Arrival;
use super::attention::Attention;
use super::chats::Chats;
use super::event::{LogLine, PlaceHint};
use super::gate::deed::Doing;
use super::gate::judging::Judging;
use super::gate::setup;
use super::gate::shelf::Shelves;
use super::notice::Notice;
use super::opening::{self, Opening};
use super::schedule::agenda::Agenda;
use super::schedule::work::Schedules;
use super::script::Running;
use super::side::Side;
use super::team::atom::Wanted;
use super::team::dispatch::{Dispatching, Step};
use super::team::family::Telling;
use super::team::inbox::Post;
use super::team::stop_tree::Stopping;
use super::team::tree;
use super::team::wait_for::Gathering;

pub struct Domain {
    pub now: Timestamp,
    pub ids: Ids,
    pub disk: Disk,
    pub live: Live,
    /// Told since the screens were asked last.
    pub notices: Vec<Notice>,
}

/// What the folders say. Written only by what workers loaded.
#[derive(Default)]
pub struct Disk {
    pub home: PathBuf,
    pub chats: Chats,
    pub settings: Settings,
    /// Why `config.json` as it now stands is not in force.
    pub settings_problem: Option<Problem>,
    /// What agents may do without a person; of the settings.
    pub rules: Arc<Rules>,
    /// The person's own home directory: `~` in rules.
    pub person: PathBuf,
    /// Why nothing in the home is changed, where a newer parlour made it.
    pub read_only: Option<Problem>,
    pub schedules: Schedules,
    /// Agent CLIs found on this machine and configured ones, once somebody chose among them.
    pub agents: Vec<Installed>,
    /// What people call the CLIs that parlour knows; a configured one goes by its own name.
    pub titles: BTreeMap<String, String>,
}

impl Disk {
    /// These settings are in force from now on. A rule that forbids and cannot be read is said; others that are none are said
    /// by `doctor`.
    pub fn follow(&mut self, settings: Settings) {
        let (rules, _) = Rules::parse(&settings.permissions, &self.person);
        self.settings_problem = rules.missing().map(|misfit| {
            let cause = format!("permissions: {misfit}; agents ask about every call");
            Problem::new("reading config.json", cause, "correct the rule, or remove it")
        });
        self.rules = Arc::new(rules);
        self.settings = settings;
    }

    /// `config.json` cannot be read and none was in force: what it says of agents may be anything.
    pub fn lacks_settings(&mut self, problem: Problem) {
        self.follow(Settings::unknown());
        self.rules = Arc::new(Rules::unread(&self.person));
        let cause = format!(
            "{}; until it can be read, agents ask about every call and start in the sandbox",
            problem.cause
        );
        self.settings_problem = Some(Problem { cause, ..problem });
    }

    pub fn title_of<'a>(&'a self, llm: &'a str) -> &'a str {
        self.titles.get(llm).map_or(llm, String::as_str)
    }

    /// What is open in a chat, each with its mode and the paths that lead there.
    pub fn areas_of(&self, chat: &ChatId) -> Vec<Area> {
        let projects = self.home.join("chats").join(chat.as_str()).join("projects");
        let dirs = self.chats.get(chat).map_or(&[][..], |chat| &chat.record.dirs);
        dirs.iter().map(|dir| dir.area(&projects)).collect()
    }
}

/// Gone with the engine.
#[derive(Default)]
pub struct Live {
    pub facts: Facts,
    pub agents: BTreeMap<ChatId, Agent>,
    /// What the terminals of chats on somebody's screen held last, of which no agent has run since the engine started.
    pub left: BTreeMap<ChatId, Arc<Screen>>,
    /// Work in hand: who asked, and what follows when it is done.
    pub waiting: BTreeMap<WorkId, Waiting>,
    /// Chats that agents make, and answers that their callers have yet to fetch.
    pub dispatches: Vec<Dispatching>,
    /// By root, when its tree made chats within the last minute.
    pub spawned: Vec<(ChatId, Timestamp)>,
    /// Agents that wait for others.
    pub gatherings: Vec<Gathering>,
    /// Trees whose agents are being ended.
    pub stopping: Vec<Stopping>,
    /// Messages that an agent has got, until the inbox says so too.
    pub read: BTreeSet<String>,
    /// What each chat's `inbox.json` looked like when it was last read.
    pub stamps: BTreeMap<ChatId, u64>,
    /// Why an `inbox.json` cannot be read, as it was said.
    pub broken: BTreeMap<ChatId, String>,
    /// `parlour wait`: answered when the chat's status meets it.
    pub waits: Vec<Wait>,
    /// `parlour events --follow`: each entry behind the last that they have is streamed to these.
    pub follows: Vec<(CallId, ChatId, u64)>,
    /// Chats that came to rest and that nobody has looked at since.
    pub unseen: BTreeSet<ChatId>,
    pub attention: Attention,
    /// Cards of the chats whose inspector is on somebody's screen.
    pub shelves: Shelves,
    /// What comes due, and the runs of schedules that go on.
    pub agenda: Agenda,
    /// Scripts of projects that run, or are on their way.
    pub scripts: BTreeMap<WorkId, Running>,
    /// Setup commands of repositories that wait for a person's approval.
    pub setups: Vec<setup::Waiting>,
    /// What agents do, until it is judged.
    pub judging: Judging,
    /// Files and commands that agents without tools of their own asked for.
    pub deeds: Vec<Doing>,
    /// Terminals beside those of agents.
    pub sides: BTreeMap<WorkId, Side>,
    /// When old things are let go of next; `None` until all chats are loaded.
    pub upkeep: Option<Timestamp>,
    /// How often the trash has changed: chats came into it, left it, or were deleted for good.
    pub trashed: u64,
    /// What is being opened in chats.
    pub openings: BTreeMap<WorkId, Opening>,
    /// Who stopped a chat whose projects were still being opened, and hears what became of it.
    pub given_up: BTreeMap<ChatId, Vec<Asker>>,
    /// The newest 500 lines of the engine's log.
    pub log: VecDeque<LogLine>,
}

/// What the engine is; told once at its start.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Facts {
    pub pid: u32,
    pub started: Timestamp,
    pub version: Cow<'static, str>,
    pub mcp_url: String,
    pub mcp_port: u16,
    /// The machine's own time zone.
    pub zone: Zone,
    /// Resident bytes, when last asked for.
    pub rss_bytes: u64,
}

/// Who asked for something, and so is told how it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asker {
    /// A shell verb, an MCP tool or a hook: answered with a reply.
    Call(CallId),
    /// A person at a screen: told by what changes there, or by a toast.
    Screen(ClientId),
    /// The run of a schedule whose launch has this number.
    Launch(WorkId),
    /// The engine itself.
    Nobody,
}

pub struct Waiting {
    pub asker: Asker,
    pub then: Then,
}

/// What follows when a piece of work is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Then {
    /// The outcome is the answer.
    Answer,
    /// A chat was made: open its directories, start its agent, send its first prompt.
    Furnish(Box<NewChat>),
    /// A directory was opened for a chat being made, or its atom claimed; these are still to open.
    Continue(ChatId, Box<NewChat>),
    /// Nothing is left of a chat that could not be made: why is the answer.
    Unmade(Problem),
    /// Nobody wants it any more: that it failed is no news.
    GivenUp,
    /// Nobody wants the chat any more that was being made.
    Discard(Option<ChatId>),
    /// The sample repository is there: make this chat on it.
    Demo(Box<NewChat>),
    /// A duplicate was made: start its agent in this environment.
    StartDuplicate(BTreeMap<String, String>),
    /// An agent was started.
    Started(ChatId),
    /// The agent of a new chat was started.
    StartedFirst(ChatId),
    /// The agent of a duplicate was started; this is said of what came along.
    StartedDuplicate(ChatId, Vec<String>),
    /// A chat that an agent makes has come so far.
    Dispatch(ChatId, Step),
    /// A message is safe in an inbox: on with it to the agent.
    Posted(Box<Post>),
    /// The inbox says that this message was read.
    Read(String),
    /// What an agent says of itself is written.
    Declared,
    /// Last words, of which an answer is made.
    Words(Telling),
    /// The screen, in place of last words.
    Screen(Telling),
    /// What the agent of this chat does was judged.
    Judged(ChatId),
    /// Entries were appended for a hook, which is answered with this.
    HookAnswered(Answer),
    /// Entries were appended for a hook, which is answered with what the project says that the agent came into.
    Instruct(Arrival),
    /// Of what was appended together: each is told.
    Each(Vec<(Asker, Then)>),
    /// The trash has a place for this chat, and its agent can be ended.
    Delete(ChatId),
    /// What deleting would lose was found out: refuse with it, for a shell without `--yes`.
    Refuse(ChatId),
    /// The same of removing it for good, or all that is in the trash.
    RefusePurge(Option<String>),
    /// What a client agreed to lose with a chat was looked at again: delete it, unless there is more.
    Recheck(ClientId, ChatId),
    /// A chat came back from the trash.
    Restored,
    /// A chat has another name.
    Renamed,
    /// Losses for the delete dialog of a client.
    ShowLosses(ClientId, ChatId),
    /// The trash for the dialog of a client.
    ShowTrash(ClientId),
    /// Chats were deleted for good.
    Purged,
    /// Hints for the field that a client types in.
    ShowPlaces(ClientId),
    /// A piece of an output for the dialog of a client.
    ShowPiece(ClientId),
    /// The transcript so far was streamed, at best up to the entry that was known to be there: go on with what comes.
    Follow(ChatId, u64),
    /// A decision about a schedule is on disk, with the run that it claims.
    Decided(ScheduleId, Option<ChatId>),
    /// The claim of a run by hand is on disk.
    Claimed(ChatId),
    /// What a run's agent declared is known and its check has ended; or this was not run.
    Checked(ChatId, Option<String>),
    /// The result of a run is on disk.
    RunEnded(ChatId),
    /// The prompts of a chat were written down for the time of this number.
    Kept(ChatId, u64),
    /// A work graph was read or changed: this of it is the answer.
    Atoms(Wanted),
    /// An atom was written for the dialog of a client.
    AtomSaved(ClientId),
    /// A script has ended, or was never begun.
    Script,
    /// A person approved this script: it is started.
    Approved(ChatId, Order),
    /// An editor has ended, or was never started.
    Edit,
    /// A file or command of an agent was worked on.
    Deed,
    Nothing,
}

pub struct Wait {
    pub call: CallId,
    pub chat: ChatId,
    pub until: Until,
}

/// Numbers and random bits for new names. Seeded by the engine, fixed in tests.
pub struct Ids {
    next: u64,
    random: u64,
}

impl Ids {
    pub fn new(seed: u64) -> Ids {
        Ids {
            next: 0,
            random: seed | 1,
        }
    }

    pub fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub fn work(&mut self) -> WorkId {
        WorkId(self.number())
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): names need to be spread out, not secret.
    pub fn bits(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.random;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}

impl Live {
    /// What a terminal shows; where its agent does not run, what an earlier one left.
    pub fn screen(&self, pane: &PaneId) -> Option<&Arc<Screen>> {
        match pane {
            PaneId::Side(number) => self.sides.get(number)?.screen.as_ref(),
            PaneId::Agent(chat) => match self.agents.get(chat) {
                Some(agent) => agent.screen.as_ref(),
                None => self.left.get(chat),
            },
        }
    }
}

impl Domain {
    pub fn new(home: PathBuf, facts: Facts, seed: u64) -> Domain {
        Domain {
            now: facts.started,
            ids: Ids::new(seed),
            disk: Disk {
                home,
                ..Disk::default()
            },
            live: Live {
                facts,
                ..Live::default()
            },
            notices: Vec::new(),
        }
    }

    /// What a chat's agent is doing, with or without a process behind it.
    pub fn status(&self, chat: &ChatId) -> Status {
        match (self.live.agents.get(chat), self.disk.chats.get(chat)) {
            (Some(agent), _) if agent.is_live() => match &agent.verdict.status {
                Status::Idle(_) if setup::waits(self, chat) => {
                    Status::NeedsYou("asks to run its project's setup".into())
                }
                status => status.clone(),
            },
            (
                _,
                Some(Chat {
                    unreadable: Some(why), ..
                }),
            ) => Status::Error(why.clone()),
            (_, Some(chat)) if chat.place == Place::Gone => Status::Exited(super::chat::GONE.into()),
            (Some(agent), _) => agent.verdict.status.clone(),
            (None, Some(_)) if opening::is_being_made(self, chat) => Status::Starting,
            (None, Some(chat)) => chat
                .ended
                .clone()
                .unwrap_or_else(|| Status::Exited("not started".into())),
            (None, None) => Status::Unknown("no such chat".into()),
        }
    }

    /// Exact handle, exact id, or a unique beginning of at least four characters; `@main:project` is the chat that
    /// orchestrates the work on that project, `@main` the only one that orchestrates any.
    pub fn find(&self, name: &str) -> Result<ChatId, Problem> {
        let chats = &self.disk.chats;
        if let Some(project) = name.strip_prefix(tree::MAIN) {
            return tree::main_of(self, project.strip_prefix(':'));
        }
        if let Some(chat) = chats.values().find(|c| c.record.handle.as_str() == name) {
            return Ok(chat.id().clone());
        }
        if let Some(id) = ChatId::parse(name).filter(|id| chats.contains_key(id)) {
            return Ok(id);
        }
        let begins = |chat: &&Chat| {
            name.len() >= 4 && (chat.record.handle.as_str().starts_with(name) || chat.id().as_str().starts_with(name))
        };
        let doing = || format!("looking for chat {}", crate::model::text::visible(name));
        let found: Vec<&Chat> = chats.values().filter(begins).collect();
        match found.as_slice() {
            [chat] => Ok(chat.id().clone()),
            [] => Err(Problem::missing(
                doing(),
                "there is no such chat",
                "`parlour list` shows all of them",
            )),
            many => {
                let names: Vec<&str> = many.iter().map(|c| c.record.handle.as_str()).collect();
                Err(Problem::new(
                    doing(),
                    format!("{} chats begin like that: {}", many.len(), names.join(", ")),
                    "give more of the name",
                ))
            }
        }
    }

    /// A handle for a new chat of this name that no other chat has.
    pub fn free_handle(&self, name: &str, id: &ChatId) -> Handle {
        let taken = |handle: &Handle| {
            self.disk
                .chats
                .values()
                .any(|c| &c.record.handle == handle && c.id() != id)
        };
        let wanted = Handle::from_name(name)
            .or_else(|| Handle::parse(id.as_str()))
            .expect("a chat id is made of characters that a handle may have");
        if !taken(&wanted) {
            return wanted;
        }
        (2..)
            .map(|number| wanted.numbered(number))
            .find(|handle| !taken(handle))
            .expect("there are more numbers than chats")
    }
}

/// Hints for a typed path, kept with the dialog that asked.
pub type Places = Vec<PlaceHint>;
