//! The one door through which state changes: a table of contents.

use crate::domain::agent::{delivery, hibernate, keys, looking, receipt, reorder, sight};
use crate::domain::effect::Effect;
use crate::domain::event::{Caller, Event};
use crate::domain::gate::judging;
use crate::domain::schedule::agenda;
use crate::domain::state::State;
use crate::domain::team::{unreported, wait};
use crate::domain::{agent, ask, chat, done, gate, side, tool, upkeep};
use crate::model::{PaneId, Timestamp};
use crate::screen::{client, notice, reading};

/// Takes one event in, changes state, and says what is to be done about it.
pub fn update(state: &mut State, event: Event) -> Vec<Effect> {
    let mut effects = dispatch(state, event);
    effects.extend(tell(state));
    sight::settle(state);
    effects.extend(keys::settle(state));
    effects.extend(client::settle(state));
    effects.extend(unreported::settle(state));
    effects.extend(agenda::settle(state));
    effects.extend(hibernate::settle(state));
    effects.extend(receipt::settle(state));
    effects.extend(upkeep::settle(state));
    effects.extend(tell(state));
    effects
}

fn dispatch(state: &mut State, event: Event) -> Vec<Effect> {
    match event {
        Event::Clock(now) => clock(state, now),
        Event::Client(client, event) => client::update(state, client, event),
        Event::Pty(PaneId::Agent(chat), event) => agent::update(state, &chat, event),
        Event::Pty(PaneId::Side(number), event) => side::update(state, number, event),
        Event::Hook(call, chat, events) => judging::hook(state, call, &chat, events),
        Event::Tool(call, chat, tool) => tool::update(state, call, &chat, tool),
        Event::Ask(call, by, request) => ask::update(state, call, &by, request),
        Event::Caller(call, Caller::CallsAgain) => tool::unheard(state, call),
        Event::Caller(call, Caller::Gone) => tool::abandoned(state, call),
        Event::Heard(chat, heard) => looking::heard(state, &chat, heard),
        Event::Disk(event) => chat::disk(state, event),
        Event::Done(work, outcome) => done::update(state, work, outcome),
    }
}

/// Shows people what the domain has told, and what follows from that.
fn tell(state: &mut State) -> Vec<Effect> {
    let mut effects = Vec::new();
    while !state.notices.is_empty() {
        for told in std::mem::take(&mut state.notices) {
            effects.extend(notice::on(state, told));
        }
    }
    effects
}

/// Time has passed: whatever was waiting for it goes on.
fn clock(state: &mut State, now: Timestamp) -> Vec<Effect> {
    state.now = now;
    let mut effects = reorder::clock(state);
    effects.extend(looking::clock(state));
    effects.extend(gate::press(state));
    effects.extend(judging::clock(state));
    effects.extend(agent::resize_held(state));
    effects.extend(delivery::clock(state));
    effects.extend(reading::clock(state));
    effects.extend(wait::clock(state));
    effects
}
