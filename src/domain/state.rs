//! All that parlour knows at this moment, in three lifetimes: what the folders say, what lives with the
//! engine, and what each person looks at.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::agent::{CliCommand, first_usable};
use crate::model::plan::AgentPlan;
use crate::model::preferences::{LeftScreen, ListLook};
use crate::model::request::Until;
use crate::model::{
    Area, CallId, ChatId, ClientId, Entry, Installed, PaneId, Problem, RequestId, Settings, Timestamp, UnusableAgent,
    WorkId, Zone,
};
use crate::permission::Rules;
use crate::term::Screen;

use super::agent::state::Agent;
use super::agents::Agents;
use super::attention::Attention;
use super::chats::Chats;
use super::event::LogLine;
use super::size::FirstSizes;
use super::write_trouble::WriteTrouble;

use super::approval::shown_cards::Shelves;
use super::approval::state::PendingApprovals;
use super::auxiliary::state::Side;
use super::keep::state::BranchNews;
use super::notice::{Notice, Upward};
use super::review::state::Reviews;
use super::schedule::state::Agenda;
use super::schedule::work::Schedules;
use super::script::state::Running;
use super::team::state::{KnownInboxes, Teams};
use super::usage::state::Usages;

pub use super::requester::{ActCount, Requester, ScreenRequest};
pub use super::then::{Then, Waiting};

pub struct Domain {
    /// The clock of the wall, by which deadlines are counted too ([`Domain::tell_time`]).
    pub now: Timestamp,
    pub ids: Ids,
    pub disk: Disk,
    pub live: Live,
    /// Told since the screens were asked last.
    pub notices: Vec<Notice>,
    /// Told by lower floors since the higher ones were asked last.
    pub upward: Vec<Upward>,
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
    pub write_trouble: WriteTrouble,
    pub schedules: Schedules,
    /// How new screens list chats.
    pub list: ListLook,
    /// Why that is not what was set.
    pub list_problem: Option<Problem>,
    /// The tour of the screen was begun once.
    pub tour_seen: bool,
    /// What the person had before them whose screen ended last.
    pub left: LeftScreen,
    /// Agent CLIs found on this machine and configured ones, once somebody chose among them.
    pub agents: Vec<Installed>,
    /// Those whose program is there and of no use; found at the same time.
    pub unusable_agents: Vec<UnusableAgent>,
    /// What people call the CLIs that parlour knows; a configured one goes by its own name.
    pub titles: BTreeMap<String, String>,
    /// Their own commands, where they have any that are of use below a transcript.
    pub commands: BTreeMap<String, Vec<CliCommand>>,
    /// Command lines of their own logins, where they have such.
    pub logins: BTreeMap<String, String>,
}

/// How the CLIs call their login.
const LOGINS: [&str; 3] = ["/login", "/auth", "/connect"];

impl Disk {
    /// These settings are in force from now on. A rule that forbids and cannot be read is said; others that are none are said
    /// by `doctor`.
    pub fn follow(&mut self, settings: Settings) {
        let (rules, _) = Rules::parse(&settings.permissions, &self.person);
        self.settings_problem = rules.missing().map(|missing| {
            let cause = format!("permissions: {missing}; agents ask about every call");
            Problem::new("reading config.json", cause, "correct it, or remove it")
        });
        self.rules = Arc::new(rules);
        self.settings = settings;
    }

    /// `config.json` cannot be read and none was in force: what it says of agents may be anything.
    pub fn keep_settings_problem(&mut self, problem: Problem) {
        self.follow(Settings::unknown());
        self.rules = Arc::new(Rules::unread(&self.person));
        self.tell_broken_settings(problem);
    }

    /// `config.json` cannot be read. What was in force stays so.
    pub fn tell_broken_settings(&mut self, problem: Problem) {
        let meanwhile = match self.rules.are_unread() {
            true => "agents ask about every call and start in the sandbox until it can be read",
            false => "the last good settings stay active",
        };
        let cause = format!("{}; {meanwhile}", problem.cause);
        self.settings_problem = Some(Problem { cause, ..problem });
    }

    /// The agent CLI that a person is shown for a new chat: what is set and there, else what they used last, else the
    /// first that is of use. None where there is none but what parlour brings.
    pub fn proposed_llm(&self) -> Option<&str> {
        self.used_llm().or_else(|| self.usual_llm())
    }

    /// The same, whatever they used last: what is taken where nobody chooses.
    pub fn usual_llm(&self) -> Option<&str> {
        let is_there = |llm: &&str| self.agents.iter().any(|agent| agent.llm == *llm);
        let set = self.settings.default_llm.as_deref().filter(is_there);
        set.or_else(|| first_usable(&self.agents).map(|agent| agent.llm.as_str()))
    }

    /// What they used last, if it is still there and nothing is set that goes before.
    pub fn used_llm(&self) -> Option<&str> {
        let is_free = self.settings.default_llm.is_none();
        let used = self.left.llm.as_deref().filter(|_| is_free)?;
        self.agents.iter().any(|agent| agent.llm == used).then_some(used)
    }

    pub fn title_of<'a>(&'a self, llm: &'a str) -> &'a str {
        self.titles.get(llm).map_or(llm, String::as_str)
    }

    /// What a person calls what runs in the chat.
    pub fn what_runs(&self, chat: &ChatId) -> &'static str {
        self.chats.get(chat).map_or("agent", |known| known.what_runs())
    }

    /// The command line of this CLI's own login.
    pub fn login_of(&self, llm: &str) -> Option<&str> {
        self.logins.get(llm).map(String::as_str)
    }

    /// What is typed to its agent for that.
    pub fn typed_login_of(&self, llm: &str) -> Option<&str> {
        let mut commands = self.commands.get(llm)?.iter().map(|command| command.name.as_str());
        commands.find(|name| LOGINS.contains(name))
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
    /// Of each chat the last agent that was started since the engine was. Of one that has ended its screen, its prompts and
    /// how it ended are still asked for: [`Live::live_agents`] has only those that run.
    pub agents: Agents,
    /// Work in hand: who asked, and what follows when it is done.
    pub waiting: BTreeMap<WorkId, Waiting>,
    pub teams: Teams,
    pub inboxes: KnownInboxes,
    pub listeners: Listeners,
    /// Chats that came to rest and that nobody has looked at since.
    pub unseen: BTreeSet<ChatId>,
    pub attention: Attention,
    pub looked_at: LookedAt,
    /// Checkpoints that are due, and reverts under way.
    pub reviews: Reviews,
    pub branches: BranchNews,
    /// What agents used of their models.
    pub usage: Usages,
    /// What comes due, and the runs of schedules that go on.
    pub agenda: Agenda,
    /// Scripts of projects that run, or are on their way.
    pub scripts: BTreeMap<WorkId, Running>,
    pub approvals: PendingApprovals,
    /// Terminals beside those of agents.
    pub sides: BTreeMap<WorkId, Side>,
    pub openings: Openings,
    /// When old things are let go of next; `None` until all chats are loaded.
    pub upkeep: Option<Timestamp>,
    /// How often the trash has changed: chats came into it, left it, or were deleted for good.
    pub trashed: u64,
    /// The newest 500 lines of the engine's log.
    pub log: VecDeque<LogLine>,
}

impl Live {
    /// Whether the agent of this chat runs, or is being started or stopped.
    pub fn is_live(&self, chat: &ChatId) -> bool {
        self.live_agent(chat).is_some()
    }

    pub fn live_agent(&self, chat: &ChatId) -> Option<&Agent> {
        self.agents.get(chat).filter(|agent| agent.is_live())
    }

    /// How many of `limits.liveAgents` are taken: one that was told to stop because it rests has given up its place.
    pub fn places_taken(&self) -> usize {
        self.agents.awake().filter(|(_, agent)| agent.stays_up()).count()
    }

    pub fn live_agents(&self) -> impl Iterator<Item = (&ChatId, &Agent)> {
        self.agents.awake().filter(|(_, agent)| agent.is_live())
    }
}

/// Calls that hear more as it happens.
#[derive(Default)]
pub struct Listeners {
    /// `parlour wait`: answered when the chat's status meets it.
    pub waits: Vec<Wait>,
    /// `parlour events --follow`: each entry behind the last that they have is streamed to these.
    pub follows: Vec<(CallId, ChatId, u64)>,
    /// Chats that were asked from a shell and that nobody has looked at since.
    pub queried: BTreeSet<ChatId>,
}

/// What is kept of chats because somebody looks at them.
#[derive(Default)]
pub struct LookedAt {
    /// What the terminals of chats on somebody's screen held last, of which no agent has run since the engine started.
    pub left: BTreeMap<ChatId, Arc<Screen>>,
    /// Cards of the chats whose inspector is on somebody's screen.
    pub shelves: Shelves,
    /// What agents plan by tools of their own, of chats whose todos somebody has looked at.
    pub plans: BTreeMap<ChatId, AgentPlan>,
    /// What was appended to the transcripts that somebody reads, until the screen has taken it.
    pub fresh_entries: BTreeMap<ChatId, Vec<Arc<Entry>>>,
    /// The key that leads to each of these chats, on every screen.
    pub numbers: BTreeMap<ChatId, u8>,
    pub numbering: Numbering,
    /// Of the screen that attached last, also when it is gone.
    pub first_sizes: Option<FirstSizes>,
}

/// What decides which chats are given numbers.
#[derive(Default)]
pub struct Numbering {
    /// The number of each chat that was deleted or archived since the engine started, in the order in which they went.
    pub former: Vec<(ChatId, u8)>,
    /// Chats with a number that agents made. A person does not think of theirs by it.
    pub of_agents: BTreeSet<ChatId>,
    /// Chats that a list has shown. None of these is new.
    pub listed: BTreeSet<ChatId>,
    /// Chats whose agents ran when numbers were given last. None of these starts.
    pub ran: BTreeSet<ChatId>,
    /// What the list was made from then.
    pub seen: Option<(u64, u64)>,
}

/// Projects on their way into chats.
#[derive(Default)]
pub struct Openings {
    pub under_way: BTreeMap<WorkId, Opening>,
    /// Who stopped a chat whose projects were still being opened, and hears what became of it.
    pub given_up: BTreeMap<ChatId, Vec<Requester>>,
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

pub struct Wait {
    pub call: CallId,
    pub chat: ChatId,
    pub until: Awaited,
    /// What was being written when that had come: it is told before.
    pub written: Option<WorkId>,
}

/// What somebody at a shell waits for.
pub enum Awaited {
    State(Until),
    Turn(TurnWait),
}

/// A query waits for the end of a turn, and has been told of it so far.
#[derive(Default)]
pub struct TurnWait {
    /// The name that was given to its prompt.
    pub prompt: String,
    /// Why its prompt waits, as it was told.
    pub told: Option<String>,
    /// What its agent asks, as it was told.
    pub asks: Option<String>,
}

/// Numbers and random bits for new names. Seeded by the engine, fixed in tests.
pub struct Ids {
    next: u64,
    requests: u64,
    random: u64,
}

impl Ids {
    pub fn new(seed: u64) -> Ids {
        Ids {
            next: 0,
            requests: 0,
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

    /// Numbers of their own: what a person does at a screen changes no number of a piece of work.
    pub fn request(&mut self) -> RequestId {
        self.requests += 1;
        RequestId(self.requests)
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
    /// A chat's parent hears from it in another way: nothing is owed to it any more.
    pub fn forget_report(&mut self, chat: &ChatId) {
        if let Some(agent) = self.agents.get_mut(chat) {
            agent.owed_report = None;
        }
    }

    /// A person has left: they decide no terminal's size any more.
    pub fn forget_driver(&mut self, client: ClientId) {
        let drives = |driver: &Option<ClientId>| *driver == Some(client);
        for agent in self.agents.all_mut().filter(|agent| drives(&agent.driver)) {
            agent.driver = None;
        }
        for side in self.sides.values_mut().filter(|side| drives(&side.driver)) {
            side.driver = None;
        }
    }

    /// What a terminal shows; where its agent does not run, what an earlier one left.
    pub fn screen(&self, pane: &PaneId) -> Option<&Arc<Screen>> {
        match pane {
            PaneId::Side(number) => self.sides.get(number)?.screen.as_ref(),
            PaneId::Agent(chat) => match self.agents.get(chat) {
                Some(agent) => agent.screen.as_ref(),
                None => self.looked_at.left.get(chat),
            },
        }
    }

    /// Every part is named, here and in the parts themselves: with each new one it is decided whether it has such moments.
    fn moments(&mut self) -> Vec<&mut Timestamp> {
        let Live {
            facts: _,
            agents,
            waiting: _,
            teams,
            inboxes: _,
            listeners: _,
            unseen: _,
            attention: _,
            looked_at: _,
            reviews,
            branches,
            usage: _,
            agenda,
            scripts: _,
            approvals,
            sides,
            openings: _,
            upkeep,
            trashed: _,
            log: _,
        } = self;
        let mut all: Vec<&mut Timestamp> = agents.all_mut().flat_map(Agent::moments).collect();
        all.extend(teams.moments());
        all.extend(reviews.moments());
        all.extend(branches.moments());
        all.extend(agenda.moments());
        all.extend(approvals.moments());
        all.extend(sides.values_mut().flat_map(Side::moments));
        all.extend(upkeep);
        all
    }
}

/// A step of the clock that is no mere correction.
const SET_BACK_MS: u64 = 1_000;

impl Domain {
    /// Deadlines are counted by the clock of the wall. Where that is set back, the moments from which they are counted go
    /// back with it, so that as much of each wait is left as before.
    pub fn tell_time(&mut self, now: Timestamp) {
        let before = std::mem::replace(&mut self.now, now);
        let back = before.ms_since(now);
        if back > SET_BACK_MS {
            for at in self.live.moments() {
                at.0 = at.0.saturating_sub_unsigned(back);
            }
        }
    }

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
            upward: Vec::new(),
        }
    }
}

/// What is being opened in a chat.
pub struct Opening {
    pub(in crate::domain) chat: ChatId,
    /// In words: "cloning https://example.org/grove".
    pub(in crate::domain) doing: String,
}
