//! What comes due: claimed on disk before anything is launched, and launched as soon as there is room.
//!
//! One alarm is set to the nearest due time, and nothing polls. Each occurrence is claimed for one run, or entered as
//! skipped or missed; what a limit holds up stays due. A kill between claim and launch leaves a run whose chat is not
//! there, or was not made whole, or never started its agent: the next engine launches it.

use std::collections::BTreeMap;

use crate::domain::agent::{self, alert};
use crate::domain::creation::{self, Identity};
use crate::domain::effect::Effect;
use crate::domain::reply;
use crate::domain::state::{Domain, Requester};
use crate::domain::usage::stop;
use crate::domain::work::ScheduleThen;
use crate::model::alert::AlertKind;
use crate::model::atom::Who;
use crate::model::open_dir::OpenDir;
use crate::model::request::NewChat;
use crate::model::schedule::{Change, How, Missed, Overlap, Run, Verdict};
use crate::model::{ChatId, Problem, ProblemKind, Record, Schedule, ScheduleId, Timestamp, WorkId};

use super::run;
use super::state::{HeldRun, PATIENCE_MS, Stage, Underway};

/// Runs of what was missed that go on at once.
const CATCH_UPS: usize = 2;

/// An occurrence that came so long ago waits until fewer are made up for.
const LATE_MS: u64 = 60_000;

/// A claim without a chat is taken up by the next engine within this long.
const CLAIM_HOLDS_MS: u64 = 24 * 3_600_000;

const ASLEEP: &str = "the engine was down, or the machine asleep";

/// The engine serves, and the chats are loaded: what the last one left undone is taken up.
pub fn began(state: &mut Domain, env: &BTreeMap<String, String>) -> Vec<Effect> {
    state.live.agenda.env = Some(env.clone());
    let mut effects = Vec::new();
    let schedules = state.disk.schedules.values().flatten().cloned().collect::<Vec<_>>();
    for schedule in &schedules {
        know(state, schedule);
        for run in schedule.open_runs() {
            effects.extend(take_up(state, &schedule.id, run));
        }
    }
    effects
}

/// Of a run that failed with the engine, a person is told.
fn take_up(state: &mut Domain, schedule: &ScheduleId, run: &Run) -> Vec<Effect> {
    let Some(chat) = run.chat.clone() else {
        return Vec::new();
    };
    let runs = state.live.is_live(&chat);
    let is_new = state.now.ms_since(run.at) <= CLAIM_HOLDS_MS;
    let known = state.disk.chats.get(&chat);
    let has_begun = known.is_some_and(|known| has_begun(&known.record));
    let stage = match (has_begun, run.how) {
        (true, _) if runs => Stage::Running,
        (true, _) => Stage::Judged(Verdict::Failed, "the engine ended while it went on".into()),
        (false, How::OnTime | How::Late) if is_new => Stage::Claimed,
        (false, How::OnTime | How::Late) => Stage::Judged(Verdict::Missed, ASLEEP.into()),
        (false, How::ByHand) => Stage::Judged(Verdict::Failed, "the engine ended before it began".into()),
    };
    let env = state.live.agenda.env.clone().unwrap_or_default();
    let mut underway = Underway::new(schedule.clone(), run.how, env, Requester::Nobody, state.now);
    let failed = match &stage {
        Stage::Judged(Verdict::Failed, why) => Some(format!("its scheduled run: {why}")),
        _ => None,
    };
    underway.stage = stage;
    state.live.agenda.runs.insert(chat.clone(), underway);
    failed.map_or_else(Vec::new, |why| alert::call(state, &chat, AlertKind::Failed, why))
}

/// Whether its agent was ever started. One that was not still has its prompt to get.
fn has_begun(record: &Record) -> bool {
    let is_whole = record.port.is_none() && record.sessions.is_empty() && !record.prompts.is_empty();
    !record.is_unfinished() && !is_whole
}

/// A schedule as it now is on disk.
pub fn know(state: &mut Domain, schedule: &Schedule) {
    let agenda = &mut state.live.agenda;
    let next = schedule.next();
    match next {
        Some(at) => drop(agenda.next.insert(schedule.id.clone(), at)),
        None => drop(agenda.next.remove(&schedule.id)),
    }
    if next.is_none_or(|at| at > state.now) {
        agenda.held.remove(&schedule.id);
    }
}

/// It is no more, or cannot be read. What runs goes on as a chat like any other.
pub fn forget(state: &mut Domain, id: &ScheduleId) {
    state.live.agenda.next.remove(id);
    state.live.agenda.held.remove(id);
}

/// After every event: goes on with runs, launches what was claimed, and decides what is due.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    if state.live.agenda.env.is_none() || state.disk.read_only.is_some() {
        return Vec::new();
    }
    let now = state.now;
    state.live.agenda.patience.take_if(|until| *until <= now);
    let mut effects = run::settle(state);
    effects.extend(launch_claimed(state));
    effects.extend(decide_due(state));
    effects.extend(set_alarm(state));
    effects
}

fn decide_due(state: &mut Domain) -> Vec<Effect> {
    let agenda = &state.live.agenda;
    if agenda.is_patient() {
        return Vec::new();
    }
    let is_due = |(id, at): &(&ScheduleId, &Timestamp)| **at <= state.now && !agenda.writing.contains(*id);
    let mut due: Vec<(Timestamp, ScheduleId)> = agenda
        .next
        .iter()
        .filter(is_due)
        .map(|(id, at)| (*at, id.clone()))
        .collect();
    due.sort();
    due.into_iter().flat_map(|(at, id)| decide(state, &id, at)).collect()
}

/// What is due becomes a claim or an entry, or is held. `first` is the oldest of it.
fn decide(state: &mut Domain, id: &ScheduleId, first: Timestamp) -> Vec<Effect> {
    let now = state.now;
    let Some(Ok(schedule)) = state.disk.schedules.get(id) else {
        forget(state, id);
        return Vec::new();
    };
    let running = state.live.agenda.is_running(id);
    let full = match () {
        () if running && schedule.terms.overlap == Overlap::Wait => Some("its last run goes on"),
        () if room(state) == 0 => Some("as many agents run as limits.liveAgents allows"),
        () => None,
    };
    let skips = match running && schedule.terms.overlap == Overlap::Skip {
        true => Some("its last run went on"),
        // What it would cost tomorrow was not wanted today.
        false => stop::stopped_below(state, None).map(|budget| budget.held()),
    };
    let was_held = state.live.agenda.held.get(id);
    // All that is due is counted only when it can be decided: this is asked after each event.
    if skips.is_none() && was_held.is_some_and(|held| Some(held.by) == full) {
        return Vec::new();
    }
    let Some(due) = schedule.due(now) else {
        let schedule = schedule.clone();
        know(state, &schedule);
        return Vec::new();
    };
    let in_time = was_held.and_then(|held| held.in_time);
    let makes_up = due.how != How::Late || in_time.is_some() || schedule.terms.missed == Missed::Latest;
    let held = match () {
        () if !makes_up => None,
        () if skips.is_some() => None,
        () if full.is_some() => full,
        () if now.ms_since(first) > LATE_MS && catch_ups(state) >= CATCH_UPS => Some("two that were missed run now"),
        () => None,
    };
    if let Some(by) = held {
        let in_time = match was_held {
            Some(_) => in_time,
            None => (due.how == How::OnTime).then_some(by),
        };
        state.live.agenda.held.insert(id.clone(), HeldRun { by, in_time });
        return Vec::new();
    }
    let why = in_time.unwrap_or(ASLEEP);
    let mut entries = Vec::new();
    let mut claimed = None;
    match due.last.filter(|_| makes_up) {
        None => entries.extend(due.missed(due.count, now, why)),
        Some(last) => {
            entries.extend(due.missed(due.count.saturating_sub(1), now, why));
            if let Some(why) = skips {
                entries.push(Run::without_chat(last, now, Verdict::Skipped, why, 1));
            } else {
                let chat = ChatId::from_bits(state.ids.bits());
                entries.push(Run::claimed(Some(last), now, due.how, chat.clone()));
                claimed = Some((chat, due.how));
            }
        }
    }
    let agenda = &mut state.live.agenda;
    agenda.held.remove(id);
    agenda.writing.insert(id.clone());
    let chat = claimed.map(|(chat, how)| {
        let env = agenda.env.clone().unwrap_or_default();
        let underway = Underway::new(id.clone(), how, env, Requester::Nobody, now);
        agenda.runs.insert(chat.clone(), underway);
        chat
    });
    run::write(
        state,
        id,
        Change::Decide(now, entries),
        ScheduleThen::Decided(id.clone(), chat),
    )
}

/// Runs a schedule now, beside its times.
pub fn run_by_hand(
    state: &mut Domain,
    id: &ScheduleId,
    env: BTreeMap<String, String>,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let doing = || "running a schedule".to_string();
    let Some(Ok(schedule)) = state.disk.schedules.get(id) else {
        return Err(Problem::fault(doing(), "its file cannot be read").hinted("`parlour schedule list` says why"));
    };
    if state.live.agenda.is_running(id) && schedule.terms.overlap != Overlap::Allow {
        let hint = "wait for it, stop its agent, or let runs overlap";
        return Err(Problem::busy(doing(), "its last run still goes on", hint));
    }
    if let Some(problem) = stop::refusal_below(state, None, &doing()) {
        return Err(problem);
    }
    if room(state) == 0 {
        let hint = "stop one with `parlour stop`, or raise limits.liveAgents in config.json";
        return Err(
            Problem::new(doing(), "as many agents run as limits.liveAgents allows", hint).of_kind(ProblemKind::Limit),
        );
    }
    let (now, chat) = (state.now, ChatId::from_bits(state.ids.bits()));
    let run = Run::claimed(None, now, How::ByHand, chat.clone());
    let env = match env.is_empty() {
        true => state.live.agenda.env.clone().unwrap_or_default(),
        false => env,
    };
    let underway = Underway::new(id.clone(), How::ByHand, env, requester, now);
    state.live.agenda.runs.insert(chat.clone(), underway);
    Ok(run::write(state, id, Change::ByHand(run), ScheduleThen::Claimed(chat)))
}

/// A decision is on disk.
pub fn decided(state: &mut Domain, id: &ScheduleId, chat: Option<ChatId>) {
    state.live.agenda.writing.remove(id);
    if let Some(chat) = chat {
        claimed(state, &chat);
    }
}

pub fn claimed(state: &mut Domain, chat: &ChatId) {
    if let Some(run) = state.live.agenda.runs.get_mut(chat) {
        run.stage = Stage::Claimed;
    }
}

/// It is not, so nothing of it has happened: it is decided again after a while.
pub fn not_decided(state: &mut Domain, id: &ScheduleId, chat: Option<ChatId>, problem: Problem) -> Vec<Effect> {
    let agenda = &mut state.live.agenda;
    agenda.writing.remove(id);
    agenda.patience = Some(state.now.plus_ms(PATIENCE_MS));
    let run = chat.and_then(|chat| agenda.runs.remove(&chat));
    reply::answer(state, run.map_or(Requester::Nobody, |run| run.requester), Err(problem))
}

/// The claim of a run by hand could not be written: it is none, and who asked hears why.
pub fn not_claimed(state: &mut Domain, chat: &ChatId, problem: Problem) -> Vec<Effect> {
    let run = state.live.agenda.runs.remove(chat);
    reply::answer(state, run.map_or(Requester::Nobody, |run| run.requester), Err(problem))
}

/// Agents that may still be started, those that are on their way counted.
fn room(state: &Domain) -> usize {
    let live = |chat: &ChatId| state.live.is_live(chat);
    let running = state.live.places_taken() - agent::yielding::chats(state).len();
    let coming = state.live.agenda.runs.iter();
    let coming = coming
        .filter(|(chat, run)| run.stage.is_before_its_agent() && !live(chat))
        .count();
    state.disk.settings.limits.live_agents.saturating_sub(running + coming)
}

fn catch_ups(state: &Domain) -> usize {
    state
        .live
        .agenda
        .runs
        .values()
        .filter(|run| run.how == How::Late)
        .count()
}

/// What the last engine claimed waits for room; what this one did has it.
fn launch_claimed(state: &mut Domain) -> Vec<Effect> {
    let runs = &state.live.agenda.runs;
    let claimed = runs.iter().filter(|(_, run)| run.stage == Stage::Claimed);
    let chats: Vec<ChatId> = claimed.map(|(chat, _)| chat.clone()).collect();
    let mut effects = Vec::new();
    for chat in chats {
        let full = agent::no_room(state, &chat, "starting a run".into()).is_some();
        let runs = &state.live.agenda.runs;
        let late = runs
            .values()
            .filter(|run| run.how == How::Late && run.stage.is_launched())
            .count();
        let waits = runs.get(&chat).is_some_and(|run| run.how == How::Late) && late >= CATCH_UPS;
        if full || waits {
            continue;
        }
        effects.extend(match state.disk.chats.get(&chat) {
            None => launch(state, chat),
            Some(known) if known.record.is_unfinished() => {
                await_discard(state, &chat);
                Vec::new()
            }
            Some(_) => launch_made(state, &chat),
        });
    }
    effects
}

/// What an earlier engine left of the chat is being removed; after that it is made again.
fn await_discard(state: &mut Domain, chat: &ChatId) {
    let now = state.now;
    if let Some(run) = state.live.agenda.runs.get_mut(chat)
        && now.ms_since(run.since) > LATE_MS
    {
        let why = "what was left of its chat could not be removed";
        run.stage = Stage::Judged(Verdict::Failed, why.into());
    }
}

/// Its chat was made by an earlier engine, with its prompt: only its agent is still to be started.
fn launch_made(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let number: WorkId = state.ids.work();
    let Some(run) = state.live.agenda.runs.get_mut(chat) else {
        return Vec::new();
    };
    run.stage = Stage::Launching(number);
    let env = run.env.clone();
    agent::start_first(state, chat, (env, Vec::new()), Requester::Launch(number))
}

/// A fresh chat, its project opened again by its origin.
fn launch(state: &mut Domain, chat: ChatId) -> Vec<Effect> {
    let number: WorkId = state.ids.work();
    let Some(run) = state.live.agenda.runs.get_mut(&chat) else {
        return Vec::new();
    };
    run.stage = Stage::Launching(number);
    let Some(Ok(schedule)) = state.disk.schedules.get(&run.schedule) else {
        run.stage = Stage::Judged(Verdict::Failed, "its schedule is gone".into());
        return Vec::new();
    };
    let terms = &schedule.terms;
    let by = match schedule.chat {
        Some(_) => Who::Agent,
        None => Who::Person,
    };
    let dirs = terms.project.iter().map(|open| OpenDir { by, ..open.clone() });
    let new = NewChat {
        name: Some(terms.name.clone()),
        prompt: Some(terms.prompt.clone()),
        llm: terms.llm.clone(),
        dirs: dirs.collect(),
        cwd: state.disk.home.clone(),
        env: run.env.clone(),
        ..NewChat::default()
    };
    let identity = Identity {
        id: chat,
        schedule: Some(run.schedule.clone()),
    };
    creation::create_as(state, new, identity, Requester::Launch(number))
}

/// One alarm for all: to what comes next, a prompt that waits for its moment included, or to the next time limit of a run.
/// A wait that is counted down would end too early where the clock was set back meanwhile, and too late behind a sleep.
fn set_alarm(state: &mut Domain) -> Vec<Effect> {
    let (now, agenda) = (state.now, &state.live.agenda);
    let due = agenda.next.values().copied();
    let limits = agenda.runs.values().filter_map(|run| run::limit(state, run));
    let others = limits.chain(agenda.patience).chain(agenda.timed.next);
    let coming = due.chain(others).filter(|at| *at > now).min();
    if coming == agenda.alarm {
        return Vec::new();
    }
    state.live.agenda.alarm = coming;
    vec![Effect::Alarm(coming)]
}
