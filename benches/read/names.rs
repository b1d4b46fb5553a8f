//! A home of a hundred thousand chats: the sidebar filters them as a person types.

use std::time::Duration;

use anyhow::ensure;

use crate::seat::Seat;
use crate::table::Row;

const CHATS: u64 = 100_000;
/// A word, letters of several, and what no chat is called.
const TYPED: [&str; 4] = ["login", "fxlgn", "export42", "zzyzx"];

const VERBS: [&str; 8] = [
    "Fix", "Try", "Document", "Speed up", "Test", "Move", "Explain", "Remove",
];
const THINGS: [&str; 8] = [
    "the login",
    "an export",
    "the cache",
    "sessions",
    "the radar",
    "old tokens",
    "the wizard",
    "a parser",
];

pub fn rows(quick: bool) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let mut seat = Seat::new(folder.path())?;
    let count = if quick { CHATS / 10 } else { CHATS };
    seat.add_chats((0..count).map(name));
    seat.draw();
    let mut keys: Vec<Duration> = Vec::new();
    for typed in TYPED {
        seat.frame("/");
        for letter in typed.chars() {
            keys.push(seat.frame(&letter.to_string()));
        }
        ensure!(seat.shows(typed), "the words are in the field");
        seat.press("esc");
    }
    keys.sort();
    let worst = keys.last().map_or(0.0, |worst| worst.as_secs_f64() * 1_000.0);
    Ok(vec![Row {
        parlour: Some(worst),
        ..Row::new(format!(
            "a key of a search over {count} names of chats, the slowest, ms"
        ))
        .at_most(16.0)
    }])
}

fn name(number: u64) -> String {
    let of = |list: &[&'static str; 8], at: u64| list[usize::try_from(at % 8).unwrap_or(0)];
    format!("{} {} {number}", of(&VERBS, number), of(&THINGS, number / 8))
}
