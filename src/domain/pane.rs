//! What the terminals of agents report, told to each floor that it concerns.

use crate::model::{ChatId, PaneEvent};

use super::approval::{clipboard, judging};
use super::effect::Effect;
use super::event::PtyEvent;
use super::state::Domain;
use super::{agent, approval};

pub fn update(state: &mut Domain, chat: &ChatId, event: PtyEvent) -> Vec<Effect> {
    let shows = matches!(event, PtyEvent::Screen(_));
    let ends = matches!(
        event,
        PtyEvent::Said(PaneEvent::Exited { .. } | PaneEvent::FailedToStart { .. })
    );
    if let PtyEvent::Said(PaneEvent::Clipboard(text)) = event {
        return clipboard::by_agent(state, chat, text);
    }
    // What it did last is heard before its end.
    let mut effects = match ends {
        true => judging::agent_ends(state, chat),
        false => Vec::new(),
    };
    effects.extend(agent::update(state, chat, event));
    if shows {
        effects.extend(approval::answer_on_screen(state, chat));
    }
    effects
}
