//! A large mixed stream, until its end shows on the outer terminal.

use std::time::{Duration, Instant};

use crate::cost;
use crate::house::{Host, Venue};
use crate::program::{END, Program};
use crate::samples::{Samples, beside_peer};
use crate::stage::Stage;
use crate::support::table::Row;

/// The slowest multiplexer known takes half a minute for this much.
const PATIENCE: Duration = Duration::from_secs(180);

pub fn stream(venue: &Venue, rounds: usize, megabytes: usize) -> anyhow::Result<Vec<Row>> {
    let (mut time, mut busy, mut bytes) = (Samples::default(), Samples::default(), Samples::default());
    for _ in 0..rounds {
        for host in venue.hosts.iter().copied() {
            let mut stage = Stage::open(host, Program::Stream, venue)?;
            let processes = if host == Host::Bare { Vec::new() } else { stage.calm()? };
            let (spent, sent) = (cost::busy(&processes), stage.seat.bytes);
            let started = Instant::now();
            stage.go()?;
            let ended = stage.seat.wait_for_bytes(END.as_bytes(), PATIENCE)?;
            time.push(host, (ended - started).as_secs_f64());
            bytes.push(host, (stage.seat.bytes - sent) as f64 / 1e6);
            if !processes.is_empty() {
                busy.push(host, (cost::busy(&processes) - spent).as_secs_f64());
            }
        }
    }
    let until = format!("stream of {megabytes} MB until its end shows, s");
    Ok(vec![
        beside_peer(time.median(until), 1.0),
        beside_peer(busy.median("  processor time of the host, s"), 1.0),
        beside_peer(bytes.median("  sent to the outer terminal, MB"), 1.0),
    ])
}
