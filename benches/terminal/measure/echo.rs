//! From a key to what it draws, alone and beside three programs that redraw where nobody sees them.

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::house::{Host, Venue};
use crate::idle;
use crate::program::{self, Program};
use crate::samples::{Samples, beside_peer};
use crate::seat::PATIENCE;
use crate::stage::Stage;
use crate::support::table::Row;

const HIDDEN: usize = 3;

/// Of tmux's time: at the median, and of the slowest key in a hundred.
const MEDIAN: f64 = 1.5;
const SLOWEST: f64 = 3.0;

pub fn echo(venue: &Venue, rounds: usize, keys: usize) -> anyhow::Result<Vec<Row>> {
    let (mut alone, mut beside, mut busy) = (Samples::default(), Samples::default(), Samples::default());
    for _ in 0..rounds {
        for host in venue.hosts.iter().copied() {
            let mut stage = Stage::open(host, Program::Echo, venue)?;
            stage.go()?;
            type_keys(&mut stage, 0..keys, |spent| alone.push(host, spent))?;
            if host == Host::Bare {
                continue;
            }
            stage.hide(Program::Redraw, HIDDEN)?;
            stage.seat.rest(Duration::from_secs(1))?;
            let processes = stage.processes();
            let (before, started) = (idle::slices(&processes), Instant::now());
            type_keys(&mut stage, keys..2 * keys, |spent| beside.push(host, spent))?;
            let spent = idle::slices(&processes).saturating_sub(before);
            busy.push(host, 1000.0 * spent.as_secs_f64() / started.elapsed().as_secs_f64());
        }
    }
    let hidden = format!("key to echo, {HIDDEN} hidden at 30 frames/s, median ms");
    Ok(vec![
        beside_peer(alone.median("key to echo, alone, median ms"), MEDIAN),
        beside_peer(alone.p99("  p99 ms"), SLOWEST),
        beside_peer(beside.median(hidden), MEDIAN),
        beside_peer(beside.p99("  p99 ms"), SLOWEST),
        busy.median("  processor time of the host, ms/s"),
    ])
}

/// Presses the keys of these numbers. They go on from call to call, as the places of the letters do: one that stands
/// there already would not be drawn.
pub(super) fn type_keys(stage: &mut Stage, keys: Range<usize>, mut each: impl FnMut(f64)) -> anyhow::Result<()> {
    for number in keys {
        // Between 8 and 21 ms: no rhythm that a frame clock could fall in with.
        let pause = 8_000 + (number as u64).wrapping_mul(2_654_435_761) % 13_000;
        stage.seat.rest(Duration::from_micros(pause))?;
        let letter = b'a' + (number % 16) as u8;
        let pressed = Instant::now();
        stage.seat.press(&[letter])?;
        let drawn = stage.seat.wait_for_bytes(&program::echo_of(letter), PATIENCE)?;
        each((drawn - pressed).as_secs_f64() * 1000.0);
    }
    Ok(())
}
