//! What twenty programs that do nothing cost, with somebody there and with nobody.

use std::time::{Duration, Instant};

use crate::house::Venue;
use crate::idle;
use crate::program::Program;
use crate::samples::Samples;
use crate::stage::Stage;
use crate::support::table::Row;

const CHATS: usize = 20;

/// A thousandth of a core, in per cent.
const AIM: f64 = 0.1;

/// Behind the last output of a program, within which a host still does what it does once for it.
const SETTLED: Duration = Duration::from_secs(30);

pub fn idle(venue: &Venue, rounds: usize, span: Duration) -> anyhow::Result<Vec<Row>> {
    let mut attached = (Samples::default(), Samples::default());
    let mut detached = (Samples::default(), Samples::default());
    for _ in 0..rounds {
        for host in venue.multiplexers() {
            let mut stage = Stage::open(host, Program::Idle, venue)?;
            stage.hide(Program::Idle, CHATS - 1)?;
            stage.seat.rest(SETTLED)?;
            let (share, wakes) = watch(&mut stage, span)?;
            attached.0.push(host, share);
            attached.1.push(host, wakes);
            stage.seat.leave();
            let (share, wakes) = watch(&mut stage, span)?;
            detached.0.push(host, share);
            detached.1.push(host, wakes);
        }
    }
    Ok(vec![
        attached
            .0
            .median(format!("idle, {CHATS} chats, attached, % of a core"))
            .at_most(AIM),
        attached.1.median("  wake-ups/s"),
        detached
            .0
            .median(format!("idle, {CHATS} chats, detached, % of a core"))
            .at_most(AIM),
        detached.1.median("  wake-ups/s"),
    ])
}

/// The share of a core, in per cent, and wake-ups a second.
fn watch(stage: &mut Stage, span: Duration) -> anyhow::Result<(f64, f64)> {
    let processes = stage.calm()?;
    let (spent, wakes, started) = (idle::slices(&processes), idle::wakes(&processes), Instant::now());
    stage.seat.rest(span)?;
    let seconds = started.elapsed().as_secs_f64();
    let spent = idle::slices(&processes).saturating_sub(spent).as_secs_f64();
    let wakes = idle::wakes(&processes).saturating_sub(wakes) as f64;
    Ok((100.0 * spent / seconds, wakes / seconds))
}
