//! Resuming all that ran when the engine ended: it is offered, and done by one key.

use crate::domain::agent::restart;
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::screen::State;

use super::toast;
use super::view::Tone;

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
        1 => "1 chat".to_string(),
        many => format!("{many} chats"),
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
    let is_needed = is_possible(state);
    if let Some(view) = state.views.get_mut(&client).filter(|_| is_needed) {
        view.over.offered = Some(until);
    }
}

/// Whether several are left.
pub fn is_possible(state: &State) -> bool {
    restart::ended_with_the_engine(&state.domain).len() > 1
}

/// What is said of that, the longest form first.
pub fn offer(state: &State, key: &str) -> Option<[String; 3]> {
    let ended = restart::ended_with_the_engine(&state.domain).len();
    let forms = [
        format!("{ended} chats ran when the engine ended: {key} resumes all"),
        format!("{key} resumes {ended} chats"),
        format!("{key} resumes"),
    ];
    is_possible(state).then_some(forms)
}
