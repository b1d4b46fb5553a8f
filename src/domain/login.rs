//! The login of an agent CLI, in a terminal beside the agent that lacks it. When it is through, that agent and all of the
//! same CLI that stand still for want of it are started again, and the prompt that failed is sent once more.

use std::collections::BTreeMap;

use crate::domain::work::{ScriptThen, ScriptWork};
use crate::model::queue::PromptKind;
use crate::model::script::ScriptEnding;
use crate::model::{ChatId, Problem, Status, WorkId};

use super::agent::restart;
use super::auxiliary::state::{AuxiliaryProgram, AuxiliaryStage, Side};
use super::effect::Effect;
use super::event::Size;
use super::notice::Notice;
use super::state::{Domain, Requester, Waiting};
use super::written_prompt::WrittenPrompt;
use super::{ask, auxiliary, chat, reply};

pub struct WantedLogin {
    /// The prompt that is sent again.
    pub again: Option<String>,
    pub env: BTreeMap<String, String>,
    pub size: Size,
}

/// Opens it, or shows the one that is open; one that has ended gives way.
pub fn begin(state: &mut Domain, chat: &ChatId, wanted: WantedLogin, requester: Requester) -> Vec<Effect> {
    let is_login = |side: &Side| side.chat == *chat && matches!(side.what, AuxiliaryProgram::LogIn { .. });
    let sides = state.live.sides.iter().filter(|(_, side)| is_login(side));
    let known: Vec<(WorkId, AuxiliaryStage)> = sides.map(|(number, side)| (*number, side.stage.clone())).collect();
    let mut effects = Vec::new();
    for (number, stage) in known {
        match (stage, requester) {
            (AuxiliaryStage::Running, Requester::Screen(request)) => {
                // It may have been opened for another prompt, or none.
                if let Some(side) = state.live.sides.get_mut(&number).filter(|_| wanted.again.is_some()) {
                    side.what = AuxiliaryProgram::LogIn { again: wanted.again };
                }
                state.notices.push(Notice::SideOpened(request, number));
                return effects;
            }
            (AuxiliaryStage::Running | AuxiliaryStage::Starting, _) => {
                let problem = Problem::busy("logging in", "the login is being opened", "wait a moment");
                return reply::answer(state, requester, Err(problem));
            }
            (AuxiliaryStage::Ended(_), _) => effects.extend(auxiliary::close(state, number)),
        }
    }
    let number = state.ids.work();
    let waiting = Waiting {
        requester: Requester::Nobody,
        then: ScriptThen::LoggedIn(wanted.env.clone()).into(),
    };
    state.live.waiting.insert(number, waiting);
    let what = AuxiliaryProgram::LogIn { again: wanted.again };
    let side = Side::new(chat.clone(), what, wanted.size, requester);
    state.live.sides.insert(number, side);
    let job = ScriptWork::LogIn {
        number,
        chat: chat.clone(),
        env: wanted.env,
        size: wanted.size,
    };
    effects.push(Effect::Work(number, job.into()));
    effects
}

/// It is over. What it said stays to be read if it went wrong.
pub fn ended(state: &mut Domain, number: WorkId, env: &BTreeMap<String, String>, how: ScriptEnding) -> Vec<Effect> {
    let Some(side) = state.live.sides.get(&number) else {
        return Vec::new();
    };
    let (chat, what) = (side.chat.clone(), side.what.clone());
    match how {
        ScriptEnding::Exited(0) => {
            let mut effects = auxiliary::close(state, number);
            effects.extend(go_on(state, &chat, env));
            if let AuxiliaryProgram::LogIn { again: Some(prompt) } = what {
                let written = WrittenPrompt::new(prompt, PromptKind::Steer, env.clone());
                let sent = ask::send_written(state, &chat, written, Requester::Nobody);
                effects.extend(sent.unwrap_or_else(|problem| {
                    state.notices.push(Notice::ChatTrouble(chat, problem.to_string()));
                    Vec::new()
                }));
            }
            effects
        }
        // A person gave it up, by Ctrl+C in it or by ending it.
        ScriptEnding::Stopped | ScriptEnding::Exited(130) | ScriptEnding::Killed(2) => auxiliary::close(state, number),
        how => {
            let trouble = how.trouble().unwrap_or_default();
            state
                .notices
                .push(Notice::ChatTrouble(chat, format!("The login {trouble}.")));
            auxiliary::ended(state, number, how);
            Vec::new()
        }
    }
}

/// Agents of the same CLI that nobody was logged in for are started again: they go on with their sessions.
fn go_on(state: &mut Domain, chat: &ChatId, env: &BTreeMap<String, String>) -> Vec<Effect> {
    let Some(llm) = state.disk.chats.get(chat).map(|known| known.record.llm.clone()) else {
        return Vec::new();
    };
    let is_its = |id: &&ChatId| state.disk.chats.get(id).is_some_and(|known| known.record.llm == llm);
    let waits = |id: &&ChatId| matches!(state.status(id), Status::LoggedOut(_));
    let waiting: Vec<ChatId> = state
        .live
        .agents
        .iter()
        .map(|(chat, _)| chat)
        .filter(is_its)
        .filter(waits)
        .cloned()
        .collect();
    let others = waiting.iter().filter(|waiting| *waiting != chat).count();
    if others > 0 {
        let title = state.disk.title_of(&llm).to_string();
        let chats = if others == 1 {
            "1 other chat".into()
        } else {
            format!("{others} other chats")
        };
        state.notices.push(Notice::News(format!(
            "Logged in: {chats} of {title} started again too."
        )));
    }
    let restarts = waiting
        .iter()
        .flat_map(|id| restart::begin(state, id, env.clone(), Requester::Nobody));
    restarts.collect()
}

/// Ends it; one that has ended already is put away.
pub fn end(state: &mut Domain, number: WorkId) -> Vec<Effect> {
    match state.live.sides.get(&number).is_some_and(Side::is_live) {
        true => chat::work(state, Requester::Nobody, ScriptThen::Nothing, ScriptWork::Stop(number)),
        false => auxiliary::close(state, number),
    }
}
