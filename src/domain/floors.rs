//! What a lower floor of the domain has told goes to those above it, in the order in which it was told.

use super::approval;
use super::effect::Effect;
use super::keep::{pulls, radar};
use super::notice::Upward;
use super::schedule::run;
use super::state::Domain;
use super::team::{atom, stop_tree, unreported, wait};

/// Hands on all that was told, and what is told because of it.
pub fn tell(state: &mut Domain) -> Vec<Effect> {
    let mut effects = Vec::new();
    while !state.upward.is_empty() {
        for told in std::mem::take(&mut state.upward) {
            effects.extend(on(state, told));
        }
    }
    effects
}

fn on(state: &mut Domain, told: Upward) -> Vec<Effect> {
    match told {
        Upward::StatusChanged(chat) => {
            let mut effects = unreported::came_to(state, &chat);
            effects.extend(wait::check(state, &chat));
            effects
        }
        Upward::Learned(chat) => {
            radar::learned(state, &chat);
            pulls::learned(state, &chat);
            wait::check(state, &chat)
        }
        Upward::AllowedByRule(chat, id, rule) => approval::allowed_by_rule(state, &chat, &id, rule),
        Upward::DeniedByRule(chat, id, rule, why) => approval::denied_by_rule(state, &chat, &id, rule, &why),
        Upward::Stopped(chat) => run::stop_check(state, &chat),
        Upward::Over(chat, why) => atom::owner_ended(state, &chat, &why),
        Upward::Gone(chat) => stop_tree::ended(state, &chat),
        Upward::Made(number) => run::made(state, number),
        Upward::Launched(number, how) => run::launch_ended(state, number, how),
    }
}
