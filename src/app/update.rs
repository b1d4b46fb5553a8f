//! The one door through which state changes: a table of contents.

use crate::domain::agent::{
    composer_state, delivery, delivery_receipt, hibernate, interrupt, keys, reorder, screen_probe, suspension,
    timed_prompts,
};
use crate::domain::approval::judging;
use crate::domain::effect::Effect;
use crate::domain::event::{Caller, Event, Observed};
use crate::domain::keep::{pulls, radar};
use crate::domain::schedule::agenda;
use crate::domain::team::{unreported, wait};
use crate::domain::{
    agent, approval, ask, auxiliary, disk, done, floors, maintenance, pane, review, script, tool, usage,
};
use crate::model::{PaneId, Timestamp};
use crate::screen::{State, client, dragging, notice, settle};

/// Takes one event in, changes state, and says what is to be done about it.
pub fn update(state: &mut State, event: Event) -> Vec<Effect> {
    let mut effects = begin(state, event);
    finish(state, &mut effects);
    effects
}

/// The first half of [`update`]: what the event is about. A key is among its effects, and an echo is in the state, before
/// all that follows is worked out.
pub fn begin(state: &mut State, event: Event) -> Vec<Effect> {
    match event {
        Event::Clock(now) => clock(state, now),
        Event::Client(client, event) => client::update(state, client, event),
        Event::Pty(PaneId::Agent(chat), event) => pane::update(&mut state.domain, &chat, event),
        Event::Pty(PaneId::Side(number), event) => auxiliary::update(&mut state.domain, number, event),
        Event::Hook(call, chat, events) => judging::hook(&mut state.domain, call, &chat, events),
        Event::Tool(call, chat, tool) => tool::update(&mut state.domain, call, &chat, tool),
        Event::Ask(call, by, request) => ask::update(&mut state.domain, call, &by, request),
        Event::Caller(call, Caller::CallsAgain) => tool::unheard(&mut state.domain, call),
        Event::Caller(call, Caller::Gone) => tool::abandoned(&mut state.domain, call),
        Event::Observed(chat, Observed::Script(says)) => script::heard(&mut state.domain, &chat, says),
        Event::Observed(chat, Observed::Stream(said, mark)) => judging::stream(&mut state.domain, &chat, said, mark),
        Event::Observed(chat, heard) => screen_probe::heard(&mut state.domain, &chat, heard),
        Event::Disk(event) => disk::update(&mut state.domain, event),
        Event::Done(work, outcome) => done::update(&mut state.domain, work, outcome),
    }
}

/// The second half: what follows for all else. It adds effects and keeps answers back; what goes into a terminal stays
/// as it is.
pub fn finish(state: &mut State, effects: &mut Vec<Effect>) {
    effects.extend(tell(state));
    composer_state::settle(&mut state.domain);
    effects.extend(keys::settle(&mut state.domain));
    effects.extend(settle::settle(state));
    effects.extend(unreported::settle(&mut state.domain));
    effects.extend(timed_prompts::settle(&mut state.domain));
    effects.extend(agenda::settle(&mut state.domain));
    effects.extend(hibernate::settle(&mut state.domain));
    effects.extend(delivery_receipt::settle(&mut state.domain));
    effects.extend(review::settle(&mut state.domain));
    effects.extend(radar::settle(&mut state.domain));
    effects.extend(pulls::settle(&mut state.domain));
    effects.extend(usage::settle(&mut state.domain));
    effects.extend(maintenance::settle(&mut state.domain));
    effects.extend(tell(state));
    review::hold::settle(&mut state.domain, effects);
    state.domain.live.agents.settle();
}

/// Tells the higher floors of the domain and shows people what was told, and what follows from that.
fn tell(state: &mut State) -> Vec<Effect> {
    let mut effects = Vec::new();
    effects.extend(floors::tell(&mut state.domain));
    while !state.domain.notices.is_empty() {
        for told in std::mem::take(&mut state.domain.notices) {
            effects.extend(notice::on(state, told));
        }
        effects.extend(floors::tell(&mut state.domain));
    }
    effects
}

/// Time has passed: whatever was waiting for it goes on.
fn clock(state: &mut State, now: Timestamp) -> Vec<Effect> {
    state.domain.tell_time(now);
    let mut effects = reorder::clock(&mut state.domain);
    effects.extend(interrupt::clock(&mut state.domain));
    effects.extend(screen_probe::clock(&mut state.domain));
    effects.extend(auxiliary::clock(&mut state.domain));
    effects.extend(approval::press(&mut state.domain));
    effects.extend(judging::clock(&mut state.domain));
    effects.extend(agent::resize_held(&mut state.domain));
    effects.extend(suspension::clock(&mut state.domain));
    effects.extend(delivery::clock(&mut state.domain));
    effects.extend(dragging::clock(state));
    effects.extend(wait::clock(&mut state.domain));
    effects
}
