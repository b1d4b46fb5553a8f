//! From a key to what it draws, and what it costs, in a home of ten chats and in one of a thousand: alone, and beside
//! twenty programs that redraw where nobody sees them.

use std::time::{Duration, Instant};

use crate::house::{Host, House, Venue};
use crate::idle;
use crate::measure::echo::type_keys;
use crate::measure::list::fill;
use crate::program::Program;
use crate::samples::Samples;
use crate::stage::Stage;
use crate::support::table::Row;

const FEW: usize = 10;
const MANY: usize = 1000;
const HIDDEN: usize = 20;

/// What two runs of the same differ by.
const NOISE: f64 = 1.15;

/// Of one home: times in ms, and processor time of the host in ms a second, alone and in company.
#[derive(Default)]
struct Taken {
    alone: Samples,
    cost: Samples,
    beside: Samples,
    busy: Samples,
}

pub fn crowd(venue: &Venue, rounds: usize, keys: usize) -> anyhow::Result<Vec<Row>> {
    let (mut few, mut many) = (Taken::default(), Taken::default());
    for _ in 0..rounds {
        for (chats, taken) in [(FEW, &mut few), (MANY, &mut many)] {
            measure(venue, chats, keys, taken)?;
        }
    }
    let pairs = [
        ("key to echo, alone, median ms", few.alone, many.alone),
        ("processor time a key, alone, \u{b5}s", few.cost, many.cost),
        (
            "key to echo, 20 hidden at 30 frames/s, median ms",
            few.beside,
            many.beside,
        ),
        ("processor time of the host, 20 hidden, ms/s", few.busy, many.busy),
    ];
    let rows = pairs.into_iter().flat_map(|(what, few, many)| {
        let few = few.median(format!("{FEW} chats on disk: {what}"));
        let many = many.median(format!("  {MANY} chats on disk"));
        let limit = few.parlour.map(|figure| figure * NOISE);
        [few, Row { limit, ..many }]
    });
    Ok(rows.collect())
}

fn measure(venue: &Venue, chats: usize, keys: usize, taken: &mut Taken) -> anyhow::Result<()> {
    let house = House::new(Host::Parlour, venue, &std::env::temp_dir())?;
    fill(house.home(), chats)?;
    let mut stage = Stage::open_in(house, Program::Echo, venue)?;
    stage.go()?;
    let processes = stage.calm()?;
    let before = idle::slices(&processes);
    type_keys(&mut stage, 0..keys, |spent| taken.alone.push(Host::Parlour, spent))?;
    let spent = idle::slices(&processes).saturating_sub(before);
    taken.cost.push(Host::Parlour, spent.as_secs_f64() * 1e6 / keys as f64);

    stage.hide(Program::Redraw, HIDDEN)?;
    stage.seat.rest(Duration::from_secs(1))?;
    let processes = stage.processes();
    let (before, started) = (idle::slices(&processes), Instant::now());
    type_keys(&mut stage, keys..2 * keys, |spent| {
        taken.beside.push(Host::Parlour, spent)
    })?;
    let spent = idle::slices(&processes).saturating_sub(before);
    taken.busy.push(
        Host::Parlour,
        1000.0 * spent.as_secs_f64() / started.elapsed().as_secs_f64(),
    );
    Ok(())
}
