//! Resuming all that ran when the engine ended: it is offered, and done by one key.

use crate::domain::agent::restart;
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;

use super::hint::label;
use super::keymap::ChatsAction;
use super::toast;
use super::view::{Tone, View};

/// How long that is offered at a screen that has just come.
const OFFERED_MS: u64 = 8_000;

/// All that ran when the engine ended, by one key.
pub fn resume_all(state: &mut State, client: ClientId) -> Vec<Effect> {
    let env = state
        .views
        .get(&client)
        .map(|view| view.client.env.clone())
        .unwrap_or_default();
    let resumed = restart::resume_ended(&mut state.domain, &env);
    let agents = match resumed.chats.len() {
        1 => "1 agent".to_string(),
        many => format!("{many} agents"),
    };
    match resumed.left {
        Some((left, problem)) => {
            let text = format!("Resumed {agents}; {left} left: {problem}");
            toast::tell(state, client, text, Tone::Failed);
        }
        None => toast::tell(state, client, format!("Resumed {agents}."), Tone::Told),
    }
    resumed.effects
}

/// Says for a while by which key all that ran when the engine ended is resumed.
pub fn offer_to_resume(state: &mut State, client: ClientId) {
    let until = state.domain.now.plus_ms(OFFERED_MS);
    let is_needed = state
        .views
        .get(&client)
        .is_some_and(|view| offer(state, view).is_some());
    if let Some(view) = state.views.get_mut(&client).filter(|_| is_needed) {
        view.over.offered = Some(until);
    }
}

/// What is said of that, as long as several are left.
pub fn offer(state: &State, view: &View) -> Option<String> {
    let ended = restart::ended_with_the_engine(&state.domain).len();
    let key = label(&state.keymap.leading(view.surface(), ChatsAction::ResumeAll.into()));
    (ended > 1).then(|| format!("{ended} agents ran when the engine ended: {key} resumes all"))
}
