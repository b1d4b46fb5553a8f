//! The moments that a running agent's state holds. Deadlines are counted from them by the clock of the wall: where that is
//! set back they go back with it, so that as much of each wait is left as before.

use crate::model::Timestamp;

use super::outbox::{ComposerState, InFlight, ObservedPrompt, Outbox};
use super::reorder::ToolSlot;
use super::{Agent, Resume};

/// A step of the clock that is no mere correction.
const SET_BACK_MS: u64 = 1_000;

impl Agent {
    /// The clock goes from one moment to another.
    pub fn follow_clock(&mut self, from: Timestamp, to: Timestamp) {
        let back = from.ms_since(to);
        if back > SET_BACK_MS {
            for at in self.moments() {
                at.0 = at.0.saturating_sub_unsigned(back);
            }
        }
    }

    fn moments(&mut self) -> Vec<&mut Timestamp> {
        let Agent {
            signals,
            since,
            started,
            looked,
            sought,
            shown,
            still_since,
            outbox,
            composes_from,
            resume,
            keys,
            turn,
            quiescence,
            rests_since,
            reorder,
            rest,
            // What else there is holds none.
            ..
        } = self;
        let mut all = vec![
            since,
            started,
            looked,
            shown,
            still_since,
            composes_from,
            &mut turn.began,
        ];
        let known = [
            sought,
            rests_since,
            &mut keys.last,
            &mut keys.entered,
            &mut quiescence.prompted,
            &mut quiescence.ended,
            &mut rest.since,
            &mut rest.asked,
        ];
        all.extend(known.into_iter().flatten());
        all.extend(signals.values_mut().map(|signal| &mut signal.at));
        all.extend(turn.over.iter_mut().map(|over| &mut over.since));
        all.extend(turn.trouble.iter_mut().map(|trouble| &mut trouble.at));
        match resume {
            Resume::Unsaid => {}
            Resume::Reading { until: at } | Resume::TakenUp { drawn: at } => all.push(at),
        }
        let slots = reorder.slots.iter_mut();
        all.extend(slots.filter_map(|ToolSlot { awaits, .. }| awaits.as_mut().map(|(_, until)| until)));
        all.extend(of_outbox(outbox));
        all
    }
}

/// But for the moment that a prompt is to be sent at, which is one of the wall.
fn of_outbox(outbox: &mut Outbox) -> Vec<&mut Timestamp> {
    let Outbox {
        queue,
        typing,
        heard,
        doubted,
        composer_state,
        ledger,
        goes_along: _,
        held: _,
    } = outbox;
    let ComposerState { asked, since, left, .. } = composer_state;
    let mut all = vec![since];
    all.extend([asked, left, &mut ledger.again].into_iter().flatten());
    if let Some(typing) = typing {
        let InFlight {
            queued_prompt,
            at,
            began,
            holds_until,
            stage: _,
        } = typing;
        all.extend([&mut queued_prompt.receipt.asked, at, began, holds_until]);
    }
    for ObservedPrompt { queued_prompt, at } in heard {
        all.extend([&mut queued_prompt.receipt.asked, at]);
    }
    let waiting = queue.iter_mut().chain(doubted);
    all.extend(waiting.map(|queued| &mut queued.receipt.asked));
    all
}
