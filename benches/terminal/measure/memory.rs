//! What one more chat takes: one that has said a line, and one that has said more than is kept.

use crate::cost;
use crate::house::Venue;
use crate::program::Program;
use crate::samples::Samples;
use crate::stage::Stage;
use crate::table::Row;

const MORE: usize = 10;
/// MiB of a quiet one.
const AIM: f64 = 2.0;

pub fn memory(venue: &Venue, rounds: usize) -> anyhow::Result<Vec<Row>> {
    let (mut quiet, mut full, mut empty) = (Samples::default(), Samples::default(), Samples::default());
    for _ in 0..rounds {
        for host in venue.multiplexers() {
            let mut stage = Stage::open(host, Program::Idle, venue)?;
            let alone = megabytes(&mut stage)?;
            stage.hide(Program::Idle, MORE)?;
            let with_quiet = megabytes(&mut stage)?;
            stage.hide(Program::Fill, MORE)?;
            let with_full = megabytes(&mut stage)?;
            empty.push(host, alone);
            quiet.push(host, (with_quiet - alone) / MORE as f64);
            full.push(host, (with_full - with_quiet) / MORE as f64);
        }
    }
    Ok(vec![
        empty.median("memory with one chat, MiB"),
        quiet.median("memory a quiet chat, MiB").at_most(AIM),
        full.median("memory a chat that printed 1 MiB, MiB"),
    ])
}

fn megabytes(stage: &mut Stage) -> anyhow::Result<f64> {
    let processes = stage.calm()?;
    Ok(cost::memory(&processes) as f64 / f64::from(1 << 20))
}
