//! Schedules made, listed, paused and cancelled, by persons and by agents.
//!
//! An agent sees and cancels what its own tree made, and no more; a run belongs to the tree that made its schedule, so
//! a run that makes schedules counts against the same limits.

pub mod agenda;
pub mod done;
pub mod run;
pub mod state;
pub mod work;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::domain::schedule::work::{ScheduleWork, Schedules};
use crate::domain::work::ScheduleThen;
use crate::model::request::ScheduleAsk;
use crate::model::schedule::{Change, Rule, Run, Terms, Wanted, named};
use crate::model::{CallId, ChatId, Problem, Schedule, ScheduleId, Timestamp};
use crate::permission::{AT_ONCE, AskedCall, Ruling};

use super::approval::judging;
use super::effect::Effect;
use super::notice::Done;
use super::state::{Domain, Requester};
use super::team::{limits, tree};
use super::{chat, reply};

/// Who asks about schedules.
#[derive(Clone, Copy)]
pub enum ScheduleRequester<'a> {
    Person,
    /// The agent of this chat.
    Agent(&'a ChatId),
}

/// A verb of the shell. `under` is the chat under whose agent it was typed.
pub fn ask(
    state: &mut Domain,
    call: CallId,
    ask: ScheduleAsk,
    env: BTreeMap<String, String>,
    under: Option<&ChatId>,
) -> Result<Vec<Effect>, Problem> {
    let who = under.map_or(ScheduleRequester::Person, ScheduleRequester::Agent);
    let requester = Requester::Call(call);
    let now = |value: Value| Ok(vec![Effect::Reply(call, Ok(value))]);
    match ask {
        ScheduleAsk::Add(wanted) => make(state, *wanted, who, requester),
        ScheduleAsk::List => now(list(state, who)),
        ScheduleAsk::Show { schedule } => {
            let id = find(state, &schedule, who)?;
            now(json(state, &id))
        }
        ScheduleAsk::Pause { schedule } => {
            let id = find(state, &schedule, who)?;
            Ok(change(state, &id, Change::Pause, requester))
        }
        ScheduleAsk::Resume { schedule } => {
            let id = find(state, &schedule, who)?;
            let resume = Change::Resume(state.now);
            Ok(change(state, &id, resume, requester))
        }
        ScheduleAsk::Run { schedule } => {
            let id = find(state, &schedule, who)?;
            let ScheduleRequester::Agent(chat) = who else {
                return agenda::run_by_hand(state, &id, env, requester);
            };
            if let Some(problem) = limits::too_fast(state, chat, "running a schedule") {
                return Err(problem);
            }
            let effects = agenda::run_by_hand(state, &id, env, requester)?;
            limits::spawned(state, chat);
            Ok(effects)
        }
        ScheduleAsk::Cancel { schedule } => {
            let id = find(state, &schedule, who)?;
            Ok(cancel(state, &id, requester))
        }
    }
}

/// A tool of an agent.
pub fn tool(state: &mut Domain, call: CallId, chat: &ChatId, asked: ScheduleAsk) -> Result<Vec<Effect>, Problem> {
    if asked == ScheduleAsk::List {
        let seen = brief(state, ScheduleRequester::Agent(chat));
        return Ok(vec![Effect::Reply(call, Ok(seen))]);
    }
    let env = tree::environment(state, chat);
    ask(state, call, asked, env, Some(chat))
}

pub fn make(
    state: &mut Domain,
    wanted: Wanted,
    who: ScheduleRequester,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let mut terms = wanted.terms(state.live.facts.zone, state.now)?;
    if let ScheduleRequester::Agent(chat) = who {
        settle_terms(state, chat, &mut terms);
    }
    if let Some(problem) = terms.llm.as_deref().and_then(|llm| unfit_llm(state, llm)) {
        return Err(problem);
    }
    let mut tree = None;
    if let ScheduleRequester::Agent(chat) = who {
        let of = tree::of_schedules(state, chat);
        within_limits(state, &of, chat, &terms)?;
        tree = Some(of);
    }
    let id = ScheduleId::from_bits(state.ids.bits());
    let mut schedule = Schedule::new(id, terms, state.now);
    schedule.tree = tree;
    if let ScheduleRequester::Agent(chat) = who {
        schedule.chat = Some(chat.clone());
    }
    Ok(chat::work(
        state,
        requester,
        ScheduleThen::Answer,
        ScheduleWork::Make(Box::new(schedule)),
    ))
}

/// Why no run could have this agent.
fn unfit_llm(state: &Domain, llm: &str) -> Option<Problem> {
    if llm == "shell" {
        let cause = "a shell takes its commands from a person, and would run the prompt as one";
        return Some(Problem::new("making a schedule", cause, "name an agent"));
    }
    chat::unknown_llm(state, llm)
}

/// New terms, by a person. A check is theirs where they wrote it: an agent's that they left as it was they may not have
/// read.
pub fn edit(state: &mut Domain, id: &ScheduleId, wanted: Wanted, requester: Requester) -> Result<Vec<Effect>, Problem> {
    let changing = |problem: Problem| problem.while_doing("changing a schedule");
    let mut terms = wanted.terms(state.live.facts.zone, state.now).map_err(changing)?;
    if let Some(problem) = terms.llm.as_deref().and_then(|llm| unfit_llm(state, llm)) {
        return Err(changing(problem));
    }
    if let Some(Ok(before)) = state.disk.schedules.get(id) {
        // What the dialog does not show stays.
        terms.check_by_agent = before.terms.check_by_agent && before.terms.check == terms.check;
        let open = terms.project.as_mut().zip(before.terms.project.clone());
        if let Some((project, before)) = open.filter(|(new, old)| new.path_or_url == old.path_or_url) {
            let branch = project.branch.take();
            *project = crate::model::open_dir::OpenDir { branch, ..before };
        }
    }
    Ok(change(state, id, Change::Edit(Box::new(terms), state.now), requester))
}

pub fn change(state: &mut Domain, id: &ScheduleId, change: Change, requester: Requester) -> Vec<Effect> {
    chat::work(
        state,
        requester,
        ScheduleThen::Answer,
        ScheduleWork::Change(id.clone(), change),
    )
}

pub fn cancel(state: &mut Domain, id: &ScheduleId, requester: Requester) -> Vec<Effect> {
    chat::work(state, requester, ScheduleThen::Answer, ScheduleWork::Cancel(id.clone()))
}

/// A project by the name it has in the maker's chat is the repository that it came from; the agent is the same kind.
fn settle_terms(state: &Domain, chat: &ChatId, terms: &mut Terms) {
    let Some(known) = state.disk.chats.get(chat) else {
        return;
    };
    terms.check_by_agent = terms.check.is_some();
    terms.llm.get_or_insert_with(|| known.record.llm.clone());
    if let Some(project) = &mut terms.project {
        let projects = state.disk.home.join("chats").join(chat.as_str()).join("projects");
        let named = project.path_or_url.trim_end_matches('/');
        let inside = named.strip_prefix(&*projects.to_string_lossy());
        let bare = inside
            .or_else(|| named.strip_prefix("projects"))
            .map_or(named, |rest| rest.trim_start_matches('/'));
        let opened = known.record.dirs.iter();
        let opened = opened
            .clone()
            .find(|dir| dir.name == bare || dir.label.as_deref() == Some(bare));
        if let Some(dir) = opened {
            // A checkout has commits and setup files that its remote lacks.
            let source = dir.source().map(|path| path.to_string_lossy().into_owned());
            project.path_or_url = source.unwrap_or_else(|| dir.origin.clone());
        }
    }
}

fn within_limits(state: &Domain, tree: &str, chat: &ChatId, terms: &Terms) -> Result<(), Problem> {
    let limits = &state.disk.settings.limits;
    let doing = "making a schedule";
    let refuse = |cause: String, hint: &str| Err(Problem::new(doing, cause, hint));
    let of_tree = |schedule: &&Schedule| schedule.tree.as_deref() == Some(tree);
    let made = state.disk.schedules.values().flatten().filter(of_tree).count();
    if made >= limits.agent_schedules {
        let cause = format!("this tree made {made} schedules, those that are over included");
        return Err(Problem::limited(doing, cause, "agentSchedules", limits.agent_schedules));
    }
    let least = i64::try_from(limits.agent_schedule_minutes).unwrap_or(i64::MAX);
    if let Rule::Cron(cron) = &terms.when.rule
        && let Some(apart) = cron.closer_than(least)
    {
        let cause = format!("its times are {apart} min apart");
        let least = usize::try_from(least).unwrap_or(usize::MAX);
        return Err(Problem::limited(doing, cause, "agentScheduleMinutes", least));
    }
    if terms.check.as_ref().is_some_and(|check| check.len() > AT_ONCE) {
        let cause = format!("its check is longer than {AT_ONCE} bytes");
        return refuse(cause, "put it into a script");
    }
    let calls: Vec<AskedCall> = terms.check.as_deref().map(AskedCall::of_command).into_iter().collect();
    match judging::case(state, chat, calls).judge().pop() {
        Some(Ruling::Deny { rule, why }) => refuse(format!("its check is denied by {rule}: {why}"), "choose another"),
        Some(Ruling::Allow { .. } | Ruling::Ask { .. } | Ruling::NoOpinion) | None => Ok(()),
    }
}

fn is_seen(state: &Domain, id: &ScheduleId, who: ScheduleRequester) -> bool {
    match (who, state.disk.schedules.get(id)) {
        (ScheduleRequester::Person, _) => true,
        (ScheduleRequester::Agent(chat), Some(Ok(schedule))) => {
            schedule.tree.as_deref() == Some(tree::of_schedules(state, chat).as_str())
        }
        (ScheduleRequester::Agent(_), Some(Err(_)) | None) => false,
    }
}

/// The one that a name means, of those that whoever asks may see.
pub fn find(state: &Domain, name: &str, who: ScheduleRequester) -> Result<ScheduleId, Problem> {
    let seen = state.disk.schedules.iter().filter(|(id, _)| is_seen(state, id, who));
    let shows_all = match who {
        ScheduleRequester::Person => "`parlour schedule list` shows all of them",
        ScheduleRequester::Agent(_) => "list_schedules shows all of them",
    };
    named::find(seen.map(|(id, known)| (id, known.as_ref().ok())), name, shows_all).cloned()
}

/// A schedule as it now is on disk. What was read before a newer word of it came is old news.
pub fn loaded(state: &mut Domain, schedule: Schedule) {
    let known = state.disk.schedules.get(&schedule.id);
    if known.is_some_and(|known| known.as_ref().is_ok_and(|known| known.rev > schedule.rev)) {
        return;
    }
    agenda::know(state, &schedule);
    state.disk.schedules.insert(schedule.id.clone(), Ok(schedule));
}

/// All of them were read again, since somebody changed one.
pub fn all_loaded(state: &mut Domain, all: Schedules) {
    let gone: Vec<ScheduleId> = state
        .disk
        .schedules
        .keys()
        .filter(|id| !all.contains_key(*id))
        .cloned()
        .collect();
    gone.iter().for_each(|id| removed(state, id));
    for (id, read) in all {
        match read {
            Ok(schedule) => loaded(state, schedule),
            Err(why) => {
                agenda::forget(state, &id);
                state.disk.schedules.insert(id, Err(why));
            }
        }
    }
}

pub fn removed(state: &mut Domain, id: &ScheduleId) {
    agenda::forget(state, id);
    state.disk.schedules.remove(id);
}

/// A change is on disk.
pub fn kept(state: &mut Domain, requester: Requester, schedule: Schedule) -> Vec<Effect> {
    let id = schedule.id.clone();
    loaded(state, schedule);
    reply::show(state, requester, Done::ScheduleKept(id.clone()));
    let answer = json(state, &id);
    reply::answer(state, requester, Ok(answer))
}

/// The schedules that a chat's agent made.
pub fn made_by<'s>(state: &'s Domain, chat: &'s ChatId) -> impl Iterator<Item = &'s Schedule> {
    let all = state.disk.schedules.values().flatten();
    all.filter(move |schedule| schedule.chat.as_ref() == Some(chat))
}

fn list(state: &Domain, who: ScheduleRequester) -> Value {
    let seen = state.disk.schedules.keys().filter(|id| is_seen(state, id, who));
    json!({"schedules": seen.map(|id| json(state, id)).collect::<Vec<_>>()})
}

/// As an agent reads them: each word costs.
fn brief(state: &Domain, who: ScheduleRequester) -> Value {
    let one = |id: &ScheduleId| {
        let whole = json(state, id);
        let when = match (whole["cron"].as_str(), whole["at"].as_str()) {
            (Some(cron), _) => format!("{cron} {}", whole["tz"].as_str().unwrap_or_default()),
            (None, at) => at.unwrap_or_default().to_string(),
        };
        let last = whole["runs"]
            .as_array()
            .and_then(|runs| runs.last())
            .cloned()
            .unwrap_or_default();
        json!({"id": id, "name": whole["name"], "when": when, "state": whole["state"], "next_run": whole["next_run"],
               "chatId": last["chat"], "result": last["result"], "why": last["why"]})
    };
    let seen = state.disk.schedules.keys().filter(|id| is_seen(state, id, who));
    json!({"schedules": seen.map(one).collect::<Vec<_>>()})
}

/// What a person calls a schedule. Of one that is gone only its runs are left, which are called after it.
pub fn called<'s>(state: &'s Domain, id: &ScheduleId) -> Cow<'s, str> {
    match state.disk.schedules.get(id) {
        Some(Ok(schedule)) => schedule.terms.name.as_str().into(),
        Some(Err(_)) => "damaged schedule".into(),
        None => {
            name_of_runs(state, id).map_or("cancelled schedule".into(), |name| format!("{name} (cancelled)").into())
        }
    }
}

/// Single runs may have been renamed.
fn name_of_runs<'s>(state: &'s Domain, id: &ScheduleId) -> Option<&'s str> {
    let mut names: BTreeMap<&str, (usize, Timestamp)> = BTreeMap::new();
    let records = state.disk.chats.values().map(|chat| &chat.record);
    for run in records.filter(|record| record.schedule.as_deref() == Some(id.as_str())) {
        let (count, newest) = names.entry(&run.name).or_default();
        *count += 1;
        *newest = run.created.max(*newest);
    }
    names
        .into_iter()
        .max_by_key(|(_, counted)| *counted)
        .map(|(name, _)| name)
}

/// What of a schedule's state is worth a word: `active`, `paused`, `held`, `over` or `damaged`.
pub fn word(state: &Domain, id: &ScheduleId) -> &'static str {
    match state.disk.schedules.get(id) {
        None | Some(Err(_)) => "damaged",
        Some(Ok(schedule)) if schedule.paused => "paused",
        Some(Ok(schedule)) if schedule.is_over() => "over",
        Some(Ok(_)) if waits_for(state, id).is_some() => "held",
        Some(Ok(_)) => "active",
    }
}

/// Why it does not run though it is due, or though it was due already by another clock.
pub fn waits_for(state: &Domain, id: &ScheduleId) -> Option<String> {
    let Some(Ok(schedule)) = state.disk.schedules.get(id) else {
        return None;
    };
    match schedule.is_ahead(state.now) {
        true => Some(schedule.told_ahead()),
        false => state.live.agenda.held(id).map(String::from),
    }
}

/// A schedule in the shape of the shell page.
pub fn json(state: &Domain, id: &ScheduleId) -> Value {
    let schedule = match state.disk.schedules.get(id) {
        Some(Ok(schedule)) => schedule,
        Some(Err(why)) => return json!({"id": id, "state": "damaged", "damaged": why}),
        None => return json!({"id": id}),
    };
    let terms = &schedule.terms;
    let zone = terms.when.zone;
    let spell = |at: Option<Timestamp>| at.map(|at| zone.spell(at));
    let (cron, at) = match &terms.when.rule {
        Rule::Cron(cron) => (Some(cron.as_str()), None),
        Rule::At(at) => (None, Some(*at)),
    };
    // A chat in the trash has none.
    let handle = |chat: &Option<ChatId>| {
        let known = state.disk.chats.get(chat.as_ref()?)?;
        Some(known.record.handle.to_string())
    };
    let run = |run: &Run| {
        let result = match (&run.result, &run.chat) {
            (Some(result), _) => result.word(),
            (None, Some(chat)) => run::word(state, chat),
            (None, None) => "running",
        };
        json!({"due": spell(run.due), "at": spell(Some(run.at)), "how": run.how, "chat": run.chat, "handle": handle(&run.chat), "result": result,
               "why": run.why, "ended": spell(run.ended), "count": run.count})
    };
    json!({
        "id": id,
        "name": terms.name,
        "prompt": terms.prompt,
        "cron": cron,
        "at": spell(at),
        "tz": zone,
        "project": terms.project.as_ref().map(|project| &project.path_or_url),
        "branch": terms.project.as_ref().and_then(|project| project.branch.as_ref()),
        "llm": terms.llm,
        "check": terms.check,
        "timeout_s": terms.timeout_s,
        "overlap": terms.overlap,
        "missed": terms.missed,
        "state": word(state, id),
        "held_by": waits_for(state, id),
        "next_run": spell(schedule.next()),
        "chat": schedule.chat,
        "handle": handle(&schedule.chat),
        "created": schedule.created,
        "runs": schedule.runs.iter().map(run).collect::<Vec<_>>(),
    })
}
