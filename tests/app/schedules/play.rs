//! An engine with schedules whose disk and clock the test plays.

use std::collections::BTreeMap;

use parlour::domain::agent::state::Process;
use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::{AgentDone, AgentWork, ChatDone, ChatWork, ScheduleDone, ScheduleWork, StartedAgent};
use parlour::domain::{Effect, Event, Work};
use parlour::model::request::{By, Request, ScheduleAsk};
use parlour::model::schedule::{Change, Checked, Run, Wanted};
use parlour::model::{
    Activity, CallId, ChatId, PaneEvent, Problem, Schedule, ScheduleId, Status, Timestamp, ToolCall, WorkId,
};
use parlour::permission::Case;
use serde_json::Value;

use crate::support::events::{SHELL, claude, replies};
use crate::support::world::{World, id};

pub const MINUTE: u64 = 60_000;
pub const HOUR: u64 = 60 * MINUTE;
pub const DAY: u64 = 24 * HOUR;

/// An engine whose disk the test plays: what is written is kept, and carried out at once unless it is held back.
pub struct Play {
    pub world: World,
    pub disk: BTreeMap<ScheduleId, Schedule>,
    /// Writes that are on their way while `stalls`.
    pub stalled: Vec<(WorkId, ScheduleId, Change)>,
    pub stalls: bool,
    pub full: bool,
    pub launched: Vec<(ChatId, String)>,
    pub checks: Vec<(WorkId, ChatId, Option<String>)>,
    /// By what the newest check is judged, where that is an agent's.
    pub judged: Option<Case>,
    pub alarms: Vec<Option<Timestamp>>,
    pub rest: Vec<Effect>,
}

pub fn at(text: &str) -> Timestamp {
    Timestamp::try_from(text.to_string()).unwrap()
}

/// A bit of a rule, in UTC.
pub fn rule(cron: &str) -> Wanted {
    Wanted {
        name: Some("deps".into()),
        prompt: "Update what is outdated".into(),
        cron: Some(cron.into()),
        llm: Some("claude".into()),
        ..Wanted::default()
    }
}

impl Play {
    pub fn new() -> Play {
        Play::with(World::unwatched(&[]), BTreeMap::new())
    }

    pub fn with(world: World, disk: BTreeMap<ScheduleId, Schedule>) -> Play {
        let mut play = Play {
            world,
            disk,
            stalled: Vec::new(),
            stalls: false,
            full: false,
            launched: Vec::new(),
            checks: Vec::new(),
            judged: None,
            alarms: Vec::new(),
            rest: Vec::new(),
        };
        play.world.state.domain.disk.schedules = play
            .disk
            .iter()
            .map(|(id, known)| (id.clone(), Ok(known.clone())))
            .collect();
        let env = BTreeMap::from([("PATH".to_string(), "/usr/bin".to_string())]);
        play.happens(Event::Disk(DiskEvent::Began(env)));
        play
    }

    /// As after a kill at `now`: what is on disk is all there is. The chats of runs that were made are there, and settings.
    pub fn killed(self, now: Timestamp) -> Play {
        let mut world = World::unwatched(&[]);
        world.state.domain.now = now;
        let disk = self.world.state.domain.disk;
        (world.state.domain.disk.chats, world.state.domain.disk.settings) = (disk.chats, disk.settings);
        Play::with(world, self.disk)
    }

    pub fn add(&mut self, wanted: Wanted) -> ScheduleId {
        let ask = ScheduleAsk::Add(Box::new(wanted));
        let said = self.ask(ask).unwrap();
        ScheduleId::parse(said["id"].as_str().unwrap()).unwrap()
    }

    pub fn ask(&mut self, ask: ScheduleAsk) -> Result<Value, Problem> {
        self.rest.clear();
        let request = Request::Schedule {
            ask,
            env: BTreeMap::new(),
            sender: None,
        };
        self.happens(Event::Ask(SHELL, By::Person, request));
        replies(&self.rest).pop().unwrap().1
    }

    pub fn tool(&mut self, chat: &str, tool: ToolCall) -> Result<Value, Problem> {
        self.rest.clear();
        self.happens(Event::Tool(CallId(9), id(chat), tool));
        replies(&self.rest).pop().unwrap().1
    }

    pub fn clock(&mut self, now: Timestamp) {
        self.happens(Event::Clock(now));
    }

    /// Lets time pass as the engine does: it wakes at each alarm.
    pub fn pass(&mut self, ms: u64) {
        let end = self.world.state.domain.now.plus_ms(ms);
        while let Some(alarm) = self.alarms.last().copied().flatten().filter(|alarm| *alarm <= end) {
            self.clock(alarm);
        }
        self.clock(end);
    }

    pub fn happens(&mut self, event: Event) {
        let effects = self.world.happens(event);
        self.carry_out(effects);
    }

    /// As the loop does: all effects of an event before the next event.
    pub fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut works = Vec::new();
        for effect in effects {
            match effect {
                Effect::Alarm(at) => self.alarms.push(at),
                Effect::Work(work, job) => works.push((work, job)),
                other => self.rest.push(other),
            }
        }
        for (work, job) in works {
            self.work(work, job);
        }
    }

    pub fn work(&mut self, work: WorkId, job: Work) {
        let outcome = match job {
            Work::Schedule(ScheduleWork::Make(made)) => {
                self.disk.insert(made.id.clone(), (*made).clone());
                Outcome::Schedule(ScheduleDone::Kept(made))
            }
            Work::Schedule(ScheduleWork::Change(..)) if self.full => {
                Outcome::Failed(Problem::new("changing a schedule", "the disk is full", ""))
            }
            Work::Schedule(ScheduleWork::Change(id, change)) if self.stalls => {
                self.stalled.push((work, id, change));
                return;
            }
            Work::Schedule(ScheduleWork::Change(id, change)) => self.write(&id, change),
            Work::Schedule(ScheduleWork::Cancel(id)) => {
                self.disk.remove(&id);
                Outcome::Schedule(ScheduleDone::Gone(id))
            }
            Work::Chat(ChatWork::Create(record)) => {
                self.world.chat("made", &record.name, 0);
                let mut chat = self.world.state.domain.disk.chats.remove(&id("made")).unwrap();
                chat.record.schedule = record.schedule.map(|id| id.to_string());
                (chat.record.id, chat.record.handle) = (record.id.clone(), record.handle);
                self.launched.push((record.id, record.prompt.unwrap()));
                Outcome::Chat(ChatDone::Loaded(Box::new(chat)))
            }
            Work::Agent(AgentWork::Start { chat, .. }) => {
                let known = self.world.state.domain.disk.chats[&chat].clone();
                let started = Outcome::Agent(AgentDone::Started(Box::new(StartedAgent {
                    chat: known,
                    capabilities: claude(),
                    problems: Vec::new(),
                    prompt: None,
                    resumes: true,
                    sandbox: parlour::model::Sandbox::NotAsked,
                })));
                self.happens(Event::Done(work, started));
                let said = parlour::domain::event::PtyEvent::Said(PaneEvent::Started { pid: 4711 });
                self.happens(Event::Pty(chat.into(), said));
                return;
            }
            Work::Schedule(ScheduleWork::Check {
                chat, command, judged, ..
            }) => {
                self.checks.push((work, chat, command));
                self.judged = judged.map(|case| *case);
                return;
            }
            other => {
                self.rest.push(Effect::Work(work, other));
                return;
            }
        };
        self.happens(Event::Done(work, outcome));
    }

    pub fn write(&mut self, id: &ScheduleId, change: Change) -> Outcome {
        let known = self.disk.get_mut(id).unwrap();
        known.apply(change);
        Outcome::Schedule(ScheduleDone::Kept(Box::new(known.clone())))
    }

    /// What was stalled reaches the disk, and the engine hears of it or not.
    pub fn reach_the_disk(&mut self) -> Vec<(WorkId, Outcome)> {
        let stalled = std::mem::take(&mut self.stalled);
        stalled
            .into_iter()
            .map(|(work, id, change)| (work, self.write(&id, change)))
            .collect()
    }

    /// The chat of the newest run, and its agent's status, as a hook would make it.
    pub fn becomes(&mut self, status: Status) {
        let chat = self.launched.last().unwrap().0.clone();
        let agent = self.world.state.domain.live.agents.get_mut(&chat).unwrap();
        agent.outbox = Default::default();
        let activity = match &status {
            Status::Running(tool) => Activity::Busy(tool.clone()),
            Status::NeedsYou(what) => Activity::Waiting(what.clone()),
            Status::Error(what) => Activity::Failed(what.clone()),
            _ => Activity::Idle,
        };
        agent.session_began = true;
        agent.signal(activity, "a test says so", self.world.state.domain.now);
        if let Status::Exited(why) = &status {
            agent.process = Process::Ended { why: why.clone() };
        }
        agent.verdict.status = status;
        let now = self.world.state.domain.now;
        let effects = parlour::domain::schedule::agenda::settle(&mut self.world.state.domain);
        self.carry_out(effects);
        assert_eq!(self.world.state.domain.now, now);
    }

    pub fn checks_out(&mut self, checked: Checked) {
        let (work, chat, _) = self.checks.pop().unwrap();
        let chat = Box::new(self.world.state.domain.disk.chats[&chat].clone());
        self.happens(Event::Done(
            work,
            Outcome::Schedule(ScheduleDone::Checked(chat, checked)),
        ));
    }

    /// Its agent works and is done.
    pub fn finish(&mut self) {
        self.becomes(Status::Running(None));
        self.becomes(Status::Idle(None));
        self.checks_out(Checked::Not);
    }

    /// The history in short: what became of each, of how many.
    pub fn runs(&self, id: &ScheduleId) -> Vec<String> {
        let said = |run: &Run| {
            let result = run.result.map_or("running", |result| result.word());
            let how = serde_json::to_value(run.how).unwrap();
            let how = how.as_str().unwrap().to_string();
            match run.chat {
                Some(_) => format!("{result} {how}"),
                None => format!("{result} x{}", run.count),
            }
        };
        self.disk[id].runs.iter().map(said).collect()
    }

    pub fn why(&self, id: &ScheduleId) -> &str {
        &self.disk[id].runs.last().unwrap().why
    }
}
