//! A run: from its chat to its result. The end of the agent's turn decides, or its own end, or the time limit.

use serde_json::{Value, json};

use crate::domain::agent::state::AtEnd;
use crate::domain::agent::state::outbox::Outbox;
use crate::domain::agent::{self, ENDED, status};
use crate::domain::approval::judging;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::Notice;
use crate::domain::state::{Domain, Requester, Then};
use crate::domain::work::{ScheduleThen, ScheduleWork, ScriptThen, ScriptWork};
use crate::model::schedule::{Change, Checked, Verdict};
use crate::model::text::one_line;
use crate::model::{Chat, ChatId, Problem, ScheduleId, Status, Timestamp, WorkId};
use crate::permission::AskedCall;

use super::state::{PATIENCE_MS, Stage, Underway};

/// How long an agent rests that was never seen at work on its prompt, before that counts as its answer.
const QUIET_MS: u64 = 3_000;

/// Characters of the reason for a result.
const WHY: usize = 300;

/// How a run came to its end.
enum End {
    /// The agent did what it was told, as far as it goes: the check decides.
    Turn,
    Known(Verdict, String),
}

/// After every event: judges what runs, and writes down what is judged.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let chats: Vec<ChatId> = state.live.agenda.runs.keys().cloned().collect();
    chats.iter().flat_map(|chat| go_on(state, chat)).collect()
}

fn go_on(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let Some(run) = state.live.agenda.runs.get(chat) else {
        return Vec::new();
    };
    match run.stage.clone() {
        Stage::Claiming | Stage::Claimed | Stage::Launching(_) | Stage::Checking | Stage::Ending(..) => Vec::new(),
        Stage::Running => match judge(state, chat) {
            (Some(End::Turn), mut effects) => {
                effects.extend(check(state, chat));
                effects
            }
            (Some(End::Known(result, why)), mut effects) => {
                effects.extend(judged(state, chat, result, why));
                effects
            }
            (None, effects) => effects,
        },
        Stage::Judged(..) if state.live.agenda.is_patient() => Vec::new(),
        Stage::Judged(result, why) => judged(state, chat, result, why),
    }
}

/// The moment at which a run is out of time.
pub fn limit(state: &Domain, run: &Underway) -> Option<Timestamp> {
    let schedule = state.disk.schedules.get(&run.schedule)?.as_ref().ok()?;
    (run.stage == Stage::Running).then(|| run.since.plus_ms(schedule.terms.timeout_s.saturating_mul(1000)))
}

fn judge(state: &mut Domain, chat: &ChatId) -> (Option<End>, Vec<Effect>) {
    let now = state.now;
    let known = |result, why: &str| (Some(End::Known(result, why.into())), Vec::new());
    let status = state.status_of_turn(chat);
    let outbox = state.live.agents.get(chat).map(|agent| &agent.outbox);
    let empty = outbox.is_none_or(Outbox::is_empty);
    let handed = outbox.is_none_or(|outbox| outbox.queue.is_empty());
    let late = state.live.agenda.runs.get(chat).and_then(|run| limit(state, run));
    let late = late.is_some_and(|limit| now >= limit);
    let Some(run) = state.live.agenda.runs.get_mut(chat) else {
        return (None, Vec::new());
    };
    if !state.disk.chats.contains_key(chat) {
        return known(Verdict::Failed, "its chat was deleted");
    }
    run.worked |= handed && matches!(status, Status::Running(_));
    match status {
        Status::Idle(_) | Status::Hibernated if empty && run.worked => return (Some(End::Turn), Vec::new()),
        Status::Idle(_) | Status::Hibernated if empty => {
            let since = *run.quiet.get_or_insert(now);
            let until = since.plus_ms(QUIET_MS);
            if now >= until {
                return (Some(End::Turn), Vec::new());
            }
            if since == now {
                return (None, vec![Effect::WakeAt(until)]);
            }
        }
        Status::Error(what) | Status::Limited(what) | Status::LoggedOut(what) if empty => {
            return known(Verdict::Failed, &what);
        }
        Status::Exited(why) if why == ENDED && empty => return (Some(End::Turn), Vec::new()),
        Status::Exited(why) => {
            let why = match empty {
                true => format!("its agent {why}"),
                false => format!("its agent had not taken the prompt: {why}"),
            };
            return known(Verdict::Failed, &why);
        }
        Status::NeedsYou(question) if late => return known(Verdict::NeedsYou, &question),
        Status::Starting
        | Status::Running(_)
        | Status::NeedsYou(_)
        | Status::Idle(_)
        | Status::Retrying(_)
        | Status::Hibernated
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Unknown(_) => run.quiet = None,
    }
    match late {
        true => known(Verdict::TimedOut, "its time was over, and its agent was stopped"),
        false => (None, Vec::new()),
    }
}

/// Reads what the agent declared, and runs the check in the run's clone. An agent's check is a command that no person
/// saw: it runs where the rules for this chat's agent allow it.
fn check(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let Some(run) = state.live.agenda.runs.get_mut(chat) else {
        return Vec::new();
    };
    run.stage = Stage::Checking;
    let env = run.env.clone();
    let terms = state
        .disk
        .schedules
        .get(&run.schedule)
        .and_then(|known| known.as_ref().ok());
    let (command, by_agent, seconds) = terms.map_or((None, false, 0), |schedule| {
        let terms = &schedule.terms;
        (terms.check.clone(), terms.check_by_agent, terms.timeout_s)
    });
    let of_agent = command.as_deref().filter(|_| by_agent);
    let judged = of_agent.map(|command| Box::new(judging::case(state, chat, vec![AskedCall::of_command(command)])));
    let job = ScheduleWork::Check {
        chat: chat.clone(),
        command,
        judged,
        env,
        seconds,
    };
    chat::work(state, Requester::Nobody, ScheduleThen::Checked(chat.clone()), job)
}

/// Ends the check of a chat's run, where it is at work.
pub fn stop_check(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let checks = |then: &Then| matches!(then, Then::Schedule(ScheduleThen::Checked(of)) if of == chat);
    let mut waiting = state.live.waiting.iter();
    let found = waiting
        .find(|(_, waiting)| checks(&waiting.then))
        .map(|(number, _)| *number);
    found.map_or_else(Vec::new, |number| {
        chat::work(state, Requester::Nobody, ScriptThen::Nothing, ScriptWork::Stop(number))
    })
}

/// The check has ended, and what the agent declared is known.
pub fn checked(state: &mut Domain, loaded: Chat, checked: Checked) -> Vec<Effect> {
    let id = loaded.id().clone();
    let declared = loaded.declared.clone();
    let mut effects = chat::loaded(state, loaded);
    let word = declared.as_ref().map_or("", |declared| declared.status.as_str());
    let note = declared.as_ref().map_or("", |declared| declared.note.as_str());
    let (result, why) = match (word, checked) {
        ("blocked", _) => (Verdict::NeedsYou, format!("it says that it is blocked: {note}")),
        ("error" | "errored" | "failed", _) => (Verdict::Failed, format!("it says that it failed: {note}")),
        (_, Checked::Failed(why)) => (Verdict::Failed, why),
        (_, Checked::TimedOut) => (Verdict::TimedOut, "its check took longer than it may".into()),
        (_, Checked::Passed) => (Verdict::Success, "its check passed".into()),
        (_, Checked::NotAllowed(command)) => {
            let why = format!("its check is an agent's, and no rule of yours allows it: {command}");
            (Verdict::NeedsYou, why)
        }
        (_, Checked::Not) => (Verdict::Success, String::new()),
    };
    effects.extend(judged(state, &id, result, why.trim_end_matches([':', ' ']).to_string()));
    effects
}

/// What was declared and checked could not be found out.
pub fn not_checked(state: &mut Domain, chat: &ChatId, problem: &Problem) -> Vec<Effect> {
    judged(state, chat, Verdict::Failed, problem.to_string())
}

fn judged(state: &mut Domain, chat: &ChatId, result: Verdict, why: String) -> Vec<Effect> {
    let now = state.now;
    let why = one_line(&why, WHY);
    let patient = state.live.agenda.is_patient();
    let Some(run) = state.live.agenda.runs.get_mut(chat) else {
        return Vec::new();
    };
    if patient {
        run.stage = Stage::Judged(result, why);
        return Vec::new();
    }
    let id = run.schedule.clone();
    match state.disk.schedules.get(&id) {
        Some(Ok(_)) => {}
        // Its result is written when the file can be read again.
        Some(Err(_)) => {
            run.stage = Stage::Judged(result, why);
            return Vec::new();
        }
        None => {
            state.live.agenda.runs.remove(chat);
            return Vec::new();
        }
    }
    run.stage = Stage::Ending(result, why.clone());
    let finish = Change::Finish {
        chat: chat.clone(),
        result,
        why,
        at: now,
    };
    write(state, &id, finish, ScheduleThen::RunEnded(chat.clone()))
}

/// The result is on disk. Its agent makes room, unless a person looks at it or has to answer it.
pub fn ended(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let Some(run) = state.live.agenda.runs.remove(chat) else {
        return Vec::new();
    };
    let Stage::Ending(result, _) = run.stage else {
        return Vec::new();
    };
    let shown = state.live.attention.shown.contains(chat);
    let asks = matches!(state.status(chat), Status::NeedsYou(_));
    let agent = state.live.live_agent(chat);
    match (agent, result) {
        (None, _) => Vec::new(),
        (Some(_), Verdict::TimedOut) => agent::stop(state, chat, Requester::Nobody),
        (Some(_), _) if shown || asks => Vec::new(),
        (Some(agent), _) if agent.rest.resumes => {
            let mut effects = agent::end(state, chat, AtEnd::Sleep).unwrap_or_default();
            effects.extend(status::reassess(state, chat));
            effects
        }
        (Some(_), _) => agent::stop(state, chat, Requester::Nobody),
    }
}

/// The result is not on disk: it is written after a while.
pub fn not_ended(state: &mut Domain, chat: &ChatId) {
    be_patient(state);
    if let Some(run) = state.live.agenda.runs.get_mut(chat)
        && let Stage::Ending(result, why) = run.stage.clone()
    {
        run.stage = Stage::Judged(result, why);
    }
}

/// Its chat is on disk: who asked for the run hears which it is.
pub fn made(state: &mut Domain, number: WorkId) -> Vec<Effect> {
    let Some((chat, run)) = launched(state, number) else {
        return Vec::new();
    };
    let requester = std::mem::replace(&mut run.requester, Requester::Nobody);
    let answer = json!({"chatId": chat, "chat": chat::handle(state, &chat)});
    crate::domain::reply::answer(state, requester, Ok(answer))
}

/// How the launch went: its agent is started, or it is not and why.
pub fn launch_ended(state: &mut Domain, number: WorkId, how: Result<Value, Problem>) -> Vec<Effect> {
    let now = state.now;
    let Some((chat, run)) = launched(state, number) else {
        return Vec::new();
    };
    match how {
        Ok(_) => {
            (run.stage, run.since) = (Stage::Running, now);
            Vec::new()
        }
        Err(problem) => {
            let requester = std::mem::replace(&mut run.requester, Requester::Nobody);
            state.notices.push(Notice::Trouble(problem.to_string()));
            let mut effects = judged(state, &chat, Verdict::Failed, problem.to_string());
            if let Requester::Call(_) = requester {
                effects.extend(crate::domain::reply::answer(state, requester, Err(problem)));
            }
            effects
        }
    }
}

fn launched(state: &mut Domain, number: WorkId) -> Option<(ChatId, &mut Underway)> {
    let mut runs = state.live.agenda.runs.iter_mut();
    let (chat, run) = runs.find(|(_, run)| run.stage == Stage::Launching(number))?;
    Some((chat.clone(), run))
}

/// How a run that goes on is shown.
pub fn word(state: &Domain, chat: &ChatId) -> &'static str {
    let waits = state.live.is_live(chat) && matches!(state.status(chat), Status::NeedsYou(_));
    if waits { Verdict::NeedsYou.word() } else { "running" }
}

pub fn write(state: &mut Domain, id: &ScheduleId, change: Change, then: ScheduleThen) -> Vec<Effect> {
    let job = ScheduleWork::Change(id.clone(), change);
    chat::work(state, Requester::Nobody, then, job)
}

/// A result could not be written: again after a while.
pub fn be_patient(state: &mut Domain) {
    state.live.agenda.patience = Some(state.now.plus_ms(PATIENCE_MS));
}
