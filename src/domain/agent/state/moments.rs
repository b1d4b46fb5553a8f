//! The moments that a running agent's state holds, from which its deadlines are counted: see `Domain::tell_time`.
//!
//! Every field is named. With a new one it is decided here whether it holds such moments.

use crate::model::{Signal, Timestamp};

use super::keys::PersonKeys;
use super::outbox::{ComposerState, InFlight, Ledger, ObservedPrompt, Outbox, QueuedPrompt, Receipt};
use super::quiescence::Quiescence;
use super::reorder::{Reorder, ToolSlot};
use super::rest::Rest;
use super::shell::ShellCommands;
use super::slow_start::SlowStart;
use super::{Agent, Resume};

impl Agent {
    pub(in crate::domain) fn moments(&mut self) -> Vec<&mut Timestamp> {
        let Agent {
            process: _,
            capabilities: _,
            signals,
            verdict: _,
            background: _,
            left_commands: _,
            in_turn: _,
            interrupted: _,
            since,
            started,
            looked,
            sought,
            shown,
            slow_start: SlowStart { still_since, beside: _ },
            stirred: _,
            outbox,
            screen: _,
            size: _,
            driver: _,
            title: _,
            session_began: _,
            composes_from,
            resume,
            resize_held: _,
            mcp_connected: _,
            read_up: _,
            draft: _,
            keys,
            turn,
            quiescence:
                Quiescence {
                    prompted,
                    ended,
                    spoke: _,
                    asked: _,
                },
            shell:
                ShellCommands {
                    rests_since,
                    code,
                    said: _,
                    cut_off: _,
                    is_marked: _,
                    is_used: _,
                    line: _,
                    unmarked: _,
                    is_open: _,
                    is_touched: _,
                    is_passed: _,
                    prompt: _,
                },
            owed_report: _,
            start_told: _,
            went_on: _,
            dedup: _,
            reorder: Reorder { slots, unmarked: _ },
            at_end: _,
            rest:
                Rest {
                    resumes: _,
                    behind: _,
                    since: rests,
                    asked,
                    wakes: _,
                    ahead: _,
                    hands_over: _,
                },
            moved: _,
            sandbox: _,
            cwd_tracking: _,
            env: _,
        } = self;
        let mut all = vec![since, started, looked, shown, still_since, composes_from];
        let known = [sought, rests_since, prompted, ended, rests, asked];
        all.extend(known.into_iter().flatten());
        all.extend(of_keys(keys));
        all.extend(code.as_mut().map(|(_, at)| at));
        all.extend(turn.moments());
        all.extend(signals.values_mut().map(|signal| {
            let Signal {
                source: _,
                activity: _,
                because: _,
                at,
            } = signal;
            at
        }));
        match resume {
            Resume::Unsaid => {}
            Resume::Reading { until: at } | Resume::TakenUp { drawn: at } => all.push(at),
        }
        all.extend(slots.iter_mut().filter_map(of_slot));
        all.extend(of_outbox(outbox));
        all
    }
}

fn of_slot(slot: &mut ToolSlot) -> Option<&mut Timestamp> {
    let ToolSlot {
        awaits,
        told: _,
        follows: _,
    } = slot;
    awaits.as_mut().map(|(_, until)| until)
}

fn of_keys(keys: &mut PersonKeys) -> impl Iterator<Item = &mut Timestamp> {
    let PersonKeys {
        last,
        entered,
        suspended,
        draft_began_at_rest: _,
        before_start: _,
        held: _,
    } = keys;
    [last, entered, suspended].into_iter().flatten()
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
        went_along: _,
        held: _,
    } = outbox;
    let ComposerState {
        asked,
        glance: _,
        since,
        left,
        pasted: _,
        settled: _,
        is_touched: _,
    } = composer_state;
    let Ledger {
        handed: _,
        changed: _,
        again,
        delivered: _,
        changes: _,
        removed: _,
    } = ledger;
    let mut all = vec![since];
    all.extend([asked, left, again].into_iter().flatten());
    if let Some(typing) = typing {
        let InFlight {
            queued_prompt,
            at,
            began,
            holds_until,
            stage: _,
            before: _,
            steers: _,
            was_asked: _,
        } = typing;
        all.extend([of_prompt(queued_prompt), at, began, holds_until]);
    }
    for ObservedPrompt {
        queued_prompt,
        steer: _,
        at,
    } in heard
    {
        all.extend([of_prompt(queued_prompt), at]);
    }
    let waiting = queue.iter_mut().chain(doubted);
    all.extend(waiting.map(of_prompt));
    all
}

fn of_prompt(queued: &mut QueuedPrompt) -> &mut Timestamp {
    let QueuedPrompt {
        prompt: _,
        call: _,
        receipt,
    } = queued;
    let Receipt {
        patient: _,
        comes_back: _,
        left_over: _,
        due: _,
        taken: _,
        asked,
        said: _,
        noted: _,
        first: _,
        unwritten: _,
    } = receipt;
    asked
}
