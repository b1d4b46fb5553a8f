//! Checkpoints of a chat's clones: taken as its turns begin, compared, and gone back to.

pub mod anchor;
pub mod attempt;
pub mod done;
pub mod hold;
mod only_clone;
pub mod opinion;
pub mod remark;
mod shared_tree;
pub mod state;
pub mod touched;
pub mod way;
pub mod work;

use std::collections::BTreeMap;

use crate::model::pick::{Pick, PickAct, SavedPick};
use crate::model::remark::RemarkAsk;
use crate::model::review::{Back, Cause, DiffAsk, ReviewAsk};
use crate::model::{Chat, ChatId, Kind, Problem};

use super::agent::state::AtEnd;
use super::effect::Effect;
use super::state::{Domain, Requester};
use super::{agent, chat, reply};
use opinion::WantedOpinion;
use state::DueRevert;
use work::{ReviewThen, ReviewWork};

/// A person asks, from a shell.
pub fn ask(state: &mut Domain, chat: &str, ask: ReviewAsk, requester: Requester) -> Result<Vec<Effect>, Problem> {
    let chat = state.find(chat)?;
    let (back, yes, env) = match ask {
        ReviewAsk::Checkpoint => {
            let work = ReviewWork::Take {
                chat,
                cause: Cause::Asked,
                prompt: String::new(),
            };
            return Ok(chat::work(state, requester, ReviewThen::Answer, work));
        }
        ReviewAsk::Checkpoints => return Ok(chat::work(state, requester, ReviewThen::Answer, ReviewWork::List(chat))),
        ReviewAsk::Diff(ask) => {
            let set = attempt::resolved(state, ask.set)?;
            let ask = DiffAsk { set, ..ask };
            return Ok(chat::work(
                state,
                requester,
                ReviewThen::Answer,
                ReviewWork::Diff(chat, ask),
            ));
        }
        ReviewAsk::Revert {
            to: point,
            project,
            of,
            yes,
            env,
        } => (Back::To { point, project, of }, yes, env),
        ReviewAsk::UndoRevert { yes, env } => (Back::Undo, yes, env),
        ReviewAsk::Take { from, pick } => {
            let pick = attempt::in_chat(state, &chat, &from, pick)?;
            return self::pick(state, chat, PickAct::Take, pick, requester);
        }
        ReviewAsk::Attempts => return Ok(attempt::list(state, chat, requester)),
        ReviewAsk::Opinion { set, by, env } => {
            let set = attempt::resolved(state, set)?;
            return opinion::ask(state, chat, WantedOpinion { set, by, env }, requester);
        }
        ReviewAsk::Remark(mut ask) => {
            if let RemarkAsk::Add(new) = &mut ask {
                only_clone::name(state, &chat, &mut new.project, "making a remark")?;
            }
            return Ok(remark::ask(state, chat, ask, requester));
        }
        ReviewAsk::Stage(pick) => return self::pick(state, chat, PickAct::Stage, pick, requester),
        ReviewAsk::Unstage(pick) => return self::pick(state, chat, PickAct::Unstage, pick, requester),
        ReviewAsk::Discard(pick) => return self::pick(state, chat, PickAct::Discard, pick, requester),
    };
    if yes {
        return revert(state, &chat, back, env, requester);
    }
    Ok(chat::work(
        state,
        requester,
        ReviewThen::Answer,
        ReviewWork::Plan { chat, back, env },
    ))
}

fn pick(
    state: &mut Domain,
    chat: ChatId,
    act: PickAct,
    mut pick: Pick,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    only_clone::name(state, &chat, pick.of.project_mut(), act.doing())?;
    let work = ReviewWork::Pick(chat, act, pick);
    Ok(chat::work(state, requester, ReviewThen::Answer, work))
}

/// Brings back what was discarded last in this chat: this, as the person saw it.
///
/// # Errors
///
/// Something else was discarded last by now.
pub fn bring_back(
    state: &mut Domain,
    chat: ChatId,
    picks: Vec<SavedPick>,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    if state.live.reviews.last_picks(&chat) != picks {
        let cause = "it is not what was discarded last any more";
        return Err(Problem::new("undoing a discard", cause, "press the key again"));
    }
    let then = ReviewThen::BroughtBack(chat.clone());
    Ok(chat::work(state, requester, then, ReviewWork::BringBack(chat, picks)))
}

/// Ends the agent, whose next write would otherwise be lost or mixed in, and goes back.
///
/// # Errors
///
/// The agent of another chat works in one of the clones, or they are being restored.
pub fn revert(
    state: &mut Domain,
    chat: &ChatId,
    back: Back,
    env: BTreeMap<String, String>,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    may_go_back(state, chat, &back)?;
    if !state.live.is_live(chat) {
        return Ok(go_back_at_rest(state, due(chat, back, env, requester)));
    }
    // What is refused anyway is no reason to end an agent at work.
    let work = ReviewWork::Check {
        chat: chat.clone(),
        back: back.clone(),
        env: env.clone(),
    };
    let then = ReviewThen::GoBack {
        chat: chat.clone(),
        back,
        env,
    };
    Ok(chat::work(state, requester, then, work))
}

/// Of an agent that is not to be started again by itself.
fn due(chat: &ChatId, back: Back, env: BTreeMap<String, String>, requester: Requester) -> DueRevert {
    DueRevert {
        chat: chat.clone(),
        back,
        again: None,
        env,
        requester,
    }
}

/// It can be gone back.
fn checked(state: &mut Domain, due: DueRevert) -> Vec<Effect> {
    match may_go_back(state, &due.chat, &due.back) {
        Ok(()) => go_back_at_rest(state, due),
        Err(problem) => reply::answer(state, due.requester, Err(problem)),
    }
}

fn may_go_back(state: &Domain, chat: &ChatId, back: &Back) -> Result<(), Problem> {
    if has_code(back) {
        shared_tree::check(state, chat, back.doing())?;
    }
    if state.live.reviews.reverting.contains(chat) {
        let cause = "its clones are being restored already";
        return Err(Problem::busy(back.doing(), cause, "try again when that is done"));
    }
    Ok(())
}

fn go_back_at_rest(state: &mut Domain, due: DueRevert) -> Vec<Effect> {
    let at_end = AtEnd::Revert(due.back.clone(), due.requester);
    agent::end(state, &due.chat, at_end).unwrap_or_else(|| go_back(state, due))
}

fn has_code(back: &Back) -> bool {
    match back {
        Back::To { of, .. } => of.has_code(),
        Back::Undo => true,
    }
}

fn go_back(state: &mut Domain, due: DueRevert) -> Vec<Effect> {
    let DueRevert {
        chat,
        back,
        again,
        env,
        requester,
    } = due;
    state.live.reviews.reverting.insert(chat.clone());
    let then = ReviewThen::GoOn(chat.clone(), again);
    chat::work(state, requester, then, ReviewWork::Revert { chat, back, env })
}

/// It is over, however it went: its agent runs again, if it did.
pub fn ended(state: &mut Domain, chat: &ChatId, again: Option<BTreeMap<String, String>>) -> Vec<Effect> {
    state.live.reviews.reverting.remove(chat);
    match again {
        Some(env) => agent::resume(state, chat, env, Requester::Nobody),
        None => Vec::new(),
    }
}

/// Begins what is due: a checkpoint where a prompt has come to an agent, a revert whose agent has ended.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let mut effects = Vec::new();
    for due in std::mem::take(&mut state.live.reviews.due) {
        // One after the other, or the first to end would let the agent start while the other writes its clones.
        match state.live.reviews.reverting.contains(&due.chat) {
            true => state.live.reviews.due.push(due),
            false => effects.extend(go_back(state, due)),
        }
    }
    for chat in std::mem::take(&mut state.live.reviews.entered) {
        // What waits for its hook to be answered needs nothing saved ahead.
        let waits = state.live.reviews.hooked.contains(&chat);
        if !waits && has_clone(state, &chat) && state.disk.read_only.is_none() {
            let then = ReviewThen::Prepared(chat.clone());
            effects.extend(chat::work(state, Requester::Nobody, then, ReviewWork::Prepare(chat)));
        }
    }
    for chat in std::mem::take(&mut state.live.reviews.rested) {
        // Without a prompt there was no turn.
        let is_told = state.live.reviews.told.contains_key(&chat);
        if is_told && has_clone(state, &chat) && state.disk.read_only.is_none() {
            let then = ReviewThen::Prepared(chat.clone());
            let work = ReviewWork::Rest { chat, at: state.now };
            effects.extend(chat::work(state, Requester::Nobody, then, work));
        }
    }
    for (chat, prompt) in std::mem::take(&mut state.live.reviews.begun) {
        if has_clone(state, &chat) {
            effects.extend(take(state, chat, Cause::Turn, prompt));
        } else {
            state.live.reviews.without_clone.insert(chat, prompt);
        }
    }
    for chat in std::mem::take(&mut state.live.reviews.opened) {
        if !has_clone(state, &chat) {
            continue;
        }
        let (cause, prompt) = match state.live.reviews.without_clone.remove(&chat) {
            Some(prompt) => (Cause::Turn, prompt),
            None => (Cause::Opened, String::new()),
        };
        effects.extend(take(state, chat, cause, prompt));
    }
    effects
}

fn has_clone(state: &Domain, chat: &ChatId) -> bool {
    let is_clone = |known: &Chat| known.record.dirs.iter().any(|dir| dir.kind == Kind::Git);
    state.disk.chats.get(chat).is_some_and(is_clone)
}

/// Nobody asked for it.
fn take(state: &mut Domain, chat: ChatId, cause: Cause, prompt: String) -> Vec<Effect> {
    if state.disk.read_only.is_some() {
        return Vec::new();
    }
    *state.live.reviews.taking.entry(chat.clone()).or_default() += 1;
    let then = ReviewThen::TurnBegan(chat.clone());
    let work = ReviewWork::Take { chat, cause, prompt };
    chat::work(state, Requester::Nobody, then, work)
}
