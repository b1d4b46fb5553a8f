//! What a CLI writes or says of itself beside its hooks, line by line: what of it is news, and in which order it is recorded.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ReviewThen, ReviewWork};
use crate::model::talk::OwnRewind;
use crate::model::{ChatId, Happened, Mark, Reported, Streamed, Timestamp};
use crate::permission::Ruling;

use super::acknowledgement::PromptWitness;
use super::state::reorder::DueRecords;
use super::{acknowledgement, cwd, delivery, hook, interrupt, news, reorder, retry, rule_decision, status};

/// Lines of the CLI's own transcript. What a hook told of them already is told once.
pub fn transcript(state: &mut Domain, chat: &ChatId, lines: Vec<Reported>, mark: Mark) -> Vec<Effect> {
    let now = state.now;
    let mut due = DueRecords::default();
    let mut effects = Vec::new();
    let mut drops_error = false;
    let parents = of_its_parent(state, chat);
    for Reported { at: said, what } in lines {
        let at = said.unwrap_or(now).min(now);
        if parents.is_some_and(|until| at < until) {
            continue;
        }
        let what = match state.live.agents.get_mut(chat) {
            Some(agent) => {
                let what = agent.turn.own.by_own_id(what, &agent.turn.tools);
                agent.turn.own.with_reason(what, &agent.turn.tools)
            }
            None => what,
        };
        effects.extend(acknowledgement::answers(state, chat, &what, at));
        let Some(what) = interrupt::before_the_process(state, chat, what, at, &mut effects) else {
            continue;
        };
        let known = take_known(state, chat, &what);
        due.extend(reorder::told_too(state, chat, &what, said.map(|_| at)));
        if known {
            effects.extend(acknowledgement::recorded(state, chat, &what));
            continue;
        }
        effects.extend(retry::heard(state, chat, &what, at));
        let happened = match what {
            Happened::Prompt { id, text, .. } => {
                let begun = acknowledgement::comes_to(state, chat, (&id, &text), at);
                let (told, confirmed) = acknowledgement::confirm(state, chat, PromptWitness::Transcript(at), id, text);
                effects.extend(confirmed);
                begun.into_iter().chain(told).collect()
            }
            other => {
                let is_error = matches!(other, Happened::Error { .. });
                let happened = read(state, chat, other, at);
                drops_error |= is_error && happened.is_empty();
                happened
            }
        };
        due.told
            .extend(dated(news::news(state, chat, happened), said.map(|_| at)));
    }
    // An error has no key: an engine that starts knows only by the mark that it was told.
    if let Some(agent) = state
        .live
        .agents
        .get(chat)
        .filter(|_| drops_error && due.told.is_empty())
    {
        due.told.push(agent.verdict.told().into());
    }
    effects.extend(reorder::write(state, chat, due, Some(mark)));
    let agent = state.live.agents.get(chat);
    effects.extend(agent.and_then(|agent| agent.turn.own.ends_due()).map(Effect::WakeAt));
    effects.extend(cwd::by_file(state, chat));
    effects.extend(status::reassess(state, chat));
    effects.extend(delivery::pump(state, chat));
    effects
}

fn read(state: &mut Domain, chat: &ChatId, line: Happened, at: Timestamp) -> Vec<Happened> {
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return vec![line];
    };
    let is_cut = matches!(line, Happened::ToolEnd { cut: Some(_), .. });
    let cut = is_cut.then(|| line.clone());
    let mut happened = agent.read(line, at);
    if let Some(cut) = cut {
        happened.iter_mut().for_each(|told| told.completed_by(&cut));
    }
    happened
}

/// What the CLI's own server says, with the verdicts on what is called or asked about in it: there is no hook beside it.
pub fn stream(
    state: &mut Domain,
    chat: &ChatId,
    said: Vec<Streamed>,
    mark: Option<Mark>,
    rulings: Vec<Ruling>,
) -> Vec<Effect> {
    let mut rulings = rulings.into_iter();
    let mut due = DueRecords::default();
    let mut effects = Vec::new();
    for said in said {
        effects.extend(stream_one(state, chat, said, &mut due, &mut rulings));
    }
    if mark.is_some() {
        // What is told before a mark is not told again.
        due.extend(reorder::rest(state, chat));
    }
    effects.extend(reorder::write(state, chat, due, mark));
    effects.extend(cwd::by_file(state, chat));
    effects.extend(status::reassess(state, chat));
    effects.extend(delivery::pump(state, chat));
    effects
}

fn stream_one(
    state: &mut Domain,
    chat: &ChatId,
    said: Streamed,
    due: &mut DueRecords,
    rulings: &mut impl Iterator<Item = Ruling>,
) -> Vec<Effect> {
    let now = state.now;
    let mut happened = Vec::new();
    let mut effects = Vec::new();
    let Reported { at, what } = match said {
        Streamed::Reported(told) => told,
        Streamed::Event(event) => {
            effects.extend(hook::hear(state, chat, event.clone(), None, &mut happened));
            // What has no verdict in time a person is asked about.
            if rule_decision::is_judged(&event)
                && let Some(ruling) = rulings.next()
            {
                rule_decision::name_rules(state, chat, &mut happened, &ruling);
            }
            happened.extend(cwd::hear(state, chat, &event));
            let happened = news::news(state, chat, happened);
            due.extend(reorder::in_turn(state, chat, dated(happened, None)));
            return effects;
        }
        Streamed::Awaits(key) => {
            if let Some(agent) = state.live.agents.get_mut(chat) {
                agent.reorder.awaits(key, now);
                effects.extend(agent.reorder.until().map(Effect::WakeAt));
            }
            return effects;
        }
        Streamed::WentBack(rewind) => return went_back(state, chat, rewind),
    };
    let at = at.map(|at| at.min(now));
    let Some(what) = interrupt::before_the_process(state, chat, what, at.unwrap_or(now), &mut effects) else {
        return effects;
    };
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.turn.hears_whole(&what);
    }
    if take_known(state, chat, &what) {
        return effects;
    }
    effects.extend(retry::heard(state, chat, &what, at.unwrap_or(now)));
    let is_cut = matches!(what, Happened::ToolEnd { cut: Some(_), .. });
    let cut = is_cut.then(|| what.clone());
    match what {
        Happened::Prompt { id, text, .. } => {
            let by = PromptWitness::Transcript(at.unwrap_or(now));
            let agent = state.live.agents.get(chat);
            // No turn begins now that an earlier process began.
            if agent.is_some_and(|agent| at.is_some_and(|at| at < agent.started)) {
                let (told, confirmed) = acknowledgement::confirm(state, chat, by, id, text);
                effects.extend(confirmed);
                happened.extend(told);
            } else {
                effects.extend(hook::prompt(state, chat, by, (id, text), &mut happened));
            }
        }
        other => match state.live.agents.get_mut(chat) {
            Some(agent) => happened.extend(agent.hear_told(other, at.unwrap_or(now))),
            None => happened.push(other),
        },
    }
    if let Some(cut) = cut {
        happened.iter_mut().for_each(|told| told.completed_by(&cut));
    }
    let happened = news::news(state, chat, happened);
    due.extend(reorder::in_turn(state, chat, dated(happened, at)));
    effects
}

/// A person took back some of the conversation in the CLI itself, or brought it back.
pub fn went_back(state: &mut Domain, chat: &ChatId, rewind: OwnRewind) -> Vec<Effect> {
    let work = ReviewWork::Follow(chat.clone(), rewind);
    chat::work(state, Requester::Nobody, ReviewThen::Followed(chat.clone()), work)
}

fn dated(happened: Vec<Happened>, at: Option<Timestamp>) -> Vec<Reported> {
    happened.into_iter().map(|what| Reported { at, what }).collect()
}

/// A line of a transcript counts for what is to come of its turn also where a hook told it already.
fn take_known(state: &mut Domain, chat: &ChatId, what: &Happened) -> bool {
    let now = state.now;
    let agent = state.live.agents.get_mut(chat);
    agent.is_some_and(|agent| {
        agent.turn.sub_agents.reads(what, now);
        agent.quiescence.reads(what);
        agent.hears_answer(what);
        agent.dedup.has(what)
    })
}

/// The transcript of a forked session begins with all that was said in the one it was forked of: until when.
fn of_its_parent(state: &Domain, chat: &ChatId) -> Option<Timestamp> {
    state.disk.chats.get(chat)?.record.told_elsewhere()
}
