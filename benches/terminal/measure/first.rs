//! From the start of the client to the first thing that is drawn.

use std::ffi::OsString;
use std::time::Instant;

use crate::house::{Host, House, Venue};
use crate::program::Program;
use crate::samples::Samples;
use crate::support::table::Row;

/// A home that is in use: chats to load and to list.
const CHATS: usize = 5;

pub fn first(venue: &Venue, rounds: usize) -> anyhow::Result<Vec<Row>> {
    let (mut warm, mut cold) = (Samples::default(), Samples::default());
    for host in venue.multiplexers() {
        let house = House::new(host, venue, &std::env::temp_dir())?;
        if host == Host::Parlour {
            for number in 0..CHATS {
                house.hide(Program::Idle, venue, &format!("chat-{number}"))?;
            }
        }
        for _ in 0..rounds {
            house.close()?;
            cold.push(host, draw(&house, venue)?);
            warm.push(host, draw(&house, venue)?);
        }
    }
    Ok(vec![
        warm.median("first frame, engine running, ms").at_most(50.0),
        cold.median("first frame, no engine, ms").at_most(150.0),
    ])
}

fn draw(house: &House, venue: &Venue) -> anyhow::Result<f64> {
    let mut line = house.command_line();
    if line.first().is_some_and(|program| program == "tmux") {
        // Its programs live on, as chats do.
        let played = Program::Idle.args(&venue.sample);
        line.push("new-session".into());
        line.push(std::env::current_exe()?.into());
        line.extend(played.into_iter().map(OsString::from));
    }
    let started = Instant::now();
    let mut seat = venue.seat(house.home(), &line)?;
    let drawn = seat.wait_for_screen("anything", |screen| !screen.trim().is_empty())?;
    Ok((drawn - started).as_secs_f64() * 1000.0)
}
