//! A second opinion: another agent is started below a chat, to review what that one changed.

use std::collections::BTreeMap;

use crate::domain::effect::Effect;
use crate::domain::notice::{Done, RemarksNews};
use crate::domain::state::{Domain, Requester};
use crate::domain::usage::stop;
use crate::domain::work::{Choice, NewRecord};
use crate::domain::{agent, chat, reply};
use crate::model::atom::Who;
use crate::model::review::DiffSet;
use crate::model::role::REVIEWER;
use crate::model::text::{one_line, visible};
use crate::model::{Chat, ChatId, Happened, PermissionProfile, Problem};

use super::work::{ReviewThen, ReviewWork};

const DOING: &str = "asking for a second opinion";

/// What a person wants to hear about.
pub struct WantedOpinion {
    pub set: DiffSet,
    /// The agent CLI that is asked.
    pub by: String,
    pub env: BTreeMap<String, String>,
}

pub fn ask(
    state: &mut Domain,
    of: ChatId,
    wanted: WantedOpinion,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let WantedOpinion { set, by, env } = wanted;
    if let Some(problem) = chat::unknown_llm(state, &by) {
        return Err(Problem {
            doing: DOING.into(),
            ..problem
        });
    }
    if by == "shell" {
        return Err(Problem::new(DOING, "a shell reviews nothing", "name an agent"));
    }
    let id = ChatId::from_bits(state.ids.bits());
    if let Some(problem) = agent::no_room(state, &id, DOING.into()) {
        return Err(problem);
    }
    if let Some(problem) = stop::refusal_below(state, Some(&of), DOING) {
        return Err(problem);
    }
    let label = state.disk.chats.get(&of).map(|known| known.record.name.clone());
    let name = one_line(&format!("Review of {}", label.unwrap_or_default()), chat::LONGEST_NAME);
    let new = NewRecord {
        handle: state.free_handle(&name, &id),
        id,
        by: Who::Person,
        name,
        llm: Choice::Named(by),
        role: Some(REVIEWER.into()),
        env: env.clone(),
        // The repository that is judged has no say in how it is judged.
        around: Vec::new(),
        parent: Some(of.clone()),
        to_open: 0,
        schedule: None,
        disabled_servers: Vec::new(),
        permissions: PermissionProfile::Ask,
        prompt: None,
        prompt_id: String::new(),
        wants_answer: false,
    };
    let then = ReviewThen::StartReviewer(env);
    Ok(chat::work(state, requester, then, ReviewWork::Opinion { of, set, new }))
}

/// It is on disk, with its clones and its prompt: its agent starts.
pub fn made(state: &mut Domain, requester: Requester, reviewer: Chat, env: BTreeMap<String, String>) -> Vec<Effect> {
    let id = reviewer.id().clone();
    let of = reviewer.record.parent.clone();
    let mut effects = chat::loaded(state, reviewer);
    let note = |text: String| vec![Happened::Note { text }];
    if let Some(of) = of {
        let news = RemarksNews::ReviewerMade(id.clone());
        reply::show(state, requester, Done::Remarks(of.clone(), news));
        let above = format!("asked {} for a second opinion", visible(&chat::handle(state, &id)));
        effects.extend(chat::append(state, &of, note(above)));
        let below = format!("reviews the changes of {}", visible(&chat::handle(state, &of)));
        effects.extend(chat::append(state, &id, note(below)));
    }
    effects.extend(agent::start_first(state, &id, (env, Vec::new()), requester));
    effects
}
